"""What explains a gap, as readings and keys: verdict, headline and lead follow from one reading."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairaudit import run
from fairaudit.data import read_table
from fairaudit.data.given import as_table
from fairaudit.findings import Points, Word
from fairaudit.measure.explain.results import Estimate
from fairaudit.measure.results import Interval
from fairaudit.messages import say
from fairaudit.plan.audit_plan import AuditPlan, NamesPlan
from fairaudit.plan.names import names_of
from fairaudit.plan.outcomes import OutcomePlan
from fairaudit.plan.questions import CheckPlan, ControlPlan
from fairaudit.sections.explain import other_methods, read_explanation, say_explanation, say_overturning
from fairaudit.sections.explain.answering import run_explanation
from fairaudit.sections.explain.charts import bars_of, explanation_chart, explanation_chart_text
from fairaudit.sections.explain.saying import similar_cases

SAMPLES = Path(__file__).parents[3] / "sample_data"


@cache
def result_of(name):
    """Return what the saved audit of a sample finds."""
    return run(SAMPLES / f"{name}.toml")


def explained(gap, part, left, *, spread=0.02, held=None, checked=None, check="agrees", alone=0.0):
    """Return a finding with these parts, with intervals so far to both sides."""

    def estimate(value, width=spread):
        return Estimate(value, Interval(value - width, value + width))

    one = result_of("berkeley_1973_explained").explanations[0]
    held = left if held is None else held
    adjusted = replace(
        one.result.adjusted_gap,
        value=held,
        interval=Interval(held - spread, held + spread),
        doubly_robust=estimate(held if checked is None else checked),
        check=check,
    )
    table = one.result.by_control.assign(part=part, part_low=part - spread, part_high=part + spread)
    result = replace(
        one.result,
        gap=estimate(gap),
        explained=estimate(part),
        unexplained=estimate(left),
        no_counterpart=estimate(alone, 0.0),
        by_control=table,
        adjusted_gap=adjusted,
    )
    return replace(one, result=result)


@pytest.mark.parametrize(
    ("parts", "verdict", "part", "lead"),
    [
        ((-0.14, -0.14, 0.0), "explained", "all", "explain-lead-part"),
        ((-0.14, -0.18, 0.04), "explained", "all", "explain-lead-more"),
        ((-0.14, -0.125, -0.015), "explained", "nearly-all", "explain-lead-part"),
        ((-0.14, -0.07, -0.07), "partly_explained", "half", "explain-lead-part"),
        ((-0.14, -0.1, -0.04), "partly_explained", "most", "explain-lead-part"),
        ((-0.14, -0.04, -0.1), "partly_explained", "some", "explain-lead-part"),
        ((-0.14, -0.01, -0.13), "not_explained", "hardly-any", "explain-lead-part"),
        ((-0.14, -0.002, -0.138), "not_explained", "hardly-any", "explain-lead-none"),
        ((-0.14, 0.03, -0.17), "not_explained", "none", "explain-lead-none"),
        ((0.14, 0.07, 0.07), "partly_explained", "half", "explain-lead-part"),
        ((0.14, 0.18, -0.04), "explained", "all", "explain-lead-more"),
    ],
)
def test_the_verdict_follows_from_what_is_explained_and_what_is_left(parts, verdict, part, lead):
    one = explained(*parts)
    reading, said = read_explanation(one), say_explanation(one)
    assert (reading.verdict, reading.part) == (verdict, part)
    assert said.verdict.key == f"verdict-{verdict.replace('_', '-')}"
    assert said.headline.key == "explain-headline-part" and said.lead[0].key == lead


@pytest.mark.parametrize(("gap", "part", "left"), [(-0.14, -0.07, -0.07), (-0.10, -0.09, -0.01)])
def test_a_large_part_that_may_be_chance_is_not_said_to_be_explained(gap, part, left):
    one = explained(gap, part, left, spread=0.005)
    wide = Estimate(part, Interval(part - 0.1, part + 0.1))
    said = say_explanation(replace(one, result=replace(one.result, explained=wide)))
    assert said.verdict.key == "verdict-not-explained" and said.headline.key == "explain-headline-unclear"
    assert said.lead[0].key == "explain-lead-gap" and len(say(said.headline).split()) <= 14


def test_not_all_of_a_gap_is_explained_where_some_is_left_for_certain():
    reading = read_explanation(explained(-0.20, -0.192, -0.008, spread=0.001))
    assert (reading.verdict, reading.part) == ("partly_explained", "nearly-all")


def test_a_gap_is_explained_in_part_only_where_more_than_chance_is_left_or_less_than_most_is_explained():
    assert read_explanation(explained(-0.14, -0.07, -0.07, spread=0.06)).verdict == "partly_explained"
    assert read_explanation(explained(-0.14, -0.13, -0.01, spread=0.005)).verdict == "partly_explained"
    assert read_explanation(explained(-0.14, -0.07, -0.07, spread=0.1)).verdict == "too_few_to_tell"


def test_without_a_clear_gap_there_is_none_to_explain_unless_more_than_chance_is_left():
    assert read_explanation(explained(0.0, 0.0, 0.0)).verdict == "no_clear_gap"
    one = explained(0.0, 0.09, -0.09)
    assert read_explanation(one).verdict == "not_explained"
    headline = say_explanation(one).headline
    assert headline.key == "explain-headline-only-left" and dict(headline.args)["direction"] == Word("less")


def test_methods_disagree_where_one_leaves_some_of_the_gap_and_another_none():
    one = explained(-0.14, -0.07, -0.07, held=0.0, checked=-0.07)
    assert read_explanation(one).verdict == "methods_disagree"
    assert say_explanation(one).lead[-1].key == "explain-sure-disagree"
    imprecise = explained(-0.14, -0.07, -0.07, checked=0.0, check="too_imprecise")
    assert read_explanation(imprecise).verdict == "partly_explained"


def test_a_check_that_differs_in_size_alone_makes_it_rough_and_one_that_finds_otherwise_is_the_verdict():
    same = explained(-0.18, -0.1, -0.08, held=-0.09, checked=-0.07, check="disagrees")
    reading = read_explanation(same)
    assert (reading.verdict, reading.is_rough) == ("partly_explained", True)
    assert say_explanation(same).lead[-1].key == "explain-sure-rough"
    other = explained(-0.18, -0.1, -0.08, held=-0.09, checked=0.0, check="disagrees")
    assert read_explanation(other).verdict == "methods_disagree"
    assert say_explanation(other).lead[-1].key == "explain-sure-disagree"
    assert [message.key for message in say_overturning(other)] == ["explain-overturn-differ"]


@given(st.floats(-0.4, 0.4), st.floats(-0.4, 0.4), st.floats(-0.4, 0.4), st.floats(0, 0.3), st.booleans())
def test_the_annexes_say_that_methods_differ_where_the_verdict_does(part, left, held, spread, contradicts):
    check = "disagrees" if contradicts else "agrees"
    one = explained(part + left, part, left, spread=spread, held=held, check=check)
    differ = say_overturning(one)[0].key == "explain-overturn-differ"
    assert differ == (read_explanation(one).verdict == "methods_disagree")


def test_methods_that_differ_on_the_side_of_what_is_explained_make_it_rough():
    one = explained(-0.14, -0.14, 0.0, held=0.05, checked=0.05)
    assert read_explanation(one).verdict == "explained" and read_explanation(one).is_rough
    assert say_explanation(one).lead[-1].key == "explain-sure-rough"


@pytest.mark.parametrize(
    ("held", "checked", "key", "low", "high"),
    [
        (0.02, 0.05, "explain-others-same", 0.02, 0.05),
        (-0.05, -0.02, "explain-others-same", 0.02, 0.05),
        (0.02, -0.05, "explain-others-both", 0.05, 0.02),
        (0.02, 0.02, "explain-others-one", 0.02, 0.02),
    ],
)
def test_other_methods_are_a_range(held, checked, key, low, high):
    [message] = other_methods(explained(-0.14, -0.1, -0.04, held=held, checked=checked))
    args = dict(message.args)
    assert (message.key, args["low"], args["high"]) == (key, Points(low), Points(high))


def test_a_hidden_answer_says_no_figure():
    one = explained(-0.14, -0.07, -0.07)
    hidden = replace(one, result=replace(one.result, gap=Estimate(None, Interval(None, None))))
    said = say_explanation(hidden)
    assert said.verdict.key == "verdict-not-shown" and not said.lead and other_methods(hidden) == ()


sizes = st.floats(-0.4, 0.4)


@pytest.mark.thorough
@given(sizes, sizes, sizes, st.floats(0, 0.3), st.floats(-0.1, 0.1), st.booleans())
def test_any_answer_can_be_said_and_drawn(part, left, held, spread, alone, turned):
    one = explained(part + left + alone, part, left, spread=spread, held=held, alone=alone)
    one = replace(one, names=replace(one.names, of_unfavorable=turned))
    said = say_explanation(one)
    assert len(say(said.headline).split()) <= 16 and 2 <= len(said.lead) <= 3
    for message in (*said.lead, *said.caution, *other_methods(one)):
        text = say(message)
        assert len(re.findall(r"\d[\d,.]*", text)) <= 2 and len(text.split()) <= 26, text
        assert "{" not in text and "  " not in text and "nan" not in text
    explanation_chart(one).to_dict()
    explanation_chart(one, narrow=True).to_dict()
    assert "nan" not in explanation_chart_text(one)


@pytest.mark.parametrize("name", ["berkeley_1973_explained", "municipal_pay_explained"])
def test_the_bars_lead_from_the_whole_gap_to_what_is_left(name):
    one = result_of(name).explanations[0]
    whole, *parts = bars_of(one)
    assert [bar.start for bar in parts[1:]] == pytest.approx([bar.start + bar.value for bar in parts[:-1]])
    assert parts[0].start == 0 and parts[-1].start + parts[-1].value == pytest.approx(whole.value)
    assert parts[-1].value == pytest.approx(one.result.unexplained.value)


def test_where_the_unfavourable_result_is_spoken_of_direction_and_bars_turn():
    one = explained(-0.14, -0.07, -0.07)
    turned = replace(one, names=replace(one.names, of_unfavorable=True))
    assert dict(say_explanation(turned).lead[0].args)["direction"] == Word("more")
    assert bars_of(turned)[0].value == pytest.approx(0.14) and read_explanation(turned) == read_explanation(one)


def test_groups_are_called_as_the_question_says_or_the_check_of_the_same_people():
    plan = AuditPlan.from_toml(
        """schema_version = 1
