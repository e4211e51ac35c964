"""Results as plain values, for JSON and for tables."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

import pandas as pd

from fairaudit.measure.grouping import is_missing


def plain(value: Any) -> Any:
    """Turn dataclasses, tuples, frames and numpy scalars into what JSON can hold."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {f.name: plain(getattr(value, f.name)) for f in dataclasses.fields(value)}
    if isinstance(value, pd.DataFrame):
        named = all(name is not None and name not in value for name in value.index.names)
        return [plain(record) for record in (value.reset_index() if named else value).to_dict("records")]
    if hasattr(value, "_asdict"):
        return plain(value._asdict())
    if isinstance(value, dict):
        return {str(k): plain(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(v) for v in value]
    if is_missing(value):
        return None
    if hasattr(value, "item"):
        return plain(value.item())
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, (str, int, float, bool)):
        return value
    return str(value)


def record(values: tuple[tuple[str, Any], ...], figures: dict[str, Any]) -> dict[str, Any]:
    """Put the values that make a group and its figures into one row of a table.

    Examples
    --------
    >>> record((("sex", "F"), ("n", 3)), {"n": 10})
    {'sex': 'F', 'n (column)': 3, 'n': 10}
    """
    return {f"{column} (column)" if column in figures else column: value for column, value in values} | figures
