"""Models of SCIP that print nothing, and their rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from fairaudit.solver.work import Work

MAX_SOLUTIONS: Final = 1000


@contextmanager
def new_model(name: str) -> Iterator[Any]:
    """Give an empty model that prints nothing, and free it afterwards."""
    model = _model_class()(name)
    try:
        model.hideOutput()
        # Ctrl+C belongs to the program that waits.
        model.setParam("misc/catchctrlc", False)
        model.setParam("limits/maxsol", MAX_SOLUTIONS)
        model.setParam("limits/maxorigsol", MAX_SOLUTIONS)
        yield model
    finally:
        if model.work is None or model.work.may_be_freed():
            model.free()


def minimise(model: Any, variables: Sequence[Any], coefficients: Sequence[float], *, constant: float = 0.0) -> None:
    """Set a linear objective that is to be small."""
    from pyscipopt import quicksum

    terms = zip(coefficients, variables, strict=True)
    model.setObjective(quicksum(float(factor) * variable for factor, variable in terms if factor), "minimize")
    model.addObjoffset(float(constant))


def add_row(
    model: Any,
    variables: Sequence[Any],
    coefficients: Sequence[float],
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
    if at_least is None:
        rule = row <= float(at_most)
    elif at_most is None:
        rule = row >= float(at_least)
    else:
        rule = row == float(at_least) if at_least == at_most else (float(at_least) <= row) <= float(at_most)
    return model.addCons(rule, name=name, initial=not lazy)


@cache
def _model_class() -> type:
    """Make the class late, because its base is PySCIPOpt's."""
    from pyscipopt import Model

    class WorkedModel(Model):
        work: Work | None = None

    return WorkedModel
