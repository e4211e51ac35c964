"""Rounds at central duals, for large tables and short rules, where a search is quick and the simplex method is not.

Each round solves the relaxation over the active rules by an interior point method, no nearer than is worth while, and
searches exactly at its duals. Where the bound does not rise there, it is looked for on the way to the proven duals: the
bound is concave on it.
"""

from __future__ import annotations

import math
from collections.abc import Generator
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from fairaudit.errors import sure
from fairaudit.estimators.rules.generated import Generated, Start
from fairaudit.estimators.rules.interior import Central, Interior, Prices
from fairaudit.estimators.rules.master import MasterSolution
from fairaudit.estimators.rules.problem import RuleColumns
from fairaudit.estimators.rules.rounds import LEAVING, QUICK_WORK, Event, Rounds, negative_below
from fairaudit.events import Command
from fairaudit.shared_settings import ONE_THREAD
from fairaudit.work import Budget

FEWEST_CELLS: Final = 10_000
"""Tables with fewer cells are left to the simplex method."""
MOST_WORK: Final = 5e8
"""Multiplications of a search, at most: where it takes longer than the simplex method, nothing is gained."""
N_BEGINNING: Final = 200
"""Rules that it begins with."""
N_CENTRAL: Final = 450
"""Active rules that stay whatever they are worth, those of least reduced cost."""
MOST_CENTRAL: Final = 1000
"""Active rules beyond which the others leave also where the bound has come no nearer."""
N_ENTERING: Final = 150
"""Rules of the pool that enter in a round, at most."""
USED: Final = 1e-3
"""Rules with such a share stay."""
FIRST_SHARE: Final = 0.3
"""How far from proven duals the bound is first looked for."""
N_BETWEEN: Final = 4
"""How often it is looked for in a round."""
DIGITS: Final = 6
"""Digits of reduced costs by which rules are compared."""


class CentralRounds(Rounds):
    """Rounds that begin at central duals where the table is large, and go on at vertices."""

    prices: Prices | None = None
    share = FIRST_SHARE

    def iter_run(self, start: Start) -> Generator[Event, Command | None, Generated]:
        """Run all rounds; see `Start`."""
        if self.stopped or not self._is_for_centre():
            return (yield from super().iter_run(start))
        self._begin(start)
        pool, shares = self.pool, dict[tuple[int, ...], float]()
        if not len(pool):
            nothing, _ = sure(self._solve(np.zeros(0, dtype=np.int64)))
            searched = yield from self._iter_search(nothing.duals, negative_below(nothing), max_work=QUICK_WORK)
            pool.add(searched.rules, active=True)
        elif start.prices is not None:
            yield from self._iter_begin_at(start.prices)
        if not pool.active.any():
            pool.active[:N_BEGINNING] = True
        solution = None
        while len(pool):
            active = np.flatnonzero(pool.active)
            central = self._solve_centre(active, shares)
            if central is None and self.budget.is_over and solution is not None:
                # The simplex method would be cut short, and its value be too low for the bound.
                return self._generated(solution, start.kept)
            if central is None:
                break
            solution = central.solution
            yield from self._iter_show(f"Round {len(self.path) + 1}: {len(pool):,} rules")
            yield from self._iter_bound(central)
            yield from self._iter_end_round(solution, active)
            if self.stopped or self.budget.is_over or self._is_closed(solution):
                return self._generated(solution, start.kept)
            if self.prices is None:
                break
            shares = dict(zip((pool.rules[place] for place in active.tolist()), solution.taken.tolist(), strict=True))
            self._choose(solution, active)
            self._shrink(solution.duals)
        return (yield from super().iter_run(start))

    def _iter_begin_at(self, prices: Prices) -> Generator[Event, Command | None, None]:
        """Begin at prices that were central among shorter rules, with the rules that are worth most there."""
        duals, pool = Interior(self.master).duals(prices), self.pool
        searched = yield from self._iter_search(duals, 0.0, max_work=QUICK_WORK)
        pool.add(searched.rules, active=True)
        pool.active[np.argsort(np.round(pool.reduced_costs(duals), DIGITS), kind="stable")[:N_BEGINNING]] = True
        self.prices = prices if searched.complete else None

    def _is_for_centre(self) -> bool:
        rows, blocks = self.problem.rows, self.blocks
        if rows.n_cells < FEWEST_CELLS or self.problem.objective != "hamming" or not rows.labels.any():
            return False
        return blocks is not None and blocks.work(rows.n_cells) <= MOST_WORK

    def _solve_centre(self, active: NDArray[np.int64], shares: dict[tuple[int, ...], float]) -> Central | None:
        pool = self.pool
        self.budget.spend(calls=50)
        with ONE_THREAD:
            return Interior(self.master).solve(
                pool.covers[active],
                pool.costs[active],
                pool.tallies[active],
                bound=self.bound,
                proven=self._proven_prices(),
                shares=np.array([shares.get(pool.rules[place], 0.0) for place in active.tolist()]),
                budget=Budget(self.budget.left, self.budget),
            )

    def _proven_prices(self) -> Prices | None:
        if self.prices is None:
            return None
        return self.prices.raised(sure(self.proven).price * self.problem.max_complexity)

    def _generated(self, solution: MasterSolution, kept: RuleColumns | None) -> Generated:
        return replace(super()._generated(solution, kept), prices=self._proven_prices())

    def _iter_bound(self, central: Central) -> Generator[Event, Command | None, None]:
        """Look for rules and for a better bound at the duals, and on the way to proven ones where there is none."""
        duals, below = central.solution.duals, negative_below(central.solution)
        before, prices = self.proven, self.prices
        searched = yield from self._iter_search(duals, below, max_work=QUICK_WORK)
        self.pool.add(searched.rules, active=True)
        if self.proven is not before:
            self.prices = central.prices
        if before is None or prices is None or self.proven is not before:
            return
        low, best, high, share = 0.0, 0.0, 1.0, self.share
        for _ in range(N_BETWEEN):
            if self.stopped or self.budget.is_over:
                break
            known = self.proven
            searched = yield from self._iter_search(before.mixed(duals, share), below, max_work=QUICK_WORK)
            self.pool.add(searched.rules, active=True)
            if self.proven is not known:
                low, best, high = (best, share, high) if share > best else (low, share, best)
                self.prices = prices.mixed(central.prices, share)
            elif share > best:
                high = share
            else:
                low = share
            share = share / 3 if not best else (best + high) / 2 if high - best > best - low else (low + best) / 2
        self.share = best or self.share / 4

    def _choose(self, solution: MasterSolution, active: NDArray[np.int64]) -> None:
        """Choose the rules of the next round: those that are used or nearly so, the new, and the best of the pool."""
        pool = self.pool
        self.budget.spend(elements=0.1 * pool.covers.size)
        reduced = np.round(pool.reduced_costs(solution.duals), DIGITS)
        used = solution.taken > USED
        order = active[np.argsort(np.where(used, -math.inf, reduced[active]), kind="stable")]
        entering = np.flatnonzero((reduced < 0) & ~pool.active)
        distance = solution.value - self.bound
        if distance < (1 - LEAVING) * self.purged_distance or len(active) > MOST_CENTRAL:
            self.purged_distance = distance
            pool.active[order[max(N_CENTRAL, int(used.sum())) :]] = False
        pool.active[entering[np.argsort(reduced[entering], kind="stable")[:N_ENTERING]]] = True
