"""Two indices over all labels and all groups at once: disparate impact (DIDI) and disparate treatment (DTDI).

A cell is a protected cell: one value, or one crossing of values, of the sensitive features.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from fairaudit.errors import InputError, ManyValuesError, quote
from fairaudit.measure.grouping import Grouping, as_pandas, group_rows
from fairaudit.measure.intervals import ratio

if TYPE_CHECKING:
    from scipy import sparse
    from sklearn.neighbors import NearestNeighbors


# Which rows are near which: mixed features made comparable, ties kept together.

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


def neighborhoods_of(X: object, n_rows: int, n_neighbors: object) -> Neighborhoods:
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


def distances_of(X: object, n_rows: int) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
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


def _frame(X: object) -> pd.DataFrame:
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


MAX_LABELS = 1_000

Task = Literal["classification", "regression"]


@dataclass(frozen=True)
class DtdiResult:
    """DTDI with what is needed to read it.

    Parameters
    ----------
    value : float
        The index, a sum over rows, cells and labels.
    normalized : float
        ``value / (rows * cells)``, comparable between tables of different size.
    n_rows : int
        Rows.
    cells : tuple of tuple
        The values that make each protected cell.
    n_without_neighbors : tuple of int
        For each cell, the rows with no neighbor in it; they contribute nothing to that cell.
    """

    value: float
    normalized: float
    n_rows: int
    cells: tuple[tuple[object, ...], ...]
    n_without_neighbors: tuple[int, ...]

    def __float__(self) -> float:
        return self.value


def didi(y: object, *, sensitive_features: object, task: Task = "classification") -> float:
    """Compute the disparate impact discrimination index of labels or predictions.

    Classification: ``sum over labels y and cells p of |P(y) - P(y | p)|``. Regression: ``sum over cells p of
    |mean(y | p) - mean(y)|``. For a gap with an interval use :func:`fairaudit.check_controlled_fairness`.

    Parameters
    ----------
    y : array_like, shape (n,)
        Labels or predictions: any values for classification, numbers for regression.
    sensitive_features : Series, DataFrame, array, list or None
        One value, or one row of values, a row. Rows without a value form a cell of their own.
    task : {"classification", "regression"}
        What `y` holds.

    Returns
    -------
    float
        0 or above; 0 where all cells are alike.

    Raises
    ------
    InputError
        If `y` is empty or has missing values, lengths differ, or the task is unknown.

    Notes
    -----
    Only cells that occur are summed over. O(n).

    References
    ----------
    Aghaei, Azizi and Vayanos (2019), "Learning optimal and fair decision trees for non-discriminative decision-making",
    definitions 2.2 and 2.4.

    Examples
    --------
    >>> didi([1, 1, 0, 0], sensitive_features=["a", "a", "b", "b"])
    2.0
    >>> didi([1.0, 3.0, 5.0, 7.0], sensitive_features=["a", "a", "b", "b"], task="regression")
    4.0
    """
    values = _outcomes(y, task)
    grouping = group_rows(sensitive_features, len(values))
    n = np.bincount(grouping.codes, minlength=grouping.n_groups)
    sums = _cell_sums(grouping.codes, grouping.n_groups, values)
    return float(np.abs(sums / n[:, None] - sums.sum(axis=0) / n.sum()).sum())


def dtdi(
    X: object, y: object, *, sensitive_features: object, n_neighbors: int = 10, task: Task = "classification"
) -> float:
    """Compute the disparate treatment discrimination index of labels or predictions.

    Among the nearest neighbors of each row j in `X`: ``sum over labels y, cells p and rows j of |P(y) - P(y | p)|`` for
    classification, ``sum over cells p and rows j of |mean(y) - mean(y | p)|`` for regression. It grows with the number
    of rows; :func:`dtdi_details` also gives it divided by (rows x cells), and counts the rows without a neighbor in a
    cell.

    Parameters
    ----------
    X : DataFrame or array, shape (n, n_features)
        The other, not protected, features. Numbers are scaled to unit variance, everything else is one-hot encoded; a
        missing number is put at the mean and marked by a column of its own.
    y : array_like, shape (n,)
        Labels or predictions: any values for classification, numbers for regression.
    sensitive_features : Series, DataFrame, array, list or None
        One value, or one row of values, a row. Rows without a value form a cell of their own.
    n_neighbors : int
        The neighbors of each row, at least 1; the row itself is the first of them.
    task : {"classification", "regression"}
        What `y` holds.

    Returns
    -------
    float
        0 or above; 0 where near rows are treated alike in all cells.

    Raises
    ------
    InputError
        If lengths differ, `y` has missing values, `n_neighbors` is not from 1 to the number of rows, or the task is
        unknown.

    Notes
    -----
    Rows at the same distance as the last neighbor are neighbors too, so that the order of the rows does not matter. A
    row without a neighbor in a cell contributes nothing to that cell. Equal rows are merged first.

    References
    ----------
    Aghaei, Azizi and Vayanos (2019), definitions 2.6 and 2.8, with the nearest-neighbor weights of example 2.7.

    Examples
    --------
    >>> dtdi([[0], [0], [5], [5]], [1, 0, 1, 1], sensitive_features=["a", "b", "a", "b"], n_neighbors=2)
    4.0
    """
    return dtdi_details(X, y, sensitive_features=sensitive_features, n_neighbors=n_neighbors, task=task).value


def dtdi_details(
    X: object,
    y: object,
    *,
    sensitive_features: object,
    n_neighbors: int = 10,
    task: Task = "classification",
    weights: NDArray[np.float64] | None = None,
) -> DtdiResult:
    """Compute :func:`dtdi` with its size-free form and the rows that could not be compared.

    With `weights`, near rows are as many as without, and each counts in shares, means and sums by its weight.

    Shapes: `X` (n, n_features), `y` (n,), `weights` (n,).

    Examples
    --------
    >>> result = dtdi_details([[0], [0], [5]], [1, 0, 1], sensitive_features=["a", "b", "a"], n_neighbors=1)
    >>> result.cells, result.n_without_neighbors
    ((('a',), ('b',)), (0, 1))
    """
    values = _outcomes(y, task)
    n = len(values)
    grouping = group_rows(sensitive_features, n)
    return _dtdi(grouping, values, neighborhoods_of(X, n, n_neighbors), weights)


def _dtdi(
    grouping: Grouping,
    values: NDArray[np.float64],
    neighbors: Neighborhoods,
    weights: NDArray[np.float64] | None = None,
) -> DtdiResult:
    pattern, times, near = neighbors.pattern, neighbors.times, neighbors.near
    n, n_cells, n_labels = len(values), grouping.n_groups, values.shape[1]
    counted: float = n
    worth: NDArray[np.int64] | NDArray[np.float64] = times
    if weights is not None:
        values, counted, worth = values * weights[:, None], float(weights.sum()), np.bincount(pattern, weights)
    cell_of_pattern = pattern * n_cells + grouping.codes
    size = np.bincount(cell_of_pattern, weights=weights, minlength=len(times) * n_cells).reshape(-1, n_cells)
    sums = _cell_sums(cell_of_pattern, len(times) * n_cells, values).reshape(len(times), -1)
    near_size = near @ size.astype(float)
    near_sums = (near @ sums).reshape(-1, n_cells, n_labels)
    everywhere = near_sums.sum(axis=1) / near_size.sum(axis=1)[:, None]
    inside = ratio(near_sums, near_size[:, :, None])
    gaps = np.abs(everywhere[:, None, :] - inside).sum(axis=2)
    alone = near_size == 0
    value = float((np.where(alone, 0.0, gaps) * worth[:, None]).sum())
    without = tuple(int(k) for k in (alone * times[:, None]).sum(axis=0))
    return DtdiResult(value, value / (counted * n_cells), n, grouping.labels, without)


def _cell_sums(codes: NDArray[np.int64], n_codes: int, values: NDArray[np.float64]) -> NDArray[np.float64]:
    columns = [np.bincount(codes, weights=column, minlength=n_codes) for column in values.T]
    return np.stack(columns, axis=1)


def _outcomes(y: Any, task: Task) -> NDArray[np.float64]:
    """Return one column a label with 0 and 1, or the numbers themselves as the only column."""
    if task not in get_args(Task):
        raise InputError(f"'task' must be one of {', '.join(map(repr, get_args(Task)))}, got {task!r}.")
    series = pd.Series(y if isinstance(y, pd.Series | np.ndarray) else list(y)).reset_index(drop=True)
    missing = int(series.isna().sum())
    if len(series) == 0 or missing:
        raise InputError(
            f"'y' must have at least one row and no missing values, got {missing:,} missing in {len(series):,} rows.",
            hint="Leave these rows out, and say how many they were.",
        )
    if task == "classification":
        codes, labels = pd.factorize(series)
        if len(labels) > MAX_LABELS:
            raise InputError(
                f"'y' must have at most {MAX_LABELS:,} different labels for classification, got {len(labels):,}.",
                hint="Pass task='regression' if these are amounts.",
            )
        return np.eye(len(labels))[codes]
    numbers = pd.to_numeric(series, errors="coerce").to_numpy(dtype=float)
    if not np.isfinite(numbers).all():
        raise InputError("'y' must hold finite numbers when the task is 'regression'.")
    return numbers[:, None]
