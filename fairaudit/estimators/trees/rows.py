"""The rows that trees are found on: equal ones are merged into one cell with a weight.

Two rows for which the same splits hold, with the same group and target, are alike to every tree, so they count as one
cell that weighs two.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class TreeRows:
    """Merged rows.

    Parameters
    ----------
    holds : ndarray of bool, shape (n_cells, n_splits)
        Whether each split holds: then a row goes left.
    groups : ndarray of int, shape (n_cells,)
        The index of the group.
    targets : ndarray of float, shape (n_cells,)
        The label, 0 or 1, or the number to predict.
    weights : ndarray of int, shape (n_cells,)
        How many rows each cell stands for; at least 1.
    group_names : tuple of str
        What the groups are called.
    cells : ndarray of int, shape (n_rows,)
        The cell of each row that was merged.
    points : ndarray of float, shape (n_cells, n_points), optional
        Numbers for linear splits and leaves; rows are only merged where these are equal, too.
    """

    holds: NDArray[np.bool_]
    groups: NDArray[np.int64]
    targets: NDArray[np.float64]
    weights: NDArray[np.int64]
    group_names: tuple[str, ...]
    cells: NDArray[np.int64]
    points: NDArray[np.float64] | None = None

    @classmethod
    def merge(
        cls,
        holds: NDArray[np.bool_],
        groups: NDArray[np.int64],
        targets: NDArray[np.float64],
        group_names: Sequence[str],
        points: NDArray[np.float64] | None = None,
    ) -> Self:
        """Merge rows that no tree can distinguish.

        Shapes: `holds` (n_rows, n_splits), `groups` (n_rows,), `targets` (n_rows,), `points` (n_rows, n_points).

        Notes
        -----
        Rows are packed into bytes and sorted: O(n log n) with n_splits / 8 bytes a row.

        Examples
        --------
        >>> rows = TreeRows.merge(np.array([[1], [1], [0]], dtype=bool), np.zeros(3, dtype=np.int64),
        ...                       np.array([1.0, 1.0, 0.0]), ["all"])
        >>> rows.weights.tolist(), rows.targets.tolist()
        ([1, 2], [0.0, 1.0])
        """
        numbers = [np.asarray(targets, dtype=np.float64)[:, None], np.asarray(groups, dtype=np.float64)[:, None]]
        numbers += [] if points is None else [np.asarray(points, dtype=np.float64)]
        # Adding 0 makes one zero of both, so that equal numbers have equal bytes.
        numbers_bytes = np.ascontiguousarray(np.hstack(numbers) + 0.0).view(np.uint8)
        whole = np.ascontiguousarray(np.hstack([np.packbits(holds.astype(bool), axis=1), numbers_bytes]))
        keys = whole.view(np.dtype((np.void, whole.shape[1]))).ravel()
        _, first, cells, weights = np.unique(keys, return_index=True, return_inverse=True, return_counts=True)
        return cls(
            holds=np.ascontiguousarray(holds[first], dtype=bool),
            groups=np.asarray(groups[first], dtype=np.int64),
            targets=np.asarray(targets[first], dtype=np.float64),
            weights=weights.astype(np.int64),
            group_names=tuple(group_names),
            cells=cells.reshape(-1).astype(np.int64),
            points=None if points is None else np.asarray(points[first], dtype=np.float64),
        )

    @property
    def n_cells(self) -> int:
        """Cells."""
        return len(self.weights)

    @cached_property
    def n_rows(self) -> int:
        """Rows that the cells stand for."""
        return int(self.weights.sum())

    @property
    def n_splits(self) -> int:
        """Splits that trees can be made of."""
        return self.holds.shape[1]

    @property
    def n_groups(self) -> int:
        """Groups."""
        return len(self.group_names)
