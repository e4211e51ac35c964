"""Literals hold for the rows that their conditions select, and say what they ask."""

from __future__ import annotations

import datetime
from decimal import Decimal

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from literals_drawn import literals
from strategies import KINDS, frames

from fairaudit.conditions import Condition
from fairaudit.errors import ConditionError, InputError, MissingColumnError
from fairaudit.estimators.rules.literals import Literal, as_frame, literals_of, simplified, together_in_words

HOSTILE = ['a "b" c', "it's", "a.b", " blank ", "line\nend", "naïve Größe", "order", "1st", "=x", "a;b", "日本", "AND"]


@settings(max_examples=50)
@given(st.data())
def test_a_literal_holds_where_its_condition_is_true_and_its_negation_in_the_other_rows_with_a_value(data):
    frame = data.draw(frames())
    literal = data.draw(literals(frame))
    text = literal.to_condition_text()
    held, opposite = literal.holds(frame), literal.negated().holds(frame)
    assert held.tolist() == Condition.parse(text, KINDS).mask(frame).tolist()
    assert literals_of(text, KINDS) == (literal,)
    assert literal.negated().negated() == literal
    assert not (held & opposite).any()
    if literal.kind in ("missing", "not_missing"):
        assert (held | opposite).all()
    else:
        assert (held | opposite).tolist() == frame[literal.column].notna().tolist()


@settings(max_examples=100)
@given(st.data())
def test_what_is_left_of_a_conjunction_holds_for_the_same_rows(data):
    frame = data.draw(frames())
    columns = data.draw(st.sampled_from([("age",), ("capital gain",), ("race",), ("née_le", "seen"), ("order", "age")]))
    parts = data.draw(st.lists(literals(frame, columns), min_size=1, max_size=4))
    expected = np.logical_and.reduce([part.holds(frame) for part in parts])
    left = simplified(parts)
    if left is None:
        assert not expected.any(), parts
    else:
        assert set(left) <= set(parts)
        assert np.logical_and.reduce([part.holds(frame) for part in left]).tolist() == expected.tolist(), (parts, left)


X_AT_MOST_3, X_AT_MOST_5 = Literal("x", "at_most", 3), Literal("x", "at_most", 5)


@pytest.mark.parametrize(
    ("parts", "left"),
    [
        ([X_AT_MOST_3, X_AT_MOST_5], [X_AT_MOST_3]),
        ([Literal("x", "below", 3), X_AT_MOST_3], [Literal("x", "below", 3)]),
        ([Literal("x", "above", 3), Literal("x", "at_least", 3)], [Literal("x", "above", 3)]),
        ([Literal("x", "not_missing"), X_AT_MOST_3], [X_AT_MOST_3]),
        ([Literal("x", "equals", 2), X_AT_MOST_3, Literal("x", "not_equals", 7)], [Literal("x", "equals", 2)]),
        ([X_AT_MOST_3, Literal("x", "not_among", (4, 5))], [X_AT_MOST_3]),
        ([Literal("x", "among", (1, 2)), Literal("x", "among", (1, 2, 3))], [Literal("x", "among", (1, 2))]),
        ([Literal("x", "not_among", ("a", "b")), Literal("x", "not_equals", "a")],
         [Literal("x", "not_among", ("a", "b"))]),
        ([X_AT_MOST_3, X_AT_MOST_3, Literal("y", "at_most", 5)], [X_AT_MOST_3, Literal("y", "at_most", 5)]),
    ],
)  # fmt: skip
def test_what_follows_from_the_rest_is_left_out(parts, left):
    assert list(simplified(parts)) == left
    assert set(simplified(parts[::-1])) == set(left)


@pytest.mark.parametrize(
    "parts",
    [
        [X_AT_MOST_3, Literal("x", "above", 3)],
        [Literal("x", "below", 3), Literal("x", "at_least", 3)],
        [Literal("x", "equals", "a"), Literal("x", "equals", "b")],
        [Literal("x", "equals", "a"), Literal("x", "not_equals", "a")],
        [Literal("x", "missing"), X_AT_MOST_3],
        [Literal("x", "missing"), Literal("x", "not_missing")],
        [Literal("x", "among", (4, 5)), X_AT_MOST_3],
        [Literal("x", "at_most", datetime.date(2000, 1, 1)), Literal("x", "above", datetime.datetime(2000, 1, 1))],
    ],
)
def test_what_no_row_can_meet_is_shown(parts):
    assert simplified(parts) is None
    assert simplified(parts[::-1]) is None


