from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairaudit.errors import ConditionError, GroupError, InputError, MissingColumnError
from fairaudit.estimators.common_cut import CommonCuts
from fairaudit.estimators.constraints import METRICS, ConstrainedRows, FairnessSpec, Metric, aec, read_specs
from fairaudit.estimators.constraints.metrics import error_rates

OVERLAPPING = {"young": "age < 40", "old": "age >= 30", "women": "sex = 'F'"}
ALL = [*METRICS.values(), aec(1, 5), aec(0, 2.5), error_rates(1, 0.5)]
own = Metric("own", "own", lambda y, h: (np.linspace(-1, 1, len(y)) / max(len(y), 1), 0.25))


def people(seed, n=60):
    """Return columns with groups that overlap and some missing values, and labels."""
    random = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "age": random.integers(20, 70, n).astype(float),
            "sex": random.choice(["F", "M"], n).astype(object),
            "race": random.choice(["x", "y", "z"], n).astype(object),
        }
    )
    frame.loc[random.random(n) < 0.1, "age"] = np.nan
    frame.loc[random.random(n) < 0.1, "race"] = None
    return frame, random.integers(0, 2, n), random


def gain(rows, multipliers, h):
    """Return accuracy plus sum of lambda FP, counted group by group; undefined groups count as nothing."""
    gaps = rows.gaps(h)
    return np.mean(h == rows.y) + np.nansum(multipliers * gaps)


@pytest.mark.parametrize("seed", range(25))
def test_weighted_accuracy_is_accuracy_plus_multiplied_gaps_up_to_a_constant(seed):
    frame, y, random = people(seed)
    fixed = [metric for metric in (*ALL, own) if not metric.needs_predictions]
    specs = [
        FairnessSpec(fixed[random.integers(len(fixed))], groups, 0.1)
        for groups in ("race", OVERLAPPING, ["sex", "race"])
    ]
    rows = ConstrainedRows.of(specs, y, frame)
    multipliers = random.normal(0, 0.4, len(rows.constraints))
    w = rows.weights(multipliers)
    assert (w < 0).any() or np.abs(multipliers).max() < 1
    differences = []
    for _ in range(8):
        h = random.integers(0, 2, len(y))
        differences.append(np.mean(w * (h == y)) - gain(rows, multipliers, h))
    np.testing.assert_allclose(differences, differences[0], atol=1e-9, err_msg=f"seed {seed}: {specs}")


@pytest.mark.parametrize("seed", range(10))
def test_differences_of_misclassification_rates_mirror_those_of_accuracies(seed):
    frame, y, random = people(seed)
    accuracy = Metric("right", "share of right predictions", lambda y, h: (np.full(len(y), 1 / len(y)), 0.0))
    wrong, right = (
        ConstrainedRows.of([FairnessSpec(metric, groups, 0.1) for groups in ("race", OVERLAPPING)], y, frame)
        for metric in ("error_rate", accuracy)
    )
    assert [(c.first, c.second) for c in wrong.constraints] == [(c.first, c.second) for c in right.constraints]
    h, multipliers = random.integers(0, 2, len(y)), random.normal(0, 0.4, len(wrong.constraints))
    np.testing.assert_allclose(wrong.gaps(h), -right.gaps(h), atol=1e-12)
    np.testing.assert_array_equal(wrong.weights(multipliers), right.weights(-multipliers))


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("metric", ["for_", "fdr"])
def test_weights_that_depend_on_predictions_are_right_at_these_predictions(metric, seed):
    frame, y, random = people(seed)
    rows = ConstrainedRows.of([FairnessSpec(metric, groups, 0.1) for groups in ("race", OVERLAPPING)], y, frame)
    multipliers = random.normal(0, 0.4, len(rows.constraints))
    h = random.integers(0, 2, len(y))
    # c_0 is 1 in each group, so that constants cancel.
    assert np.mean(rows.weights(multipliers, h) * (h == y)) == pytest.approx(gain(rows, multipliers, h))


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10**6), metric=st.sampled_from(ALL))
def test_each_weight_is_the_sum_of_what_its_groups_add(seed, metric):
    frame, y, random = people(seed, n=20)
    rows = ConstrainedRows.of([FairnessSpec(metric, OVERLAPPING, 0.1)], y, frame)
    multipliers = random.normal(0, 1, 3)
    h = random.integers(0, 2, len(y))
    expected = np.ones(len(y))
    pairs = combinations(rows.members[0], 2)
    for factor, sides in zip(multipliers, pairs, strict=True):
        for sign, group in zip((1, -1), sides, strict=True):
            c, _ = metric.coefficients(y[group], h[group])
            for i, of_row in zip(group, c, strict=True):
                expected[i] += len(y) * factor * sign * (0 if math.isnan(of_row) else of_row)
    np.testing.assert_allclose(rows.weights(multipliers, h), expected, atol=1e-9)


