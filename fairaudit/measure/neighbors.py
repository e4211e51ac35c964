"""Which rows are near which: mixed features made comparable, ties kept together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from fairaudit.errors import InputError, ManyValuesError, quote
from fairaudit.measure.native_frames import as_pandas

if TYPE_CHECKING:
    from scipy import sparse
    from sklearn.neighbors import NearestNeighbors

TIE = 1e-6
"""Distances that differ by less are the same, in units of one standard deviation."""

MAX_LEVELS = 1_000


@dataclass(frozen=True, eq=False)
class Neighborhoods:
    """Who is near whom among rows of which equal ones are merged.

    Parameters
    ----------
    pattern : ndarray of int, shape (n_rows,)
        Which of the distinct rows each row is.
    times : ndarray of int, shape (n_patterns,)
        How many rows are equal to each.
    near : csr_array, shape (n_patterns, n_patterns)
        1 where the column is in the neighborhood of the row.
    """

    pattern: NDArray[np.int64]
    times: NDArray[np.int64]
    near: sparse.csr_array


def neighborhoods_of(X: Any, n_rows: int, n_neighbors: Any) -> Neighborhoods:
    """Find the nearest neighbors of each row, the row itself among them; see `distances_of` and `neighborhoods`.

    Shapes: `X` (n_rows, n_features).
    """
    points, pattern = distances_of(X, n_rows)
    if isinstance(n_neighbors, bool) or not isinstance(n_neighbors, int | np.integer) or not 1 <= n_neighbors <= n_rows:
        raise InputError(
            f"'n_neighbors' must be an int from 1 to the number of rows ({n_rows:,}), got {n_neighbors!r}."
        )
    times = np.bincount(pattern)
    return Neighborhoods(pattern, times, neighborhoods(points, times, int(n_neighbors)))


def distances_of(X: Any, n_rows: int) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Turn mixed features into points whose Euclidean distances compare rows, and merge equal rows.

    Numbers are scaled to mean 0 and variance 1; text, categories and truth values are one-hot encoded, missing being a
    level; a missing number is put at the mean and marked by a column of its own.

    Shapes: `X` (n, n_features); returns `points` (n_patterns, n_columns), `pattern` (n,).
    """
    X = as_pandas(X)
    frame = X if isinstance(X, pd.DataFrame) else _frame(X)
    if len(frame) != n_rows:
        raise InputError(f"'X' must have {n_rows:,} rows like 'y', got {len(frame):,}.")
    blocks = [_block(frame.iloc[:, i]) for i in range(frame.shape[1])]
    points = np.hstack([np.zeros((n_rows, 1)), *blocks])
    distinct, pattern = np.unique(points, axis=0, return_inverse=True)
    return distinct, pattern.reshape(-1)


def neighborhoods(points: NDArray[np.float64], times: NDArray[np.int64], n_neighbors: int) -> sparse.csr_array:
    """Find the nearest neighbors of each point, the point itself among them.

    Shapes: `points` (n_patterns, n_columns), `times` (n_patterns,); returns (n_patterns, n_patterns).
    """
    # Imported on first use: of all measures only dtdi needs scikit-learn, which is slow to import.
    from scipy import sparse
    from sklearn.neighbors import NearestNeighbors

    n_points = len(points)
    listed = min(n_neighbors + 1, n_points)
    search = NearestNeighbors(n_neighbors=listed, algorithm="brute" if points.shape[1] > 15 else "auto").fit(points)
    distance, index = search.kneighbors(points)
    enough = times[index].cumsum(axis=1) >= n_neighbors
    radius = distance[np.arange(n_points), enough.argmax(axis=1)] + TIE
    inside = distance <= radius[:, None]
    complete = ~inside.all(axis=1) if listed < n_points else np.ones(n_points, dtype=bool)
    rows, place = np.nonzero(inside & complete[:, None])
    parts = [(rows, index[rows, place])]
    open_rows = np.flatnonzero(~complete)
    if open_rows.size:
        parts += _wider(search, points, open_rows, radius)
    row = np.concatenate([part[0] for part in parts])
    column = np.concatenate([part[1] for part in parts])
    return sparse.csr_array((np.ones(len(row)), (row, column)), shape=(n_points, n_points))


def _wider(
    search: NearestNeighbors, points: NDArray[np.float64], rows: NDArray[np.int64], radius: NDArray[np.float64]
) -> list[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    # The list ended inside a tie: look at everything up to the largest such distance, in blocks of rows.
    parts = []
    for block in np.array_split(rows, max(1, len(rows) * len(points) // 4_000_000)):
        graph = search.radius_neighbors_graph(points[block], radius[block].max(), mode="distance").tocoo()
        near = graph.data <= radius[block][graph.row]
        parts.append((block[graph.row[near]], graph.col[near]))
    return parts


def _frame(X: Any) -> pd.DataFrame:
    array = np.asarray(X)
    if array.ndim != 2:
        raise InputError(f"'X' must have two dimensions, got {array.ndim}.")
    return pd.DataFrame(array).infer_objects()


def _block(column: pd.Series) -> NDArray[np.float64]:
    if pd.api.types.is_numeric_dtype(column.dtype) and not pd.api.types.is_bool_dtype(column.dtype):
        numbers = column.to_numpy(dtype=float, na_value=np.nan)
        missing = np.isnan(numbers)
        if np.isinf(numbers).any():
            raise InputError(f"'X' must hold finite numbers, column {quote(column.name)} has infinite ones.")
        known = numbers[~missing]
        spread = known.std() if known.size else 0.0
        scaled = np.zeros(len(numbers))
        if spread > 0:
            scaled[~missing] = (known - known.mean()) / spread
        return np.column_stack([scaled, missing.astype(float)]) if missing.any() else scaled[:, None]
    codes, levels = pd.factorize(column, use_na_sentinel=False)
    if len(levels) > MAX_LEVELS:
        raise ManyValuesError(
            f"A column of 'X' that is not a number must have at most {MAX_LEVELS:,} different values, column "
            f"{quote(column.name)} has {len(levels):,}.",
            hint="Leave names and numbers of cases out, or put the values into classes first.",
        )
    return np.eye(len(levels))[codes]
