"""Draws from a posterior density by Hamiltonian steps: several chains side by side, on a scale that they learn.

Processors differ in the last digit of a logarithm, and steps make much of little: after some hundred of them draws have
nothing in common. So what steps begin with, and where each ends, is put on a lattice that is fine beside the spread of
the density and coarse beside such digits. Then all machines draw the same, but for the rare point between two others.
"""

from __future__ import annotations

from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from scipy import linalg, optimize

from fairaudit.events import Progress
from fairaudit.measure.intervals import Floats

CHAINS = 8
STAGES = (100, 150, 200, 50)
"""Steps after each of which the scale is learned anew; these draws are thrown away."""

PLACES = 6
"""Draws of a stage that give the curvature for the scale of the next."""

WANTED_ACCEPTANCE = 0.8
SHORTEST, LONGEST = 0.8, 2.2
"""A trajectory has a random length between these, in standard deviations."""

MOST_LEAPS = 60
STEP, FINE_STEP = 0.01, 1e-4
"""So far from a point slopes are taken for the curvature around it, and at it."""

LATTICE = 2.0**-10
"""Distance of the points of the lattice, in standard deviations."""

CURVATURE_LATTICE = 2.0**-14
"""The same for a curvature, as a share of those of its two parameters."""

MOST_REFINED, REFINED = 40, 1e-10
"""Most steps and tolerance for refining a mode."""

SETTLED = 1e-6
"""Where it still moves by more in the end, it is not sure."""

FLATTEST = 1e-3
"""The least curvature that a step to the mode reckons with."""

AT_ONCE = 32
REPORT_EVERY = 25


class Density(Protocol):
    """A log density with its gradient."""

    n_parameters: int
    n_threads: int
    """Parts that points are evaluated in, whatever the number of CPUs, so that draws are the same."""

    def log_density(self, points: Floats) -> tuple[Floats, Floats]:
        """Return log densities and gradients of points, shapes (n_points,) and (n_points, n_parameters)."""


@dataclass(frozen=True, eq=False)
class Draws:
    """What was drawn.

    Parameters
    ----------
    points : ndarray, shape (n_steps, n_chains, n_parameters)
        The draws.
    acceptance : float
        Share of proposals that were accepted.
    """

    points: Floats
    acceptance: float


@np.errstate(all="ignore")
def find_mode(density: Density, start: Floats, fixed: slice) -> tuple[Floats, bool]:
    """Return where the density is largest while some parameters stay as they are, on the lattice, and if that is sure.

    It is not sure where refining it comes to no end: then the last digits of a processor may decide.
    """
    free = np.ones(len(start), dtype=bool)
    free[fixed] = False
    # Near zero, the smallest change that counts is small as well.
    height = float(density.log_density(start[None])[0][0])
    point = start.copy()

    def loss(values: Floats) -> tuple[float, Floats]:
        # A step too far has no density, and is taken back.
        point[free] = values
        value, gradient = density.log_density(point[None])
        return height - float(value[0]), -gradient[0][free]

    options = {"maxiter": 2000, "maxfun": 4000, "maxcor": 40, "ftol": 1e-13, "gtol": 1e-3}
    found = optimize.minimize(loss, start[free], jac=True, method="L-BFGS-B", options=options).x
    point[free] = found
    # Where that search ends depends on the last digits; the mode does not.
    steps, left = None, np.inf
    for _ in range(MOST_REFINED):
        slope = loss(found)[1]
        if steps is None or np.abs(steps @ slope).max() > left / 2:
            steps = _inverse(curvature(density, point, FINE_STEP)[np.ix_(free, free)], least=FLATTEST)
        move = -steps @ slope
        left = np.abs(move).max()
        if not left >= REFINED:
            break
        # Where it is not yet near, a whole step may lead further away.
        while not np.abs(steps @ loss(found + move)[1]).max() <= left:
            move = move / 2
        if np.abs(move).max() < REFINED:
            break
        found = found + move
    point[free] = _on_lattice(found)
    return point, bool(left < SETTLED)