[data]
source = "t.csv"
[decision]
column = "passed"
favorable = ["yes"]
[[checks]]
protected = "sex = 'f'"
protected_name = "women"
others_name = "men"
[[explanations]]
protected = "sex = 'f'"
controls = [{column = "grade", reason = "set by others"}]
"""
    )
    rows = ["f,yes,a", "f,no,b", "f,no,a", "m,yes,a", "m,yes,b", "m,no,b"]
    table = read_table("\n".join(["sex,passed,grade", *rows * 20]).encode(), name="t.csv")
    [asked] = plan.explanations
    assert "women and men" in say(say_explanation(run_explanation(table, plan, asked)).headline)
    named = asked.model_copy(update={"others_name": "boys", "controls": (ControlPlan.without_reason("grade"),)})
    assert named.lacks_reason == ("grade",)
    assert "women and boys" in say(say_explanation(run_explanation(table, plan, named)).headline)


def test_one_column_has_one_phrase_in_a_check_and_in_what_explains_its_gap():
    plan = AuditPlan.load(SAMPLES / "berkeley_1973_explained.toml")
    [asked, *_] = plan.explanations
    rows = pd.DataFrame(
        {"decision": ["yes", "no", "no", "yes"] * 50, "sex": ["f", "m"] * 100, "points": [*range(40)] * 5}
    )
    asked = asked.model_copy(
        update={
            "protected": "sex = 'f'",
            "controls": (ControlPlan(column="points", reason="known before"),),
            "where": None,
        }
    )
    check = CheckPlan(protected="sex = 'f'", strata=("points",), strata_cuts={"points": (20,)})
    decision = OutcomePlan(column="decision", favorable=("yes",))
    for cuts, key in ((check.strata_cuts, "name-similar-bands"), ({}, "name-similar-values")):
        checks = (check.model_copy(update={"strata_cuts": cuts}),)
        one = plan.model_copy(update={"decision": decision, "checks": checks, "names": NamesPlan()})
        finding = run_explanation(rows, one, asked)
        table = as_table(rows)
        named = names_of(one, checks[0], table.condition(check.protected))
        assert similar_cases(finding) == named.similar and named.similar.key == key
