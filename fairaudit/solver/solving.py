"""Solve a model in a thread of its own, and yield events."""

from __future__ import annotations

import contextlib
import math
import queue
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final, Literal

import numpy as np
from numpy.typing import NDArray

from fairaudit.errors import NoSolutionError, SolverError
from fairaudit.events import STOP, Incumbent, Progress, Searching, returned
from fairaudit.work import Budget

if TYPE_CHECKING:
    from pyscipopt import Variable
    from pyscipopt.scip import Event as ScipEvent
    from pyscipopt.scip import Solution

    from fairaudit.solver.models import WorkedModel

# When a solve has to end, and how it ended.

Status = Literal["optimal", "gap", "work_limit", "node_limit", "memory_limit", "stopped", "infeasible"]
"""How a solve ended. All but the last can come with solutions; "gap" is as near to the optimum as was asked."""


@dataclass(frozen=True)
class SolveLimits:
    """When a solve has to end, beside the budget of its model.

    Parameters
    ----------
    gap : float
        The relative distance between solution and bound that is near enough; 0 asks for proof.
    memory_mb : float
        Megabytes that SCIP may use.
    nodes : int, optional
        Nodes of the search tree.
    seed : int
        Any integer of at least 0. The same model, seed, limits and budget give the same result.
    """

    gap: float = 0.0
    memory_mb: float = 4096.0
    nodes: int | None = None
    seed: int = 0


@dataclass(frozen=True, eq=False)
class Solved:
    """How a solve ended.

    Parameters
    ----------
    status : str
        See `Status`.
    objective : float
        Of the best solution, NaN without one.
    bound : float
        What no solution can be better than.
    objectives : ndarray of float, shape (n_solutions,)
        Of all solutions that SCIP keeps, the best first.
    solutions : ndarray of float, shape (n_solutions, n_variables)
        The values of the variables that were asked for.
    n_nodes : int
        Nodes of the search tree.
    """

    status: Status
    objective: float
    bound: float
    objectives: NDArray[np.float64]
    solutions: NDArray[np.float64]
    n_nodes: int

    @property
    def best(self) -> NDArray[np.float64]:
        """The best solution, shape (n_variables,)."""
        if not len(self.solutions):
            why = "there is none" if self.status == "infeasible" else f"it ended with {self.status!r}"
            raise NoSolutionError(f"The search has no solution: {why}.", hint="Allow more work, or ask for less.")
        return self.solutions[0]


# The thread that solves a model, and the events on the way.

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


class SolveWork(threading.Thread):
    """Solves a model, and frees it when its caller no longer waits.

    Parameters
    ----------
    model : pyscipopt.Model
        From ``new_model``.
    variables : sequence of pyscipopt.Variable
        Those whose values are wanted.
    """

    def __init__(self, model: WorkedModel, variables: Sequence[Variable]):
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
        def __init__(self, variables: Sequence[Variable], bound: float) -> None:
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

        def eventexec(self, event: ScipEvent) -> None:
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

        def _count(self, kind: object) -> None:
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


def _values(model: WorkedModel, solution: Solution, variables: Sequence[Variable]) -> list[float]:
    return [model.getSolVal(solution, variable) for variable in variables]


def _bound(model: WorkedModel) -> float:
    bound = model.getDualbound()
    return math.copysign(math.inf, bound) if abs(bound) >= model.infinity() else bound


PATIENCE_S: Final = 1.0
"""How long to wait for a solve that was interrupted: SCIP does not look up before a linear program is solved."""

PROGRESS_EVERY_S: Final = 0.4
"""Seconds between two events that say how far it is, and nothing else."""
TOTAL: Final = 100
"""Steps of a solve, for those who draw how far it is."""
LARGEST_SEED: Final = 2**31 - 1


def solve(model: WorkedModel, limits: SolveLimits | None = None, *, variables: Sequence[Variable] = ()) -> Solved:
    """Solve in one go; see `iter_solve`."""
    return returned(iter_solve(model, limits, variables=variables))


