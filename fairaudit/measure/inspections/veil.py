"""The veil of darkness: whether a group is stopped more where it can be seen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fairaudit.conditions import Condition
from fairaudit.measure.inspections.results import Hours, VeilOfDarkness


def veil_of_darkness(
    table: Any,
    *,
    group: Condition | str | Sequence[str],
    date: str | None = None,
    time: str | None = None,
    latitude: str | float | None = None,
    longitude: str | float | None = None,
    time_zone: str | None = None,
    light: Condition | str | None = None,
    place: str | None = None,
    confidence: float = 0.95,
    where: Condition | str | None = None,
    reference: Any = None,
    hours: Hours = "evening",
    ratio_tolerance: float = 1.1,
) -> VeilOfDarkness:
    """Compare who is stopped in light and in darkness at hours that are both over the year."""
    raise NotImplementedError
