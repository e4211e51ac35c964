"""Whether the rows there are show that a column was filled in after the decision."""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from fairaudit.conditions import Condition
from fairaudit.data.table import Table

BY_CHANCE = 0.001
"""What rows show by chance more often than this says nothing on what came first."""


def follows_decision(table: Table, column: str, *, good: Condition, where: Condition | str | None = None) -> bool:
    """Say whether a column follows from the decision in these rows; what is missing is a value like others.

    It does where it repeats the decision, no value being found with both answers, as the grounds of a refusal; or where
    it has one value wherever the answer is the same, and others elsewhere, as an amount that only those have to whom it
    was granted. Neither says so where chance alone would often do it.
    """
    counted = table.counts({"good": good, "value": column}, where=where)
    counted = counted[counted["good"].notna()]
    codes = pd.factorize(counted["value"], use_na_sentinel=False)[0]
    is_good, n = counted["good"].to_numpy(dtype=bool), counted["n"].to_numpy(dtype=float)
    size = codes.max(initial=-1) + 1
    yes, no = (np.bincount(codes, n * mask, size).astype(float) for mask in (is_good, ~is_good))
    if not (yes.any() and no.any()):
        return False
    return _repeats(yes, no) or _has_one_value(yes, no) or _has_one_value(no, yes)


def _repeats(yes: NDArray[np.float64], no: NDArray[np.float64]) -> bool:
    if (np.minimum(yes, no) > 0).any():
        return False
    share = yes.sum() / (yes + no).sum()
    return bool(np.log(share ** (yes + no) + (1 - share) ** (yes + no)).sum() < np.log(BY_CHANCE))


def _has_one_value(own: NDArray[np.float64], other: NDArray[np.float64]) -> bool:
    """Say whether all rows of one answer have one value, which so many rows of the other would not all have."""
    [present, *others] = np.flatnonzero(own)
    # Laplace's rule of succession: that few rows lack a value does not say that all would.
    return not others and bool(((other[present] + 1) / (other.sum() + 2)) ** own[present] < BY_CHANCE)
