"""What callers give as a table: one that is open, the path of a file, or a frame of any library."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TypeAlias

from fairaudit.columns import ByGroup, LabelsByCode, ReadOptions, WideCounts, labels_of
from fairaudit.data.counted_rows import as_counts
from fairaudit.data.prepare import as_planned
from fairaudit.data.readers import read_table
from fairaudit.data.table import Table

SaidCounts: TypeAlias = str | WideCounts | ByGroup | Mapping[str, str] | None
"""The columns that say how many cases each row stands for."""
SaidLabels: TypeAlias = Mapping[str, LabelsByCode] | None
"""By column, what its codes stand for."""


def as_table(data: object, *, counts: SaidCounts = None, labels: SaidLabels = None) -> Table:
    """Return a table of what a caller gave: a Table, the path of a file, or a frame that narwhals reads.

    Examples
    --------
    >>> import pyarrow as pa
    >>> as_table(pa.table({"sex": [1, 2], "n": [30, 40]}), counts="n", labels={"sex": {1: "man", 2: "woman"}}).n_rows
    70
    """
    said = ReadOptions(counts=None if counts is None else as_counts(counts), labels=labels_of(labels or {}))
    if isinstance(data, Table):
        known = data.source.options
        return data if counts is None and labels is None else as_planned(data, _with(known, said))
    if isinstance(data, str | Path):
        return read_table(data, options=said)
    return Table.from_pandas(data, counts=counts, labels=labels)


def _with(known: ReadOptions, said: ReadOptions) -> ReadOptions:
    """Return how a table was read, with what is said of it now."""
    return replace(known, counts=said.counts or known.counts, labels=said.labels or known.labels)
