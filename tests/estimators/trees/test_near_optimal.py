"""Nearly optimal trees and lists, beside all trees of small tables."""

import itertools

import numpy as np
import pandas as pd
import pytest
from sweeps import seeds

from fairaudit.errors import InputError
from fairaudit.estimators.trees import near_optimal
from fairaudit.estimators.trees.frontier import near_optimal_tables
from fairaudit.estimators.trees.near_optimal import iter_near_optimal_trees, near_optimal_trees
from fairaudit.events import STOP, Finished

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


@pytest.mark.parametrize("form", ["tree", "list"])
@pytest.mark.parametrize("seed", seeds(12, 3, rest="thorough"))
def test_where_all_are_too_many_to_list_those_with_the_smallest_gaps_are(seed, form, monkeypatch):
    monkeypatch.setattr(near_optimal, "MOST_LISTED", 0)
    monkeypatch.setattr(near_optimal, "LISTED_AT_ONCE", 30)
    X, y, groups = drawn(seed, 4, n_groups=2)
    oracle = Oracle(X, y, groups, 3, form, 0.08, "demographic_parity")
    result = found(X, y, groups, max_depth=3, form=form, within=0.08, n_listed=4, n_drawn=0)
    assert result.n_decisions is None
    smallest = sorted({h.tobytes(): gap for h, gap in zip(oracle.h, oracle.gaps, strict=True)}.values())
    listed = [tree.gap for tree in result.trees]
    assert (np.diff(listed) >= -1e-9).all()
    assert result.smallest_gap_bound - 1e-9 <= smallest[0] <= result.smallest_gap + 1e-9
    assert result.smallest_gap <= result.smallest_gap_bound + near_optimal.NEARLY_CLOSED
    if result.is_listing_exact:
        np.testing.assert_allclose(listed, smallest[:4], atol=1e-8)


@pytest.mark.parametrize("form", ["tree", "list"])
def test_draws_are_as_likely_as_each_other(form):
    X, y, groups = drawn(5, 4, n_groups=2)
    oracle = Oracle(X, y, groups, 3, form, 0.05, "demographic_parity")
    result = found(X, y, groups, max_depth=3, form=form, within=0.05, n_drawn=4_000, random_state=0)
    expected = pd.Series(oracle.wrong / len(y)).round(9).value_counts(normalize=True)
    seen = result.drawn["loss"].round(9).value_counts(normalize=True).reindex(expected.index, fill_value=0.0)
    assert len(expected) > 2
    # Five standard errors of a share of 4,000 draws.
    assert (abs(seen - expected) <= 5 * np.sqrt(expected * (1 - expected) / 4_000) + 1e-12).all()


@pytest.mark.parametrize("form", ["tree", "list"])
def test_counts_beyond_double_precision_stay_exact(form, monkeypatch):
    X, y, groups = drawn(7, 4)
    usual = found(X, y, groups, max_depth=3, form=form, within=0.1, n_drawn=10, random_state=1)
    monkeypatch.setattr(near_optimal_tables, "EXACT_IN_DOUBLE", 1.0)
    as_python = found(X, y, groups, max_depth=3, form=form, within=0.1, n_drawn=10, random_state=1)
    assert usual.n_trees == as_python.n_trees
    assert usual.drawn.equals(as_python.drawn)


def test_whole_weights_are_rows_written_out_and_others_are_refused():
    X, y, groups = drawn(3, 4)
    counts = np.random.default_rng(0).integers(0, 4, len(y))
    weighted = found(X, y, groups, sample_weight=counts, within=0.05, n_drawn=0)
    rows = np.repeat(np.arange(len(y)), counts)
    written = found(X[rows], y[rows], groups[rows], within=0.05, n_drawn=0)
    for name in ("n_trees", "n_decisions", "least_loss", "smallest_gap", "largest_gap", "ambiguity", "discrepancy"):
        assert getattr(weighted, name) == pytest.approx(getattr(written, name)), name
    assert len(weighted.ambiguous) == len(y)
    np.testing.assert_array_equal(weighted.ambiguous[rows], written.ambiguous)
    assert not weighted.ambiguous[counts == 0].any()
    with pytest.raises(InputError, match="whole numbers"):
        found(X, y, groups, sample_weight=np.where(counts > 1, 0.5, 1.0))


def test_new_rows_are_decided_both_ways_where_two_trees_of_the_set_differ():
    X, y, groups = drawn(11, 4, n_groups=2)
    result = found(X, y, groups, within=0.08, n_listed=1_000, n_drawn=0)
    assert result.n_decisions == len(result.trees)
    every = pd.DataFrame(list(itertools.product((0, 1), repeat=4))).add_prefix("c")
    seen = every.apply(tuple, axis=1).isin(pd.DataFrame(X).apply(tuple, axis=1))
    decided = np.array([tree.tree.predict(every) for tree in result.trees])
    both = (decided.min(axis=0) < decided.max(axis=0))[seen]
    assert (result.decides_both(every)[seen] == both).all()


def test_without_work_or_after_a_stop_bounds_hold_and_nothing_is_claimed():
    X, y, groups = drawn(2, 4, n_groups=2)
    oracle = Oracle(X, y, groups, 2, "tree", 0.05, "demographic_parity")
    results = [found(X, y, groups, within=0.05, time_limit=limit) for limit in (1e-4, 0.004, 0.01)]
    events = iter_near_optimal_trees(X, y, sensitive_features=groups, use_sensitive=True, within=0.05)
    event = next(events)
    while not isinstance(event, Finished):
        event = events.send(STOP)
    results.append(event.result)
    assert results[0].status == "work_limit"
    assert results[-1].status == "stopped"
    for result in results:
        assert not result.complete
        assert result.n_trees in (None, len(oracle.h))
        assert result.least_loss == pytest.approx(oracle.least / len(y))
        assert result.smallest_gap_bound <= oracle.gaps.min() + 1e-9 <= result.smallest_gap + 2e-9
        assert result.largest_gap <= oracle.gaps.max() + 1e-9 <= result.largest_gap_bound + 2e-9


def test_what_does_not_fit_into_memory_is_refused_before_it_is_made(monkeypatch):
    monkeypatch.setattr(near_optimal, "MOST_BYTES", 1e3)
    X, y, groups = drawn(2, 4)
    with pytest.raises(InputError, match="max_splits"):
        found(X, y, groups)


@pytest.mark.parametrize(
    "wrong", [{"max_depth": 5}, {"form": "forest"}, {"within": 2}, {"constraint": "four_fifths"}, {"n_listed": -1}]
)
def test_wrong_arguments_are_named(wrong):
    X, y, groups = drawn(2, 4)
    with pytest.raises(InputError, match=next(iter(wrong))):
        found(X, y, groups, **wrong)


def test_of_one_group_there_is_no_gap_and_of_no_split_one_tree():
    X, y, _ = drawn(4, 3)
    result = found(X, y, None, within=0.02)
    assert (result.smallest_gap, result.largest_gap, result.complete) == (0.0, 0.0, True)
    alone = found(np.ones((10, 1), dtype=int), np.array([0, 1] + [1] * 8), None, within=0.0)
    assert (alone.n_trees, alone.least_loss, alone.ambiguity) == (1, 0.1, 0.0)
