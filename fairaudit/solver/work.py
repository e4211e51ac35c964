"""The thread that solves a model, and the events on the way."""

from __future__ import annotations

import contextlib
import math
import threading
import time
from collections.abc import Sequence
from functools import cache
from typing import Any, Final

import numpy as np

from fairaudit.errors import SolverError
from fairaudit.solver.outcomes import Solved, Status

STATUSES: Final[dict[str, Status]] = {
    "optimal": "optimal",
    "gaplimit": "gap",
    "timelimit": "time_limit",
    "nodelimit": "node_limit",
    "memlimit": "memory_limit",
    "userinterrupt": "stopped",
    "infeasible": "infeasible",
}
"""From SCIP's words to ours."""

TICK_S: Final = 0.05


class Work(threading.Thread):
    """Solves a model, and frees it when its caller no longer waits.

    Parameters
    ----------
    model : pyscipopt.Model
        From ``new_model``.
    variables : sequence of pyscipopt.Variable
        Those whose values are wanted.
    """

    def __init__(self, model: Any, variables: Sequence[Any]):
        super().__init__(name="scip", daemon=True)
        self.model, self.variables = model, tuple(variables)
        model.work = self
        minimised = model.getObjectiveSense() == "minimize"
        self.watch = _watch_class()(self.variables, -math.inf if minimised else math.inf)
        model.includeEventhdlr(self.watch, "watch", "notes solutions and bounds")
        self.begun = time.monotonic()
        self.failure: Exception | None = None
        self.lock = threading.Lock()
        self.ended = self.left_alone = False

    @property
    def seconds(self) -> float:
        """Seconds since it began."""
        return time.monotonic() - self.begun

    def run(self) -> None:
        """Solve; called by ``start``."""
        try:
            self.model.optimizeNogil()
        except Exception as failure:  # noqa: BLE001 - PySCIPOpt raises plain Exception; `result` raises it again
            self.failure = failure
        with self.lock:
            self.ended = True
            if self.left_alone:
                self.model.free()

    def may_be_freed(self) -> bool:
        """Say whether the solve has ended; if not, the thread frees the model."""
        with self.lock:
            self.left_alone = not self.ended
            return self.ended

    def interrupt(self, patience_s: float) -> None:
        """Interrupt until the solve has ended, or patience has."""
        until = time.monotonic() + patience_s
        while self.is_alive() and time.monotonic() < until:
            # In passing from one stage to the next SCIP cannot be interrupted, and forgets what came before.
            with contextlib.suppress(Exception):
                self.model.interruptSolve()
            self.join(TICK_S)

    def result(self) -> Solved:
        """Return how the solve ended."""
        if self.failure is not None:
            raise SolverError(f"SCIP gave up: {self.failure}") from self.failure
        model, word = self.model, self.model.getStatus()
        if word in ("unbounded", "inforunbd"):
            raise SolverError("The model has no finite optimum.", hint="Bound its variables or its objective.")
        found = model.getSols()
        objectives = [model.getSolObjVal(solution) for solution in found]
        solutions = [_values(model, solution, self.variables) for solution in found]
        return self._solved(
            STATUSES.get(word, "stopped"), _bound(model), objectives, solutions, int(model.getNTotalNodes())
        )

    def given_up(self) -> Solved:
        """Return what was found before the thread was left alone."""
        objectives = [objective for objective, _ in self.watch.found[::-1]]
        solutions = [solution for _, solution in self.watch.found[::-1]]
        return self._solved("stopped", self.watch.bound, objectives, solutions, 0)

    def _solved(
        self, status: Status, bound: float, objectives: list[float], solutions: list[list[float]], n_nodes: int
    ) -> Solved:
        return Solved(
            status=status,
            objective=objectives[0] if objectives else math.nan,
            bound=bound,
            objectives=np.array(objectives, dtype=float),
            solutions=np.array(solutions, dtype=float).reshape(len(solutions), len(self.variables)),
            seconds=self.seconds,
            n_nodes=n_nodes,
        )


@cache
def _watch_class() -> type:
    from pyscipopt import SCIP_EVENTTYPE, Eventhdlr

    class Watch(Eventhdlr):
        def __init__(self, variables: Sequence[Any], bound: float) -> None:
            self.variables = variables
            self.found: list[tuple[float, list[float]]] = []
            self.objective, self.bound = math.nan, bound
            self.shown: tuple[int, float] = (0, bound)

        def eventinit(self) -> None:
            for kind in (SCIP_EVENTTYPE.BESTSOLFOUND, SCIP_EVENTTYPE.DUALBOUNDIMPROVED):
                self.model.catchEvent(kind, self)

        def eventexec(self, event: Any) -> None:
            self.bound = _bound(self.model)
            if event.getType() == SCIP_EVENTTYPE.BESTSOLFOUND:
                # The primal bound is still that of the solution before; the new one already leads the store.
                best = self.model.getBestSol()
                self.objective = self.model.getSolObjVal(best)
                self.found.append((self.objective, _values(self.model, best, self.variables)))

        def news(self) -> bool | None:
            """Say whether there is a new solution; None where the bound has not changed either."""
            before, self.shown = self.shown, (len(self.found), self.bound)
            return None if before == self.shown else self.shown[0] > before[0]

    return Watch


def _values(model: Any, solution: Any, variables: Sequence[Any]) -> list[float]:
    return [model.getSolVal(solution, variable) for variable in variables]


def _bound(model: Any) -> float:
    bound = model.getDualbound()
    return math.copysign(math.inf, bound) if abs(bound) >= model.infinity() else bound
