"""The search for multipliers that meet several constraints: joint steps first, then hill climbing."""

from __future__ import annotations

import math
from collections.abc import Generator, Sequence

import numpy as np
from numpy.typing import NDArray

from fairaudit.estimators.constraints.fits import DECIMALS, Fit
from fairaudit.estimators.constraints.joint_steps import Answer, center, joint_step, split
from fairaudit.estimators.constraints.net_multipliers import levels_of, multipliers_of, nets_of
from fairaudit.estimators.constraints.search import FIRST, PLACES, Ask, Bracket, Part, Search, search_along

Floats = NDArray[np.float64]

AIMS, DEEPER = (0.9, 0.97), 0.9
"""Joint steps aim at these shares of the limits, until the constraints are met and afterwards; each step without
progress multiplies them by `DEEPER`."""

RADIUS, WIDEST = 0.15, 50.0
"""How much the weights of a group may change in the first joint step, and ever."""

COARSE = 0.003
"""How narrow a bracket becomes in hill climbing, where the other multipliers will change again."""

VALLEY = (0.2, -0.2, 0.6, -0.6)
"""How much the weights of a group change when the search leaves a place where joint steps got stuck."""

MOST_TRIES = 3
"""How often a multiplier is tuned in hill climbing while the search comes no closer."""

PATIENCE, POLISH = 4, 4
"""Joint steps without progress before hill climbing begins, and those taken to gain accuracy once all is met."""


SAME, ALIKE = 1e-6, 6
"""Eigenvalues that differ by less, as a part of the largest, count as one; lengths are compared to so many decimals."""


