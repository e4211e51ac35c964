from __future__ import annotations

import copy
import math
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairaudit.errors import InputError
from fairaudit.estimators.constraints import METRICS, PAIRS, FairnessSpec, Metric, aec
from fairaudit.estimators.constraints.metrics import error_rates, find_metric
from fairaudit.measure import average_error_cost, group_metrics

ORACLE = {"demographic_parity": "selection_rate", "fpr": "fpr", "fnr": "fnr", "for_": "for_", "fdr": "fdr"}
bits = st.integers(0, 1)
rows = st.lists(st.tuples(bits, bits, st.booleans(), st.booleans()), min_size=1, max_size=30)
costs = st.floats(0, 100) | st.integers(0, 100)


def arrays(triples):
    """Return labels, predictions, and two groups that may overlap."""
    y, h, first, second = (np.array(part) for part in zip(*triples, strict=True))
    return y, h, (np.flatnonzero(first), np.flatnonzero(second))


@settings(max_examples=40)
@given(triples=rows, c_fp=costs, c_fn=costs)
def test_each_metric_is_the_rate_itself_also_where_groups_overlap(triples, c_fp, c_fn):
    y, h, groups = arrays(triples)
    metrics = dict(METRICS)
    if c_fp or c_fn:
        metrics["aec"] = aec(c_fp, c_fn)
        metrics["errors"] = error_rates(c_fp, c_fn)
    for group in groups:
        got = {name: metric.value(y[group], h[group]) for name, metric in metrics.items()}
        if not len(group):
            assert all(map(math.isnan, got.values()))
            continue
        rates = group_metrics(y[group], h[group], sensitive_features=None)
        for name, value in got.items():
            if name == "aec":
                expected = average_error_cost(rates, c_fp, c_fn)["average_error_cost"].iloc[0]
            elif name == "errors":
                # A rate that counts nothing need not be defined.
                weighed = [(c_fp, rates["fpr"].iloc[0]), (c_fn, rates["fnr"].iloc[0])]
                expected = sum(weight * rate for weight, rate in weighed if weight)
            else:
                expected = 1 - rates["accuracy"].iloc[0] if name == "error_rate" else rates[ORACLE[name]].iloc[0]
            assert value == pytest.approx(expected, abs=1e-9, nan_ok=True), f"{name} of y {y[group]}, h {h[group]}"


@pytest.mark.parametrize(
    ("name", "y", "h"),
    [
        ("fpr", [1, 1], [0, 1]),
        ("fnr", [0, 0], [0, 1]),
        ("for_", [0, 1], [1, 1]),
        ("fdr", [0, 1], [0, 0]),
        *((name, [], []) for name in (*METRICS, "aec(1, 5)", "errors(1, 5)")),
        ("errors(1, 5)", [1, 1], [0, 1]),
        ("errors(0, 5)", [0, 0], [0, 1]),
    ],
)
def test_a_share_of_no_rows_is_undefined(name, y, h):
    assert math.isnan(find_metric(name).value(np.array(y, dtype=int), np.array(h, dtype=int)))


@pytest.mark.parametrize("name", ["for_", "fdr"])
def test_metrics_among_predicted_rows_say_that_they_need_predictions(name):
    assert METRICS[name].needs_predictions
    with pytest.raises(InputError, match="depend on predictions"):
        METRICS[name].coefficients(np.array([0, 1]), None)


@pytest.mark.parametrize("name", sorted(set(METRICS) - {"for_", "fdr"}))
def test_the_other_coefficients_do_not_look_at_predictions(name):
    y = np.array([0, 1, 1, 0, 0])
    without, with_them = (METRICS[name].coefficients(y, h) for h in (None, np.array([1, 0, 1, 0, 1])))
    assert not METRICS[name].needs_predictions
    np.testing.assert_array_equal(without[0], with_them[0])
    assert without[1] == with_them[1]


