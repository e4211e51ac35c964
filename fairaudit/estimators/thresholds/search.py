"""The best threshold for each group: operating points, the exact search, and particle swarms."""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Generator, Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Final

import numpy as np
import pandas as pd
from joblib import Parallel, delayed
from numpy.typing import ArrayLike, NDArray
from sklearn.utils import check_random_state

from fairaudit.defaults import USUAL_SWARM
from fairaudit.errors import InputError, quote
from fairaudit.estimators.base import boolean_rows, check_both_labels
from fairaudit.estimators.common_cut import as_counts
from fairaudit.estimators.parameters import (
    COUNT,
    NOT_NEGATIVE,
    Constraints,
    Groups,
    Labels,
    Seed,
    check_values,
    one_of,
)
from fairaudit.estimators.similar_cases import averages_of
from fairaudit.events import STOP, Command, Event, Finished, Progress, Started
from fairaudit.measure.grouping import Grouping, group_rows
from fairaudit.measure.limits import SLACK

if TYPE_CHECKING:
    from pyswarms.backend.swarms import Swarm
    from pyswarms.backend.topology import Star

# Where thresholds put groups on their ROC curves. A row is predicted 1 where its score is at least the threshold.

FAIRNESS_WEIGHT: Final[Constraints] = {"fairness_weight": [NOT_NEGATIVE]}
SWARMS: Final = ("curves", "thresholds")
"""What particles are: places on the ROC curves, or thresholds."""
SWARM: Final[Constraints] = {
    "swarm": [one_of(SWARMS)],
    "n_particles": [COUNT],
    "n_iterations": [COUNT],
    "inertia": [NOT_NEGATIVE],
    "own_pull": [NOT_NEGATIVE],
    "common_pull": [NOT_NEGATIVE],
}

ABOVE_HIGHEST = 1e-12
"""How far the threshold that nobody reaches is above the highest score: more than rounding puts between scores."""


@dataclass(frozen=True, eq=False)
class OperatingPoints:
    """All that a threshold can do to one group; threshold falling, so that no count ever falls."""

    # (m + 1,) The m distinct scores in descending order, after a number just above them all, which selects nobody.
    thresholds: NDArray[np.float64]
    # tp, fp: (m + 1,) True and false positives at each threshold; sums of weights where rows have some.
    tp: NDArray[np.int64] | NDArray[np.float64]
    fp: NDArray[np.int64] | NDArray[np.float64]
    # n_positive, n_negative: Rows with label 1 and with label 0.
    n_positive: float
    n_negative: float
    # averaged: Both rates at each threshold, each (m + 1,), where they are averages over similar cases.
    averaged: tuple[NDArray[np.float64], NDArray[np.float64]] | None = None

    @classmethod
    def of(
        cls,
        y: Labels,
        scores: ArrayLike,
        weights: NDArray[np.float64] | None = None,
        shares: NDArray[np.float64] | None = None,
    ) -> OperatingPoints:
        """Count the rows of one group at each of its thresholds.

        Shapes: `y` (n,), `scores` (n,), `weights` (n,), `shares` (n,): what each row adds to the rate of its label
        where that is an average over similar cases.

        Examples
        --------
        >>> points = OperatingPoints.of([1, 0, 1, 0], [0.9, 0.5, 0.5, 0.1])
        >>> points.tp.tolist(), points.fp.tolist(), points.thresholds[1:].tolist()
        ([0, 1, 2, 2], [0, 0, 1, 2], [0.9, 0.5, 0.1])
        """
        values, place = np.unique(np.asarray(scores, dtype=np.float64), return_inverse=True)
        y = np.asarray(y, dtype=np.int64)
        counts = as_counts(np.ones(len(y)) if weights is None else weights)
        tp, fp = (
            np.bincount(place[y == label], weights=counts[y == label], minlength=len(values))
            .astype(counts.dtype)[::-1]
            .cumsum()
            for label in (1, 0)
        )
        return cls(
            thresholds=np.append(max(values[-1] + ABOVE_HIGHEST, np.nextafter(values[-1], np.inf)), values[::-1]),
            tp=np.append(0, tp),
            fp=np.append(0, fp),
            n_positive=tp[-1].item(),
            n_negative=fp[-1].item(),
            averaged=None if shares is None else _averaged(y, place, shares, len(values)),
        )

    @property
    def n(self) -> float:
        """The number of rows, or the sum of their weights."""
        return self.n_positive + self.n_negative

    @property
    def tpr(self) -> NDArray[np.float64]:
        """The true positive rate at each threshold."""
        return self.tp / self.n_positive if self.averaged is None else self.averaged[0]

    @property
    def fpr(self) -> NDArray[np.float64]:
        """The false positive rate at each threshold."""
        return self.fp / self.n_negative if self.averaged is None else self.averaged[1]

    @property
    def selection(self) -> NDArray[np.float64]:
        """The share of rows that are predicted 1 at each threshold."""
        return (self.tp + self.fp) / self.n

    @property
    def correct(self) -> NDArray[np.int64] | NDArray[np.float64]:
        """How many predictions are right at each threshold."""
        return self.tp + self.n_negative - self.fp

    def take(self, places: NDArray[np.int64]) -> OperatingPoints:
        """Return some of the points, in their order."""
        averaged = None if self.averaged is None else (self.averaged[0][places], self.averaged[1][places])
        thresholds, tp, fp = self.thresholds[places], self.tp[places], self.fp[places]
        return replace(self, thresholds=thresholds, tp=tp, fp=fp, averaged=averaged)

    def index_of(self, threshold: float) -> int:
        """Return the point that any threshold, not only one of the scores, leads to."""
        return int(np.searchsorted(-self.thresholds[1:], -threshold, side="right"))


