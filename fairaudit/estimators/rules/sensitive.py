"""Which columns reveal the groups, so that rules made without them do not name a group."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd
from numpy.typing import NDArray

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
