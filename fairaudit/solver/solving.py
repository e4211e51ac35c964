"""Solve a model in a thread of its own, and yield events."""

from __future__ import annotations

import math
from collections.abc import Generator, Sequence
from typing import Any, Final

from fairaudit.events import STOP, Command, Incumbent, Progress
from fairaudit.solver.outcomes import Limits, Solved
from fairaudit.solver.work import Work

PATIENCE_S: Final = 1.0
"""How long to wait for a solve that was interrupted: SCIP does not look up before a linear program is solved."""

TICK_S: Final = 0.05
PROGRESS_EVERY_S: Final = 0.4
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
    The search takes Python's lock only when a solution is found or the bound rises, a few times a second. A linear
    program cannot be interrupted: where one takes longer than `PATIENCE_S`, the thread is left to end by itself and
    to free the model, and the solutions that were found before are returned.
    """
    limits = limits or Limits()
    _limit(model, limits)
    work = Work(model, variables)
    timed = limits.time_s < math.inf
    total = math.ceil(min(limits.time_s, 1e6)) if timed else 1
    work.start()
    shown_s = 0.0
    try:
        command = yield Progress(what, 0, total)
        while work.is_alive() and command is not STOP:
            news = work.watch.news()
            if news is not None:
                command = yield Incumbent("solution", _figures(work.watch, work.seconds), best=news)
            if command is not STOP and work.seconds - shown_s >= PROGRESS_EVERY_S:
                shown_s = work.seconds
                command = yield Progress(what, min(int(shown_s), total) if timed else 0, total)
            work.join(TICK_S)
    finally:
        # Also where the generator is closed or an error passes through.
        work.interrupt(PATIENCE_S)
    solved = work.given_up() if work.is_alive() else work.result()
    if len(solved.solutions):
        yield Incumbent("solution", _figures(solved, solved.seconds), best=True)
    return solved


def _limit(model: Any, limits: Limits) -> None:
    model.setParam("limits/time", min(max(limits.time_s, 0.0), 1e20))
    model.setParam("limits/gap", limits.gap)
    model.setParam("limits/memory", limits.memory_mb)
    model.setParam("limits/nodes", -1 if limits.nodes is None else limits.nodes)
    model.setParam("randomization/randomseedshift", limits.seed % LARGEST_SEED)


def _figures(state: Any, seconds: float) -> dict[str, float]:
    return {"objective": state.objective, "bound": state.bound, "seconds": seconds}
