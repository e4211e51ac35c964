from __future__ import annotations

import dataclasses
import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from shown import shows

from fairaudit.data.roles import make_outcome
from fairaudit.data.table import Table
from fairaudit.errors import GroupError, InputError
from fairaudit.findings import Count, Message, Phrase
from fairaudit.measure import check_errors, group_gaps, group_metrics
from fairaudit.measure.errors_by_group import compare_rates, positive_meaning
from fairaudit.measure.intervals import newcombe, pooled_z
from fairaudit.measure.rates import COLUMNS, gaps_from_counts, metrics_from_counts
from fairaudit.messages import say

QUESTION = {"outcome": "truth", "favorable": 1, "prediction": "guess = 1", "by": "kind"}
ROWS = st.lists(
    st.tuples(st.sampled_from(["a", "b", None]), st.sampled_from([0, 1, None]), st.sampled_from([0, 1, None])),
    max_size=30,
)


def frame(rows=()):
    return pd.DataFrame([("a", 1, 1), ("b", 0, 1), *rows], columns=["kind", "truth", "guess"]).astype(
        {"truth": "Int64", "guess": "Int64"}
    )


def test_compas_errors_by_race(shared_data):
    table = Table.from_pandas(pd.read_csv(shared_data("compas_two_years.csv.gz")))
    result = check_errors(
        table,
        outcome="two_year_recid",
        favorable=0,
        prediction="decile_score < 5",
        by="race",
        positive="unfavorable",
    )
    counts = result.counts.set_index("group")
    assert counts.loc["African-American", ["tp", "fp", "tn", "fn"]].tolist() == [1369, 805, 990, 532]
    assert counts.loc["Hispanic", ["tp", "fp", "tn", "fn"]].tolist() == [103, 87, 318, 129]
    assert counts.loc["Native American", ["tp", "fp", "tn", "fn"]].tolist() == [9, 3, 5, 1]
    assert result.metrics.loc["Caucasian", "fdr"] == pytest.approx(0.408665, abs=5e-7)
    assert group_gaps(result.metrics).loc["equalized_odds", "difference"] == pytest.approx(0.576692, abs=5e-7)
    assert result.positive_meaning == "two_year_recid is not 0"
    native = Message("doubt-few-usable", {"few": Count(30), "groups": Phrase("'Native American' (18)")})
    assert say(native) in result.warnings
    asian = "'Asian' (9 truly positive, 23 truly negative, 8 predicted positive, 24 predicted not positive)"
    assert say(Message("doubt-few-of-rate", {"few": Count(30), "groups": Phrase(asian)})) in result.warnings


def test_gaps_leave_out_rates_of_few_rows_and_hold_the_rows_behind_them(shared_data):
    result = check_errors(
        pd.read_csv(shared_data("compas_two_years.csv.gz")),
        outcome="two_year_recid",
        favorable=0,
        prediction="decile_score < 5",
        by="race",
        positive="unfavorable",
    )
    gap = result.gaps.loc["fpr"]
    assert gap["worst_pair"] == ("African-American", "Other")
    assert (gap["n_high"], gap["n_low"], gap["n_few"], gap["n_undefined"]) == (1795, 244, 2, 0)
    assert gap["difference"] == pytest.approx(805 / 1795 - 36 / 244)
    assert (gap["low"], gap["high"]) == pytest.approx(newcombe(805, 1795, 36, 244))
    both = result.gaps.loc["equalized_odds"]
    assert math.isnan(both["low"]) and math.isnan(both["n_high"])
    assert both["difference"] == pytest.approx(result.gaps.loc[["tpr", "fpr"], "difference"].max())


def test_every_group_with_few_rows_behind_a_rate_is_named():
    data = frame([(kind, i % 2, 1) for kind in "abcdef" for i in range(40)])
    (warning,) = [text for text in check_errors(data, **QUESTION).warnings if "truly negative" in text]
    assert all(f"'{kind}' (" in warning for kind in "abcdef")


@pytest.mark.parametrize(("more", "repeats"), [((), False), ([("a", 0, 0), ("b", 0, 1)], False), (None, True)])
def test_a_prediction_that_repeats_the_decision_in_every_row_is_named(more, repeats):
    rows = frame() if more is None else frame([("a", 1, 0), *more])
    result = check_errors(rows.assign(guess=rows["truth"]) if repeats else rows, **QUESTION)
    assert result.repeats_decision is repeats
    assert any(shows(text, "doubt-repeats-decision") for text in result.warnings) is repeats
    hidden = dataclasses.replace(result, counts=result.counts.astype(object).mask(result.counts["group"] == "a", None))
    assert not hidden.repeats_decision


