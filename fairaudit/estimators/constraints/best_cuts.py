"""The best common threshold of each fit: all cuts of its scores, judged on the rows that multipliers are chosen on.

Nobody and everybody are cuts, too, so that a search never chooses less than a constant that meets the constraints.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from fairaudit.estimators.common_cut import CommonCuts
from fairaudit.estimators.constraints.constrained_rows import ConstrainedRows
from fairaudit.estimators.constraints.fits import STEPS, Fit
from fairaudit.estimators.constraints.not_worse import NotWorse

Floats = NDArray[np.float64]

MIN_GAIN = 0.005
"""The accuracy that another threshold must gain, unless the models' own are less accurate than a constant: the best of
many cuts is a little better by chance alone."""


class BestCuts:
    """Keep the pairs of a fit and a threshold that no other beats in accuracy and in the largest gap.

    Parameters
    ----------
    rows : ConstrainedRows
        The rows to choose on.

    Attributes
    ----------
    accuracies, ratios : list of float
        The most accurate cut of each fit that meets the constraints and how large its gap is, as a multiple of what is
        allowed; without one, the cut that comes closest.
    not_worse : NotWorse or None
        What no group may be worse off than: a cut that does not keep to it has an infinite ratio.
    """

    def __init__(self, rows: ConstrainedRows):
        self.rows = rows
        self.accuracies: list[float] = []
        self.ratios: list[float] = []
        self.not_worse: NotWorse | None = None
        self._ratio, self._accuracy, self._threshold = np.zeros(0), np.zeros(0), np.zeros(0)
        self._place: NDArray[np.int64] = np.zeros(0, dtype=np.int64)
        share = float(rows.y.mean()) if len(rows.y) else math.nan
        self._constant = max(share, 1 - share)

    @property
    def places(self) -> set[int]:
        """The fits of these pairs."""
        return set(self._place.tolist())

    def take(self, fit: Fit, scores: Floats | None) -> None:
        """Judge all cuts of a fit; where it has no scores, only what it predicts itself.

        Shapes: `scores` (n,).
        """
        cuts = None if scores is None else CommonCuts.of(scores, self.rows.y)
        ratios = None if cuts is None else self.rows.ratios_of_cuts(cuts)
        # NaN stands for the threshold of the model itself, which comes first among equals.
        ratio, accuracy, threshold = (np.array([value]) for value in (fit.ratio, fit.accuracy, math.nan))
        if cuts is not None and ratios is not None:
            largest = ratios.max(axis=0, initial=0.0)
            if self.not_worse is not None:
                largest = np.where(self.not_worse.holds_at_cuts(cuts), largest, np.inf)
            ratio = np.append(ratio, largest)
            accuracy, threshold = np.append(accuracy, cuts.everybody.accuracy), np.append(threshold, cuts.thresholds)
        met = np.flatnonzero(ratio <= 1)
        best = met[accuracy[met].argmax()] if len(met) else ratio.argmin()
        self.accuracies.append(float(accuracy[best]))
        self.ratios.append(float(ratio[best]))
        self._merge(ratio, accuracy, threshold, fit.place)

    def chosen(self, fits: Sequence[Fit]) -> list[tuple[int, float]]:
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

    def _gains(self, accuracy: float, fits: Sequence[Fit], limit: float, *, alone: bool) -> bool:
        """Say whether a pair is enough above the models' own predictions within a limit, or, not `alone`, below."""
        own = max((fit.accuracy for fit in fits if fit.ratio <= limit), default=-math.inf)
        enough = accuracy >= own + (MIN_GAIN if own >= self._constant else 0.0)
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
