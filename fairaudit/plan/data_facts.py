"""What is known of the data of an audit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from fairaudit.columns import ConnectionFacts, Source
from fairaudit.disclosure.fields import figure, setting
from fairaudit.measure.plain import Hideable


@dataclass(frozen=True)
class DataFacts:
    """The data that an audit was made on.

    Parameters
    ----------
    name : str
        The table's name.
    n_rows, n_columns : int
        Its size, before any filter. In an exported copy the rows may be hidden (None).
    fingerprint : str
        SHA-256, 64 hexadecimal digits; beside hidden counts "salted:" and that many, or none without a salt.
    source : Source
        The kind of file and how it was read.
    notes : tuple of str
        What was found while reading.
    mismatch : str, optional
        In words, how these data differ from those that the plan was saved with; None if they do not, or if the plan
        names no data. A result has one only where the caller chose to go on.
    fingerprint_kind : {"content", "aggregates"}
        What the fingerprint is of: every cell, or, where the rows stay in an engine, the names and kinds of the
        columns, the number of rows and sums over each column, which is weaker.
    connection : ConnectionFacts, optional
        Where the rows stay; None where they were read.
    """

    name: str = setting()
    n_rows: Hideable[int] = figure()
    n_columns: int = setting()
    fingerprint: Hideable[str] = figure()
    source: Source = setting()
    notes: tuple[str, ...] = figure(default=())
    mismatch: str | None = figure(default=None)
    fingerprint_kind: Literal["content", "aggregates"] = setting(default="content")
    connection: ConnectionFacts | None = setting(default=None)
