"""Grow a tree without looking ahead: each node takes the split that lowers the Gini impurity most, as CART does.

With few rows, trees whose first split is the best of several levels follow chance more than trees whose splits each
separate the labels. So this is one of the ways that held-out rows choose from. The constraint is met by the labels of
leaves alone.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Final

import numpy as np
from numpy.typing import NDArray

from fairaudit.estimators.rules.literals import Literal
from fairaudit.estimators.trees.lookahead.growing_rows import Growing, GrowingRows, Grown, sampled
from fairaudit.events import STOP, Command, Progress
from fairaudit.work import Budget

MOST_SPLITS: Final = 240
"""Splits of a node that are compared."""


def iter_greedy(rows: GrowingRows, growing: Growing, budget: Budget) -> Generator[Progress, Command | None, Grown]:
    """Grow a tree split by split."""
    grown = Grown({}, {1: float(2 * rows.labels.sum() > rows.n_rows)}, np.ones(rows.n_rows, dtype=np.int64))
    for level in range(growing.max_depth):
        if (yield Progress("Splitting", level, growing.max_depth)) is STOP:
            grown.is_complete = False
            return grown
        for number in np.unique(grown.leaf[grown.leaf >= 1 << level]).tolist():
            own = np.flatnonzero(grown.leaf == number)
            if budget.is_over:
                grown.is_complete = False
                return grown
            budget.spend(calls=200, elements=MOST_SPLITS * min(len(own), growing.sample_size) + 30 * len(own))
            split = _purest(rows, growing, own, number)
            if split is None:
                continue
            leaf = rows.table.leaves({1: split}, own)
            shares = [rows.labels[own[leaf == child]].mean() for child in (2, 3)]
            grown.graft(number, {1: split}, {2: float(shares[0] > 0.5), 3: float(shares[1] > 0.5)})
            grown.leaf[own] = 2 * number + leaf - 2
    return grown


def _purest(rows: GrowingRows, growing: Growing, own: NDArray[np.int64], number: int) -> Literal | None:
    """Return the split of a node after which n_left q_left (1 - q_left) + n_right q_right (1 - q_right) is least."""
    labels = rows.labels[own]
    if len(own) < 2 * growing.min_leaf_size or labels.min() == labels.max():
        return None
    sample = sampled(rows, own, growing, number)
    splits, holds = rows.table.splits(sample, rows.labels[sample], MOST_SPLITS)
    least = max(growing.min_leaf_size * len(sample) // len(own), 1)
    inside = holds.sum(axis=0)
    positives = rows.labels[sample] @ holds
    total, n = rows.labels[sample].sum(), len(sample)
    fits = (inside >= least) & (n - inside >= least)
    if not fits.any():
        return None
    left, right = np.maximum(inside, 1), np.maximum(n - inside, 1)
    impurity = positives * (1 - positives / left) + (total - positives) * (1 - (total - positives) / right)
    best = splits[int(np.where(fits, impurity, np.inf).argmin())]
    held = int(rows.table.holds(best, own).sum())
    return best if min(held, len(own) - held) >= growing.min_leaf_size else None
