from __future__ import annotations

import itertools

import numpy as np
import pandas as pd
import pytest
from event_runs import returned
from scipy.stats import norm
from sklearn.base import clone
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

from fairaudit.estimators.trees.growing import (
    CodedTable,
    GrowingRows,
    GrowingSettings,
    GrownTree,
    iter_greedy,
    iter_grown,
    pruned,
    repaired,
    row_prices,
)
from fairaudit.estimators.trees.lookahead_tree import (
    PUBLISHED_WEIGHTS,
    SPLIT_WORTHS,
    WEIGHTS_TRIED,
    ChanceToHold,
    HeldOutPredictions,
    LookaheadTreeClassifier,
    Trial,
    chance_of_keeping,
    margins_to_try,
)
from fairaudit.estimators.trees.optimal_tree import OptimalTreeClassifier
from fairaudit.events import STOP, Finished, Incumbent, Progress, Started
from fairaudit.work import Budget


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


@pytest.mark.thorough
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
    X, y, group = people(1000)
    model = LookaheadTreeClassifier(3, look_ahead=2, time_limit=300, random_state=0).fit(X, y, sensitive_features=group)
    predicted = model.predict(X)
    rates = [predicted[group == name].mean() for name in "ab"]
    assert min(rates) >= 0.8 * max(rates) - 1e-9
    chosen = max(model.trials_, key=lambda trial: trial.rank)
    assert {trial.growing.worth for trial in model.trials_} == set(SPLIT_WORTHS)
    assert (model.fairness_weight_, model.margin_) == (chosen.growing.weight, chosen.growing.margin)
    assert not any(
        trial.accuracy > chosen.accuracy + 1e-4 and trial.chance.of_counted > chosen.chance.of_counted
        for trial in model.trials_
    )
    assert any(f"{chosen.chance.of_all:.0%} of new tables of 250 cases" in note for note in model.notes_)
    assert model.history_["look_ahead"].tolist() == [chosen.growing.look_ahead]


def test_the_prices_that_are_tried_are_those_given():
    X, y, group = people(400)
    model = LookaheadTreeClassifier(2, look_ahead=1, weights_to_try=[0.5, 0.1, 0.5], time_limit=60, random_state=0)
    model.fit(X, y, sensitive_features=group)
    assert {trial.growing.weight for trial in model.trials_} == {0.1, 0.5}
    assert model.fairness_weight_ in (0.1, 0.5)


def test_the_published_prices_go_from_two_hundredths_to_one():
    assert len(PUBLISHED_WEIGHTS) == 50 and (PUBLISHED_WEIGHTS[0], PUBLISHED_WEIGHTS[-1]) == (0.02, 1.0)
    assert np.allclose(np.diff(PUBLISHED_WEIGHTS), 0.02)
    assert set(WEIGHTS_TRIED) <= set(PUBLISHED_WEIGHTS)


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
    return GrowingSettings(**{"max_depth": 3, "look_ahead": 2, "weight": 0.0, "margin": 0.0, "sample_size": 8000,
                      "min_leaf_size": 1, "seed": 0, **changes})  # fmt: skip


def two_groups(n_a, n_b, constraint="four_fifths", difference=0.05):
    """Return rows of two groups, half of each positive, with one column that parts them from nothing."""
    group = np.repeat([0, 1], [n_a, n_b])
    y = np.r_[np.arange(n_a) % 2, np.arange(n_b) % 2].astype(float)
    table = CodedTable.read(pd.DataFrame({"x": np.arange(n_a + n_b) % 7}), ["x"])
    return GrowingRows(table, y, group, ("a", "b"), constraint, difference)


def held_out(rows, rate_a, rate_b, n_folds=4):
    """Return folds that hold out a quarter of the rows each, with these rates of positive predictions."""
    rates = np.array([rate_a, rate_b])[rows.strata.groups]
    return [
        HeldOutPredictions(rows.strata.weights / n_folds, rates * rows.strata.weights / n_folds) for _ in range(n_folds)
    ]


