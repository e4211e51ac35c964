"""Errors of a plan whose prediction has levels: what is said, drawn, tabulated and hidden."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from fairaudit import AuditPlan, check_level_errors, run
from fairaudit.disclosure.gate import exported
from fairaudit.errors import PlanError
from fairaudit.messages import say
from fairaudit.plan.audit_plan import DataPlan
from fairaudit.plan.outcomes import OutcomePlan
from fairaudit.plan.questions import ErrorsPlan
from fairaudit.sections.errors import read_errors, say_errors
from fairaudit.sections.errors.chapter import errors_opening
from fairaudit.sections.errors.charts import errors_chart_text
from fairaudit.sections.errors.reading import levels_of
from fairaudit.sections.errors.section import ErrorsSection, ExportedErrors

GRADES = ("A", "B", "C")


def made(parts) -> pd.DataFrame:
    """Return a row a person: by office and group, how many truly at B are predicted A, B and C."""
    people = [
        (office, group, "B", guess)
        for (office, group), counts in parts.items()
        for guess, n in zip(GRADES, counts, strict=True)
        for _ in range(n)
    ]
    # A fifth as many are truly at either other level, and mostly predicted right.
    people += [
        (office, group, level, guess)
        for (office, group), counts in parts.items()
        for level in ("A", "C")
        for guess in GRADES
        for _ in range(sum(counts) // 5 * (8 if guess == level else 1) // 10)
    ]
    return pd.DataFrame(people, columns=["office", "sex", "grade", "guess"])


def found(parts, *, ordered=True, hide=False, is_outcome=True, **asked):
    plan = AuditPlan(
        data=DataPlan(source="table"),
        decision=OutcomePlan(column="grade", levels=GRADES, ordered=ordered, is_outcome=is_outcome),
        prediction=OutcomePlan(column="guess", levels=GRADES, ordered=ordered),
        errors=(ErrorsPlan(by=("sex",), **asked),),
    )
    result = run(plan, data=made(parts))
    if hide:
        small_cells = plan.small_cells.model_copy(update={"mask": True})
        result = exported(replace(result, plan=plan.model_copy(update={"small_cells": small_cells})))
    [finding] = result.errors
    return finding


LOWER = {("Hill", "F"): (20, 200, 180), ("Hill", "M"): (20, 330, 50)}
HIGHER = {("Hill", "F"): (180, 200, 20), ("Hill", "M"): (50, 330, 20)}
ALIKE = {("Hill", "F"): (400, 4000, 400), ("Hill", "M"): (400, 4000, 400)}
FEW = {("Hill", "F"): (2, 4, 4), ("Hill", "M"): (3, 6, 1)}
SMALL = {("Hill", "F"): (20, 800, 130), ("Hill", "M"): (20, 850, 80)}
APART = {
    ("Hill", "F"): (20, 800, 800), ("Hill", "M"): (3, 100, 100),
    ("Mill", "F"): (4, 200, 10), ("Mill", "M"): (30, 1600, 80),
}  # fmt: skip
"""In one office many are placed too low, in the other few; the same of women and men."""


@pytest.mark.parametrize(
    ("parts", "ordered", "verdict", "headline"),
    [
        (LOWER, True, "clear_gap", "errors-headline-more"),
        (LOWER, False, "clear_gap", "errors-headline-more"),
        (ALIKE, True, "no_gap_above_tolerance", "errors-headline-alike-two-one"),
        (ALIKE, False, "no_gap_above_tolerance", "errors-headline-alike-two-one"),
        (SMALL, True, "gap_size_unclear", "errors-headline-more-perhaps-small"),
        (FEW, True, "too_few_to_tell", "errors-headline-too-few"),
    ],
)
def test_one_verdict_is_said_of_all_errors_of_a_level(parts, ordered, verdict, headline):
    finding = found(parts, ordered=ordered)
    said = say_errors(finding)
    assert read_errors(finding).verdicts == ErrorsSection().verdicts(finding) == (verdict,)
    assert said.headline.key == headline and said.verdict.key == f"verdict-{verdict.replace('_', '-')}"
    assert not said.also and len(said.lead) <= 3


@pytest.mark.parametrize(("parts", "words"), [(LOWER, "placed too low"), (HIGHER, "placed too high")])
def test_the_headline_names_the_direction_and_the_picture_shows_both(parts, words):
    finding = found(parts)
    assert words in say(say_errors(finding).headline)
    text = errors_chart_text(finding)
    assert "placed too low" in text and "placed too high" in text
    assert [error.kind for error in read_errors(finding).drawn] == ["too_low", "too_high"]


def test_the_first_page_names_the_errors_of_levels_and_not_those_of_yes_and_no():
    opening = errors_opening(found(LOWER), 1)
    said = " ".join([opening.likely or "", *(row[0] for row in opening.rows)])
    assert "laced too low" in said and "flagged" not in said and "missed" not in said


def test_without_an_order_only_a_wrong_level_is_spoken_of():
    finding = found(LOWER, ordered=False)
    [error] = read_errors(finding).errors
    assert error.kind == "wrong" and "given a wrong level" in say(say_errors(finding).headline)


@pytest.mark.parametrize(
    ("parts", "headline", "lead"),
    [
        (APART, "level-errors-headline-gone", "level-errors-within-gone"),
        (LOWER | {("Mill", sex): n for (_, sex), n in LOWER.items()}, "level-errors-headline-same",
         "level-errors-within-same"),
    ],
)  # fmt: skip
def test_similar_cases_have_the_gap_too_or_do_not(parts, headline, lead):
    said = say_errors(found(parts, strata=("office",)))
    assert said.headline.key == headline and said.lead[-1].key == lead


def test_the_report_and_its_tables_hold_all_of_it():
    plan_tables = {table.key for table in ErrorsSection().tables(found(LOWER, strata=("office",)), 1)}
    assert {f"errors_1_level_{name}" for name in ("shares", "recall", "gaps", "strata", "counts")} <= plan_tables


def test_where_small_counts_are_hidden_levels_are_not_shown_and_the_answer_is_yes_or_no():
    finding = found(LOWER, hide=True, strata=("office",))
    assert levels_of(finding) is None and finding.levels.counts.empty and finding.levels.recall.empty
    assert finding.levels.metrics.empty and finding.levels.within.strata.empty and finding.levels.by_level == ()
    assert "level-errors-not-shown" in {each.key for each in say_errors(finding).caution}
    assert not any("level" in table.key for table in ErrorsSection().tables(finding, 1))
    assert {error.kind for error in read_errors(finding).errors} == {"flagged", "missed"}


def test_an_export_holds_levels_beside_the_verdicts_on_yes_and_no():
    held = ExportedErrors.of(found(LOWER))
    assert held.levels.verdict == "clear_gap" and "placed too low" in held.sentence
    assert held.flagged == read_errors(replace(found(LOWER), levels=None)).verdicts[0]


def test_a_prediction_held_against_a_decision_is_said_to_be_so():
    keys = {each.key for each in say_errors(found(LOWER, is_outcome=False)).caution}
    assert keys == {"errors-against-decision"}


def test_in_python_it_says_draws_and_tabulates_itself():
    result = check_level_errors(
        made(LOWER), decision="grade", prediction="guess", by="sex", levels=GRADES, ordered=True
    )
    assert "placed too low" in str(result) and result.verdict == "clear_gap"
    assert list(result.to_frame()["group"]) == ["F", "M"] and result.chart().to_dict()["layer"]
    assert np.isclose(result.metrics["right"], [328 / 560, 458 / 560]).all()


PLAN = """schema_version = 1
[data]
source = "a.csv"
[decision]
column = "grade"
levels = ["A", "B", "C"]
ordered = true
[prediction]
column = "guess"
{prediction}
[[errors]]
by = ["sex"]
{errors}
"""


@pytest.mark.parametrize(
    ("prediction", "errors", "said"),
    [
        ('levels = ["A", "B"]\nordered = true', "", "another 'levels' than the decision"),
        ('levels = ["B", "A", "C"]\nfavorable = ["A"]\nordered = true', "", "another 'levels'"),
        ('levels = ["A", "B", "C"]', "", "another 'ordered'"),
        ('levels = ["A", "B", "C"]\nfavorable = ["A", "B"]\nordered = true', "", "another 'favorable'"),
        ('favorable = ["A"]', 'strata = ["office"]', "'strata' in errors"),
    ],
)
def test_a_plan_whose_prediction_has_other_levels_is_refused(prediction, errors, said):
    with pytest.raises(PlanError, match=said):
        AuditPlan.from_toml(PLAN.format(prediction=prediction, errors=errors))


def test_a_plan_with_predicted_levels_comes_back_from_its_file():
    text = PLAN.format(prediction='levels = ["A", "B", "C"]\nordered = true', errors='strata = ["office"]')
    plan = AuditPlan.from_toml(text)
    assert plan.prediction.levels == GRADES and plan.errors[0].strata == ("office",)
    assert AuditPlan.from_toml(plan.to_toml()) == plan
