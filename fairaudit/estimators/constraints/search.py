"""Searching for multipliers: the state of a search, and climbing along one multiplier after the other."""

from __future__ import annotations

import math
from collections.abc import Generator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fairaudit.estimators.constraints.constrained_rows import (
    RATIO_DECIMALS,
    JudgedFit,
    levels_of,
    multipliers_of,
    nets_of,
)

# The search for the smallest multiplier that meets one constraint.
#
# A search asks for fits and is sent what they came to; it knows neither rows nor models. With t the size of the change
# of the multiplier lambda, its sign chosen so that the gap shrinks, and u(t) the gap with the sign that makes u(0) <
# -eps, u does not decrease on the rows that are learned from (Zhang et al., 2021, lemma 2). So a bracket from low to
# high with u(low) < -eps <= u(high) holds the smallest t that may do.

FIRST, LARGEST = 0.05, 1000.0
"""The first multiplier after 0, and the largest that is tried."""

FASTEST, OVER = 8.0, 1.2
"""The most that the multiplier grows by at once, and how far beyond the point that the secant hopes for."""

MULTIPLIER_DECIMALS = 10
"""Decimals of multipliers and their steps; further digits depend on the CPU."""

STEP, MOST_STEPS = 0.02, 200
"""Where weights depend on predictions: the first step, and how many steps are taken at most."""

STRIDE, TOO_FAR = 0.5, 3.0
"""The part of what is allowed by which such a step is to change the gap; so many times that makes it be taken again."""


@dataclass(frozen=True, eq=False)
class Ask:
    """A fit that a search asks for."""

    # (n_constraints,) lambda.
    multipliers: NDArray[np.float64]
    # The place of the fit whose predictions weights are taken from, where they depend on predictions.
    after: int = 0


Part = Generator[Sequence[Ask], Sequence[JudgedFit], None]
"""Asks for fits, as many at once as it likes, and is sent what they came to, in the order asked for."""

Search = Generator[Sequence[Ask], Sequence[JudgedFit], str | None]
"""The same; returns what there is to say about its end, if anything."""


class Bracket:
    """The ends of what is searched: the gap is too large at `low`, and not, or undefined, at `high`.

    Attributes
    ----------
    low, high : float
        t at the ends; `high` is infinite until there is one.
    low_place, high_place : int
        Their fits.
    """

    # fits: What was fitted so far.
    # place: The one to begin from, whose gap is too large.
    # j: The constraint whose multiplier changes.
    # limit: eps: how large its gap may be.
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
        return round(self.sign * float(fit.gaps[self.j]) / self.limit, RATIO_DECIMALS) + 1

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


def search_along(bracket: Bracket, *, tolerance: float, width: int, linear: bool, first_step: float = FIRST) -> Part:
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
        sizes = [step for i in range(width) if (step := round(size * 2.0**i, MULTIPLIER_DECIMALS)) <= LARGEST]
        bracket.take(sizes, (yield bracket.asks(sizes)))
        slope = (bracket.low_value - value) / (bracket.low - low) if bracket.low > low else 0.0
        hoped = bracket.low - OVER * bracket.low_value / slope if slope > 0 else math.inf
        size = min(max(2 * bracket.low, hoped), FASTEST * bracket.low)


def _walk(bracket: Bracket, tolerance: float) -> Part:
    step = STEP
    for _ in range(MOST_STEPS):
        size, value = round(bracket.low + step, MULTIPLIER_DECIMALS), bracket.low_value
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
    return sorted({round(size, MULTIPLIER_DECIMALS) for size in sizes})


# The search for multipliers that meet several constraints: joint steps first, then hill climbing.

# Joint steps: all multipliers at once, by a quadratic model of how the groups' metrics answer to them.
#
# The dual of the constrained problem is convex in the net multipliers nu, and its slope is v, the metrics of the
# groups. With J a positive definite estimate of how v answers to nu, a step minimises
#
#     v d + d' J d / 2 + sum over specifications of (aim eps / 2) |nu + d|_1,  each nu adding up to 0,  |d_g| <=
# radius_g,
#
# the optimum of which leaves a pair alone unless its gap is at the limit.

Floats = NDArray[np.float64]

N_STEPS, EXACT = 300, 1e-7
"""Steps of the accelerated proximal gradient, and the change at which they end."""

ESTIMATE_DIGITS = 9
"""Decimals of an estimate that count, as a part of its largest number."""

FLATTEST, STEEPEST = 0.02, 100.0
"""The least and the most that metrics are thought to answer to multipliers, relative to the usual answer."""

STEPS_KEPT = 8
"""How many steps the estimate of the answer is made of."""

FIRST_ANSWER = 0.3
"""How a metric is thought to answer before anything is known, were all rows in its group: the slope of a logistic
curve, 1/4 at most, times 2, as rows of either label change their weight, and a little less."""


