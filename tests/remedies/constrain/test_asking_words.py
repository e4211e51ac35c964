from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairaudit.estimators.constraints import METRICS, FairnessSpec, Metric, aec, parse_specs
from fairaudit.estimators.constraints.groups import Columns, Conditions
from fairaudit.remedies.constrain.asking_words import metric_label, promise_words, spec_words

OWN = Metric("own", "share missed late", lambda y, h: (np.zeros(len(y)), 0.0))
DISTINCT = st.lists(st.text(min_size=1, max_size=30).filter(str.strip), min_size=2, max_size=9, unique=True)


def words(text, **options):
    (spec,) = parse_specs(text)
    return spec_words(spec, **options)


@pytest.mark.parametrize(
    ("metric", "start"),
    [
        ("sp", "The share of people who are predicted to have the positive outcome differs"),
        ("fpr", "Among people without the positive outcome, the share wrongly predicted to have it differs"),
        ("fnr", "Among people with the positive outcome, the share wrongly predicted not to have it differs"),
        ("for", "Among people predicted not to have the positive outcome, the share who do have it differs"),
        ("fdr", "Among people predicted to have the positive outcome, the share who do not have it differs"),
        ("mr", "The share of people whose prediction is wrong differs"),
    ],
)
def test_each_metric_says_among_whom_and_what_share(metric, start):
    assert words(f"{metric} by race <= 0.03") == f"{start} by at most 3 points between any two groups of race."


def test_the_sentences_name_all_metrics_that_there_are():
    assert len({spec_words(FairnessSpec(metric, "race", 0.03)) for metric in METRICS}) == len(METRICS)


@pytest.mark.parametrize("metric", [*sorted(set(METRICS) - {"mr"}), "aec(1, 5)"])
def test_the_positive_outcome_is_said_in_words(metric):
    shown = words(f"{metric} by race <= 0.03", positive_meaning="loan granted")
    assert shown.count("the positive outcome (loan granted)") == 1
    assert words(f"{metric} by race <= 0.03", positive_meaning=" ") == words(f"{metric} by race <= 0.03")


@pytest.mark.parametrize(
    ("groups", "end"),
    [
        ("race", "between any two groups of race."),
        ("race, sex", "between any two groups of race and sex together."),
        ('race, "marital status", sex', "between any two groups of race, marital status, and sex together."),
        ('["age < 25", "age >= 60" as "older"]', "between 'age < 25' and 'older' (age >= 60)."),
        (
            '["age < 25" as "young", "age >= 60" as "older", "sex = \'F\'"]',
            "between any two of 'young' (age < 25), 'older' (age >= 60), and 'sex = 'F''.",
        ),
    ],
)
def test_groups_are_columns_crossed_columns_or_named_conditions(groups, end):
    assert words(f"sp by {groups} <= 0.03").endswith(f" {end}")


def test_of_many_groups_only_some_are_named():
    named = {f"g{i}": f"age > {i}" for i in range(20)}
    shown = spec_words(FairnessSpec("sp", named, 0.1))
    assert shown.endswith("'g5' (age > 5), and 14 more.")
    assert len(metric_label(FairnessSpec("sp", named, 0.1))) < 110


@pytest.mark.parametrize(
    ("limit", "shown"),
    [(0.03, "3 points"), (0.01, "1 point"), (0.025, "2.5 points"), (1.0, "100 points"), (0.00004, "0.004 points")],
)
def test_limits_are_said_in_points(limit, shown):
    assert f"by at most {shown} between" in spec_words(FairnessSpec("sp", "race", limit))


def test_a_tiny_limit_is_not_called_zero():
    assert "by at most 5e-10 between" in spec_words(FairnessSpec("sp", "race", 5e-10))


def test_costs_are_said_with_their_unit_and_price():
    assert words("aec(1, 5) by race <= 0.05", positive_meaning="loan granted") == (
        "The cost of wrong predictions per person differs by at most 0.05 between any two groups of race, where "
        "wrongly predicting the positive outcome (loan granted) costs 1 and wrongly predicting that it is not "
        "there costs 5."
    )
    assert "costs 0.5 and" in spec_words(FairnessSpec(aec(0.5, 2), "race", 1.5))


def test_a_metric_of_ones_own_is_said_in_its_words_and_unit():
    shown = spec_words(FairnessSpec(OWN, "race", 2.5))
    assert shown == "The share missed late differs by at most 2.5 between any two groups of race."


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("fpr by race <= 0.03", "False positive rate by race"),
        ("sp by race, sex <= 0.03", "Share of positive predictions by race, sex"),
        ("mr by race <= 0.03", "Share of wrong predictions by race"),
        ("aec(1, 5) by race <= 0.03", "Average cost of errors (1, 5) by race"),
        ('fdr by ["age < 25" as "young", "age >= 60"] <= 0.03', "False discovery rate by young, age >= 60"),
    ],
)
def test_a_label_is_short(text, label):
    assert metric_label(*parse_specs(text)) == label


@settings(max_examples=100, deadline=None)
@given(names=DISTINCT, crossed=st.booleans(), meaning=st.none() | st.text(max_size=200))
def test_any_names_give_one_line_that_can_be_shown(names, crossed, meaning):
    groups = Columns(tuple(names)) if crossed else Conditions(tuple(zip(names, names[::-1], strict=True)))
    for metric in ("fpr", "aec(1, 5)", OWN):
        spec = FairnessSpec(metric, groups, 0.1)
        shown = spec_words(spec, positive_meaning=meaning)
        assert shown.isprintable()
        assert metric_label(spec).isprintable()
        assert shown.endswith(".")
        assert shown[0].isupper()


def test_promises_are_whole_sentences_and_concern_the_metrics_at_hand():
    plain, among_predicted = (promise_words(parse_specs(f"{name} by race <= 0.1")) for name in ("fpr", "fdr"))
    assert plain == promise_words()
    assert among_predicted[:-1] == plain
    assert "false discovery rate" in among_predicted[-1]
    assert promise_words((FairnessSpec(OWN, "race", 1),)) == plain
    for sentence in among_predicted:
        assert re.fullmatch(r"[A-Z].*\.", sentence)
    shown = " ".join(plain)
    assert all(word in shown for word in ("tuning rows", "by chance", "any one person", "why groups differ"))
