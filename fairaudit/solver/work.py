"""The thread that solves a model, and the events on the way."""

from __future__ import annotations

import contextlib
import math
import queue
import threading
from collections.abc import Sequence
from functools import cache
from typing import Any, Final

import numpy as np

from fairaudit.errors import SolverError
from fairaudit.solver.outcomes import Solved, Status

STATUSES: Final[dict[str, Status]] = {
    "optimal": "optimal",
    "gaplimit": "gap",
    "nodelimit": "node_limit",
    "memlimit": "memory_limit",
    "infeasible": "infeasible",
}
"""From SCIP's words to ours."""

TICK_S: Final = 0.05

APART_S: Final = 0.05
"""Seconds of work between two bounds that are shown."""

ITERATION_S: Final = 1e-4
ENTRY_S: Final = 5e-8
"""What an iteration of the simplex method takes, and for each row and column of its program."""

NODE_S: Final = 1.5e-3
"""What a node of the search tree takes beside its linear programs."""

ROUND_S: Final = 2e-5
"""What a round of presolving takes for each row and column of the model."""


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
        model.includeEventhdlr(self.watch, "watch", "notes solutions and bounds, and counts work")
        self.moments: queue.SimpleQueue[bool | None] = self.watch.moments
        self.failure: Exception | None = None
        self.lock = threading.Lock()
        self.ended = self.left_alone = False

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
        self.moments.put(None)

    def may_be_freed(self) -> bool:
        """Say whether the solve has ended; if not, the thread frees the model."""
        with self.lock:
            self.left_alone = not self.ended
            return self.ended

    def interrupt(self, patience_s: float) -> None:
        """Interrupt until the solve has ended, or patience has."""
        self.watch.waits = False
        for _ in range(math.ceil(patience_s / TICK_S)):
            if not self.is_alive():
                break
            # In passing from one stage to the next SCIP cannot be interrupted, and forgets what came before.
            with contextlib.suppress(Exception):
                self.model.interruptSolve()
            self.watch.seen.set()
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
            STATUSES.get(word, "work_limit" if self.watch.is_over else "stopped"),
            _bound(model),
            objectives,
            solutions,
            int(model.getNTotalNodes()),
        )

    def not_begun(self) -> Solved:
        """Return that there was no work left."""
        self.ended = True
        return self._solved("work_limit", self.watch.bound, [], [], 0)

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
            self.moments: queue.SimpleQueue[bool | None] = queue.SimpleQueue()
            self.seen, self.waits = threading.Event(), True
            self.shown_at = 0.0
            self.iterations = self.nodes = 0
            self.is_over = False

        def eventinit(self) -> None:
            for kind in (
                SCIP_EVENTTYPE.BESTSOLFOUND,
                SCIP_EVENTTYPE.DUALBOUNDIMPROVED,
                SCIP_EVENTTYPE.PRESOLVEROUND,
                SCIP_EVENTTYPE.LPSOLVED,
                SCIP_EVENTTYPE.NODESOLVED,
            ):
                self.model.catchEvent(kind, self)

        def eventexec(self, event: Any) -> None:
            kind = event.getType()
            if kind not in (SCIP_EVENTTYPE.BESTSOLFOUND, SCIP_EVENTTYPE.DUALBOUNDIMPROVED):
                self._count(kind)
                return
            self.bound = _bound(self.model)
            if kind == SCIP_EVENTTYPE.BESTSOLFOUND:
                # The primal bound is still that of the solution before; the new one already leads the store.
                best = self.model.getBestSol()
                self.objective = self.model.getSolObjVal(best)
                self.found.append((self.objective, _values(self.model, best, self.variables)))
                self._show(is_better=True)
            elif self.model.budget.spent - self.shown_at >= APART_S:
                self._show(is_better=False)

        def _show(self, *, is_better: bool) -> None:
            """Wait until the caller has seen what is new, so that neither depends on which of both is faster."""
            self.shown_at = self.model.budget.spent
            if self.waits:
                self.moments.put(is_better)
                self.seen.wait()
                self.seen.clear()

        def _count(self, kind: Any) -> None:
            """Count the work since the last event, and end the solve where no more is allowed."""
            model = self.model
            if kind == SCIP_EVENTTYPE.PRESOLVEROUND:
                work = ROUND_S * (model.getNVars() + model.getNConss())
            else:
                iterations, nodes = model.getNLPIterations(), model.getNTotalNodes()
                each = ITERATION_S + ENTRY_S * (model.getNLPRows() + model.getNLPCols())
                work = each * (iterations - self.iterations) + NODE_S * (nodes - self.nodes)
                self.iterations, self.nodes = iterations, nodes
            model.budget.spend(seconds=work)
            if model.budget.is_over:
                self.is_over = True
                model.interruptSolve()

    return Watch


def _values(model: Any, solution: Any, variables: Sequence[Any]) -> list[float]:
    return [model.getSolVal(solution, variable) for variable in variables]


def _bound(model: Any) -> float:
    bound = model.getDualbound()
    return math.copysign(math.inf, bound) if abs(bound) >= model.infinity() else bound
