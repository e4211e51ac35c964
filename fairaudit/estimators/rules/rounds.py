"""The rounds of column generation: relaxation, pricing, bound, rounding.

Each round solves the relaxation over the active rules, lets in rules of the pool whose reduced cost is negative, and
looks for new ones: by the exact search where it is quick, else by the beam search, and by the exact search without
haste where the beam finds nothing. Where an exact search ends without a rule, the relaxation is solved over all rules.
Until then its value need only be as near as the bound is; it is solved once more to the end before that is said,
but where the work has run out.

Before that a bound follows from the Lagrangian relaxation: at a price of complexity at which an exact search proves
that no reduced cost is negative, the dual objective bounds the relaxation from below.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from fairaudit.errors import require
from fairaudit.estimators.base import TOTAL
from fairaudit.estimators.rules.interior import Central, Interior, Prices
from fairaudit.estimators.rules.master import ColumnPool, Duals, Master, MasterSolution, Rounder
from fairaudit.estimators.rules.pricing import (
    LONGEST,
    Blocks,
    LiteralTable,
    PricingEnd,
    beam_search,
    is_for_scip,
    iter_exact_search,
    iter_scip_search,
)
from fairaudit.estimators.rules.problem import Problem, RuleColumns
from fairaudit.events import STOP, Incumbent, Progress, Searching
from fairaudit.processes import ONE_THREAD
from fairaudit.work import Budget

# The start and the result of column generation: rules, and what is proven about all others.

Rules = tuple[tuple[int, ...], ...]
Status = Literal["closed", "gap", "work_limit", "stopped"]


@dataclass(frozen=True)
class Round:
    """Where a round ended."""

    round: int
    n_columns: int
    lp_value: float
    # The best lower bound on the relaxation over all rules so far.
    bound: float
    # The loss of the best rule set so far, NaN without one.
    incumbent: float


@dataclass(frozen=True, eq=False)
class GeneratedRules:
    """The rules that were found, and what is proven about all others."""

    # The rules; the rules that it started from are among them.
    columns: RuleColumns
    # The relaxation over them; where time ran out, over those that were let in.
    lp_value: float
    # No lower than 0 and no higher than the relaxation over all rules within the complexity.
    bound: float
    # Whether it is proven that no rule can improve the relaxation.
    closed: bool
    # (n_columns,) At duals that are feasible for the columns, so none is negative: a rule set of the columns with
    # column k loses `dual_bound` + ``reduced_costs[k]`` or more. Where `closed`, this holds for all rules.
    reduced_costs: NDArray[np.float64]
    # What these duals bound the relaxation over the columns by; where `closed`, that over all rules.
    dual_bound: float
    duals: Duals
    n_rounds: int
    path: tuple[Round, ...]
    # Why it ended: "gap" where rounds brought nothing any more, yet the exact search did not come to its end.
    status: Status
    # Places in `columns` of the best rounded rule set that meets the constraints.
    rounded: tuple[int, ...]
    # Its loss; NaN where there is none, not even the empty one.
    incumbent: float
    # How far the largest difference stays above `max_difference` in the relaxation over the columns; 0 where it can be
    # met. Where it is positive, `lp_value` holds a penalty for it.
    excess: float
    # Central prices that prove the bound, or nearly so; None where it has not been looked for there.
    prices: Prices | None = None


@dataclass(frozen=True, eq=False)
class RoundsStart:
    """What the rounds start from."""

    # Rules that are among the result whatever they are worth.
    kept: RuleColumns | None = None
    # Rules that may go, the most useful first.
    found: Rules = ()
    # So many of them are in the first linear program.
    n_active: int = 0
    # A rule set that may be good.
    rounded: Rules = ()
    # Central prices at which rounds may begin.
    prices: Prices | None = None


NEGATIVE_COST: Final = 1e-6
"""A reduced cost is negative below minus this share of the objective's thousandth, and at least of 1."""
SOLVED: Final = 1e-6
"""The relaxation is solved where bound and value differ by this share at most."""
N_NEW: Final = 100
"""Rules that a search adds to the pool, at most."""
N_ENTERING: Final = 50
"""Rules of the pool that enter the linear program at once, at most."""
FEW_ENTERING: Final = 15
"""Where no more of the pool enter, new ones are looked for at once."""
PRICE_MULTIPLES: Final = (8.0, 4.0, 2.0)
"""Multiples of the price at which a bound is looked for where the search at the price itself is too long."""
N_ACTIVE: Final = 200
"""Rules of the linear program; those beyond leave when its value has fallen."""
LEAVING: Final = 0.1
"""Rules leave also where the distance from the value to the bound has shrunk by this share."""
BETWEEN: Final = (0.4, 0.4, 0.3, 0.2)
"""How far from the duals towards proven ones new rules are looked for."""
NEAR_BOUND: Final = 1e-4
"""Where the bound is as near to the value as this share, new rules are looked for at the duals themselves."""
QUICK_WORK: Final = 6e9
"""Multiplications of an exact search that is done in every round."""
STUCK_ROUNDS: Final = 10
"""Rounds in which the value must have fallen by `STUCK_SHARE`, or an exact search decides whether to go on."""
STUCK_SHARE: Final = 1e-5
QUICK_STUCK_ROUNDS: Final = 40
"""The same where each round searches exactly: the bound rises meanwhile, and mostly meets the value."""
STUCK_WORK: Final = 1e11
"""Multiplications of that search."""
WIDTHS: Final = (6, 24, 96)
"""Widths of the beam; the next one is taken where the one before finds nothing."""
PROGRESS_EVERY: Final = 0.4
"""Seconds of work between two events that say how far it is."""