@np.errstate(all="ignore")
def curvature(density: Density, point: Floats, step: float = STEP) -> Floats:
    """Return the curvature of the log density at a point, turned around, from its slopes on both sides."""
    steps = np.array_split(np.eye(len(point)) * step, len(point) // AT_ONCE + 1)
    around = ([density.log_density(point + sign * some)[1] for some in steps] for sign in (-1, 1))
    down, up = map(np.concatenate, around)
    bend = (down - up) / (2 * step)
    return (bend + bend.T) / 2


def curvature_scale(density: Density, points: Floats) -> Floats:
    """Return the covariance that the mean curvature at some points implies, with no direction wider than 1."""
    bend = np.mean([curvature(density, point) for point in points], axis=0)
    own = np.sqrt(2.0 ** np.round(np.log2(np.maximum(np.diag(bend), 1.0))))
    return _inverse(_on_lattice(bend / np.outer(own, own), CURVATURE_LATTICE) * np.outer(own, own), least=1.0)


def _inverse(bend: Floats, least: float) -> Floats:
    """Return the inverse of a symmetric matrix with no eigenvalue under a least one."""
    values, vectors = np.linalg.eigh(bend)
    return (vectors / np.maximum(values, least)) @ vectors.T


def _on_lattice(values: Floats, distance: float = LATTICE) -> Floats:
    return np.round(values / distance) * distance


def iter_draws(
    density: Density, mode: Floats, *, n_steps: int, rng: np.random.Generator
) -> Generator[Progress, object, Draws]:
    """Draw `n_steps` times from each chain, after stages in which the scale is learned.

    Notes
    -----
    Positions are ``x = center + L z`` with a covariance ``L L'``, so that the density of z is near a standard normal
    one. The covariance is that of the draws of the last stage of all chains, drawn towards what the curvature at some
    of them implies as far as there are few. The length of a leap follows the share that is accepted (dual averaging)
    and is fixed for the draws that are kept.

    References
    ----------
    Neal (2011), "MCMC using Hamiltonian dynamics"; Hoffman and Gelman (2014), section 3.2, on dual averaging.
    """
    total = sum(STAGES) + n_steps
    covariance = curvature_scale(density, mode[None])
    with ThreadPoolExecutor(density.n_threads) as threads:
        walk = _Walk(density, mode, linalg.cholesky(covariance, lower=True), rng, threads, length=0.2)
        walk.place(mode + 0.5 * rng.standard_normal((CHAINS, len(mode))) @ walk.scale.T)
        done = 0
        for stage, n in enumerate(STAGES):
            drawn = yield from walk.steps(n, done, total, learn=True)
            done += n
            if stage == len(STAGES) - 1:
                break
            kept = drawn[n // 3 :].reshape(-1, len(mode))
            # Draws of a chain are alike: eight count as one.
            weight, prior = len(kept) / 8, 5 + 0.2 * len(mode)
            expected = curvature_scale(density, kept[:: len(kept) // PLACES])
            covariance = (weight * np.cov(kept.T) + prior * expected) / (weight + prior)
            walk.rescale(kept.mean(axis=0), linalg.cholesky(covariance, lower=True))
        points = yield from walk.steps(n_steps, done, total, learn=False)
    return Draws(points, walk.acceptance)


class _Walk:
    """Chains that walk side by side."""

    def __init__(
        self,
        density: Density,
        center: Floats,
        scale: Floats,
        rng: np.random.Generator,
        threads: ThreadPoolExecutor,
        length: float,
    ):
        self.density, self.center, self.scale, self.rng, self.length = density, center, scale, rng, length
        self.threads, self.acceptance = threads, 0.0

    def place(self, points: Floats) -> None:
        """Put the chains somewhere."""
        self.z = _on_lattice(linalg.solve_triangular(self.scale, (points - self.center).T, lower=True).T)
        self.value, self.slope = self._at(self.z)

    def rescale(self, center: Floats, scale: Floats) -> None:
        """Walk on from where the chains are, on another scale."""
        points = self.points
        self.center, self.scale, self.length = center, scale, min(self.length * 1.3, 0.5)
        self.place(points)

    @property
    def points(self) -> Floats:
        """Where the chains are."""
        return self.center + self.z @ self.scale.T

    def steps(self, n: int, done: int, total: int, *, learn: bool) -> Generator[Progress, object, Floats]:
        """Take steps and return where they led, shape (n, n_chains, n_parameters)."""
        drawn, accepted = np.empty((n, *self.z.shape)), 0.0
        anchor, behind, smooth = np.log(2 * self.length), 0.0, np.log(self.length)
        for i in range(n):
            if i % REPORT_EVERY == 0:
                yield Progress("Drawing thresholds", done + i, total)
            chance = self._step()
            accepted += chance
            drawn[i] = self.points
            if learn:
                # Nesterov's dual averaging with the constants of Hoffman and Gelman
                t = i + 1
                behind += (WANTED_ACCEPTANCE - chance - behind) / (t + 10)
                now = float(np.clip(anchor - np.sqrt(t) / 0.05 * behind, np.log(0.01), np.log(1.2)))
                smooth += t**-0.75 * (now - smooth)
                self.length = float(np.exp(now if t < n else smooth))
        self.acceptance = accepted / n
        return drawn

    @np.errstate(all="ignore")
    def _step(self) -> float:
        # A trajectory that flies off has no density there and is not accepted.
        length = self.length * self.rng.uniform(0.8, 1.2)
        leaps = min(int(np.ceil(self.rng.uniform(SHORTEST, LONGEST) / self.length)), MOST_LEAPS)
        momentum = self.rng.standard_normal(self.z.shape)
        z, value, slope = self.z, self.value, self.slope
        before = value - 0.5 * (momentum**2).sum(axis=1)
        moving = momentum + 0.5 * length * slope
        for leap in range(leaps):
            z = z + length * moving
            if leap == leaps - 1:
                z = _on_lattice(z)
            value, slope = self._at(z)
            moving = moving + (length if leap < leaps - 1 else 0.5 * length) * slope
        gain = value - 0.5 * (moving**2).sum(axis=1) - before
        chance = np.exp(np.minimum(np.where(np.isfinite(gain), gain, -np.inf), 0.0))
        taken = self.rng.uniform(size=len(z)) < chance
        self.z = np.where(taken[:, None], z, self.z)
        self.value = np.where(taken, value, self.value)
        self.slope = np.where(taken[:, None], slope, self.slope)
        # The length of the next leaps follows from it.
        return float(_on_lattice(chance.mean()))

    def _at(self, z: Floats) -> tuple[Floats, Floats]:
        points = np.array_split(self.center + z @ self.scale.T, self.density.n_threads)
        values, slopes = zip(*self.threads.map(self._density_at, points), strict=True)
        return np.concatenate(values), np.concatenate(slopes) @ self.scale

    # Each thread has error settings of its own.
    @np.errstate(all="ignore")
    def _density_at(self, points: Floats) -> tuple[Floats, Floats]:
        return self.density.log_density(points)


def split_reduction(values: Floats) -> Floats:
    """Return the split R-hat of each figure; values (n_steps, n_chains, n_figures).

    References
    ----------
    Gelman and others (2013), "Bayesian Data Analysis", section 11.4.
    """
    half = len(values) // 2
    parts = np.concatenate([values[:half], values[half : 2 * half]], axis=1)
    within = parts.var(axis=0, ddof=1).mean(axis=0)
    between = parts.mean(axis=0).var(axis=0, ddof=1)
    return np.sqrt((half - 1) / half + np.divide(between, within, out=np.zeros_like(within), where=within > 0))


def effective_number(values: Floats) -> Floats:
    """Return how many independent draws each figure is worth; values (n_steps, n_chains, n_figures).

    References
    ----------
    Geyer (1992) on sums of pairs of autocorrelations that stay positive.
    """
    n, chains = values.shape[:2]
    away = values - values.mean(axis=(0, 1))
    variance = np.maximum((away**2).mean(axis=(0, 1)), TINY_VARIANCE)
    total, alive = np.zeros(values.shape[2:]), np.ones(values.shape[2:], dtype=bool)
    for lag in range(1, min(n - 2, 200), 2):
        pair = sum((away[:-each] * away[each:]).mean(axis=(0, 1)) for each in (lag, lag + 1)) / variance
        alive &= pair > 0
        if not alive.any():
            break
        total += np.where(alive, pair, 0.0)
    return n * chains / (1 + 2 * total)


TINY_VARIANCE = 1e-300
