"""What stands for a figure that the small-cell rule hides."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import fields, is_dataclass, replace
from typing import Any

import pandas as pd

from fairaudit.conditions import Condition
from fairaudit.disclosure.fields import export_of
from fairaudit.errors import FairauditError
from fairaudit.measure.not_known import NotKnown, leaving_out
from fairaudit.measure.results import Interval

# A hidden interval has no ends, while those of all others are numbers or NaN.
HIDDEN = Interval(None, None)  # type: ignore[arg-type]


def replaced(found: Any, **changes: Any) -> Any:
    """Return a copy with other figures; one that is hidden is None there, whatever its class says of it."""
    return replace(found, **changes)


def nothing_of(value: Any) -> Any:
    """Return the empty value for a hidden one: a frame without rows, an interval without ends, an empty tuple, None."""
    if isinstance(value, pd.DataFrame):
        return value.iloc[:0]
    if isinstance(value, Interval):
        return HIDDEN
    return () if isinstance(value, tuple) else None


def without_figures(found: Any) -> Any:
    """Return a copy in which all is hidden that does not declare to be a setting; of its parts the settings stay."""
    hidden = {}
    for field in fields(found):
        if export_of(field) != "setting":
            value = getattr(found, field.name)
            hidden[field.name] = without_figures(value) if is_dataclass(value) else nothing_of(value)
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


def without_counts(parts: Iterable[NotKnown], protected: str) -> tuple[NotKnown, ...]:
    """Return what may be said of values that mean not known where small counts are hidden: no count at all."""
    return tuple(
        replace(
            without_figures(part),
            groups=part.groups if part.counted == "group" and _decides(part.column, protected) else (),
            leave_out=leaving_out(part.column, part.values, [part.column], missing=True),
        )
        for part in parts
    )


def _decides(column: str, condition: str) -> bool:
    """Say whether a condition names a column and no other."""
    try:
        Condition.parse(condition, [column])
    except FairauditError:
        return False
    return True