def test_positive_is_shown_by_the_words_of_the_outcome():
    outcome = make_outcome(Table.from_pandas(frame()), "truth", 1)
    assert positive_meaning(outcome, "unfavorable") == "truth is not 1"
    named = dataclasses.replace(outcome, meaning="a paid loan", other_meaning="a loan that was not paid")
    assert positive_meaning(named, "favorable") == "a paid loan"
    assert positive_meaning(named, "unfavorable") == "a loan that was not paid"


@pytest.mark.thorough
@settings(max_examples=20)
@given(ROWS, st.sampled_from(["favorable", "unfavorable"]), st.integers(1, 6))
def test_counts_from_the_table_equal_group_metrics_and_gaps_and_intervals_hold_theirs(rows, positive, min_count):
    data = frame(rows)
    result = check_errors(data, **QUESTION, positive=positive)
    known = data.dropna(subset=["truth", "guess"])
    value = 1 if positive == "favorable" else 0
    expected = group_metrics(known["truth"] == value, known["guess"] == value, sensitive_features=known["kind"])
    found = result.metrics.loc[list(expected.index)]
    pd.testing.assert_frame_equal(found, expected, check_names=False, check_index_type=False)
    assert result.counts[["tp", "fp", "tn", "fn", "unknown"]].to_numpy().sum() == len(data)
    assert result.counts["unknown"].sum() == len(data) - len(known)
    assert set(result.groups) == set(data["kind"].fillna("missing"))

    for row in result.intervals.itertuples():
        assert result.metrics.loc[row.group, row.metric] == pytest.approx(row.value, nan_ok=True)
        assert math.isnan(row.value) == (row.n == 0)
        if row.n:
            assert row.low <= row.value <= row.high
    gaps = gaps_from_counts(result.counts, min_count=min_count)
    for row in gaps[gaps["low"].notna()].itertuples():
        assert min(row.n_high, row.n_low) >= min_count, "no gap comes from a rate of few rows"
        assert row.low <= row.difference <= row.high
    if min_count == 1:
        whole = group_gaps(metrics_from_counts(result.counts))
        pd.testing.assert_frame_equal(gaps[COLUMNS], whole, check_dtype=False)


def test_undefined_rates_and_unknown_rows_are_shown():
    result = check_errors(frame([("a", 1, 0), ("b", None, 1)]), **QUESTION)
    assert say(Message("doubt-none-truly-negative", {"groups": Phrase("'a'")})) in result.warnings
    assert say(Message("doubt-no-outcome", {"rows": Phrase("1 row")})) in result.warnings
    assert math.isnan(result.metrics.loc["a", "fpr"])


def test_several_columns_are_crossed():
    data = frame([("a", 0, 0)]).assign(area=["x", "x", "y"])
    result = check_errors(data, **(QUESTION | {"by": ["kind", "area"]}))
    assert result.groups == ("a, x", "a, y", "b, x")


def test_one_query_for_all_groups(monkeypatch):
    asked = []
    real = Table.counts
    table = Table.from_pandas(frame())
    favorable = table.condition("truth = 1")
    monkeypatch.setattr(Table, "counts", lambda self, by, **kw: asked.append(by) or real(self, by, **kw))
    check_errors(table, **(QUESTION | {"favorable": favorable}))
    assert len(asked) == 1


def test_nothing_to_compare_is_refused():
    data = frame([("a", 1, None)])
    with pytest.raises(GroupError, match="None of 1 row has both"):
        check_errors(data, **QUESTION, where="guess IS NULL")
    with pytest.raises(InputError, match="'positive' must be one of 'favorable', 'unfavorable', got 'yes'"):
        check_errors(data, **QUESTION, positive="yes")
    with pytest.raises(InputError, match="'prediction' must be a condition"):
        check_errors(data, **(QUESTION | {"prediction": ""}))


ERRORS = {"k": [508, 408, 191, 0], "n": [3966, 5101, 1445, 38]}


def test_one_test_over_all_groups_comes_before_pairs_which_are_separated_by_holm():
    found = compare_rates(**ERRORS, tolerance=0.02, confidence=0.95)
    # Pearson's chi-square of four groups, and the z test of the two large ones: p 4e-14.
    assert found.p_value == pytest.approx(stats.chi2_contingency(two_rows(**ERRORS), correction=False).pvalue)
    z = float(pooled_z(508, 3966, 408, 5101))
    assert 2 * stats.norm.sf(z) == pytest.approx(4e-14, rel=0.1)
    assert found.verdict == "clear_gap"
    assert [(pair.high, pair.low) for pair in found.apart] == [(0, 1), (2, 1)]
    low, high = newcombe(508, 3966, 408, 5101)
    assert found.apart[0].interval == pytest.approx((low, high))


