"""Models of SCIP that print nothing, and their rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from fairaudit.work import Budget

if TYPE_CHECKING:
    from fairaudit.solver.work import Work

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


@contextmanager
def new_model(name: str, budget: Budget | None = None) -> Iterator[Any]:
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


def minimise(model: Any, variables: Sequence[Any], coefficients: Iterable[float], *, constant: float = 0.0) -> None:
    """Set a linear objective that is to be small."""
    from pyscipopt import quicksum

    terms = zip(coefficients, variables, strict=True)
    model.setObjective(quicksum(float(factor) * variable for factor, variable in terms if factor), "minimize")
    model.addObjoffset(float(constant))


def add_row(
    model: Any,
    variables: Sequence[Any],
    coefficients: Iterable[float],
    *,
    at_least: float | None = None,
    at_most: float | None = None,
    name: str,
    lazy: bool = False,
) -> Any:
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
        work: Work | None = None
        budget: Budget

    return WorkedModel
