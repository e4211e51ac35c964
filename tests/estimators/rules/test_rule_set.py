"""Rule sets predict what their condition selects, and read back what they print."""

from __future__ import annotations

import csv
import dataclasses
import io

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from literals_drawn import literals
from strategies import KINDS, frames

from fairaudit.conditions import Condition
from fairaudit.errors import ConditionError, InputError, MissingColumnError
from fairaudit.estimators.rules.literals import Literal, RuleSet

COLUMNS = ["age", "priors", "race", "married"]
AGE, PRIORS, RACE = Literal("age", "at_most", 25), Literal("priors", "above", 3), Literal("race", "equals", "a")
TWO = RuleSet((AGE, PRIORS, RACE), ((0, 1), (2,)), outcome="repeat offence")


@st.composite
def drawn(draw):
    """A frame and a rule set on it, as indices into its literals."""
    frame = draw(frames())
    found = draw(st.lists(literals(frame), min_size=1, max_size=6))
    place = st.integers(0, len(found) - 1)
    rules = draw(st.lists(st.lists(place, min_size=1, max_size=3).map(tuple), max_size=3))
    return frame, tuple(found), tuple(rules)


@settings(max_examples=50)
@given(drawn())
def test_a_rule_set_predicts_what_its_literals_say_and_reads_back_as_it_is_printed(case):
    frame, found, rules = case
    held = np.array([literal.holds(frame) for literal in found])
    expected = [any(held[list(rule), row].all() for rule in rules) for row in range(len(frame))]
    made = RuleSet(found, rules, outcome="the good outcome")
    predicted = made.predict(frame).tolist()
    assert predicted == [int(value) for value in expected]
    assert made.predict(frame.iloc[::-1, ::-1]).tolist() == predicted[::-1], "order does not matter"
    assert condition_of(made, KINDS).mask(frame).tolist() == expected
    if frame.notna().any().all():
        # Of a column without a value, only the dtype shows the kind.
        assert condition_of(made, frame).mask(frame).tolist() == expected
    assert made.coverage(frame).shape == (len(frame), len(made.rules))
    assert made.complexity <= sum(1 + len(set(rule)) for rule in rules)
    again = RuleSet.of_conditions(made.conditions(), KINDS, outcome="the good outcome")
    assert again == made
    assert hash(again) == hash(made)
    if frame.notna().any().all():
        assert RuleSet.of_conditions(made.conditions(), frame, outcome="the good outcome") == made


def condition_of(rules: RuleSet, columns) -> Condition:
    """Return a rule set as one condition, which selects the rows that are predicted 1."""
    return Condition.parse(" OR ".join(f"({text})" for text in rules.conditions()) or "FALSE", columns)


def test_a_rule_set_is_said_in_sentences():
    assert TWO.sentences() == (
        "Predict repeat offence if age is at most 25 and priors is more than 3.",
        "Predict repeat offence if race is a.",
    )
    assert str(TWO) == "Predict repeat offence if age is at most 25 and priors is more than 3,\nor if race is a."
    assert TWO.complexity == 5
    assert TWO.columns == ("age", "priors", "race")


def test_an_empty_rule_set_predicts_nobody():
    empty = RuleSet(outcome="repeat offence")
    frame = pd.DataFrame({"x": [1.0, None]})
    assert str(empty) == "No rule: repeat offence is predicted for nobody."
    assert (empty.complexity, empty.rules, empty.sentences(), empty.conditions()) == (0, (), (), ())
    assert empty.predict(frame).tolist() == [0, 0] == condition_of(empty, frame).mask(frame).astype(int).tolist()
    assert empty.coverage(frame).shape == (2, 0)
    assert RuleSet.of_conditions((), frame, outcome="repeat offence") == empty
    assert TWO.predict(pd.DataFrame(columns=COLUMNS[:3])).tolist() == []


def test_only_literals_in_use_are_kept_in_the_order_of_first_use():
    made = RuleSet((AGE, PRIORS, RACE), ((2,), (2, 0)))
    assert made.literals == (RACE, AGE)
    assert made.rules == ((0,), (0, 1))


def test_what_adds_nothing_is_left_out():
    wide, never = Literal("age", "at_most", 60), Literal("age", "above", 60)
    made = RuleSet((AGE, wide, never, RACE), ((0, 1, 3), (3, 0), (0, 2)))
    assert made == RuleSet((AGE, RACE), ((0, 1),))
    assert made.complexity == 3


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        (((),), "Rule 1 has no literal"),
        (((0,), (3,)), "Rule 2 names the literal 3"),
        (((-1,),), "names the literal -1"),
    ],
)
def test_a_rule_needs_literals_that_are_there(rules, message):
    with pytest.raises(InputError, match=message):
        RuleSet((AGE, PRIORS), rules)