class MetricResponse:
    """An estimate of how the metrics of groups answer to their multipliers, learned from steps (BFGS).

    The weights of a group's rows change by its multiplier over its share of the rows, so answers are alike once
    multipliers are divided, and metrics multiplied, by the square root of the share.
    """

    # parts: How many groups each specification has.
    # shares: (n_groups,) The share of each group in all rows, above 0.
    def __init__(self, parts: Sequence[int], shares: Floats):
        self.parts, self.shares = tuple(parts), shares
        self.steps: list[tuple[Floats, Floats]] = []

    def learn(self, step: Floats, change: Floats) -> None:
        """Take the change of the metrics in a step; one that goes against the multipliers says nothing.

        Shapes: `step` (n_groups,), `change` (n_groups,).
        """
        root = np.sqrt(self.shares)
        totals = [part.sum() for part in split(self.shares, self.parts)]
        mean = [part.sum() for part in split(self.shares * change, self.parts)]
        # What is left where all groups change alike is rounding.
        change = (change - np.repeat(np.divide(mean, totals), self.parts)).round(RATIO_DECIMALS) * root
        step = step / root
        if _dot(step, change) > 1e-3 * np.sqrt(_dot(step, step) * _dot(change, change)) > 0:
            self.steps = [*self.steps, (step, change)][-STEPS_KEPT:]

    @property
    def matrix(self) -> Floats:
        """J, shape (n_groups, n_groups): positive definite."""
        n, usual = len(self.shares), FIRST_ANSWER
        J = usual * np.eye(n)
        if self.steps:
            step, change = self.steps[-1]
            usual = float(_dot(change, change) / _dot(step, change))
            J = np.diag(self._diagonal(usual))
        for step, change in self.steps:
            moved = _dot(J, step)
            J = J - np.outer(moved, moved) / _dot(step, moved) + np.outer(change, change) / _dot(step, change)
        sizes, directions = np.linalg.eigh((J + J.T) / 2)
        root = np.sqrt(self.shares)
        J = (directions * sizes.clip(FLATTEST * usual, STEEPEST * usual)) @ directions.T / np.outer(root, root)
        return _rounded((J + J.T) / 2)

    def _diagonal(self, usual: float) -> Floats:
        """Return how each group answers to its own multiplier, by the last step that moved it much."""
        own = np.full(len(self.shares), usual)
        for step, change in self.steps:
            much = np.abs(step) > 0.2 * np.abs(step).max()
            own[much] = (change[much] / step[much]).clip(usual / 4, 4 * usual)
        return own


def joint_step(nets: Floats, levels: Floats, J: Floats, limits: Floats, parts: Sequence[int], radius: Floats) -> Floats:
    """Return the multipliers that the model likes best.

    Shapes: `nets` (n_groups,), `levels` (n_groups,), `J` (n_groups, n_groups), `limits` (n_specs,), `radius`
    (n_groups,); returns (n_groups,).
    """
    # Where a step of the gradient is as long as each variable's own curvature lets it, all variables arrive together.
    scale = 1 / np.sqrt(np.diag(J))
    rate = scale**2 / _rounded(np.linalg.eigvalsh(J * np.outer(scale, scale))[-1])
    pull = np.repeat(limits / 2, parts)
    new, ahead, pace = nets, nets, 1.0
    for _ in range(N_STEPS):
        slope = levels + _dot(J, ahead - nets)
        last, new = new, _shrink(ahead - rate * slope, rate, pull, nets - radius, nets + radius, parts)
        if np.abs(new - last).max() < EXACT:
            break
        if _dot((ahead - new) / rate, new - last) > 0:
            pace = 1.0
        last_pace, pace = pace, (1 + np.sqrt(1 + 4 * pace**2)) / 2
        ahead = new + (last_pace - 1) / pace * (new - last)
    return new


def _dot(a: Floats, b: Floats | float) -> float:
    """Return a @ b, not by a matrix product: that adds up as the processor likes, and a sign may flip by it."""
    return (a * b).sum(axis=-1)


def _rounded(values: Floats) -> Floats:
    """Round to what does not depend on the processor: nine digits of the largest."""
    unit = 2.0 ** np.frexp(np.abs(values).max())[1]
    return (values / unit).round(ESTIMATE_DIGITS) * unit


def center(values: Floats, parts: Sequence[int]) -> Floats:
    """Subtract the mean of each specification. Shapes: `values` (n_groups,); returns (n_groups,)."""
    return values - np.repeat([part.mean() for part in split(values, parts)], parts)


def split(values: Floats, parts: Sequence[int]) -> list[Floats]:
    """Return the values of each specification. Shapes: `values` (n_groups,)."""
    return np.split(values, np.cumsum(parts)[:-1])


def _shrink(values: Floats, rate: Floats, pull: Floats, low: Floats, high: Floats, parts: Sequence[int]) -> Floats:
    """Pull values towards 0 and into bounds, shifted at their rates so that each specification adds up to 0."""
    reach = (np.abs(values) + rate * pull + np.maximum(np.abs(low), np.abs(high))) / rate
    top = np.array([part.max() for part in split(reach, parts)])
    bottom = -top
    starts = np.cumsum([0, *parts[:-1]])
    for _ in range(50):
        shift = (bottom + top) / 2
        moved = values - rate * np.repeat(shift, parts)
        moved = (np.sign(moved) * np.maximum(np.abs(moved) - rate * pull, 0.0)).clip(low, high)
        above = np.add.reduceat(moved, starts) > 0
        bottom, top = np.where(above, shift, bottom), np.where(above, top, shift)
    return np.where(moved == 0, 0.0, center(moved, parts))


