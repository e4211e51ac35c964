"""The part of a plan that asks about searches and inspections: who was looked at, and what was found."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from fairaudit.defaults import USUAL_CONFIDENCE, USUAL_TOLERANCE
from fairaudit.plan.outcomes import Value
from fairaudit.plan.parts import Confidence, Filter, Part, Tolerance, Words


class VeilPlan(Part):
    """Whether a group is looked at more where it can be seen: stops in light and in darkness at the same hours.

    Parameters
    ----------
    light : str, optional
        When it was light, as a condition; without it, date, time and position say so.
    date : str, optional
        The column of dates, or of times of a day.
    time : str, optional
        The column of hours by the clock, where that of dates does not hold them.
    latitude, longitude : str or float, optional
        The position in degrees: a column, or one number for all.
    time_zone : str, optional
        The zone of the clock, such as "Europe/Berlin".
    place : str, optional
        The column of places inside which stops are compared.
    hours : {"evening", "morning", "both"}
        The hours around dusk, around dawn, or both.
    ratio_tolerance : float
        The largest odds ratio that still counts as alike.
    acted_only : bool
        Whether only rows that were looked at count as stops; without it, every row does, as where police record stops.
    """

    light: str | None = None
    date: str | None = None
    time: str | None = None
    latitude: str | float | None = None
    longitude: str | float | None = None
    time_zone: str | None = None
    place: str | None = None
    hours: Literal["evening", "morning", "both"] = "evening"
    ratio_tolerance: Annotated[float, Field(gt=1)] = 1.1
    acted_only: bool = False

    @model_validator(mode="after")
    def _says_when_it_was_light(self) -> VeilPlan:
        if self.light is not None:
            if self.time is None and self.date is None:
                raise ValueError("holds 'light' and needs 'time' (the hours of the day), too")
            return self
        if self.date is None:
            raise ValueError(
                "needs either 'light' (a condition) or 'date'; hours without dates do not say if it was light"
            )
        if self.latitude is None or self.longitude is None or self.time_zone is None:
            raise ValueError("holds 'date' and needs 'latitude', 'longitude' and 'time_zone', too")
        return self

    @property
    def columns(self) -> set[str]:
        """The columns that are named, besides those of a condition."""
        named = (self.date, self.time, self.latitude, self.longitude, self.place)
        return {name for name in named if isinstance(name, str)}


class InspectionPlan(Part):
    """One question about searches and inspections: a decision to look, and what was found.

    Parameters
    ----------
    where : str, optional
        Which cases are looked at, as a condition.
    acted : str
        Who was looked at: a condition, or a column that counts them.
    found : str
        Where something was found: a condition, or a column that counts them.
    verb : str, optional
        What is said of several people who were looked at: "were searched"; without it, one is made from `acted`.
    stopped : str, optional
        Who could have been looked at, in the same form; without it, every row.
    group : tuple of str
        The columns that make the groups (crossed), or one condition that makes two.
    reference : tuple
        The value, one for each column, of the group that the others are compared with; empty for the largest.
    strata : tuple of str
        The columns inside whose values hit rates are compared, too.
    location : tuple of str
        The columns of the places in which thresholds are inferred; empty where they are not.
    signal : {"beta", "discriminant"}
        The family of distributions of how likely a find seems, see :func:`fairaudit.threshold_test`.
    base_rate : float, optional
        The share of all cases that is expected to be worth a find, before the data; without it, from what was found.
    threshold_tolerance : float
        The largest difference of thresholds that still counts as alike.
    n_placebo : int
        How often thresholds are inferred anew with groups shuffled, as a test of the test.
    veil : VeilPlan, optional
        Whether stops in light and in darkness are compared, and by which columns.
    tolerance : float
        The largest difference of hit rates that still counts as alike.
    confidence : float
        Of the intervals.
    """

    where: Filter = None
    acted: Annotated[str, Field(min_length=1)]
    found: Annotated[str, Field(min_length=1)]
    verb: Words = None
    stopped: str | None = None
    group: Annotated[tuple[str, ...], Field(min_length=1)]
    reference: tuple[Value, ...] = ()
    strata: tuple[str, ...] = ()
    location: tuple[str, ...] = ()
    signal: Literal["beta", "discriminant"] = "beta"
    base_rate: Annotated[float, Field(gt=0, lt=1)] | None = None
    threshold_tolerance: Annotated[float, Field(ge=0, le=1)] = 0.02
    n_placebo: Annotated[int, Field(ge=0, le=1000)] = 0
    veil: VeilPlan | None = None
    tolerance: Tolerance = USUAL_TOLERANCE
    confidence: Confidence = USUAL_CONFIDENCE

    @property
    def columns(self) -> set[str]:
        """The columns that are named, besides those of conditions and of groups."""
        return {*self.strata, *self.location} | (set() if self.veil is None else self.veil.columns)

    @model_validator(mode="after")
    def _placebo_needs_places(self) -> InspectionPlan:
        if self.n_placebo and not self.location:
            raise ValueError("holds 'n_placebo', which needs 'location': the columns of the places")
        return self
