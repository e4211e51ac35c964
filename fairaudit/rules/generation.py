"""Column generation: find rules until none can improve the relaxation of the master problem, or time is up.

Each round solves the relaxation over the active rules, lets in rules of the pool whose reduced cost is negative, and
looks for new ones: by the exact search where it is quick, else by the beam search, and by the exact search without haste
where the beam finds nothing. Where an exact search ends without a rule, the relaxation is solved over all rules.

Before that a bound follows from the Lagrangian relaxation: at a price of complexity at which an exact search proves that
no reduced cost is negative, the dual objective bounds the relaxation from below.

Large tables are sampled first, and the rules found there are the start on all rows. For the 0-1 objective the Hamming form
comes first: its relaxation, which is far closer to its integer optimum, leads to better rules.
"""

from __future__ import annotations

import math
import time
from collections.abc import Generator
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from fairaudit.events import STOP, Command, Incumbent, Progress
from fairaudit.rules.duals import Duals
from fairaudit.rules.exact_pricing import Searched, iter_search
from fairaudit.rules.generated import Generated, Round
from fairaudit.rules.master import Master, MasterSolution
from fairaudit.rules.pool import ColumnPool
from fairaudit.rules.pricing import LiteralTable, beam_search
from fairaudit.rules.problem import Problem, RuleColumns
from fairaudit.rules.rounding import Rounder
from fairaudit.rules.sampling import MOST_CELLS, sampled_rows
from fairaudit.rules.scip_pricing import is_for_scip, iter_scip_search
from fairaudit.rules.warm_start import mine_rules

__all__ = ["Generated", "Round", "iter_generate"]

Event = Progress | Incumbent
Rules = tuple[tuple[int, ...], ...]

TOLERANCE: Final = 1e-6
"""A reduced cost is negative below minus this share of the objective's thousandth, and at least of 1."""
CLOSE: Final = 1e-6
"""The relaxation is solved where bound and value differ by this share at most."""
N_NEW: Final = 100
"""Rules that a search adds to the pool, at most."""
N_ENTERING: Final = 60
"""Rules of the pool that enter the linear program at once, at most."""
FEW_ENTERING: Final = 15
"""Where no more of the pool enter, new ones are looked for at once."""
DEARER: Final = (8.0, 4.0, 2.0)
"""Multiples of the price of complexity at which a bound is looked for where the search at the price itself is too long."""
N_ACTIVE: Final = 250
"""Rules of the linear program; those beyond leave when its value has fallen."""
QUICK_WORK: Final = 6e9
"""Multiplications of an exact search that is done in every round."""
WIDTHS: Final = (12, 48)
"""Widths of the beam; the next one is taken where the one before finds nothing."""
BEFORE: Final = 0.5
"""The share of the time for what comes before: the sample, or the Hamming form."""
TELL_EVERY_S: Final = 0.4


def iter_generate(
    problem: Problem,
    *,
    time_limit: float,
    pricing_time_limit: float,
    start: RuleColumns | None = None,
    random_state: int | None = None,
) -> Generator[Event, Command | None, Generated]:
    """Generate rules.

    Parameters
    ----------
    problem : Problem
        What is asked.
    time_limit : float
        Seconds on the clock.
    pricing_time_limit : float
        Seconds of one exact search.
    start : RuleColumns, optional
        Rules to start from; by default rules are mined from trees.
    random_state : int, optional
        Seed of the trees, of rounding and of sampling; None stands for 0.

    Yields
    ------
    Progress or Incumbent
        Progress in seconds of the time limit; ``Incumbent("round")`` with the figures ``round``, ``columns``, ``lp``,
        ``bound`` and ``incumbent`` after each round, `best` where the rule set has become better.

    Returns
    -------
    Generated
        What was found. STOP sent in ends it as time does.

    Notes
    -----
    Nothing depends on the clock but when it ends: without a time limit in its way, a result repeats exactly.
    """
    seed, begun = random_state or 0, time.monotonic()
    before = None
    if problem.rows.n_cells > MOST_CELLS:
        before = replace(problem, rows=sampled_rows(problem.rows, seed))
    elif problem.objective == "zero_one" and start is None:
        before = replace(problem, objective="hamming")
    if before is not None:
        events = iter_generate(
            before,
            time_limit=BEFORE * time_limit,
            pricing_time_limit=BEFORE * pricing_time_limit,
            start=None if start is None else RuleColumns.of(start.rules, before.rows),
            random_state=seed,
        )
        generated, stopped = yield from _iter_silent(events)
        best = np.argsort(generated.reduced_costs, kind="stable")
        found = tuple(generated.columns.rules[place] for place in best.tolist())
    else:
        found, stopped = (mine_rules(problem, seed, time_limit / 4) if start is None else ()), False
    generation = _Generation(problem, begun, time_limit, pricing_time_limit, seed)
    generation.stopped = stopped
    return (yield from generation.iter_run(start, found))