def _averaged(
    y: NDArray[np.int64], place: NDArray[np.int64], shares: NDArray[np.float64], n: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return both rates at each of the thresholds, none of which is above 1. Shapes: returns (n + 1,) twice."""
    tpr, fpr = (
        np.minimum(np.append(0.0, np.bincount(place[y == label], shares[y == label], n)[::-1].cumsum()), 1.0)
        for label in (1, 0)
    )
    return tpr, fpr


@dataclass(frozen=True)
class ThresholdOutcome:
    """What a choice of thresholds does to the rows that they are tuned on. Tuples have one entry for each group."""

    groups: tuple[Hashable, ...]
    # The least score that is predicted 1.
    thresholds: tuple[float, ...]
    # Share of right predictions in all groups together: E_a.
    accuracy: float
    # E_f, the sum over all groups but the reference of the gaps to it in TPR and in FPR.
    gap: float
    # tpr, fpr, selection: True positive rate, false positive rate, and share of rows that are predicted 1.
    tpr: tuple[float, ...]
    fpr: tuple[float, ...]
    selection: tuple[float, ...]

    @property
    def by_group(self) -> dict[Hashable, float]:
        """The threshold of each group."""
        return dict(zip(self.groups, self.thresholds, strict=True))

    def objective(self, weight: float) -> float:
        """Return the accuracy minus the weighted gap."""
        return self.accuracy - weight * self.gap


# The exact optimum of one threshold for each group.
#
# With the threshold of the reference fixed, every other group k can be chosen by itself: the best of its points j by
# ``correct_kj / n - weight * (|T - T_kj| + |F - F_kj|)``, with (T, F) the reference's rates. Along the points of k both
# rates rise. So the signs of the two differences change once each, and the points fall into three ranges: below both,
# between, and above both. Within a range the value is one fixed function of j plus a number that does not depend on j.
# The best of a range is then a maximum over a prefix, a suffix, or a window of one of four fixed sequences. The windows
# are answered by a sparse table. In all O(sum_k (n_r + n_k) log n) instead of O(n_r * sum_k n_k), for all points of the
# reference at once.
#
# Ties: of equal objectives (to 12 decimals) the smaller gap wins, which has the lower accuracy; of equal gaps the
# higher threshold of the reference, then of the other groups, so that fewest rows are predicted 1.

AGREEING_DECIMALS = 12
"""Decimals that are compared; further ones differ by rounding only."""


def best_indices(points: Sequence[OperatingPoints], reference: int, weight: float) -> list[int]:
    """Return the point of each group that is best for all together; the comment above says how ties are decided."""
    n = sum(p.n for p in points)
    base = points[reference]
    value, gap = base.correct / n, np.zeros(len(base.tp))
    chosen = {}
    for k, other in enumerate(points):
        if k != reference:
            best = _best_for_each(base, other, other.correct / n, weight)
            value, gap, chosen[k] = value + best.value, gap + best.gap, best.index
    i = int(np.lexsort((np.arange(len(value)), gap.round(AGREEING_DECIMALS), -value.round(AGREEING_DECIMALS)))[0])
    return [i if k == reference else int(chosen[k][i]) for k in range(len(points))]


@dataclass(frozen=True, eq=False)
class _Best:
    """The best point of a group for each point of the reference: which, its value and its gap."""

    index: NDArray[np.int64]
    value: NDArray[np.float64]
    gap: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class _Ranked:
    """The points of a group in the order of one of the four functions; the highest rank is the best."""

    rank: NDArray[np.int64]
    order: NDArray[np.int64]

    @classmethod
    def by(cls, share: NDArray[np.float64], gap: NDArray[np.float64], weight: float) -> _Ranked:
        """Rank by value, then by the smaller gap, then by the lower index; both up to a number that is the same."""
        value = (share - weight * gap).round(AGREEING_DECIMALS)
        order = np.lexsort((-np.arange(len(gap)), -gap.round(AGREEING_DECIMALS), value))
        rank = np.empty_like(order)
        rank[order] = np.arange(len(order))
        return cls(rank, order)


def nearest_indices(base: OperatingPoints, other: OperatingPoints) -> NDArray[np.int64]:
    """Return, for each point of one group, the point of another whose two rates together are nearest to its own."""
    return _best_for_each(base, other, np.zeros(len(other.tp)), 1.0).index


def _best_for_each(base: OperatingPoints, other: OperatingPoints, share: NDArray[np.float64], weight: float) -> _Best:
    """Return the best point of a group for each of the reference; `share` is what each adds to the accuracy."""
    tpr, fpr, t, f = base.tpr, base.fpr, other.tpr, other.fpr
    m = len(t)
    above_t = np.searchsorted(t, tpr, side="right")  # the first point with t > tpr
    above_f = np.searchsorted(f, fpr, side="right")
    low, high = np.minimum(above_t, above_f), np.maximum(above_t, above_f)

    below = _Ranked.by(share, -(t + f), weight)
    candidates = [np.where(low > 0, below.order[np.maximum.accumulate(below.rank)[low - 1]], -1)]
    for gap, start, end in ((t - f, above_t, above_f), (f - t, above_f, above_t)):
        between = np.full(len(tpr), -1)
        rows = np.flatnonzero(start < end)
        if len(rows):
            ranked = _Ranked.by(share, gap, weight)
            between[rows] = ranked.order[_window_maxima(ranked.rank, start[rows], end[rows])]
        candidates.append(between)
    over = _Ranked.by(share, t + f, weight)
    from_end = np.maximum.accumulate(over.rank[::-1])[::-1]
    candidates.append(np.where(high < m, over.order[from_end[np.minimum(high, m - 1)]], -1))

    best = _evaluated(candidates[0], tpr, fpr, other, share, weight)
    for index in candidates[1:]:
        found = _evaluated(index, tpr, fpr, other, share, weight)
        more, as_much = _compared(found.value, best.value)
        wider, _ = _compared(best.gap, found.gap)
        better = more | (as_much & wider)
        best = _Best(*(np.where(better, getattr(found, x), getattr(best, x)) for x in ("index", "value", "gap")))
    return best


def _compared(a: NDArray[np.float64], b: NDArray[np.float64]) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return where a is larger than b, and where they count as equal."""
    a, b = a.round(AGREEING_DECIMALS), b.round(AGREEING_DECIMALS)
    return a > b, a == b


def _evaluated(
    index: NDArray[np.int64],
    tpr: NDArray[np.float64],
    fpr: NDArray[np.float64],
    other: OperatingPoints,
    share: NDArray[np.float64],
    weight: float,
) -> _Best:
    """Return value and gap of one point for each point of the reference; minus infinity where there is none (-1)."""
    gap = np.abs(tpr - other.tpr[index]) + np.abs(fpr - other.fpr[index])
    value = np.where(index < 0, -np.inf, share[index] - weight * gap)
    return _Best(index, value, gap)


def _window_maxima(values: NDArray[np.int64], start: NDArray[np.int64], end: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the largest of ``values[start:end]`` for many windows, none of them empty.

    A sparse table, one level at a time: after level p, ``table[j]`` is the largest of ``values[j : j + 2**p]``, and a
    window of length 2**p up to below 2**(p + 1) is covered by two of them.
    """
    length = end - start
    found = np.empty(len(start), dtype=values.dtype)
    table, width = values, 1
    while True:
        rows = np.flatnonzero((length >= width) & (length < 2 * width))
        found[rows] = np.maximum(table[start[rows]], table[end[rows] - width])
        if 2 * width > length.max():
            return found
        table = np.maximum(table[:-width], table[width:])
        width *= 2


# How good a choice of one threshold for each group is, and which choice is best.
#
# Paper symbols: D_k are the rows of group k, t_k its threshold, E_a the accuracy, E_f the gap, lambda the fairness
# weight. A row is predicted 1 where its score is at least the threshold.

MAX_DRAWN = 200
"""Points of a ROC curve that are enough for drawing."""


@dataclass(frozen=True, eq=False)
class ThresholdProblem:
    """The counted rows that thresholds are tuned on, and the objective of thresholds.

    ``maximise E_a - weight * E_f`` with ``E_a = sum_k correct_k / n`` and
    ``E_f = sum_k |TPR_r - TPR_k| + |FPR_r - FPR_k|`` over all groups k but the reference r. Both rates may be averages
    over similar cases, see :mod:`fairaudit.estimators.similar_cases`.

    References
    ----------
    Chen, Shahverdi, Anderson et al. (2020), "Transparency tools for fairness in AI (Luskin)", section 4.2, equations 6
    to 8. Its group 1 is the reference here: the one with most rows, so that names do not matter; with two groups it
    makes no difference.

    Examples
    --------
    >>> problem = ThresholdProblem.from_rows([1, 1, 0, 1, 0, 0], [0.9, 0.8, 0.3, 0.6, 0.4, 0.2], list("aaabbb"))
    >>> best = problem.best(1.0)
    >>> best.by_group, best.accuracy, best.gap
    ({'a': 0.8, 'b': 0.6}, 1.0, 0.0)
    """

    # The groups, in ascending order.
    groups: tuple[Hashable, ...]
    points: tuple[OperatingPoints, ...]
    # Which group the others are compared with, an index into `groups`.
    reference: int

    @classmethod
    def from_rows(
        cls,
        y: Labels,
        scores: ArrayLike,
        groups: Groups | Grouping,
        weights: NDArray[np.float64] | None = None,
        strata: NDArray[np.int64] | None = None,
    ) -> ThresholdProblem:
        """Count rows. Shapes: `y` (n,), `scores` (n,), `weights` (n,), `strata` (n,): which cases are similar."""
        scores = np.asarray(scores, dtype=np.float64)
        if scores.ndim != 1 or not len(scores):
            raise InputError(f"'scores' must have one dimension and at least one row, got the shape {scores.shape}.")
        n_bad = int((~np.isfinite(scores)).sum())
        if n_bad:
            raise InputError(f"'scores' must be finite numbers, got {n_bad:,} that are missing or infinite.")
        labels = boolean_rows(y, len(scores), "y", default=False).astype(np.int64)
        grouping = groups if isinstance(groups, Grouping) else group_rows(groups, len(scores))
        names = tuple(label[0] if len(label) == 1 else label for label in grouping.labels)
        counts = np.bincount(2 * grouping.codes + labels, minlength=2 * len(names)).reshape(-1, 2)
        check_both_labels(names, counts, task="thresholds are tuned on")
        order = np.argsort(grouping.codes, kind="stable")
        parts = np.split(order, np.bincount(grouping.codes, minlength=len(names)).cumsum()[:-1])
        shares = None if strata is None else _shares(labels, grouping.codes, strata, len(names), weights)
        points = tuple(
            OperatingPoints.of(
                labels[rows], scores[rows], *(None if each is None else each[rows] for each in (weights, shares))
            )
            for rows in parts
        )
        return cls(names, points, int(np.argmax([each.n for each in points])))

    @property
    def n(self) -> float:
        """The number of rows, or the sum of their weights."""
        return sum(points.n for points in self.points)

    def at(self, thresholds: Mapping[Hashable, float] | Sequence[float]) -> ThresholdOutcome:
        """Return the outcome of thresholds, which need not be scores."""
        if isinstance(thresholds, Mapping):
            for name in thresholds:
                if name not in self.groups:
                    known = ", ".join(map(quote, self.groups))
                    raise InputError(f"'thresholds' names the group {quote(name)}, but there are {known}.")
            for name in self.groups:
                if name not in thresholds:
                    raise InputError(f"'thresholds' must have one for each group, but has none for {quote(name)}.")
            thresholds = [thresholds[name] for name in self.groups]
        values = [float(threshold) for threshold in thresholds]
        if len(values) != len(self.groups) or not np.isfinite(values).all():
            raise InputError(f"'thresholds' must be one finite number for each of {len(self.groups)} groups.")
        indices = [points.index_of(value) for points, value in zip(self.points, values, strict=True)]
        return self._outcome(indices, values)

    def not_below(self, before: ThresholdOutcome) -> ThresholdProblem:
        """Return the problem with those thresholds only at which no group's true positive rate is lower than before.

        Examples
        --------
        >>> problem = ThresholdProblem.from_rows([1, 1, 0, 1, 0, 0], [0.9, 0.8, 0.3, 0.6, 0.4, 0.2], list("aaabbb"))
        >>> kept = problem.not_below(problem.at([0.85, 0.5]))
        >>> [points.thresholds.tolist() for points in kept.points]
        [[0.9, 0.8, 0.3], [0.6, 0.4, 0.2]]
        """
        points = []
        for each, threshold in zip(self.points, before.thresholds, strict=True):
            # Of all people of the group, also where its rates are averages.
            tpr = each.tp / each.n_positive
            points.append(each.take(np.flatnonzero(tpr >= tpr[each.index_of(threshold)] - SLACK)))
        return replace(self, points=tuple(points))

    def at_points(self, indices: Sequence[int]) -> ThresholdOutcome:
        """Return the outcome of the thresholds at one operating point of each group."""
        values = [float(points.thresholds[i]) for points, i in zip(self.points, indices, strict=True)]
        return self._outcome(indices, values)

    def best(self, weight: float) -> ThresholdOutcome:
        """Return the exact optimum among the distinct scores; see :mod:`fairaudit.estimators.thresholds.search`."""
        check_values(FAIRNESS_WEIGHT, {"fairness_weight": weight})
        return self.at_points(best_indices(self.points, self.reference, weight))

    def sweep(self, weights: Sequence[float]) -> pd.DataFrame:
        """Return the exact optimum at several weights, side by side where joblib's active backend can.

        Columns: fairness_weight, accuracy, gap.
        """
        found = Parallel()(delayed(self.best)(weight) for weight in weights)
        rows = [(float(weight), outcome.accuracy, outcome.gap) for weight, outcome in zip(weights, found, strict=True)]
        return pd.DataFrame(rows, columns=["fairness_weight", "accuracy", "gap"])

    def roc(self, *, max_points: int = MAX_DRAWN) -> pd.DataFrame:
        """Return the ROC curve of each group, thinned evenly along the curve for drawing.

        Columns: group, threshold, fpr, tpr.
        """
        frames = []
        for name, points in zip(self.groups, self.points, strict=True):
            along = points.tpr + points.fpr
            kept = np.unique(np.searchsorted(along, np.linspace(0, along[-1], max_points)))
            columns = {"threshold": points.thresholds[kept], "fpr": points.fpr[kept], "tpr": points.tpr[kept]}
            frame = pd.DataFrame(columns)
            frame.insert(0, "group", [name] * len(frame))
            frames.append(frame)
        return pd.concat(frames, ignore_index=True)

    def _outcome(self, indices: Sequence[int], thresholds: Sequence[float]) -> ThresholdOutcome:
        at = list(zip(self.points, indices, strict=True))
        tpr, fpr, selection = (
            tuple(float(getattr(points, name)[i]) for points, i in at) for name in ("tpr", "fpr", "selection")
        )
        r = self.reference
        return ThresholdOutcome(
            groups=self.groups,
            thresholds=tuple(thresholds),
            accuracy=sum(points.correct[i].item() for points, i in at) / self.n,
            gap=sum(abs(tpr[r] - tpr[k]) + abs(fpr[r] - fpr[k]) for k in range(len(at)) if k != r),
            tpr=tpr,
            fpr=fpr,
            selection=selection,
        )


def _shares(
    y: NDArray[np.int64],
    codes: NDArray[np.int64],
    strata: NDArray[np.int64],
    n_groups: int,
    weights: NDArray[np.float64] | None,
) -> NDArray[np.float64]:
    """Return what each row adds to the rate of its label, the average over strata by their people. Shapes: (n,)."""
    shares = np.zeros(len(y))
    for label, averages in zip((1, 0), averages_of("equalized_odds", y, codes, strata, n_groups, weights), strict=True):
        averages.check("thresholds are tuned on")
        rows = y == label
        shares[rows] = averages.per_row[codes[rows], strata[rows]] * (1.0 if weights is None else weights[rows])
    return shares


# Search for one threshold a group by particle swarm, with pyswarms.
#
# A group's place on its ROC curve is its level, the mean of its TPR and FPR: 0 where nobody is predicted 1, 1
# where everybody is. A particle has one number for each group: the level of the reference, and for each other group a
# shift of its level, counted from the point whose rates are nearest to those of the reference. So a particle whose
# shifts are 0 keeps the rates as equal as they can be while it looks for accuracy. Searching in plain thresholds, as
# the paper does, is far worse: the particles that do well lie on a thin curve there, and all but straight steps along
# it lead away. Both begin and are clamped in their own way; the paper says nothing of either, nor of any coefficient.
#
# pyswarms would open a log file in the working directory, set up logging for the whole process, and draw from numpy's
# global random numbers. Here it does none of this: its set-up of logging is turned off, and for each step the global
# random state is replaced and put back, one search at a time.

TASK = "Searching thresholds with a particle swarm"

MAX_STEP = 0.2
"""The most that a level or a shift may change in one step of the swarm, and a threshold by the range of the scores."""

QUIET = Path(__file__).with_name("quiet_logging.json")
"""A set-up of logging that changes nothing."""

_LOCK = threading.Lock()


def iter_swarm(
    problem: ThresholdProblem,
    weight: float,
    *,
    swarm: str = USUAL_SWARM.swarm,
    n_particles: int = USUAL_SWARM.n_particles,
    n_iterations: int = USUAL_SWARM.n_iterations,
    inertia: float = USUAL_SWARM.inertia,
    own_pull: float = USUAL_SWARM.own_pull,
    common_pull: float = USUAL_SWARM.common_pull,
    random_state: Seed = None,
) -> Generator[Event, Command | None, None]:
    """Search for good thresholds, one event for each step of the swarm; a stop keeps the best so far.

    ``maximise E_a - weight * E_f`` as in :class:`ThresholdProblem`, which finds the exact optimum faster.

    References
    ----------
    Chen, Shahverdi, Anderson et al. (2020), "Transparency tools for fairness in AI (Luskin)", section 4.2. The paper
    moves thresholds, and gives no number of particles or steps and no coefficients.
    """
    check_values(FAIRNESS_WEIGHT, {"fairness_weight": weight})
    numbers = {"n_particles": n_particles, "n_iterations": n_iterations, "inertia": inertia}
    check_values(SWARM, {"swarm": swarm, "own_pull": own_pull, "common_pull": common_pull, **numbers})
    ps = _pyswarms()
    cost = (_Cost if swarm == "curves" else _ThresholdCost)(problem, weight)
    stream = np.random.RandomState(check_random_state(random_state).randint(np.iinfo(np.int32).max))
    start = cost.starts(n_particles, stream)
    bounds, clamp = cost.bounds, cost.clamp
    options = {"c1": own_pull, "c2": common_pull, "w": inertia}
    with _numpy_draws_from(stream):
        particles = ps.create_swarm(*start.shape, bounds=bounds, init_pos=start, clamp=clamp, options=options)
    star, inside, unchanged = ps.Star(), ps.BoundaryHandler("nearest"), ps.VelocityHandler("unmodified")
    particles.pbest_cost = np.full(n_particles, np.inf)
    best = _update_bests(ps, particles, star, cost)

    yield Started(TASK, n_iterations)
    for i in range(n_iterations):
        if (yield Progress(TASK, i, n_iterations)) is STOP:
            break
        with _numpy_draws_from(stream):
            particles.velocity = star.compute_velocity(particles, clamp, unchanged, bounds)
            particles.position = star.compute_position(particles, bounds, inside)
        best = _update_bests(ps, particles, star, cost)
    yield Finished(problem.at_points(cost.indices(best[None])[0].tolist()))


Sides = tuple[NDArray[np.float64], NDArray[np.float64]]
"""The least and the largest number for each group."""


class _Cost:
    """Minus the objective, for many particles at once, which are places on the ROC curves; the swarm minimises."""

    def __init__(self, problem: ThresholdProblem, weight: float):
        self.weight = weight
        self.reference = problem.reference
        is_reference = np.arange(len(problem.points)) == problem.reference
        self.bounds: Sides = (np.where(is_reference, 0.0, -1.0), np.ones(len(problem.points)))
        self.clamp: Sides = (np.full(len(problem.points), -MAX_STEP), np.full(len(problem.points), MAX_STEP))
        self.levels = [(points.tpr + points.fpr) / 2 for points in problem.points]
        self.borders = [(level[1:] + level[:-1]) / 2 for level in self.levels]
        base = problem.points[problem.reference]
        self.nearest = [nearest_indices(base, other) for other in problem.points]
        self.curves = [(points.correct / problem.n, points.tpr, points.fpr) for points in problem.points]

    def starts(self, n_particles: int, stream: np.random.RandomState) -> NDArray[np.float64]:
        """Return one position in each stretch of the reference's curve, and one where each group is most accurate."""
        level = self.levels[self.reference]
        along = np.zeros((len(level), len(self.levels)))
        along[:, self.reference] = level
        stretch = np.minimum((level * n_particles).astype(int), n_particles - 1)
        order = np.lexsort((self(along), stretch))
        found, first = np.unique(stretch[order], return_index=True)
        start = np.zeros((n_particles, len(self.levels)))
        start[:, self.reference] = (np.arange(n_particles) + 0.5) / n_particles
        start[found] = along[order[first]]
        alone = [int(np.argmax(curve[0])) for curve in self.curves]
        base = alone[self.reference]
        parts = zip(self.levels, self.nearest, alone, strict=True)
        shifts = np.array([level[best] - level[near[base]] for level, near, best in parts])
        shifts[self.reference] = level[base]
        start[np.argmax(self(start))] = shifts
        return start

    def indices(self, positions: NDArray[np.float64]) -> NDArray[np.int64]:
        """Return, for each particle and group, the point whose level is nearest to the one asked for."""
        r = self.reference
        base = np.searchsorted(self.borders[r], positions[:, r])
        asked = [level[near[base]] for level, near in zip(self.levels, self.nearest, strict=True)]
        return np.stack(
            [
                base if k == r else np.searchsorted(self.borders[k], asked[k] + positions[:, k])
                for k in range(len(self.levels))
            ],
            axis=1,
        )

    def __call__(self, positions: NDArray[np.float64]) -> NDArray[np.float64]:
        at = self.indices(positions)
        correct, tpr, fpr = (
            np.stack([curve[part][at[:, k]] for k, curve in enumerate(self.curves)], axis=1) for part in range(3)
        )
        r = self.reference
        gap = (np.abs(tpr - tpr[:, [r]]) + np.abs(fpr - fpr[:, [r]])).sum(axis=1)
        return self.weight * gap - correct.sum(axis=1)


class _ThresholdCost(_Cost):
    """The same of particles that are thresholds, between the lowest and the highest score of each group."""

    def __init__(self, problem: ThresholdProblem, weight: float):
        super().__init__(problem, weight)
        self.falling = [-points.thresholds for points in problem.points]
        self.bounds = (np.array([-each[-1] for each in self.falling]), np.array([-each[0] for each in self.falling]))
        most = MAX_STEP * (self.bounds[1] - self.bounds[0])
        self.clamp = (-most, most)

    def starts(self, n_particles: int, stream: np.random.RandomState) -> NDArray[np.float64]:
        """Return positions that are drawn evenly. Shapes: returns (n_particles, n_groups)."""
        return stream.uniform(*self.bounds, size=(n_particles, len(self.falling)))

    def indices(self, positions: NDArray[np.float64]) -> NDArray[np.int64]:
        """Return, for each particle and group, the point that selects the scores from its threshold on."""
        found = [
            np.maximum(np.searchsorted(each, -positions[:, k], side="right") - 1, 0)
            for k, each in enumerate(self.falling)
        ]
        return np.stack(found, axis=1)


def _update_bests(ps: SimpleNamespace, swarm: Swarm, star: Star, cost: _Cost) -> NDArray[np.float64]:
    """Evaluate all particles; return the best position that any has had so far."""
    swarm.current_cost = cost(swarm.position)
    swarm.pbest_pos, swarm.pbest_cost = ps.compute_pbest(swarm)
    swarm.best_pos, swarm.best_cost = star.compute_gbest(swarm)
    return swarm.best_pos


@contextmanager
def _numpy_draws_from(stream: np.random.RandomState) -> Iterator[None]:
    """Let numpy's global functions draw from a stream of our own, and put the global state back."""
    with _LOCK:
        before = np.random.get_state()
        np.random.set_state(stream.get_state())
        try:
            yield
        finally:
            stream.set_state(np.random.get_state())
            np.random.set_state(before)


@cache
def _pyswarms() -> SimpleNamespace:
    """Import what is needed of pyswarms without its set-up of logging."""
    with _LOCK:
        before = os.environ.get("LOG_CFG")
        os.environ["LOG_CFG"] = str(QUIET)
        try:
            from pyswarms.backend import create_swarm
            from pyswarms.backend.handlers import BoundaryHandler, VelocityHandler
            from pyswarms.backend.operators import compute_pbest
            from pyswarms.backend.topology import Star
            from pyswarms.utils.reporter.reporter import Reporter
        finally:
            if before is None:
                del os.environ["LOG_CFG"]
            else:
                os.environ["LOG_CFG"] = before
    Reporter._setup_logger = lambda self, path=None: None
    logging.getLogger("pyswarms").setLevel(logging.WARNING)
    return SimpleNamespace(
        BoundaryHandler=BoundaryHandler,
        Star=Star,
        VelocityHandler=VelocityHandler,
        compute_pbest=compute_pbest,
        create_swarm=create_swarm,
    )
