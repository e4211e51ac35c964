"""No group worse off than before: which rate of each group says so, and whether predictions keep to it.

Symbols: r_g(h) is the rate of group g under predictions h, b what was predicted before. It holds where, for each group,
r_g(h) >= r_g(b) if more of the rate is better, and r_g(h) <= r_g(b) if less is.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from fairaudit.estimators.common_cut import CommonCuts
from fairaudit.estimators.constraints.constrained_rows import TOP, ConstrainedRows, values_of_cuts
from fairaudit.estimators.constraints.metrics import ERRORS_OF, FLOORS, METRICS, Metric
from fairaudit.estimators.floors import Floors
from fairaudit.measure.limits import SLACK

Floats = NDArray[np.float64]
Labels = NDArray[np.int64]
Named = tuple[str, tuple[str, ...]]
"""A group and the groups that it is compared with, as others may have its name in another grouping."""

GOOD_OUTCOMES: Final = "good_outcomes"
"""The name of the share of good outcomes, whichever outcome is called positive."""

_ERROR_OF: Final = {right: error for error, right in ERRORS_OF.items()}
_SAME_PEOPLE: Final = (("fnr", "fpr"), ("for", "fdr"))
"""Two rates of errors: the first refuses the positive outcome wrongly, the second gives it wrongly."""


@dataclass(frozen=True, eq=False)
class WorseOffRate:
    """A rate by which a group is better or worse off.

    Parameters
    ----------
    metric : Metric
        The rate.
    group : str
        What the group is called.
    rows : ndarray of int, shape (n_rows,)
        Its rows.
    more_is_better : bool
        Whether the group is worse off where the rate falls; else where it rises.
    """

    metric: Metric
    group: str
    rows: NDArray[np.int64]
    more_is_better: bool

    @property
    def sign(self) -> int:
        """1 where more is better, and -1 where less is."""
        return 1 if self.more_is_better else -1


def group_rates(rows: ConstrainedRows, *, positive_is_good: bool) -> tuple[WorseOffRate, ...]:
    """Return by which rates the groups of constraints are worse off.

    They are those that the constraints are about. The share of positive predictions is read as that of good outcomes.
    Of two rates of errors of the same groups, such as false positive and false negative rates, the one counts that
    wrongly refuses the good outcome: to whom it is given wrongly, that is no loss.
    """
    found: dict[tuple[str, Named], WorseOffRate] = {}
    for spec, names, members in zip(rows.specs, rows.names, rows.members, strict=True):
        measure = spec.measure
        metric = _good_outcomes(positive_is_good) if measure is METRICS["sp"] else measure
        better = metric.name == GOOD_OUTCOMES or FLOORS.get(metric.name) is metric
        others = tuple(name for name in names if name != TOP)
        for name, group in zip(others, members, strict=False):
            key = _ERROR_OF.get(metric.name, metric.name), (name, others)
            found.setdefault(key, WorseOffRate(metric, name, group, better))
    return tuple(rate for (error, named), rate in found.items() if not _gives(error, named, found, positive_is_good))


def _gives(error: str, named: Named, found: dict[tuple[str, Named], WorseOffRate], positive_is_good: bool) -> bool:
    """Say whether a rate counts whom the good outcome is wrongly given to, beside one of whom it is refused to."""
    for pair in _SAME_PEOPLE:
        refuses, gives = pair if positive_is_good else pair[::-1]
        if error == gives and (refuses, named) in found:
            return True
    return False


def _good_outcomes(positive_is_good: bool) -> Metric:
    """Return the share of good outcomes as a metric: that of positive predictions, or of all others."""

    def coefficients(y: Labels, h: Labels | None) -> tuple[Floats, float]:
        share = METRICS["sp"].terms(y, h)
        return share if positive_is_good else (-share[0], 1 - share[1])

    return Metric(GOOD_OUTCOMES, "share with the favourable result", coefficients)


@dataclass(frozen=True, eq=False)
class NotWorse:
    """The rates of groups before: whether other predictions for the same rows leave no group worse off.

    A group whose rate is not defined before is left out.

    Parameters
    ----------
    y : ndarray of int, shape (n,)
        Labels, 0 or 1.
    rates : tuple of WorseOffRate
        By which groups are worse off.
    before : ndarray of float, shape (n_rates,)
        These rates before.

    Examples
    --------
    >>> from fairaudit.estimators.constraints import FairnessSpec
    >>> y, groups = np.array([1, 1, 0, 0]), (np.array([0, 1]), np.array([2, 3]))
    >>> rows = ConstrainedRows(y, (FairnessSpec("sp", "sex", 0.1),), (("f", "m"),), (groups,))
    >>> wish = NotWorse.of(rows, np.array([1, 0, 1, 1]), positive_is_good=True)
    >>> wish.holds(np.array([1, 1, 1, 1])), wish.holds(np.array([1, 0, 1, 0]))
    (True, False)
    """

    y: Labels
    rates: tuple[WorseOffRate, ...]
    before: Floats

    @classmethod
    def of(cls, rows: ConstrainedRows, h: Labels, *, positive_is_good: bool) -> Self:
        """Take what was predicted before.

        Shapes: `h` (n,).
        """
        rates = group_rates(rows, positive_is_good=positive_is_good)
        return cls(rows.y, rates, np.array([_value(rate, rows.y, h) for rate in rates]))

    def gains(self, h: Labels) -> Floats:
        """Return how much better each group does than before, below 0 where worse; NaN where that is not defined.

        Shapes: `h` (n,); returns (n_rates,).
        """
        now = np.array([_value(rate, self.y, h) for rate in self.rates])
        return np.array([rate.sign for rate in self.rates]) * (now - self.before)

    def holds(self, h: Labels) -> bool:
        """Say whether no group is worse off.

        Shapes: `h` (n,).
        """
        return bool((self.gains(h) >= -SLACK)[~np.isnan(self.before)].all())

    def floors(self) -> Floors:
        """Return what sums of the predictions for these rows must be at least, so that no group is worse off.

        Every rate must be linear in the predictions. A group whose rate is not defined before has no floor.
        """
        weights, least = np.zeros((len(self.rates), len(self.y))), np.full(len(self.rates), -np.inf)
        for place, (rate, before) in enumerate(zip(self.rates, self.before, strict=True)):
            if not np.isnan(before):
                y = self.y[rate.rows]
                c, c_0 = rate.metric.terms(y, None)
                # sum of c_i [h_i = y_i], and [h_i = y_i] = h_i where y_i = 1, 1 - h_i where y_i = 0
                weights[place, rate.rows] = rate.sign * np.where(y == 1, c, -c)
                least[place] = rate.sign * (before - c_0 - c[y == 0].sum())
        return Floors(weights, least)

    def holds_at_cuts(self, cuts: CommonCuts) -> NDArray[np.bool_]:
        """Say so of each cut of a score of these rows, shape (n_cuts,)."""
        found = np.ones(cuts.n_cuts, dtype=bool)
        for rate, before in zip(self.rates, self.before, strict=True):
            if not np.isnan(before):
                found &= rate.sign * (values_of_cuts(rate.metric, cuts, rate.rows) - before) >= -SLACK
        return found


def _value(rate: WorseOffRate, y: Labels, h: Labels) -> float:
    return rate.metric.value(y[rate.rows], h[rate.rows])
