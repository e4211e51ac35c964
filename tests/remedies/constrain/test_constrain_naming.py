"""What a limit asks for, and what it is called, in words."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairaudit.estimators.constraints import FLOORS, METRICS, FairnessSpec, Metric, aec, parse_specs
from fairaudit.estimators.constraints.metrics import Columns, Conditions
from fairaudit.remedies.constrain.words import asked_text, limit_name

OWN = Metric("own", "share missed late", lambda y, h: (np.zeros(len(y)), 0.0))
DISTINCT = st.lists(st.text(min_size=1, max_size=30).filter(str.strip), min_size=2, max_size=9, unique=True)


def words(text, positive_meaning="loan granted"):
    (spec,) = parse_specs(text)
    return asked_text(spec, positive_meaning=positive_meaning)


def test_each_metric_has_a_sentence_of_its_own():
    limits = {words(f"{metric} by race <= 0.03") for metric in METRICS}
    floors = {words(f"{metric} by race >= 0.8") for metric in FLOORS}
    assert len(limits) == len(METRICS) and all("at most 3 points between any two groups of race" in t for t in limits)
    assert len(floors) == len(FLOORS) and all("at least 80% in each group of race" in text for text in floors)


@pytest.mark.parametrize("metric", sorted(set(METRICS) - {"error_rate"}))
def test_the_positive_outcome_is_said_in_words(metric):
    assert words(f"{metric} by race <= 0.03").count("“loan granted”") == 1


@pytest.mark.parametrize(
    ("groups", "end"),
    [
        ("race", "between any two groups of race."),
        ("race, sex", "between any two groups of race and sex."),
        ('["age < 25", "age >= 60" as "older"]', "between age < 25 and older."),
        ('["age < 25" as "young", "age >= 60" as "older", "sex = \'F\'"]', "any two of young, older, and sex = 'F'."),
    ],
)
def test_groups_are_columns_crossed_columns_or_named_conditions(groups, end):
    assert words(f"demographic_parity by {groups} <= 0.03").endswith(f" {end}")


def test_of_many_groups_only_some_are_named():
    spec = FairnessSpec("demographic_parity", {f"g{i}": f"age > {i}" for i in range(20)}, 0.1)
    assert asked_text(spec, positive_meaning="hired").endswith("g5, and 14 more.")
    assert len(limit_name(spec)) < 110


@pytest.mark.parametrize(
    ("limit", "shown"),
    [
        (0.03, "3 points"), (0.01, "1 point"), (0.025, "2.5 points"), (1.0, "100 points"), (0.00004, "0.004 points"),
        (5e-10, "0.00000005 points"),
    ],
)  # fmt: skip
def test_limits_are_said_in_points_with_the_digits_that_they_have(limit, shown):
    spec = FairnessSpec("demographic_parity", "race", limit)
    assert f"by at most {shown} between" in asked_text(spec, positive_meaning="hired")


def test_costs_and_own_metrics_are_said_in_their_unit():
    assert "a false negative 5) differs by at most 0.05 between" in words("aec(1, 5) by race <= 0.05")
    assert "costs 0.5," in asked_text(FairnessSpec(aec(0.5, 2), "race", 1.5), positive_meaning="hired")
    shown = asked_text(FairnessSpec(OWN, "race", 2.5), positive_meaning="hired")
    assert shown == "The share missed late differs by at most 2.5 between any two groups of race."


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("fpr by race <= 0.03", "False positive rate by race"),
        ("demographic_parity by race, sex <= 0.03", "Share of positive predictions by race, sex"),
        ("error_rate by race <= 0.03", "Share of wrong predictions by race"),
        ("aec(1, 5) by race <= 0.03", "Average cost of errors (1, 5) by race"),
        ("errors(1, 5) by race <= 0.03", "Weighted error rates (1, 5) by race"),
        ('fdr by ["age < 25" as "young", "age >= 60"] <= 0.03', "False discovery rate by young, age >= 60"),
    ],
)
def test_a_name_is_short(text, label):
    assert limit_name(*parse_specs(text)) == label


@settings(max_examples=100, deadline=None)
@given(names=DISTINCT, crossed=st.booleans(), meaning=st.text(max_size=200))
def test_any_names_give_one_line_that_can_be_shown(names, crossed, meaning):
    groups = Columns(tuple(names)) if crossed else Conditions(tuple(zip(names, names[::-1], strict=True)))
    for metric in ("fpr", "aec(1, 5)", OWN):
        spec = FairnessSpec(metric, groups, 0.1)
        shown = asked_text(spec, positive_meaning=meaning)
        assert shown.isprintable() and limit_name(spec).isprintable()
        assert shown.endswith(".") and shown[0].isupper()
