"""The integer problem of a tree as a model of SCIP: a form of the tree, the loss, fairness, bounds and starts.

Two forms say what a tree is. The path form (`formulation_paths`) is tight, and is for labels and given splits as long
as its columns are not too many. The flow form (`formulation_flow`) is for all that is asked of it. What is minimised
counts in rows, so that a tree without prices has a whole objective.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from fairaudit.estimators.trees.formulation.columns import Asked, count_places
from fairaudit.estimators.trees.formulation.fairness import LARGEST_PRICE, add_fairness, unit
from fairaudit.estimators.trees.formulation.flow import FlowForm
from fairaudit.estimators.trees.formulation.leaves import target_range
from fairaudit.estimators.trees.formulation.limits import limited_columns
from fairaudit.estimators.trees.formulation.parts import Expression, Form
from fairaudit.estimators.trees.formulation.paths import PathForm
from fairaudit.estimators.trees.formulation.patterns import Floats, Patterns
from fairaudit.estimators.trees.formulation.rounding import DEEPEST, Rounding
from fairaudit.estimators.trees.problem import TreeProblem
from fairaudit.estimators.trees.shape import TreeShape
from fairaudit.solver import add_proposals, add_row, minimise

MOST_COLUMNS: Final = 300_000
"""The path form is for at most so many leaf columns, before alike ones are merged."""

MOST_PLACED: Final = 200_000_000
"""And for at most so many places of the last level times cells: a byte each."""

FEASIBILITY: Final = 1e-7
"""SCIP's tolerance where rates are limited, a tenth of its own; its linear solver complains of less."""

DIRECT: Final = {
    # Probing each variable took 25 s of 26 on COMPAS at depth 3, and fixed 12 of 5,651.
    "propagating/probing/maxprerounds": 0,
    # Without restarts SCIP 10 keeps its status when it is stopped in between.
    "presolving/maxrestarts": 0,
}
"""What the models need not be prepared by."""


@dataclass(frozen=True)
class Kinds:
    """Which trees are looked for.

    Parameters
    ----------
    levels : tuple of tuple of int
        For each categorical feature, the columns of ``rows.holds`` that say "equals this level".
    linear_splits, linear_leaves : bool
        Whether splits may be on weighted sums of ``rows.points``, and whether leaves may predict such sums.
    """

    levels: tuple[tuple[int, ...], ...] = ()
    linear_splits: bool = False
    linear_leaves: bool = False

    @property
    def are_plain(self) -> bool:
        """Whether all splits are given columns, and leaves are constant."""
        return not (self.levels or self.linear_splits or self.linear_leaves)


