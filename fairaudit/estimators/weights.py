"""How much each row of a fit counts."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from sklearn.utils import _safe_indexing
from sklearn.utils.validation import _num_samples

from fairaudit.errors import InputError
from fairaudit.estimators.common_cut import are_whole
from fairaudit.estimators.parameters import Features
from fairaudit.measure.grouping import as_pandas

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

T = TypeVar("T")

MOST_TIMES = 20
"""Fractional weights become repeated rows where no row is then repeated more often."""
MOST_PARTS = 1000
"""Parts of the smallest weight of which all others may be multiples."""
COMMON = 1e-11
"""How far a weight may be from a multiple, as a share of it: what a division leaves in its last digits."""
GRID = 2.0**-30
"""Weights are multiples of this, so that their sums are exact; far below what limits are held to."""
MOST_WRITTEN_OUT = 50_000_000
"""Rows that may be written out, at most: more would not fit into memory."""


@dataclass(frozen=True, eq=False)
class RowWeights:
    """What the rows of a fit count; those that count nothing are left out, as if they were not there.

    Whole numbers say how many rows each stands for. Of others only the proportions count: they are scaled so that rows
    count 1 on average. So a learner's penalty, or the fewest rows of a leaf, mean the same whatever their unit is.

    Examples
    --------
    >>> weights = RowWeights.read([2, 0, 1], np.arange(3)[:, None])
    >>> weights.values.tolist(), weights.keep("y", ["a", "b", "c"])
    ([2.0, 1.0], ['a', 'c'])
    """

    # Rows that were given.
    n_given: int
    # (n_rows,) What each row that is kept counts, above 0; None where each counts once.
    values: Floats | None = None
    # (n_rows,) The numbers of the rows that are kept, ascending; several times where rows are written out; None for
    # all.
    rows: Ints | None = None

    @classmethod
    def read(cls, sample_weight: ArrayLike | None, X: Features) -> RowWeights:
        """Check the weights of the rows of a table. Shapes: `sample_weight` (n_given,)."""
        if sample_weight is None:
            return cls(0)
        n = _num_samples(as_pandas(X))
        values = _numbers(sample_weight, n)
        kept = np.flatnonzero(values)
        weights = values[kept]
        if not are_whole(weights):
            weights = np.ones(len(kept)) if np.ptp(weights) == 0 else weights * (len(kept) / weights.sum())
        return cls(n, None if (weights == 1).all() else weights, None if len(kept) == n else kept)

    @property
    def are_whole(self) -> bool:
        """Whether all are whole numbers."""
        return self.values is None or are_whole(self.values)

    def in_lowest_terms(self) -> RowWeights:
        """Return weights in the same proportions: the smallest whole numbers, where few rows of each make these.

        So a third of whole weights, or ten times as much, counts as these do. Other weights are multiples of a small
        part of a row, whose sums are exact; whole numbers stay as they are.

        Examples
        --------
        >>> RowWeights.read([1 / 3, 1, 2 / 3], np.arange(3)[:, None]).in_lowest_terms().values.tolist()
        [1.0, 3.0, 2.0]
        """
        if self.values is None or self.are_whole:
            return self
        whole = _lowest_terms(self.values)
        if whole is not None and whole.sum() <= MOST_TIMES * len(whole):
            return replace(self, values=whole)
        # A row that counts next to nothing counts that still.
        return replace(self, values=np.maximum(np.rint(self.values / GRID), 1) * GRID)

    def written_out(self, estimator: str, reason: str) -> RowWeights:
        """Return the same with each row as often as it counts, for an estimator that takes no other weights."""
        if self.values is None:
            return self
        if not self.are_whole:
            raise InputError(
                f"'sample_weight' must be whole numbers for {estimator}, {reason}.",
                hint="Multiply the weights, and round them to whole numbers.",
            )
        if (total := int(self.values.sum())) > MOST_WRITTEN_OUT:
            raise InputError(
                f"'sample_weight' must add up to at most {MOST_WRITTEN_OUT:,} for {estimator}, got {total:,}.",
                hint="Divide the weights by a common factor.",
            )
        rows = np.arange(self.n_given) if self.rows is None else self.rows
        return RowWeights(self.n_given, None, np.repeat(rows, self.values.astype(np.int64)))

    def as_single(self, estimator: str) -> RowWeights:
        """Return the same with each row as often as it counts where weights are whole, for rows that are to be divided.

        What a row stands for would stay together otherwise, and parts of a table of counts are no random draws of it.
        """
        return self.written_out(estimator, "which divides the rows") if self.are_whole else self

    def keep(self, name: str, values: T) -> T:
        """Return what was given for each row, for the rows that are kept."""
        if self.rows is None or values is None:
            return values
        read = as_pandas(values)
        if (n := _num_samples(read)) != self.n_given:
            raise InputError(f"'{name}' must have {self.n_given:,} rows, as 'X' has, got {n:,}.")
        kept = _safe_indexing(read, self.rows)
        return kept.reset_index(drop=True) if isinstance(kept, pd.DataFrame | pd.Series) else kept

    def of(self, rows: NDArray[np.generic]) -> Floats | None:
        """Return the weights of some of the rows that are kept; None where each counts once."""
        return None if self.values is None else self.values[rows]

    def given(self, rows: Ints) -> Ints:
        """Return the numbers that rows have in the table that was given."""
        return rows if self.rows is None else self.rows[rows]


def _lowest_terms(weights: Floats) -> Floats | None:
    """Return the smallest whole numbers in the proportions of weights; None where no small part measures them all."""
    ratios, places = np.unique(weights / weights.min(), return_inverse=True)
    for parts in range(1, MOST_PARTS + 1):
        found = np.rint(ratios * parts)
        if (np.abs(ratios * parts - found) <= COMMON * found).all():
            whole = found.astype(np.int64)
            return (whole // np.gcd.reduce(whole)).astype(np.float64)[places.reshape(-1)]
    return None


def _numbers(sample_weight: ArrayLike, n: int) -> Floats:
    read = as_pandas(sample_weight)
    try:
        values = np.array(read, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError(
            "'sample_weight' must be numbers, got values of another kind.", hint="Pass one number for each row."
        ) from None
    if values.shape != (n,):
        raise InputError(
            f"'sample_weight' must have one number for each of the {n:,} rows, got the shape {values.shape}."
        )
    if n_bad := int((~np.isfinite(values)).sum()):
        raise InputError(
            f"'sample_weight' must be finite numbers, got {n_bad:,} that are missing or infinite.",
            hint="Leave these rows out.",
        )
    if n_bad := int((values < 0).sum()):
        raise InputError(
            f"'sample_weight' must be 0 or more for each row, got {n_bad:,} numbers below 0.",
            hint="A row of weight 0 is left out.",
        )
    if not values.any():
        raise InputError(
            f"'sample_weight' must be above zero for some row, got zero for all {n:,} rows.",
            hint="Leave 'sample_weight' out to have each row count once.",
        )
    return values
