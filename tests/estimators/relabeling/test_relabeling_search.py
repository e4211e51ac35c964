"""How far labels are changed until the final model's own gap is closed, and what any model of the features reaches."""

from __future__ import annotations

from functools import cache

import numpy as np
import pandas as pd
import pytest
from event_runs import drain
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.linear_model import LogisticRegression
from sklearn.svm import LinearSVC

from fairaudit.errors import GroupError
from fairaudit.estimators.relabel_search import (
    HALVINGS,
    MOST_FITS,
    STEPS,
    Extent,
    balance,
    choose,
    goals,
    iter_extents,
    reach,
)
from fairaudit.estimators.relabeling import RelabeledClassifier, risk_adjustment, risk_flipping

ALGORITHMS = ("risk_adjustment", "risk_flipping")
TARGET = 0.02


def planted(n=3000, seed=0):
    """Rows of which one column is unlike and decides, and another tells the group a little; the group is left out."""
    random = np.random.default_rng(seed)
    protected = random.random(n) < 0.2
    merit = random.normal(size=n) - 0.8 * protected
    proxy = random.normal(size=n) + 0.7 * protected
    X = pd.DataFrame({"merit": merit, "proxy": proxy, "noise": random.normal(size=n)})
    y = (merit + random.normal(0, 0.7, n) > 0).astype(int)
    return X, y, protected


@cache
def fitted(algorithm, target):
    X, y, protected = planted()
    model = RelabeledClassifier(
        algorithm,
        risk_model=LogisticRegression(),
        final_model=LogisticRegression(),
        gap_step=0,
        target_gap=target,
        random_state=0,
    )
    return model.fit(X, y, sensitive_features=protected, tuning=np.arange(len(y)) % 4 == 0)


def gap(decided, protected):
    return decided[protected].mean() - decided[~protected].mean()


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_a_planted_gap_that_labels_alike_leave_is_closed_by_the_search(algorithm):
    X, _, protected = planted(6000, seed=1)
    plain, searched = fitted(algorithm, None), fitted(algorithm, TARGET)
    left = [gap(model.predict(X), protected) for model in (plain, searched)]
    assert left[0] < -0.2 and abs(left[1]) < 0.05
    assert plain.search_ == () and plain.extent_ == 0 < searched.extent_


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("target", [0.0, TARGET, 0.5])
def test_a_search_never_leaves_a_larger_tuning_gap_than_labels_alike_once(algorithm, target):
    model = fitted(algorithm, target)
    first, taken = model.search_[0], next(one for one in model.search_ if one.extent == model.extent_)
    assert first.extent == 0 and abs(taken.gap) <= abs(first.gap)
    assert len(model.search_) <= MOST_FITS
    X, y, protected = planted()
    tune = np.arange(len(y)) % 4 == 0
    decided = model.predict(X[tune])
    assert taken.gap == pytest.approx(gap(decided, protected[tune]))
    assert taken.accuracy == pytest.approx((decided == y[tune]).mean())
    assert taken.selected == pytest.approx(decided.mean())


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_labels_reach_the_share_that_the_search_asks_for_within_one_row(algorithm):
    model = fitted(algorithm, TARGET)
    _, _, protected = planted()
    who, found = protected[model.relabel_index_], model.relabeling_
    before = found.labels_before[~who].mean()
    wanted = goals(before, model.extent_, raises=model.search_[0].gap < 0)
    for group, share in zip((who, ~who), wanted, strict=True):
        assert abs(found.labels[group].mean() - share) <= 1 / group.sum()
    assert (found.flipped == (found.labels != found.labels_before)).all()
    assert model.relabeled_gap_ == pytest.approx(found.labels[who].mean() - found.labels[~who].mean())
    assert (model.synthetic_labels_ == model.classes_[found.labels]).all()


def test_tuning_rows_are_never_learned_from():
    X, y, protected = planted()
    tune = np.arange(len(y)) % 4 == 0
    assert not tune[fitted("risk_flipping", TARGET).relabel_index_].any()
    other = X.copy()
    other.loc[tune, "merit"] = -other.loc[tune, "merit"]
    settings = {"risk_model": LogisticRegression(), "final_model": LogisticRegression(), "gap_step": 0}
    model = RelabeledClassifier("risk_flipping", **settings, target_gap=1.0, random_state=0)
    first, second = (
        model.fit(table, y, sensitive_features=protected, tuning=tune).predict_proba(X) for table in (X, other)
    )
    assert (first == second).all()


def test_a_quarter_of_the_rows_is_searched_on_where_nobody_says_which():
    X, y, protected = planted(800)
    model = RelabeledClassifier(final_model=LogisticRegression(), gap_step=0, target_gap=0.5, random_state=0)
    model.fit(X, y, sensitive_features=protected)
    assert len(model.relabel_index_) == pytest.approx(300, abs=6) and len(model.search_) == 1
    with pytest.raises(GroupError, match="The tuning rows have 0 protected"):
        model.fit(X, y, sensitive_features=protected, tuning=~protected & (np.arange(800) % 4 == 0))


def test_a_model_that_takes_no_weights_and_gives_no_probability_is_searched_for_too():
    X, y, protected = planted(1200)
    model = RelabeledClassifier("risk_flipping", final_model=LinearSVC(), target_gap=0.03, gap_step=0, random_state=0)
    model.fit(X, y, sensitive_features=protected, sample_weight=np.arange(1200) % 3)
    assert len(model.search_) > 1 and set(model.predict(X)) == {0, 1}


