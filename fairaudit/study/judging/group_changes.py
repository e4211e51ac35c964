"""Whether a group is worse off with a remedy than without: how a rate of it changed on the same held-out rows."""

from __future__ import annotations

import numpy as np

from fairaudit.defaults import ENOUGH
from fairaudit.estimators.constraints.metrics import ErrorCost
from fairaudit.estimators.constraints.not_worse import GOOD_OUTCOMES, WorseOffRate
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
from fairaudit.study.judging.results import CANNOT_TELL, NOT_WORSE, TOO_FEW, WORSE, GroupChange, Standing


def group_change(rate: WorseOffRate, cells: Cells, confidence: float, *, positive_is_good: bool) -> GroupChange | None:
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
        lost = rate.sign * (top_after - top_before) < 0
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


def _terms(rate: WorseOffRate, positive_is_good: bool) -> Terms | None:
    """Return the numerator and the denominator of a rate; None for a metric that a user made."""
    if rate.metric.name == GOOD_OUTCOMES:
        return TERMS["selection_rate" if positive_is_good else "rejection_rate"]
    if isinstance(errors := rate.metric.coefficients, ErrorCost):
        return cost_terms(errors.c_fp, errors.c_fn)
    return TERMS.get(rate.metric.name)


def _standing(interval: Interval, n_lost: int, sign: int) -> Standing:
    """Say whether a group is worse off, where `sign` is 1 if more is better and -1 if less is."""
    if np.isnan(interval.low):
        return TOO_FEW
    worst, best = sorted((sign * interval.low, sign * interval.high))
    if n_lost == 0 or worst >= 0:
        return NOT_WORSE
    return WORSE if best < 0 else CANNOT_TELL
