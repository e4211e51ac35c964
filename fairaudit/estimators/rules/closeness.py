"""How close columns and literals come to revealing the groups, so that a rule that uses them can be marked."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from fairaudit.errors import InputError, MissingColumnError
from fairaudit.estimators.rules.column_literals import LiteralChoice, find_literals

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
