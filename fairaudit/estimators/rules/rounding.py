"""Rule sets from a fractional solution: rules in the order of their shares, until the complexity is used up."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from fairaudit.estimators.rules.duals import weighted_covers
from fairaudit.estimators.rules.pool import ColumnPool
from fairaudit.estimators.rules.problem import Problem, RuleColumns, outcome_of
from fairaudit.measure.limits import SLACK

Floats = NDArray[np.float64]

N_ORDERS: Final = 4
"""Orders that are tried: by share, and by share times chance."""
MOST_TAKEN: Final = 120
"""Rules with the largest shares that are looked at."""


class Rounder:
    """Keeps the best rule set that rounding has found.

    Parameters
    ----------
    problem : Problem
        What is asked.
    random_state : int or None
        Seed of the orders.

    Attributes
    ----------
    loss : float
        Of the best rule set; NaN while there is none that meets the constraint.
    rules : tuple of tuple of int
        The best rule set; empty while there is none.
    """

    def __init__(self, problem: Problem, random_state: int | None) -> None:
        self.problem = problem
        self.loss = np.nan
        self.rules: tuple[tuple[int, ...], ...] = ()
        self._random = np.random.default_rng(random_state)
        self.offer(())

    def offer(self, rules: tuple[tuple[int, ...], ...]) -> None:
        """Take a rule set over if it is better than the best so far."""
        columns = RuleColumns.of(rules, self.problem.rows)
        self._try(columns, np.arange(len(columns)))

    def improve(self, pool: ColumnPool, places: NDArray[np.int64], taken: Floats) -> bool:
        """Round a fractional solution; return whether the best rule set has become better.

        Shapes: `places` (n,), `taken` (n,).
        """
        used = np.argsort(-taken, kind="stable")[:MOST_TAKEN]
        used = used[taken[used] > SLACK]
        places, shares = places[used], taken[used]
        better = False
        for turn in range(N_ORDERS):
            luck = self._random.random(len(places)) if turn else np.ones(len(places))
            order = places[np.argsort(-shares * luck, kind="stable")]
            order = order[self._fitting(pool.costs[order])]
            if len(order):
                chosen = order[: self._best_prefix(pool, order)]
                better |= self._try(pool.columns(chosen), np.arange(len(chosen)))
        return better

    def _fitting(self, costs: NDArray[np.int64]) -> list[int]:
        """Return the places that fit one after the other, passing over those that do not."""
        left, fitting = self.problem.max_complexity, []
        for place, cost in enumerate(costs.tolist()):
            if cost <= left:
                fitting.append(place)
                left -= cost
        return fitting

    def _best_prefix(self, pool: ColumnPool, order: NDArray[np.int64]) -> int:
        """Return how many rules of an order lose least while the rates stay alike; 0 where none do."""
        problem = self.problem
        covered = weighted_covers(np.logical_or.accumulate(pool.covers[order], axis=0), pool.master.tallies)
        missed = problem.rows.totals[:, 1] - covered[:, 1::2]
        hits = covered[:, 0::2]
        counted = np.cumsum(pool.tallies[order][:, 0::2], axis=0)
        false = counted if problem.objective == "hamming" else hits
        loss = missed.sum(axis=1) + false.sum(axis=1)
        for rate in problem.rates:
            if rate.defined.any():
                true = (rate.constant + rate.missed * missed + rate.hit * hits)[:, rate.defined]
                proxy = (rate.constant + rate.missed * missed + rate.hit * false)[:, rate.defined]
                gap = np.maximum(np.ptp(true, axis=1), np.ptp(proxy, axis=1))
                loss = np.where(gap <= problem.max_difference + SLACK, loss, np.inf)
        best = int(np.argmin(loss))
        return best + 1 if np.isfinite(loss[best]) else 0

    def _try(self, columns: RuleColumns, places: NDArray[np.int64]) -> bool:
        outcome = outcome_of(self.problem, columns, places)
        if not (outcome.meets(self.problem) and outcome.fits_master(self.problem)):
            return False
        loss = outcome.loss(self.problem)
        if loss >= self.loss:
            return False
        self.loss, self.rules = float(loss), columns.rules
        return True
