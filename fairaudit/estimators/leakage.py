"""Columns that a model should not learn from: those that give the outcome away, and those that say nothing about it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from fairaudit.columns import Column
from fairaudit.data.case_counts import is_weight_name
from fairaudit.data.engine import quoted
from fairaudit.data.given import as_table
from fairaudit.data.quality import different_sql, fractions_sql, half_span_sql
from fairaudit.data.roles import is_identifier
from fairaudit.data.table import Table
from fairaudit.data.writing import SqlWriter
from fairaudit.errors import InputError, quote
from fairaudit.measure.rates import binary_labels

if TYPE_CHECKING:
    from fairaudit.estimators.parameters import Labels

FEWEST_OF_OUTCOME = 10
"""With fewer rows of one outcome a column may predict it by chance, so none is looked for."""

LARGEST_EXCEPTION = 0.02
"""With at most this part of the good or bad outcomes to be expected by chance, hardly any is there."""

FILLED_IN_AFTER = "whether it is filled in shows the decision, so it was most likely written after it"
"""Why a column of :func:`columns_filled_in_after` is left out."""

MOST_CATEGORIES = 50
"""Numbers with at most this many values are looked at as categories too."""

LEAST_FILLED_IN = 0.5
"""With fewer rows filled in than this share of all, having one of the values that name rows may say something."""

NAMES_ROWS, ONE_VALUE, WEIGHS = "it names the rows", "it has one value only", "it says what rows weigh"
"""Why nothing can be learned from a column."""

EXACT_ROWS = 1_000_000
"""Above this number of rows, different values are estimated."""


def columns_that_reveal(X: pd.DataFrame, y: Labels, *, limit: float = 0.999) -> tuple[str, ...]:
    """Return the columns that alone give the label away.

    Such a column was most likely written down after the decision, or is the decision under another name. A model that
    learns from it looks accurate and is of no use.

    Shapes: `X` (n, n_features), `y` (n,).

    Notes
    -----
    Numbers are ranked as they are, in either direction. Categories, and numbers with few values, are ranked by the
    share of good labels that a value has in the *other* half of the rows, so that a number or name of its own for each
    row does not count: it says nothing about a new row. A missing value is a value. Nothing is returned where
    one label has fewer than 10 rows. O(n log n) a column.

    Examples
    --------
    >>> y = np.arange(40) % 2
    >>> X = pd.DataFrame({"age": np.arange(40), "granted": np.where(y, "yes", "no"), "row": np.arange(40).astype(str)})
    >>> columns_that_reveal(X, y)
    ('granted',)
    """
    labels = binary_labels(y, "y")
    if len(labels) != len(X):
        raise InputError(f"'y' must have {len(X):,} rows like 'X', got {len(labels):,}.")
    if min(labels.sum(), (1 - labels).sum()) < FEWEST_OF_OUTCOME:
        return ()
    first_half = _halves(labels)
    columns = ((str(name), X.iloc[:, i]) for i, name in enumerate(X.columns))
    return tuple(name for name, values in columns if _area_alone(values, labels, first_half) >= limit)


def label_leaks(X: pd.DataFrame, y: Labels) -> tuple[str, ...]:
    """Say which columns give the label away.

    Shapes: `X` (n, n_features), `y` (n,).

    Examples
    --------
    >>> y = np.arange(40) % 2
    >>> label_leaks(pd.DataFrame({"granted": y}), y)[0]
    "Column 'granted' alone tells the outcome of nearly every row. If it was written after the decision, leave it out."
    """
    return tuple(
        f"Column {quote(name)} alone tells the outcome of nearly every row. "
        "If it was written after the decision, leave it out."
        for name in columns_that_reveal(X, y)
    )


def columns_filled_in_after(X: pd.DataFrame, y: Labels) -> tuple[str, ...]:
    """Return the columns whose being filled in, or being empty, goes with one label alone.

    Such as the interest of a loan, which only those have who got one, or the reason of a refusal: most likely both were
    written down after the decision.

    Shapes: `X` (n, n_features), `y` (n,).

    Examples
    --------
    >>> granted = np.arange(80) % 2
    >>> X = pd.DataFrame({"income": np.arange(80.0), "interest": np.where(np.arange(80) % 4 == 1, 3.5, np.nan)})
    >>> columns_filled_in_after(X, granted)
    ('interest',)
    """
    labels = binary_labels(y, "y")
    found = []
    for name in X.columns:
        empty = X[name].isna().to_numpy()
        parts = [(part, labels[part]) for part in (empty, ~empty)]
        sides = [(part.sum() * share, (own == label).sum()) for part, own in parts for label, share in _shares(labels)]
        if any(expected >= FEWEST_OF_OUTCOME and n <= LARGEST_EXCEPTION * expected for expected, n in sides):
            found.append(str(name))
    return tuple(found)


def _shares(labels: NDArray[np.int64]) -> tuple[tuple[int, float], ...]:
    good = float(labels.mean()) if len(labels) else 0.0
    return (1, good), (0, 1 - good)


def columns_without_use(data: Table | pd.DataFrame) -> dict[str, str]:
    """Return the columns from which nothing can be learned about new rows, and why; weights of a survey among them.

    Notes
    -----
    One pass over the data. Above a million rows, different values are estimated.

    Examples
    --------
    >>> columns_without_use(pd.DataFrame({"id": [1, 2, 3], "name": ["x", "y", "z"], "age": [20, 20, 35], "c": 1}))
    {'id': 'it names the rows', 'name': 'it names the rows', 'c': 'it has one value only'}
    """
    table = as_table(data)
    columns = list(table.columns.values())
    if not columns or not table.n_rows:
        return {}
    exact = table.n_rows <= EXACT_ROWS
    if table.is_connected:
        parts = [part for column in columns for part in _facts_in_engine(column, table.writer)]
    else:
        parts = [part for column in columns for part in _facts(column, exact)]
    values = iter(table.aggregate(parts))
    facts = [(column, *(next(values) for _ in range(4))) for column in columns]
    reasons = {column.name: _without_use(column, table.n_rows, *numbers) for column, *numbers in facts}
    return {name: reason for name, reason in reasons.items() if reason}


def _facts(column: Column, exact: bool) -> list[str]:
    name = quoted(column.name)
    distinct = f"count(DISTINCT {name})" if exact else f"approx_count_distinct({name})"
    if column.kind != "number":
        return [f"count({name})", distinct, "0", "0"]
    return [
        f"count({name})",
        distinct,
        f"max({name}) / 2 - min({name}) / 2",
        f"count(*) FILTER ({name} <> trunc({name}))",
    ]


def _facts_in_engine(column: Column, writer: SqlWriter) -> list[str]:
    name, different = writer.quoted(column.name), different_sql(writer, column.name)
    if column.kind != "number":
        return [f"count({name})", different, "0", "0"]
    return [f"count({name})", different, half_span_sql(writer, column.name), fractions_sql(writer, column.name)]


def _without_use(
    column: Column, n_rows: int, known: int, distinct: int, half: float | None, fractions: int
) -> str | None:
    """Return why nothing can be learned from a column; None where something may be."""
    if distinct + (known < n_rows) <= 1:
        return ONE_VALUE
    if column.kind == "number" and is_weight_name(column.name):
        return WEIGHS
    if known < LEAST_FILLED_IN * n_rows:
        return None
    return NAMES_ROWS if is_identifier(column, known, distinct, fractions=fractions, half_span=half) else None


def _halves(y: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Put every other row of either label into the first half, in a random order that is always the same."""
    order = np.random.default_rng(0).permutation(len(y))
    order = order[np.argsort(y[order], kind="stable")]
    first = np.zeros(len(y), dtype=bool)
    first[order[::2]] = True
    return first