AIMS, DEEPER = (0.9, 0.97), 0.9
"""Joint steps aim at these shares of the limits, until the constraints are met and afterwards; each step without
progress multiplies them by `DEEPER`."""

RADIUS, WIDEST = 0.15, 50.0
"""How much the weights of a group may change in the first joint step, and ever."""

COARSE_BRACKET = 0.003
"""How narrow a bracket becomes in hill climbing, where the other multipliers will change again."""

VALLEY = (0.2, -0.2, 0.6, -0.6)
"""How much the weights of a group change when the search leaves a place where joint steps got stuck."""

MOST_TRIES = 3
"""How often a multiplier is tuned in hill climbing while the search comes no closer."""

PATIENCE, POLISH = 4, 4
"""Joint steps without progress before hill climbing begins, and those taken to gain accuracy once all is met."""


SAME_STEP, AXIS_DIGITS = 1e-6, 6
"""Relative tolerance for equal eigenvalues, and decimals by which lengths are compared."""


class Climb:
    """The search for multipliers that meet several constraints."""

    # parts: How many groups each specification has.
    # limits: (n_specs,) How far its groups may be apart.
    # shares: (n_groups,) The share of each group of each specification in the rows that are learned from, above 0.
    # tolerance: Steps below this end the search.
    # width: How many fits are asked for at once.
    # linear: Whether weights depend on predictions.
    def __init__(
        self,
        first: JudgedFit,
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
        self.shares, self.answer = shares, MetricResponse(parts, shares)

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

    def approach(self, max_rounds: int) -> Search:
        """Search by joint steps alone."""
        yield from self._steps(0, max_rounds)
        return None

    def _valley(self, size: float, max_rounds: int) -> Part:
        """Leave the closest fit in the direction in which metrics change least, and take joint steps from there."""
        place = min(range(len(self.fits)), key=self._violation)
        root = np.sqrt(self.shares)
        directions = flattest_directions(self.answer.matrix * np.outer(root, root)) * root
        # Nets add up to 0 in each specification; the flattest direction that nearly does so is taken.
        centered = np.array([center(direction, self.parts) for direction in directions])
        keeps = np.linalg.norm(centered, axis=1) > 0.5 * np.linalg.norm(directions, axis=1)
        direction = centered[np.flatnonzero(keeps)[0]] if keeps.any() else centered[-1]
        nets = self._nets(place) + size * direction / np.abs(direction / self.shares).max()
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

    def _along(self, place: int, j: int) -> Generator[Sequence[Ask], Sequence[JudgedFit], int | None]:
        """Tune one multiplier, and keep what was fitted on the way; end early where all constraints are met."""
        bracket = Bracket(self.fits, place, j, self.pair_limits[j])
        search = search_along(
            bracket,
            tolerance=max(self.tolerance, COARSE_BRACKET),
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
        ).round(MULTIPLIER_DECIMALS)

    def _learn(self, place: int, new: int) -> None:
        change = self._levels(new) - self._levels(place)
        if np.isfinite(change).all():
            self.answer.learn(self._nets(new) - self._nets(place), change)

    def _ratios(self, place: int) -> Floats:
        return (np.abs(self.fits[place].gaps) / self.pair_limits).round(RATIO_DECIMALS)

    def _violation(self, place: int) -> float:
        """Return the mean square of what gaps exceed their limits by."""
        over = self._ratios(place) - 1
        return math.inf if np.isnan(over).any() else float((np.maximum(over, 0) ** 2).mean())


def flattest_directions(J: Floats) -> Floats:
    """Return directions in which a quadratic form grows, the flattest first, the same on every processor.

    Shapes: `J` (n, n), symmetric; returns (n, n), one direction a row.

    Notes
    -----
    An eigenvector may be turned around, and those of one eigenvalue are any basis of their space: which, rounding
    decides. Here the axes are projected onto that space, the one that lies in it most first, and what is left of the
    others after it next.

    Examples
    --------
    >>> flattest_directions(np.diag([2.0, 1.0, 2.0])).tolist()
    [[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]
    """
    sizes, vectors = np.linalg.eigh(J)
    starts = np.flatnonzero(np.diff(sizes, prepend=-np.inf) > SAME_STEP * np.abs(sizes).max())
    directions = []
    for space in np.split(vectors, starts[1:], axis=1):
        onto = space @ space.T
        for _ in range(space.shape[1]):
            axis = int(np.diag(onto).round(AXIS_DIGITS).argmax())
            directions.append(onto[axis] / np.sqrt(onto[axis, axis]))
            onto = onto - np.outer(directions[-1], directions[-1])
    return np.array(directions)
