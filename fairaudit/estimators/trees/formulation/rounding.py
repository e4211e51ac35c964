"""Trees near a solution of the relaxation: at each node what it chooses most, with the best leaves for that."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from fairaudit.estimators.trees.formulation.patterns import Floats
from fairaudit.estimators.trees.leaves.values import best_values

if TYPE_CHECKING:
    from fairaudit.estimators.trees.formulation.model import TreeModel

DEEPEST: Final = 3
"""The best labels of more leaves are a search of their own."""


class Rounding:
    """Proposes trees; each structure once.

    Parameters
    ----------
    tree : TreeModel
        The model, which has been built.
    objective : float
        Of the best tree that is known.
    """

    def __init__(self, tree: TreeModel, objective: float = math.inf):
        self.tree, self.objective = tree, objective
        self.seen: set[tuple[int, ...]] = set()

    def propose(self, values: Floats) -> tuple[Sequence[Any], Floats] | None:
        """Return a better tree as variables and values; None where there is none near."""
        shape = self.tree.form.rounded(values)
        if shape.splits in self.seen:
            return None
        self.seen.add(shape.splits)
        better = best_values(self.tree.problem, shape, cutoff=self.objective)
        solution = None if better is None else self.tree.solution(better)
        if better is not None and solution is not None:
            self.objective = self.tree.problem.objective(better)
        return solution
