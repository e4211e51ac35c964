"""Select a rule set from a pool of rules: the restricted integer problem, over few columns at a time.

The columns with the least reduced costs come first. When a solution is proven best among them, those that could be part
of a better one are added, and only solutions that take one of these are looked for, until there are none left.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from fairaudit.errors import SolverError
from fairaudit.estimators.progress import TOTAL
from fairaudit.estimators.rules.pool_pruning import KeptColumns
from fairaudit.estimators.rules.problem import Problem, RuleColumns, outcome_of
from fairaudit.estimators.rules.restricted_problem import RestrictedModel
from fairaudit.events import STOP, Command, Incumbent, Progress
from fairaudit.solver import Limits, Solved, Status, iter_solve, new_model
from fairaudit.work import Budget

Places = tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Selected:
    """What was selected from a pool.

    Parameters
    ----------
    solutions : tuple of tuple of int
        Places in the columns, the best first: every rule set seen that meets the rows of the master problem.
    objective : float
        The loss of the first, NaN where there is none.
    bound : float
        What no rule set made of the columns can be better than.
    status : str
        "optimal" where bound and objective meet; else see `fairaudit.solver.Status`.
    n_kept : int
        Columns that the integer problem held; the others were judged by their reduced costs alone.
    """

    solutions: tuple[Places, ...]
    objective: float
    bound: float
    status: Status
    n_kept: int


@dataclass(frozen=True, eq=False)
class LeastGap:
    """The rule set whose rates are nearest to each other.

    Parameters
    ----------
    gap : float
        Its largest difference, in the form that the master problem holds.
    bound : float
        What no rule set made of the columns can be below.
    solutions : tuple of tuple of int
        Places in the columns, those with the smallest gap first.
    status : str
        See `fairaudit.solver.Status`.
    """

    gap: float
    bound: float
    solutions: tuple[Places, ...]
    status: Status


def iter_select(
    problem: Problem,
    columns: RuleColumns,
    *,
    reduced_costs: NDArray[np.float64] | None = None,
    lp_bound: float = 0.0,
    budget: Budget,
    start: Iterable[Sequence[int]] = ((),),
    random_state: int | None = None,
) -> Generator[Progress | Incumbent, Command | None, Selected]:
    """Select the rules with the least loss, yielding how far it is.

    Shapes: `reduced_costs` (n_columns,).
    """
    pool = KeptColumns(problem, columns, budget)
    if (yield _progress("Weighing rules", pool)) is STOP:
        pool.add([(), *(tuple(sorted(places)) for places in start)])
        return _selected(pool, "stopped")
    pool.rank(reduced_costs, lp_bound)
    pool.take_starts(start)
    if (yield _known(pool)) is STOP:
        return _selected(pool, "stopped")
    status: Status = "work_limit"
    while not budget.is_over:
        try:
            solved = yield from _iter_solve_kept(pool, seed=random_state or 0)
        except SolverError:
            if not pool.found:
                raise
            status = "gap"
            break
        pool.learn(solved)
        if solved.status not in ("optimal", "infeasible") or pool.stopped:
            status = "stopped" if pool.stopped else solved.status
            break
        if not pool.grow():
            # All is searched. What SCIP took for its best solution was beside the constraint by a rounding.
            status = "gap"
            break
    if not pool.stopped:
        yield _known(pool)
    return _selected(pool, status)


def iter_least_gap(
    problem: Problem,
    columns: RuleColumns,
    *,
    budget: Budget,
    start: Iterable[Sequence[int]] = ((),),
    random_state: int | None = None,
) -> Generator[Progress | Incumbent, Command | None, LeastGap]:
    """Find how small the largest difference of rates can be, whatever the loss."""
    pool = KeptColumns(replace(problem, max_difference=0.0), columns, budget)
    status: Status = "stopped"
    bound = 0.0
    if (yield _progress("Weighing rules", pool)) is STOP:
        pool.add([(), *(tuple(sorted(places)) for places in start)])
    else:
        pool.rank(None, 0.0)
        pool.take_starts(start)
        status = "optimal" if pool.found else "work_limit"
        if not pool.found and not budget.is_over:
            solved = yield from _iter_solve_kept(pool, seed=random_state or 0, free_gap=True)
            pool.learn(solved)
            status, bound = solved.status, solved.bound if pool.holds_all else 0.0
    gaps = {places: _gap(problem, columns, places) for places in pool.tried}
    solutions = tuple(sorted(gaps, key=lambda places: (*gaps[places], places)))
    return LeastGap(gaps[solutions[0]][0], max(bound, 0.0), solutions, status)


def _selected(pool: KeptColumns, status: Status) -> Selected:
    solutions = tuple(sorted(pool.found, key=lambda places: (pool.found[places], places)))
    if pool.bound >= pool.loss:
        status = "optimal" if solutions else "infeasible"
    return Selected(solutions, pool.loss if solutions else math.nan, pool.bound, status, len(pool.kept))


def _gap(problem: Problem, columns: RuleColumns, places: Places) -> tuple[float, int]:
    """Return the gap that the master problem holds, and the loss."""
    outcome = outcome_of(problem, columns, places)
    return outcome.proxy_gap if problem.objective == "hamming" else outcome.gap, outcome.loss(problem)


def _iter_solve_kept(
    pool: KeptColumns, *, seed: int, free_gap: bool = False
) -> Generator[Progress | Incumbent, Command | None, Solved]:
    """Solve over the columns that are kept; figures are those of the whole search."""
    place_of = {place: index for index, place in enumerate(pool.considered.tolist())}
    with new_model("rule_set", pool.budget) as model:
        restricted = RestrictedModel(model, pool.problem, pool.columns.take(pool.considered), free_gap=free_gap)
        if len(pool.new) and pool.found:
            new = [place_of[place] for place in pool.new.tolist()]
            restricted.require_better(new, pool.loss - 0.5, pool.considered_costs, pool.spare)
        else:
            for places in pool.tried if free_gap else pool.found:
                restricted.add_start([place_of[place] for place in places])
        limits = Limits(seed=seed)
        command = None
        with closing(iter_solve(model, limits, variables=restricted.rules, what="Selecting rules")) as events:
            while True:
                try:
                    event = events.send(command)
                except StopIteration as end:
                    return end.value
                command = yield _of_gap(event) if free_gap else _of_search(event, pool)
                pool.stopped = pool.stopped or command is STOP


def _of_gap(event: Progress | Incumbent) -> Progress | Incumbent:
    """Return the event with the objective by its name: it is a difference of rates, which is not drawn with losses."""
    if isinstance(event, Progress):
        return event
    figures = {"gap" if name == "objective" else name: value for name, value in event.figures.items()}
    return Incumbent("least_gap", figures, best=event.best)


def _of_search(event: Progress | Incumbent, pool: KeptColumns) -> Progress | Incumbent:
    if isinstance(event, Progress):
        return _progress(event.what, pool)
    return _known(pool, event.figures["objective"], event.figures["bound"], better=event.best)


def _known(
    pool: KeptColumns, objective: float = math.nan, bound: float = -math.inf, *, better: bool = False
) -> Incumbent:
    """Return figures of the whole search, with those of a solve that is under way."""
    objectives = [value for value in (objective, pool.loss) if math.isfinite(value)]
    # What is proven among the first columns holds for those left out where their reduced costs say so.
    bounds = (pool.bound, min(bound, pool.outside)) if not len(pool.new) else (pool.bound,)
    figures = {
        "objective": min(objectives, default=math.nan),
        "bound": min(max(bounds), *objectives) if objectives else max(bounds),
        "share": pool.budget.share,
        "proven_columns": float(pool.n_proven),
    }
    return Incumbent("solution", figures, best=better)


def _progress(what: str, pool: KeptColumns) -> Progress:
    return Progress(what, pool.budget.steps(TOTAL), TOTAL)
