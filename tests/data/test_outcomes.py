"""What is the good outcome, checked against the values that occur."""

from __future__ import annotations

import numpy as np
import pytest

from fairaudit.conditions import Condition
from fairaudit.data import make_outcome, read_table
from fairaudit.errors import InputError, MissingColumnError

DATA = b"income,score,hired,day,code\n>50K,1,true,2024-01-31,1\n<=50K,2.5,false,2024-02-01,x\n>50K,,true,,2\n"


@pytest.fixture(scope="module")
def table():
    return read_table(DATA)


@pytest.mark.parametrize(
    ("column", "favorable", "n"),
    [
        ("income", ">50K", 2),
        ("income", [">50K", "<=50K"], 3),
        ("score", 1, 1),
        ("score", 1.0, 1),
        ("score", "1", 1),
        ("score", " 2.5 ", 1),
        ("score", np.float64(2.5), 1),
        ("score", np.array([1, 2.5]), 2),
        ("hired", True, 2),
        ("hired", "False", 1),
        ("hired", 1, 2),
        ("day", "2024-01-31", 1),
        ("code", 1, 1),
        ("code", 2.0, 1),
    ],
    ids=repr,
)
def test_values_are_read_in_the_kind_of_the_column(table, column, favorable, n):
    outcome = make_outcome(table, column, favorable)
    assert outcome.column == column
    assert table.count(outcome.condition) == n


def test_the_meaning_is_in_words(table):
    assert make_outcome(table, "income", ">50K").meaning == "income is >50K"
    assert make_outcome(table, "score", table.condition("score >= 2")).meaning == "score is at least 2"


def test_missing_values_have_an_unknown_outcome(table):
    condition = make_outcome(table, "score", 1).condition
    assert table.counts({"good": condition})["good"].isna().sum() == 1


@pytest.mark.parametrize(
    ("column", "value", "hint"),
    [
        ("income", "> 50K", "Did you mean '>50K'? Letter case and blanks count."),
        ("income", ">50k", "Did you mean '>50K'?"),
        ("income", "high", "There are: '>50K', '<=50K'."),
        ("score", 7, "There are: '1', '2.5'."),
        ("hired", "yes", "true or false"),
        ("score", "x", "Give a number."),
        ("day", "soon", "a date such as"),
        ("income", None, "no known outcome"),
        ("income", float("nan"), "no known outcome"),
    ],
)
def test_a_value_that_does_not_occur_is_refused_with_near_ones(table, column, value, hint):
    with pytest.raises(InputError) as caught:
        make_outcome(table, column, value)
    assert hint in caught.value.hint


def test_the_values_of_a_column_with_many_are_not_listed():
    table = read_table(b"name,n\n" + b"".join(b"person %d,%d\n" % (i, i) for i in range(60)))
    with pytest.raises(InputError) as caught:
        make_outcome(table, "name", "somebody")
    assert "person" not in str(caught.value)


def test_a_condition_on_another_column_is_refused(table):
    with pytest.raises(InputError, match="'income' only, but it names 'score'"):
        make_outcome(table, "income", Condition.parse("income = '>50K' AND score > 1", table))


def test_a_number_beyond_all_others_is_refused(table):
    with pytest.raises(InputError, match="Column 'score' holds number values, got '1000"):
        make_outcome(table, "score", 10**400)


def test_no_values_and_unknown_columns_are_refused(table):
    with pytest.raises(InputError, match="at least one"):
        make_outcome(table, "income", [])
    with pytest.raises(MissingColumnError):
        make_outcome(table, "incom", ">50K")
