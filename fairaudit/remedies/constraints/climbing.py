"""The search for multipliers that meet several constraints: joint steps first, then hill climbing."""

from __future__ import annotations

import math
from collections.abc import Generator, Sequence

import numpy as np
from numpy.typing import NDArray

from fairaudit.remedies.constraints.fits import Fit
from fairaudit.remedies.constraints.joint import Answer, joint_step, split
from fairaudit.remedies.constraints.nets import levels_of, multipliers_of, nets_of
from fairaudit.remedies.constraints.search import FIRST, Ask, Bracket, search_along

Floats = NDArray[np.float64]
Part = Generator[Sequence[Ask], Sequence[Fit], None]

AIMS = (0.9, 0.97)
"""Parts of what is allowed that joint steps aim at: until the constraints are met, and after."""

RADIUS, WIDEST = 0.25, 50.0
"""How far a multiplier may move in the first joint step, and ever."""

COARSE = 0.003
"""How narrow a bracket becomes in hill climbing, where the other multipliers will change again."""

PATIENCE, POLISH = 4, 4
"""Joint steps without progress before hill climbing begins, and those taken to gain accuracy once all is met."""


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
        *,
        tolerance: float,
        width: int = 1,
        linear: bool = False,
    ):
        self.fits, self.parts, self.limits = [first], tuple(parts), limits
        self.pair_limits = np.repeat(limits, [n * (n - 1) // 2 for n in parts])
        self.tolerance, self.width, self.linear = tolerance, width, linear
        self.answer = Answer(parts)

    def search(self, max_rounds: int) -> Generator[Sequence[Ask], Sequence[Fit], str | None]:
        """Search by joint steps and, where these do not get there, by hill climbing.

        Parameters
        ----------
        max_rounds : int
            How many joint steps, and how many rounds of hill climbing, there may be at most.

        Returns
        -------
        generator
            It asks for fits, is sent what they came to, and returns why it did not get there, if it did not.
        """
        yield from self._steps(max_rounds)
        if any(fit.is_met for fit in self.fits):
            return None
        return (yield from self._hill(max_rounds))

    def _steps(self, max_rounds: int) -> Part:
        place, radius, idle, n_polished = 0, RADIUS, 0, 0
        for _ in range(max_rounds):
            met = self.fits[place].is_met
            if idle >= PATIENCE or n_polished >= POLISH or radius < self.tolerance:
                return
            n_polished += met
            aims = AIMS[met] * 0.8 ** np.arange(self.width)
            new = [self._step(place, aim, radius) for aim in aims]
            asks = [Ask(multipliers_of(split(nets, self.parts)), place) for nets in new]
            moved = max(float(np.abs(nets - self._nets(place)).max()) for nets in new)
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
                radius, idle = moved / 3, idle + 1

    def _hill(self, max_rounds: int) -> Generator[Sequence[Ask], Sequence[Fit], str | None]:
        place = min(range(len(self.fits)), key=self._violation)
        idle, least = 0, self._violation(place)
        for _ in range(max_rounds):
            ratios = np.abs(self.fits[place].gaps) / self.pair_limits
            if np.isnan(ratios).all():
                return "The metrics are not defined for the closest model."
            j = int(np.nanargmax(ratios))
            found = yield from self._along(place, j)
            if any(fit.is_met for fit in self.fits):
                return None
            if found is None:
                return "One of the gaps stayed larger than allowed, however large its multiplier."
            place = found
            now = min(self._violation(i) for i in range(len(self.fits)))
            idle, least = (0, now) if now < 0.99 * least else (idle + 1, least)
            if idle > len(self.pair_limits) + 3:
                return "The search ended because it came no closer any more."
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
        fits = None
        while True:
            try:
                asks = search.send(fits)
            except StopIteration:
                return bracket.high_place if bracket.is_closed else None
            fits = yield asks
            self.fits.extend(fits)
            if any(fit.is_met for fit in fits):
                return None

    def _first_step(self, bracket: Bracket) -> float:
        """Return how far the multiplier must move if the metrics answer as they did."""
        one = np.zeros(len(self.pair_limits))
        one[bracket.j] = 1.0
        nets = np.concatenate(nets_of(one, self.parts))
        slope = nets @ self.answer.matrix @ nets
        return float(np.clip(-1.1 * bracket.low_value / slope, 2 * self.tolerance, FIRST))

    def _nets(self, place: int) -> Floats:
        return np.concatenate(nets_of(self.fits[place].multipliers, self.parts))

    def _levels(self, place: int) -> Floats:
        return np.concatenate(levels_of(self.fits[place].gaps, self.parts))

    def _step(self, place: int, aim: float, radius: float) -> Floats:
        levels = np.nan_to_num(self._levels(place))
        return joint_step(self._nets(place), levels, self.answer.matrix, aim * self.limits, self.parts, radius)

    def _learn(self, place: int, new: int) -> None:
        change = self._levels(new) - self._levels(place)
        if np.isfinite(change).all():
            self.answer.learn(self._nets(new) - self._nets(place), change)

    def _violation(self, place: int) -> float:
        """Return the mean square of what gaps exceed their limits by."""
        over = np.abs(self.fits[place].gaps) / self.pair_limits - 1
        return math.inf if np.isnan(over).any() else float((np.maximum(over, 0) ** 2).mean())
