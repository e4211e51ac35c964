"""Multipliers of pairs and what they come to for each group.

With lambda_j the multiplier of the pair (a, b), the net multiplier of a group is the sum of those of the pairs in which
it stands first minus the sum of those in which it stands second. Weights depend on nothing else, so a search over G
groups has G - 1 directions, not G (G - 1) / 2. The nets of a specification add up to 0.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from fairaudit.measure.bins import sums_by_code

Floats = NDArray[np.float64]


def pairs_of(n: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the first and the second group of each pair.

    Shapes: returns `first` and `second` (n (n - 1) / 2,).
    """
    return np.triu_indices(n, k=1)


def nets_of(multipliers: Floats, sizes: Sequence[int]) -> list[Floats]:
    """Return the net multiplier of each group.

    Shapes: `multipliers` (n_constraints,).
    """
    nets, start = [], 0
    for n in sizes:
        first, second = pairs_of(n)
        part = multipliers[start : start + len(first)]
        start += len(first)
        nets.append(sums_by_code(first, part, n) - sums_by_code(second, part, n))
    return nets


def multipliers_of(nets: Sequence[Floats]) -> Floats:
    """Return multipliers with given nets, as few as it takes: the most helped groups are paired with the least.

    Shapes: returns (n_constraints,).
    """
    return np.concatenate([np.zeros(0), *map(_multipliers_of, nets)])


def _multipliers_of(net: Floats) -> Floats:
    matrix = np.zeros((len(net), len(net)))
    left = net.copy()
    givers, takers = list(np.argsort(-net, kind="stable")), list(np.argsort(net, kind="stable"))
    while left[givers[0]] > 0 and left[takers[0]] < 0:
        a, b = givers[0], takers[0]
        moved = min(left[a], -left[b])
        left[a] -= moved
        left[b] += moved
        matrix[min(a, b), max(a, b)] += moved if a < b else -moved
        (givers if left[a] == 0 else takers).pop(0)
    return matrix[pairs_of(len(net))]


def levels_of(gaps: Floats, sizes: Sequence[int]) -> list[Floats]:
    """Return by how much the metric of each group is above that of the first of its specification.

    Shapes: `gaps` (n_constraints,).
    """
    levels, start = [], 0
    for n in sizes:
        levels.append(np.concatenate([[0.0], -gaps[start : start + n - 1]]))
        start += n * (n - 1) // 2
    return levels
