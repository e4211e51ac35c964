"""Frames as rows of tables."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

import pandas as pd

from fairaudit.present.blocks import ColumnSpec
from fairaudit.present.numbers import shown


def table_rows(frame: pd.DataFrame, columns: Sequence[ColumnSpec]) -> tuple[tuple[Any, ...], ...]:
    """Return the rows of a frame as a table shows them; `x_interval` is made of the frame's `x_low` and `x_high`."""
    records = frame.to_dict("records")
    return tuple(tuple(_cell(record, column.name) for column in columns) for record in records)


def _cell(record: dict[Hashable, Any], name: str) -> Any:
    if name in record:
        return shown(record[name])
    stem = name.removesuffix("_interval")
    return (record[f"{stem}_low"], record[f"{stem}_high"])


TUNING = "On the tuning cases."
