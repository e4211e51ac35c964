"""Trees near a solution of the relaxation: at each node what it chooses most, with the best leaves for that."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, Final

from fairaudit.estimators.trees.formulation.parts import Form
from fairaudit.estimators.trees.formulation.patterns import Floats
from fairaudit.estimators.trees.leaves.values import best_values
from fairaudit.estimators.trees.problem import TreeProblem
from fairaudit.estimators.trees.shape import TreeShape
from fairaudit.work import Budget

Solution = tuple[Sequence[Any], Floats]
"""Variables and their values."""

DEEPEST: Final = 3
"""The best labels of more leaves are a search of their own."""


class Rounding:
    """Proposes trees; each structure once.

    Parameters
    ----------
    problem : TreeProblem
        What is asked.
    form : Form
        Its form, which has been built.
    solution : callable
        Gives the solution of the model for a tree; None where it has no such tree.
    budget : Budget
        Where work counts.
    objective : float
        Of the best tree that is known.
    """

    def __init__(
        self,
        problem: TreeProblem,
        form: Form,
        solution: Callable[[TreeShape], Solution | None],
        budget: Budget,
        objective: float = math.inf,
    ):
        self.problem, self.form, self.solution, self.budget, self.objective = problem, form, solution, budget, objective
        self.seen: set[tuple[int, ...]] = set()

    def propose(self, values: Floats) -> Solution | None:
        """Return a better tree as variables and values; None where there is none near."""
        self.budget.spend(calls=30, elements=200 * len(values))
        shape = self.form.rounded(values)
        if shape.splits in self.seen:
            return None
        self.seen.add(shape.splits)
        better = best_values(self.problem, shape, self.budget, cutoff=self.objective)
        solution = None if better is None else self.solution(better)
        if better is not None and solution is not None:
            self.objective = self.problem.objective(better)
        return solution