class Rounds:
    """What the rounds share."""

    # budget: The work that may be done.
    # pricing_limit: Seconds of work of one exact search.
    # stopped: Whether the caller has asked for an end already: the relaxation is still solved.
    def __init__(
        self,
        problem: Problem,
        budget: Budget,
        pricing_limit: float,
        random_state: int,
        *,
        stopped: bool = False,
    ) -> None:
        self.problem, self.budget, self.pricing_limit = problem, budget, pricing_limit
        self.stopped, self.shown_at = stopped, -math.inf
        self.master = Master(problem)
        self.pool = ColumnPool(problem.rows, self.master)
        self.rounder = Rounder(problem, random_state)
        self.path: list[Round] = []
        self.proven: Duals | None = None
        self.purged_at = self.purged_distance = math.inf
        self.quick, self.settled_at = not problem.asks_scip, 0

    @cached_property
    def table(self) -> LiteralTable:
        """The rows to look for rules in; large ones take a second, which a stop need not wait for."""
        return LiteralTable.of(self.problem.rows)

    @cached_property
    def blocks(self) -> Blocks | None:
        """The literals in blocks, where rules are short enough for that."""
        return Blocks.of(self.table, self.problem.longest) if self.problem.longest <= LONGEST else None

    @property
    def bound(self) -> float:
        """The best bound so far."""
        return max(0.0, self.proven.value) if self.proven is not None else 0.0

    def iter_run(self, start: RoundsStart) -> Searching[GeneratedRules]:
        """Run all rounds; see `RoundsStart`."""
        self._begin(start)
        none = np.zeros(0, dtype=np.int64)
        solution, active = require(self._solve(np.flatnonzero(self.pool.active)) or self._solve(none))
        while True:
            entering = self._enter(solution, active)
            added = 0
            if entering <= FEW_ENTERING:
                yield from self._iter_show(f"Round {len(self.path) + 1}, {len(self.pool):,} rules")
                added = yield from self._iter_price(solution, active)
                yield from self._iter_end_round(solution, active)
            is_last = self.stopped or not entering + added or self._is_closed(solution)
            if self.budget.is_over or (is_last and not solution.is_loose):
                break
            is_stuck = added and not is_last and self._is_stuck()
            if is_stuck and not (yield from self._iter_settle(solution, max_work=STUCK_WORK)):
                break
            self._shrink(solution.duals)
            solved = self._solve(np.flatnonzero(self.pool.active), exact=is_last)
            if solved is None:
                break
            solution, active = solved
        return self._generated(solution, start.kept)

    def _begin(self, start: RoundsStart) -> None:
        """Take over what the rounds start from."""
        pool = self.pool
        pool.add(() if start.kept is None else start.kept.rules, active=False)
        pool.add(start.found[: min(start.n_active, N_ACTIVE)], active=not self.stopped)
        pool.add(start.found[: pool.capacity], active=False)
        self.rounder.offer(start.rounded)

    def _solve(
        self, active: NDArray[np.int64], *, exact: bool = True
    ) -> tuple[MasterSolution, NDArray[np.int64]] | None:
        """Solve over some rules; None where that would be more work than is allowed."""
        pool = self.pool
        self.budget.spend(calls=50, elements=2 * pool.covers.size)
        budget = Budget(max(self.budget.left, 1.0), self.budget)
        covers, costs, tallies = pool.covers[active], pool.costs[active], pool.tallies[active]
        bound = None if exact else self.bound
        solution = self.master.solve(covers, costs, tallies, budget=budget, bound=bound)
        return None if solution is None else (solution, active)

    def _enter(self, solution: MasterSolution, active: NDArray[np.int64]) -> int:
        """Choose the active rules of the next round: those of the pool that help come in, the worst may go."""
        pool, reduced = self.pool, self.pool.reduced_costs(solution.duals)
        entering = np.flatnonzero((reduced < negative_below(solution)) & ~pool.active)
        entering = entering[np.argsort(reduced[entering], kind="stable")[:N_ENTERING]]
        # Rules leave only where the value has fallen since they last did, or the bound has risen, so that it cannot
        # cycle.
        distance = solution.value - self.bound
        if len(active) > N_ACTIVE and (
            solution.value < (1 - 1e-4) * self.purged_at or distance < (1 - LEAVING) * self.purged_distance
        ):
            self.purged_at, self.purged_distance = solution.value, distance
            order = np.argsort(np.where(solution.taken > NEGATIVE_COST, -np.inf, reduced[active]), kind="stable")
            pool.active[active[order[N_ACTIVE:]]] = False
        pool.active[entering] = True
        return len(entering)

    def _shrink(self, duals: Duals) -> None:
        """Forget rules that are not active where the pool has become too large for the memory."""
        pool = self.pool
        if len(pool) > pool.capacity:
            places, reduced = np.flatnonzero(~pool.active), pool.reduced_costs(duals)
            spare = max(0, pool.capacity // 2 - int(pool.active.sum()))
            kept = places[np.argsort(reduced[places], kind="stable")[:spare]]
            pool.keep(np.sort(np.concatenate([np.flatnonzero(pool.active), kept])))

    def _iter_price(self, solution: MasterSolution, active: NDArray[np.int64]) -> Searching[int]:
        """Add rules with a negative reduced cost; return how many there were."""
        duals, below, added = solution.duals, negative_below(solution), 0
        for share in self._shares(solution) if self.quick and not self.stopped else ():
            # Where duals jump, those on the way from proven ones find better rules: what costs less than nothing there
            # does so at the duals themselves, since nothing does at proven ones. And if nothing does, they are proven.
            between = duals.mixed(require(self.proven), share) if share else duals
            searched = yield from self._iter_search(between, below, max_work=QUICK_WORK)
            self.quick = searched.complete
            added = self.pool.add(searched.rules, active=True)
            if not self.quick or added or self.stopped:
                break
        if self.quick and not self.stopped:
            return added
        support = [self.pool.rules[place] for place in active[solution.taken > NEGATIVE_COST].tolist()]
        shorter = [rule[:place] + rule[place + 1 :] for rule in support for place in range(len(rule))]
        for width in WIDTHS if self.problem.method != "published" else ():
            if added or self.stopped or self.budget.is_over:
                break
            priced = beam_search(
                self.table,
                duals.coefficients,
                duals.price,
                self.problem.longest,
                below=below,
                width=width,
                keep=N_NEW,
                seeds=list(dict.fromkeys(support + shorter)),
            )
            patterns, literals = self.table.literals.shape
            self.budget.spend(calls=2000, products=8 * width * self.problem.longest * patterns * literals)
            added = self.pool.add(priced.rules, active=True)
        if not added and not self.stopped and not self.budget.is_over:
            added = yield from self._iter_settle(solution)
        return added

    def _shares(self, solution: MasterSolution) -> tuple[float, ...]:
        """Return how far towards the proven duals new rules are looked for, in turn, as long as there are none."""
        near = solution.value - self.bound < NEAR_BOUND * (1 + abs(solution.value))
        return (0.0,) if self.proven is None or near else (*BETWEEN, 0.0)

    def _is_stuck(self) -> bool:
        """Say whether many rounds have brought next to nothing, which is the rule long before the end of all rounds."""
        rounds = QUICK_STUCK_ROUNDS if self.quick else STUCK_ROUNDS
        if len(self.path) - self.settled_at <= rounds:
            return False
        before, now = self.path[-1 - rounds].lp_value, self.path[-1].lp_value
        return before - now < STUCK_SHARE * before

    def _iter_settle(self, solution: MasterSolution, *, max_work: float = math.inf) -> Searching[int]:
        """Prove that no rule is left, or find some; else prove what can be proven at higher prices of complexity."""
        self.settled_at = len(self.path)
        duals, below, half = solution.duals, negative_below(solution), self.pricing_limit / 2
        if self.problem.asks_scip:
            searched = yield from self._iter_scip(duals, below, limit=self.pricing_limit)
            return self.pool.add(searched.rules, active=True)
        searched = yield from self._iter_search(duals, below, max_work=max_work, limit=half)
        may_ask_scip = self.problem.method == "auto" and is_for_scip(self.table)
        if not searched.complete and not searched.rules and may_ask_scip:
            searched = yield from self._iter_scip(duals, below, limit=half)
        for factor in () if searched.complete or searched.rules else PRICE_MULTIPLES:
            dearer, limit = duals.raised(factor * max(duals.price, 1.0)), half / len(PRICE_MULTIPLES)
            if not (yield from self._iter_search(dearer, below, max_work=max_work / 2, limit=limit)).complete:
                break
        return self.pool.add(searched.rules, active=True)

    def _iter_search(
        self, duals: Duals, below: float, *, max_work: float, limit: float = math.inf
    ) -> Searching[PricingEnd]:
        """Search exactly, and keep the bound that follows."""
        search = iter_exact_search(
            self.table,
            self.blocks,
            duals.coefficients,
            duals.price,
            self.problem.longest,
            below=below,
            keep=N_NEW,
            max_work=max_work,
            budget=self.budget.part(limit),
        )
        while True:
            try:
                next(search)
            except StopIteration as end:
                searched = end.value
                break
            yield from self._iter_show(f"Round {len(self.path) + 1}, looking for rules that are left")
            if self.stopped:
                searched = PricingEnd((), np.zeros(0), -math.inf, False)
                break
        self._prove(duals, searched.proven_price(duals.price))
        return searched

    def _iter_scip(self, duals: Duals, below: float, *, limit: float) -> Searching[PricingEnd]:
        """Search with SCIP, and keep the bound that follows."""
        events = iter_scip_search(self.table, duals, self.problem.longest, below=below, budget=self.budget.part(limit))
        while True:
            try:
                events.send(STOP) if self.stopped else next(events)
            except StopIteration as end:
                self._prove(duals, end.value.proven_price(duals.price))
                return end.value
            yield from self._iter_show(f"Round {len(self.path) + 1}, looking for rules that are left")

    def _prove(self, duals: Duals, price: float | None) -> None:
        """Take over a price at which no reduced cost is negative, where its bound is the best so far."""
        if price is not None:
            proven = duals.raised(price)
            if self.proven is None or proven.value > self.proven.value:
                self.proven = proven

    def _is_closed(self, solution: MasterSolution) -> bool:
        # A search stops short of reduced costs within the tolerance, for which the price rises by a share of it.
        near = SOLVED * (1 + abs(solution.value)) + self.problem.max_complexity * NEGATIVE_COST
        return self.proven is not None and self.bound >= solution.value - near

    def _iter_show(self, what: str) -> Searching[None]:
        """Yield progress, not more often than people can read."""
        if self.budget.spent - self.shown_at >= PROGRESS_EVERY:
            self.shown_at = self.budget.spent
            self.stopped |= (yield Progress(what, self.budget.steps(TOTAL), TOTAL)) is STOP

    def _iter_end_round(self, solution: MasterSolution, active: NDArray[np.int64]) -> Searching[None]:
        self.budget.spend(calls=400, elements=400 * self.problem.rows.n_cells)
        better = self.rounder.improve(self.pool, active, solution.taken)
        this = Round(len(self.path) + 1, len(self.pool), solution.value, self.bound, self.rounder.loss)
        self.path.append(this)
        figures = {
            "round": float(this.round),
            "columns": float(this.n_columns),
            "lp": this.lp_value,
            "bound": this.bound,
            "incumbent": this.incumbent,
        }
        self.stopped |= (yield Incumbent("round", figures, best=better)) is STOP

    def _generated(self, solution: MasterSolution, kept: RuleColumns | None) -> GeneratedRules:
        closed = self._is_closed(solution)
        columns = self.pool.columns(np.arange(len(self.pool)))
        if kept is not None:
            columns = columns.joined(kept)
        columns = columns.joined(RuleColumns.of(self.rounder.rules, self.problem.rows))
        place = {rule: index for index, rule in enumerate(columns.rules)}
        duals = require(self.proven) if closed else solution.duals
        reduced = duals.reduced_costs(columns.covers, columns.costs)
        rise = max(0.0, float((-reduced / columns.costs).max(initial=0.0)))
        duals = duals.raised(duals.price + rise)
        return GeneratedRules(
            columns=columns,
            lp_value=solution.value,
            bound=min(self.bound, solution.value),
            closed=closed,
            reduced_costs=np.maximum(reduced + rise * columns.costs, 0.0),
            dual_bound=duals.value,
            duals=duals,
            n_rounds=len(self.path),
            path=tuple(self.path),
            status=self._status(closed),
            rounded=tuple(place[rule] for rule in self.rounder.rules),
            incumbent=self.rounder.loss,
            excess=solution.excess,
        )

    def _status(self, closed: bool) -> Status:
        if closed:
            return "closed"
        if self.stopped:
            return "stopped"
        return "work_limit" if self.budget.is_over else "gap"


def negative_below(solution: MasterSolution) -> float:
    """Return what a reduced cost must be below to count as negative."""
    return -NEGATIVE_COST * (1 + abs(solution.value) / 1000)


# Rounds at central duals, for large tables and short rules, where a search is quick and the simplex method is not.
#
# Each round solves the relaxation over the active rules by an interior point method, no nearer than is worth while, and
# searches exactly at its duals. Where the bound does not rise there, it is looked for on the way to the proven duals:
# the bound is concave on it.

FEWEST_CELLS: Final = 10_000
"""Tables with fewer cells are left to the simplex method."""
MOST_MULTIPLICATIONS: Final = 5e8
"""Multiplications of a search, at most: where it takes longer than the simplex method, nothing is gained."""
N_BEGINNING: Final = 200
"""Rules that it begins with."""
N_CENTRAL: Final = 450
"""Active rules that stay whatever they are worth, those of least reduced cost."""
MOST_CENTRAL: Final = 1000
"""Active rules beyond which the others leave also where the bound has come no nearer."""
N_ENTERING_CENTRAL: Final = 150
"""Rules of the pool that enter in a round, at most."""
USED: Final = 1e-3
"""Rules with such a share stay."""
FIRST_DISTANCE: Final = 0.3
"""How far from proven duals the bound is first looked for."""
N_BETWEEN: Final = 4
"""How often it is looked for in a round."""
COST_DIGITS: Final = 6
"""Digits of reduced costs by which rules are compared."""


class CentralRounds(Rounds):
    """Rounds that begin at central duals where the table is large, and go on at vertices."""

    prices: Prices | None = None
    share = FIRST_DISTANCE

    def iter_run(self, start: RoundsStart) -> Searching[GeneratedRules]:
        """Run all rounds; see `RoundsStart`."""
        if self.stopped or self.problem.asks_scip or not self._is_for_centre():
            return (yield from super().iter_run(start))
        self._begin(start)
        pool, shares = self.pool, dict[tuple[int, ...], float]()
        if not len(pool):
            nothing, _ = require(self._solve(np.zeros(0, dtype=np.int64)))
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
            yield from self._iter_show(f"Round {len(self.path) + 1}, {len(pool):,} rules")
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

    def _iter_begin_at(self, prices: Prices) -> Searching[None]:
        """Begin at prices that were central among shorter rules, with the rules that are worth most there."""
        duals, pool = Interior(self.master).duals(prices), self.pool
        searched = yield from self._iter_search(duals, 0.0, max_work=QUICK_WORK)
        pool.add(searched.rules, active=True)
        pool.active[np.argsort(np.round(pool.reduced_costs(duals), COST_DIGITS), kind="stable")[:N_BEGINNING]] = True
        self.prices = prices if searched.complete else None

    def _is_for_centre(self) -> bool:
        rows, blocks = self.problem.rows, self.blocks
        if rows.n_cells < FEWEST_CELLS or self.problem.objective != "hamming" or not rows.labels.any():
            return False
        return blocks is not None and blocks.work(rows.n_cells) <= MOST_MULTIPLICATIONS

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
        return self.prices.raised(require(self.proven).price * self.problem.max_complexity)

    def _generated(self, solution: MasterSolution, kept: RuleColumns | None) -> GeneratedRules:
        return replace(super()._generated(solution, kept), prices=self._proven_prices())

    def _iter_bound(self, central: Central) -> Searching[None]:
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
        reduced = np.round(pool.reduced_costs(solution.duals), COST_DIGITS)
        used = solution.taken > USED
        order = active[np.argsort(np.where(used, -math.inf, reduced[active]), kind="stable")]
        entering = np.flatnonzero((reduced < 0) & ~pool.active)
        distance = solution.value - self.bound
        if distance < (1 - LEAVING) * self.purged_distance or len(active) > MOST_CENTRAL:
            self.purged_distance = distance
            pool.active[order[max(N_CENTRAL, int(used.sum())) :]] = False
        pool.active[entering[np.argsort(reduced[entering], kind="stable")[:N_ENTERING_CENTRAL]]] = True
