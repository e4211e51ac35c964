from __future__ import annotations

import math

import numpy as np
import oracles
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairaudit.errors import InputError
from fairaudit.measure import average_error_cost, group_gaps, group_metrics, metrics_from_counts

ROWS = st.lists(
    st.tuples(st.integers(0, 1), st.integers(0, 1), st.sampled_from(["a", "b", "c", None])), min_size=1, max_size=40
)


def digits(text: str) -> list[int]:
    return [int(c) for c in text]


def compas() -> pd.DataFrame:
    cells = {
        "African-American": (1369, 805, 990, 532),
        "Caucasian": (505, 349, 1139, 461),
        "Hispanic": (103, 87, 318, 129),
        "Other": (43, 36, 208, 90),
        "Asian": (6, 2, 21, 3),
        "Native American": (9, 3, 5, 1),
    }
    return metrics_from_counts(pd.DataFrame(cells, index=["tp", "fp", "tn", "fn"]).T)


@pytest.mark.parametrize(
    "group, selection, fpr, fnr, fdr, for_",
    [
        ("African-American", 0.588203, 0.448468, 0.279853, 0.370285, 0.349540),
        ("Caucasian", 0.348003, 0.234543, 0.477226, 0.408665, 0.288125),
    ],
)
def test_compas_rates_by_race(group, selection, fpr, fnr, fdr, for_):
    row = compas().loc[group, ["selection_rate", "fpr", "fnr", "fdr", "for_"]]
    assert row.tolist() == pytest.approx([selection, fpr, fnr, fdr, for_], abs=5e-7)


def test_compas_gaps_by_race():
    gaps = group_gaps(compas())
    assert gaps.loc["selection_rate", "difference"] == pytest.approx(0.457118, abs=5e-7)
    assert gaps.loc["selection_rate", "ratio"] == pytest.approx(0.314324, abs=5e-7)
    assert gaps.loc["equalized_odds", "difference"] == pytest.approx(0.576692, abs=5e-7)
    assert gaps["metric"].tolist() == gaps.index.tolist()


def test_compas_rates_from_the_rows(shared_data):
    data = pd.read_csv(shared_data("compas_two_years.csv.gz"))
    metrics = group_metrics(data["two_year_recid"], data["decile_score"] >= 5, sensitive_features=data["race"])
    pd.testing.assert_frame_equal(metrics, compas().sort_index(), check_names=False)
    assert metrics.index.name == "race"
    assert metrics.loc["Caucasian", "base_rate"] == pytest.approx(0.3936, abs=5e-5)
    assert metrics.loc["African-American", "base_rate"] == pytest.approx(0.5143, abs=5e-5)


def test_eighteen_rows_by_hand():
    y = digits("011110101000111111")
    h = digits("001011100111100110")
    assert len(y) == len(h) == 18
    metrics = group_metrics(y, h, sensitive_features=list("bbabbcccaacabccbcc"))
    assert metrics["n"].to_dict() == {"a": 4, "b": 6, "c": 8}
    assert metrics["tpr"].tolist() == pytest.approx([0.5, 0.6, 0.4])
    assert metrics["fpr"].tolist() == pytest.approx([1, 0, 2 / 3])
    assert metrics["selection_rate"].tolist() == pytest.approx([0.75, 0.5, 0.5])
    gaps = group_gaps(metrics)
    assert gaps.loc["selection_rate", ["difference", "ratio"]].tolist() == pytest.approx([0.25, 2 / 3])
    assert gaps.loc["equalized_odds", "difference"] == 1
    assert gaps.loc["equalized_odds", "worst_pair"] == ("a", "b")


def test_ten_rows_by_hand():
    metrics = group_metrics(digits("1111100000"), digits("1001110011"), sensitive_features=list("HLHLHLHLHL"))
    high, low = metrics.loc["H"], metrics.loc["L"]
    assert high[["tpr", "fpr", "ppv", "npv"]].tolist() == pytest.approx([2 / 3, 1 / 2, 2 / 3, 1 / 2])
    ratios = (low / high)[["fnr", "fpr", "for_", "fdr"]]
    assert ratios.tolist() == pytest.approx([1.5, 4 / 3, 1, 2])


def test_one_class_variants_are_undefined():
    y, groups = digits("1111100000"), list("HLHLHLHLHL")
    ones = group_metrics(y, [1] * 10, sensitive_features=groups)
    assert ones[["npv", "for_"]].isna().all(axis=None)
    zeros = group_metrics(y, [0] * 10, sensitive_features=groups)
    assert zeros[["ppv", "fdr"]].isna().all(axis=None)
    only = group_metrics([1] * 10, digits("1001110011"), sensitive_features=groups)
    assert only[["fpr", "tnr"]].isna().all(axis=None)
    gaps = group_gaps(only)
    assert math.isnan(gaps.loc["equalized_odds", "difference"])
    assert gaps.loc["fpr", "worst_pair"] is None
    assert gaps.loc["fpr", "n_undefined"] == 2


