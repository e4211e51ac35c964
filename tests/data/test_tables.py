"""The table: counts, rows, values, ranges, conditions, threads."""

from __future__ import annotations

import datetime
import threading

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairaudit.conditions import Condition
from fairaudit.data import Table, as_table, read_table
from fairaudit.errors import ConditionError, DataError, InputError, MissingColumnError


@pytest.fixture(scope="module")
def table():
    return read_table(b"sex,age,hired\nF,30,true\nM,,false\n,41,true\nM,25,\nF,30,false\n")


def listed(frame):
    return frame.astype(object).where(frame.notna(), None).to_numpy().tolist()


def test_counts_by_columns_are_ordered_with_missing_last(table):
    assert listed(table.counts(["sex"])) == [["F", 2], ["M", 2], [None, 1]]


def test_counts_by_conditions_distinguish_unknown_from_false(table):
    counts = table.counts({"old": table.condition("age > 28")})
    assert counts["old"].dtype == "boolean"
    assert listed(counts) == [[False, 1], [True, 3], [None, 1]]


def test_counts_name_a_condition_by_its_text(table):
    assert list(table.counts(["sex", table.condition("age > 28")]).columns) == ["sex", "age > 28", "n"]


def test_counts_keep_only_rows_that_are_true(table):
    assert listed(table.counts(["hired"], where="sex = 'M'")) == [[False, 1], [None, 1]]
    assert table.counts([], where="age > 1000")["n"].tolist() == [0]
    assert table.counts(["sex"], where="age > 1000").shape == (0, 2)


def test_a_condition_read_elsewhere_is_checked_here(table):
    assert table.count(Condition.parse("age > 28", ["age"])) == 3
    with pytest.raises(ConditionError):
        table.count(Condition.parse("height > 28", ["height"]))
    with pytest.raises(ConditionError):
        table.count(Condition.parse("sex > 28", {"sex": "number"}))


def test_no_condition_is_no_condition(table):
    assert table.condition(None) is None
    assert table.condition("  ") is None
    assert table.count() == table.count("") == 5


def test_rows_keep_order_and_dtypes(table):
    frame = table.to_pandas()
    assert [str(dtype) for dtype in frame.dtypes] == ["str", "Int64", "boolean"]
    assert frame["age"].tolist()[0] == 30
    assert table.to_pandas(["age"], where="sex = 'F'")["age"].dtype == "int64"
    assert table.to_pandas([]).shape == (5, 0)
    assert listed(table.head(2)) == [["F", 30, True], ["M", None, False]]


def test_values_come_most_frequent_first(table):
    assert listed(table.values("sex")) == [["F", 2], ["M", 2], [None, 1]]
    assert listed(table.values("sex", limit=1)) == [["F", 2]]


def test_ranges_are_of_numbers_and_dates(table):
    assert table.column_range("age") == (25, 41)
    assert table.column_range("age", "sex = 'X'") == (None, None)
    with pytest.raises(InputError, match="text values"):
        table.column_range("sex")
    days = read_table(b"d,e\n2024-01-31,1\n2020-01-01,2\n")
    assert days.column_range("d") == (pd.Timestamp("2020-01-01"), pd.Timestamp("2024-01-31"))


@pytest.mark.parametrize(
    "ask",
    [lambda t: t.counts(["ages"]), lambda t: t.to_pandas(["ages"]), lambda t: t.values("ages")],
    ids=["counts", "rows", "values"],
)
def test_an_unknown_column_is_named_with_near_ones(table, ask):
    with pytest.raises(MissingColumnError, match="'age'"):
        ask(table)


@pytest.mark.parametrize("name", ["k", "k0", "K1", "n", "low", "data", "value", "rowid", "count", "group", "good"])
def test_no_name_of_a_column_is_taken_for_one_of_ours(name):
    frame = pd.DataFrame({"sex": ["F", "M", "F", None], name: [1, 2, 3, 3]})
    table = Table.from_pandas(frame)
    above = Condition.parse(f'"{name}" > 1', table.columns)
    counts = table.counts({"sex": "sex", "above": above}, where=f'"{name}" < 3')
    assert counts.to_numpy().tolist() == [["F", False, 1], ["M", True, 1]]
    assert table.counts([name]).iloc[:, -1].tolist() == [1, 1, 2]
    assert table.values("sex").to_numpy().tolist()[0] == ["F", 2]
    assert table.values(name).to_numpy().tolist() == [[3, 2], [1, 1], [2, 1]]
    assert table.column_range(name) == (1, 3)
    assert table.to_pandas([name], where=above)[name].tolist() == [2, 3, 3]


def test_a_single_text_is_no_list_of_columns(table):
    with pytest.raises(InputError, match="as a list"):
        table.counts("sex")


def test_a_frame_becomes_a_table_whatever_it_holds():
    frame = pd.DataFrame(
        {
            "cat": pd.Categorical(["a", None, "b"]),
            "mixed": [1, "x", None],
            "span": pd.to_timedelta([1, 2, None], unit="s"),
            "zone": pd.to_datetime(["2020-01-01 10:00+02:00"] * 3),
            "month": pd.period_range("2020", periods=3, freq="M"),
            "gap": [np.nan, 1.0, 2.0],
            "flag": [True, None, False],
            "day": [datetime.date(2020, 1, 1)] * 3,
            "big": [10**30, 1, 2],
            7: [1, 2, 3],
        },
        index=[5, 5, 5],
    )
    table = Table.from_pandas(frame)
    kinds = [column.kind for column in table.columns.values()]
    assert kinds == ["text", "text", "text", "timestamp", "text", "number", "boolean", "date", "text", "number"]
    assert table.to_pandas()["zone"].iloc[0] == pd.Timestamp("2020-01-01 08:00")
    assert table.count("gap IS NULL") == 1
    assert "7" in table.columns


def test_a_frame_without_columns_is_refused():
    with pytest.raises(DataError, match="no columns"):
        Table.from_pandas(pd.DataFrame(index=[1, 2]))


def test_as_table_takes_tables_and_frames(table):
    assert as_table(table) is table
    assert as_table(pd.DataFrame({"a": [1]})).n_rows == 1
    with pytest.raises(InputError, match="got int"):
        as_table(3)


def test_several_threads_may_ask_at_once():
    table = Table.from_pandas(pd.DataFrame({"a": range(20_000)}))
    answers = {}

    def ask(cut):
        answers[cut] = [table.count(f"a < {cut}") for _ in range(10)]

    threads = [threading.Thread(target=ask, args=(cut,)) for cut in range(1, 9)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == {cut: [cut] * 10 for cut in range(1, 9)}


texts = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=5)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.none() | texts, st.none() | st.integers(-9, 9)), min_size=1, max_size=12))
def test_counts_agree_with_pandas(rows):
    frame = pd.DataFrame({"t": pd.array([r[0] for r in rows], "str"), "n": pd.array([r[1] for r in rows], "Int64")})
    named = Table.from_pandas(frame).counts({"text": "t", "number": "n"})
    expected = frame.groupby(["t", "n"], dropna=False).size()
    assert named["n"].sum() == len(rows)
    assert sorted(named["n"]) == sorted(expected)


@settings(max_examples=40, deadline=None)
@given(st.lists(texts, min_size=1, max_size=12))
def test_rows_come_back_as_they_went_in(values):
    frame = pd.DataFrame({"t": pd.array(values, "str")})
    assert Table.from_pandas(frame).to_pandas()["t"].tolist() == values
