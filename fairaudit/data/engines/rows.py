"""Rows of an engine's answer as a DataFrame, with the same dtypes as the embedded database gives."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

import pandas as pd
import pyarrow as pa

from fairaudit.columns import Kind
from fairaudit.data.frames import to_frame
from fairaudit.errors import ConnectError


def kinds_changed() -> ConnectError:
    """Return the error for a value that is not of the kind that its column had."""
    return ConnectError("The kinds of a column changed since the table was opened.", hint="Open the table again.")


def rows_frame(rows: Sequence[tuple], names: Sequence[str], kinds: Sequence[Kind]) -> pd.DataFrame:
    """Turn rows into a DataFrame."""
    if not names:
        return pd.DataFrame(index=pd.RangeIndex(len(rows)))
    arrays = [_array([row[place] for row in rows], kind) for place, kind in enumerate(kinds)]
    return to_frame(pa.table(arrays, names=[f"c{place}" for place in range(len(arrays))]), names, kinds)


def _array(values: list[Any], kind: Kind) -> pa.Array:
    match kind:
        case "number":
            return _numbers(values)
        case "boolean":
            return pa.array([None if value is None else bool(value) for value in values], pa.bool_())
        case "date" | "timestamp":
            return pa.array([_moment(value) for value in values], pa.timestamp("us"))
        case _:
            return pa.array(values, pa.string())


def _numbers(values: list[Any]) -> pa.Array:
    plain = [float(value) if isinstance(value, Decimal) else value for value in values]
    known = [value for value in plain if value is not None]
    if known and all(isinstance(value, int) and -(2**63) <= value < 2**63 for value in known):
        return pa.array(plain, pa.int64())
    return pa.array([None if value is None else float(value) for value in plain], pa.float64())


def _moment(value: str | datetime.date | None) -> datetime.datetime | None:
    if isinstance(value, str):
        return _read_moment(value)
    if value is None or isinstance(value, datetime.datetime):
        return value
    return datetime.datetime(value.year, value.month, value.day)


def _read_moment(text: str) -> datetime.datetime:
    found = None
    try:
        found = datetime.datetime.fromisoformat(text)
    except ValueError:
        found = None
    if found is None:
        # Raised out here: the other error holds the cell.
        raise kinds_changed()
    return found