def test_a_metric_of_ones_own_is_given_by_coefficients():
    def missed_late(y, h):
        """Return coefficients of the share of positives missed in the second half of the rows."""
        late = (np.arange(len(y)) >= len(y) / 2) & (y == 1)
        return np.where(late, -1 / late.sum(), 0.0), 1.0

    own = Metric("missed late", "share missed late", missed_late)
    assert own.value(np.array([1, 0, 1, 1]), np.array([0, 1, 1, 0])) == 0.5
    spec = FairnessSpec(own, "race", 2)
    assert spec.measure is own
    assert str(spec) == "missed late by race <= 2.0"


@pytest.mark.parametrize(
    ("c_fp", "c_fn"),
    [(0, 0), (-1, 1), (1, math.nan), (math.inf, 1), (True, 1), ("1", 5), (None, 1), (np.float64("nan"), 1)],
)
def test_costs_that_are_no_numbers_or_negative_or_both_zero_are_refused(c_fp, c_fn):
    with pytest.raises(InputError, match="The costs in 'aec' must be numbers of at least 0, and not both 0, got"):
        aec(c_fp, c_fn)


def test_weights_of_error_rates_are_checked_as_costs_are():
    with pytest.raises(InputError, match="The weights in 'errors' must be numbers of at least 0, and not both 0, got"):
        error_rates(0, 0)


@pytest.mark.parametrize("number", [int, float, np.int64, np.float32, np.float64, np.uint8])
def test_costs_may_be_numbers_of_python_and_numpy(number):
    assert aec(number(1), number(5)) == aec(1, 5)
    assert aec(number(1), number(5)).name == "aec(1, 5)"


@given(c_fp=st.floats(0, 1e300), c_fn=st.floats(0, 1e300, exclude_min=True))
def test_the_name_of_a_cost_keeps_each_digit(c_fp, c_fn):
    metric = aec(c_fp, c_fn)
    assert find_metric(metric.name).coefficients == metric.coefficients


@pytest.mark.parametrize("metric", ["FPR", " fpr ", METRICS["fpr"]])
def test_a_metric_is_found_whatever_the_case(metric):
    assert find_metric(metric) is METRICS["fpr"]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("tppr", "There is no metric 'tppr'"),
        ("", "There is no metric ''"),
        ("aec(1)", r"There is no metric 'aec\(1\)'"),
        ("aec(a, 1)", r"The costs in 'aec\(a, 1\)' must be numbers"),
        ("errors(a, 1)", r"The weights in 'errors\(a, 1\)' must be numbers"),
        ("equalized_odds", "stands for two metrics, fpr and fnr"),
        (3, "must be a name or a Metric, got int"),
    ],
)
def test_a_metric_that_there_is_not_is_refused(name, message):
    with pytest.raises(InputError, match=message) as caught:
        find_metric(name)
    assert "\n" not in caught.value.message


@pytest.mark.parametrize("name", [*METRICS, "FPR", *PAIRS, "aec(1,5)", "errors(1,5)"])
def test_a_metric_of_ones_own_cannot_take_a_name_that_there_is(name):
    own = Metric(name, "something else", lambda y, h: (np.zeros(len(y)), 0.0))
    with pytest.raises(InputError, match="is taken by a metric"):
        FairnessSpec(own, "sex", 0.1)


def test_a_metric_without_a_name_or_a_function_is_refused():
    for name, coefficients in [("", lambda y, h: (y, 0)), ("own", None), (3, lambda y, h: (y, 0))]:
        with pytest.raises(InputError, match="must have a name and a function"):
            Metric(name, "words", coefficients)


@pytest.mark.parametrize("metric", [*METRICS.values(), aec(1, 2.5), error_rates(1, 2.5)])
def test_a_metric_and_its_name_make_the_same_constraint_that_can_be_copied_and_stored(metric):
    spec = FairnessSpec(metric, "sex", 0.1)
    assert spec == FairnessSpec(metric.name, "sex", 0.1)
    assert copy.deepcopy(spec) == spec
    assert pickle.loads(pickle.dumps(spec)) == spec
