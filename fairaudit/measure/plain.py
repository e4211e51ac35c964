"""Results as plain values, for JSON and for tables, and what their fields say about it."""

from __future__ import annotations

import dataclasses
import math
from typing import Annotated, Any, TypeVar

import numpy as np
import pandas as pd

from fairaudit.disclosure.fields import field_of
from fairaudit.measure.grouping import is_missing

T = TypeVar("T")
HIDEABLE = "None in an exported copy that hides small counts"
Hideable = Annotated[T, HIDEABLE]
"""Something that the small-cell rule may hide. Numbers that may be NaN need no such word: NaN is null as well."""


def plain(value: object, *, alone: bool = False) -> Any:
    """Turn dataclasses, parts of a plan, tuples, frames and numpy scalars into what JSON can hold.

    What is `alone` holds also the fields that an audit's JSON has in another place.
    """
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        held = [f.name for f in dataclasses.fields(value) if (_is_kept(f) if alone else field_of(f).in_json)]
        return {name: plain(getattr(value, name), alone=alone) for name in held}
    if hasattr(value, "model_dump"):
        return value.model_dump(mode="json", exclude_none=True)
    if isinstance(value, pd.DataFrame):
        named = all(name is not None and name not in value for name in value.index.names)
        return [plain(record, alone=alone) for record in (value.reset_index() if named else value).to_dict("records")]
    if hasattr(value, "_asdict"):
        return plain(value._asdict(), alone=alone)
    if isinstance(value, dict):
        return {str(k): plain(v, alone=alone) for k, v in value.items()}
    if isinstance(value, np.ndarray):
        return plain(value.tolist())
    if isinstance(value, (list, tuple)):
        return [plain(v, alone=alone) for v in value]
    if is_missing(value):
        return None
    if hasattr(value, "item"):
        return plain(value.item())
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, (str, int, float, bool)):
        return value
    return str(value)


def _is_kept(field: dataclasses.Field[object]) -> bool:
    """Say whether a field stands in a result alone: unless it declares that it never leaves."""
    return "field" not in field.metadata or field_of(field).export is not None


class Plain:
    """A result that can be had as plain values."""

    def to_dict(self) -> dict[str, object]:
        """Return plain numbers and texts, ready for JSON."""
        return plain(self, alone=True)


def record(values: tuple[tuple[str, object], ...], figures: dict[str, object]) -> dict[str, object]:
    """Put the values that make a group and its figures into one row of a table.

    Examples
    --------
    >>> record((("sex", "F"), ("n", 3)), {"n": 10})
    {'sex': 'F', 'n (column)': 3, 'n': 10}
    """
    return {f"{column} (column)" if column in figures else column: value for column, value in values} | figures
