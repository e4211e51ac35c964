"""The forms of points, and numbers by which points with the same predictions are known.

Where rows are of few kinds, a point has counts by class, and its forms follow. Else each cell has two random numbers,
whose sums over the cells that are predicted 1 distinguish predictions; and the forms are added up over leaves.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from fairaudit.errors import sure
from fairaudit.estimators.trees.frontier.conjunction_sums import ConjunctionSums
from fairaudit.estimators.trees.frontier.enumeration import ONE, Points, TooManyPointsError
from fairaudit.estimators.trees.frontier.packing import Packing

Floats = NDArray[np.float64]
Words = NDArray[np.int64]

BITS: Final = 36
"""Of a random number: sums over all cells are exact in double precision."""
MOST_NUMBERS: Final = 60_000_000
"""Forms of points to hold."""
BATCH: Final = 4_000_000
"""Cells of sets looked at together."""


class CountedValues:
    """For rows of few kinds.

    Parameters
    ----------
    sums : ConjunctionSums
        With counts by kind.
    """

    def __init__(self, sums: ConjunctionSums) -> None:
        kinds = sure(sums.terms.kinds)
        sizes = np.bincount(kinds.of_cells, weights=sums.terms.problem.rows.weights).astype(np.int64)
        self._packing = Packing(kinds, sizes)
        by_length = sums.sets.shorter_sums(sure(sums.counts))
        self.words = [self._packing.packed(counts) for counts in by_length]
        self.costs = [kinds.costs @ counts for counts in by_length]

    def forms(self, points: Sequence[Points]) -> Floats:
        """Return the forms of the points of one literal, shape (n, n_forms), column by column in memory."""
        return np.asfortranarray(self._packing.form_values(points[1].counts))


class SummedValues:
    """For rows of many kinds.

    Parameters
    ----------
    sums : ConjunctionSums
        Of the splits.
    """

    def __init__(self, sums: ConjunctionSums) -> None:
        self._sums, sets = sums, sums.sets
        drawn = np.random.default_rng(0).integers(1, 1 << BITS, (2, len(sums.holds))).astype(np.float64)
        words = [sets.shorter_sums(sets.sums(sums.holds, one)) for one in drawn]
        self.words = [np.column_stack(pair).astype(np.int64) for pair in zip(*words, strict=True)]
        self.costs = sets.shorter_sums(sets.sums(sums.holds, sums.terms.costs))

    def forms(self, points: Sequence[Points]) -> Floats:
        """Return the forms of the points of one literal, shape (n, n_forms), column by column in memory."""
        n_points, n_forms = len(points[1]), self._sums.terms.n_forms
        if n_points * n_forms > MOST_NUMBERS:
            raise TooManyPointsError
        values = np.zeros((n_points, n_forms))
        owners, places = np.arange(n_points), np.arange(n_points)
        for length in range(1, len(points)):
            level, choices = points[length], points[length].choices[places]
            is_one, splits = choices == ONE, choices >= 0
            sets, inverse = np.unique(level.owners[places[is_one]], return_inverse=True)
            if len(sets) * n_forms > MOST_NUMBERS:
                raise TooManyPointsError
            np.add.at(values, owners[is_one], self._of_sets(length, sets)[inverse])
            owners = np.concatenate([owners[splits]] * 2)
            places = np.concatenate([level.held[places[splits]], level.missed[places[splits]]])
        return np.asfortranarray(values)

    def _of_sets(self, length: int, numbers: Words) -> Floats:
        """Return the forms of predicting 1 for just the rows of some sets."""
        sums, forms = self._sums, self._sums.terms.forms
        found = np.zeros((len(numbers), forms.shape[0]))
        step = max(BATCH // max(len(sums.holds), 1), 1)
        for start in range(0, len(numbers), step):
            part = numbers[start : start + step]
            inside = np.ones((len(sums.holds), len(part)))
            variables = sums.sets.variables[length][part >> length]
            for place in range(length):
                held = sums.holds[:, variables[:, place]]
                inside *= np.where(part >> place & 1, held, 1 - held)
            found[start : start + step] = (forms @ inside).T
        return found