def iter_solve(
    model: WorkedModel,
    limits: SolveLimits | None = None,
    *,
    variables: Sequence[Variable] = (),
    what: str = "Searching",
) -> Searching[Solved]:
    """Solve a model in a thread of its own, yielding how far it is.

    Notes
    -----
    The search takes Python's lock only when a linear program or a node is done. It ends itself when the work that its
    model's budget allows is done, and waits while the caller looks at a solution or a bound, so that all that is seen,
    and where it ends, is the same on each machine. Where the caller stops it between two of these, a
    linear program cannot be interrupted: where one takes longer than `PATIENCE_S`, the thread is left to end by itself
    and to free the model, and the solutions that were found before are returned.
    """
    _limit(model, limits or SolveLimits())
    work, budget = SolveWork(model, variables), model.budget
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
            command = yield Incumbent(
                "solution", _figures(work.watch.objective, work.watch.bound, budget), best=is_better
            )
            if command is not STOP:
                work.watch.seen.set()
    finally:
        # Also where the generator is closed or an error passes through.
        work.interrupt(PATIENCE_S)
    solved = work.given_up() if work.is_alive() else work.result()
    if len(solved.solutions):
        yield Incumbent("solution", _figures(solved.objective, solved.bound, budget), best=True)
    return solved


def _limit(model: WorkedModel, limits: SolveLimits) -> None:
    if math.isfinite(model.budget.limit):
        # A linear program is not interrupted, so none may begin with more iterations than there is work left for.
        iteration = ITERATION_S + ENTRY_S * (model.getNVars() + model.getNConss())
        for name in ("lp/iterlim", "lp/rootiterlim"):
            model.setParam(name, int(min(model.budget.left / iteration + 1, LARGEST_SEED)))
    model.setParam("limits/gap", limits.gap)
    model.setParam("limits/memory", limits.memory_mb)
    model.setParam("limits/nodes", -1 if limits.nodes is None else limits.nodes)
    model.setParam("randomization/randomseedshift", limits.seed % LARGEST_SEED)


def _figures(objective: float, bound: float, budget: Budget) -> dict[str, float]:
    return {"objective": objective, "bound": bound, "share": budget.share}


# Solutions that are proposed while a model is solved, from what its relaxation looks like.

Floats = NDArray[np.float64]


def add_proposals(
    model: WorkedModel,
    read: Sequence[Variable],
    propose: Callable[[Floats], tuple[Sequence[Variable], Floats] | None],
    *,
    name: str,
) -> None:
    """Have solutions proposed after linear programs."""
    from pyscipopt import SCIP_HEURTIMING

    model.includeHeur(_proposer_class()(tuple(read), propose), name, "solutions near the relaxation", "T",
                      priority=100_000, freq=1, timingmask=SCIP_HEURTIMING.DURINGLPLOOP)  # fmt: skip


@cache
def _proposer_class() -> type:
    from pyscipopt import SCIP_LPSOLSTAT, SCIP_RESULT, Heur

    class Proposer(Heur):
        def __init__(
            self, read: Sequence[Variable], propose: Callable[[Floats], tuple[Sequence[Variable], Floats] | None]
        ) -> None:
            self.read, self.propose = read, propose

        def heurexec(self, heurtiming: object, nodeinfeasible: bool) -> dict[str, object]:
            model = self.model
            if nodeinfeasible or model.getLPSolstat() != SCIP_LPSOLSTAT.OPTIMAL:
                return {"result": SCIP_RESULT.DIDNOTRUN}
            proposal = self.propose(np.array([model.getSolVal(None, variable) for variable in self.read]))
            if proposal is None:
                return {"result": SCIP_RESULT.DIDNOTFIND}
            solution = model.createOrigSol(self)
            for variable, value in zip(*proposal, strict=True):
                model.setSolVal(solution, variable, float(value))
            kept = model.trySol(solution, printreason=False)
            return {"result": SCIP_RESULT.FOUNDSOL if kept else SCIP_RESULT.DIDNOTFIND}

    return Proposer
