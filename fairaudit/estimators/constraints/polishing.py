"""More fits around the best ones: where metrics pull against one another, a climb that got there is not yet at the top.

With a threshold of its own for each fit, what a fit comes to is its most accurate cut that meets the constraints. A
climb looks at the models' own predictions and ends where they meet the constraints, which may be a place that little
else can be said for. So the search goes on from the best fits, by steps in directions that are drawn, longer after a
gain and shorter after none, without slopes: accuracy is a count and has none.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from fairaudit.estimators.constraints.best_cuts import BestCuts
from fairaudit.estimators.constraints.fits import Fit
from fairaudit.estimators.constraints.joint_steps import center, split
from fairaudit.estimators.constraints.net_multipliers import multipliers_of, nets_of
from fairaudit.estimators.constraints.search import Ask, Part

Floats = NDArray[np.float64]

N_STARTS = 2
"""Fits that the search goes on from; no two of them are close to each other."""

TRIES_QUICK, TRIES_SLOW = 6, 3
"""Fits made from each of them, for models that are fitted quickly and for others."""

LEAST, FIRST_STEP, LONGER, SHORTER = 0.5, 0.5, 1.4, 0.5
"""How much the weights of a group change in the first step, as a part of what they differ by from 1, which counts as
`LEAST` at least; and how steps change after one that was better, and after four that were not."""

MIN_PRICE = 0.005
"""Where the constraints cost less accuracy than this, there is nothing to gain."""


class Polishing:
    """Fits around the best of a search.

    Parameters
    ----------
    fits : sequence of Fit
        Those that were made before; whoever makes new ones adds them.
    cuts : BestCuts
        What they come to at their best threshold.
    parts : sequence of int
        How many groups each specification has.
    shares : ndarray of float, shape (n_groups,)
        The share of each group of each specification in the rows that are learned from, above 0.
    n_tries : int
        How many fits are made from each start.
    width : int
        How many fits are asked for at once.
    """

    def __init__(
        self,
        fits: Sequence[Fit],
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
                Ask(multipliers_of(split(nets + step * way, self.parts)), place)
                for way in self._frame()[: max(n_left, 1)]
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

    def _frame(self) -> list[Floats]:
        """Return two directions that are drawn, across each other, and their opposites."""
        first, second = self._drawn(), self._drawn()
        second = self._scaled(second - (first @ second) / (first @ first) * first)
        return [first, -first, second, -second]

    def _drawn(self) -> Floats:
        return self._scaled(self._random.normal(size=len(self.shares)) * self.shares)

    def _scaled(self, way: Floats) -> Floats:
        """Return a direction that adds up to 0 in each specification and changes weights by 1 at most."""
        way = center(way, self.parts)
        return way / np.abs(way / self.shares).max()

    def _starts(self) -> list[int]:
        """Return the best fits that are not close to each other."""
        found: list[int] = []
        for place in sorted(range(len(self.fits)), key=self._rank, reverse=True):
            nets = self._nets(place)
            away = [float((np.abs(nets - self._nets(other)) / self.shares).max()) for other in found]
            if all(distance > FIRST_STEP * self._size(nets) for distance in away):
                found.append(place)
        return found[:N_STARTS]

    def _size(self, nets: Floats) -> float:
        return max(float((np.abs(nets) / self.shares).max()), LEAST)

    def _rank(self, place: int) -> tuple[bool, float]:
        """Return what sorts fits: the accuracy of those that meet the constraints at some threshold, or how nearly."""
        ratio = self.cuts.ratios[place]
        return (True, self.cuts.accuracies[place]) if ratio <= 1 else (False, -ratio)

    def _nets(self, place: int) -> Floats:
        return np.concatenate(nets_of(self.fits[place].multipliers, self.parts))
