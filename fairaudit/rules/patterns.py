"""Cells that the same rules cover count as one: what is left of the rows when few rules may be chosen from.

Adult has 23,000 cells, of which 7,000 are positive; 250 rules tell only some 1,400 of these apart.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from fairaudit.rules.problem import Problem, RuleColumns


@dataclass(frozen=True, eq=False)
class Patterns:
    """Cells of one label, merged by which rules cover them and, where it matters, by group.

    Parameters
    ----------
    covers : ndarray of bool, shape (n_patterns, n_rules)
        Which rules cover each pattern.
    weights : ndarray of int, shape (n_patterns,)
        How many rows each pattern stands for.
    groups : ndarray of int, shape (n_patterns,)
        The index of the group; 0 for all where groups do not matter.
    """

    covers: NDArray[np.bool_]
    weights: NDArray[np.int64]
    groups: NDArray[np.int64]

    @classmethod
    def of(cls, problem: Problem, columns: RuleColumns, *, label: bool, by_group: bool, merge: bool = True) -> Self:
        """Return the patterns of the cells with a label.

        Parameters
        ----------
        problem : Problem
            The rows.
        columns : RuleColumns
            The rules that tell cells apart.
        label : bool
            Whether the positive or the negative cells are meant.
        by_group : bool
            Whether cells of different groups are kept apart.
        merge : bool
            False keeps each cell for itself, to compare with.

        Returns
        -------
        Patterns
            In the order of their bits.
        """
        rows = problem.rows
        cells = np.flatnonzero(rows.labels == label)
        covers = np.ascontiguousarray(columns.covers[:, cells].T)
        groups = rows.groups[cells] if by_group else np.zeros(len(cells), dtype=np.int64)
        if not merge or not len(cells):
            return cls(covers, rows.weights[cells], groups)
        packed = np.packbits(covers, axis=1)
        group_bytes = np.ascontiguousarray(groups, dtype=">u4").view(np.uint8).reshape(-1, 4)
        whole = np.ascontiguousarray(np.hstack([packed, group_bytes]))
        keys = whole.view(np.dtype((np.void, whole.shape[1]))).ravel()
        _, first, places = np.unique(keys, return_index=True, return_inverse=True)
        weights = np.bincount(places.reshape(-1), weights=rows.weights[cells]).astype(np.int64)
        return cls(covers[first], weights, groups[first])

    def __len__(self) -> int:
        return len(self.weights)


def equivalents(problem: Problem, columns: RuleColumns) -> NDArray[np.int64]:
    """Return for each rule the place of the least complex one that covers the same cells.

    Parameters
    ----------
    problem : Problem
        What is asked.
    columns : RuleColumns
        The rules.

    Returns
    -------
    ndarray of int, shape (n_rules,)
        The rule's own place if there is none better, -1 if even the least complex is too complex.
    """
    costs = columns.costs
    packed = np.packbits(columns.covers, axis=1)
    best: dict[bytes, int] = {}
    for place in np.argsort(costs, kind="stable").tolist():
        best.setdefault(packed[place].tobytes(), place)
    found = np.array([best[cover.tobytes()] for cover in packed], dtype=np.int64)
    return np.where(costs[found] <= problem.max_complexity, found, -1) if len(found) else found