@pytest.mark.thorough
@settings(max_examples=50)
@given(ROWS, st.floats(0, 10), st.floats(0, 10), st.randoms(use_true_random=False))
def test_each_group_equals_counting_by_hand_whatever_the_order_and_the_names(rows, cost_fp, cost_fn, random):
    y, h, groups = zip(*rows, strict=True)
    metrics = group_metrics(y, h, sensitive_features=list(groups))
    costs = average_error_cost(metrics, cost_false_positive=cost_fp, cost_false_negative=cost_fn)
    assert metrics["n"].sum() == len(rows)
    for name in metrics.index:
        mine = [(a, b) for a, b, g in rows if (g or "missing") == name]
        expected = oracles.metrics(*zip(*mine, strict=True))
        assert metrics.loc[name].to_dict() == pytest.approx(expected, nan_ok=True)
        expected = (cost_fp * mine.count((0, 1)) + cost_fn * mine.count((1, 0))) / len(mine)
        assert costs.loc[name, "average_error_cost"] == pytest.approx(expected, abs=1e-9)
    assert_gaps_are_the_range_of_what_is_defined(metrics)

    shuffled = random.sample(rows, len(rows))
    rename = {"a": "z", "b": "y", "c": "x", None: None}
    y2, h2, groups2 = zip(*shuffled, strict=True)
    first = metrics.rename(index=rename).sort_index()
    second = group_metrics(y2, h2, sensitive_features=[rename[g] for g in groups2]).sort_index()
    pd.testing.assert_frame_equal(first, second)


def assert_gaps_are_the_range_of_what_is_defined(metrics):
    gaps = group_gaps(metrics)
    for name in ("selection_rate", "tpr", "ppv"):
        known = metrics[name].dropna()
        assert gaps.loc[name, "n_undefined"] == len(metrics) - len(known)
        if len(known) < 2:
            assert math.isnan(gaps.loc[name, "difference"])
            continue
        assert gaps.loc[name, "difference"] == pytest.approx(known.max() - known.min())
        high, low = gaps.loc[name, "worst_pair"]
        assert high != low
        assert metrics.loc[high, name] - metrics.loc[low, name] == pytest.approx(gaps.loc[name, "difference"])
    parity = gaps.loc[["fdr", "for_"], "difference"]
    assert gaps.loc["predictive_parity", "difference"] == pytest.approx(parity.max(skipna=False), nan_ok=True)


@settings(max_examples=25)
@given(ROWS, st.lists(st.integers(0, 3), min_size=40, max_size=40))
def test_whole_weights_are_repeated_rows(rows, weights):
    weights = weights[: len(rows)]
    y, h, groups = (list(v) for v in zip(*rows, strict=True))
    metrics = group_metrics(y, h, sensitive_features=groups, sample_weight=weights)
    assert metrics["n"].sum() == len(rows)
    repeated = [row for row, w in zip(rows, weights, strict=True) for _ in range(w)]
    if repeated:
        y2, h2, g2 = (list(v) for v in zip(*repeated, strict=True))
        expected = group_metrics(y2, h2, sensitive_features=g2).drop(columns="n")
        pd.testing.assert_frame_equal(metrics.drop(columns="n").loc[expected.index], expected)


def test_missing_sensitive_values_form_their_own_group_last():
    metrics = group_metrics([1, 0, 1], [1, 1, 1], sensitive_features=pd.Series(["x", None, "a"], name="sex"))
    assert metrics.index.tolist() == ["a", "x", "missing"]
    numeric = group_metrics([1, 0, 1], [1, 1, 1], sensitive_features=np.array([2.0, np.nan, 1.0]))
    assert numeric.index.tolist() == [1.0, 2.0, "missing"]


def test_a_value_spelled_missing_is_not_mixed_with_no_value():
    metrics = group_metrics([1, 0], [1, 1], sensitive_features=["missing", None])
    assert metrics.index.tolist() == ["missing", "missing (no value)"]


def test_several_columns_are_crossed():
    features = pd.DataFrame({"sex": ["F", "M", "F", "M"], "age": [1, 1, 2, None]})
    metrics = group_metrics([1, 0, 1, 1], [1, 1, 0, 1], sensitive_features=features)
    assert metrics.index.names == ["sex", "age"]
    assert metrics.index.tolist() == [("F", 1.0), ("F", 2.0), ("M", 1.0), ("M", "missing")]
    assert metrics["n"].tolist() == [1, 1, 1, 1]


