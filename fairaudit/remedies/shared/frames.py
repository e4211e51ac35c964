"""Frames as rows of tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd

from fairaudit.present.blocks import ColumnSpec
from fairaudit.present.numbers import shown


def table_rows(frame: pd.DataFrame, columns: Sequence[ColumnSpec]) -> tuple[tuple[Any, ...], ...]:
    """Return the rows of a frame as a table shows them, in the order of the columns."""
    records = frame.to_dict("records")
    return tuple(tuple(shown(record[column.name]) for column in columns) for record in records)


TUNING = "On the tuning rows, not on the held-out ones."
