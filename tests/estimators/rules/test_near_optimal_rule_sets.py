"""Nearly optimal rule sets, beside all rule sets of small tables."""

import itertools

import numpy as np
import pandas as pd
import pytest
from sweeps import seeds

from fairaudit.errors import InputError
from fairaudit.estimators.rules import near_optimal
from fairaudit.estimators.rules.near_optimal import iter_near_optimal_rule_sets, near_optimal_rule_sets
from fairaudit.events import STOP, Finished

CONSTRAINTS = ("demographic_parity", "equal_opportunity", "equalized_odds")


def drawn(seed, n_columns=4, n_groups=2):
    """Draw columns of zeros and ones, labels, and groups."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(30, 120))
    X = (rng.random((n, n_columns)) < rng.uniform(0.2, 0.8, n_columns)).astype(int)
    groups = rng.integers(0, n_groups, n)
    scores = X @ rng.normal(size=n_columns) + 0.4 * groups + rng.normal(scale=0.9, size=n)
    return X, (scores > np.median(scores)).astype(int), groups


def gap_of(h, y, groups, constraint):
    """Return the largest difference of rates."""
    parts = {"demographic_parity": [y >= 0], "equal_opportunity": [y == 1], "equalized_odds": [y == 1, y == 0]}
    worst = 0.0
    for part in parts[constraint]:
        rates = [h[part & (groups == group)].mean() for group in np.unique(groups) if (part & (groups == group)).any()]
        worst = max(worst, max(rates) - min(rates))
    return worst


class Oracle:
    """All rule sets of a table within a loss, one by one."""

    def __init__(self, X, y, groups, max_rules, max_length, within, constraint):
        literals = [X[:, c] == value for c in range(X.shape[1]) for value in (1, 0)]
        rules = {}
        for length in range(1, max_length + 1):
            for chosen in itertools.combinations(literals, length):
                held = np.logical_and.reduce(chosen)
                if held.any() and not any(np.array_equal(held, each) for each in rules.values()):
                    rules[len(rules)] = held
        found = []
        for size in range(max_rules + 1):
            for chosen in itertools.combinations(rules.values(), size):
                alone = [
                    held & ~np.logical_or.reduce([np.zeros(len(y), dtype=bool), *chosen[:k], *chosen[k + 1 :]])
                    for k, held in enumerate(chosen)
                ]
                if all(each.any() for each in alone):
                    found.append(np.logical_or.reduce([np.zeros(len(y), dtype=bool), *chosen]).astype(int))
        h = np.array(found)
        wrong = (h != y).sum(axis=1)
        self.least = wrong.min()
        self.h = h[wrong <= np.floor(self.least + within * len(y) + 1e-6)]
        self.gaps = np.array([gap_of(each, y, groups, constraint) for each in self.h])


def found(X, y, groups, **settings):
    frame = pd.DataFrame(X).add_prefix("c")
    return near_optimal_rule_sets(frame, y, sensitive_features=groups, use_sensitive=True, **settings)


def check(result, oracle, n):
    """Compare all figures with those of all sets."""
    assert result.n_sets == len(oracle.h)
    assert result.least_loss == pytest.approx(oracle.least / n)
    assert result.smallest_gap == pytest.approx(oracle.gaps.min(), abs=1e-9)
    assert result.largest_gap == pytest.approx(oracle.gaps.max(), abs=1e-9)
    ways = np.column_stack([(oracle.h == 0).any(axis=0), (oracle.h == 1).any(axis=0)])
    np.testing.assert_array_equal(result.can_be, ways)
    assert result.ambiguity == pytest.approx(ways.all(axis=1).mean())


@pytest.mark.parametrize(("max_rules", "max_length"), [(1, 1), (1, 3), (2, 2), (3, 1), (3, 2), (4, 1)])
@pytest.mark.parametrize("seed", seeds(24, 4, rest="thorough"))
def test_all_figures_are_those_of_all_rule_sets(seed, max_rules, max_length):
    X, y, groups = drawn(seed, n_columns=3 if max_length == 2 and max_rules == 3 else 4, n_groups=2 + seed % 2)
    constraint, within = CONSTRAINTS[seed % 3], (0.0, 0.02, 0.05, 0.1)[seed % 4]
    settings = {"max_rules": max_rules, "max_length": max_length, "within": within, "constraint": constraint}
    result = found(X, y, groups, **settings, n_listed=5)
    oracle = Oracle(X, y, groups, **settings)
    assert result.complete
    assert result.max_rules == max_rules
    check(result, oracle, len(y))
    frame = pd.DataFrame(X).add_prefix("c")
    np.testing.assert_array_equal(result.decides_both(frame), result.ambiguous)
    distinct = sorted({h.tobytes(): gap for h, gap in zip(oracle.h, oracle.gaps, strict=True)}.values())
    np.testing.assert_allclose([each.gap for each in result.sets], distinct[:5], atol=1e-9)
    for each in result.sets:
        h = each.rules.predict(frame)
        assert each.loss == pytest.approx((h != y).mean())
        assert each.gap == pytest.approx(gap_of(h, y, groups, constraint), abs=1e-9)


def test_without_the_work_for_larger_sets_all_smaller_ones_are_there(monkeypatch):
    X, y, groups = drawn(3)
    monkeypatch.setattr(near_optimal, "MOST_SETS", 150)
    result = found(X, y, groups, max_rules=4, within=0.1)
    assert result.status == "work_limit"
    assert 0 < result.max_rules < 4
    check(result, Oracle(X, y, groups, result.max_rules, 2, 0.1, "demographic_parity"), len(y))
    little = found(X, y, groups, max_rules=3, within=0.1, time_limit=1e-6)
    assert (little.status, little.max_rules, little.n_sets) == ("work_limit", 0, 1)
    events = iter_near_optimal_rule_sets(X, y, sensitive_features=groups)
    event = next(events)
    while not isinstance(event, Finished):
        event = events.send(STOP)
    assert event.result.status == "stopped"


@pytest.mark.parametrize("seed", range(4))
def test_many_sets_are_gone_through_in_parts_alike(seed, monkeypatch):
    X, y, groups = drawn(seed)
    whole = found(X, y, groups, max_rules=3, within=0.08)
    monkeypatch.setattr(near_optimal, "ELEMENTS_AT_ONCE", 40)
    parts = found(X, y, groups, max_rules=3, within=0.08)
    for name in ("n_sets", "least_loss", "smallest_gap", "largest_gap", "ambiguity"):
        assert getattr(parts, name) == getattr(whole, name), name


def test_whole_weights_are_rows_written_out_and_others_are_refused():
    X, y, groups = drawn(5)
    counts = np.random.default_rng(0).integers(0, 4, len(y))
    rows = np.repeat(np.arange(len(y)), counts)
    weighted = found(X, y, groups, sample_weight=counts, within=0.05)
    written = found(X[rows], y[rows], groups[rows], within=0.05)
    for name in ("n_sets", "least_loss", "smallest_gap", "largest_gap", "ambiguity"):
        assert getattr(weighted, name) == pytest.approx(getattr(written, name)), name
    np.testing.assert_array_equal(weighted.ambiguous[rows], written.ambiguous)
    with pytest.raises(InputError, match="whole numbers"):
        found(X, y, groups, sample_weight=np.where(counts > 1, 0.5, 1.0))


def test_new_rows_are_decided_as_by_all_sets():
    X, y, groups = drawn(11)
    result = found(X, y, groups, within=0.08, n_listed=1_000)
    every = pd.DataFrame(list(itertools.product((0, 1), repeat=4))).add_prefix("c")
    decided = [
        np.logical_or.reduce(
            [np.zeros(16, dtype=bool)]
            + [
                np.logical_and.reduce([literal.holds(every) for literal in result.rules[rule]])
                for rule in chosen
                if rule >= 0
            ]
        )
        for chosen in result.members.tolist()
    ]
    assert (result.decides_both(every) == (np.any(decided, axis=0) & ~np.all(decided, axis=0))).all()


def test_a_missing_value_meets_neither_a_condition_nor_its_opposite():
    rng = np.random.default_rng(0)
    income = pd.Series(rng.normal(size=200)).where(rng.random(200) < 0.8)
    y = (income > 0).to_numpy() | (rng.random(200) < 0.1)
    frame = pd.DataFrame({"income": income, "age": rng.integers(20, 60, 200)})
    result = near_optimal_rule_sets(frame, y, sensitive_features=rng.integers(0, 2, 200), max_splits=6, n_listed=20)
    for each in result.sets:
        assert each.loss == pytest.approx((each.rules.predict(frame) != y).mean())


@pytest.mark.parametrize("wrong", [{"max_rules": 5}, {"max_length": 0}, {"within": 2}, {"constraint": "four_fifths"}])
def test_wrong_arguments_are_named(wrong):
    X, y, groups = drawn(2)
    with pytest.raises(InputError, match=next(iter(wrong))):
        found(X, y, groups, **wrong)


def test_of_one_group_there_is_no_gap_and_of_no_condition_one_set():
    X, y, _ = drawn(4, 3)
    result = found(X, y, None, within=0.02)
    assert (result.smallest_gap, result.largest_gap, result.complete) == (0.0, 0.0, True)
    alone = found(np.ones((10, 1), dtype=int), np.array([0, 1] + [0] * 8), None, within=0.0)
    assert (alone.n_sets, alone.least_loss, alone.ambiguity) == (1, 0.1, 0.0)
    assert not alone.decides_both(np.ones((3, 1), dtype=int)).any()
