from __future__ import annotations

import itertools

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.utils.estimator_checks import parametrize_with_checks

from fairaudit.events import STOP, Finished, Incumbent, Progress, Started
from fairaudit.trees import LookaheadTreeClassifier, OptimalTreeClassifier
from fairaudit.trees.lookahead.coded_table import CodedTable
from fairaudit.trees.lookahead.growing_rows import Growing, GrowingRows, Grown
from fairaudit.trees.lookahead.leaf_prices import row_prices
from fairaudit.trees.lookahead.pruning import pruned
from fairaudit.trees.lookahead.repairing import repaired
from fairaudit.trees.lookahead.weight import WORTHS


@parametrize_with_checks([LookaheadTreeClassifier(2, look_ahead=1, fairness_weight=0.1, time_limit=2)])
def test_scikit_learn_checks(estimator, check):
    check(estimator)


def people(n=600, seed=0, n_groups=2):
    """Return rows whose features and outcomes lie differently in the groups."""
    random = np.random.default_rng(seed)
    group = random.integers(0, n_groups, n)
    X = pd.DataFrame(
        {
            "score": random.normal(size=n) + 0.8 * group,
            "priors": random.poisson(1 + 0.5 * group),
            "area": random.choice(list("wxyz"), n),
        }
    )
    y = (X["score"] + 0.5 * X["priors"] + (X["area"] == "w") + random.normal(size=n) > 1.2).astype(int).to_numpy()
    return X, y, np.array(list("abc"))[group]


def gap(constraint, y, predicted, group):
    """Return how far the rates of groups are apart, from predictions alone."""
    parts = {
        "demographic_parity": [y == y],
        "equal_opportunity": [y == 1],
        "equalized_odds": [y == 1, y == 0],
    }[constraint]
    return max(np.ptp([predicted[part & (group == g)].mean() for g in np.unique(group)]) for part in parts)


@pytest.mark.parametrize("n_groups", [2, 3])
@pytest.mark.parametrize("constraint", ["demographic_parity", "equal_opportunity", "equalized_odds"])
def test_the_whole_tree_keeps_the_constraint_on_its_rows(constraint, n_groups):
    X, y, group = people(n_groups=n_groups)
    model = LookaheadTreeClassifier(
        4, constraint=constraint, max_difference=0.04, fairness_weight=0.0, time_limit=10, random_state=0
    )
    predicted = model.fit(X, y, sensitive_features=group).predict(X)
    assert gap(constraint, y, predicted, group) <= 0.04 + 1e-9
    assert (predicted == y).mean() > max(y.mean(), 1 - y.mean())
    assert model.status_ == "gap" and model.tree_.depth <= 4


def test_the_four_fifths_rule_holds_and_the_weight_is_chosen_by_held_out_rows():
    X, y, group = people(500)
    model = LookaheadTreeClassifier(3, look_ahead=2, time_limit=20, random_state=0).fit(X, y, sensitive_features=group)
    predicted = model.predict(X)
    rates = [predicted[group == name].mean() for name in "ab"]
    assert min(rates) >= 0.8 * max(rates) - 1e-9
    chosen = max(model.trials_, key=lambda trial: trial.rank)
    assert {trial.growing.worth for trial in model.trials_} == set(WORTHS)
    assert (model.fairness_weight_, model.margin_) == (chosen.growing.weight, chosen.growing.margin)
    safe = [trial for trial in model.trials_ if trial.is_safe]
    assert not safe or (chosen in safe and chosen.accuracy >= max(trial.accuracy for trial in safe) - 1e-4)
    assert model.history_["look_ahead"].tolist() == [chosen.growing.look_ahead]


def test_looking_as_far_as_the_tree_is_deep_finds_the_optimum():
    X, y, group = people()
    X = X[["priors", "area"]]
    model = LookaheadTreeClassifier(
        2, look_ahead=2, constraint="demographic_parity", fairness_weight=0.0, random_state=0
    )
    grown = model.fit(X, y, sensitive_features=group)
    best = OptimalTreeClassifier(2, constraint="demographic_parity").fit(X, y, sensitive_features=group)
    assert (grown.predict(X) != y).mean() == pytest.approx(best.objective_)


def growing(**changes):
    return Growing(**{"max_depth": 3, "look_ahead": 2, "weight": 0.0, "margin": 0.0, "sample_size": 8000,
                      "min_leaf_size": 1, "seed": 0, **changes})  # fmt: skip


