"""Models that serve as well as the one in use: which of many do on the tuning rows, and what they do on test cases.

All that is tried is compared with the model in use on the tuning rows alone. Of those that are right as often, within a
stated loss, the few with the smallest gaps are judged once on the held-out rows: what looks better where it was chosen
often is not.

References
----------
Black, Raghavan and Barocas (2022), "Model multiplicity"; Laufer, Raghavan and Barocas (2025), "What constitutes a less
discriminatory algorithm?"; Holm (1979) for judging several at once.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import stats

from fairaudit.measure.intervals import holm, two_sided_z
from fairaudit.measure.results import Interval
from fairaudit.sections.alternatives.finding import SPREAD, Alternative, DecidedOtherwise, ModelInUse, Origin
from fairaudit.study.judging.changes import mean_variance, share_change, share_variance
from fairaudit.study.judging.held_out import Judged
from fairaudit.study.rows import Study

Labels = NDArray[np.int64]
MOST_JUDGED: Final = 10
"""Models that are judged on the held-out rows."""
SAME_SHARE: Final = 0.01
"""Shares of the good outcome that are closer than this are not called milder or stricter."""


@dataclass(frozen=True, eq=False)
class _Tried:
    origin: Origin
    tuning: Labels
    held_out: Labels
    accuracy: float
    gap: float


def size_change(
    before: Labels,
    after: Labels,
    sides: tuple[NDArray[np.bool_], NDArray[np.bool_]],
    confidence: float,
    *,
    sign: float,
) -> tuple[float, Interval, float]:
    """Return how much larger the gap of one model is than that of another on the same rows, its interval, and p.

    `sign` is 1 or -1: the side that the gap of the first is on, as other rows say. Shapes: `before`, `after` and each
    of `sides` (n,).

    Notes
    -----
    The p-value is of "the gap is no smaller": one-sided, and the larger of two. A gap is smaller if the difference of
    shares moved towards zero, and not as far beyond it as it was away (intersection-union test, Berger 1982).

    Examples
    --------
    >>> rows = np.arange(200)
    >>> sides = (rows < 100, rows >= 100)
    >>> before, after = (rows % 100 < np.where(sides[0], few, 60) for few in (40, 55))
    >>> change, interval, p = size_change(before.astype(int), after.astype(int), sides, 0.95, sign=-1)
    >>> print(f"{change:.2f} {interval.low:.3f} {interval.high:.3f} {p:.4f}")
    -0.15 -0.229 -0.071 0.0321
    """
    was, now = (float(np.subtract(*(h[side].mean() for side in sides))) for h in (before, after))
    moved, summed = (sign * (after - before)).astype(float), sign * (after + before).astype(float)
    towards = float(np.sqrt(sum(share_variance(moved[side]) for side in sides)))
    beyond = float(np.sqrt(sum(mean_variance(summed[side]) for side in sides)))
    scores = (sign * (was - now) / towards, _score(sign * (was + now), beyond))
    size = abs(now) - abs(was)
    # The size of a gap that turned moves by the sum of both, not by their difference.
    spread = two_sided_z(confidence) * (towards if was * now >= 0 else beyond)
    interval = Interval(max(size - spread, -1.0), min(size + spread, 1.0))
    return size, interval, float(max(stats.norm.sf(each) for each in scores))


def _score(value: float, deviation: float) -> float:
    if deviation > 0:
        return value / deviation
    return float(np.copysign(np.inf, value)) if value else 0.0


@dataclass(eq=False)
class Pool:
    """All that is tried beside the model in use, and what of it is as good.

    Shapes: `tuning` (n_tune,) and `held_out` (n_held_out,) are what the model in use says; 1 is the good outcome.

    Parameters
    ----------
    study : Study
        The rows.
    tuning, held_out : ndarray of int
        The model in use.
    loss : float
        By how much an equally good model may be right less often.
    """

    study: Study
    tuning: Labels
    held_out: Labels
    loss: float
    n_tried: int = 0
    n_as_good: int = 0
    n_unclear: int = 0
    best: dict[tuple[str, str], _Tried] = field(default_factory=dict)

    def __post_init__(self) -> None:
        split = self.study.split
        self._y = self.study.y[split.tune]
        self._sides, self._held_sides = (
            (
                self.study.population[rows] & self.study.protected[rows],
                self.study.population[rows] & ~self.study.protected[rows],
            )
            for rows in (split.tune, split.held_out)
        )
        self._right = self.tuning == self._y
        self._otherwise = np.zeros(len(self.held_out), dtype=bool)
        self._most = 0.0
        self._seen = {hash(self.tuning.tobytes() + self.held_out.tobytes())}
        self._spread: list[tuple[str, float, float, bool]] = []

    @property
    def gap(self) -> float:
        """The gap of the model in use on the tuning rows."""
        return self._gap(self.tuning)

    def _gap(self, h: Labels) -> float:
        first, second = (h[side].mean() if side.any() else np.nan for side in self._sides)
        return float(first - second)

    def offer(self, origin: Origin, tuning: Labels, held_out: Labels) -> None:
        """Try a model by what it says of the tuning rows; what it says of held-out rows is kept for later.

        Notes
        -----
        It is as good where all losses that fit the tuning rows are within the one that is allowed: the lower end of
        the paired interval of 90 %, for a confidence of 95 %.
        """
        if (key := hash(tuning.tobytes() + held_out.tobytes())) in self._seen:
            return
        self._seen.add(key)
        self.n_tried += 1
        confidence = 2 * self.study.models.confidence - 1
        loss, interval = share_change(self._right, tuning == self._y, max(confidence, 0.5))
        as_good = interval.low >= -self.loss
        gap, accuracy = self._gap(tuning), float((tuning == self._y).mean())
        self._spread.append((origin.kind, accuracy, gap, as_good))
        self.n_unclear += not as_good and loss >= -self.loss
        if not as_good:
            return
        if not origin.by_group:
            self._count(held_out)
        family = (origin.kind, origin.learner)
        known = self.best.get(family)
        if known is None or (abs(gap), -accuracy) < (abs(known.gap), -known.accuracy):
            self.best[family] = _Tried(origin, tuning, held_out, accuracy, gap)

    def _count(self, held_out: Labels) -> None:
        self.n_as_good += 1
        differs = (held_out != self.held_out) & (self._held_sides[0] | self._held_sides[1])
        self._otherwise |= differs
        self._most = max(self._most, float(differs.sum()))

    def in_use(self) -> ModelInUse:
        """Judge the model in use."""
        found = self.study.held_out.evaluate("", self.held_out)
        return ModelInUse(found.measure("accuracy").value, found.fairness, float(self._right.mean()), self.gap)

    def judged(self) -> tuple[Alternative, ...]:
        """Judge those with the smallest gaps once, on the held-out rows: the best of its kind each, 10 at most."""
        smaller = [each for each in self.best.values() if abs(each.gap) < abs(self.gap)]
        smaller.sort(key=lambda each: (abs(each.gap), -each.accuracy))
        # What decides by group was asked for by itself, and would always come first.
        asked = [each for each in smaller if each.origin.by_group]
        others = [each for each in smaller if not each.origin.by_group]
        chosen, confidence = [*others[: MOST_JUDGED - len(asked)], *asked], self.study.models.confidence
        sign = 1.0 if self.gap >= 0 else -1.0
        changes = [
            size_change(self.held_out, each.held_out, self._held_sides, confidence, sign=sign) for each in chosen
        ]
        # Both must hold: the gap is smaller, and it is right at most so much less often.
        worse = [self._worse(each) for each in chosen]
        adjusted = holm([max(p, own) for (_, _, p), own in zip(changes, worse, strict=True)])
        return tuple(
            self._alternative(each, change, float(p)) for each, change, p in zip(chosen, changes, adjusted, strict=True)
        )

    def _worse(self, tried: _Tried) -> float:
        """Return the p-value of "it is right less often than is allowed", on the held-out rows."""
        y = self.study.y[self.study.split.held_out]
        moved = (tried.held_out == y).astype(float) - (self.held_out == y)
        return float(stats.norm.sf((moved.mean() + self.loss) / np.sqrt(share_variance(moved))))

    def _alternative(self, tried: _Tried, change: tuple[float, Interval, float], p_adjusted: float) -> Alternative:
        judge = self.study.held_out
        right = judge.accuracy_change(Judged(self.held_out), Judged(tried.held_out))
        more = float(tried.tuning.mean() - self.tuning.mean())
        return Alternative(
            origin=tried.origin,
            cut="" if abs(more) < SAME_SHARE else "milder" if more > 0 else "stricter",
            accuracy=right.after,
            accuracy_change=right.difference,
            accuracy_interval=right.interval,
            fairness=judge.evaluate("", tried.held_out).fairness,
            size_change=change[0],
            size_interval=change[1],
            p_adjusted=p_adjusted,
            tuned_accuracy=tried.accuracy,
            tuned_gap=tried.gap,
        )

    def decided_otherwise(self) -> DecidedOtherwise:
        """Return for how many test cases any model that is as good decides otherwise."""
        first, second = self._held_sides
        share, protected, others = (float(self._otherwise[side].mean()) for side in (first | second, first, second))
        return DecidedOtherwise(share, protected, others, self._most / float((first | second).sum()))

    def spread(self) -> pd.DataFrame:
        """Return all that was tried, as :data:`SPREAD` has it."""
        return pd.DataFrame(self._spread, columns=list(SPREAD))
