"""All trees of a small problem of classification, one by one: the oracle."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator

import numpy as np

from fairaudit.estimators.trees.problem import NO_SPLIT, TreeProblem, TreeRows, TreeShape, reachable_leaves


def every_structure(n_splits: int, depth: int) -> Iterator[tuple[int, ...]]:
    """Iterate over all ways to split, or not to split, the nodes of a tree."""
    if depth == 0:
        yield ()
        return
    yield (NO_SPLIT,) * (2**depth - 1)
    below = list(every_structure(n_splits, depth - 1))
    for split in range(n_splits):
        for left, right in itertools.product(below, repeat=2):
            levels = [(split,)]
            for level in range(depth - 1):
                part = slice(2**level - 1, 2 ** (level + 1) - 1)
                levels.append(left[part] + right[part])
            yield tuple(itertools.chain.from_iterable(levels))


def every_tree(n_splits: int, depth: int) -> Iterator[TreeShape]:
    """Iterate over all trees with all labels."""
    for splits in every_structure(n_splits, depth):
        shape = TreeShape(splits, (0.0,) * 2**depth)
        leaves = reachable_leaves(shape)
        owners = np.searchsorted(leaves, np.arange(2**depth), side="right") - 1
        for labels in itertools.product((0.0, 1.0), repeat=len(leaves)):
            yield shape.with_values(np.array(labels)[owners])


def best_objective(problem: TreeProblem) -> float:
    """Return the least objective of all trees that are allowed; infinite where there is none."""
    shapes = every_tree(problem.rows.n_splits, problem.max_depth)
    return min((problem.objective(shape) for shape in shapes if problem.allows(shape)), default=math.inf)


def drawn_rows(rng: np.random.Generator, n_rows: int, n_splits: int, n_groups: int) -> TreeRows:
    """Draw rows whose labels depend on the splits and the group."""
    holds = rng.random((n_rows, n_splits)) < rng.uniform(0.2, 0.8, n_splits)
    groups = rng.integers(0, n_groups, n_rows)
    scores = holds @ rng.normal(size=n_splits) + 0.5 * groups + rng.normal(scale=0.7, size=n_rows)
    targets = (scores > np.median(scores)).astype(float)
    return TreeRows.merge(holds, groups, targets, [f"group {place}" for place in range(n_groups)])


def losses_and_gaps(rows: TreeRows, depth: int, constraint: str, least: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """Return the share of wrong rows and the largest difference of rates of all trees with all labels."""
    parts = {"demographic_parity": [None], "equal_opportunity": [1], "equalized_odds": [1, 0]}[constraint]
    counts = np.zeros((rows.n_cells, rows.n_groups, 2))
    counts[np.arange(rows.n_cells), rows.groups, rows.targets.astype(int)] = rows.weights
    sizes = counts.sum(axis=0)
    losses, gaps = [], []
    for splits in every_structure(rows.n_splits, depth):
        shape = TreeShape(splits, (0.0,) * 2**depth)
        reached = reachable_leaves(shape)
        here = np.eye(2**depth)[shape.leaves(rows.holds)][:, reached]
        in_leaf = np.einsum("cl,cgt->lgt", here, counts)
        if shape.n_splits and (in_leaf.sum(axis=(1, 2)) < least).any():
            continue
        labels = np.array(list(itertools.product((0.0, 1.0), repeat=len(reached))))
        positive = np.einsum("al,lgt->agt", labels, in_leaf)
        losses.append((positive[..., 0] + sizes[:, 1] - positive[..., 1]).sum(axis=1) / sizes.sum())
        worst = np.zeros(len(labels))
        for part in parts:
            taken = [0, 1] if part is None else [part]
            n = sizes[:, taken].sum(axis=1)
            rates = positive[:, :, taken].sum(axis=2)[:, n > 0] / n[n > 0]
            if rates.shape[1]:
                worst = np.maximum(worst, rates.max(axis=1) - rates.min(axis=1))
        gaps.append(worst)
    return np.concatenate(losses), np.concatenate(gaps)
