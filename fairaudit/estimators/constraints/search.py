"""The search for the smallest multiplier that meets one constraint.

A search asks for fits and is sent what they came to; it knows neither rows nor models. With t the size of the change of
the multiplier lambda, its sign chosen so that the gap shrinks, and u(t) the gap with the sign that makes u(0) < -eps, u
does not decrease on the rows that are learned from (Zhang et al., 2021, lemma 2). So a bracket from low to high with
u(low) < -eps <= u(high) holds the smallest t that may do.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fairaudit.estimators.constraints.constrained_rows import DECIMALS, JudgedFit

FIRST, LARGEST = 0.05, 1000.0
"""The first multiplier after 0, and the largest that is tried."""

FASTEST, OVER = 8.0, 1.2
"""The most that the multiplier grows by at once, and how far beyond the point that the secant hopes for."""

PLACES = 10
"""Multipliers, and steps of them, are rounded to so many decimals: what comes after depends on the processor."""

STEP, MOST_STEPS = 0.02, 200
"""Where weights depend on predictions: the first step, and how many steps are taken at most."""

STRIDE, TOO_FAR = 0.5, 3.0
"""The part of what is allowed by which such a step is to change the gap; so many times that makes it be taken again."""


@dataclass(frozen=True, eq=False)
class Ask:
    """A fit that a search asks for.

    Parameters
    ----------
    multipliers : ndarray of float, shape (n_constraints,)
        lambda.
    after : int
        The place of the fit whose predictions weights are taken from, where they depend on predictions.
    """

    multipliers: NDArray[np.float64]
    after: int = 0


Part = Generator[Sequence[Ask], Sequence[JudgedFit], None]
"""Asks for fits, as many at once as it likes, and is sent what they came to, in the order asked for."""

Search = Generator[Sequence[Ask], Sequence[JudgedFit], str | None]
"""The same; returns what there is to say about its end, if anything."""


class Bracket:
    """The ends of what is searched: the gap is too large at `low`, and not, or undefined, at `high`.

    Parameters
    ----------
    fits : sequence of JudgedFit
        What was fitted so far.
    place : int
        The one to begin from, whose gap is too large.
    j : int
        The constraint whose multiplier changes.
    limit : float
        eps: how large its gap may be.

    Attributes
    ----------
    low, high : float
        t at the ends; `high` is infinite until there is one.
    low_place, high_place : int
        Their fits.
    """

    def __init__(self, fits: Sequence[JudgedFit], place: int, j: int, limit: float):
        self.base, self.j, self.limit = fits[place].multipliers, j, limit
        self.sign = -math.copysign(1.0, fits[place].gaps[j])
        self.n_fits = len(fits)
        self.low, self.high = 0.0, math.inf
        self.low_place = self.high_place = place
        self.low_value, self.high_value = self.value(fits[place]), math.nan

    @property
    def is_closed(self) -> bool:
        """Whether there is an upper end."""
        return math.isfinite(self.high)

    def value(self, fit: JudgedFit) -> float:
        """Return u / eps + 1 of a fit: below 0 where the gap is too large on its first side, above 2 on the other."""
        return round(self.sign * float(fit.gaps[self.j]) / self.limit, DECIMALS) + 1

    def asks(self, sizes: Sequence[float]) -> list[Ask]:
        """Return what to ask for to try changes of these sizes."""
        multipliers = np.repeat(self.base[None, :], len(sizes), axis=0)
        multipliers[:, self.j] += self.sign * np.asarray(sizes)
        return [Ask(row, self.low_place) for row in multipliers]

    def take(self, sizes: Sequence[float], fits: Sequence[JudgedFit]) -> None:
        """Move the ends to what was tried; of fits that contradict one another the smallest change that does counts."""
        places = range(self.n_fits, self.n_fits + len(fits))
        self.n_fits += len(fits)
        for size, place, fit in sorted(zip(sizes, places, fits, strict=True), key=lambda tried: tried[0]):
            value = self.value(fit)
            if not value < 0:
                self.high, self.high_place, self.high_value = size, place, value
                return
            self.low, self.low_place, self.low_value = size, place, value

    def crossing(self) -> float:
        """Return where the straight line between the ends is 0; the middle where there is no such line."""
        if not math.isfinite(self.high_value):
            return (self.low + self.high) / 2
        return self.low - self.low_value * (self.high - self.low) / (self.high_value - self.low_value)


def search_single(first: JudgedFit, limit: float, *, tolerance: float, width: int = 1, linear: bool = False) -> Search:
    """Search for the smallest multiplier that meets the only constraint there is."""
    if math.isnan(first.gaps[0]):
        return "Without multipliers the metric is not defined in a group, so that there is nothing to go by."
    bracket = Bracket([first], 0, 0, limit)
    yield from search_along(bracket, tolerance=tolerance, width=width, linear=linear)
    low = bracket.sign * bracket.low
    if not bracket.is_closed:
        return f"The gap stayed too large up to a multiplier of {low:.3g}, where the search ended."
    if math.isnan(bracket.high_value):
        return f"At a multiplier of {low:.4g} the metric is not defined any more in a group: it is a share of no rows."
    if bracket.high_value > 2:
        return f"At a multiplier of {low:.4g} the gap jumps from one side to the other; none was found in between."
    return None


def search_along(
    bracket: Bracket, *, tolerance: float, width: int = 1, linear: bool = False, first_step: float = FIRST
) -> Part:
    """Search for the smallest change of one multiplier that meets its constraint, the others being fixed.

    The multiplier grows, guided by the secant, until the gap is no longer too large on its side. Then the bracket
    narrows by interpolation, which needs at most one fit more than bisection and far fewer where the gap is smooth.

    References
    ----------
    Zhang, Chu, Asudeh and Navathe (2021), "OmniFair", algorithm 1, which doubles and bisects. Oliveira and Takahashi
    (2020), "An enhancement of the bisection method average performance preserving minmax optimality", for the
    narrowing.
    """
    yield from _walk(bracket, tolerance) if linear else _grow(bracket, width, first_step)
    if bracket.is_closed:
        yield from _narrow(bracket, tolerance, width)


def _grow(bracket: Bracket, width: int, size: float) -> Part:
    while size <= LARGEST and not bracket.is_closed:
        low, value = bracket.low, bracket.low_value
        sizes = [step for i in range(width) if (step := round(size * 2.0**i, PLACES)) <= LARGEST]
        bracket.take(sizes, (yield bracket.asks(sizes)))
        slope = (bracket.low_value - value) / (bracket.low - low) if bracket.low > low else 0.0
        hoped = bracket.low - OVER * bracket.low_value / slope if slope > 0 else math.inf
        size = min(max(2 * bracket.low, hoped), FASTEST * bracket.low)


def _walk(bracket: Bracket, tolerance: float) -> Part:
    step = STEP
    for _ in range(MOST_STEPS):
        size, value = round(bracket.low + step, PLACES), bracket.low_value
        if size > LARGEST:
            return
        fits = yield bracket.asks([size])
        change = abs(bracket.value(fits[0]) - value) / STRIDE
        if not change <= TOO_FAR and step > tolerance:
            # So far from the model that weights were taken from, they mean little.
            bracket.n_fits += 1
            step = max(step / 4, tolerance)
            continue
        bracket.take([size], fits)
        if bracket.is_closed:
            return
        # Steps that became ever smaller would go nowhere.
        step = max(step * (min(max(1 / change, 0.5), 2.0) if change else 2.0), tolerance)


def _narrow(bracket: Bracket, tolerance: float, width: int) -> Part:
    n_most = math.ceil(math.log2(max((bracket.high - bracket.low) / tolerance, 1.0))) + 1
    pull = 0.2 / (bracket.high - bracket.low)
    for n_done in range(n_most + 1):
        length, middle = bracket.high - bracket.low, (bracket.low + bracket.high) / 2
        if length <= tolerance:
            return
        crossing = bracket.crossing()
        side = math.copysign(1.0, middle - crossing)
        # Truncation: towards the middle, less so the narrower the bracket is.
        moved = crossing + side * pull * length**2 if pull * length**2 <= abs(middle - crossing) else middle
        # Projection: so near the middle that bisection could still end in time.
        radius = max(tolerance / 2 * 2.0 ** (n_most - n_done) - length / 2, 0.0)
        point = moved if abs(moved - middle) <= radius else middle - side * radius
        sizes = _spread(point, bracket.low, bracket.high, width)
        bracket.take(sizes, (yield bracket.asks(sizes)))


def _spread(point: float, low: float, high: float, width: int) -> list[float]:
    """Return points for fits at once: one, and others close to it on either side in turn, further and further out."""
    sizes = [point]
    for i in range(1, width):
        end = (high, low)[i % 2]
        sizes.append(point + (end - point) * (1 - 0.9 ** (2 ** ((i - 1) // 2))))
    return sorted({round(size, PLACES) for size in sizes})
