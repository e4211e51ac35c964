"""Parts of the rows: to learn from, to tune on, and held out for the judgement."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_random_state

from fairaudit.errors import InputError

TRAIN, TUNE = 0.6, 0.2
"""Shares of the rows in the first two parts; what is left is held out."""


@dataclass(frozen=True, eq=False)
class Split:
    """Row numbers of the three parts, ascending. The held-out part depends on the rows and the seed only.

    Parameters
    ----------
    train, tune, held_out : ndarray of int
        Disjoint; together all rows.
    """

    train: NDArray[np.int64]
    tune: NDArray[np.int64]
    held_out: NDArray[np.int64]

    @property
    def learning(self) -> NDArray[np.int64]:
        """All rows that are not held out, ascending."""
        return np.sort(np.concatenate([self.train, self.tune]))

    def holding_out(self, judged: NDArray[np.bool_]) -> Split:
        """Return the same parts, but that rows which are not to be judged are trained on and not held out.

        Shapes: `judged` (n,).
        """
        moved = self.held_out[~judged[self.held_out]]
        return Split(np.sort(np.concatenate([self.train, moved])), self.tune, self.held_out[judged[self.held_out]])


def split_rows(strata: Any, *, random_state: int | np.random.RandomState | None = None) -> Split:
    """Divide rows at random into 60 % to learn from, 20 % to tune on and 20 % held out, alike in every stratum.

    Shapes: `strata` (n,).

    Notes
    -----
    The parts of a stratum differ from its exact shares by less than one row. Rows are shuffled within each stratum;
    where a stratum has few rows, chance decides which part gets them.

    Examples
    --------
    >>> split = split_rows(["a"] * 10 + ["b"] * 5, random_state=0)
    >>> len(split.train), len(split.tune), len(split.held_out)
    (9, 3, 3)
    """
    train, tune, held_out = divide(strata, (TRAIN, TUNE, 1 - TRAIN - TUNE), random_state=random_state)
    return Split(train, tune, held_out)


def divide(
    strata: Any, shares: tuple[float, ...], *, random_state: int | np.random.RandomState | None = None
) -> tuple[NDArray[np.int64], ...]:
    """Divide rows at random into parts with given shares, alike in every stratum.

    Shapes: `strata` (n,).

    Examples
    --------
    >>> [len(part) for part in divide(["a"] * 8 + ["b"] * 2, (0.5, 0.5), random_state=0)]
    [5, 5]
    """
    if min(shares) <= 0 or abs(sum(shares) - 1) > 1e-9:
        raise InputError(f"The shares of the parts must be above 0 and add up to 1, got {shares}.")
    random = check_random_state(random_state)
    _, codes, sizes = np.unique(np.asarray(strata), return_inverse=True, return_counts=True)
    order = random.permutation(len(codes))
    order = order[np.argsort(codes[order], kind="stable")]
    within = np.arange(len(order)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    # Cut each shuffled stratum at its shares, rounded up or down by chance so that no part gains from rounding.
    cuts = np.floor(np.outer(sizes, np.cumsum(shares)[:-1]) + random.random_sample((len(sizes), 1)))
    part = (within[:, None] >= np.repeat(cuts, sizes, axis=0)).sum(axis=1)
    return tuple(np.sort(order[part == p]) for p in range(len(shares)))
