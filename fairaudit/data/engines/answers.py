"""Answers of an SQL engine to a connected table's questions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import pandas as pd

from fairaudit.columns import Column, Kind
from fairaudit.data.engines.aggregates import aggregate_fingerprint
from fairaudit.data.engines.door import Door
from fairaudit.data.engines.named_door import NamedDoor
from fairaudit.data.engines.rows import rows_frame
from fairaudit.data.writing import SqlWriter


class EngineAnswers:
    """A table or query behind a door.

    Parameters
    ----------
    door : Door or NamedDoor
        The way to the engine.
    writer : SqlWriter
        What is read and how.
    n_rows : int
        Rows, when it was opened.
    """

    def __init__(self, door: Door | NamedDoor, writer: SqlWriter, n_rows: int):
        self.door = door
        self.writer = writer
        self.n_rows = n_rows

    def frame(self, query: str, names: Sequence[str], kinds: Sequence[Kind]) -> pd.DataFrame:
        """Answer a query as a DataFrame, see :meth:`fairaudit.data.answers.Answers.frame`."""
        return rows_frame(self.door.ask(query), names, kinds)

    def row(self, expressions: Sequence[str]) -> tuple[Any, ...]:
        """Answer aggregate expressions over all rows."""
        return tuple(self.door.ask(f"SELECT {', '.join(expressions)}\nFROM {self.writer.relation}")[0])

    def fingerprint(self, columns: Iterable[Column]) -> str:
        """Compute the fingerprint from names, kinds and aggregates, with one statement."""
        return aggregate_fingerprint(self, list(columns), self.n_rows)

    def cancel(self) -> None:
        """Stop every question of this table in the engine."""
        self.door.cancel()

    def close(self) -> None:
        """Stop what is running; connections are not kept between questions."""
        self.door.cancel()
