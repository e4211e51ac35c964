"""Columns that spell out the groups, for models that may see the protected column."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from fairaudit.estimators.base import boolean_rows

NAMES = ("is protected", "is in the population", "is protected and in the population")
"""The columns; a number is put behind a name that the table has already."""


def add_group_columns(table: Any, *, protected: Any, population: Any = None) -> pd.DataFrame:
    """Return a table with three columns of 0 and 1 more: protected, in the population, and both.

    Relabelling changes labels for protected rows of the population only. A model follows it better if it need not work
    out from other columns which rows these are. The columns must be there when the model decides as well. Only for a
    model that may see the protected column: they hold nothing that the conditions' own columns do not hold.

    Shapes: `table` (n, n_features), `protected` (n,), `population` (n,); returns (n, n_features + 3).

    Examples
    --------
    >>> add_group_columns(pd.DataFrame({"age": [30, 40]}), protected=[True, False]).iloc[:, 1:].to_numpy().tolist()
    [[1.0, 1.0, 1.0], [0.0, 1.0, 0.0]]
    """
    who = boolean_rows(protected, len(table), "protected", default=False)
    inside = boolean_rows(population, len(table), "population", default=True)
    columns = {}
    for name, values in zip(NAMES, (who, inside, who & inside), strict=True):
        number = 1
        while (free := name if number == 1 else f"{name} {number}") in table.columns:
            number += 1
        columns[free] = values.astype(np.float64)
    return table.assign(**columns)