def _area_alone(values: pd.Series, y: NDArray[np.int64], first_half: NDArray[np.bool_]) -> float:
    """Return how well a column alone ranks the rows by their label, from 0.5 to 1."""
    number = pd.api.types.is_numeric_dtype(values) and not pd.api.types.is_bool_dtype(values)
    if not number:
        return _area_by_levels(pd.factorize(values, use_na_sentinel=False)[0], y, first_half)
    numbers = values.to_numpy(dtype=float, na_value=np.nan)
    missing = np.isnan(numbers)
    area = max(_area(np.where(missing, end, numbers), y) for end in ((-np.inf, np.inf) if missing.any() else (0.0,)))
    codes, levels = pd.factorize(numbers, use_na_sentinel=False)
    return max(area, _area_by_levels(codes, y, first_half)) if len(levels) <= MOST_CATEGORIES else area


def _area_by_levels(codes: NDArray[np.int64], y: NDArray[np.int64], first_half: NDArray[np.bool_]) -> float:
    n_levels = int(codes.max()) + 1
    score = np.empty(len(y))
    for half in (first_half, ~first_half):
        n = np.bincount(codes[~half], minlength=n_levels)
        good = np.bincount(codes[~half], weights=y[~half], minlength=n_levels)
        # A value that the other half does not have is taken to be like all its rows together.
        share = np.where(n > 0, good / np.maximum(n, 1), y[~half].mean())
        score[half] = share[codes[half]]
    return _area(score, y)


def _area(score: NDArray[np.float64], y: NDArray[np.int64]) -> float:
    n_good = int(y.sum())
    n_bad = len(y) - n_good
    area = (pd.Series(score).rank().to_numpy()[y == 1].sum() - n_good * (n_good + 1) / 2) / (n_good * n_bad)
    return float(max(area, 1 - area))