def test_multipliers_of_zero_weigh_each_row_with_one_and_need_no_predictions():
    frame, y, _ = people(0)
    rows = ConstrainedRows.of(read_specs("fdr by race <= 0.1; demographic_parity by sex <= 0.1"), y, frame)
    assert rows.needs_predictions
    np.testing.assert_array_equal(rows.weights(np.zeros(4)), np.ones(len(y)))
    with pytest.raises(InputError, match="depend on predictions"):
        rows.weights(np.ones(4))


def test_gaps_and_constraints_stand_in_the_same_order():
    frame, y, random = people(3)
    rows = ConstrainedRows.of(
        [FairnessSpec("demographic_parity", "race", 0.1), FairnessSpec("error_rate", OVERLAPPING, 0.2)], y, frame
    )
    shown = [(c.spec.metric, c.first, c.second, c.max_difference) for c in rows.constraints]
    assert shown == [
        ("demographic_parity", "x", "y", 0.1),
        ("demographic_parity", "x", "z", 0.1),
        ("demographic_parity", "y", "z", 0.1),
        ("error_rate", "young", "old", 0.2),
        ("error_rate", "young", "women", 0.2),
        ("error_rate", "old", "women", 0.2),
    ]
    np.testing.assert_array_equal(rows.limits, [0.1] * 3 + [0.2] * 3)
    h = random.integers(0, 2, len(y))
    wrong, race = h != y, frame["race"]
    young, women = frame["age"] < 40, frame["sex"] == "F"
    gaps = rows.gaps(h)
    assert gaps[1] == pytest.approx(h[race == "x"].mean() - h[race == "z"].mean())
    assert gaps[4] == pytest.approx(wrong[young].mean() - wrong[women].mean())


def test_rows_without_a_value_are_in_no_group():
    frame, y, _ = people(1)
    rows = ConstrainedRows.of(
        [FairnessSpec("demographic_parity", groups, 0.1) for groups in ("race", ["sex", "race"], OVERLAPPING)], y, frame
    )
    assert rows.names[0] == ("x", "y", "z")
    assert len(rows.names[1]) == 6
    for members in rows.members[:2]:
        in_some = np.unique(np.concatenate(members))
        assert in_some.tolist() == np.flatnonzero(frame["race"].notna()).tolist()
    young, old, _ = rows.members[2]
    assert frame["age"].iloc[np.concatenate([young, old])].notna().all()


def test_a_value_that_is_spelled_missing_is_a_group_of_its_own():
    frame = pd.DataFrame({"race": ["missing", "a", None, "a"]})
    rows = ConstrainedRows.of([FairnessSpec("demographic_parity", "race", 0.1)], [0, 1, 0, 1], frame)
    assert dict(zip(rows.names[0], map(list, rows.members[0]), strict=True)) == {"a": [1, 3], "missing": [0]}


