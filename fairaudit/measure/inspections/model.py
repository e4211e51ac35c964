"""The model of the threshold test: what search and hit rates of groups in places say of their thresholds.

===========  =======================================================  ==================================================
symbol       meaning                                                  expected before the data
===========  =======================================================  ==================================================
base_gp      logit of the base rate: group_g + place_p                N(logit(base rate), 1/4), N(0, 1/4)
spread_gp    logarithm of the spread: group_g + place_p               N(center, by group), N(0, by place) of the family
tau_gp       logit of the threshold                                   N(mean_g, sigma_g)
mean_g       mean of tau_gp over the places                           N(-2, 1)
sigma_g      its standard deviation                                   N(0, 1/4), positive
===========  =======================================================  ==================================================

The second number of N is a standard deviation. The place with most cases has no effects of its own: the others are as
they are beside it. These are the expectations of Pierson and others (2017) on traffic stops in nine states.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import special

from fairaudit.measure.inspections.sampling import find_mode
from fairaudit.measure.inspections.signals import TINY, Signal
from fairaudit.measure.intervals import Floats

# Coordinates in which draws go far: thresholds measured from where an observed search rate puts them.
#
# Many searches fix the search rate, so that base rate, spread and threshold of a group in a place move together along a
# bent surface, and the threshold is free to move by more or less from it, depending on where it is. In the coordinate u
# with ``tau = height + exp(log_width) u``, the surface is straight and of the same width everywhere: height is the
# logit of the threshold that gives the observed search rate, width how far the threshold moves where the logit of the
# search rate moves by 1. Both are polynomials of base rate and spread, one for each cell. However well they fit, the
# density is the same, with the change of volume ``exp(log_width)`` allowed for.

DEGREE = 3
GRID = 7
BASE_REACH = 1.2
SPREAD_REACH = 2.0
"""The grid reaches so far from the center: in logits of the base rate, in standard deviations of the spread."""

LOWEST, HIGHEST = -14.0, 10.0
HALVINGS = 40


class SearchCurve:
    """Height and width of a cell's surface as polynomials of base rate and spread.

    Parameters
    ----------
    signal : Signal
        The family of distributions.
    base_center : float
        The logit of the base rate around which it holds.
    rates : ndarray, shape (n_cells,)
        The search rates.
    """

    def __init__(self, signal: Signal, base_center: float, rates: Floats):
        self.center = (base_center, signal.center)
        self.reach = (BASE_REACH, SPREAD_REACH * float(np.hypot(signal.by_group, signal.by_place)))
        at = np.cos((np.arange(GRID) + 0.5) * np.pi / GRID)
        x, y = (v.ravel() for v in np.meshgrid(at, at, indexing="ij"))
        shape = (len(x), len(rates))
        base = np.broadcast_to((x * self.reach[0] + self.center[0])[:, None], shape)
        spread = np.broadcast_to((y * self.reach[1] + self.center[1])[:, None], shape)
        low, high = np.full(shape, LOWEST), np.full(shape, HIGHEST)
        for _ in range(HALVINGS):
            middle = (low + high) / 2
            shares = signal.shares(base, spread, middle)
            above = shares.found + shares.missed > rates
            low, high = np.where(above, middle, low), np.where(above, high, middle)
        slope = -(shares.found_moves[2] + shares.missed_moves[2])
        log_width = np.log(rates * (1 - rates)) - np.log(np.maximum(slope, TINY))
        self.powers = [(i, j) for i in range(DEGREE + 1) for j in range(DEGREE + 1 - i)]
        terms = np.stack([x**i * y**j for i, j in self.powers], axis=1)
        # What matters is the middle.
        weight = np.exp(-(x**2 + y**2))[:, None]
        height, width = (np.linalg.lstsq(terms * weight, v * weight, rcond=None)[0] for v in (middle, log_width))
        own = np.stack([height, width], axis=1)
        self.coefficients = np.stack([own, self._derived(own, 0), self._derived(own, 1)], axis=1)

    def _derived(self, own: Floats, axis: int) -> Floats:
        """Return the coefficients of a derivative, each where the power is one less."""
        found = np.zeros_like(own)
        for power, coefficients in zip(self.powers, own, strict=True):
            if power[axis]:
                less = power[0] - (axis == 0), power[1] - (axis == 1)
                found[self.powers.index(less)] = power[axis] * coefficients
        return found / self.reach[axis]

    def __call__(self, base: Floats, spread: Floats) -> tuple[Floats, Floats, Floats]:
        """Return (height, log_width), and their derivatives by base and spread; each (2, ..., n_cells)."""
        x, y = (base - self.center[0]) / self.reach[0], (spread - self.center[1]) / self.reach[1]
        x_powers, y_powers = ([np.ones_like(v), v, v * v, v * v * v] for v in (x, y))
        terms = np.stack([x_powers[i] * y_powers[j] for i, j in self.powers])
        return tuple(np.einsum("kdfc,k...c->df...c", self.coefficients, terms))


def smoothed_rate(successes: Floats, n: Floats) -> Floats:
    """Return rates that are neither 0 nor 1."""
    return special.expit(np.log(successes + 0.5) - np.log(n - successes + 0.5))


BASE_BY_GROUP = 0.25
BASE_BY_PLACE = 0.25
MEAN_CENTER, MEAN_SPREAD = -2.0, 1.0
SIGMA_SPREAD = 0.25
START_SIGMA = 0.15
SIGMA_ENDS = (0.05, 0.8)
ROUNDS = 3

MANY_SEARCHES = 30
"""From so many searches on the data fix a threshold better than its mean over places does.