def test_the_chance_to_keep_the_rule_is_that_of_the_normal_approximation():
    rows = two_groups(2000, 1200)
    for rate_a, rate_b in [(0.6, 0.5), (0.6, 0.48), (0.6, 0.55)]:
        found = chance_of_keeping(rows, held_out(rows, rate_a, rate_b), 0).of_counted
        # Rates of the trees are as uncertain as those in a new table: twice the variance of a quarter of the rows.
        spread = np.sqrt(2 * (0.64 * rate_a * (1 - rate_a) / 500 + rate_b * (1 - rate_b) / 300))
        assert found == pytest.approx(norm.cdf((rate_b - 0.8 * rate_a) / spread), abs=0.06)


def test_the_chance_falls_with_fewer_rows_and_counts_no_group_of_a_few():
    chances = [chance_of_keeping(two_groups(n, n), held_out(two_groups(n, n), 0.5, 0.5), 0) for n in (2000, 200, 20)]
    assert chances[0].of_all > 0.95 > chances[1].of_all > 0.5 > chances[2].of_all
    assert chances[1].of_all == chances[1].of_counted and chances[2].of_counted == 1.0


def test_the_same_label_in_all_leaves_leaves_nothing_to_chance():
    rows = two_groups(40, 12)
    for only in (0.0, 1.0):
        sizes = rows.strata.weights / 4
        assert chance_of_keeping(rows, [HeldOutPredictions(sizes, only * sizes, only)] * 4, 0) == ChanceToHold(1.0, 1.0)


def test_margins_are_wider_with_fewer_rows_and_keep_to_what_is_possible():
    largest = [margins_to_try(two_groups(n, n))[-1] for n in (20_000, 2_000, 20)]
    assert (
        largest[0] == pytest.approx(3 * np.sqrt(0.25 * 1.64 / 5_000)) and largest[0] < largest[1] < largest[2] == 0.19
    )
    assert margins_to_try(two_groups(20, 20, "demographic_parity"))[-1] == 0.05
    assert margins_to_try(two_groups(20, 20, "demographic_parity", 0.0)) == (0.0,)
    assert all(margins_to_try(two_groups(n, n))[0] == 0.0 for n in (2_000, 20))


def test_of_two_trials_the_one_with_more_accuracy_for_its_chance_is_better():
    def trial(accuracy, of_all, of_counted):
        return Trial(growing(), accuracy, ChanceToHold(of_all, of_counted))

    assert trial(0.70, 0.96, 0.96).rank > trial(0.72, 0.80, 0.80).rank
    assert trial(0.80, 0.80, 0.80).rank > trial(0.70, 0.96, 0.96).rank
    assert trial(0.71, 0.20, 1.00).rank > trial(0.70, 0.90, 1.00).rank


def test_greedy_splits_are_as_pure_as_those_of_cart():
    X, y, group = people()
    X = X[["priors"]].assign(flag=X["area"] == "w")
    table = CodedTable.read(X, list(X.columns))
    rows = GrowingRows(table, y.astype(float), np.unique(group, return_inverse=True)[1], ("a", "b"), "four_fifths", 0.0)
    grown = returned(iter_greedy(rows, growing(is_greedy=True), Budget(20)))
    assert grown.leaf.tolist() == table.leaves(grown.splits, np.arange(len(y))).tolist()
    cart = DecisionTreeClassifier(max_depth=3, random_state=0).fit(X, y)
    impurity = [
        sum(len(part) * part.mean() * (1 - part.mean()) for part in (y[leaf == own] for own in np.unique(leaf)))
        for leaf in (grown.leaf, cart.apply(X))
    ]
    assert impurity[0] == pytest.approx(impurity[1])


def test_a_leaf_of_one_label_is_parted_where_rates_have_a_price():
    X = pd.DataFrame({"skill": np.repeat([0, 1], 60), "area": np.tile(np.repeat([0, 1], 30), 2)})
    # Without the area, only the same label for all keeps the rule: men have most of the skill.
    group = np.repeat([0, 1, 0, 1], [30, 30, 50, 10])
    y = X["skill"].to_numpy(dtype=float)
    rows = GrowingRows(CodedTable.read(X, list(X.columns)), y, group, ("m", "w"), "four_fifths", None)
    how = growing(look_ahead=1, is_greedy=True)
    pure, whole = returned(iter_greedy(rows, how, Budget(20))), returned(iter_grown(rows, how, Budget(20)))
    price = how.price_of_split / rows.n_rows
    assert [found.meets_constraint for found in (repaired(rows, how, pure), repaired(rows, how, whole))] == [True, True]
    assert repaired(rows, how, pure).objective == pytest.approx(0.5)
    assert repaired(rows, how, whole).objective == pytest.approx(0.25 + price * len(whole.splits))