def test_a_stop_in_a_search_keeps_the_best_so_far():
    X, y, protected = planted(800)
    model = RelabeledClassifier("risk_flipping", final_model=LogisticRegression(), gap_step=0, target_gap=0.0)
    model.set_params(random_state=0)
    drain(model.iter_fit(X, y, sensitive_features=protected), stop_at=60)
    assert model.status_ == "stopped" and 1 <= len(model.search_) < MOST_FITS
    assert set(model.predict(X)) == {0, 1}


# The steps of a search by themselves.


def extents_for(gap_at, target):
    """Return what is tried where the gap is a function of how far labels are changed."""
    steps = iter_extents(target)
    tried = [next(steps)]
    while True:
        try:
            tried.append(steps.send(gap_at(tried[-1])))
        except StopIteration:
            return tried


@given(first=st.floats(0.03, 0.9), zero=st.floats(0.01, 0.99), target=st.floats(0, 0.02))
@settings(deadline=None)
def test_the_least_change_that_closes_the_gap_is_found_up_to_a_halved_step(first, zero, target):
    tried = extents_for(lambda extent: -first * (1 - extent / zero), target)
    least = zero * (1 - target / first)
    enough = [one for one in tried if one >= least]
    assert enough and min(enough) - least <= 0.25 / 2**HALVINGS + 1e-9
    assert len(tried) <= MOST_FITS and len(set(tried)) == len(tried)


def test_nothing_more_is_tried_where_the_first_is_enough_or_nothing_helps():
    assert extents_for(lambda extent: 0.02, 0.02) == [0.0]
    assert extents_for(lambda extent: -0.1, 0.02) == [0.0, *STEPS]


def tried(extent, gap, accuracy, *, is_useful=True):
    return Extent(extent, 0.5, 0.5, 0, gap, accuracy, 0.5, is_useful)


def test_the_most_accurate_of_those_within_the_target_is_taken_and_none_that_is_no_better_than_a_constant():
    several = [tried(0, -0.1, 0.9), tried(0.5, -0.02, 0.8), tried(0.6, 0.01, 0.85), tried(1, 0, 0.95, is_useful=False)]
    assert choose(several, 0.03) == 2
    assert choose(several[:1] + several[3:], 0.03) == 0
    assert choose([tried(0, -0.1, 0.9), tried(0.5, 0.07, 0.8)], 0.03) == 1


@pytest.mark.parametrize("algorithm", [risk_adjustment, risk_flipping])
@given(seed=st.integers(0, 1000), share=st.floats(0, 1))
@settings(deadline=None, max_examples=40)
def test_any_share_is_reached_within_half_a_row_and_the_others_stay(algorithm, seed, share):
    random = np.random.default_rng(seed)
    n = 40
    scores, labels, protected = random.permutation(n) / n, random.integers(0, 2, n), random.random(n) < 0.5
    protected[:2] = [True, False]
    given_labels = () if algorithm is risk_adjustment else (labels,)
    found = algorithm(scores, *given_labels, protected=protected, share=share)
    assert abs(found.labels[protected].mean() - share) <= 0.5 / protected.sum() + 1e-9
    assert (found.labels == found.labels_before)[~protected].all()


def test_balanced_groups_count_alike_and_together_as_much_as_before():
    groups = np.array([2, 2, 1, 1, 1, 1, 0])
    weights = np.array([1.0, 2, 1, 1, 1, 3, 5])
    found = balance(groups == 2, groups == 1, weights)
    assert found[groups == 2].sum() == pytest.approx(found[groups == 1].sum())
    assert found.sum() == pytest.approx(weights.sum()) and found[-1] == 5 and weights[0] == 1


# What any model of the features reaches.


def reached(X, y, protected, target):
    rows = np.arange(len(y))
    return reach(
        X, y, protected, np.ones(len(y), bool), learning=rows[rows % 2 == 0], tuning=rows[rows % 2 == 1], target=target
    )


def test_reach_costs_accuracy_only_beyond_the_gap_that_is_there():
    X, y, protected = planted()
    found = [reached(X, y, protected, target) for target in (1.0, 0.05, 0.02)]
    assert found[0].accuracy_within == pytest.approx(found[0].accuracy, abs=0.01)
    assert [abs(one.gap_within) <= target for one, target in zip(found, (1.0, 0.05, 0.02), strict=True)] == [True] * 3
    assert found[0].accuracy_within >= found[1].accuracy_within >= found[2].accuracy_within > found[2].constant
    assert found[0].gap < -0.1


def test_where_one_yes_or_no_is_all_that_is_known_only_one_answer_for_all_closes_its_gap():
    random = np.random.default_rng(0)
    protected = random.random(4000) < 0.5
    degree = (random.random(4000) < np.where(protected, 0.3, 0.7)).astype(float)
    y = (random.random(4000) < np.where(degree == 1, 0.8, 0.2)).astype(int)
    found = reached(pd.DataFrame({"degree": degree}), y, protected, 0.05)
    assert not found.is_useful and found.accuracy_within == found.constant < found.accuracy


def test_reach_is_the_best_of_all_rules_by_the_two_scores_on_tiny_tables():
    from fairaudit.estimators.relabel_search import _reach

    for seed in range(20):
        random = np.random.default_rng(seed)
        n = 24
        margin, tilt = random.normal(size=n), random.normal(size=n)
        y, protected = random.integers(0, 2, n), np.arange(n) % 2 == 0
        found = _reach(margin, tilt, y, protected, np.ones(n, bool), 0.1)
        base = gap((margin >= 0).astype(int), protected)
        best = max(y.mean(), 1 - y.mean())
        turning = np.abs(margin / tilt) + 1e-9
        for multiplier in (0.0, *turning):
            decided = (margin - np.sign(base) * multiplier * tilt >= 0).astype(int)
            if abs(gap(decided, protected)) <= 0.1:
                best = max(best, (decided == y).mean())
        assert found.accuracy_within == pytest.approx(best), seed