class TreeModel:
    """A model of SCIP for a tree; it is complete when `iter_build` has run.

    Parameters
    ----------
    model : pyscipopt.Model
        An empty model, from ``new_model``.
    problem : TreeProblem
        What is asked.
    kinds : Kinds
        Which trees are looked for.
    """

    def __init__(self, model: Any, problem: TreeProblem, kinds: Kinds):
        self.model, self.problem, self.kinds = model, problem, kinds
        self.patterns = Patterns.of(problem.rows, with_points=kinds.linear_splits or kinds.linear_leaves)
        self.form: Form = _form(model, problem, self.patterns, kinds)

    def iter_build(self) -> Iterator[None]:
        """Add variables, rows and the objective, a few at a time."""
        model, problem = self.model, self.problem
        yield from self.form.iter_build()
        self.fairness = add_fairness(model, problem, self.patterns, self.form)
        losses = self.form.losses()
        variables = [*losses.variables, *(variable for _, variable in self.fairness.terms)]
        coefficients = np.array([*losses.coefficients, *(factor for factor, _ in self.fairness.terms)])
        self.objective = Expression(variables, coefficients, losses.constant)
        minimise(model, variables, coefficients, constant=losses.constant)
        for name, value in DIRECT.items():
            model.setParam(name, value)
        if problem.limit is not None or problem.max_measure is not None:
            model.setParam("numerics/feastol", FEASIBILITY)

    @property
    def scale(self) -> float:
        """What the objective is multiplied by in the model: its unit is a row, or the range of targets for one."""
        return self.problem.rows.n_rows / self.form.span

    @property
    def choices(self) -> list[Any]:
        """The variables that say which tree a solution stands for."""
        return self.form.variables[: self.form.n_choices]

    def forbid(self, values: Floats) -> None:
        """Forbid one choice of tree: one of the variables that are 1 must be 0."""
        taken = [variable for variable, value in zip(self.choices, values, strict=True) if value > 0.5]
        add_row(self.model, taken, np.ones(len(taken)), at_most=len(taken) - 1.0, name=f"not_{self.model.getNConss()}")

    def solution(self, shape: TreeShape) -> tuple[list[Any], Floats] | None:
        """Return variables and their values for a tree; None where the form has no such tree."""
        values = self.form.encode(shape)
        if values is None:
            return None
        h = np.zeros(self.patterns.n_patterns)
        h[self.patterns.of_cell] = shape.predict(self.problem.rows.holds)
        following = [value_of(h) for _, value_of in self.fairness.values]
        variables = [*self.form.variables, *(variable for variable, _ in self.fairness.values)]
        return variables, np.concatenate([values, following])

    def start(self, shape: TreeShape) -> Any | None:
        """Return a tree as a solution of SCIP; None where the form has no such tree."""
        solution = self.solution(shape)
        if solution is None:
            return None
        start = self.model.createSol()
        for variable, value in zip(*solution, strict=True):
            self.model.setSolVal(start, variable, float(value))
        return start

    def add_start(self, shape: TreeShape) -> None:
        """Add a tree that the search starts from, where the form has it."""
        start = self.start(shape)
        if start is not None:
            self.model.addSol(start)

    def round_relaxations(self, objective: float) -> None:
        """Have trees proposed near what the linear programs say, where they are better than an objective."""
        if self.kinds.are_plain and self.problem.max_depth <= DEEPEST:
            rounding = Rounding(self.problem, self.form, self.solution, self.model.budget, objective)
            add_proposals(self.model, self.choices, rounding.propose, name="nearby_trees")

    def bound_of(self, bound: float) -> float:
        """Return what the objective is at least where the model's is at least `bound`."""
        problem = self.problem
        lost = max(problem.limit_price - LARGEST_PRICE, 0.0)
        worst = 0.0
        if lost and problem.limit is not None and problem.limit.forms.shape[0]:
            # The largest of some forms is at least their mean.
            mean = np.asarray(problem.limit.forms.mean(axis=0)).ravel()
            worst = float(np.minimum(mean, 0.0).sum())
        return bound / self.scale + lost * min(worst, 0.0)


def takes_paths(problem: TreeProblem, kinds: Kinds) -> bool:
    """Say whether the path form is used."""
    rows = problem.rows
    n_places = count_places(rows.n_splits, problem.max_depth)
    # Without forms the cheapest column of each place is enough.
    n_columns = n_places * (2 * rows.n_splits + 2 if _forms(problem) or limited_columns(problem) else 1)
    is_small = n_columns <= MOST_COLUMNS and n_places * rows.n_cells <= MOST_PLACED
    return problem.task == "classification" and kinds.are_plain and is_small


def _form(model: Any, problem: TreeProblem, patterns: Patterns, kinds: Kinds) -> Form:
    if takes_paths(problem, kinds):
        return PathForm(model, problem, patterns, asked_of(problem, patterns))
    return FlowForm(
        model,
        problem,
        patterns,
        levels=kinds.levels,
        linear_splits=kinds.linear_splits,
        linear_leaves=kinds.linear_leaves,
        split_cost=problem.rows.n_rows * min(problem.split_price, LARGEST_PRICE) / span_of(problem),
    )


def span_of(problem: TreeProblem) -> float:
    """Return what predictions are measured in: the range of the targets, 1 for labels."""
    return 1.0 if problem.task == "classification" else target_range(problem.rows)[1]


def asked_of(problem: TreeProblem, patterns: Patterns) -> Asked:
    """Return what columns of the path form are chosen by."""
    rows = problem.rows
    forms = [row for part in _forms(problem) for row in patterns.forms(part).toarray()]
    return Asked(
        loss=patterns.summed(rows.weights * (1.0 - 2.0 * rows.targets)),
        forms=np.array([unit(row, patterns) * row for row in forms]).reshape(-1, patterns.n_patterns),
        split_cost=rows.n_rows * min(problem.split_price, LARGEST_PRICE),
        min_leaf_size=problem.min_leaf_size,
        columns=limited_columns(problem),
    )


def _forms(problem: TreeProblem) -> Sequence[Any]:
    measured = problem.measures if problem.price or problem.max_measure is not None else ()
    limited = () if problem.limit is None else (problem.limit,)
    return [part.forms for part in (*measured, *limited) if part.forms.shape[0]]
