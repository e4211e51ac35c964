"""A variable that is at least a convex function of others, by linear cuts where a solution breaks that."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

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


def add_convex(model: Any, variables: Sequence[Any], above: Any, function: ConvexFunction, *, name: str) -> None:
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
        def __init__(self, variables: Sequence[Any], above: Any, function: ConvexFunction, label: str) -> None:
            self.variables, self.above, self.function, self.label = variables, above, function, label
            self.node, self.rounds = -1, 0

        def conslock(self, constraint: Any, locktype: Any, nlockspos: int, nlocksneg: int) -> None:
            self.model.addVarLocks(self.above, nlockspos, nlocksneg)
            for variable in self.variables:
                self.model.addVarLocks(variable, nlockspos + nlocksneg, nlockspos + nlocksneg)

        def conscheck(self, constraints: Any, solution: Any, *args: Any) -> dict[str, Any]:
            broken = self._broken(solution) is not None
            return {"result": SCIP_RESULT.INFEASIBLE if broken else SCIP_RESULT.FEASIBLE}

        def consenfops(self, constraints: Any, nusefulconss: int, solinfeasible: bool, objinfeasible: bool) -> dict:
            broken = self._broken(None) is not None
            return {"result": SCIP_RESULT.INFEASIBLE if broken else SCIP_RESULT.FEASIBLE}

        def consenfolp(self, constraints: Any, nusefulconss: int, solinfeasible: bool) -> dict[str, Any]:
            values = self._broken(None)
            if values is None:
                return {"result": SCIP_RESULT.FEASIBLE}
            return {"result": SCIP_RESULT.CUTOFF if self._cut(values) else SCIP_RESULT.SEPARATED}

        def conssepalp(self, constraints: Any, nusefulconss: int) -> dict[str, Any]:
            node = self.model.getCurrentNode().getNumber()
            self.rounds = self.rounds + 1 if node == self.node else 0
            self.node = node
            values = self._broken(None) if self.rounds < MAX_ROUNDS else None
            if values is None:
                return {"result": SCIP_RESULT.DIDNOTFIND}
            return {"result": SCIP_RESULT.CUTOFF if self._cut(values) else SCIP_RESULT.SEPARATED}

        def _broken(self, solution: Any) -> Floats | None:
            """Return the values of the variables where the function is above what it must not be above."""
            get: Callable[[Any, Any], float] = self.model.getSolVal
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
