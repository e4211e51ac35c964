"""What trees of depth 2 cost at least, by the split at their root: here exactly, from sums over each two splits."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np
from numpy.typing import NDArray

from fairaudit.estimators.trees.frontier.pair_subtrees import PairTables
from fairaudit.estimators.trees.frontier.root_bounds import Prices, priced
from fairaudit.estimators.trees.frontier.sums_below import SumsBelow
from fairaudit.estimators.trees.problem import TreeProblem
from fairaudit.estimators.trees.shape import TreeShape
from fairaudit.work import Budget

Floats = NDArray[np.float64]

PER_PAIR: Final = 12.0
"""Elements of operations that a pair of splits takes."""


class PairRoots:
    """Bounds for one set of costs, with the parameters, attributes and methods of `RootBounds`."""

    def __init__(self, problem: TreeProblem, sums: SumsBelow, prices: Prices, budget: Budget) -> None:
        used = [prices.costs] if problem.min_leaf_size <= 1 else [prices.costs, prices.rows]
        self._tables = PairTables(
            np.array([priced(each, sums.whole) for each in used]), problem.min_leaf_size, problem.split_price
        )
        self.roots = self._tables.roots
        self.best = float(self.roots.min())
        budget.spend(elements=PER_PAIR * (len(sums.whole) + len(used)) * sums.n_splits**2)

    def iter_begin(self) -> Iterator[None]:
        """Yield once: all is known."""
        yield

    def raise_root(self, root: int) -> bool:
        """Return False: the best tree with each root is known."""
        return False

    def tree(self, root: int) -> TreeShape:
        """Return the best tree with a root, over the splits by their places."""
        return self._tables.rooted(root)

    def best_root(self) -> int:
        """Return the root of the best tree."""
        return int(np.argmin(self.roots))

    def with_each(self, root: int) -> Floats:
        """Return what the best tree with a root costs that splits by each variable, shape (L,)."""
        return self._tables.with_root_and_each(root)