@pytest.mark.parametrize("values", [[1, 2, 1, 2], [True, False, True, False], ["1", 1, "1", 1]])
def test_groups_may_be_numbers_truth_values_or_a_mixture(values):
    frame = pd.DataFrame({"g": values})
    names = ConstrainedRows.of([FairnessSpec("demographic_parity", "g", 0.1)], [0, 1, 0, 1], frame).names[0]
    assert len(set(names)) == 2


def test_columns_are_crossed_whatever_the_index_of_the_frame():
    frame, y, _ = people(2)
    specs = [
        FairnessSpec("demographic_parity", ["sex", "race"], 0.1),
        FairnessSpec("demographic_parity", OVERLAPPING, 0.1),
    ]
    plain = ConstrainedRows.of(specs, y, frame)
    moved = ConstrainedRows.of(specs, y, frame.set_index(np.zeros(len(y), dtype=int)))
    assert plain.names == moved.names
    for one, other in zip(plain.members, moved.members, strict=True):
        assert [rows.tolist() for rows in one] == [rows.tolist() for rows in other]


@pytest.mark.parametrize("seed", range(10))
def test_taking_rows_keeps_groups_and_gives_what_the_rows_alone_would(seed):
    frame, y, random = people(seed)
    specs = [FairnessSpec("fpr", "race", 0.1), FairnessSpec("demographic_parity", OVERLAPPING, 0.1)]
    taken = random.permutation(len(y))[:30]
    part = ConstrainedRows.of(specs, y, frame).take(taken)
    alone = ConstrainedRows.of(specs, y[taken], frame.iloc[taken])
    assert part.names == alone.names
    np.testing.assert_array_equal(part.y, y[taken])
    h = random.integers(0, 2, 30)
    np.testing.assert_allclose(part.gaps(h), alone.gaps(h), atol=1e-12)
    multipliers = random.normal(0, 1, len(part.constraints))
    np.testing.assert_allclose(part.weights(multipliers), alone.weights(multipliers), atol=1e-9)


def test_a_group_that_a_part_lacks_keeps_its_place_and_is_undefined():
    frame = pd.DataFrame({"g": list("aabbcc")})
    rows = ConstrainedRows.of([FairnessSpec("demographic_parity", "g", 0.1)], [0, 1, 0, 1, 0, 1], frame).take(
        np.array([0, 1, 4])
    )
    assert rows.names == (("a", "b", "c"),)
    h = np.array([1, 0, 1])
    np.testing.assert_array_equal(rows.values(h)[0], [0.5, np.nan, 1.0])
    np.testing.assert_array_equal(rows.gaps(h), [np.nan, -0.5, np.nan])
    assert np.isfinite(rows.weights(np.ones(3))).all()
    none = rows.take(np.array([], dtype=int))
    assert np.isnan(none.gaps(np.array([], dtype=int))).all()
    assert none.weights(np.ones(3)).shape == (0,)


@pytest.mark.parametrize(
    ("spec", "keep", "message"),
    [
        ("fpr by g <= 0.1", [0, 1, 3], "The group 'b' of 'fpr by g <= 0.1' has no rows of the negative outcome among"),
        ("fnr by g <= 0.1", [1, 2, 3], None),
        ("fnr by g <= 0.1", [0, 2, 3], "The group 'a' of 'fnr by g <= 0.1' has no rows of the positive outcome among"),
        (
            "demographic_parity by g <= 0.1",
            [0, 1],
            "The group 'b' of 'demographic_parity by g <= 0.1' has no rows among",
        ),
        ("demographic_parity by g <= 0.1", [0, 2], None),
        ("aec(1, 0) by g <= 0.1", [0, 2], None),
        ("fdr by g <= 0.1", [0, 2], None),
    ],
)
def test_rows_on_which_a_metric_is_undefined_are_refused_with_what_they_lack(spec, keep, message):
    frame = pd.DataFrame({"g": list("aabb")})
    rows = ConstrainedRows.of(read_specs(spec), [0, 1, 0, 1], frame).take(np.array(keep))
    if message is None:
        rows.check_defined("the test uses")
        return
    with pytest.raises(GroupError) as caught:
        rows.check_defined("the test uses")
    assert caught.value.message == f"{message} the {len(keep)} rows that the test uses."
    assert caught.value.uncounted == f"{message} the rows that the test uses."
    assert caught.value.hint


