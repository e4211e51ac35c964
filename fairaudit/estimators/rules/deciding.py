"""From rules to a rule set: the integer program, and where nothing meets the constraint, the nearest there is."""

from __future__ import annotations

import math
from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from fairaudit.estimators.progress import TOTAL, iter_stage
from fairaudit.estimators.rules.final_choice import Chosen, choose
from fairaudit.estimators.rules.problem import Problem, RuleColumns, outcome_of
from fairaudit.estimators.rules.selection import Selected, iter_least_gap, iter_select
from fairaudit.events import Command, Event
from fairaudit.work import Budget

SELECTING = 0.9
"""Share of the work for the integer program; the choice among its solutions takes the rest."""

NEARING = 0.5
"""Share of that for finding the smallest difference, where none is as small as asked."""

CHOOSING_S = 10.0
"""Seconds of work that the choice may take also where no work is left: on Adult it takes up to five."""

Places = tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Decided:
    """A rule set that was decided on.

    Parameters
    ----------
    problem : Problem
        What was asked in the end: where no rule set was found that comes as near as asked, a larger difference.
    chosen : Chosen
        The rule set to use.
    solutions : tuple of tuple of int
        Places in the columns of what the integer program found, the best first.
    objective : float
        The loss of the first; that of the rule set to use where there is none.
    bound : float
        What no rule set of these columns can be better than; 0 where nothing is known.
    """

    problem: Problem
    chosen: Chosen
    solutions: tuple[Places, ...]
    objective: float
    bound: float


def decide_now(problem: Problem, columns: RuleColumns, start: Sequence[Places], budget: Budget) -> Decided:
    """Decide without an integer program, on the best that is known."""
    return _decided(problem, columns, _known(problem, columns, start), budget)


def iter_decide(
    problem: Problem,
    columns: RuleColumns,
    *,
    budget: Budget,
    start: Sequence[Places] = ((),),
    reduced_costs: NDArray[np.float64] | None = None,
    dual_bound: float = 0.0,
    seed: int = 0,
) -> Generator[Event, Command | None, Decided]:
    """Decide on a rule set."""
    selecting = budget.part(SELECTING * budget.left)
    events = iter_select(
        problem,
        columns,
        reduced_costs=reduced_costs,
        lp_bound=dual_bound,
        budget=selecting.part(),
        start=start,
        random_state=seed,
    )
    selected, stopped = yield from iter_stage(events, start=0, end=TOTAL)
    if selected.solutions or stopped:
        return _decided(problem, columns, selected, budget)
    # Two stages, as in the paper: first how near the rates can be brought, then the least loss as near as that.
    nearing = iter_least_gap(
        problem, columns, budget=selecting.part(NEARING * selecting.left), start=start, random_state=seed
    )
    nearest, stopped = yield from iter_stage(nearing, start=0, end=TOTAL)
    nearer = replace(problem, max_difference=float(nearest.gap))
    if stopped:
        return _decided(problem, columns, _known(nearer, columns, nearest.solutions), budget, nearer)
    events = iter_select(nearer, columns, budget=selecting.part(), start=nearest.solutions, random_state=seed)
    selected, _ = yield from iter_stage(events, start=0, end=TOTAL)
    return _decided(problem, columns, selected, budget, nearer)


def _known(problem: Problem, columns: RuleColumns, start: Sequence[Places]) -> Selected:
    """Return what is known without a search."""
    losses = {
        places: outcome.loss(problem)
        for places in [*start, ()]
        if (outcome := outcome_of(problem, columns, places)).fits_master(problem)
    }
    solutions = tuple(sorted(losses, key=lambda places: (losses[places], places)))
    return Selected(solutions, min(losses.values(), default=math.nan), 0.0, "stopped", 0)


def _decided(
    problem: Problem,
    columns: RuleColumns,
    selected: Selected,
    budget: Budget,
    nearer: Problem | None = None,
) -> Decided:
    """Choose among solutions, and say what was asked in the end."""
    choosing = Budget(max(budget.left, CHOOSING_S), budget)
    chosen = choose(problem, columns, selected.solutions, choosing)
    asked, bound = problem if nearer is None else nearer, selected.bound
    if not chosen.outcome.meets(problem):
        chosen = choose(asked, columns, selected.solutions, choosing)
        if not chosen.outcome.meets(asked):
            # What was proven holds for a smaller difference.
            asked, bound = replace(asked, max_difference=chosen.outcome.gap), 0.0
    objective = selected.objective if selected.solutions else chosen.outcome.loss(problem)
    return Decided(asked, chosen, selected.solutions, float(objective), bound)
