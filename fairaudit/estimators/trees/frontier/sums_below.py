"""Sums below literals, for each two splits: one product of matrices gives those below one set of rows.

Sums of sets that differ in few rows differ by the sums of those rows: sums below a cut of a number are those below the
cut before it and of the rows between. So sums are made from those of the nearest set that is known.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from fairaudit.measure.bins import sums_by_code
from fairaudit.work import Budget

Floats = NDArray[np.float64]
Sums = NDArray[Any]
"""Numbers in single or double precision, shape (n_parts, L + 1, L + 1): over rows for which two splits hold; the last
holds for all."""

MOST_BYTES: Final = 1.6e9
"""What all sums may take in memory."""
WIDE: Final = 14
"""Products of tables with many columns take so much less time than others, for each number."""
SINGLE: Final = 2**24
"""Up to this, sums of whole numbers are exact in single precision."""


class SumsBelow:
    """Sums over the rows below one or two literals.

    Parameters
    ----------
    holds : ndarray of bool, shape (n_cells, L)
        Whether each split holds for each cell.
    parts : list of ndarray of float, shape (n_cells,)
        What is summed, each by itself: rows of each kind, where these are few.
    budget : Budget
        Where work counts.
    """

    def __init__(self, holds: NDArray[np.bool_], parts: list[Floats], budget: Budget) -> None:
        self.n_cells, self.n_splits = holds.shape
        is_counts = all((part == np.rint(part)).all() and np.abs(part).sum() < SINGLE for part in parts)
        self._type = np.float32 if is_counts else np.float64
        self._held = np.column_stack([holds, np.ones(self.n_cells, dtype=bool)])
        self._holds: Sums = self._held.astype(self._type)
        self._parts, self._budget = [part.astype(self._type) for part in parts], budget
        self._known: dict[int, Sums] = {}
        self.whole = self.of_rows(np.arange(self.n_cells))

    @cached_property
    def _apart(self) -> Floats:
        """For each two splits in how many cells they differ; then from none and from all. Shape (L, L + 2)."""
        self._budget.spend(products=self.n_cells * self.n_splits**2 / WIDE)
        both = self._holds.T @ self._holds
        held = np.diag(both)[:-1]
        apart = held[:, None] + held[None, :] - 2 * both[:-1, :-1]
        return np.column_stack([apart, held, self.n_cells - held]).astype(np.float64)

    def of_rows(self, rows: NDArray[np.int64]) -> Sums:
        """Return sums over some rows."""
        found = np.zeros((len(self._parts), self.n_splits + 1, self.n_splits + 1), dtype=self._type)
        for sums, part in zip(found, self._parts, strict=True):
            here = rows[part[rows] != 0]
            is_one = part[here] == 1
            if is_one.any():
                holds = self._holds[here[is_one]]
                sums += holds.T @ holds
            if not is_one.all():
                more = here[~is_one]
                holds = self._holds[more]
                sums += (holds * part[more, None]).T @ holds
            self._budget.spend(products=len(here) * self.n_splits**2 / WIDE, elements=0.5 * found[0].size, calls=1)
        return found

    def inside(self, *literals: tuple[int, bool]) -> NDArray[np.int64]:
        """Return the cells for which all of some literals hold."""
        inside = np.ones(self.n_cells, dtype=bool)
        for split, held in literals:
            inside &= self._held[:, split] == held
        self._budget.spend(elements=0.2 * len(literals) * self.n_cells)
        return np.flatnonzero(inside)

    def below(self, split: int, held: bool = True) -> Sums:
        """Return the sums over the rows for which a split holds, or does not."""
        sums = self._known.get(split)
        if sums is None:
            sums = self._from_nearest(split)
            if (len(self._known) + 1) * sums.nbytes <= MOST_BYTES:
                self._known[split] = sums
        return sums if held else self.whole - sums

    def one_by_one(self, prices: Floats) -> Floats:
        """Return sums, for each two splits, where rows that any split divides are predicted one by one.

        Shapes: `prices` (n_parts,) of what is predicted 1; returns (L + 1, L + 1).
        """
        patterns, first = self._patterns
        costs = prices @ np.array(self._parts, dtype=np.float64)
        best = np.minimum(sums_by_code(patterns, costs), 0.0)
        holds = self._held[first].astype(np.float64)
        self._budget.spend(products=len(first) * self.n_splits**2 / WIDE, elements=4 * self.n_cells)
        return (holds * best[:, None]).T @ holds

    @cached_property
    def _patterns(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        return patterns_of(self._held)

    def nearest_first(self) -> list[int]:
        """Return all splits, so that each is near to one before it."""
        left, order = list(range(self.n_splits)), []
        near = self._apart[:, self.n_splits :].min(axis=1)
        while left:
            split = min(left, key=near.__getitem__)
            left.remove(split)
            order.append(split)
            near = np.minimum(near, self._apart[:, split])
        return order

    def _from_nearest(self, split: int) -> Sums:
        none, everything = self.n_splits, self.n_splits + 1
        base = min([*self._known, none, everything], key=self._apart[split].__getitem__)
        before = np.full(self.n_cells, base == everything) if base >= none else self._held[:, base]
        holds = self._held[:, split]
        sums = self.of_rows(np.flatnonzero(holds & ~before)) - self.of_rows(np.flatnonzero(before & ~holds))
        if base == none:
            return sums
        return sums + (self.whole if base == everything else self._known[base])


def patterns_of(holds: NDArray[np.bool_]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the cells for which the same splits hold: the pattern of each cell, and a cell of each pattern.

    Examples
    --------
    >>> codes, first = patterns_of(np.array([[1, 0], [0, 1], [1, 0]], dtype=bool))
    >>> codes.tolist(), first.tolist()
    ([1, 0, 1], [1, 0])
    """
    packed = np.ascontiguousarray(np.packbits(holds, axis=1))
    keys = packed.view(np.dtype((np.void, packed.shape[1]))).ravel()
    _, first, patterns = np.unique(keys, return_index=True, return_inverse=True)
    return patterns.reshape(-1), first
