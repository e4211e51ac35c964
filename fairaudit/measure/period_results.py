"""What comparing periods returns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

import pandas as pd

from fairaudit.disclosure.fields import figure, setting
from fairaudit.measure.comparison_results import ControlledFairness, Interval
from fairaudit.measure.explain.results import Estimate
from fairaudit.measure.mean_results import ControlledMeans
from fairaudit.measure.not_known import NotKnown
from fairaudit.measure.plain import Hideable, Plain, columns
from fairaudit.measure.profiles import ProfileDifference

ChangeVerdict = Literal[
    "gap_smaller",
    "gap_larger",
    "gap_turned_around",
    "gap_changed",
    "gap_unchanged",
    "gap_may_not_have_changed",
    "nothing_to_compare",
]
CHANGED: Final = ("gap_smaller", "gap_larger", "gap_turned_around", "gap_changed")
"""Verdicts that say that the gap is clearly another one."""


@dataclass(frozen=True)
class PeriodComparison(Plain):
    """The answer of :func:`fairaudit.compare_periods`.

    ``change == after.difference - before.difference == mix + rates``. A change above 0 means that the protected group
    has come to stand better in comparison.

    Parameters
    ----------
    names : tuple of str
        What the two periods are called.
    before, after : ControlledFairness or ControlledMeans
        The answer in both periods.
    change : float
        The gap after minus the gap before.
    change_interval : Interval
        By putting the intervals of both gaps together, at `confidence` (1 - a).
    equivalence_interval : Interval
        The same at 1 - 2a.
    p_value : float
        Two-sided, of no change.
    strata : tuple of str
        The columns whose values make the mix.
    mix : float
        What comes from both groups' being otherwise spread over the strata than before; 0 without strata.
    mix_interval : Interval
        Its interval.
    rates : float
        What comes from other shares of good outcomes, or other mean amounts, inside the strata.
    rates_interval : Interval
        Its interval.
    tolerance : float
        The largest change that still counts as none.
    confidence : float
        Of the intervals.
    cluster : str or None
        The column whose values hold rows that depend on each other.
    verdict : str
        Whether the gap is clearly smaller ("gap_smaller"), larger ("gap_larger"), on the other side
        ("gap_turned_around") or another one of open size ("gap_changed"): the interval leaves out no change; else
        "gap_unchanged" where that at 1 - 2a is within the tolerance, and "gap_may_not_have_changed";
        "nothing_to_compare" where only one decision was made.
    profile : tuple of ProfileDifference
        In what the later table is recorded otherwise.
    warnings : tuple of str
        What makes the answer doubtful.
    not_known : tuple of NotKnown
        Values of groups and decision that say that something is not known, or that a row adds up others.
    """

    names: tuple[str, str] = setting()
    before: ControlledFairness | ControlledMeans = figure()
    after: ControlledFairness | ControlledMeans = figure()
    change: float = figure()
    change_interval: Interval = figure()
    equivalence_interval: Interval = figure()
    p_value: float = figure()
    strata: tuple[str, ...] = setting()
    mix: float = figure()
    mix_interval: Interval = figure()
    rates: float = figure()
    rates_interval: Interval = figure()
    tolerance: float = figure()
    confidence: float = setting()
    cluster: str | None = setting()
    verdict: Hideable[ChangeVerdict] = figure()
    profile: tuple[ProfileDifference, ...] = figure()
    warnings: tuple[str, ...] = figure()
    not_known: tuple[NotKnown, ...] = figure(in_json=False, default=())

    @property
    def parts(self) -> tuple[Estimate, Estimate]:
        """Mix and rates, each with its interval."""
        return Estimate(self.mix, self.mix_interval), Estimate(self.rates, self.rates_interval)


@dataclass(frozen=True, eq=False)
class PeriodLine(Plain):
    """The same question in more than two periods.

    Parameters
    ----------
    names : tuple of str
        What the periods are called, in order.
    answers : tuple of ControlledFairness or ControlledMeans
        The answer in each.
    statistic : float
        Of one test over all that the gap is the same in all periods.
    p_value : float
        Of that test.
    confidence : float
        Of the intervals; the test is made at 1 minus it.
    changed : bool
        Whether the test finds that the gap is not the same in all periods.
    periods : pandas.DataFrame
        One row a period: its gap, and that beside the gap of all.
    profile : tuple of ProfileDifference
        In what the last table is recorded otherwise than the first.
    warnings : tuple of str
        What makes the answer doubtful.
    not_known : tuple of NotKnown
        Values of groups and decision that say that something is not known, or that a row adds up others.
    """

    names: tuple[str, ...] = setting()
    answers: tuple[ControlledFairness | ControlledMeans, ...] = figure()
    statistic: float = figure()
    p_value: float = figure()
    confidence: float = setting()
    changed: Hideable[bool] = figure()
    periods: pd.DataFrame = figure(
        columns(
            period=(str, "The period."),
            gap=(float, "The gap, protected minus everyone else."),
            gap_low=(float, "Low end of its interval."),
            gap_high=(float, "High end of its interval."),
            adjusted_p_value=(float, "Of no difference, by Holm's method."),
        )
    )
    profile: tuple[ProfileDifference, ...] = figure()
    warnings: tuple[str, ...] = figure()
    not_known: tuple[NotKnown, ...] = figure(in_json=False, default=())