class Climb:
    """The search for multipliers that meet several constraints.

    Parameters
    ----------
    first : Fit
        The fit without multipliers.
    parts : sequence of int
        How many groups each specification has.
    limits : ndarray of float, shape (n_specs,)
        How far its groups may be apart.
    shares : ndarray of float, shape (n_groups,)
        The share of each group of each specification in the rows that are learned from, above 0.
    tolerance : float
        Steps below this end the search.
    width : int
        How many fits are asked for at once.
    linear : bool
        Whether weights depend on predictions.
    """

    def __init__(
        self,
        first: Fit,
        parts: Sequence[int],
        limits: Floats,
        shares: Floats,
        *,
        tolerance: float,
        width: int = 1,
        linear: bool = False,
    ):
        self.fits, self.parts, self.limits = [first], tuple(parts), limits
        self.pair_limits = np.repeat(limits, [n * (n - 1) // 2 for n in parts])
        self.tolerance, self.width, self.linear = tolerance, width, linear
        self.shares, self.answer = shares, Answer(parts, shares)

    def search(self, max_rounds: int) -> Search:
        """Search by joint steps and, where these do not get there, by hill climbing."""
        yield from self._steps(0, max_rounds)
        for size in VALLEY:
            if any(fit.is_met for fit in self.fits):
                return None
            yield from self._valley(size, max_rounds)
        if any(fit.is_met for fit in self.fits):
            return None
        return (yield from self._hill(max_rounds))

    def _valley(self, size: float, max_rounds: int) -> Part:
        """Leave the closest fit in the direction in which metrics change least, and take joint steps from there."""
        place = min(range(len(self.fits)), key=self._violation)
        root = np.sqrt(self.shares)
        ways = flattest_ways(self.answer.matrix * np.outer(root, root)) * root
        # Nets add up to 0 in each specification; the flattest way that nearly does so is taken.
        centered = np.array([center(way, self.parts) for way in ways])
        keeps = np.linalg.norm(centered, axis=1) > 0.5 * np.linalg.norm(ways, axis=1)
        way = centered[np.flatnonzero(keeps)[0]] if keeps.any() else centered[-1]
        nets = self._nets(place) + size * way / np.abs(way / self.shares).max()
        self.fits.extend((yield [Ask(multipliers_of(split(nets, self.parts)), place)]))
        self._learn(place, len(self.fits) - 1)
        yield from self._steps(len(self.fits) - 1, max_rounds)

    def _steps(self, place: int, max_rounds: int) -> Part:
        radius, idle, n_polished = RADIUS, 0, 0
        for _ in range(max_rounds):
            met = self.fits[place].is_met
            if idle >= PATIENCE or n_polished >= POLISH or radius < self.tolerance:
                return
            n_polished += met
            # Where predictions hardly change, a step must aim farther inside to change them at all.
            aims = AIMS[met] * DEEPER ** (idle + np.arange(self.width))
            new = [self._step(place, aim, radius) for aim in aims]
            new = [nets for i, nets in enumerate(new) if not any(np.array_equal(nets, other) for other in new[:i])]
            asks = [Ask(multipliers_of(split(nets, self.parts)), place) for nets in new]
            moved = max(float((np.abs(nets - self._nets(place)) / self.shares).max()) for nets in new)
            if moved < self.tolerance:
                return
            start = len(self.fits)
            self.fits.extend((yield asks))
            for i in range(start, len(self.fits)):
                self._learn(place, i)
            best = min(range(start, len(self.fits)), key=self._violation)
            if self._violation(best) < 0.98 * self._violation(place) or (met and self.fits[best].is_met):
                place, radius, idle = best, min(max(radius, 2 * moved), WIDEST), 0
            else:
                far = self._violation(best) > 1.02 * self._violation(place)
                radius, idle = (moved / 3 if far else radius), idle + 1

    def _hill(self, max_rounds: int) -> Search:
        place = min(range(len(self.fits)), key=self._violation)
        least, tries = self._violation(place), np.zeros(len(self.pair_limits), dtype=int)
        for _ in range(max_rounds):
            ratios = self._ratios(place)
            open_ = np.flatnonzero((ratios > 1) & (tries < MOST_TRIES))
            if not len(open_) or tries.sum() > len(self.shares) + MOST_TRIES:
                return "The search ended because it came no closer any more."
            j = int(open_[ratios[open_].argmax()])
            tries[j] += 1
            found = yield from self._along(place, j)
            if any(fit.is_met for fit in self.fits):
                return None
            if found is None:
                tries[j] = MOST_TRIES
                continue
            place = found
            now = min(map(self._violation, range(len(self.fits))))
            if now < 0.9 * least:
                least, tries[:] = now, 0
        return f"The search ended after {max_rounds:,} rounds."

    def _along(self, place: int, j: int) -> Generator[Sequence[Ask], Sequence[Fit], int | None]:
        """Tune one multiplier, and keep what was fitted on the way; end early where all constraints are met."""
        bracket = Bracket(self.fits, place, j, self.pair_limits[j])
        search = search_along(
            bracket,
            tolerance=max(self.tolerance, COARSE),
            width=self.width,
            linear=self.linear,
            first_step=self._first_step(bracket),
        )
        try:
            asks = next(search)
            while True:
                fits = yield asks
                self.fits.extend(fits)
                if any(fit.is_met for fit in fits):
                    return None
                asks = search.send(fits)
        except StopIteration:
            return bracket.high_place if bracket.is_closed else None

    def _first_step(self, bracket: Bracket) -> float:
        """Return how far the multiplier must move if the metrics answer as they did."""
        one = np.zeros(len(self.pair_limits))
        one[bracket.j] = 1.0
        nets = np.concatenate(nets_of(one, self.parts))
        slope = nets @ self.answer.matrix @ nets
        return float(np.clip(-1.1 * bracket.low_value * bracket.limit / slope, 2 * self.tolerance, FIRST))

    def _nets(self, place: int) -> Floats:
        return np.concatenate(nets_of(self.fits[place].multipliers, self.parts))

    def _levels(self, place: int) -> Floats:
        return np.concatenate(levels_of(self.fits[place].gaps, self.parts))

    def _step(self, place: int, aim: float, radius: float) -> Floats:
        levels = np.nan_to_num(self._levels(place))
        return joint_step(
            self._nets(place), levels, self.answer.matrix, aim * self.limits, self.parts, radius * self.shares
        ).round(PLACES)

    def _learn(self, place: int, new: int) -> None:
        change = self._levels(new) - self._levels(place)
        if np.isfinite(change).all():
            self.answer.learn(self._nets(new) - self._nets(place), change)

    def _ratios(self, place: int) -> Floats:
        return (np.abs(self.fits[place].gaps) / self.pair_limits).round(DECIMALS)

    def _violation(self, place: int) -> float:
        """Return the mean square of what gaps exceed their limits by."""
        over = self._ratios(place) - 1
        return math.inf if np.isnan(over).any() else float((np.maximum(over, 0) ** 2).mean())


def flattest_ways(J: Floats) -> Floats:
    """Return directions in which a quadratic form grows, the flattest first, the same on every processor.

    Shapes: `J` (n, n), symmetric; returns (n, n), one direction a row.

    Notes
    -----
    An eigenvector may be turned around, and those of one eigenvalue are any basis of their space: which, rounding
    decides. Here the axes are projected onto that space, the one that lies in it most first, and what is left of the
    others after it next.

    Examples
    --------
    >>> flattest_ways(np.diag([2.0, 1.0, 2.0])).tolist()
    [[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]
    """
    sizes, vectors = np.linalg.eigh(J)
    starts = np.flatnonzero(np.diff(sizes, prepend=-np.inf) > SAME * np.abs(sizes).max())
    ways = []
    for space in np.split(vectors, starts[1:], axis=1):
        onto = space @ space.T
        for _ in range(space.shape[1]):
            axis = int(np.diag(onto).round(ALIKE).argmax())
            ways.append(onto[axis] / np.sqrt(onto[axis, axis]))
            onto = onto - np.outer(ways[-1], ways[-1])
    return np.array(ways)
