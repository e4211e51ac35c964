"""Counts of rows by class, packed into whole numbers that add up as the counts do."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from fairaudit.estimators.trees.dual.terms import Kinds

Counts = NDArray[np.int64]

WORD: Final = 2**62
"""What a word holds is below that."""


class Packing:
    """How counts are packed: as digits, of which none overflows, since no count exceeds the rows of its class.

    Parameters
    ----------
    kinds : Kinds
        The kinds of rows; those that count alike in all forms are of one class.
    sizes : ndarray of int, shape (n_kinds,)
        Rows of each kind.

    Notes
    -----
    A class that counts nothing in any form is not packed. Several words are used where one is too short.
    """

    def __init__(self, kinds: Kinds, sizes: Counts) -> None:
        columns, classes = np.unique(kinds.forms, axis=1, return_inverse=True)
        classes = classes.reshape(-1)
        counted = np.flatnonzero(np.abs(columns).max(axis=0, initial=0.0) > 0)
        self.forms = columns[:, counted]
        self._radix = [int(sizes[classes == place].sum()) + 1 for place in counted]
        self._of_kinds = np.full(columns.shape[1], -1)
        self._of_kinds[counted] = np.arange(len(counted))
        self._of_kinds = self._of_kinds[classes]
        self._words: list[int] = []
        self._factors: list[int] = []
        word, factor = 0, 1
        for radix in self._radix:
            if factor * radix >= WORD:
                word, factor = word + 1, 1
            self._words.append(word)
            self._factors.append(factor)
            factor *= radix
        self.n_words = word + 1 if self._radix else 1

    def packed(self, counts: NDArray[np.float64]) -> Counts:
        """Return counts of rows by kind, shape (n_kinds, n), as words: shape (n, n_words)."""
        found = np.zeros((counts.shape[1], self.n_words), dtype=np.int64)
        for of_kind, place in zip(counts, self._of_kinds.tolist(), strict=True):
            if place >= 0:
                found[:, self._words[place]] += of_kind.astype(np.int64) * self._factors[place]
        return found

    def form_values(self, words: Counts) -> NDArray[np.float64]:
        """Return the forms of packed counts, shape (n, n_forms)."""
        digits = [
            words[:, word] // factor % radix
            for word, factor, radix in zip(self._words, self._factors, self._radix, strict=True)
        ]
        counts = np.column_stack(digits) if digits else np.zeros((len(words), 0))
        return counts @ self.forms.T
