"""Models that serve as well as the one in use: which of many do on the tuning rows, and what they do on test cases.

All that is tried is compared with the model in use on the tuning rows alone. Of those that are as good, within a stated
loss, the few with the smallest gaps are judged once on the held-out rows: what looks better where it was chosen often
is not. Of several that are judged, the one that is spoken of was picked, which flatters it: so the intervals of their
gaps hold together, and p-values are adjusted.

References
----------
Black, Raghavan and Barocas (2022), "Model multiplicity"; Laufer, Raghavan and Barocas (2025), "What constitutes a less
discriminatory algorithm?"; Holm (1979) for judging several at once; Bonferroni for intervals that hold together.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from fairaudit.measure.intervals import holm
from fairaudit.measure.results import Interval
from fairaudit.sections.alternatives.comparing import (
    Sides,
    quality_change,
    quality_interval,
    quality_of,
    size_change,
    worse_p_value,
)
from fairaudit.sections.alternatives.finding import SPREAD, Alternative, DecidedOtherwise, ModelInUse, Origin
from fairaudit.sections.alternatives.plan import AsGoodBy
from fairaudit.study.judging.results import Judged
from fairaudit.study.rows import Study

Labels = NDArray[np.int64]
Floats = NDArray[np.float64]
MOST_JUDGED: Final = 10
"""Models that are judged on the held-out rows."""
SAME_SHARE: Final = 0.01
"""Shares of the good outcome that are closer than this are not called milder or stricter."""
STEPS_OF_SHARE: Final = 15
"""Thresholds for all that give the good outcome to up to so many points more, and fewer, are tried."""


@dataclass(frozen=True, eq=False)
class _Tried:
    origin: Origin
    tuning: Judged
    held_out: Judged
    quality: float
    gap: float


@dataclass(eq=False)
class Pool:
    """All that is tried beside the model in use, and what of it is as good.

    Parameters
    ----------
    study : Study
        The rows.
    tuning, held_out : Judged
        What the model in use says of these rows; 1 is the good outcome.
    loss : float
        By how much an equally good model may be worse.
    measure : {"accuracy", "auc", "approvals"}
        By what: see :class:`~fairaudit.sections.alternatives.plan.AlternativesPlan`.
    strata : ndarray of int, shape (n,), optional
        Which rows of the study are similar cases; None where the gap is that of all together.
    """

    study: Study
    tuning: Judged
    held_out: Judged
    loss: float
    measure: AsGoodBy = "accuracy"
    strata: NDArray[np.int64] | None = None
    n_tried: int = 0
    n_as_good: int = 0
    n_unclear: int = 0
    best: dict[tuple[str, str], _Tried] = field(default_factory=dict)

    def __post_init__(self) -> None:
        split = self.study.split
        self._y, self._held_y = (self.study.y[rows] for rows in (split.tune, split.held_out))
        self._sides, self._held_sides = map(self._sides_of, (split.tune, split.held_out))
        self._otherwise = np.zeros(len(self.held_out.prediction), dtype=bool)
        self._most = 0.0
        self._seen = {self._key(self.tuning, self.held_out)}
        self._spread: list[tuple[str, float, float, bool]] = []

    def _sides_of(self, rows: NDArray[np.int64]) -> Sides:
        inside, protected = self.study.population[rows], self.study.protected[rows]
        strata = None if self.strata is None else self.strata[rows]
        return Sides(inside & protected, inside & ~protected, strata)

    @property
    def gap(self) -> float:
        """The gap of the model in use on the tuning rows."""
        return self._sides.gap(self.tuning.prediction)

    def _key(self, tuning: Judged, held_out: Judged) -> int:
        said = [each.score if self.measure == "auc" else each.prediction for each in (tuning, held_out)]
        return hash(b"".join(b"" if each is None else each.tobytes() for each in said))

    def offer_score(self, origin: Origin, tuning: Floats, held_out: Floats) -> None:
        """Try a score with thresholds for all around the share that the model in use gives the good outcome.

        Where models are not compared by how often they are right, there is one: as many have the good outcome. It is
        set on the tuning rows, whose outcomes it does not know.

        Shapes: `tuning` (n_tune,), `held_out` (n_held_out,).
        """
        ordered, share = np.sort(tuning), self.tuning.prediction.mean()
        most = STEPS_OF_SHARE if self.measure == "accuracy" else 0
        for step in range(-most, most + 1):
            place = round(len(ordered) * (1 - share - step / 100))
            if 0 < place < len(ordered):
                said = [Judged((each >= ordered[place]).astype(np.int64), each) for each in (tuning, held_out)]
                self.offer(origin, *said)

    def offer(self, origin: Origin, tuning: Judged, held_out: Judged) -> None:
        """Try a model by what it says of the tuning rows; what it says of held-out rows is kept for later.

        Notes
        -----
        It is as good where all losses that fit the tuning rows are within the one that is allowed: the lower end of
        the paired interval of 90 %, for a confidence of 95 %. Where models are not compared by how often they are
        right, one that gives the good outcome to more or to fewer people is no match.
        """
        if not self._is_match(tuning) or (key := self._key(tuning, held_out)) in self._seen:
            return
        self._seen.add(key)
        self.n_tried += 1
        confidence = max(2 * self.study.models.confidence - 1, 0.5)
        change = quality_change(self.measure, self._y, self.tuning, tuning)
        as_good = quality_interval(change, confidence).low >= -self.loss
        gap, quality = self._sides.gap(tuning.prediction), quality_of(self.measure, self._y, tuning)
        self._spread.append((origin.kind, quality, gap, as_good))
        self.n_unclear += not as_good and change[0] >= -self.loss
        if not as_good:
            return
        if not origin.by_group:
            self._count(held_out.prediction)
        family = (origin.kind, origin.learner)
        known = self.best.get(family)
        if known is None or (abs(gap), -quality) < (abs(known.gap), -known.quality):
            self.best[family] = _Tried(origin, tuning, held_out, quality, gap)

    def _is_match(self, tuning: Judged) -> bool:
        if self.measure == "accuracy":
            return True
        more = abs(float(tuning.prediction.mean() - self.tuning.prediction.mean()))
        return more < SAME_SHARE and (self.measure == "approvals" or tuning.score is not None)

    def _count(self, held_out: Labels) -> None:
        self.n_as_good += 1
        differs = (held_out != self.held_out.prediction) & self._held_sides.compared
        self._otherwise |= differs
        self._most = max(self._most, float(differs.sum()))

    def in_use(self) -> ModelInUse:
        """Judge the model in use."""
        h, confidence = self.held_out.prediction, self.study.models.confidence
        return ModelInUse(
            quality=quality_of(self.measure, self._held_y, self.held_out),
            fairness=self.study.held_out.evaluate("", h).fairness,
            gap=self._held_sides.gap(h),
            gap_interval=self._held_sides.interval(h, confidence),
            tuned_quality=quality_of(self.measure, self._y, self.tuning),
            tuned_gap=self.gap,
        )

    def judged(self) -> tuple[Alternative, ...]:
        """Judge those with the smallest gaps once, on the held-out rows: the best of its kind each, 10 at most.

        Notes
        -----
        With `k` of them the interval of each gap has the confidence ``1 - (1 - confidence) / k``: that all hold has the
        confidence that is asked for, and so has the one of whichever is picked by what was seen. Those of changes are
        of each model by itself; their p-values allow for all.
        """
        smaller = [each for each in self.best.values() if abs(each.gap) < abs(self.gap)]
        smaller.sort(key=lambda each: (abs(each.gap), -each.quality))
        # What decides by group was asked for by itself, and would always come first.
        asked = [each for each in smaller if each.origin.by_group]
        others = [each for each in smaller if not each.origin.by_group]
        chosen, confidence = [*others[: MOST_JUDGED - len(asked)], *asked], self.study.models.confidence
        together = 1 - (1 - confidence) / max(len(chosen), 1)
        sign, was = 1.0 if self.gap >= 0 else -1.0, self.held_out.prediction
        sizes = [size_change(was, each.held_out.prediction, self._held_sides, confidence, sign=sign) for each in chosen]
        changes = [quality_change(self.measure, self._held_y, self.held_out, each.held_out) for each in chosen]
        # Both must hold: the gap is smaller, and it is worse by at most so much.
        worse = [worse_p_value(change, self.loss) for change in changes]
        adjusted = holm([max(p, own) for (_, _, p), own in zip(sizes, worse, strict=True)])
        return tuple(
            self._alternative(each, size[:2], (change[0], quality_interval(change, confidence)), float(p), together)
            for each, size, change, p in zip(chosen, sizes, changes, adjusted, strict=True)
        )

    def _alternative(
        self,
        tried: _Tried,
        size: tuple[float, Interval],
        quality: tuple[float, Interval],
        p_adjusted: float,
        confidence: float,
    ) -> Alternative:
        h = tried.held_out.prediction
        more = float(tried.tuning.prediction.mean() - self.tuning.prediction.mean())
        return Alternative(
            origin=tried.origin,
            cut="" if abs(more) < SAME_SHARE else "milder" if more > 0 else "stricter",
            quality=quality_of(self.measure, self._held_y, tried.held_out),
            quality_change=quality[0],
            quality_interval=quality[1],
            fairness=self.study.held_out.evaluate("", h).fairness,
            gap=self._held_sides.gap(h),
            gap_interval=self._held_sides.interval(h, confidence),
            size_change=size[0],
            size_interval=size[1],
            p_adjusted=p_adjusted,
            tuned_quality=tried.quality,
            tuned_gap=tried.gap,
        )

    def decided_otherwise(self) -> DecidedOtherwise:
        """Return for how many test cases any model that is as good decides otherwise."""
        sides = self._held_sides
        share, protected, others = (
            float(self._otherwise[side].mean()) for side in (sides.compared, sides.protected, sides.others)
        )
        return DecidedOtherwise(share, protected, others, self._most / float(sides.compared.sum()))

    def spread(self) -> pd.DataFrame:
        """Return all that was tried, as :data:`SPREAD` has it."""
        return pd.DataFrame(self._spread, columns=list(SPREAD))