def _iter_silent(
    events: Generator[Event, Command | None, Generated],
) -> Generator[Event, Command | None, tuple[Generated, bool]]:
    """Pass on progress only: the figures of another problem would mislead. Say whether it was stopped."""
    command, stopped = None, False
    while True:
        try:
            event = events.send(command)
        except StopIteration as end:
            return end.value, stopped
        command = None
        if isinstance(event, Progress):
            command = yield event
            stopped |= command is STOP


class _Generation:
    """What the rounds share."""

    def __init__(self, problem: Problem, begun: float, time_limit: float, pricing_time_limit: float, seed: int) -> None:
        self.problem, self.begun = problem, begun
        self.time_limit, self.pricing_time_limit = time_limit, pricing_time_limit
        self.stopped, self.told = False, -math.inf
        self.master = Master(problem)
        self.table = LiteralTable.of(problem.rows)
        self.pool = ColumnPool(problem.rows, self.master)
        self.rounder = Rounder(problem, seed)
        self.path: list[Round] = []
        self.proven: Duals | None = None
        self.purged_at, self.quick = math.inf, True

    @property
    def left(self) -> float:
        """Seconds left."""
        return self.time_limit - (time.monotonic() - self.begun)

    @property
    def bound(self) -> float:
        """The best bound so far."""
        return max(0.0, self.proven.value) if self.proven is not None else 0.0

    def iter_run(self, start: RuleColumns | None, found: Rules) -> Generator[Event, Command | None, Generated]:
        """Run all rounds, from rules that stay whatever they are worth, and from rules that may go."""
        self.pool.add(() if start is None else start.rules, active=False)
        self.pool.add(found[: self.pool.capacity], active=False)
        solution, active = self._solve(np.flatnonzero(self.pool.active))
        while True:
            entering = self._enter(solution, active)
            added = 0
            if entering <= FEW_ENTERING:
                yield from self._iter_tell(f"Round {len(self.path) + 1}: {len(self.pool):,} rules")
                added = yield from self._iter_price(solution, active)
                yield from self._iter_end_round(solution, active)
            closed = self._is_closed(solution)
            if self.stopped or self.left <= 0 or closed or not entering + added:
                return self._generated(solution, closed, start)
            self._shrink(solution.duals)
            new = np.flatnonzero(self.pool.active)
            solved = self._solve(new)
            if solved is None:
                return self._generated(solution, closed, start)
            solution, active = solved

    def _solve(self, active: NDArray[np.int64]) -> tuple[MasterSolution, NDArray[np.int64]] | None:
        """Solve over some rules; None where time ran out meanwhile."""
        pool = self.pool
        limit = max(self.left, 1.0)
        solution = self.master.solve(pool.covers[active], pool.costs[active], pool.tallies[active], time_limit=limit)
        return None if solution is None else (solution, active)

    def _enter(self, solution: MasterSolution, active: NDArray[np.int64]) -> int:
        """Choose the active rules of the next round: those of the pool that help come in, the worst may go."""
        pool, reduced = self.pool, self.pool.reduced_costs(solution.duals)
        entering = np.flatnonzero((reduced < -_tolerance(solution)) & ~pool.active)
        entering = entering[np.argsort(reduced[entering], kind="stable")[:N_ENTERING]]
        # Rules leave only where the value has fallen since they last did, so that it cannot cycle.
        if len(active) > N_ACTIVE and solution.value < self.purged_at - 1e-4 * abs(self.purged_at):
            self.purged_at = solution.value
            order = np.argsort(np.where(solution.taken > TOLERANCE, -np.inf, reduced[active]), kind="stable")
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

    def _iter_price(self, solution: MasterSolution, active: NDArray[np.int64]) -> Generator[Event, Command | None, int]:
        """Add rules with a negative reduced cost; return how many there were."""
        duals, below, added = solution.duals, -_tolerance(solution), 0
        if self.quick and not self.stopped:
            searched = yield from self._iter_search(duals, below, max_work=QUICK_WORK)
            self.quick = searched.complete
            added = self.pool.add(searched.rules, active=True)
            if searched.complete:
                return added
        support = [self.pool.rules[place] for place in active[solution.taken > TOLERANCE].tolist()]
        shorter = [rule[:place] + rule[place + 1 :] for rule in support for place in range(len(rule))]
        for width in WIDTHS:
            if added or self.stopped or self.left <= 0:
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
            added = self.pool.add(priced.rules, active=True)
        if not added and not self.stopped and self.left > 0:
            added = yield from self._iter_settle(duals, below)
        return added

    def _iter_settle(self, duals: Duals, below: float) -> Generator[Event, Command | None, int]:
        """Prove that no rule is left, or find one; else prove what can be proven at higher prices of complexity."""
        half = self.pricing_time_limit / 2
        searched = yield from self._iter_search(duals, below, time_limit=half)
        if not searched.complete and not searched.rules and is_for_scip(self.table):
            searched = yield from self._iter_scip(duals, below, time_limit=half)
        for factor in () if searched.complete or searched.rules else DEARER:
            dearer = duals.raised(factor * max(duals.price, 1.0))
            if not (yield from self._iter_search(dearer, below, time_limit=half / len(DEARER))).complete:
                break
        return self.pool.add(searched.rules, active=True)

    def _iter_search(
        self, duals: Duals, below: float, *, max_work: float = math.inf, time_limit: float = math.inf
    ) -> Generator[Event, Command | None, Searched]:
        """Search exactly, and keep the bound that follows."""
        search = iter_search(
            self.table,
            duals.coefficients,
            duals.price,
            self.problem.longest,
            below=below,
            keep=N_NEW,
            max_work=max_work,
            time_limit=min(time_limit, self.left),
        )
        while True:
            try:
                next(search)
            except StopIteration as end:
                searched = end.value
                break
            yield from self._iter_tell(f"Round {len(self.path) + 1}: looking for any rule that is left")
            if self.stopped:
                searched = Searched((), np.zeros(0), -math.inf, False)
                break
        self._prove(duals, searched.proven_price(duals.price))
        return searched

    def _iter_scip(
        self, duals: Duals, below: float, *, time_limit: float
    ) -> Generator[Event, Command | None, Searched]:
        """Search with SCIP, and keep the bound that follows."""
        limit = max(0.0, min(time_limit, self.left))
        events = iter_scip_search(self.table, duals, self.problem.longest, below=below, time_limit=limit)
        while True:
            try:
                events.send(STOP) if self.stopped else next(events)
            except StopIteration as end:
                self._prove(duals, end.value.proven_price(duals.price))
                return end.value
            yield from self._iter_tell(f"Round {len(self.path) + 1}: looking for any rule that is left")

    def _prove(self, duals: Duals, price: float | None) -> None:
        """Take over a price at which no reduced cost is negative, where its bound is the best so far."""
        if price is not None:
            proven = duals.raised(price)
            if self.proven is None or proven.value > self.proven.value:
                self.proven = proven

    def _is_closed(self, solution: MasterSolution) -> bool:
        return self.proven is not None and self.bound >= solution.value - CLOSE * (1 + abs(solution.value))

    def _iter_tell(self, what: str) -> Generator[Event, Command | None, None]:
        """Yield progress, not more often than people can read."""
        now = time.monotonic()
        if now - self.told < TELL_EVERY_S:
            return
        self.told = now
        timed = math.isfinite(self.time_limit)
        total = math.ceil(self.time_limit) if timed else 1
        done = min(int(now - self.begun), total) if timed else 0
        self.stopped |= (yield Progress(what, done, total)) is STOP

    def _iter_end_round(
        self, solution: MasterSolution, active: NDArray[np.int64]
    ) -> Generator[Event, Command | None, None]:
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

    def _generated(self, solution: MasterSolution, closed: bool, start: RuleColumns | None) -> Generated:
        columns = self.pool.columns(np.arange(len(self.pool)))
        if start is not None:
            columns = columns.joined(start)
        columns = columns.joined(RuleColumns.of(self.rounder.rules, self.problem.rows))
        place = {rule: index for index, rule in enumerate(columns.rules)}
        duals = self.proven if closed else solution.duals
        reduced = duals.reduced_costs(columns.covers, columns.costs)
        rise = max(0.0, float((-reduced / columns.costs).max(initial=0.0)))
        duals = duals.raised(duals.price + rise)
        return Generated(
            columns=columns,
            lp_value=solution.value,
            bound=min(self.bound, solution.value),
            closed=closed,
            reduced_costs=np.maximum(reduced + rise * columns.costs, 0.0),
            dual_bound=duals.value,
            duals=duals,
            n_rounds=len(self.path),
            path=tuple(self.path),
            status="closed" if closed else "stopped" if self.stopped else "time_limit",
            rounded=tuple(place[rule] for rule in self.rounder.rules),
            incumbent=self.rounder.loss,
            excess=solution.excess,
        )


def _tolerance(solution: MasterSolution) -> float:
    return TOLERANCE * (1 + abs(solution.value) / 1000)