@settings(max_examples=50)
@given(st.lists(st.tuples(*[st.sampled_from("xyz")] * 3), min_size=1, max_size=12), st.booleans())
def test_crossings_are_those_that_occur(rows, wide):
    if wide:
        rows = [(f"{i} {a}", b, c) for i, (a, b, c) in enumerate(rows * 15)]
    metrics = group_metrics([1] * len(rows), [1] * len(rows), sensitive_features=pd.DataFrame(rows))
    assert metrics.index.tolist() == sorted(set(rows))
    assert metrics["n"].tolist() == [rows.count(row) for row in sorted(set(rows))]


def test_one_column_frame_and_array_have_a_plain_index():
    frame = group_metrics([1, 0], [1, 1], sensitive_features=pd.DataFrame({"sex": ["F", "M"]}))
    assert frame.index.tolist() == ["F", "M"]
    crossed = group_metrics([1, 0], [1, 1], sensitive_features=np.array([["F", "x"], ["F", "x"]]))
    assert crossed.index.tolist() == [("F", "x")]


def test_no_sensitive_features_mean_one_group():
    metrics = group_metrics([1, 0], [1, 1], sensitive_features=None)
    assert metrics.index.tolist() == ["all"]
    assert group_gaps(metrics)["difference"].isna().all()


def test_many_kinds_of_labels_are_read_alike():
    expected = group_metrics([1, 0, 1], [1, 1, 0], sensitive_features=list("aab"))
    for y in (
        np.array([True, False, True]),
        pd.Series([1.0, 0.0, 1.0]),
        pd.array([True, False, True], dtype="boolean"),
    ):
        pd.testing.assert_frame_equal(group_metrics(y, [1, 1, 0], sensitive_features=list("aab")), expected)


@pytest.mark.parametrize(
    "y, message",
    [
        ([1, 2, 0], "1 other values in 3 rows"),
        ([1, None, 0], "no missing values, got 1 in 3 rows"),
        (["yes", "no", "no"], "values of another kind"),
        ([1, 0], "3 rows"),
        ([[1, 0], [0, 1], [1, 1]], "one dimension, got 2"),
    ],
)
def test_bad_labels_are_refused_with_counts(y, message):
    with pytest.raises(InputError, match=message):
        group_metrics([1, 0, 1], y, sensitive_features=None)


def test_bad_weights_and_lengths_are_refused():
    with pytest.raises(InputError, match="0 or above"):
        group_metrics([1], [1], sensitive_features=None, sample_weight=[-1])
    with pytest.raises(InputError, match="must have 1 rows"):
        group_metrics([1], [1], sensitive_features=["a", "b"])
    with pytest.raises(InputError, match="at least one row"):
        group_metrics([], [], sensitive_features=[])
    with pytest.raises(InputError, match="must be a Series"):
        group_metrics([1], [1], sensitive_features="a")


def test_average_error_cost_takes_counts_too():
    counts = pd.DataFrame({"group": ["a", "b"], "tp": [1, 0], "fp": [1, 0], "tn": [0, 0], "fn": [2, 0]})
    costs = average_error_cost(counts, 1, 5)["average_error_cost"]
    assert costs["a"] == pytest.approx(11 / 4)
    assert math.isnan(costs["b"])


def test_negative_costs_are_refused():
    with pytest.raises(InputError, match="cost_false_negative"):
        average_error_cost(compas(), cost_false_negative=-1)


def test_gaps_include_an_error_cost_when_it_is_there():
    metrics = compas().join(average_error_cost(compas()))
    assert group_gaps(metrics).loc["average_error_cost", "difference"] > 0


def test_gaps_of_a_frame_without_rates_are_refused():
    with pytest.raises(InputError, match="at least one of"):
        group_gaps(pd.DataFrame({"n": [1]}))


def test_two_texts_are_labels_of_which_the_second_in_order_is_positive():
    truth, guess, groups = ["no", "yes", "no", "yes"], ["yes", "yes", "no", "no"], list("aabb")
    wanted = group_metrics([0, 1, 0, 1], [1, 1, 0, 0], sensitive_features=groups)
    pd.testing.assert_frame_equal(group_metrics(truth, guess, sensitive_features=groups), wanted)
    pd.testing.assert_frame_equal(
        group_metrics(truth, guess, sensitive_features=groups, pos_label="no"),
        group_metrics([1, 0, 1, 0], [0, 0, 1, 1], sensitive_features=groups),
    )
    with pytest.raises(InputError, match="must have two labels together, got 3"):
        group_metrics(["a", "b"], ["b", "c"], sensitive_features=None)
    with pytest.raises(InputError, match="'y_pred' must have no missing values"):
        group_metrics(["no", "yes"], ["yes", None], sensitive_features=None)
