"""Floors, such as ``tpr by race >= 0.8``: read and printed, counted, searched, and compared with enumeration."""

from __future__ import annotations

import itertools

import numpy as np
import pandas as pd
import pytest
from sweeps import seeds
from test_not_worse import sample

from fairaudit.errors import GroupError, InputError, SpecError
from fairaudit.estimators.common_cut import CommonCuts
from fairaudit.estimators.constraints import FLOORS, TOP, ConstrainedRows, FairnessSpec, parse_specs
from fairaudit.estimators.constraints.classifier import ConstrainedClassifier
from fairaudit.estimators.constraints.feasibility import conflicts, least_errors

RATES = {
    "selection_rate": lambda y, h: h.mean(),
    "tpr": lambda y, h: h[y == 1].mean(),
    "tnr": lambda y, h: (1 - h[y == 0]).mean(),
    "accuracy": lambda y, h: (h == y).mean(),
    "ppv": lambda y, h: y[h == 1].mean() if h.any() else np.nan,
    "npv": lambda y, h: (1 - y[h == 0]).mean() if not h.all() else np.nan,
}
"""Each rate worked out from its words."""


@pytest.mark.parametrize("name", FLOORS)
@pytest.mark.parametrize(
    "text", ["{} by race >= 0.8", "{} by race, sex ≥ 80%", '{} by ["age < 25" as "x", "age >= 25"] >= .8']
)
def test_a_floor_reads_back_as_it_is_printed(name, text):
    [spec] = parse_specs(text.format(name))
    assert spec.floor == 0.8 and spec.max_difference == 0.2 and parse_specs(str(spec)) == (spec,)
    assert str(spec).endswith(" >= 0.8") and str(spec).startswith(f"{name} by ")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("tpr by race >= 0", "above 0 and below 1, got 0"),
        ("tpr by race >= 1", "above 0 and below 1, got 1"),
        ("tpr by race >= -0.2", "above 0 and below 1"),
        ("tpr by race >= 120%", "above 0 and below 1, got 1.2"),
        ("fpr by race >= 0.1", "counts errors, so a floor"),
        ("equalized_odds by race >= 0.1", "counts errors, so a floor"),
        ("aec(1, 5) by race >= 0.1", "takes no floor"),
        ("tpr by race <= 0.1", "takes a floor"),
        ("tpr by race > 0.1", "Expected '<='"),
    ],
)
def test_floors_that_cannot_be_meant_are_refused_with_what_to_write(text, said):
    with pytest.raises(SpecError, match=said.replace("(", r"\(")) as caught:
        parse_specs(text)
    assert caught.value.hint


def test_a_floor_is_no_number_of_another_sort():
    for wrong in (True, "0.8", float("nan"), None):
        with pytest.raises(InputError):
            FairnessSpec("tpr", "race", floor=wrong)


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("name", FLOORS)
def test_a_floor_is_met_where_each_group_has_at_least_so_much(name, seed):
    rng = np.random.default_rng(seed)
    y, group = rng.integers(0, 2, 24), np.array(list("abc") * 8)
    y[:6] = [0, 0, 0, 1, 1, 1]
    frame, floor = pd.DataFrame({"group": group}), float(rng.choice([0.3, 0.5, 0.75]))
    rows = ConstrainedRows.of([FairnessSpec(name, "group", floor=floor)], y, frame)
    assert rows.names == (("a", "b", "c", TOP),)
    h = rng.integers(0, 2, 24)
    each = [RATES[name](y[group == one], h[group == one]) for one in "abc"]
    np.testing.assert_allclose(rows.values(h)[0][:-1], each)
    met = all(rate >= floor - 1e-12 for rate in each)
    assert bool((rows.ratios(h) <= 1).all()) == met, (seed, name, each, floor)
    asked = [one.first for one in rows.constraints if one.is_asked]
    assert asked == ["a", "b", "c"]


@pytest.mark.parametrize("name", FLOORS)
def test_all_cuts_of_a_score_agree_with_judging_each_by_itself(name):
    rng = np.random.default_rng(3)
    y, score, group = rng.integers(0, 2, 30), rng.integers(0, 6, 30).astype(float), np.array(list("ab") * 15)
    rows = ConstrainedRows.of([FairnessSpec(name, "group", floor=0.6)], y, pd.DataFrame({"group": group}))
    cuts = CommonCuts.of(score, y)
    found = rows.ratios_of_cuts(cuts)[0]
    expected = [rows.ratios((score >= threshold).astype(np.int64))[0] for threshold in cuts.thresholds]
    np.testing.assert_allclose(found, expected)


