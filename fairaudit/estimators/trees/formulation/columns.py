"""Columns of the path form: what each choice at each place of the tree adds to any linear form of the predictions.

A place is a path from the root: which splits were taken, and on which side. The patterns that come to a place are known
before anything is solved, and so is what a leaf there adds to the loss and to each form: numbers, no variables.
At the last level a column is a whole stump: nothing, all, one side or the other side of a split predicted 1.

Columns at one place that add the same to every form are as good as the cheapest of them, which alone is kept.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from fairaudit.estimators.trees.formulation.patterns import Floats, Patterns

Ints = NDArray[np.int64]

N_CONSTANT: Final = 2
"""The first leaf columns of a place predict 0 and 1 for all its rows."""

FEW_FORMS: Final = 32
"""With more, columns are only compared by whether they predict the same."""

DIGITS: Final = 7
"""Forms are compared up to these digits, in the units of one row."""

AT_ONCE: Final = 10_000_000
"""Places times patterns that are made numbers of at once, to spare memory."""

CHUNK: Final = 2000
"""Places whose rows are added before others may do something."""


@dataclass(frozen=True, eq=False)
class Asked:
    """What columns are chosen by.

    Parameters
    ----------
    loss : ndarray of float, shape (n_patterns,)
        What predicting 1 instead of 0 adds to the rows that are wrong.
    forms : ndarray of float, shape (n_forms, n_patterns)
        Other forms that matter, in units of rows.
    split_cost : float
        What a split adds, in rows.
    min_leaf_size : int
        Rows of each leaf, at least.
    columns : tuple of int
        For each split the feature; empty where it does not matter how many are used.
    """

    loss: Floats
    forms: Floats
    split_cost: float
    min_leaf_size: int
    columns: tuple[int, ...]

    @property
    def keeps_short(self) -> bool:
        """Whether a tree that splits less can be better or allowed where one that splits more is not."""
        return bool(self.split_cost > 0 or self.min_leaf_size > 1 or self.columns)


@dataclass(frozen=True, eq=False)
class Level:
    """The places of one level, and what can be chosen there.

    Parameters
    ----------
    nodes : ndarray of int, shape (n_places,)
        The node of the tree, as in a heap.
    masks : ndarray of bool, shape (n_places, n_patterns)
        Which patterns come there.
    leaves : ndarray of int, shape (n_leaves,)
        Leaf columns that are kept, as numbers ``place * n_choices + choice``, ascending.
    same_as : ndarray of int, shape (n_places * n_choices,)
        For each leaf column the place in `leaves` of the kept one that stands for it; -1 where it is not allowed.
    splits : ndarray of int, shape (n_split_columns, 2)
        Place and split of the columns that split; those of the last level are in leaf columns. Column q leads to
        the places 2 q (left) and 2 q + 1 of the next level.
    stands_for : ndarray of int, shape (n_places, n_splits)
        The column of `splits` that parts the rows of the place alike, plus 1; negative where left and right change
        places, 0 where the split is not allowed.
    """

    nodes: Ints
    masks: NDArray[np.bool_]
    leaves: Ints
    same_as: Ints
    splits: Ints
    stands_for: Ints

    @property
    def n_choices(self) -> int:
        """Leaf columns of a place, before some are dropped."""
        return len(self.same_as) // max(len(self.nodes), 1)

    def leaf_values(self, weights: Floats, patterns: Patterns) -> Floats:
        """Return what each kept leaf column adds to a form of the predictions, shape (n_leaves,)."""
        return _all_values(self.masks, weights, patterns, self.n_choices > N_CONSTANT).ravel()[self.leaves]


def count_places(n_splits: int, depth: int) -> int:
    """Return how many places the last level has at most."""
    return (2 * n_splits) ** (depth - 1)


def iter_path_levels(patterns: Patterns, depth: int, asked: Asked) -> Iterator[Level]:
    """Yield the places and columns of each level.

    Notes
    -----
    O((2 J)^(K-1) J p) for J splits and p patterns, as matrix products.
    """
    nodes, masks = np.ones(1, dtype=np.int64), np.ones((1, patterns.n_patterns), dtype=bool)
    for height in range(depth - 1, -1, -1):
        is_last = height == 0
        parts = _parts(masks, patterns, max(asked.min_leaf_size, 1))
        splits, stands_for = np.zeros((0, 2), dtype=np.int64), np.zeros(parts.shape, dtype=np.int64)
        if not is_last:
            splits, stands_for = _split_columns(masks, parts, patterns, by_feature=bool(asked.columns))
        allowed = np.ones((len(nodes), N_CONSTANT), dtype=bool)
        if is_last:
            allowed = np.hstack([allowed, parts, parts])
        elif not asked.keeps_short:
            allowed[parts.any(axis=1)] = False
        leaves, same_as = _leaf_columns(masks, allowed, patterns, asked)
        yield Level(nodes, masks, leaves, same_as, splits, stands_for)
        left = masks[splits[:, 0]] & patterns.holds[:, splits[:, 1]].T
        right = masks[splits[:, 0]] & ~left
        masks = np.stack([left, right], axis=1).reshape(2 * len(splits), patterns.n_patterns)
        nodes = (2 * nodes[splits[:, 0]][:, None] + np.array([0, 1])).ravel()


def _parts(masks: NDArray[np.bool_], patterns: Patterns, least: int) -> NDArray[np.bool_]:
    """Say which splits leave enough rows of a place on both sides, shape (n_places, n_splits)."""
    total, left = _sums(masks, patterns.sizes, patterns)
    return (left > least - 0.5) & (total - left > least - 0.5)


def _split_columns(
    masks: NDArray[np.bool_], parts: NDArray[np.bool_], patterns: Patterns, *, by_feature: bool
) -> tuple[Ints, Ints]:
    """Return the splits of each place that part its rows in different ways, and which stands for which."""
    marks = _marks(patterns.n_patterns)
    sums = [_sums(masks, mark, patterns) for mark in marks]
    left = np.stack([part for _, part in sums], axis=2)
    right = np.stack([total - part for total, part in sums], axis=2)
    turned = (left[:, :, 0] > right[:, :, 0]) & (not by_feature)
    keys = np.where(turned[:, :, None], right, left)
    stands_for = np.zeros(parts.shape, dtype=np.int64)
    splits: list[tuple[int, int]] = []
    for place in range(len(masks)):
        first: dict[tuple[float, ...], tuple[int, bool]] = {}
        for split in np.flatnonzero(parts[place]).tolist():
            key = (*keys[place, split].tolist(), *((split,) if by_feature else ()))
            if key not in first:
                splits.append((place, split))
                first[key] = (len(splits), bool(turned[place, split]))
            column, is_turned = first[key]
            stands_for[place, split] = column if is_turned == turned[place, split] else -column
    return np.array(splits, dtype=np.int64).reshape(-1, 2), stands_for


def _leaf_columns(
    masks: NDArray[np.bool_], allowed: NDArray[np.bool_], patterns: Patterns, asked: Asked
) -> tuple[Ints, Ints]:
    """Return the leaf columns that are kept, and for each column the kept one that stands for it."""
    n_places, n_choices = allowed.shape
    is_last = n_choices > N_CONSTANT
    if len(asked.forms) <= FEW_FORMS:
        forms, digits = asked.forms, DIGITS
    else:
        forms, digits = _marks(patterns.n_patterns), 0
    costs = _all_values(masks, asked.loss, patterns, is_last)
    costs[:, N_CONSTANT:] += asked.split_cost
    values = [np.round(_all_values(masks, form, patterns, is_last), digits) + 0.0 for form in forms]
    features = np.zeros((n_places, n_choices))
    if asked.columns and is_last:
        features[:, N_CONSTANT:] = 1.0 + np.tile(np.array(asked.columns), 2)
    places = np.repeat(np.arange(n_places, dtype=np.float64)[:, None], n_choices, axis=1)
    keys = np.stack([array.ravel() for array in (places, features, *values)], axis=1)
    numbers = np.flatnonzero(allowed.ravel())
    order = numbers[np.lexsort((numbers, np.round(costs.ravel()[numbers], DIGITS)))]
    _, first, inverse = np.unique(keys[order], axis=0, return_index=True, return_inverse=True)
    leaves = np.sort(order[first])
    same_as = np.full(n_places * n_choices, -1, dtype=np.int64)
    same_as[order] = np.searchsorted(leaves, order[first][inverse.reshape(-1)])
    return leaves, same_as


def _all_values(masks: NDArray[np.bool_], weights: Floats, patterns: Patterns, is_last: bool) -> Floats:
    """Return what each leaf column adds to a form, shape (n_places, n_choices)."""
    if not is_last:
        total = (masks @ weights)[:, None]
        return np.hstack([np.zeros_like(total), total])
    total, left = _sums(masks, weights, patterns)
    return np.hstack([np.zeros_like(total), total, left, total - left])


def _sums(masks: NDArray[np.bool_], weights: Floats, patterns: Patterns) -> tuple[Floats, Floats]:
    """Return the sum of weights at each place, shape (n_places, 1), and where each split holds there."""
    weighted = patterns.holds * weights[:, None]
    step = max(AT_ONCE // max(len(weights), 1), 1)
    left = [masks[begin : begin + step].astype(np.float64) @ weighted for begin in range(0, len(masks), step)]
    shape = (len(masks), weighted.shape[1])
    return (masks @ weights)[:, None], np.concatenate(left).reshape(shape) if left else np.zeros(shape)


def _marks(n_patterns: int) -> Floats:
    """Return two random whole numbers for each pattern: sets of patterns with the same sums are the same set."""
    # Sums of fewer than 2^13 such numbers are exact; more patterns would take the numbers smaller.
    most = 2 ** (52 - max(n_patterns.bit_length(), 1))
    return np.random.default_rng(0).integers(1, most, size=(2, n_patterns)).astype(np.float64)