What is drawn is then its distance from where the search rate puts it, otherwise that from the mean in sigmas."""


@dataclass(frozen=True, eq=False)
class PlaceCounts:
    """Cases by group and place, one entry a group and place that occur together.

    Parameters
    ----------
    group, place : ndarray of int, shape (n_cells,)
        Which.
    n, searched, known, found : ndarray, shape (n_cells,)
        Cases; those searched; those of them with a known outcome; those with a find.
    n_groups, n_places : int
        How many there are.
    """

    group: np.ndarray
    place: np.ndarray
    n: Floats
    searched: Floats
    known: Floats
    found: Floats
    n_groups: int
    n_places: int


class ThresholdModel:
    """The logarithm of the posterior density, up to a constant, and its gradient, for many points at once.

    Parameters
    ----------
    counts : PlaceCounts
        The data.
    signal : Signal
        The family of distributions.
    base_rate : float
        The share of all cases that is expected to be worth a find, before the data.
    """

    def __init__(self, counts: PlaceCounts, signal: Signal, base_rate: float):
        self.counts, self.signal, self.n_threads = counts, signal, signal.n_threads
        self.base_center = float(special.logit(base_rate))
        self.many = counts.searched >= MANY_SEARCHES
        self.curve = SearchCurve(signal, self.base_center, smoothed_rate(counts.searched, counts.n))
        groups, places, cells = counts.n_groups, counts.n_places, len(counts.n)
        ends = np.cumsum([0, groups, groups, places - 1, places - 1, groups, groups, cells])
        names = ("base_group", "spread_group", "base_place", "spread_place", "mean", "log_sigma", "own")
        self.parts = {name: slice(a, b) for name, a, b in zip(names, ends[:-1], ends[1:], strict=True)}
        self.n_parameters = int(ends[-1])
        largest = int(np.bincount(counts.place, counts.n).argmax())
        self.of_group = np.eye(groups)[counts.group]
        self.is_settled = True
        """Whether the last digits of a processor cannot decide where the mode is, as far as it was looked for."""
        self.of_place = np.delete(np.eye(places), largest, axis=1)[counts.place]

    def start(self) -> Floats:
        """Return where the search for the mode begins."""
        point = np.zeros(self.n_parameters)
        for name, value in (
            ("base_group", self.base_center),
            ("spread_group", self.signal.center),
            ("mean", MEAN_CENTER),
            ("log_sigma", np.log(START_SIGMA)),
        ):
            point[self.parts[name]] = value
        return point

    def mode(self) -> Floats:
        """Return where the density is largest while sigma is what the thresholds found so far imply.

        The density has no useful mode in sigma itself: it grows without end where all thresholds are the same.
        """
        point = self.start()
        for _ in range(ROUNDS):
            point, is_sure = find_mode(self, point, fixed=self.parts["log_sigma"])
            self.is_settled &= is_sure
            threshold = self.logits(point)[2]
            group = self.counts.group
            away = threshold - point[self.parts["mean"]][group]
            sigma = np.sqrt(np.bincount(group, away**2) / np.bincount(group)).clip(*SIGMA_ENDS)
            point[self.parts["log_sigma"]] = np.log(sigma)
            own = point[self.parts["own"]]
            point[self.parts["own"]] = np.where(self.many, own, away / sigma[group])
        return point

    def logits(self, points: Floats) -> tuple[Floats, Floats, Floats]:
        """Return logits of base rates, logarithms of spreads and logits of thresholds, shapes (n_points, n_cells)."""
        base, spread, threshold, *_ = self._coordinates(points)
        return base, spread, threshold

    def _coordinates(self, points: Floats) -> tuple[Floats, ...]:
        """Return the same; how thresholds move with base, spread and what is drawn; and the log change of volume.

        The last three are the volume and its moves with base and spread.
        """
        part = {name: points[..., where] for name, where in self.parts.items()}
        base = part["base_group"] @ self.of_group.T + part["base_place"] @ self.of_place.T
        spread = part["spread_group"] @ self.of_group.T + part["spread_place"] @ self.of_place.T
        group, own = self.counts.group, part["own"]
        sigma = np.exp(part["log_sigma"])[..., group]
        if not self.many.any():
            none = np.zeros_like(base)
            return base, spread, part["mean"][..., group] + sigma * own, none, none, sigma, none, none, none
        (height, log_width), by_base, by_spread = self.curve(base, spread)
        width = np.exp(log_width)
        threshold = np.where(self.many, height + width * own, part["mean"][..., group] + sigma * own)
        return (
            base,
            spread,
            threshold,
            (by_base[0] + width * own * by_base[1]) * self.many,
            (by_spread[0] + width * own * by_spread[1]) * self.many,
            np.where(self.many, width, sigma),
            log_width * self.many,
            by_base[1] * self.many,
            by_spread[1] * self.many,
        )

    def thresholds(self, points: Floats) -> Floats:
        """Return thresholds, shape (n_points, n_cells)."""
        return special.expit(self.logits(points)[2])

    def rates(self, points: Floats) -> tuple[Floats, Floats]:
        """Return search rates and hit rates, shapes (n_points, n_cells)."""
        shares = self.signal.shares(*self.logits(points))
        searched = np.clip(shares.found + shares.missed, TINY, 1.0)
        return searched, np.clip(shares.found / searched, 0.0, 1.0)

    def log_density(self, points: Floats) -> tuple[Floats, Floats]:
        """Return log densities and their gradients, shapes (n_points,) and (n_points, n_parameters)."""
        part = {name: points[:, where] for name, where in self.parts.items()}
        gradient = np.zeros_like(points)
        base, spread, threshold, by_base, by_spread, by_own, volume, *volume_moves = self._coordinates(points)
        density, (base_moves, spread_moves, moves) = self._likelihood(base, spread, threshold)
        group = self.counts.group
        mean, log_sigma, own = part["mean"][:, group], part["log_sigma"][:, group], part["own"]
        sigma = np.exp(log_sigma)
        # tau is N(mean, sigma); where (tau - mean) / sigma is what is drawn, that is N(0, 1).
        away = np.where(self.many, (threshold - mean) / sigma, own)
        density += -0.5 * (away**2).sum(axis=1) - (log_sigma * self.many).sum(axis=1) + volume.sum(axis=1)
        # Where it is measured from the curve, a threshold also moves its distance to the mean.
        all_moves = np.where(self.many, moves - away / sigma, moves)
        base_moves = base_moves + all_moves * by_base + volume_moves[0]
        spread_moves = spread_moves + all_moves * by_spread + volume_moves[1]
        gradient[:, self.parts["own"]] = all_moves * by_own - np.where(self.many, 0.0, own)
        for name, each, matrix in (
            ("base_group", base_moves, self.of_group),
            ("spread_group", spread_moves, self.of_group),
            ("mean", np.where(self.many, away / sigma, moves), self.of_group),
            ("log_sigma", np.where(self.many, away**2 - 1, moves * sigma * own), self.of_group),
            ("base_place", base_moves, self.of_place),
            ("spread_place", spread_moves, self.of_place),
        ):
            gradient[:, self.parts[name]] = each @ matrix
        for name, center, width in (
            ("base_group", self.base_center, BASE_BY_GROUP),
            ("spread_group", self.signal.center, self.signal.by_group),
            ("base_place", 0.0, BASE_BY_PLACE),
            ("spread_place", 0.0, self.signal.by_place),
            ("mean", MEAN_CENTER, MEAN_SPREAD),
        ):
            scaled = (part[name] - center) / width
            density -= 0.5 * (scaled**2).sum(axis=1)
            gradient[:, self.parts[name]] -= scaled / width
        # Half of N(0, 1/4) for sigma, by its logarithm: log density = -sigma^2 / (2 / 16) + log sigma
        square = (np.exp(part["log_sigma"]) / SIGMA_SPREAD) ** 2
        density += (part["log_sigma"] - 0.5 * square).sum(axis=1)
        gradient[:, self.parts["log_sigma"]] += 1 - square
        return density, gradient

    def _likelihood(self, base: Floats, spread: Floats, threshold: Floats) -> tuple[Floats, tuple[Floats, ...]]:
        """Return the log likelihood of each point, and what moves it, by cell.

        Of n cases, `found` are searched with a find, ``known - found`` without one, ``searched - known`` with an
        unknown outcome, and ``n - searched`` are not searched.
        """
        c, shares = self.counts, self.signal.shares(base, spread, threshold)
        found, missed = np.maximum(shares.found, TINY), np.maximum(shares.missed, TINY)
        searched = found + missed
        left = np.maximum(1 - searched, TINY)
        density = (
            special.xlogy(c.found, found)
            + special.xlogy(c.known - c.found, missed)
            + special.xlogy(c.searched - c.known, searched)
            + special.xlogy(c.n - c.searched, left)
        ).sum(axis=1)
        either = (c.searched - c.known) / searched - (c.n - c.searched) / left
        by_found, by_missed = c.found / found + either, (c.known - c.found) / missed + either
        moves = tuple(
            by_found * f + by_missed * m for f, m in zip(shares.found_moves, shares.missed_moves, strict=True)
        )
        return density, moves
