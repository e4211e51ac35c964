"""What stands for a figure that the small-cell rule hides."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import fields, is_dataclass, replace
from datetime import date, time, timedelta
from decimal import Decimal
from types import NoneType
from typing import Any, TypeVar

import numpy as np
import pandas as pd

from fairaudit.disclosure.fields import Columns, Dataclass, export_of, field_of
from fairaudit.errors import DisclosureError
from fairaudit.measure.not_known import NotKnown, leaving_out
from fairaudit.measure.results import Interval
from fairaudit.plan.parts import Part

T = TypeVar("T", bound=Dataclass)

# A hidden interval has no ends, while those of all others are numbers or NaN.
HIDDEN = Interval(None, None)  # type: ignore[arg-type]


def replaced(found: T, **changes: object) -> T:
    """Return a copy with other figures; one that is hidden is None there, whatever its class says of it."""
    return replace(found, **changes)


def nothing_of(value: object) -> object:
    """Return the empty value for a hidden one: a frame without rows, an interval without ends, an empty tuple, None."""
    if isinstance(value, pd.DataFrame):
        return value.iloc[:0]
    if isinstance(value, Interval):
        return HIDDEN
    return () if isinstance(value, tuple) else None


def without_figures(found: T) -> T:
    """Return a copy in which all is hidden that does not declare to be a setting; of its parts the settings stay."""
    hidden = {}
    for field in fields(found):
        if export_of(field) != "setting":
            value = getattr(found, field.name)
            is_part = is_dataclass(value) and not isinstance(value, type)
            hidden[field.name] = without_figures(value) if is_part else nothing_of(value)
    return replace(found, **hidden)


def blanked(frame: pd.DataFrame, names: tuple[str, ...]) -> pd.DataFrame:
    """Return a frame in which some columns hold None."""
    return frame.astype(dict.fromkeys(names, object)).assign(**dict.fromkeys(names))


def rounded_up(gap: float) -> float:
    """Return an optimality gap, rounded up to a tenth of a percent."""
    return math.ceil(round(1000 * gap, 6)) / 1000 if math.isfinite(gap) else gap


def rounded(value: float) -> float:
    """Return a figure with two digits."""
    return float(f"{value:.2g}")


def without_counts(parts: Iterable[NotKnown]) -> tuple[NotKnown, ...]:
    """Return what may be said of cases that ended undecided where small counts are hidden: no count at all."""
    return tuple(
        replace(without_figures(part), leave_out=leaving_out(part.column, part.values, [part.column], missing=True))
        for part in parts
    )


# What is left of a result where nothing leaves that does not say so.

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
            shown = _only_declared_columns(held, field_of(field).columns)
        else:
            shown = only_declared(held)
        if shown is not held:
            changed[field.name] = shown
    return replace(value, **changed) if changed else value


def _only_declared_columns(frame: pd.DataFrame, declared: Columns) -> pd.DataFrame:
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


def _declared_index(frame: pd.DataFrame, declared: Columns) -> bool:
    """Say whether an index counts rows, is declared, or repeats the values of a column that is."""
    index = frame.index
    if any(name is not None for name in index.names):
        return all(name in declared for name in index.names)
    return isinstance(index, pd.RangeIndex) or any(
        index.equals(pd.Index(frame[name])) for name in frame.columns if name in declared
    )
