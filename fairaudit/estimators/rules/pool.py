"""The rules found so far, with what they cover, and which of them the linear program holds at the moment."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import numpy as np
from numpy.typing import NDArray

from fairaudit.estimators.rules.master import Duals, Master, weighted_covers
from fairaudit.estimators.rules.problem import Problem, RuleColumns, RuleRows, outcome_of
from fairaudit.measure.limits import SLACK

LARGEST: Final = 600_000_000
"""Truth values that the pool may hold, one for each rule and cell."""
MOST_RULES: Final = 20_000
FEWEST_RULES: Final = 500


class ColumnPool:
    """Rules that differ in what they cover.

    Of rules that cover the same cells the first with the least complexity stays: no other can do better.

    Parameters
    ----------
    rows : RuleRows
        The rows.
    master : Master
        Counts what rules cover.
    """

    def __init__(self, rows: RuleRows, master: Master) -> None:
        self.rows, self.master = rows, master
        self.capacity = int(np.clip(LARGEST // max(1, rows.n_cells), FEWEST_RULES, MOST_RULES))
        self.rules: list[tuple[int, ...]] = []
        self.covers = np.empty((0, rows.n_cells), dtype=bool)
        self.costs = np.empty(0, dtype=np.int64)
        self.tallies = np.empty((0, 2 * rows.n_groups))
        self.active = np.empty(0, dtype=bool)
        self._seen: dict[int, int] = {}
        self._keys: list[int] = []
        self._hashes = np.random.default_rng(1).integers(1, 2**63, rows.n_cells).astype(np.uint64)

    def __len__(self) -> int:
        return len(self.rules)

    def add(self, rules: Iterable[tuple[int, ...]], *, active: bool) -> int:
        """Add rules that cover what none before covers, or do so at a lower cost; return how many."""
        new: dict[int, tuple[int, ...]] = {}
        covers: dict[int, NDArray[np.bool_]] = {}
        known = set(self.rules)
        for rule in rules:
            if rule in known:
                continue
            cover = np.all(self.rows.literals[:, list(rule)], axis=1)
            if not cover.any():
                continue
            key = int(self._hashes[cover].sum())
            before = self._seen.get(key)
            shorter = before is None or len(rule) < len(self.rules[before])
            if shorter and (key not in new or len(rule) < len(new[key])):
                new[key], covers[key] = rule, cover
        replaced = [key for key in new if key in self._seen]
        for key in replaced:
            place = self._seen[key]
            self.rules[place], self.costs[place] = new[key], 1 + len(new[key])
            self.active[place] |= active
        added = [key for key in new if key not in self._seen]
        if added:
            block = np.array([covers[key] for key in added])
            self._seen |= {key: len(self.rules) + place for place, key in enumerate(added)}
            self._keys += added
            self.rules += [new[key] for key in added]
            self._grow(block)
            self.costs = np.concatenate([self.costs, [1 + len(new[key]) for key in added]])
            self.tallies = np.vstack([self.tallies, self.master.tally(block)])
            self.active = np.concatenate([self.active, np.full(len(added), active)])
        return len(new)

    def _grow(self, block: NDArray[np.bool_]) -> None:
        """Append covers, in storage that doubles, so that they are not copied each round."""
        size = len(self.covers) + len(block)
        base = self.covers.base if self.covers.base is not None else self.covers
        if len(base) < size:
            larger = np.empty((max(2 * len(base), size, 256), self.rows.n_cells), dtype=bool)
            larger[: len(self.covers)] = self.covers
            base = larger
        base[len(self.covers) : size] = block
        self.covers = base[:size]

    def reduced_costs(self, duals: Duals) -> NDArray[np.float64]:
        """Return the reduced cost of each rule."""
        return duals.reduced_costs(self.covers, self.costs)

    def keep(self, places: NDArray[np.int64]) -> None:
        """Forget all rules but some."""
        self.rules = [self.rules[place] for place in places.tolist()]
        self._keys = [self._keys[place] for place in places.tolist()]
        self._seen = {key: place for place, key in enumerate(self._keys)}
        self.covers = self.covers[places].copy()
        self.costs, self.tallies, self.active = self.costs[places], self.tallies[places], self.active[places]

    def columns(self, places: NDArray[np.int64]) -> RuleColumns:
        """Return some of the rules as columns."""
        return RuleColumns(tuple(self.rules[place] for place in places.tolist()), self.covers[places])


# Rule sets from a fractional solution: rules in the order of their shares, until the complexity is used up.

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
