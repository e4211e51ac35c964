"""Cells that the same rules cover count as one: what is left of the rows when few rules may be chosen from.

Adult has 23,000 cells; 250 rules distinguish only some 1,500 of its positive ones.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from fairaudit.estimators.rules.problem import Problem, RuleColumns


@dataclass(frozen=True, eq=False)
class Patterns:
    """Cells merged by which rules cover them.

    Parameters
    ----------
    covers : ndarray of bool, shape (n_patterns, n_rules)
        Which rules cover each pattern.
    positives, negatives : ndarray of int, shape (n_patterns, n_groups)
        How many rows of each group and label each pattern stands for.
    """

    covers: NDArray[np.bool_]
    positives: NDArray[np.int64]
    negatives: NDArray[np.int64]

    @classmethod
    def of(cls, problem: Problem, columns: RuleColumns, *, merge: bool = True) -> Self:
        """Return the patterns of the cells that have to be distinguished."""
        rows = problem.rows
        cells = np.flatnonzero(rows.labels | (problem.objective == "zero_one"))
        covers = np.ascontiguousarray(columns.covers[:, cells].T)
        first = places = np.arange(len(cells))
        if merge and covers.size:
            packed = np.packbits(covers, axis=1)
            keys = packed.view(np.dtype((np.void, packed.shape[1]))).ravel()
            _, first, places = np.unique(keys, return_index=True, return_inverse=True)
        counts = np.zeros((2, len(first), rows.n_groups), dtype=np.int64)
        labels = rows.labels[cells].astype(np.int64)
        np.add.at(counts, (labels, places.reshape(-1), rows.groups[cells]), rows.weights[cells])
        return cls(covers[first], counts[1], counts[0])

    def __len__(self) -> int:
        return len(self.covers)


def equivalents(problem: Problem, columns: RuleColumns) -> NDArray[np.int64]:
    """Return for each rule the place of the least complex one that covers the same cells.

    Shapes: returns (n_rules,).
    """
    costs = columns.costs
    packed = np.packbits(columns.covers, axis=1)
    best: dict[bytes, int] = {}
    for place in np.argsort(costs, kind="stable").tolist():
        best.setdefault(packed[place].tobytes(), place)
    found = np.array([best[cover.tobytes()] for cover in packed], dtype=np.int64)
    return np.where(costs[found] <= problem.max_complexity, found, -1) if len(found) else found
