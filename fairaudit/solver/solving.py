"""Solve a model in a thread of its own, and yield events."""

from __future__ import annotations

import math
import queue
from collections.abc import Generator, Sequence
from typing import Any, Final

from fairaudit.events import STOP, Command, Incumbent, Progress
from fairaudit.solver.outcomes import Limits, Solved
from fairaudit.solver.work import ENTRY_S, ITERATION_S, Work
from fairaudit.work import Budget

PATIENCE_S: Final = 1.0
"""How long to wait for a solve that was interrupted: SCIP does not look up before a linear program is solved."""

PROGRESS_EVERY_S: Final = 0.4
"""Seconds between two events that say how far it is, and nothing else."""
TOTAL: Final = 100
"""Steps of a solve, for those who draw how far it is."""
LARGEST_SEED: Final = 2**31 - 1


def solve(model: Any, limits: Limits | None = None, *, variables: Sequence[Any] = ()) -> Solved:
    """Solve in one go; see `iter_solve`."""
    events = iter_solve(model, limits, variables=variables)
    while True:
        try:
            next(events)
        except StopIteration as end:
            return end.value


def iter_solve(
    model: Any, limits: Limits | None = None, *, variables: Sequence[Any] = (), what: str = "Searching"
) -> Generator[Progress | Incumbent, Command | None, Solved]:
    """Solve a model in a thread of its own, yielding how far it is.

    Notes
    -----
    The search takes Python's lock only when a linear program or a node is done. It ends itself when the work that its
    model's budget allows is done, and waits while the caller looks at a solution or a bound, so that all that is seen,
    and where it ends, is the same on each machine. Where the caller stops it between two of these, a
    linear program cannot be interrupted: where one takes longer than `PATIENCE_S`, the thread is left to end by itself
    and to free the model, and the solutions that were found before are returned.
    """
    _limit(model, limits or Limits())
    work, budget = Work(model, variables), model.budget
    if budget.is_over:
        return work.not_begun()
    work.start()
    try:
        command = yield Progress(what, budget.steps(TOTAL), TOTAL)
        while command is not STOP:
            try:
                is_better = work.moments.get(timeout=PROGRESS_EVERY_S)
            except queue.Empty:
                command = yield Progress(what, budget.steps(TOTAL), TOTAL)
                continue
            if is_better is None:
                work.join()
                break
            command = yield Incumbent("solution", _figures(work.watch, budget), best=is_better)
            if command is not STOP:
                work.watch.seen.set()
    finally:
        # Also where the generator is closed or an error passes through.
        work.interrupt(PATIENCE_S)
    solved = work.given_up() if work.is_alive() else work.result()
    if len(solved.solutions):
        yield Incumbent("solution", _figures(solved, budget), best=True)
    return solved


def _limit(model: Any, limits: Limits) -> None:
    if math.isfinite(model.budget.limit):
        # A linear program is not interrupted, so none may begin with more iterations than there is work left for.
        iteration = ITERATION_S + ENTRY_S * (model.getNVars() + model.getNConss())
        for name in ("lp/iterlim", "lp/rootiterlim"):
            model.setParam(name, int(min(model.budget.left / iteration + 1, LARGEST_SEED)))
    model.setParam("limits/gap", limits.gap)
    model.setParam("limits/memory", limits.memory_mb)
    model.setParam("limits/nodes", -1 if limits.nodes is None else limits.nodes)
    model.setParam("randomization/randomseedshift", limits.seed % LARGEST_SEED)


def _figures(state: Any, budget: Budget) -> dict[str, float]:
    return {"objective": state.objective, "bound": state.bound, "share": budget.share}
