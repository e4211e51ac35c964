"""Which columns reveal the groups, so that rules made without them do not name a group."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from fairaudit.errors import InputError, MissingColumnError
from fairaudit.estimators.rules.binarizer import LiteralChoice, find_literals
from fairaudit.measure.grouping import Grouping, distinct_names, value_text

FEWEST = 10
"""Rows that a value has on average, at least: otherwise groups may follow from a column by chance."""


def columns_that_reveal_groups(X: pd.DataFrame, grouping: Grouping) -> tuple[str, ...]:
    """Return the columns that have the name of a sensitive feature, or from whose values the groups follow.

    Shapes: `X` (n, n_features).

    Notes
    -----
    O(n) a column. A close proxy is not found: a column that reveals the group of nearly all rows.

    Examples
    --------
    >>> from fairaudit.measure.grouping import group_rows
    >>> X = pd.DataFrame({"female": [1, 0, 1, 0], "age": [30, 30, 40, 40]})
    >>> columns_that_reveal_groups(X, group_rows(["F", "M", "F", "M"], 4))
    ('female',)
    """
    partitions = list(_partitions(grouping))
    found = []
    for place, name in enumerate(X.columns):
        codes, values = pd.factorize(X.iloc[:, place], use_na_sentinel=False)
        if str(name) in grouping.names or any(_follows(codes, len(values), groups) for groups in partitions):
            found.append(str(name))
    return tuple(found)


def names_of_groups(grouping: Grouping) -> tuple[str, ...]:
    """Return what the groups are called."""
    return tuple(distinct_names([", ".join(map(value_text, label)) for label in grouping.labels]))


def _partitions(grouping: Grouping) -> Iterator[NDArray[np.int64]]:
    """Yield the groups of the rows, and those by each sensitive feature alone; none if all rows are alike."""
    if len(grouping.names) > 1 and grouping.n_groups > 1:
        yield grouping.codes
    for place in range(len(grouping.names)):
        codes, values = pd.factorize(pd.Series([label[place] for label in grouping.labels], dtype=object))
        if len(values) > 1:
            yield codes[grouping.codes]


def _follows(codes: NDArray[np.int64], n_values: int, groups: NDArray[np.int64]) -> bool:
    """Say whether the group follows from the value, other than by chance."""
    n_groups = int(groups.max()) + 1
    if n_values > n_groups and n_values * FEWEST > len(codes):
        return False
    return len(np.unique(codes * n_groups + groups)) == n_values >= n_groups


# How close columns and literals come to revealing the groups, so that a rule that uses them can be marked.

CLOSE: Final = 0.5
"""Half of the way from guessing groups blindly to knowing them."""


def close_proxies(
    frame: pd.DataFrame, groups: ArrayLike, columns: Iterable[str], *, minimum: float = CLOSE
) -> dict[str, float]:
    """Return the columns that come close to revealing the groups, and how close.

    With k groups and the parts v that rules divide a column into, a missing value being one of them::

        closeness = (sum_v max_g P(v | g) - 1) / (k - 1)

    If all groups were equally large, this is how far guessing the group from the column is on the way from a blind
    guess (0) to knowing it (1). For two groups it is the total variation distance between their values.

    Shapes: `groups` (n,).

    Notes
    -----
    Categories in fewer than 10 rows are one part, so that a name of its own for each row is not close. O(n log n) a
    column.

    Examples
    --------
    >>> frame = pd.DataFrame({"role": ["wife", "husband"] * 20, "age": [20, 20, 40, 40] * 10})
    >>> close_proxies(frame, ["f", "m"] * 20, ["role", "age"])
    {'role': 1.0}
    """
    codes, n_groups = _group_codes(frame, groups)
    found = {}
    for column in columns:
        if column not in frame.columns:
            raise MissingColumnError(column, frame.columns)
        divided = find_literals(frame, column, LiteralChoice())
        shares = _shares(divided.codes(frame), len(divided.table), codes, n_groups)
        found[column] = float((shares.max(axis=1).sum() - 1) / (n_groups - 1)) if n_groups > 1 else float("nan")
    close = {column: closeness for column, closeness in found.items() if closeness >= minimum}
    return dict(sorted(close.items(), key=lambda item: -item[1]))


def _group_codes(rows: Any, groups: ArrayLike) -> tuple[NDArray[np.int64], int]:
    codes, names = pd.factorize(np.asarray(groups), use_na_sentinel=False)
    if len(codes) != len(rows):
        raise InputError(f"'groups' must have {len(rows):,} rows, got {len(codes):,}.")
    return codes, len(names)


def _shares(parts: NDArray[np.int64], n_parts: int, groups: NDArray[np.int64], n_groups: int) -> NDArray[np.float64]:
    """Return the share of each group that is in each part, shape (n_parts, n_groups)."""
    counts = np.bincount(parts * n_groups + groups, minlength=n_parts * n_groups).reshape(n_parts, n_groups)
    return counts / counts.sum(axis=0)