@pytest.mark.parametrize("weight", [0.0, 0.3])
@pytest.mark.parametrize("constraint", ["four_fifths", "equalized_odds"])
def test_labels_of_leaves_are_those_of_brute_force(constraint, weight):
    X, y, group = people()
    table = CodedTable.read(X, list(X.columns))
    rows = GrowingRows(table, y.astype(float), np.unique(group, return_inverse=True)[1], ("a", "b"), constraint, 0.05)
    cuts = list(table.columns[0].literals)[::60][:3]
    numbered = {1: cuts[1], 2: cuts[0], 3: cuts[2]}
    leaf = table.leaves(numbered, np.arange(len(y)))
    grown = GrownTree(dict(numbered), dict.fromkeys(range(4, 8), 0.0), leaf)
    best = np.inf
    for labels in itertools.product((0.0, 1.0), repeat=4):
        predicted = np.array(labels)[leaf - 4]
        held = rows.forms @ np.bincount(rows.strata.cells, weights=predicted, minlength=rows.strata.n_cells)
        if (held <= rows.bounds + 1e-9).all():
            best = min(best, np.abs(predicted - y).mean() + weight * held.max())
    found = repaired(rows, growing(weight=weight), grown)
    assert found.meets_constraint and set(found.splits) <= set(numbered)
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
    grown = GrownTree(numbered, dict.fromkeys((4, 5, 7, 12, 13), 0.0), table.leaves(numbered, np.arange(len(y))))
    sizes = []
    for worth in (0.0, 0.005, 0.5):
        smaller = pruned(rows, growing(worth=worth), grown)
        assert smaller.leaf.tolist() == table.leaves(smaller.splits, np.arange(len(y))).tolist()
        assert set(smaller.leaf) <= smaller.values.keys()
        sizes.append(len(smaller.splits))
    assert sizes == sorted(sizes, reverse=True) and sizes[0] > sizes[-1] == 0


def test_samples_are_drawn_by_seed():
    X, y, group = people(1_500)
    model = LookaheadTreeClassifier(
        3, look_ahead=2, sample_size=200, fairness_weight=0.1, time_limit=60, random_state=5
    )
    model.fit(X, y, sensitive_features=group)
    assert clone(model).fit(X, y, sensitive_features=group).tree_ == model.tree_
    assert model.discrimination_.four_fifths >= 0.8 - 1e-9


def test_all_rows_are_searched_over_where_nothing_is_grown_below():
    X, y, group = people(1_500)
    X = X[["priors", "area"]]
    model = LookaheadTreeClassifier(
        2, constraint="demographic_parity", sample_size=150, fairness_weight=0.0, time_limit=60, random_state=0
    )
    grown = model.fit(X, y, sensitive_features=group)
    assert grown.history_["look_ahead"].tolist() == [2, 2]
    best = OptimalTreeClassifier(2, constraint="demographic_parity").fit(X, y, sensitive_features=group)
    assert (grown.predict(X) != y).mean() == pytest.approx(best.objective_)


def test_events_and_stops_keep_the_rule():
    X, y, group = people(300)
    X = X[["priors", "area"]]
    model = LookaheadTreeClassifier(2, look_ahead=1, time_limit=300, random_state=0)
    events = list(clone(model).iter_fit(X, y, sensitive_features=group))
    assert isinstance(events[0], Started) and isinstance(events[-1], Finished)
    steps = [event for event in events if isinstance(event, Progress)]
    assert [step.done for step in steps] == sorted(step.done for step in steps)
    assert {event.what for event in events if isinstance(event, Incumbent)} == {"weight", "tree"}
    for stop_at in (1, len(events) // 2):
        running = clone(model).iter_fit(X, y, sensitive_features=group)
        list(itertools.islice(running, stop_at))
        fitted = [running.send(STOP), *running][-1].result
        assert fitted.status_ == "stopped"
        assert not fitted.discrimination_.four_fifths < 0.8 - 1e-9
