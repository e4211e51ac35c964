"""The best common cut of a score under constraints, and nobody worse off than before."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from fairaudit.estimators.common_cut import CommonCuts
from fairaudit.estimators.constraints.constrained_rows import (
    STEPS,
    TOP,
    ConstrainedRows,
    JudgedFit,
    multipliers_of,
    nets_of,
    values_of_cuts,
)
from fairaudit.estimators.constraints.metrics import ERRORS_OF, FLOORS, METRICS, Metric
from fairaudit.estimators.constraints.search import Ask, Part, center, split
from fairaudit.estimators.floors import Floors
from fairaudit.measure.limits import SLACK

# No group worse off than before: which rate of each group says so, and whether predictions keep to it.
#
# Symbols: r_g(h) is the rate of group g under predictions h, b what was predicted before. It holds where, for each
# group, r_g(h) >= r_g(b) if more of the rate is better, and r_g(h) <= r_g(b) if less is.

Floats = NDArray[np.float64]
Labels = NDArray[np.int64]
Named = tuple[str, tuple[str, ...]]
"""A group and the groups that it is compared with, as others may have its name in another grouping."""

GOOD_OUTCOMES: Final = "good_outcomes"
"""The name of the share of good outcomes, whichever outcome is called positive."""

_ERROR_OF: Final = {right: error for error, right in ERRORS_OF.items()}
_SAME_PEOPLE: Final = (("fnr", "fpr"), ("for_", "fdr"))
"""Two rates of errors: the first refuses the positive outcome wrongly, the second gives it wrongly."""


@dataclass(frozen=True, eq=False)
class WorseOffRate:
    """A rate by which a group is better or worse off."""

    metric: Metric
    # What the group is called.
    group: str
    # (n_rows,) Its rows.
    rows: NDArray[np.int64]
    # Whether the group is worse off where the rate falls; else where it rises.
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
        is_share = measure.name in ("demographic_parity", "selection_rate")
        metric = _good_outcomes(positive_is_good) if is_share else measure
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

    def coefficients(y: Labels, h: Labels | None, weights: Floats | None = None) -> tuple[Floats, float]:
        share = METRICS["demographic_parity"].terms(y, h, weights)
        return share if positive_is_good else (-share[0], 1 - share[1])

    return Metric(GOOD_OUTCOMES, "share with the favourable result", coefficients, takes_weights=True)


@dataclass(frozen=True, eq=False)
class NoGroupWorseOff:
    """The rates of groups before: whether other predictions for the same rows leave no group worse off.

    A group whose rate is not defined before is left out.

    Examples
    --------
    >>> from fairaudit.estimators.constraints import FairnessSpec
    >>> y, groups = np.array([1, 1, 0, 0]), (np.array([0, 1]), np.array([2, 3]))
    >>> rows = ConstrainedRows(y, (FairnessSpec("demographic_parity", "sex", 0.1),), (("f", "m"),), (groups,))
    >>> kept = NoGroupWorseOff.of(rows, np.array([1, 0, 1, 1]), positive_is_good=True)
    >>> kept.holds(np.array([1, 1, 1, 1])), kept.holds(np.array([1, 0, 1, 0]))
    (True, False)
    """

    # (n,) Labels, 0 or 1.
    y: Labels
    # By which groups are worse off.
    rates: tuple[WorseOffRate, ...]
    # (n_rates,) These rates before.
    before: Floats
    # (n,) How much each row counts; None where each counts once.
    counts: Floats | None = None

    @classmethod
    def of(cls, rows: ConstrainedRows, h: Labels, *, positive_is_good: bool) -> Self:
        """Take what was predicted before. Shapes: `h` (n,)."""
        rates = group_rates(rows, positive_is_good=positive_is_good)
        return cls(rows.y, rates, np.array([_value(rate, rows.y, h, rows.counts) for rate in rates]), rows.counts)

    def gains(self, h: Labels) -> Floats:
        """Return how much better each group does than before, below 0 where worse; NaN where that is not defined.

        Shapes: `h` (n,); returns (n_rates,).
        """
        now = np.array([_value(rate, self.y, h, self.counts) for rate in self.rates])
        return np.array([rate.sign for rate in self.rates]) * (now - self.before)

    def holds(self, h: Labels) -> bool:
        """Say whether no group is worse off. Shapes: `h` (n,)."""
        return bool((self.gains(h) >= -SLACK)[~np.isnan(self.before)].all())

    def floors(self) -> Floors:
        """Return what sums of the predictions for these rows must be at least, so that no group is worse off.

        Every rate must be linear in the predictions. A group whose rate is not defined before has no floor.
        """
        weights, least = np.zeros((len(self.rates), len(self.y))), np.full(len(self.rates), -np.inf)
        for place, (rate, before) in enumerate(zip(self.rates, self.before, strict=True)):
            if not np.isnan(before):
                y = self.y[rate.rows]
                c, c_0 = rate.metric.terms(y, None, None if self.counts is None else self.counts[rate.rows])
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


def _value(rate: WorseOffRate, y: Labels, h: Labels, counts: Floats | None) -> float:
    of_rows = None if counts is None else counts[rate.rows]
    return rate.metric.value(y[rate.rows], h[rate.rows], of_rows)


# More fits around the best ones: where metrics pull against one another, a climb that got there is not yet at the top.
#
# With a threshold of its own for each fit, what a fit comes to is its most accurate cut that meets the constraints. A
# climb looks at the models' own predictions and ends where they meet the constraints, which may be a place that little
# else can be said for. So the search goes on from the best fits, by steps in directions that are drawn, longer after a
# gain and shorter after none, without slopes: accuracy is a count and has none.

# The best common threshold of each fit: all cuts of its scores, judged on the rows that multipliers are chosen on.
#
# Nobody and everybody are cuts, too, so that a search never chooses less than a constant that meets the constraints.


MIN_GAIN = 0.005
"""The accuracy that another threshold must gain, unless the models' own are less accurate than a constant: the best of
many cuts is a little better by chance alone."""


class BestCuts:
    """Keep the pairs of a fit and a threshold that no other beats in accuracy and in the largest gap.

    Attributes
    ----------
    accuracies, ratios : list of float
        The most accurate cut of each fit that meets the constraints and how large its gap is, as a multiple of what is
        allowed; without one, the cut that comes closest.
    not_worse : NoGroupWorseOff or None
        What no group may be worse off than: a cut that does not keep to it has an infinite ratio.
    constant : float
        The accuracy of the better of the two same answers for everybody.
    """

    # rows: The rows to choose on.
    def __init__(self, rows: ConstrainedRows):
        self.rows = rows
        self.accuracies: list[float] = []
        self.ratios: list[float] = []
        self.not_worse: NoGroupWorseOff | None = None
        self._ratio, self._accuracy, self._threshold = np.zeros(0), np.zeros(0), np.zeros(0)
        self._place: NDArray[np.int64] = np.zeros(0, dtype=np.int64)
        share = rows.share(rows.y == 1)
        self.constant = max(share, 1 - share)

    @property
    def places(self) -> set[int]:
        """The fits of these pairs."""
        return set(self._place.tolist())

    def take(self, fit: JudgedFit, scores: Floats | None) -> None:
        """Judge all cuts of a fit; where it has no scores, only what it predicts itself. Shapes: `scores` (n,)."""
        found = None if scores is None else self.judged(CommonCuts.of(scores, self.rows.y, self.rows.counts))
        # NaN stands for the threshold of the model itself, which comes first among equals.
        ratio, accuracy, threshold = (np.array([value]) for value in (fit.ratio, fit.accuracy, math.nan))
        if found is not None:
            ratio, accuracy, threshold = map(np.append, (ratio, accuracy, threshold), found)
        met = np.flatnonzero(ratio <= 1)
        best = met[accuracy[met].argmax()] if len(met) else ratio.argmin()
        self.accuracies.append(float(accuracy[best]))
        self.ratios.append(float(ratio[best]))
        self._merge(ratio, accuracy, threshold, fit.place)

    def judged(self, cuts: CommonCuts) -> tuple[Floats, Floats, Floats] | None:
        """Return ratio, accuracy and threshold of each cut, each (n_cuts,); None where gaps cannot be added up."""
        ratios = self.rows.ratios_of_cuts(cuts)
        if ratios is None:
            return None
        largest = ratios.max(axis=0, initial=0.0)
        if self.not_worse is not None:
            largest = np.where(self.not_worse.holds_at_cuts(cuts), largest, np.inf)
        return largest, cuts.everybody.accuracy, cuts.thresholds

    def chosen(self, fits: Sequence[JudgedFit]) -> list[tuple[int, float]]:
        """Return pairs of a fit and another threshold than its own: the closest of all, and the best for each limit."""
        found: dict[tuple[int, float], None] = {}
        # Between limits nobody chooses, and each pair that is kept reveals something of the rows.
        for step in (float(self._ratio[:1].max(initial=0.0)), 1.0, *STEPS):
            within = np.flatnonzero(self._ratio <= step)
            if not len(within) or math.isnan(self._threshold[within[-1]]):
                continue
            accuracy, limits = self._accuracy[within[-1]], {step, max(step, 1.0)}
            # A pair of a closer limit may be chosen for what was asked, too.
            if all(self._gains(accuracy, fits, limit, alone=limit == step) for limit in limits):
                found[int(self._place[within[-1]]), float(self._threshold[within[-1]])] = None
        return sorted(found)

    def _gains(self, accuracy: float, fits: Sequence[JudgedFit], limit: float, *, alone: bool) -> bool:
        """Say whether a pair is enough above the models' own predictions within a limit, or, not `alone`, below."""
        own = max((fit.accuracy for fit in fits if fit.ratio <= limit), default=-math.inf)
        enough = accuracy >= own + (MIN_GAIN if own >= self.constant else 0.0)
        return enough or (not alone and accuracy <= own)

    def _merge(self, ratio: Floats, accuracy: Floats, threshold: Floats, place: int) -> None:
        ratio, accuracy = np.append(self._ratio, ratio), np.append(self._accuracy, accuracy)
        threshold = np.append(self._threshold, threshold)
        places = np.append(self._place, np.full(len(ratio) - len(self._place), place))
        known = np.isfinite(ratio) & np.isfinite(accuracy)
        if len(self._ratio):
            # Most cuts are beaten by what is kept already, and need no sorting.
            rival = np.searchsorted(self._ratio, ratio, side="right") - 1
            known &= (rival < 0) | (self._accuracy[rival] <= accuracy)
        ratio, accuracy, threshold = (values[known] for values in (ratio, accuracy, threshold))
        places = places[known]
        # The model's own threshold first, then the earlier fit.
        order = np.lexsort((places, ~np.isnan(threshold), -accuracy, ratio))
        best = np.maximum.accumulate(accuracy[order])
        rises = np.ones(len(order), dtype=bool)
        rises[1:] = best[1:] > best[:-1]
        kept = order[rises]
        self._ratio, self._accuracy, self._threshold = ratio[kept], accuracy[kept], threshold[kept]
        self._place = places[kept]