@pytest.mark.parametrize("weight", [0.0, 0.3])
@pytest.mark.parametrize("constraint", ["four_fifths", "equalized_odds"])
def test_labels_of_leaves_are_those_of_brute_force(constraint, weight):
    X, y, group = people()
    table = CodedTable.read(X, list(X.columns))
    rows = GrowingRows(table, y.astype(float), np.unique(group, return_inverse=True)[1], ("a", "b"), constraint, 0.05)
    cuts = list(table.columns[0].literals)[::60][:3]
    numbered = {1: cuts[1], 2: cuts[0], 3: cuts[2]}
    leaf = table.leaves(numbered, np.arange(len(y)))
    grown = Grown(dict(numbered), dict.fromkeys(range(4, 8), 0.0), leaf)
    best = np.inf
    for labels in itertools.product((0.0, 1.0), repeat=4):
        predicted = np.array(labels)[leaf - 4]
        held = rows.forms @ np.bincount(rows.strata.cells, weights=predicted, minlength=rows.strata.n_cells)
        if (held <= rows.bounds + 1e-9).all():
            best = min(best, np.abs(predicted - y).mean() + weight * held.max())
    found = repaired(rows, growing(weight=weight), grown)
    assert found.keeps and set(found.splits) <= set(numbered)
    assert found.objective == pytest.approx(best, abs=0.01)
    assert found.objective >= best - 1e-9


def test_prices_are_zero_where_the_constraint_does_not_bind():
    X, y, group = people()
    table = CodedTable.read(X, list(X.columns))
    rows = GrowingRows(
        table, y.astype(float), np.unique(group, return_inverse=True)[1], ("a", "b"), "demographic_parity", 1.0
    )
    leaf = table.leaves({1: table.columns[0].literals[100]}, np.arange(len(y)))
    assert not row_prices(rows, leaf, weight=0.0, margin=0.0).any()
    tight = GrowingRows(rows.table, rows.labels, rows.groups, rows.group_names, "demographic_parity", 0.0)
    assert row_prices(tight, leaf, weight=0.0, margin=0.0).any()


def test_nodes_take_cuts_of_their_own_rows():
    X = pd.DataFrame({"a": np.arange(100.0)})
    table = CodedTable.read(X, ["a"])
    splits, holds = table.splits(np.arange(80, 100), np.zeros(20), 3)
    assert len(splits) == 3 and all(79 < split.value < 99 for split in splits)
    assert (holds == np.column_stack([split.holds(X.iloc[80:]) for split in splits])).all()


def test_pruning_takes_back_what_is_worth_too_little():
    X, y, group = people()
    table = CodedTable.read(X, list(X.columns))
    groups = np.unique(group, return_inverse=True)[1]
    rows = GrowingRows(table, y.astype(float), groups, ("a", "b"), "demographic_parity", 1.0)
    cuts = table.columns[0].literals
    numbered = {1: cuts[150], 2: cuts[60], 3: cuts[200], 6: cuts[190]}
    grown = Grown(numbered, dict.fromkeys((4, 5, 7, 12, 13), 0.0), table.leaves(numbered, np.arange(len(y))))
    sizes = []
    for worth in (0.0, 0.005, 0.5):
        smaller = pruned(rows, growing(worth=worth), grown)
        assert smaller.leaf.tolist() == table.leaves(smaller.splits, np.arange(len(y))).tolist()
        assert set(smaller.leaf) <= smaller.values.keys()
        sizes.append(len(smaller.splits))
    assert sizes == sorted(sizes, reverse=True) and sizes[0] > sizes[-1] == 0


def test_samples_are_drawn_by_seed_and_it_is_said():
    X, y, group = people(1_500)
    model = LookaheadTreeClassifier(3, sample_size=200, fairness_weight=0.1, time_limit=10, random_state=5)
    model.fit(X, y, sensitive_features=group)
    assert any("200 rows" in note for note in model.notes_)
    assert clone(model).fit(X, y, sensitive_features=group).tree_ == model.tree_
    assert model.discrimination_.four_fifths >= 0.8 - 1e-9


def test_events_and_stops_keep_the_rule():
    X, y, group = people(300)
    model = LookaheadTreeClassifier(3, look_ahead=2, time_limit=10, random_state=0)
    events = list(clone(model).iter_fit(X, y, sensitive_features=group))
    assert isinstance(events[0], Started) and isinstance(events[-1], Finished)
    steps = [event for event in events if isinstance(event, Progress)]
    assert [step.done for step in steps] == sorted(step.done for step in steps)
    assert {event.what for event in events if isinstance(event, Incumbent)} == {"weight", "tree"}
    for stop_at in (1, 2, 4, len(events) // 2):
        running = clone(model).iter_fit(X, y, sensitive_features=group)
        list(itertools.islice(running, stop_at))
        fitted = [running.send(STOP), *running][-1].result
        assert fitted.status_ == "stopped"
        assert not fitted.discrimination_.four_fifths < 0.8 - 1e-9
