"""Which subsets of the levels of a category go left.

Levels are read as codes, as in :mod:`fairaudit.estimators.rules.column_literals`: one for each level that has rows
enough, one for all other values, and one for "missing". Other and missing values go right in each split, and so do
values never seen.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Final

import numpy as np
from numpy.typing import NDArray

from fairaudit.estimators.rules.column_literals import ColumnLiterals
from fairaudit.estimators.rules.literals import Literal
from fairaudit.measure.bins import sums_by_code

ALL_SUBSETS_UP_TO: Final = 5
"""Up to this many levels, other values and missing ones counted as one, each subset is a split where there is room."""

ALL_SUBSETS_WITH_ROOM: Final = 8
"""The same where all subsets take no more than half of the splits that a column may have."""


def category_splits(
    found: ColumnLiterals, codes: NDArray[np.int64], targets: NDArray[np.float64], n_splits: int
) -> ColumnLiterals:
    """Return the splits of a category.

    Shapes: `codes` (n_rows,), `targets` (n_rows,).
    """
    n_levels = len(found.points)
    counts = np.bincount(codes, minlength=n_levels + 2)
    parts = [place for place in range(n_levels) if counts[place]]
    # What stays right in each split: other and missing values, or the most frequent level where there are none.
    if not counts[n_levels:].any() and parts:
        parts.remove(max(parts, key=lambda place: (counts[place], -place)))
    sums = sums_by_code(codes, targets, n_levels + 2)
    n_subsets = 2 ** len(parts) - 1
    if (len(parts) < ALL_SUBSETS_UP_TO and n_subsets <= max(n_splits, 3)) or (
        len(parts) < ALL_SUBSETS_WITH_ROOM and n_subsets <= n_splits // 2
    ):
        subsets = [subset for size in range(1, len(parts) + 1) for subset in combinations(parts, size)]
    else:
        subsets = list(_few_subsets(counts, sums, n_levels, n_splits))
    levels = [point.item() if isinstance(point, np.generic) else point for point in found.points]
    literals, held = [], []
    for subset in subsets:
        literals.append(Literal(found.column, "among", tuple(levels[place] for place in subset)))
        held.append(np.isin(np.arange(n_levels + 2), subset))
    if counts[-1] and counts[-1] < len(codes):
        literals.append(Literal(found.column, "missing"))
        held.append(np.arange(n_levels + 2) == n_levels + 1)
    table = np.array(held, dtype=bool).reshape(-1, n_levels + 2).T
    return ColumnLiterals(found.column, found.kind, found.points, True, tuple(literals), table)


def _few_subsets(
    counts: NDArray[np.int64], sums: NDArray[np.float64], n_levels: int, n_splits: int
) -> Iterator[tuple[int, ...]]:
    """Yield the most frequent levels alone, and the lower part up to some places in the order of means."""
    places = np.flatnonzero(counts[:n_levels])
    frequent = places[np.argsort(-counts[places], kind="stable")]
    alone = max((n_splits + 1) // 2, 1)
    yield from ((int(place),) for place in sorted(frequent[:alone]))
    order = places[np.argsort(sums[places] / counts[places], kind="stable")]
    below = np.cumsum(counts[order])[:-1]
    n_cuts = min(len(below), max(n_splits - min(alone, len(frequent)), 1))
    # Cuts that part the rows about evenly.
    ends = np.unique(np.searchsorted(below, np.arange(1, n_cuts + 1) * counts[order].sum() / (n_cuts + 1)))
    if n_cuts == len(below):
        ends = np.arange(len(below))
    for end in ends[ends < len(below)]:
        lower = order[: end + 1]
        if len(lower) > 1:
            yield tuple(sorted(int(place) for place in lower))