def two_rows(k, n):
    return [k, np.subtract(n, k)]


@pytest.mark.parametrize(
    ("tolerance", "verdict"),
    [
        (0.0, "clear_gap"),
        (0.02, "clear_gap"),
        (0.04, "gap_size_unclear"),
        (0.14, "gap_size_unclear"),
        (0.15, "no_gap_above_tolerance"),
    ],
)
def test_a_gap_is_clear_where_all_that_fits_is_beyond_the_tolerance(tolerance, verdict):
    assert compare_rates(**ERRORS, tolerance=tolerance, confidence=0.95).verdict == verdict


def test_where_expected_counts_are_small_pairs_decide_and_two_groups_take_the_exact_test():
    sparse = compare_rates([0, 1, 9], [40, 40, 40], tolerance=0.05, confidence=0.95)
    assert sparse.p_value == pytest.approx(3 * stats.fisher_exact([[0, 40], [9, 31]]).pvalue)
    two = compare_rates([0, 6], [40, 40], tolerance=0.0, confidence=0.95)
    assert two.p_value == pytest.approx(stats.fisher_exact([[0, 40], [6, 34]]).pvalue)
    assert two.verdict == "clear_gap"
    assert compare_rates([0, 6], [40, 40], tolerance=0.0, confidence=0.95, questions=2).verdict == "too_few_to_tell"


def test_one_rate_for_all_is_called_a_gap_no_more_often_than_is_said():
    rng, called = np.random.default_rng(0), 0
    for _ in range(400):
        n = rng.integers(30, 1_000, 6)
        found = compare_rates(rng.binomial(n, 0.12), n, tolerance=0.02, confidence=0.95, questions=2)
        called += found.verdict in ("gap_size_unclear", "clear_gap")
    # At most 2.5 % are meant: of 400, more than 19 come up in 0.3 % of cases.
    assert called <= 19


@pytest.mark.parametrize("k", [0, 1, 30, 60])
def test_two_groups_are_alike_only_where_both_ends_lie_within_the_tolerance(k):
    large, small = (k, 1_000), (round(k / 30), 40)
    ends = np.abs(newcombe(*large, *small, 0.9))
    for pair in ((large, small), (small, large)):
        found = compare_rates(*zip(*pair, strict=True), tolerance=0.05, confidence=0.95)
        assert found.verdict == "too_few_to_tell" and max(ends) > 0.05
        assert max(np.abs(found.widest.equivalence_interval)) == pytest.approx(max(ends))
        just = compare_rates(*zip(*pair, strict=True), tolerance=max(ends) + 1e-9, confidence=0.95)
        assert just.verdict == "no_gap_above_tolerance"


def test_the_widest_pair_is_the_one_that_reaches_furthest_in_either_direction():
    k, n = [30, 50, 1], [1_000, 1_000, 40]
    found = compare_rates(k, n, tolerance=0.05, confidence=0.95)
    ends = [np.abs(newcombe(k[i], n[i], k[j], n[j], 0.9)).max() for i, j in [(0, 1), (0, 2), (1, 2)]]
    assert {found.widest.high, found.widest.low} == {0, 2} and ends[1] == max(ends)
    assert np.abs(found.widest.equivalence_interval).max() == pytest.approx(ends[1])


def test_rates_further_apart_than_the_tolerance_are_alike_no_more_often_than_is_said():
    rng = np.random.default_rng(0)
    draws = rng.binomial([3_000, 40], [0.01, 0.09], (1_000, 2))
    read = [compare_rates(k, [3_000, 40], tolerance=0.05, confidence=0.95).verdict for k in draws]
    # 2.5 % were, where one end alone was asked; of an error of 5 % at a gap of 5 points, little is left at 8.
    assert read.count("no_gap_above_tolerance") <= 3


SIZES = st.one_of(st.integers(30, 90), st.integers(800, 5_000))


@given(st.lists(st.tuples(SIZES, st.one_of(st.floats(0, 1), st.floats(0, 0.05))), min_size=2, max_size=6), st.randoms())
@settings(max_examples=100)
def test_the_order_of_groups_makes_no_difference_to_the_reading(groups, random):
    counts = [(round(n * share), n) for n, share in groups]
    shuffled = random.sample(counts, len(counts))
    read = [compare_rates(*zip(*each, strict=True), tolerance=0.05, confidence=0.95) for each in (counts, shuffled)]
    assert read[0].verdict == read[1].verdict and len(read[0].apart) == len(read[1].apart)
    assert read[0].p_value == pytest.approx(read[1].p_value, nan_ok=True)