@pytest.mark.parametrize(
    ("groups", "error", "message"),
    [
        ("none", MissingColumnError, "There is no column 'none'"),
        (["sex", "rice"], MissingColumnError, "There is no column 'rice'"),
        ("same", GroupError, "'demographic_parity by same <= 0.1' has 1 group with rows, and at least two are needed"),
        ("empty", GroupError, "'demographic_parity by empty <= 0.1' has 0 group"),
        ("id", InputError, "'id' would make 1,001 groups; at most 1,000"),
        ({"a": "age < 0", "b": "age > 0"}, GroupError, "The group 'a' of"),
        ({"a": "age < 40", "b": "NOT (age >= 40)"}, GroupError, "The groups 'a' and 'b' of .* hold the same rows"),
        ({"a": "aeg < 40", "b": "age >= 40"}, ConditionError, "aeg"),
        ({"a": "age < 'x'", "b": "age >= 40"}, ConditionError, "age"),
        ({"a": "age <", "b": "age >= 40"}, ConditionError, "ends too early"),
    ],
)
def test_groups_that_cannot_be_compared_are_refused(groups, error, message):
    n = 1001
    frame = pd.DataFrame(
        {
            "age": np.arange(n) % 80,
            "sex": ["F", "M", "M"] * 333 + ["F", "M"],
            "same": "s",
            "empty": None,
            "id": range(n),
        }
    )
    with pytest.raises(error, match=message) as caught:
        ConstrainedRows.of([FairnessSpec("demographic_parity", groups, 0.1)], np.arange(n) % 2, frame)
    assert "\n" not in caught.value.message


def test_a_group_may_lie_within_another():
    frame, y, random = people(4)
    rows = ConstrainedRows.of(
        [FairnessSpec("demographic_parity", {"all": "sex IS NOT NULL", "women": "sex = 'F'"}, 0.1)], y, frame
    )
    h = random.integers(0, 2, len(y))
    assert rows.gaps(h)[0] == pytest.approx(h.mean() - h[frame["sex"] == "F"].mean())


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("metric", [*ALL, own], ids=lambda metric: metric.name)
def test_the_ratio_of_each_cut_is_that_of_its_predictions(metric, seed):
    """Groups that overlap or not, and scores with ties."""
    frame, y, _ = people(seed)
    scores = np.random.default_rng(seed).integers(0, 9, len(y)) / 8
    cuts = CommonCuts.of(scores, y)
    rows = ConstrainedRows.of(
        [FairnessSpec(metric, OVERLAPPING, 0.1), FairnessSpec("demographic_parity", "race", 0.3)], y, frame
    )
    for threshold, ratios in zip(cuts.thresholds, rows.ratios_of_cuts(cuts).T, strict=True):
        h = (scores >= threshold).astype(np.int64)
        assert ratios == pytest.approx(rows.ratios(h), abs=1e-9), threshold
        largest = np.abs(rows.gaps(h) / rows.limits).max()
        assert ratios.max() == pytest.approx(np.inf if np.isnan(largest) else largest, abs=1e-9), threshold


def test_a_metric_of_a_user_that_needs_predictions_has_no_cuts():
    metric = Metric("mine", "mine", lambda y, h: (np.full(len(y), 1 / len(y)), 0.0), needs_predictions=True)
    y, frame = np.array([0, 1, 0, 1]), pd.DataFrame({"g": list("aabb")})
    rows = ConstrainedRows.of([FairnessSpec(metric, "g", 0.1)], y, frame)
    assert rows.ratios_of_cuts(CommonCuts.of(np.array([0.1, 0.2, 0.3, 0.4]), y)) is None
