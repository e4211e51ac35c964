"""Figures of the favourable result as those of the other result, by what their fields declare."""

from __future__ import annotations

import math
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar

from fairaudit.disclosure.fields import Field, Kind, export_of, field_of
from fairaudit.measure.results import GroupBounds, Interval

T = TypeVar("T")

SIGNED = ("float", "Interval")
"""What a figure that could turn is annotated with."""


def flipped(found: T) -> T:
    """Return what was found with each figure that turns as that of the other result, and so in all of its parts.

    A number or interval that does not declare whether it turns is a fault of the program: it would keep its sign
    silently.
    """
    if isinstance(found, tuple):
        return type(found)(map(flipped, found)) if any(map(is_dataclass, found)) else found
    if not is_dataclass(found) or isinstance(found, type):
        return found
    changes: dict[str, Any] = found.exchanged if isinstance(found, GroupBounds) else {}
    for each in fields(found):
        field, value = field_of(each), getattr(found, each.name)
        if export_of(each) != "setting" and each.type in SIGNED and field.turns is None:
            raise TypeError(f"{type(found).__name__}.{each.name} does not say whether it `turns`")
        new = _flipped(found, field, value) if field.turns else flipped(value)
        if new is not value:
            changes[each.name] = new
    return replace(found, **changes)


def flipped_value(value: Any, kind: Kind) -> Any:
    """Return a share, a gap, a ratio or the ends of one as that of the other result; what is hidden stays so.

    Examples
    --------
    >>> flipped_value(0.25, "share"), flipped_value((0.1, 0.25), "points_interval"), flipped_value(4.0, "number")
    (0.75, (-0.25, -0.1), 0.25)
    """
    if isinstance(value, (tuple, list)):
        low, high = (flipped_value(end, _OF_ENDS.get(kind, kind)) for end in reversed(value))
        return Interval(low, high) if isinstance(value, Interval) else (low, high)
    if value is None or isinstance(value, str):
        return value
    if kind == "number":
        return 1 / value if value else math.inf
    return (1.0 if kind == "share" else 0.0) - value


_OF_ENDS: dict[Kind, Kind] = {"share_interval": "share", "points_interval": "points", "number_interval": "number"}


def _flipped(group: Any, field: Field, value: Any) -> Any:
    """Return a figure that turns; of counts, the others of the group."""
    if field.kind != "count":
        return flipped_value(value, field.kind)
    return None if None in (value, group.n) else group.n - value
