"""Averages over similar cases: thresholds, rules and trees against all thresholds, rule sets and trees there are."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pandas as pd
import pytest

from fairaudit.errors import GroupError, InputError
from fairaudit.estimators.rules.classifier import RuleSetClassifier
from fairaudit.estimators.rules.problem import group_rates
from fairaudit.estimators.similar_cases import Averages, people_who_count
from fairaudit.estimators.thresholds import GroupThresholdClassifier, OperatingPoints, ThresholdProblem, iter_swarm
from fairaudit.estimators.trees.lookahead_tree import LookaheadTreeClassifier
from fairaudit.estimators.trees.optimal_tree import OptimalTreeClassifier
from fairaudit.estimators.trees.problem import StrataCounts, TreeRows, parity_limit
from fairaudit.events import result_of
from fairaudit.remedies.thresholds.fit import ScoreColumn

METRICS = {
    "demographic_parity": ("demographic_parity",),
    "error_rate": ("error_rate",),
    "equal_opportunity": ("fnr",),
    "fpr": ("fpr",),
    "equalized_odds": ("fnr", "fpr"),
}


def gap_by_hand(metric: str, y, h, group, strata) -> float:
    """The first group's rate minus the second's in each stratum where both have people, averaged by their number."""
    base = {"demographic_parity": y >= 0, "error_rate": y >= 0, "fnr": y == 1, "fpr": y == 0}[metric]
    event = {"demographic_parity": h == 1, "error_rate": h != y, "fnr": h == 0, "fpr": h == 1}[metric]
    gaps, people = [], []
    for stratum in np.unique(strata):
        own = [base & (strata == stratum) & (group == name) for name in ("a", "b")]
        if all(rows.any() for rows in own):
            gaps.append(event[own[0]].mean() - event[own[1]].mean())
            people.append(sum(int(rows.sum()) for rows in own))
    return float(np.average(gaps, weights=people))


def worst_by_hand(constraint: str, y, h, group, strata) -> float:
    return max(abs(gap_by_hand(metric, y, h, group, strata)) for metric in METRICS[constraint])


def drawn(seed: int, n: int = 70, n_strata: int = 3):
    """Rows whose group goes with the stratum, and is favoured the other way inside each."""
    random = np.random.default_rng(seed)
    strata = random.integers(0, n_strata, n)
    group = np.where(random.random(n) < 0.2 + 0.6 * strata / (n_strata - 1), "a", "b")
    x = (random.random((n, 3)) < 0.35 + 0.2 * strata[:, None] / (n_strata - 1)).astype(np.int64)
    x[:, 0] = np.where(random.random(n) < 0.75, strata >= n_strata / 2, x[:, 0])
    x[:, 1] = np.where(random.random(n) < 0.6, group == "b", x[:, 1])
    y = (x[:, 0] + x[:, 1] + 0.8 * random.normal(size=n) > 0.9).astype(np.int64)
    return pd.DataFrame(x, columns=["p", "q", "r"]), y, group, strata


def every_tree(X: pd.DataFrame):
    """The predictions of all trees of depth 2 over columns of two values."""
    columns = X.to_numpy() == 0
    for root in range(3):
        for left, right in product([None, 0, 1, 2], repeat=2):
            for values in product((0, 1), repeat=4):
                goes = [np.zeros(len(X), dtype=bool) if each is None else columns[:, each] for each in (left, right)]
                leaf = np.where(columns[:, root], np.where(goes[0], 0, 1), np.where(goes[1], 2, 3))
                yield np.array(values)[leaf]


def every_rule_set(X: pd.DataFrame, most: int):
    """The predictions of all rule sets up to a complexity, of rules of at most two conditions."""
    literals = [(X[name] == value).to_numpy() for name in X for value in (0, 1)]
    rules = [(2, each) for each in literals] + [(3, one & other) for one, other in combinations(literals, 2)]
    for n_rules in range(3):
        for chosen in combinations(rules, n_rules):
            if sum(cost for cost, _ in chosen) <= most:
                covers = [cover for _, cover in chosen]
                yield np.any(covers, axis=0).astype(np.int64) if covers else np.zeros(len(X), dtype=np.int64)


def test_the_average_gap_of_what_is_most_accurate_has_another_sign_than_the_plain_one():
    signs = []
    for seed in range(10):
        X, y, group, strata = drawn(seed)
        best = min(every_tree(X), key=lambda h: int((h != y).sum()))
        plain, average = (
            gap_by_hand("demographic_parity", y, best, group, each) for each in (np.zeros(len(y)), strata)
        )
        signs.append(plain * average < 0)
    assert any(signs)


@pytest.mark.parametrize("constraint", ["demographic_parity", "equal_opportunity", "equalized_odds"])
@pytest.mark.parametrize("n_strata", [2, 3])
def test_the_best_tree_among_similar_cases_is_that_of_all_trees(constraint, n_strata):
    for seed in range(3):
        X, y, group, strata = drawn(seed, n_strata=n_strata)
        for limit in (0.15, 0.04):
            allowed = [h for h in every_tree(X) if worst_by_hand(constraint, y, h, group, strata) <= limit + 1e-9]
            least = min(int((h != y).sum()) for h in allowed)
            model = OptimalTreeClassifier(2, constraint=constraint, max_difference=limit, use_sensitive=True)
            model.fit(X, y, sensitive_features=group, strata=strata)
            assert model.status_ == "optimal", seed
            assert round(model.objective_ * len(y)) == least, (seed, limit)
            assert model.bound_ == pytest.approx(model.objective_)
            assert worst_by_hand(constraint, y, model.predict(X), group, strata) <= limit + 1e-9


def test_the_smallest_gap_of_trees_for_accuracy_lost_is_one_among_similar_cases():
    X, y, group, strata = drawn(3)
    trees = list(every_tree(X))
    least = min(int((h != y).sum()) for h in trees)
    near = [h for h in trees if (h != y).sum() <= least + 0.1 * len(y)]
    smallest = min(worst_by_hand("demographic_parity", y, h, group, strata) for h in near)
    model = OptimalTreeClassifier(2, constraint="demographic_parity", max_loss=0.1, use_sensitive=True)
    model.fit(X, y, sensitive_features=group, strata=strata)
    assert model.objective_ == pytest.approx(smallest, abs=1e-9)


@pytest.mark.parametrize("fairness", ["demographic_parity", "equal_opportunity", "equalized_odds", "error_rate"])
def test_the_best_rule_set_among_similar_cases_is_that_of_all_rule_sets(fairness):
    for seed in range(2):
        X, y, group, strata = drawn(seed, n_strata=2 + seed)
        for limit in (0.2, 0.05):
            sets = every_rule_set(X, 6)
            allowed = [h for h in sets if worst_by_hand(fairness, y, h, group, strata) <= limit + 1e-9]
            least = min(int((h != y).sum()) for h in allowed)
            model = RuleSetClassifier(
                6, fairness=fairness, max_difference=limit, objective="zero_one", max_rule_length=2, time_limit=10,
                use_sensitive=True, random_state=0,
            ).fit(X, y, sensitive_features=group, strata=strata)  # fmt: skip
            h = model.predict(X)
            gaps = [abs(gap_by_hand(metric, y, h, group, strata)) for metric in METRICS[fairness]]
            assert model.fairness_gap_ == pytest.approx(max(gaps))
            assert max(gaps) <= limit + 1e-9 and model.errors_ == (h != y).sum()
            assert model.bound_ <= least <= model.errors_, (seed, limit)
            if model.status_ == "optimal":
                assert model.errors_ == least


def test_rules_as_first_counted_keep_the_limit_and_their_bound_is_true():
    X, y, group, strata = drawn(1, n=120)
    model = RuleSetClassifier(6, fairness="demographic_parity", max_difference=0.05, time_limit=10, use_sensitive=True)
    model.fit(X, y, sensitive_features=group, strata=strata)
    assert worst_by_hand("demographic_parity", y, model.predict(X), group, strata) <= 0.05 + 1e-9
    assert model.bound_ <= model.objective_ + 1e-9


@pytest.mark.parametrize("weight", [0.0, 0.5, 2.0])
def test_the_best_thresholds_among_similar_cases_are_those_of_all(weight):
    for seed in range(4):
        _, y, group, strata = drawn(seed, n=60)
        score = np.round(np.random.default_rng(seed).random(60) + 0.3 * strata + 0.4 * y, 1)
        problem = ThresholdProblem.from_rows(y, score, group, None, strata)
        best = problem.best(weight)
        found = []
        cuts = [np.append(np.unique(score[group == name]), 9.0) for name in ("a", "b")]
        for pair in product(*cuts):
            h = (score >= np.where(group == "a", *pair)).astype(np.int64)
            gap = sum(abs(gap_by_hand(metric, y, h, group, strata)) for metric in ("fnr", "fpr"))
            found.append((h == y).mean() - weight * gap)
        assert best.objective(weight) == pytest.approx(max(found)), seed


@pytest.mark.parametrize("moves", ["curves", "thresholds"])
def test_a_swarm_among_similar_cases_is_no_better_than_the_exact_optimum_and_counts_the_same_gaps(moves):
    _, y, group, strata = drawn(0, n=200)
    score = np.random.default_rng(0).random(200) + 0.3 * strata + 0.4 * y
    problem = ThresholdProblem.from_rows(y, score, group, None, strata)
    found = result_of(iter_swarm(problem, 1.0, swarm=moves, n_iterations=40, random_state=0))
    h = (score >= np.array([found.by_group[name] for name in group])).astype(np.int64)
    gap = sum(abs(gap_by_hand(metric, y, h, group, strata)) for metric in ("fnr", "fpr"))
    assert found.gap == pytest.approx(gap) and found.accuracy == pytest.approx((h == y).mean())
    best = problem.best(1.0).objective(1.0)
    assert best - 0.1 <= found.objective(1.0) <= best + 1e-12


def test_thresholds_within_a_limit_among_similar_cases_keep_it_on_the_rows_that_they_are_chosen_on():
    random = np.random.default_rng(0)
    n = 3_000
    strata = random.integers(0, 3, n)
    group = np.where(random.random(n) < 0.2 + 0.3 * strata, "a", "b")
    score = random.random(n) + 0.4 * strata - 0.15 * (group == "a")
    y = (random.random(n) < 1 / (1 + np.exp(-5 * (score - 0.8)))).astype(np.int64)

    found = {}
    for name, each in (("similar", strata), ("all", None)):
        model = GroupThresholdClassifier(
            ScoreColumn(), method="exact", prefit=True, max_difference=0.03, random_state=0
        )
        h = model.fit(score[:, None], y, sensitive_features=group, strata=each).predict(
            score[:, None], sensitive_features=group
        )
        found[name] = [worst_by_hand("equalized_odds", y, h, group, by) for by in (strata, np.zeros(n))]
    assert found["similar"][0] <= 0.03 + 1e-9 < found["similar"][1]
    assert found["all"][1] <= 0.03 + 1e-9 < found["all"][0]


def test_a_grown_tree_keeps_the_limit_among_similar_cases():
    X, y, group, strata = drawn(5, n=400)
    found = {}
    for name, each in (("similar", strata), ("all", None)):
        model = LookaheadTreeClassifier(
            3, constraint="demographic_parity", max_difference=0.05, fairness_weight=0.0, time_limit=5, random_state=0
        ).fit(X, y, sensitive_features=group, strata=each)
        assert model.status_ != "infeasible"
        found[name] = [
            abs(gap_by_hand("demographic_parity", y, model.predict(X), group, by)) for by in (strata, np.zeros(len(y)))
        ]
    assert found["similar"][0] <= 0.05 + 1e-9 and found["all"][1] <= 0.05 + 1e-9


@pytest.mark.parametrize(
    "model",
    [
        OptimalTreeClassifier(2, constraint="equalized_odds", max_difference=0.1),
        LookaheadTreeClassifier(2, constraint="demographic_parity", max_difference=0.1, time_limit=5, random_state=0),
        RuleSetClassifier(6, max_difference=0.1, time_limit=5, random_state=0),
        GroupThresholdClassifier(method="exact", random_state=0),
    ],
)
def test_one_stratum_is_no_stratum_to_the_digit(model):
    X, y, group, _ = drawn(2, n=200)
    whole, alone = (
        type(model)(**model.get_params()).fit(X, y, sensitive_features=group, strata=each)
        for each in (None, np.full(len(y), "same"))
    )
    for name in ("objective_", "bound_", "fairness_gap_", "errors_", "thresholds_"):
        if hasattr(whole, name):
            np.testing.assert_equal(getattr(whole, name), getattr(alone, name))
    more = {"sensitive_features": group} if isinstance(model, GroupThresholdClassifier) else {}
    assert np.array_equal(whole.predict(X, **more), alone.predict(X, **more))


def test_forms_rates_and_points_of_one_stratum_are_the_plain_ones():
    X, y, group, _ = drawn(4, n=200)
    codes, strata = (group == "b").astype(np.int64), np.zeros(len(y), dtype=np.int64)
    rows = TreeRows.merge(X.to_numpy() == 0, codes, y.astype(float), ["a", "b"])
    for name in ("demographic_parity", "equal_opportunity", "equalized_odds"):
        own, plain = (parity_limit(rows, name, 0.1, each) for each in (StrataCounts.of(rows.cells, strata), None))
        assert np.array_equal(own.forms.toarray(), plain.forms.toarray())
    totals = np.bincount(2 * codes + y, minlength=4).reshape(2, 2)
    for rate in group_rates("equalized_odds", totals):
        assert np.array_equal(np.diag(rate.missed + rate.hit), 1 / totals[:, 1 if rate.name == "fnr" else 0])
    score = np.random.default_rng(0).random(len(y))
    share = np.zeros(len(y))
    for label in (0, 1):
        share[y == label] = 1 / (y == label).sum()
    points, plain = OperatingPoints.of(y, score, None, share), OperatingPoints.of(y, score)
    assert points.tpr == pytest.approx(plain.tpr) and points.fpr == pytest.approx(plain.fpr)


def test_strata_that_lack_a_group_do_not_count_and_that_is_said():
    X, y, group, strata = drawn(6, n=200)
    strata = np.where(np.arange(200) < 15, 7, strata)
    group = np.where(strata == 7, "a", group)
    averages = Averages.of((group == "b").astype(np.int64), strata, 2, None)
    assert averages.n_left_out == 15 and (averages.per_row[:, 7] == 0).all()
    assert averages.per_row.sum() > 0
    for model in (
        OptimalTreeClassifier(2, constraint="demographic_parity", max_difference=0.1),
        LookaheadTreeClassifier(2, constraint="demographic_parity", max_difference=0.1, time_limit=5, random_state=0),
        RuleSetClassifier(6, fairness="demographic_parity", max_difference=0.1, time_limit=5, random_state=0),
    ):
        model.fit(X, y, sensitive_features=group, strata=strata)
        assert abs(gap_by_hand("demographic_parity", y, model.predict(X), group, strata)) <= 0.1 + 1e-9
        assert any("15" in note for note in model.notes_)


@pytest.mark.parametrize(
    "model",
    [
        OptimalTreeClassifier(2, constraint="demographic_parity", max_difference=0.1),
        LookaheadTreeClassifier(2, constraint="demographic_parity", max_difference=0.1),
        RuleSetClassifier(6),
        GroupThresholdClassifier(method="exact"),
    ],
)
def test_without_a_stratum_of_all_groups_it_is_refused(model):
    X, y, group, _ = drawn(1)
    with pytest.raises(GroupError, match="no similar cases of all groups"):
        model.fit(X, y, sensitive_features=group, strata=group)


@pytest.mark.parametrize(
    "model",
    [
        OptimalTreeClassifier(2),
        OptimalTreeClassifier(2, constraint="four_fifths"),
        LookaheadTreeClassifier(2),
        RuleSetClassifier(6, fairness=None),
    ],
)
def test_what_has_no_average_takes_no_strata(model):
    X, y, group, strata = drawn(1)
    with pytest.raises(InputError, match="'strata' needs something"):
        model.fit(X, y, sensitive_features=group, strata=strata)


def test_people_of_each_stratum_count_where_all_groups_that_have_any_are_there():
    sizes = np.array([[3.0, 2.0, 4.0], [1.0, 0.0, 5.0], [0.0, 0.0, 0.0]])
    assert people_who_count(sizes).tolist() == [4.0, 0.0, 9.0]
    per_row = Averages(sizes).per_row
    assert (per_row * sizes).sum(axis=1) == pytest.approx([1, 1, 0])
    assert per_row[0] == pytest.approx([4 / 13 / 3, 0, 9 / 13 / 4])
