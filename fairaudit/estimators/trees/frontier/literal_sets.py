"""All conjunctions of literals of a length, numbered so that sums over them are arrays.

A set of m of the L variables has 2^m signs: for each variable whether it holds. Sets are numbered in colexicographic
order, in which those over the first v variables come first, and the set of place c with the signs b has the number
2^m c + b; bit p of b says whether the p-th smallest variable holds.

A tree of depth K needs the sums of cells over all sets of up to K signed literals, and nothing else. The sums over
positive literals come from matrix products, those with negated ones by inclusion and exclusion.
"""

from __future__ import annotations

from functools import cached_property
from math import comb

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Places = NDArray[np.int32]


class LiteralSets:
    """The sets of up to so many signed literals.

    Parameters
    ----------
    n_variables : int
        L.
    longest : int
        K, at most L.

    Examples
    --------
    >>> sets = LiteralSets(3, 2)
    >>> sets.variables[2].tolist()
    [[0, 1], [0, 2], [1, 2]]
    >>> sets.sizes
    (1, 6, 12)
    """

    def __init__(self, n_variables: int, longest: int) -> None:
        self.n_variables, self.longest = n_variables, longest
        self.variables: list[Places] = [np.zeros((1, 0), dtype=np.int32)]
        for length in range(1, longest + 1):
            shorter = self.variables[-1]
            parts = [
                np.column_stack([shorter[: comb(last, length - 1)], np.full(comb(last, length - 1), last)])
                for last in range(n_variables)
            ]
            self.variables.append(np.concatenate(parts).astype(np.int32))

    @property
    def sizes(self) -> tuple[int, ...]:
        """How many signed sets there are of each length."""
        return tuple(len(variables) << length for length, variables in enumerate(self.variables))

    @cached_property
    def _binomials(self) -> NDArray[np.int64]:
        return np.array([[comb(v, k) for k in range(self.longest + 2)] for v in range(self.n_variables + 1)])

    @cached_property
    def added(self) -> tuple[Places, ...]:
        """For each unsigned set shorter than the longest, the variables outside it: shape (n_sets, L - length)."""
        return tuple(_outside(variables, self.n_variables) for variables in self.variables[:-1])

    @cached_property
    def children(self) -> tuple[tuple[Places, Places], ...]:
        """For each signed set and each variable of `added`, the numbers of the sets with it held, and not held."""
        return tuple(self._children(length) for length in range(self.longest))

    def _children(self, length: int) -> tuple[Places, Places]:
        variables, added = self.variables[length], self.added[length]
        place = (variables[:, None, :] < added[:, :, None]).sum(axis=2, dtype=np.int32)
        # The place of the longer set: the variables above the new one move up by one.
        order = np.arange(length, dtype=np.int32)
        moved = order[None, None, :] + (order[None, None, :] >= place[:, :, None])
        ranks = self._binomials[variables[:, None, :], moved + 1].sum(axis=2) + self._binomials[added, place + 1]
        ranks, signs = ranks.astype(np.int32), np.arange(1 << length, dtype=np.int32)
        below = signs[None, :, None] & ((1 << place) - 1)[:, None, :]
        above = (signs[None, :, None] >> place[:, None, :]) << (place + 1)[:, None, :]
        missed = (ranks << (length + 1))[:, None, :] + below + above
        held = missed + (1 << place)[:, None, :]
        shape = (len(variables) << length, added.shape[1])
        return held.reshape(shape), missed.reshape(shape)

    @cached_property
    def _subsets(self) -> Places:
        """For each longest set and each choice of its variables, the place of those among all unsigned sets."""
        longest, variables = self.longest, self.variables[-1]
        first = np.cumsum([0, *(len(part) for part in self.variables)])
        places = np.zeros((len(variables), 1 << longest), dtype=np.int32)
        for chosen in range(1 << longest):
            inside = [place for place in range(longest) if chosen >> place & 1]
            ranks = [self._binomials[variables[:, place], k + 1] for k, place in enumerate(inside)]
            places[:, chosen] = first[len(inside)] + sum(ranks, start=np.zeros(len(variables), dtype=np.int64))
        return places

    def sums(self, holds: Floats, weights: Floats) -> Floats:
        """Return the sum of weights over the rows of each longest signed set.

        Shapes: `holds` (n, L), `weights` (n,); returns (sizes[-1],).

        Notes
        -----
        One matrix product for each set of K - 2 variables: O(n L^K / K!) multiplications.
        """
        positive = np.concatenate([_positive(holds, weights, length) for length in range(self.longest + 1)])
        sums = positive[self._subsets]
        for place in range(self.longest):
            pairs = sums.reshape(len(sums), -1, 2, 1 << place)
            pairs[:, :, 0] -= pairs[:, :, 1]
        return sums.ravel()

    def shorter_sums(self, sums: Floats) -> list[Floats]:
        """Return the sums over the sets of each length, from those over the longest; the last axis is added up."""
        found = [sums]
        for held, missed in reversed(self.children):
            found.append(found[-1][..., held[:, 0]] + found[-1][..., missed[:, 0]])
        return found[::-1]


def _outside(variables: Places, n_variables: int) -> Places:
    """Return, for each set, the variables that it does not have, in order."""
    inside = np.zeros((len(variables), n_variables), dtype=bool)
    np.put_along_axis(inside, variables.astype(np.int64), values=True, axis=1)
    return np.nonzero(~inside)[1].reshape(len(variables), -1).astype(np.int32)


def _positive(holds: Floats, weights: Floats, length: int) -> Floats:
    """Return the sums over all sets of so many variables that all hold, in colexicographic order."""
    n_variables = holds.shape[1]
    if length == 0:
        return np.array([weights.sum()])
    if length == 1:
        return weights @ holds
    if length == 2:
        products = (holds * weights[:, None]).T @ holds
        return products[np.tril_indices(n_variables, -1)]
    parts = [np.zeros(0)]
    for last in range(length - 1, n_variables):
        rows = np.flatnonzero(holds[:, last])
        parts.append(_positive(holds[rows, :last], weights[rows], length - 1))
    return np.concatenate(parts)
