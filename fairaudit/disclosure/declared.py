"""What is left of a result where nothing leaves that does not say so."""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from datetime import date, time, timedelta
from decimal import Decimal
from types import NoneType
from typing import Any

import numpy as np
import pandas as pd

from fairaudit.disclosure.fields import export_of
from fairaudit.disclosure.hidden import nothing_of
from fairaudit.errors import DisclosureError
from fairaudit.measure.results import Interval
from fairaudit.plan.parts import Part

PLAIN = (NoneType, str, bool, int, float, np.generic, date, time, timedelta, Decimal, Interval, Part)
"""What a field that is declared may hold as it is: values, intervals, and parts of a plan."""


def only_declared(value: Any) -> Any:
    """Return a value in which each field and each column that declares nothing is empty; itself where none is.

    It goes through all classes that a value holds, and raises where one of them declares nothing at all.
    """
    if is_dataclass(value):
        return _only_declared_fields(value)
    if type(value) is tuple:
        parts = tuple(map(only_declared, value))
        return value if all(one is other for one, other in zip(parts, value, strict=True)) else parts
    if not isinstance(value, PLAIN):
        raise DisclosureError(f"The class {type(value).__name__} is not known to the gate.")
    return value


def _only_declared_fields(value: Any) -> Any:
    if all(export_of(field) == "never" for field in fields(value)):
        raise DisclosureError(
            f"The class {type(value).__name__} is not known to the gate: no field says who may see it."
        )
    changed = {}
    for field in fields(value):
        held = getattr(value, field.name)
        if export_of(field) == "never":
            shown = nothing_of(held)
        elif isinstance(held, pd.DataFrame):
            shown = _only_declared_columns(held, field.metadata.get("columns", ()))
        else:
            shown = only_declared(held)
        if shown is not held:
            changed[field.name] = shown
    return replace(value, **changed) if changed else value


def _only_declared_columns(frame: pd.DataFrame, declared: Any) -> pd.DataFrame:
    """Keep the declared columns and levels of the index, and of their values what is declared itself."""
    if not _declared_index(frame, declared):
        frame = frame.reset_index(drop=True)
    others = [name for name in frame.columns if name not in declared]
    frame = frame.drop(columns=others) if others else frame
    for name in [name for name, kind in frame.dtypes.items() if isinstance(kind, np.dtype) and kind.hasobject]:
        values = [only_declared(held) for held in frame[name]]
        if any(shown is not held for shown, held in zip(values, frame[name], strict=True)):
            frame = frame.assign(**{name: values})
    return frame


def _declared_index(frame: pd.DataFrame, declared: Any) -> bool:
    """Say whether an index counts rows, is declared, or repeats the values of a column that is."""
    index = frame.index
    if any(name is not None for name in index.names):
        return all(name in declared for name in index.names)
    return isinstance(index, pd.RangeIndex) or any(
        index.equals(pd.Index(frame[name])) for name in frame.columns if name in declared
    )
