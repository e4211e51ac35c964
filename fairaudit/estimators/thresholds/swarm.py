"""Search for one threshold a group by particle swarm, with pyswarms.

A group's place on its ROC curve is its level, the mean of its TPR and FPR: 0 where nobody is predicted 1, 1
where everybody is. A particle has one number for each group: the level of the reference, and for each other group a
shift of its level, counted from the point whose rates are nearest to those of the reference. So a particle whose shifts
are 0 keeps the rates as equal as they can be while it looks for accuracy. Searching in plain scores is far worse: the
particles that do well lie on a thin curve there, and all but straight steps along it lead away.

pyswarms would open a log file in the working directory, set up logging for the whole process, and draw from numpy's
global random numbers. Here it does none of this: its set-up of logging is turned off, and for each step the global
random state is replaced and put back, one search at a time.
"""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_random_state

from fairaudit.errors import InputError
from fairaudit.estimators.thresholds.search import ThresholdProblem, check_weight, nearest_indices
from fairaudit.events import STOP, Command, Event, Finished, Progress, Started

WHAT = "Searching thresholds with a particle swarm"

OPTIONS = {"c1": 1.49445, "c2": 1.49445, "w": 0.729}
"""Pull to a particle's own best, pull to the best of all, and inertia: the usual constriction factors."""

FASTEST = 0.2
"""The most that a level or a shift may change in one step."""

QUIET = Path(__file__).with_name("quiet_logging.json")
"""A set-up of logging that changes nothing."""

_LOCK = threading.Lock()


def iter_swarm(
    problem: ThresholdProblem,
    weight: float,
    *,
    n_particles: int = 40,
    n_iterations: int = 100,
    random_state: Any = None,
) -> Generator[Event, Command | None, None]:
    """Search for good thresholds, one event for each step of the swarm; a stop keeps the best so far.

    ``maximise E_a - weight * E_f`` as in :class:`ThresholdProblem`, which finds the exact optimum faster.

    References
    ----------
    Chen, Shahverdi, Anderson et al. (2020), "Transparency tools for fairness in AI (Luskin)", section 4.2. The paper
    names no options; see `OPTIONS` and `FASTEST`.
    """
    check_weight(weight)
    check_count(n_particles, "n_particles")
    check_count(n_iterations, "n_iterations")
    ps = _pyswarms()
    cost = _Cost(problem, weight)
    start = cost.starts(n_particles)
    stream = np.random.RandomState(check_random_state(random_state).randint(np.iinfo(np.int32).max))
    is_reference = np.arange(start.shape[1]) == problem.reference
    bounds = (np.where(is_reference, 0.0, -1.0), np.ones(start.shape[1]))
    clamp = (-FASTEST, FASTEST)
    with _numpy_draws_from(stream):
        swarm = ps.create_swarm(*start.shape, bounds=bounds, init_pos=start, clamp=clamp, options=dict(OPTIONS))
    star, inside, unchanged = ps.Star(), ps.BoundaryHandler("nearest"), ps.VelocityHandler("unmodified")
    swarm.pbest_cost = np.full(n_particles, np.inf)
    best = _follow(ps, swarm, star, cost)

    yield Started(WHAT, n_iterations)
    for i in range(n_iterations):
        if (yield Progress(WHAT, i, n_iterations)) is STOP:
            break
        with _numpy_draws_from(stream):
            swarm.velocity = star.compute_velocity(swarm, clamp, unchanged, bounds)
            swarm.position = star.compute_position(swarm, bounds, inside)
        best = _follow(ps, swarm, star, cost)
    yield Finished(problem.at_points(cost.indices(best[None])[0].tolist()))


def check_count(count: int, name: str) -> None:
    """Check a number of particles or steps."""
    if isinstance(count, bool) or not isinstance(count, int | np.integer) or count < 1:
        raise InputError(f"'{name}' must be an int of at least 1, got {count!r}.")


