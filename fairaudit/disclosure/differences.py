"""Few people whom counts have in common, or that are left of some after others are taken away."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy.sparse import csr_array

from fairaudit.errors import LimitError

MOST_SETS = 100_000
"""The most sets of few people that are looked at."""

CHUNK = 500
"""How many of them are made together."""

TINY = 1e-6


def few_people(rows: np.ndarray, people: np.ndarray, minimum: int) -> csr_array:
    """Return the sets of few people that two or three counts give, each once.

    They are what two counts have in common, a count less another one, a count less two of its parts, and two counts
    together less a third one in them.

    Parameters
    ----------
    rows : ndarray, shape (n_counts, n_parts)
        The counts, as the parts of the people that they add up.
    people : ndarray, shape (n_parts,)
        How many there are in each part.
    minimum : int
        So many are not few.

    Returns
    -------
    csr_array of float, shape (n_sets, n_parts)
        Each set as the parts that it is made of.

    Raises
    ------
    LimitError
        If there are too many sets.
    """
    found: dict[bytes, None] = {}
    for made in _made(rows, people, minimum):
        for key in np.packbits(made, axis=1):
            found.setdefault(key.tobytes())
        if len(found) > MOST_SETS:
            raise LimitError(f"The counts differ in more than {MOST_SETS:,} ways by few people.")
    bits = np.frombuffer(b"".join(found), dtype=np.uint8).reshape(len(found), (rows.shape[1] + 7) // 8)
    return csr_array(np.unpackbits(bits, axis=1, count=rows.shape[1]).astype(float))


def _made(rows: np.ndarray, people: np.ndarray, minimum: int) -> Iterator[np.ndarray]:
    """Yield sets, shape (n, n_parts) of bool, some of them more than once."""
    inside, values = rows.astype(bool), rows @ people
    both, common = (rows * people) @ rows.T, rows @ rows.T
    left = values[:, None] - both
    rests = np.argwhere((left > 0) & (left < minimum))
    # First the rests of a count that holds the other: nothing else is needed to subtract them.
    for one, other in _chunks(rests[np.argsort(left.T[tuple(rests.T)], kind="stable")]):
        yield inside[one] & ~inside[other]
    for one, other in _chunks(np.argwhere(np.triu((both > 0) & (both < minimum), 1))):
        yield inside[one] & inside[other]
    sizes, apart = np.diag(common), _Apart(common, values)
    for number, own in enumerate(inside):
        parts = np.flatnonzero((common[number] == sizes) & (sizes < sizes[number]) & (values > 0))
        for one, other in _chunks(apart.pairs(parts, values[number] - minimum, values[number])):
            yield own & ~inside[one] & ~inside[other]
        across = (common[number] > 0) & (common[number] < sizes[number]) & (values < values[number] + minimum)
        across = np.flatnonzero(across)
        for one, other in _chunks(apart.pairs(across, values[number], values[number] + minimum)):
            holds = common[number, one] + common[number, other] == sizes[number]
            yield (inside[one[holds]] | inside[other[holds]]) & ~own


class _Apart:
    """All pairs of counts that have no part in common, and by their sums."""

    def __init__(self, common: np.ndarray, values: np.ndarray):
        self.common, self.values = common, values
        self.all = np.argwhere(np.triu(common == 0, 1)).astype(np.int32)
        sums = values[self.all].sum(axis=1)
        self.order = np.argsort(sums, kind="stable").astype(np.int32)
        self.sums = sums[self.order]

    def pairs(self, numbers: np.ndarray, least: float, most: float) -> np.ndarray:
        """Return the pairs of these counts with a sum between two limits."""
        ends = np.searchsorted(self.sums, least + TINY, "right"), np.searchsorted(self.sums, most - TINY, "left")
        if len(numbers) ** 2 < ends[1] - ends[0]:
            sums = self.values[numbers][:, None] + self.values[numbers]
            fits = (self.common[np.ix_(numbers, numbers)] == 0) & (sums > least + TINY) & (sums < most - TINY)
            return numbers[np.argwhere(np.triu(fits, 1))]
        these = np.zeros(len(self.values), dtype=bool)
        these[numbers] = True
        pairs = self.all[self.order[ends[0] : ends[1]]]
        pairs = pairs[these[pairs].all(axis=1)]
        return pairs[np.lexsort(pairs.T[::-1])]


def _chunks(pairs: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield the first ones and the second ones of some pairs at a time."""
    for start in range(0, len(pairs), CHUNK):
        one, other = pairs[start : start + CHUNK].T
        yield one, other
