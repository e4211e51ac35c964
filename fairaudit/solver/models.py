"""Models of SCIP that print nothing, and their rows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from fairaudit.work import Budget

if TYPE_CHECKING:
    from pyscipopt import Model, Variable
    from pyscipopt.scip import Constraint, Solution

    class WorkedModel(Model):
        """A model of SCIP that counts its work; made late, because its base is PySCIPOpt's."""

        work: RunningSolve | None
        budget: Budget


MAX_SOLUTIONS: Final = 1000

SEARCHES_INSIDE: Final = (
    "alns", "rens", "rins", "crossover", "mutation", "localbranching", "dins", "gins", "proximity", "zeroobj", "clique",
    "vbounds", "ofins",
)  # fmt: skip
"""Heuristics of SCIP that solve a model of their own, whose work is not counted."""

NODES_INSIDE: Final = 500
"""Nodes of such a model, at most."""

ENTRY_ELEMENTS: Final = 300
"""What an entry of a row takes to make, in elements that arrays would go through meanwhile."""


class RunningSolve(Protocol):
    """The solve of a model, in a thread of its own."""

    def may_be_freed(self) -> bool:
        """Say whether it has ended; if not, it frees the model itself."""


@contextmanager
def new_model(name: str, budget: Budget | None = None) -> Iterator[WorkedModel]:
    """Give an empty model that prints nothing, and free it afterwards.

    Its rows and its solve count as work in the budget, which ends the solve; without one there is no end.
    """
    model = _model_class()(name)
    model.budget = Budget() if budget is None else budget
    try:
        model.hideOutput()
        # Ctrl+C belongs to the program that waits.
        model.setParam("misc/catchctrlc", False)
        for inside in SEARCHES_INSIDE:
            model.setParam(f"heuristics/{inside}/maxnodes", NODES_INSIDE)
        model.setParam("limits/maxsol", MAX_SOLUTIONS)
        model.setParam("limits/maxorigsol", MAX_SOLUTIONS)
        yield model
    finally:
        if model.work is None or model.work.may_be_freed():
            model.free()


def minimise(
    model: WorkedModel, variables: Sequence[Variable], coefficients: Iterable[float], *, constant: float = 0.0
) -> None:
    """Set a linear objective that is to be small."""
    from pyscipopt import quicksum

    terms = zip(coefficients, variables, strict=True)
    model.setObjective(quicksum(float(factor) * variable for factor, variable in terms if factor), "minimize")
    model.addObjoffset(float(constant))


def add_row(
    model: WorkedModel,
    variables: Sequence[Variable],
    coefficients: Iterable[float],
    *,
    at_least: float | None = None,
    at_most: float | None = None,
    name: str,
    lazy: bool = False,
) -> Constraint:
    """Add a linear row: at_least <= sum of coefficients times variables <= at_most."""
    from pyscipopt import quicksum

    terms = zip(coefficients, variables, strict=True)
    row = quicksum(float(coefficient) * variable for coefficient, variable in terms)
    model.budget.spend(calls=1, elements=ENTRY_ELEMENTS * len(variables))
    if at_least is not None and at_most is not None:
        rule = row == float(at_least) if at_least == at_most else (float(at_least) <= row) <= float(at_most)
    elif at_most is not None:
        rule = row <= float(at_most)
    elif at_least is not None:
        rule = row >= float(at_least)
    else:
        raise ValueError(f"Row {name!r} has no bound.")
    return model.addCons(rule, name=name, initial=not lazy)


@cache
def _model_class() -> type:
    """Make the class late, because its base is PySCIPOpt's."""
    from pyscipopt import Model

    class WorkedModel(Model):
        work: RunningSolve | None = None
        budget: Budget

    return WorkedModel


# A variable that is at least a convex function of others, by linear cuts where a solution breaks that.

Floats = NDArray[np.float64]

TOLERANCE: Final = 1e-6
"""Relative; that of SCIP's own rows."""

MAX_ROUNDS: Final = 20
"""Of cuts at a node where the solution is not whole: there they only sharpen the bound."""


class ConvexFunction(Protocol):
    """A convex function that is known by its values and its tangents."""

    def value(self, values: Floats) -> float:
        """Return the function."""

    def tangent(self, values: Floats) -> tuple[Floats, float]:
        """Return coefficients and a constant: nowhere above the function, and the same at these values."""


