"""Whether a group is worse off with a remedy than without: how a rate of it changed on the same held-out rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

import numpy as np

from fairaudit.disclosure.fields import figure, setting
from fairaudit.estimators.constraints.metrics import ErrorCost
from fairaudit.estimators.constraints.not_worse import GOOD_OUTCOMES, GroupRate
from fairaudit.measure.gaps import ENOUGH
from fairaudit.measure.plain import Hideable
from fairaudit.measure.results import Interval
from fairaudit.study.judging.paired import UNDEFINED, normal_interval
from fairaudit.study.judging.rate_terms import (
    AFTER,
    BEFORE,
    TERMS,
    Cells,
    Terms,
    change_variance,
    cost_terms,
    rates_of,
)

Standing = Literal["worse off", "not worse off", "cannot tell", "too few rows"]

WORSE: Final = "worse off"
NOT_WORSE: Final = "not worse off"
CANNOT_TELL: Final = "cannot tell"
TOO_FEW: Final = "too few rows"


@dataclass(frozen=True)
class GroupChange:
    """A rate of one group without and with a remedy, on the same held-out rows.

    Parameters
    ----------
    rate : str
        Which rate: "good_outcomes", or the metric as a constraint names it.
    rate_words : str
        The same in words.
    group : str
        The group.
    more_is_better : bool
        Whether the group is worse off where the rate falls; else where it rises.
    n : int
        Held-out rows of the group that the rate is a share of; of both models the fewer.
    before, after : float
        The rate without and with the remedy. NaN where it is a share of fewer than 30 rows.
    difference : float
        After minus before.
    interval : Interval
        Of the difference, from rows that both models were judged on (paired).
    n_lost : int
        Rows of the group for which the remedy is worse; where the rate is a share of other rows before and after, those
        for which it predicts otherwise.
    standing : {"worse off", "not worse off", "cannot tell", "too few rows"}
        "worse off" where the whole interval is on the worse side of zero, "not worse off" where none of it is or no row
        was lost.
    """

    rate: str = setting()
    rate_words: str = setting()
    group: str = figure()
    more_is_better: bool = setting()
    n: Hideable[int] = figure()
    before: float = figure()
    after: float = figure()
    difference: float = figure()
    interval: Interval = figure()
    n_lost: Hideable[int] = figure()
    standing: Hideable[Standing] = figure()


@dataclass(frozen=True)
class WorseOff:
    """Whether a remedy leaves a group worse off than it was without it.

    Parameters
    ----------
    asked : bool
        Whether the remedy was to leave no group worse off.
    kept : bool or None
        Whether it leaves none worse off on the tuning rows, where that was chosen; None where it was not asked.
    groups : tuple of GroupChange
        One for each rate that the remedy is about and each group; empty where small counts are hidden.
    """

    asked: bool = setting()
    kept: Hideable[bool] = figure()
    groups: tuple[GroupChange, ...] = figure()

    @property
    def standing(self) -> Standing | None:
        """What can be said of all groups together; None where nothing can be said, or it is hidden."""
        found = {group.standing for group in self.groups}
        if not found or None in found:
            return None
        return WORSE if WORSE in found else NOT_WORSE if found == {NOT_WORSE} else CANNOT_TELL


def group_change(rate: GroupRate, cells: Cells, confidence: float, *, positive_is_good: bool) -> GroupChange | None:
    """Return how a rate of a group changed; None for a metric that a user made.

    Shapes: `cells` (8,): rows of the group by label, prediction before and after, 1 where positive.

    Examples
    --------
    >>> from fairaudit.estimators.constraints import FLOORS
    >>> cells = np.array([0, 0, 0, 0, 40, 2, 18, 40])
    >>> tpr = GroupRate(FLOORS["tpr"], "few", np.arange(100), more_is_better=True)
    >>> change = group_change(tpr, cells, 0.95, positive_is_good=True)
    >>> change.before, change.after, change.n_lost, change.standing
    (0.58, 0.42, 18, 'worse off')
    """
    terms = _terms(rate, positive_is_good)
    if terms is None:
        return None
    (top_before, bottom_before), (top_after, bottom_after) = terms(BEFORE), terms(AFTER)
    lost = BEFORE != AFTER
    if np.array_equal(bottom_before, bottom_after):
        lost = rate.sign * (top_after * 1.0 - top_before) < 0
    n, n_lost = int(min(bottom_before @ cells, bottom_after @ cells)), int(cells[lost].sum())
    before, after = rates_of(cells, terms, ENOUGH)
    difference, interval = after - before, UNDEFINED
    if not np.isnan(difference):
        most = 1.0 if rate.metric.name in TERMS or rate.metric.name == GOOD_OUTCOMES else np.inf
        interval = normal_interval(difference, change_variance(cells, terms), confidence, most=most)
    return GroupChange(
        rate=rate.metric.name,
        rate_words=rate.metric.words,
        group=rate.group,
        more_is_better=rate.more_is_better,
        n=n,
        before=before,
        after=after,
        difference=difference,
        interval=interval,
        n_lost=n_lost,
        standing=_standing(interval, n_lost, rate.sign),
    )


def _terms(rate: GroupRate, positive_is_good: bool) -> Terms | None:
    """Return the numerator and the denominator of a rate; None for a metric that a user made."""
    if rate.metric.name == GOOD_OUTCOMES:
        return TERMS["selection_rate" if positive_is_good else "rejection_rate"]
    if isinstance(costs := rate.metric.coefficients, ErrorCost):
        return cost_terms(costs.c_fp, costs.c_fn)
    return TERMS.get(rate.metric.name)


def _standing(interval: Interval, n_lost: int, sign: int) -> Standing:
    """Say whether a group is worse off, where `sign` is 1 if more is better and -1 if less is."""
    if np.isnan(interval.low):
        return TOO_FEW
    worst, best = sorted((sign * interval.low, sign * interval.high))
    if n_lost == 0 or worst >= 0:
        return NOT_WORSE
    return WORSE if best < 0 else CANNOT_TELL
