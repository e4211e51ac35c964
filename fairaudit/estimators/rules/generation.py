"""Column generation: find rules until none can improve the relaxation of the master problem, or the work is done.

The rounds are in `rounds`, those of large tables in `central_rounds`. Still larger tables are sampled first, and the
rules found there are the start on all rows. For the 0-1 objective the Hamming form comes first: its relaxation is far
closer to its integer optimum, and leads to better rules.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from fairaudit.estimators.progress import TOTAL
from fairaudit.estimators.rules.central_rounds import CentralRounds
from fairaudit.estimators.rules.generated import Generated, Round, Rules, Start
from fairaudit.estimators.rules.interior import Prices
from fairaudit.estimators.rules.problem import Problem, RuleColumns
from fairaudit.estimators.rules.rounds import TOLERANCE
from fairaudit.estimators.rules.sampling import MOST_CELLS, sampled_rows
from fairaudit.estimators.rules.warm_start import iter_mine_rules
from fairaudit.events import STOP, Command, Incumbent, Progress
from fairaudit.work import Budget

__all__ = ["Begun", "Generated", "Round", "iter_generate", "iter_silent"]

Event = Progress | Incumbent

BEFORE: Final = 0.5
"""The share of the work for what comes before: the sample, or the Hamming form."""


def iter_generate(
    problem: Problem,
    *,
    budget: Budget,
    pricing_limit: float,
    start: RuleColumns | None = None,
    begun: Begun | None = None,
    random_state: int | None = None,
) -> Generator[Event, Command | None, Generated]:
    """Generate rules, keeping those of the start, or from new ones."""
    limits = _Limits(budget, pricing_limit, random_state or 0)
    return (yield from _iter_all(limits, problem, start, Begun() if begun is None else begun))


@dataclass(frozen=True)
class Begun:
    """What a search without a start begins with.

    Parameters
    ----------
    rules : tuple of tuple of int
        Rules that are known, and may go.
    mines : bool
        Whether trees are grown for others.
    prices : Prices, optional
        Central prices over rules that are shorter.
    """

    rules: Rules = ()
    mines: bool = True
    prices: Prices | None = None


@dataclass(frozen=True)
class _Limits:
    """When to end, and the seed."""

    budget: Budget
    pricing: float
    seed: int

    def part(self, share: float) -> _Limits:
        """Return a share of the work."""
        return replace(self, budget=self.budget.part(share * self.budget.left), pricing=share * self.pricing)


def _iter_all(
    limits: _Limits, problem: Problem, start: RuleColumns | None, begun: Begun, *, may_sample: bool = True
) -> Generator[Event, Command | None, Generated]:
    """Generate rules for what comes before, if anything does, and then for the problem itself."""
    before, now = None, Start(kept=start)
    if may_sample and problem.rows.n_cells > MOST_CELLS:
        before = replace(problem, rows=sampled_rows(problem.rows, limits.seed))
    elif problem.objective == "zero_one" and start is None:
        before = replace(problem, objective="hamming")
    stopped = False
    if before is not None:
        kept = None if start is None else RuleColumns.of(start.rules, before.rows)
        # The prices are those of the cells of all rows.
        events = _iter_all(limits.part(BEFORE), before, kept, replace(begun, prices=None), may_sample=False)
        generated, stopped = yield from iter_silent(events, limits.budget)
        now = replace(_start_from(generated, start), prices=begun.prices)
    elif start is None:
        mined: Rules = ()
        if begun.mines:
            mined, stopped = yield from _iter_mine(limits, problem)
        now = Start(found=tuple(dict.fromkeys((*begun.rules, *mined))), prices=begun.prices)
    rounds = CentralRounds(problem, limits.budget, limits.pricing, limits.seed, stopped=stopped)
    return (yield from rounds.iter_run(now))


def _iter_mine(limits: _Limits, problem: Problem) -> Generator[Event, Command | None, tuple[Rules, bool]]:
    """Return rules from trees, and whether that was stopped."""
    forests = iter_mine_rules(problem, limits.seed, limits.budget.part(limits.budget.left / 4))
    while True:
        try:
            next(forests)
        except StopIteration as end:
            return end.value, False
        if (yield Progress("Growing trees for rules to begin with", limits.budget.steps(TOTAL), TOTAL)) is STOP:
            return (), True


def _start_from(generated: Generated, kept: RuleColumns | None) -> Start:
    """Return the rules of what came before, the most useful first."""
    order, rules = np.argsort(generated.reduced_costs, kind="stable"), generated.columns.rules
    return Start(
        kept=kept,
        found=tuple(rules[place] for place in order.tolist()),
        n_active=int((generated.reduced_costs < TOLERANCE).sum()),
        rounded=tuple(rules[place] for place in generated.rounded),
    )


def iter_silent(
    events: Generator[Event, Command | None, Generated], budget: Budget
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
            command = yield Progress(event.what, budget.steps(TOTAL), TOTAL)
            stopped |= command is STOP
