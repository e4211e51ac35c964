"""Choosing on small tables by out-of-fold predictions, and how much chance decides there.

Of few rows, the most accurate of hundreds of thresholds within the limits is so by chance, and may say yes to half as
many people or to twice as many. So all rows that are not set aside are predicted by fits that did not learn from them;
another threshold is taken only where it gains more than chance does; and the choice is made again on resampled rows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from fairaudit.estimators.common_cut import CommonCuts
from fairaudit.estimators.constraints.constrained_rows import STEPS, ConstrainedRows, JudgedFit, choose_fit
from fairaudit.estimators.constraints.polishing import BestCuts

Floats = NDArray[np.float64]
Labels = NDArray[np.int64]

SMALL_TABLE: Final = 2_000
"""Fewer rows to learn and to choose from than this are cross-fitted. Of more, shares of yes of some divisions lie
within 10 points anyway (Adult, parity within .03: 12 to 23 % of 1,200 rows, 14 to 22 % of 2,400)."""

N_FOLDS: Final = 5
"""Parts of the rows. Each fit is made once more for each of them, on the other parts."""

ERRORS: Final = 2.0
"""Standard errors by which two accuracies must differ not to be taken for alike."""

N_RESAMPLES: Final = 30
"""How often the choice is made again on resampled rows. It takes about as long as the fits of a logistic regression."""

MIDDLE: Final = (0.05, 0.95)
"""The part of these choices that is said."""

FOLDED: Final = (
    "The table is small, so models were chosen by how they predict cases that they did not learn from, in turn."
)


def fold_codes(strata: NDArray[np.int64], random: np.random.RandomState) -> NDArray[np.int64]:
    """Return the fold of each row, drawn at random and alike in every stratum. Shapes: `strata` (n,), returns (n,)."""
    order = random.permutation(len(strata))
    order = order[np.argsort(strata[order], kind="stable")]
    folds = np.empty(len(strata), dtype=np.int64)
    # Dealt out one after another, so that no fold has more than one row more than another, in all and of a stratum.
    folds[order] = np.arange(len(strata)) % N_FOLDS
    return folds


class CautiousCuts(BestCuts):
    """Keep all cuts, and take another threshold only where it gains more than chance does.

    Two predictions that say yes to shares that differ by d disagree on at least that share of n rows, so the standard
    error of the difference of their accuracies is sqrt(d / n) or more. Of cuts that are as good up to chance, the one
    is taken that says yes to nearly as many as the model without constraints.
    """

    def __init__(self, rows: ConstrainedRows):
        super().__init__(rows)
        self._kept: list[Floats] = []

    @property
    def places(self) -> set[int]:
        """All fits: each has cuts that are kept."""
        return set(range(len(self.ratios)))

    def judged(self, cuts: CommonCuts) -> tuple[Floats, Floats, Floats] | None:
        """Return ratio, accuracy and threshold of each cut, and keep them; each (n_cuts,)."""
        found = super().judged(cuts)
        if found is not None:
            place = np.full(cuts.n_cuts, len(self.ratios))
            self._kept.append(np.column_stack([*found, cuts.everybody.rate("selection_rate"), place]))
        return found

    def chosen(self, fits: Sequence[JudgedFit]) -> list[tuple[int, float]]:
        """Return pairs of a fit and another threshold than its own, the best for what was asked or another limit."""
        asked = self.within(1.0, fits)
        found = dict.fromkeys([] if asked is None else [asked])
        most = max((fit.accuracy for fit in fits if fit.is_met), default=-np.inf)
        if asked is not None:
            most = self._row(asked)[1]
        closest = min((float(cuts[:, 0].min()) for cuts in self._kept), default=np.inf)
        for step in (closest, *STEPS):
            pair = self.within(step, fits)
            if pair is None:
                continue
            ratio, accuracy = self._row(pair)[:2]
            # What is the best for a closer limit must not be the most accurate for what was asked, too.
            if ratio > 1 or accuracy <= most:
                found[pair] = None
        return sorted(found)

    def within(self, limit: float, fits: Sequence[JudgedFit]) -> tuple[int, float] | None:
        """Return the fit and the threshold to take within a limit; None where the models' own are as good."""
        if not self._kept:
            return None
        cuts = np.concatenate(self._kept)
        cuts = cuts[cuts[:, 0] <= limit]
        if not len(cuts):
            return None
        _, accuracy, _, share, _ = cuts.T
        best = int(accuracy.argmax())
        own = max((fit for fit in fits if fit.ratio <= limit), key=lambda fit: fit.accuracy, default=None)
        gain = np.inf if own is None or own.accuracy < self.constant else accuracy[best] - own.accuracy
        if own is not None and gain <= self._chance(share[best] - own.share):
            return None
        least = np.maximum(accuracy[best] - self._chance(share - share[best]), min(self.constant, accuracy[best]))
        alike = cuts[accuracy >= least]
        moved = np.abs(alike[:, 3] - fits[0].share)
        taken = alike[np.lexsort((alike[:, 0], -alike[:, 1], moved))[0]]
        return int(taken[4]), float(taken[2])

    def _row(self, pair: tuple[int, float]) -> Floats:
        cuts = next(cuts for cuts in self._kept if cuts[0, 4] == pair[0])
        return cuts[cuts[:, 2] == pair[1]][0]

    def _chance(self, difference: Floats | float) -> Floats:
        """Return how much two accuracies may differ by chance, given how many more are said yes to."""
        return np.asarray(ERRORS * np.sqrt(np.abs(difference) / self.rows.size))


def resampled_shares(
    rows: ConstrainedRows,
    fits: Sequence[JudgedFit],
    predictions: Mapping[int, Labels],
    scores: Mapping[int, Floats],
    random: np.random.RandomState,
) -> tuple[float, float]:
    """Return between which shares of positive predictions nine of ten choices lie, were they made on resampled rows.

    No fit is made anew: the choice is among those that a search made. Shapes: `predictions` and `scores` map the place
    of each fit to those of all rows, (n,).
    """
    n, found = len(rows.y), []
    for _ in range(N_RESAMPLES):
        counts = np.bincount(random.randint(n, size=n), minlength=n).astype(float)
        drawn, again = replace(rows, counts=counts), list[JudgedFit]()
        cuts = CautiousCuts(drawn)
        for place, h in predictions.items():
            again.append(_judged(drawn, fits[place], h))
            cuts.take(again[-1], scores.get(place))
        pair = cuts.within(1.0, again)
        own = predictions[again[choose_fit(again)].place] == 1
        found.append(rows.share(own if pair is None else scores[pair[0]] >= pair[1]))
    low, high = np.quantile(found, MIDDLE)
    return float(low), float(high)


def _judged(rows: ConstrainedRows, fit: JudgedFit, h: Labels) -> JudgedFit:
    accuracy, share = rows.share(h == rows.y), rows.share(h == 1)
    return JudgedFit.of(fit.multipliers, accuracy, rows.gaps(h), rows.limits, share=share, place=fit.place)