class _Cost:
    """The objective, turned over, of many particles at once."""

    def __init__(self, problem: ThresholdProblem, weight: float):
        self.weight = weight
        self.reference = problem.reference
        self.levels = [(points.tpr + points.fpr) / 2 for points in problem.points]
        self.borders = [(level[1:] + level[:-1]) / 2 for level in self.levels]
        base = problem.points[problem.reference]
        self.nearest = [nearest_indices(base, other) for other in problem.points]
        self.curves = [(points.correct / problem.n, points.tpr, points.fpr) for points in problem.points]

    def starts(self, n_particles: int) -> NDArray[np.float64]:
        """Return one position in each stretch of the reference's curve, and one where each group is most accurate."""
        level = self.levels[self.reference]
        along = np.zeros((len(level), len(self.levels)))
        along[:, self.reference] = level
        stretch = np.minimum((level * n_particles).astype(int), n_particles - 1)
        order = np.lexsort((self(along), stretch))
        found, first = np.unique(stretch[order], return_index=True)
        start = np.zeros((n_particles, len(self.levels)))
        start[:, self.reference] = (np.arange(n_particles) + 0.5) / n_particles
        start[found] = along[order[first]]
        alone = [int(np.argmax(curve[0])) for curve in self.curves]
        base = alone[self.reference]
        parts = zip(self.levels, self.nearest, alone, strict=True)
        shifts = np.array([level[best] - level[near[base]] for level, near, best in parts])
        shifts[self.reference] = level[base]
        start[np.argmax(self(start))] = shifts
        return start

    def indices(self, positions: NDArray[np.float64]) -> NDArray[np.int64]:
        """Return, for each particle and group, the point whose level is nearest to the one asked for."""
        r = self.reference
        base = np.searchsorted(self.borders[r], positions[:, r])
        asked = [level[near[base]] for level, near in zip(self.levels, self.nearest, strict=True)]
        return np.stack(
            [
                base if k == r else np.searchsorted(self.borders[k], asked[k] + positions[:, k])
                for k in range(len(self.levels))
            ],
            axis=1,
        )

    def __call__(self, positions: NDArray[np.float64]) -> NDArray[np.float64]:
        at = self.indices(positions)
        correct, tpr, fpr = (
            np.stack([curve[part][at[:, k]] for k, curve in enumerate(self.curves)], axis=1) for part in range(3)
        )
        r = self.reference
        gap = (np.abs(tpr - tpr[:, [r]]) + np.abs(fpr - fpr[:, [r]])).sum(axis=1)
        return self.weight * gap - correct.sum(axis=1)


def _follow(ps: SimpleNamespace, swarm: Any, star: Any, cost: _Cost) -> NDArray[np.float64]:
    """Evaluate all particles and return the best position that any has ever had."""
    swarm.current_cost = cost(swarm.position)
    swarm.pbest_pos, swarm.pbest_cost = ps.compute_pbest(swarm)
    swarm.best_pos, swarm.best_cost = star.compute_gbest(swarm)
    return swarm.best_pos


@contextmanager
def _numpy_draws_from(stream: np.random.RandomState) -> Iterator[None]:
    """Let numpy's global functions draw from a stream of our own, and put the global state back."""
    with _LOCK:
        before = np.random.get_state()
        np.random.set_state(stream.get_state())
        try:
            yield
        finally:
            stream.set_state(np.random.get_state())
            np.random.set_state(before)


@cache
def _pyswarms() -> SimpleNamespace:
    """Import what is needed of pyswarms, without letting it set up logging, now or later."""
    with _LOCK:
        before = os.environ.get("LOG_CFG")
        os.environ["LOG_CFG"] = str(QUIET)
        try:
            from pyswarms.backend import create_swarm
            from pyswarms.backend.handlers import BoundaryHandler, VelocityHandler
            from pyswarms.backend.operators import compute_pbest
            from pyswarms.backend.topology import Star
            from pyswarms.utils.reporter.reporter import Reporter
        finally:
            if before is None:
                del os.environ["LOG_CFG"]
            else:
                os.environ["LOG_CFG"] = before
    Reporter._setup_logger = lambda self, path=None: None
    logging.getLogger("pyswarms").setLevel(logging.WARNING)
    return SimpleNamespace(
        BoundaryHandler=BoundaryHandler,
        Star=Star,
        VelocityHandler=VelocityHandler,
        compute_pbest=compute_pbest,
        create_swarm=create_swarm,
    )