def add_convex(
    model: WorkedModel, variables: Sequence[Variable], above: Variable, function: ConvexFunction, *, name: str
) -> None:
    """Ask that a variable is at least a convex function of others.

    Notes
    -----
    Cuts hold everywhere, so that what is proven with them is proven. A solution for which they do not hold yet is
    refused, and cut off where it is whole.
    """
    handler = _handler_class()(tuple(variables), above, function, name)
    # Asked after the integer variables are whole.
    model.includeConshdlr(handler, name, "tangents of a convex function", sepapriority=10, enfopriority=-10,
                          chckpriority=-10_000_000, sepafreq=1, propfreq=-1, needscons=True)  # fmt: skip
    model.addPyCons(model.createCons(handler, name))


@cache
def _handler_class() -> type:
    from pyscipopt import SCIP_RESULT, Conshdlr

    class Tangents(Conshdlr):
        def __init__(
            self, variables: Sequence[Variable], above: Variable, function: ConvexFunction, label: str
        ) -> None:
            self.variables, self.above, self.function, self.label = variables, above, function, label
            self.node, self.rounds = -1, 0

        def conslock(self, constraint: Constraint, locktype: int, nlockspos: int, nlocksneg: int) -> None:
            self.model.addVarLocks(self.above, nlockspos, nlocksneg)
            for variable in self.variables:
                self.model.addVarLocks(variable, nlockspos + nlocksneg, nlockspos + nlocksneg)

        def conscheck(self, constraints: Sequence[Constraint], solution: Solution, *args: object) -> dict[str, int]:
            broken = self._broken(solution) is not None
            return {"result": SCIP_RESULT.INFEASIBLE if broken else SCIP_RESULT.FEASIBLE}

        def consenfops(
            self, constraints: Sequence[Constraint], nusefulconss: int, solinfeasible: bool, objinfeasible: bool
        ) -> dict[str, int]:
            broken = self._broken(None) is not None
            return {"result": SCIP_RESULT.INFEASIBLE if broken else SCIP_RESULT.FEASIBLE}

        def consenfolp(
            self, constraints: Sequence[Constraint], nusefulconss: int, solinfeasible: bool
        ) -> dict[str, int]:
            values = self._broken(None)
            if values is None:
                return {"result": SCIP_RESULT.FEASIBLE}
            return {"result": SCIP_RESULT.CUTOFF if self._cut(values) else SCIP_RESULT.SEPARATED}

        def conssepalp(self, constraints: Sequence[Constraint], nusefulconss: int) -> dict[str, int]:
            node = self.model.getCurrentNode().getNumber()
            self.rounds = self.rounds + 1 if node == self.node else 0
            self.node = node
            values = self._broken(None) if self.rounds < MAX_ROUNDS else None
            if values is None:
                return {"result": SCIP_RESULT.DIDNOTFIND}
            return {"result": SCIP_RESULT.CUTOFF if self._cut(values) else SCIP_RESULT.SEPARATED}

        def _broken(self, solution: Solution | None) -> Floats | None:
            """Return the values of the variables where the function is above what it must not be above."""
            get: Callable[[Solution | None, Variable], float] = self.model.getSolVal
            values = np.array([get(solution, variable) for variable in self.variables])
            value = self.function.value(values)
            return values if value > get(solution, self.above) + TOLERANCE * max(1.0, abs(value)) else None

        def _cut(self, values: Floats) -> bool:
            coefficients, constant = self.function.tangent(values)
            model = self.model
            # The row: above minus the tangent is at least 0.
            row = model.createEmptyRowUnspec(self.label, lhs=constant, rhs=None, local=False)
            model.cacheRowExtensions(row)
            model.addVarToRow(row, model.getTransformedVar(self.above), 1.0)
            for place in np.flatnonzero(coefficients).tolist():
                model.addVarToRow(row, model.getTransformedVar(self.variables[place]), -float(coefficients[place]))
            model.flushRowExtensions(row)
            is_infeasible = model.addCut(row, forcecut=True)
            model.releaseRow(row)
            return bool(is_infeasible)

    return Tangents
