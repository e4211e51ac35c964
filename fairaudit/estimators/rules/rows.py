"""The rows that rules are found on: equal ones are merged into one cell with a weight.

Two rows with the same literals, label and group are alike to every rule set, so they count as one cell that weighs two.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class RuleRows:
    """Merged rows.

    Parameters
    ----------
    literals : ndarray of bool, shape (n_cells, n_literals)
        Whether each literal holds.
    labels : ndarray of bool, shape (n_cells,)
        Whether the label is positive.
    groups : ndarray of int, shape (n_cells,)
        The index of the group.
    weights : ndarray of int, shape (n_cells,)
        How many rows each cell stands for; at least 1.
    group_names : tuple of str
        What the groups are called.
    cells : ndarray of int, shape (n_rows,)
        The cell of each row that was merged.
    """

    literals: NDArray[np.bool_]
    labels: NDArray[np.bool_]
    groups: NDArray[np.int64]
    weights: NDArray[np.int64]
    group_names: tuple[str, ...]
    cells: NDArray[np.int64]

    @classmethod
    def merge(
        cls,
        literals: NDArray[np.bool_],
        labels: NDArray[np.bool_],
        groups: NDArray[np.int64],
        group_names: Sequence[str],
    ) -> Self:
        """Merge rows with the same literals, label and group.

        Shapes: `literals` (n_rows, n_literals), `labels` (n_rows,), `groups` (n_rows,).

        Notes
        -----
        Bits are packed into bytes and sorted: O(n log n) with n_literals / 8 bytes a row.

        Examples
        --------
        >>> rows = RuleRows.merge(np.array([[1], [1], [0]], dtype=bool), np.array([1, 1, 0], dtype=bool),
        ...                       np.zeros(3, dtype=np.int64), ["all"])
        >>> rows.weights.tolist()
        [1, 2]
        """
        packed = np.packbits(np.column_stack([literals, labels]).astype(bool), axis=1)
        group_bytes = np.ascontiguousarray(groups, dtype=">u4").view(np.uint8).reshape(-1, 4)
        whole = np.ascontiguousarray(np.hstack([packed, group_bytes]))
        keys = whole.view(np.dtype((np.void, whole.shape[1]))).ravel()
        _, first, cells, weights = np.unique(keys, return_index=True, return_inverse=True, return_counts=True)
        return cls(
            literals=np.ascontiguousarray(literals[first], dtype=bool),
            labels=np.asarray(labels[first], dtype=bool),
            groups=np.asarray(groups[first], dtype=np.int64),
            weights=weights.astype(np.int64),
            group_names=tuple(group_names),
            cells=cells.reshape(-1).astype(np.int64),
        )

    @property
    def n_cells(self) -> int:
        """Cells."""
        return len(self.weights)

    @property
    def n_rows(self) -> int:
        """Rows that the cells stand for."""
        return int(self.weights.sum())

    @property
    def n_literals(self) -> int:
        """Literals."""
        return self.literals.shape[1]

    @property
    def n_groups(self) -> int:
        """Groups."""
        return len(self.group_names)

    @property
    def unavoidable_errors(self) -> int:
        """Rows that every rule set predicts wrongly at least: of those alike in all literals, the rarer label."""
        packed = np.packbits(self.literals, axis=1)
        _, alike = np.unique(packed, axis=0, return_inverse=True)
        cells = 2 * alike.reshape(-1) + self.labels
        counts = np.bincount(cells, weights=self.weights, minlength=2 * (int(alike.max(initial=-1)) + 1))
        return int(counts.reshape(-1, 2).min(axis=1).sum())

    @property
    def totals(self) -> NDArray[np.int64]:
        """Rows of each group with a negative and with a positive label, shape (n_groups, 2)."""
        counts = np.bincount(2 * self.groups + self.labels, weights=self.weights, minlength=2 * self.n_groups)
        return counts.astype(np.int64).reshape(-1, 2)