N_FITS_POLISHED = 2
"""Fits that the search goes on from; no two of them are close to each other."""

TRIES_QUICK, TRIES_SLOW = 6, 3
"""Fits made from each of them, for models that are fitted quickly and for others."""

LEAST, FIRST_STEP, LONGER, SHORTER = 0.5, 0.5, 1.4, 0.5
"""How much the weights of a group change in the first step, as a part of what they differ by from 1, which counts as
`LEAST` at least; and how steps change after one that was better, and after four that were not."""

MIN_PRICE = 0.005
"""Where the constraints cost less accuracy than this, there is nothing to gain."""


class Polishing:
    """Fits around the best of a search."""

    # fits: Those that were made before; whoever makes new ones adds them.
    # cuts: What they come to at their best threshold.
    # parts: How many groups each specification has.
    # shares: (n_groups,) The share of each group of each specification in the rows that are learned from, above 0.
    # n_tries: How many fits are made from each start.
    # width: How many fits are asked for at once.
    def __init__(
        self,
        fits: Sequence[JudgedFit],
        cuts: BestCuts,
        parts: Sequence[int],
        shares: Floats,
        *,
        n_tries: int = TRIES_QUICK,
        width: int = 1,
    ):
        self.fits, self.cuts, self.parts, self.shares = fits, cuts, tuple(parts), shares
        self.n_tries, self.width = n_tries, width
        self._random = np.random.default_rng(0)

    def search(self) -> Part:
        """Ask for fits around the best, unless the constraints cost next to nothing."""
        met, accuracy = max(self._rank(place) for place in range(len(self.fits)))
        if not met or accuracy < self.fits[0].accuracy - MIN_PRICE:
            for place in self._starts():
                yield from self._around(place)

    def _around(self, place: int) -> Part:
        step = FIRST_STEP * self._size(self._nets(place))
        n_left, better = self.n_tries, False
        while n_left > 0:
            nets, better = self._nets(place), False
            asks = [
                Ask(multipliers_of(split(nets + step * direction, self.parts)), place)
                for direction in self._cross()[: max(n_left, 1)]
            ]
            for start in range(0, len(asks), self.width):
                n_before = len(self.fits)
                yield asks[start : start + self.width]
                n_left -= len(self.fits) - n_before
                best = max(range(n_before, len(self.fits)), key=self._rank)
                if self._rank(best) > self._rank(place):
                    place, better = best, True
                    break
            step *= LONGER if better else SHORTER

    def _cross(self) -> list[Floats]:
        """Return two random directions at right angles, and their opposites."""
        first, second = self._drawn(), self._drawn()
        second = self._scaled(second - (first @ second) / (first @ first) * first)
        return [first, -first, second, -second]

    def _drawn(self) -> Floats:
        return self._scaled(self._random.normal(size=len(self.shares)) * self.shares)

    def _scaled(self, direction: Floats) -> Floats:
        """Return a direction that adds up to 0 in each specification and changes weights by 1 at most."""
        direction = center(direction, self.parts)
        return direction / np.abs(direction / self.shares).max()

    def _starts(self) -> list[int]:
        """Return the best fits that are not close to each other."""
        found: list[int] = []
        for place in sorted(range(len(self.fits)), key=self._rank, reverse=True):
            nets = self._nets(place)
            away = [float((np.abs(nets - self._nets(other)) / self.shares).max()) for other in found]
            if all(distance > FIRST_STEP * self._size(nets) for distance in away):
                found.append(place)
        return found[:N_FITS_POLISHED]

    def _size(self, nets: Floats) -> float:
        return max(float((np.abs(nets) / self.shares).max()), LEAST)

    def _rank(self, place: int) -> tuple[bool, float]:
        """Return what sorts fits: the accuracy of those that meet the constraints at some threshold, or how nearly."""
        ratio = self.cuts.ratios[place]
        return (True, self.cuts.accuracies[place]) if ratio <= 1 else (False, -ratio)

    def _nets(self, place: int) -> Floats:
        return np.concatenate(nets_of(self.fits[place].multipliers, self.parts))
