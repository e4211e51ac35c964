"""How differently groups are treated by predictions: the indices of a tree, and DTDI as linear forms."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import sparse

from fairaudit.errors import InputError
from fairaudit.estimators.trees.problem import Measure, Task, TreeRows
from fairaudit.findings import Argument, Count, Message, Word
from fairaudit.measure.grouping import Grouping
from fairaudit.measure.indices import Neighborhoods, didi, dtdi_details, neighborhoods_of
from fairaudit.messages import say

if TYPE_CHECKING:
    from fairaudit.estimators.parameters import Features


@dataclass(frozen=True)
class Discrimination(Mapping[str, float]):
    """Measures of predictions on the rows that a tree was learned from; NaN where one is not defined."""

    # The disparate impact discrimination index.
    didi: float
    # The disparate treatment discrimination index, divided by rows times groups; NaN where it was not asked for.
    dtdi: float
    # The largest difference between two groups in the share of positive predictions, or in the mean prediction.
    demographic_parity: float
    # The smallest share of positive predictions of a group, as a share of the largest.
    four_fifths: float
    # equal_opportunity, equalized_odds: The largest difference in that share among the rows whose label is positive,
    # and among those of either label.
    equal_opportunity: float
    equalized_odds: float

    def __getitem__(self, name: str) -> float:
        if name not in {field.name for field in fields(self)}:
            raise KeyError(name)
        return float(getattr(self, name))

    def __iter__(self) -> Iterator[str]:
        return (field.name for field in fields(self))

    def __len__(self) -> int:
        return len(fields(self))


def discrimination_of(
    predicted: NDArray[np.float64],
    targets: NDArray[np.float64],
    grouping: Grouping,
    task: Task,
    *,
    near: pd.DataFrame | None = None,
    n_neighbors: int = 10,
    weights: NDArray[np.float64] | None = None,
) -> Discrimination:
    """Measure predictions for rows in groups. Shapes: `predicted` (n,), `targets` (n,), `weights` (n,)."""
    nan, kept = float("nan"), grouping.inside
    groups, predicted, targets = grouping.codes[kept], predicted[kept], targets[kept]
    weights, near = None if weights is None else weights[kept], None if near is None else near[kept]
    rates = {"demographic_parity": np.ones(len(targets), dtype=bool)}
    if task == "classification":
        rates |= {"positive": targets == 1, "negative": targets == 0}
    gaps = {}
    for name, inside in rates.items():
        parts = [np.flatnonzero(inside & (groups == g)) for g in range(grouping.n_groups)]
        means = np.array([_mean(predicted, part, weights) for part in parts if len(part)])
        gaps[name] = float(np.ptp(means)) if len(means) > 1 else nan
        if name == "demographic_parity":
            ratio = means.min() / means.max() if len(means) > 1 and means.max() > 0 and means.min() >= 0 else nan
        if name == "demographic_parity":
            away = np.abs(means - _mean(predicted, np.arange(len(predicted)), weights)).sum()
    is_class = task == "classification"
    if weights is None:
        impact = float(didi(predicted, sensitive_features=groups, task=task))
    else:
        impact = float((2.0 if is_class else 1.0) * away)
    return Discrimination(
        didi=impact,
        dtdi=nan
        if near is None
        else dtdi_details(
            near, predicted, sensitive_features=groups, n_neighbors=n_neighbors, task=task, weights=weights
        ).normalized,
        demographic_parity=gaps["demographic_parity"],
        four_fifths=float(ratio) if is_class else nan,
        equal_opportunity=gaps["positive"] if is_class else nan,
        equalized_odds=float(np.fmax(gaps["positive"], gaps["negative"])) if is_class else nan,
    )


def _mean(predicted: NDArray[np.float64], rows: NDArray[np.int64], weights: NDArray[np.float64] | None) -> float:
    if weights is None:
        return float(predicted[rows].mean())
    return float(np.average(predicted[rows], weights=weights[rows]))


def notes_on_groups(grouping: Grouping, constraint: str | None, targets: NDArray[np.float64]) -> tuple[str, ...]:
    """Say which groups are not compared. Shapes: `targets` (n,)."""
    if constraint is None:
        return ()
    if grouping.n_groups < 2:
        return (say(Message("tree-note-one-group")),)
    parts = {"equal_opportunity": (1,), "equalized_odds": (1, 0)}.get(constraint, ())
    notes = []
    for label in parts:
        sizes = np.bincount(grouping.codes[(targets == label) & grouping.inside], minlength=grouping.n_groups)
        n_lacking = int((sizes == 0).sum())
        if n_lacking:
            lacking: dict[str, Argument] = {"n": Count(n_lacking), "all": Count(grouping.n_groups)}
            outcome = Word("with" if label else "without")
            notes.append(say(Message("tree-note-lacking", {**lacking, "outcome": outcome})))
    return tuple(notes)


# DTDI of predictions as linear forms: for each row and group, how near rows of the group are treated otherwise.
#
# For a row j and a group p, with the rows near j counted by the cell of the tree they are in::
#
#     form(j, p) = mean of h over the rows near j - mean of h over those of them in p
#
# Rows of equal features share their forms, and of two groups one form is a multiple of the other: what is a multiple of
# another is merged with it, so that few forms are left.

SAME_FORM: Final = 1e-12
"""Coefficients, of forms whose largest is 1, that differ by less are the same."""


@dataclass(frozen=True, eq=False)
class DtdiMeasure(Measure):
    """DTDI divided by rows times groups, with the rows that cannot be compared."""

    # For each group, the rows with no neighbor in it; they contribute nothing to that group.
    n_without_neighbors: tuple[int, ...] = ()


def dtdi_measure(
    rows: TreeRows,
    X: Features,
    grouping_codes: NDArray[np.int64],
    n_groups: int,
    n_neighbors: int,
    task: Task,
    weights: NDArray[np.float64] | None = None,
) -> DtdiMeasure:
    """Return DTDI, divided by rows times groups, of predictions for the cells of merged rows.

    Rows with the code `n_groups` are in no group, and in no comparison.

    Shapes: `X` (n_rows, n_features), `grouping_codes` (n_rows,), `weights` (n_rows,).

    Notes
    -----
    One product of sparse matrices; 5,000 rows of 15 numbers with 10 neighbors take about a second, most of it to find
    them.

    Examples
    --------
    >>> X, groups = np.array([[0], [0], [5], [5]]), np.array([0, 1, 0, 1])
    >>> rows = TreeRows.merge(np.eye(4, dtype=bool), groups, np.zeros(4), ["a", "b"])
    >>> measure = dtdi_measure(rows, X, groups, 2, 2, "classification")
    >>> measure.value(np.array([1.0, 0.0, 1.0, 1.0])[np.argsort(rows.cells)]), measure.forms.shape
    (0.5, (2, 4))
    """
    n = len(rows.cells)
    codes = np.asarray(grouping_codes)
    if codes.shape != (n,):
        raise InputError(f"'grouping_codes' must have {n:,} rows, got {len(codes):,}.")
    inside = np.flatnonzero(codes < n_groups)
    if len(inside) < n:
        X, codes, n = X.iloc[inside] if isinstance(X, pd.DataFrame) else X[inside], codes[inside], len(inside)
        rows, n_neighbors = replace(rows, cells=rows.cells[inside]), min(n_neighbors, n)
        weights = None if weights is None else weights[inside]
    neighbors = neighborhoods_of(X, n, n_neighbors)
    times, n_patterns = neighbors.times, len(neighbors.times)
    worth = times if weights is None else np.bincount(neighbors.pattern, weights)
    counts = [_near(neighbors, rows, codes == group, weights) for group in range(n_groups)]
    everywhere = _means(sum(counts[1:], start=counts[0]))
    forms, prices, without = [], [], []
    for count in counts:
        sizes = np.asarray(count.sum(axis=1)).reshape(n_patterns)
        known = np.flatnonzero(sizes > 0)
        without.append(int(times[sizes == 0].sum()))
        forms.append(everywhere[known] - _means(count[known]))
        prices.append(worth[known].astype(np.float64))
    merged = merged_forms(sparse.csr_array(sparse.vstack(forms)), np.concatenate(prices))
    total = n if weights is None else float(weights.sum())
    scale = (2.0 if task == "classification" else 1.0) / (total * n_groups)
    return DtdiMeasure("dtdi", merged, scale, tuple(without))


def merged_forms(forms: sparse.csr_array, weights: NDArray[np.float64]) -> sparse.csr_array:
    """Merge forms that are multiples of each other, so that the sum of absolute values stays the same.

    Shapes: `forms` (n_forms, n_cells), `weights` (n_forms,); returns (n_merged, n_cells).

    Examples
    --------
    >>> forms = sparse.csr_array(np.array([[1.0, -1.0], [-2.0, 2.0], [0.0, 0.0]]))
    >>> merged_forms(forms, np.ones(3)).toarray().tolist()
    [[3.0, -3.0]]
    """
    forms = sparse.csr_array(forms, copy=True)
    forms.data[np.abs(forms.data) < SAME_FORM] = 0.0
    forms.eliminate_zeros()
    forms.sort_indices()
    starts, places = forms.indptr, forms.indices
    filled = np.flatnonzero(np.diff(starts))
    largest = np.zeros(forms.shape[0])
    if filled.size:
        largest[filled] = np.maximum.reduceat(np.abs(forms.data), starts[filled])
        # The sign of the first coefficient, so that opposite forms become the same.
        largest[filled] *= np.sign(forms.data[starts[filled]])
    unit = np.round(forms.data / np.repeat(largest, np.diff(starts)), 12) + 0.0
    first: dict[tuple[bytes, bytes], int] = {}
    totals = np.zeros(forms.shape[0])
    for form in filled.tolist():
        part = slice(starts[form], starts[form + 1])
        alike = first.setdefault((places[part].tobytes(), unit[part].tobytes()), form)
        totals[alike] += weights[form] * abs(largest[form] / largest[alike])
    kept = np.array(sorted(first.values()), dtype=np.int64)
    return sparse.csr_array(sparse.diags_array(totals[kept]) @ forms[kept])


def _near(
    neighbors: Neighborhoods, rows: TreeRows, inside: NDArray[np.bool_], weights: NDArray[np.float64] | None
) -> sparse.csr_array:
    """Return how many of some rows, or what these count, are near each pattern and in each cell."""
    where = np.flatnonzero(inside)
    counted = np.ones(len(where)) if weights is None else weights[where]
    shape = (len(neighbors.times), rows.n_cells)
    counts = sparse.csr_array((counted, (neighbors.pattern[where], rows.cells[where])), shape=shape)
    return sparse.csr_array(neighbors.near @ counts)


def _means(counts: sparse.csr_array) -> sparse.csr_array:
    sizes = np.asarray(counts.sum(axis=1)).reshape(-1)
    return sparse.csr_array(sparse.diags_array(1.0 / sizes) @ counts) if len(sizes) else counts