def test_weights_pull_up_the_groups_with_too_little_and_no_others():
    y, group = np.array([1, 1, 0, 1, 1, 0]), np.array(list("aaabbb"))
    rows = ConstrainedRows.of([FairnessSpec("tpr", "group", floor=0.9)], y, pd.DataFrame({"group": group}))
    # Pairs: a and b, a and all, b and all.
    weights = rows.weights(np.array([0.0, 0.5, 0.0]))
    np.testing.assert_allclose(weights, [1 + 6 * 0.5 / 2, 1 + 6 * 0.5 / 2, 1, 1, 1, 1])


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("text", ["tpr by group >= 0.85", "accuracy by group >= 0.7", "selection_rate by group >= 0.4"])
def test_a_search_is_as_good_as_the_best_cut_of_the_plain_model_that_keeps_the_floor(text, seed):
    X, y, frame = sample(600, seed)
    validation = np.arange(600) % 3 == 0
    model = ConstrainedClassifier(specs=text, random_state=0, cross_fit_below=0).fit(
        X, y, sensitive_features=frame, validation=validation
    )
    rows = ConstrainedRows.of(parse_specs(text), y, frame).take(np.flatnonzero(validation))
    h = np.asarray(model.predict(X[validation]), dtype=np.int64)
    scores = model.unconstrained_.predict_proba(X[validation])[:, 1]
    best = max(
        (
            ((scores >= cut) == rows.y).mean()
            for cut in (*np.unique(scores), -np.inf, np.inf)
            if (rows.ratios((scores >= cut).astype(np.int64)) <= 1).all()
        ),
        default=None,
    )
    if model.history_[0].is_met:
        # What is met without constraints is left as it is.
        assert model.threshold_ is None and model.n_fits_ == 1
    elif best is not None:
        # A threshold must gain half a point over the models' own predictions to be taken.
        assert model.feasible_ and (rows.ratios(h) <= 1).all()
        assert (h == rows.y).mean() >= best - 0.005 - 1e-9, (seed, text)


@pytest.mark.parametrize("seed", seeds(6, 2, rest="thorough"))
def test_on_tiny_tables_a_floor_that_any_model_of_two_features_meets_is_met(seed):
    rng = np.random.default_rng(seed)
    X = np.array(list(itertools.product([0.0, 1.0], repeat=2)) * 12)
    group = rng.choice(["a", "b"], len(X))
    y = (rng.random(len(X)) < 0.2 + 0.5 * X[:, 0]).astype(int)
    frame, validation = pd.DataFrame({"group": group}), np.arange(len(X)) % 2 == 0
    spec = FairnessSpec("tpr", "group", floor=0.7)
    rows = ConstrainedRows.of([spec], y, frame).take(np.flatnonzero(validation))
    # Every way to decide by the four kinds of rows; everybody is one of them and keeps any floor under tpr.
    kinds = (2 * X[validation][:, 0] + X[validation][:, 1]).astype(int)
    ways = [np.array(way)[kinds] for way in itertools.product([0, 1], repeat=4)]
    best = max((h == rows.y).mean() for h in ways if (rows.ratios(h) <= 1).all())
    model = ConstrainedClassifier(specs=spec, random_state=0, cross_fit_below=0).fit(
        X, y, sensitive_features=frame, validation=validation
    )
    h = np.asarray(model.predict(X[validation]), dtype=np.int64)
    assert (rows.ratios(h) <= 1).all() and (h == rows.y).mean() <= best + 1e-9
    constant = max((one == rows.y).mean() for one in (ways[0], ways[-1]) if (rows.ratios(one) <= 1).all())
    assert (h == rows.y).mean() >= constant - 1e-9


def test_floors_neither_repeat_distances_nor_follow_from_them():
    specs = parse_specs("demographic_parity by sex <= 0.1; selection_rate by sex >= 0.2")
    assert not conflicts(specs)
    [said] = conflicts(parse_specs("tpr by sex >= 0.8; tpr by sex >= 0.7"))
    assert said.key == "conflict-two-limits"
    _, y, frame = sample(80, 0)
    assert least_errors(ConstrainedRows.of(parse_specs("tpr by group >= 0.8"), y, frame)) == 0.0


def test_a_group_without_the_outcome_has_no_true_positive_rate():
    y, frame = np.array([0, 0, 1, 0]), pd.DataFrame({"group": list("aabb")})
    rows = ConstrainedRows.of(parse_specs("tpr by group >= 0.8"), y, frame)
    with pytest.raises(GroupError, match="no rows of the positive outcome"):
        rows.check_defined("the model learns from")


def test_a_scale_widens_what_is_below_the_best_there_is():
    spec = FairnessSpec("tpr", "race", floor=0.8)
    assert spec.scaled(1.0) == spec and spec.scaled(2.0).floor == 0.6 and spec.scaled(50).floor > 0
    assert FairnessSpec("fpr", "race", 0.3).scaled(5).max_difference == 1.0
