from __future__ import annotations

import math

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairaudit.data.table import Table
from fairaudit.errors import GroupError, InputError
from fairaudit.measure import check_errors, group_metrics

QUESTION = {"decision": "truth", "favorable": 1, "prediction": "guess = 1", "by": "kind"}
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
        decision="two_year_recid",
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
    assert result.gaps.loc["equalized_odds", "difference"] == pytest.approx(0.576692, abs=5e-7)
    assert result.positive_meaning == "two_year_recid is not 0"
    assert any("Group 'Native American' has fewer than 30" in text for text in result.warnings)


@settings(max_examples=20)
@given(ROWS, st.sampled_from(["favorable", "unfavorable"]))
def test_counts_from_the_table_equal_group_metrics(rows, positive):
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


@settings(max_examples=20)
@given(ROWS)
def test_intervals_hold_their_rates(rows):
    result = check_errors(frame(rows), **QUESTION)
    for row in result.intervals.itertuples():
        assert result.metrics.loc[row.group, row.metric] == pytest.approx(row.value, nan_ok=True)
        assert math.isnan(row.value) == (row.n == 0)
        if row.n:
            assert row.low <= row.value <= row.high


def test_undefined_rates_and_unknown_rows_are_told():
    result = check_errors(frame([("a", 1, 0), ("b", None, 1)]), **QUESTION)
    assert "Group 'a' has no truly negative row, so fpr and tnr are not defined there." in result.warnings
    assert "1 row without an outcome or a prediction left out." in result.warnings
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
