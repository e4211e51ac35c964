"""Patterns: what the rows of the integer problem are about, far fewer than cells.

Cells for which the same splits hold take the same path through every tree, whatever their group and target, so that
one set of variables serves them all. A linear form of the predictions of cells is one of the predictions of patterns.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

import numpy as np
from numpy.typing import NDArray

from fairaudit.estimators.trees.rows import TreeRows
from fairaudit.measure.bins import sums_by_code

if TYPE_CHECKING:
    from scipy import sparse

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Patterns:
    """Distinct rows of splits.

    Parameters
    ----------
    holds : ndarray of bool, shape (n_patterns, n_splits)
        Whether each split holds.
    points : ndarray of float, shape (n_patterns, n_points)
        Numbers for linear splits and leaves; no columns where there are none.
    of_cell : ndarray of int, shape (n_cells,)
        The pattern of each cell.
    sizes : ndarray of float, shape (n_patterns,)
        Rows of each pattern.
    """

    holds: NDArray[np.bool_]
    points: Floats
    of_cell: NDArray[np.int64]
    sizes: Floats

    @classmethod
    def of(cls, rows: TreeRows, *, with_points: bool = False) -> Self:
        """Find the patterns of rows."""
        points = np.zeros((rows.n_cells, 0))
        if with_points and rows.points is not None:
            points = np.ascontiguousarray(rows.points, dtype=np.float64) + 0.0
        bits = np.packbits(rows.holds, axis=1)
        keys = np.hstack([np.zeros((rows.n_cells, 1), dtype=np.uint8), bits, points.view(np.uint8)])
        whole = np.ascontiguousarray(keys).view(np.dtype((np.void, keys.shape[1]))).ravel()
        _, first, of_cell = np.unique(whole, return_index=True, return_inverse=True)
        of_cell = of_cell.reshape(-1).astype(np.int64)
        sizes = sums_by_code(of_cell, rows.weights, len(first))
        return cls(rows.holds[first], points[first], of_cell, sizes)

    @property
    def n_patterns(self) -> int:
        """Patterns."""
        return len(self.sizes)

    def summed(self, weights: Floats) -> Floats:
        """Return a form of the predictions of cells as one of patterns, shape (n_patterns,)."""
        return sums_by_code(self.of_cell, weights, self.n_patterns)

    def forms(self, forms: sparse.csr_array) -> sparse.csr_array:
        """Return forms of the predictions of cells as forms of patterns, shape (n_forms, n_patterns)."""
        from scipy import sparse

        ones = np.ones(len(self.of_cell))
        places = (np.arange(len(self.of_cell)), self.of_cell)
        return sparse.csr_array(forms @ sparse.csr_array((ones, places), shape=(len(ones), self.n_patterns)))
