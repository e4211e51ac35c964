"""Nearly optimal trees and lists, beside all trees of small tables."""

import itertools

import numpy as np
import pandas as pd
import pytest
from sweeps import seeds

from fairaudit.estimators.trees.near_optimal import near_optimal_trees

CONSTRAINTS = ("demographic_parity", "equal_opportunity", "equalized_odds")


def drawn(seed, n_columns, n_groups=None, n_rows=None):
    """Draw columns of zeros and ones, labels, and groups."""
    rng = np.random.default_rng(seed)
    n_rows = int(rng.integers(30, 150)) if n_rows is None else n_rows
    X = (rng.random((n_rows, n_columns)) < rng.uniform(0.2, 0.8, n_columns)).astype(int)
    groups = rng.integers(0, int(rng.integers(2, 4)) if n_groups is None else n_groups, n_rows)
    scores = X @ rng.normal(size=n_columns) + 0.4 * groups + rng.normal(scale=0.9, size=n_rows)
    return X, (scores > np.median(scores)).astype(int), groups


def every_subtree(holds, inside, depth, least, form):
    """Return the label, or None, and the predictions of every subtree for some rows, one by one."""
    found = [(label, np.where(inside, label, 0)) for label in (0, 1)]
    for held in holds.T if depth else ():
        sides = inside & held, inside & ~held
        if min(side.sum() for side in sides) < least:
            continue
        below = [every_subtree(holds, side, depth - 1, least, form) for side in sides]
        for (label, h), (other, rest) in itertools.product(*below):
            is_leaf_twice = label is not None and label == other
            if not is_leaf_twice and (form == "tree" or label is not None or other is not None):
                found.append((None, h + rest))
    return found


def gap_of(h, y, groups, constraint):
    """Return the largest difference of rates."""
    parts = {"demographic_parity": [y >= 0], "equal_opportunity": [y == 1], "equalized_odds": [y == 1, y == 0]}
    worst = 0.0
    for part in parts[constraint]:
        rates = [h[part & (groups == group)].mean() for group in np.unique(groups) if (part & (groups == group)).any()]
        worst = max(worst, max(rates, default=0) - min(rates, default=0))
    return worst


class Oracle:
    """All trees of a table within a loss."""

    def __init__(self, X, y, groups, depth, form, within, constraint, least=1):
        _, first = np.unique(np.packbits((X ^ X[0]).astype(bool), axis=0), axis=1, return_index=True)
        kept = [c for c in sorted(first) if 0 < X[:, c].sum() < len(X)]
        holds = X[:, kept].astype(bool)
        h = np.array([each for _, each in every_subtree(holds, np.ones(len(X), dtype=bool), depth, least, form)])
        wrong = (h != y).sum(axis=1)
        self.least = wrong.min()
        inside = wrong <= np.floor(self.least + within * len(y) + 1e-6)
        self.h, self.wrong = h[inside], wrong[inside]
        self.gaps = np.array([gap_of(each, y, groups, constraint) for each in self.h])


def found(X, y, groups, **settings):
    return near_optimal_trees(
        pd.DataFrame(X).add_prefix("c"), y, sensitive_features=groups, use_sensitive=True, **settings
    )


def check(result, oracle, n, n_listed):
    """Compare all figures with those of all trees."""
    assert result.complete
    assert result.n_trees == len(oracle.h)
    assert result.least_loss == pytest.approx(oracle.least / n)
    assert result.smallest_gap == pytest.approx(oracle.gaps.min(), abs=1e-9)
    assert result.smallest_gap_bound == pytest.approx(oracle.gaps.min(), abs=1e-8)
    assert result.largest_gap == pytest.approx(oracle.gaps.max(), abs=1e-9)
    assert result.largest_gap_bound == pytest.approx(oracle.gaps.max(), abs=1e-9)
    for label in (0, 1):
        fewest = np.where(oracle.h == label, oracle.wrong[:, None], np.inf).min(axis=0) / n
        fewest[np.isinf(fewest)] = np.nan
        np.testing.assert_allclose(result.least_losses[:, label], fewest, atol=1e-12)
    both = (oracle.h == 0).any(axis=0) & (oracle.h == 1).any(axis=0)
    assert result.ambiguity == pytest.approx(both.mean())
    best = result.best.tree
    assert result.best.loss == pytest.approx(oracle.least / n)
    assert result.discrepancy == pytest.approx(result.discrepancy_bound)
    distinct = {}
    for h, gap in zip(oracle.h, oracle.gaps, strict=True):
        distinct[h.tobytes()] = gap
    assert result.n_decisions == len(distinct)
    assert result.is_listing_exact
    np.testing.assert_allclose([tree.gap for tree in result.trees], sorted(distinct.values())[:n_listed], atol=1e-9)
    return best


@pytest.mark.parametrize(
    ("depth", "form", "n_columns"), [(1, "tree", 5), (2, "tree", 4), (3, "tree", 4), (2, "list", 5), (3, "list", 4)]
)
@pytest.mark.parametrize("seed", seeds(24, 4, rest="thorough"))
def test_all_figures_are_those_of_all_trees(seed, depth, form, n_columns):
    X, y, groups = drawn(seed, n_columns)
    constraint, within, least = CONSTRAINTS[seed % 3], (0.0, 0.02, 0.05, 0.1)[seed % 4], (1, 1, 4)[seed % 3]
    oracle = Oracle(X, y, groups, depth, form, within, constraint, least)
    result = found(
        X,
        y,
        groups,
        max_depth=depth,
        form=form,
        within=within,
        constraint=constraint,
        min_leaf_size=least,
        n_listed=5,
        n_drawn=20,
    )
    best = check(result, oracle, len(y), 5)
    frame = pd.DataFrame(X).add_prefix("c")
    assert result.discrepancy == pytest.approx((oracle.h != best.predict(frame)).mean(axis=1).max())
    assert (result.decides_both(frame) == result.ambiguous).all()
    known = {(round(w / len(y), 9), round(g, 9)) for w, g in zip(oracle.wrong, oracle.gaps, strict=True)}
    assert {(round(loss, 9), round(gap, 9)) for loss, gap in result.drawn.itertuples(index=False)} <= known