def test_a_rule_set_cannot_be_changed():
    with pytest.raises(dataclasses.FrozenInstanceError):
        TWO.outcome = "x"


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("age<=25 and priors >3", "age <= 25 AND priors > 3"),
        ("3 < priors AND 25 >= Age", "priors > 3 AND age <= 25"),
        ("age BETWEEN 18 AND 25", "age >= 18 AND age <= 25"),
        ("race IN ('a') AND NOT race = 'b'", "race = 'a'"),
        ("race not in ('a', 'b') and race is not null", "race NOT IN ('a', 'b')"),
        ("NOT (age < 18 OR priors = 0 OR married)", "age >= 18 AND priors <> 0 AND married = FALSE"),
        ("married AND ((age > -3.50))", "married = TRUE AND age > -3.5"),
        ("priors IS NULL", "priors IS NULL"),
    ],
)
def test_a_person_may_type_simple_comparisons(text, printed):
    assert RuleSet.of_conditions([text], COLUMNS).conditions() == (printed,)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("age = 1 OR priors = 2", "Rule 2: Inside a rule, OR is not allowed"),
        ("NOT (age = 1 AND priors = 2)", "OR is not allowed"),
        ("age NOT BETWEEN 1 AND 2", "OR is not allowed"),
        ("race LIKE 'a%'", "LIKE is not allowed in a rule"),
        ("age = priors", "A rule compares columns with values"),
        ("age + 1 > 2", "A rule compares columns with values"),
        ("lower(race) = 'a'", "A rule compares columns with values"),
        ("TRUE", "A rule compares columns with values"),
        ("zip = 1", "Rule 2: There is no column 'zip'"),
        ("age = 'old'", "'age' holds numbers, but 'old' is text"),
        ("age IN (1, 'a')", "is text"),
        ("", "empty"),
    ],
)
def test_what_is_no_rule_is_refused_with_its_number(text, message):
    kinds = {"age": "number", "priors": "number", "race": "text"}
    with pytest.raises(ConditionError, match=message) as caught:
        RuleSet.of_conditions(["age = 1", text], kinds)
    assert caught.value.text == text


def test_a_rule_that_no_row_can_meet_is_refused_when_a_person_writes_it():
    with pytest.raises(InputError, match="Rule 1 can never hold: age is at most 25 and age is more than 30"):
        RuleSet.of_conditions(["age <= 25 AND age > 30"], COLUMNS)
    with pytest.raises(InputError, match="Rule 1 can never hold"):
        TWO.with_literal(0, Literal("age", "above", 30))
    with pytest.raises(InputError, match="The new rule can never hold"):
        TWO.with_rule([AGE, AGE.negated()])


def test_rules_are_a_list_of_texts():
    with pytest.raises(InputError, match="list of texts"):
        RuleSet.of_conditions("age = 1", COLUMNS)
    with pytest.raises(InputError, match="must be a text, got int"):
        RuleSet.of_conditions([3], COLUMNS)


def test_rules_are_edited_into_new_sets():
    assert TWO.drop(0).conditions() == ("race = 'a'",)
    assert TWO.with_literal(1, PRIORS).conditions() == ("age <= 25 AND priors > 3", "race = 'a' AND priors > 3")
    assert TWO.without_literal(0, AGE).conditions() == ("priors > 3", "race = 'a'")
    assert TWO.with_rule([RACE.negated(), PRIORS]).conditions()[2] == "race <> 'a' AND priors > 3"
    assert TWO.drop(0).drop(0) == RuleSet(outcome="repeat offence")
    assert {TWO.drop(0).outcome, TWO.with_literal(1, AGE).outcome, TWO.with_rule([AGE]).outcome} == {"repeat offence"}
    assert TWO.conditions() == ("age <= 25 AND priors > 3", "race = 'a'")


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (lambda: TWO.drop(2), "There is no rule 2.\nHint: There are 2, counted from 0"),
        (lambda: TWO.drop(-1), "There is no rule -1"),
        (lambda: TWO.with_literal(5, AGE), "There is no rule 5"),
        (lambda: TWO.without_literal(0, RACE), "Rule 1 does not ask that race is a"),
        (lambda: TWO.without_literal(1, RACE), "Rule 2 has no condition"),
        (lambda: TWO.with_rule([]), "The new rule has no condition"),
    ],
)
def test_an_edit_that_cannot_be_made_says_why(edit, message):
    with pytest.raises(InputError, match=message):
        edit()


def test_the_table_has_a_line_for_each_literal_and_no_formula():
    evil = RuleSet.of(
        [[Literal("=cmd()", "equals", "@x"), Literal("age", "above", 2.5)],
         [Literal("race", "among", ("=1+1", "b")), Literal("ok", "equals", False), Literal("age", "missing")]]
    )  # fmt: skip
    lines = list(csv.reader(io.StringIO(evil.to_csv())))
    assert lines == [
        ["rule", "literal", "column", "comparison", "value"],
        ["1", "1", "'=cmd()", "is", "'@x"],
        ["1", "2", "age", "is more than", "2.5"],
        ["2", "1", "race", "is one of", "'=1+1', 'b'"],
        ["2", "2", "ok", "is", "false"],
        ["2", "3", "age", "is missing", ""],
    ]


def test_hostile_names_and_values_survive_the_way_to_a_condition_and_back():
    names = ['a "b" c', "it's", "a.b", "line\nend", "order", "1st", "日本", "=x", ";--"]
    frame = pd.DataFrame({name: ["x'y", '"', None, "a\nb;--", "x'y"] for name in names})
    made = RuleSet.of([[Literal(name, "equals", "x'y"), Literal(name, "not_missing")] for name in names])
    assert RuleSet.of_conditions(made.conditions(), frame) == made
    assert condition_of(made, frame).mask(frame).tolist() == [True, False, False, False, True]
    assert made.predict(frame).tolist() == [1, 0, 0, 0, 1]
    assert Condition.parse(str(condition_of(made, names)), frame) == condition_of(made, frame)


def test_arrays_and_lacking_columns():
    made = RuleSet.of_conditions(["x1 > 0"], ["x0", "x1"])
    assert made.predict(np.array([[5.0, -1.0], [-5.0, 1.0], [0.0, np.nan]])).tolist() == [0, 1, 0]
    with pytest.raises(MissingColumnError, match="'x1'"):
        made.predict(np.zeros((2, 1)))
    with pytest.raises(ConditionError, match="no column 'age'"):
        condition_of(TWO, ["priors", "race"])