def test_bounds_that_meet_in_one_value_are_no_contradiction():
    parts = (X_AT_MOST_3, Literal("x", "at_least", 3))
    assert simplified(parts) == parts


@pytest.mark.parametrize(
    ("parts", "words"),
    [
        ([Literal("age", "above", 20), Literal("age", "at_most", 25)], "age is more than 20 and at most 25"),
        ([Literal("age", "at_most", 25), Literal("age", "above", 20)], "age is more than 20 and at most 25"),
        ([Literal("race", "not_equals", "a"), Literal("race", "not_equals", "b")], "race is neither a nor b"),
        ([Literal("race", "not_equals", "a"), Literal("race", "not_among", ("b", "c"))], "race is none of a, b or c"),
        ([Literal("n", "missing"), Literal("ok", "equals", True)], "n is missing and ok is true"),
        ([Literal("name", "at_most", "M"), Literal("name", "not_equals", "A")],
         "name is or sorts before M and name is not A"),
        ([Literal("born", "below", datetime.date(1990, 5, 1))], "born is before 1 May 1990"),
        ([Literal("rate", "above", 0.25), Literal("rate", "below", 1e6)],
         "rate is more than 0.25 and less than 1000000"),
        ([Literal(" x", "equals", "a, b")], "“ x” is “a, b”"),
    ],
)  # fmt: skip
def test_a_conjunction_is_said_with_each_column_once(parts, words):
    assert together_in_words(parts) == words


@pytest.mark.parametrize("name", HOSTILE)
def test_any_column_name_is_printed_and_read_back(name):
    frame = pd.DataFrame({name: ["x'y", None, '"', "a\nb"], "other": 1})
    own = [Literal(name, "equals", "x'y"), Literal(name, "not_among", ("a\nb", '"')), Literal(name, "missing")]
    assert [literals_of(literal.to_condition_text(), frame) for literal in own] == [(literal,) for literal in own]
    assert own[0].holds(frame).tolist() == own[1].holds(frame).tolist() == [True, False, False, False]
    assert own[2].holds(frame).tolist() == [False, True, False, False]


def test_a_number_has_one_spelling():
    assert (
        Literal("x", "at_most", 25.0) == Literal("x", "at_most", np.int64(25)) == Literal("x", "at_most", Decimal(25))
    )
    assert str(Literal("x", "at_most", np.float64(25))) == "x <= 25"
    assert str(Literal("x", "at_most", -0.0)) == "x <= 0"
    assert hash(Literal("x", "at_most", 25.0)) == hash(Literal("x", "at_most", 25))


def test_a_list_of_one_value_is_that_value():
    assert Literal("x", "among", ("a",)) == Literal("x", "equals", "a")
    assert Literal("x", "not_among", ("a", "a")) == Literal("x", "not_equals", "a")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("x", "at_least_one", 1), "'kind' must be one of equals, not_equals"),
        ((3, "equals", 1), "'column' must be a text"),
        (("x", "equals"), "takes a value"),
        (("x", "equals", float("nan")), "takes a value"),
        (("x", "equals", float("inf")), "finite"),
        (("x", "missing", 1), "takes no value"),
        (("x", "above", True), "needs an order"),
        (("x", "among", ()), "takes a tuple of 1 to"),
        (("x", "among", "ab"), "takes a tuple of 1 to"),
        (("x", "among", (1, "a")), "of one kind"),
    ],
)
def test_a_literal_that_makes_no_sense_is_refused(arguments, message):
    with pytest.raises(InputError, match=message):
        Literal(*arguments)


def test_a_column_that_is_not_there_or_of_another_kind_is_named():
    with pytest.raises(MissingColumnError, match="'x'"):
        Literal("x", "equals", 1).holds(pd.DataFrame({"y": [1]}))
    with pytest.raises(ConditionError, match="'x' holds text"):
        Literal("x", "equals", 1).holds(pd.DataFrame({"x": ["1"]}))


def test_an_array_gets_column_names():
    assert list(as_frame(np.zeros((2, 3))).columns) == ["x0", "x1", "x2"]
    assert list(as_frame(pd.DataFrame({0: [1], 1: [2]})).columns) == ["0", "1"]
    with pytest.raises(InputError, match="two dimensions"):
        as_frame(np.zeros(3))
