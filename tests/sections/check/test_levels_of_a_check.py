"""A check of a decision in levels: what is said, what similar cases change, and what small counts leave."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest
from sources import ROOT

from fairaudit import AuditPlan, check_levels, run
from fairaudit.disclosure.gate import exported
from fairaudit.errors import PlanError
from fairaudit.findings import Amount, Phrase
from fairaudit.measure.verdicts import GAPS
from fairaudit.messages import say
from fairaudit.plan.audit_plan import DataPlan
from fairaudit.plan.outcomes import OutcomePlan
from fairaudit.plan.questions import CheckPlan
from fairaudit.sections.check.reading import gap_there, largest_gap, levels_of, read_check
from fairaudit.sections.check.saying import say_check
from fairaudit.sections.check.tables import check_tables

GRADES = ("A", "B", "C")


def made(parts, levels=GRADES) -> pd.DataFrame:
    """Return a row a person: by office, women and men with these counts by level."""
    people = [
        (office, sex, level)
        for office, counts in parts.items()
        for sex, n in zip("FM", counts, strict=True)
        for level, k in zip(levels, n, strict=True)
        for _ in range(k)
    ]
    return pd.DataFrame(people, columns=["office", "sex", "grade"])


def found(parts, *, ordered=True, hide=False, **asked):
    """Answer a check of women and men in levels."""
    plan = AuditPlan(
        data=DataPlan(source="table"),
        decision=OutcomePlan(column="grade", levels=GRADES, ordered=ordered),
        checks=(CheckPlan(protected="sex = 'F'", protected_name="women", others_name="men", **asked),),
    )
    result = run(plan, data=made(parts))
    if hide:
        small_cells = plan.small_cells.model_copy(update={"mask": True})
        result = exported(replace(result, plan=plan.model_copy(update={"small_cells": small_cells})))
    [finding] = result.checks
    return finding


WORSE = {"Hill": ((40, 80, 120), (120, 80, 40))}
ALIKE = {"Hill": ((400, 400, 400), (400, 400, 400))}
FEW = {"Hill": ((4, 4, 5), (5, 4, 4))}
APART = {"Hill": ((200, 100, 60), (20, 10, 6)), "Mill": ((10, 60, 120), (60, 360, 720))}
"""One office gives good grades, mostly to women; the same to either in each."""


@pytest.mark.parametrize(
    ("parts", "ordered", "verdict", "headline"),
    [
        (WORSE, True, "clear_gap", "levels-headline-placed"),
        (WORSE, False, "clear_gap", "levels-headline-got"),
        (ALIKE, True, "no_gap_above_tolerance", "levels-headline-placed-alike"),
        (ALIKE, False, "no_gap_above_tolerance", "levels-headline-got-alike"),
        (FEW, True, "too_few_to_tell", "check-headline-too-few"),
        (FEW, False, "too_few_to_tell", "check-headline-too-few"),
    ],
)
def test_one_verdict_is_said_of_all_levels(parts, ordered, verdict, headline):
    finding = found(parts, ordered=ordered)
    said = say_check(finding)
    assert read_check(finding).verdict == verdict and said.headline.key == headline


@pytest.mark.parametrize("ordered", [True, False])
def test_a_gap_that_similar_cases_do_not_have_is_said_to_be_gone(ordered):
    finding = found(APART, ordered=ordered, strata=("office",))
    assert read_check(finding).answer == "gap_overall_none_within"
    assert say_check(finding).headline.key.endswith("none-within")


def test_a_gap_in_each_office_is_said_to_be_in_similar_cases_too():
    finding = found(WORSE | {"Mill": WORSE["Hill"]}, strata=("office",), compare=(("office",),))
    assert read_check(finding).within == "same"
    assert say_check(finding).headline.key == "levels-headline-placed-within"
    keys = {table.key for table in check_tables(finding, 1)}
    assert {f"check_1_levels{part}" for part in ("", "_gaps", "_pairs", "_strata", "_groups_1")} <= keys


TURNED = {"Hill": ((100, 5, 5), (800, 200, 50)), "Mill": ((240, 710, 100), (8, 97, 5))}
"""In each office women get the best grade more often; most ask where few get it."""
ELSEWHERE = {"Hill": ((1200, 280, 120), (300, 40, 60)), "Mill": ((40, 220, 140), (160, 640, 800))}
"""The best grade differs overall but in neither office, where the others do."""


def test_a_gap_of_unordered_levels_that_points_the_other_way_among_similar_cases_is_turned():
    finding = found(TURNED, ordered=False, strata=("office",))
    [named, *_] = levels_of(finding).answer.levels
    [there, *_] = levels_of(finding).within.together.levels
    assert named.verdict == there.verdict == "clear_gap" and named.difference < 0 < there.difference
    reading, said = read_check(finding), say_check(finding)
    assert reading.answer == "turns_around_within" and reading.fails_on == "clear_gap"
    assert said.headline.key == "levels-headline-got-turned"
    text = " ".join(map(say, (said.headline, *said.lead)))
    assert "Women got A less often overall, but not so " in text and "women got A more often than men" in text


def test_a_gap_at_another_level_among_similar_cases_is_not_called_the_same():
    finding = found(ELSEWHERE, ordered=False, strata=("office",))
    levels = levels_of(finding)
    named = largest_gap(levels.answer.levels)
    there = gap_there(levels.within.together, named)
    assert levels.verdict == levels.within.together.verdict == "clear_gap" and there.verdict not in GAPS
    said = say_check(finding)
    assert read_check(finding).within == "smaller" and said.headline.key == "levels-headline-got"
    [lead] = [each for each in said.lead if each.key == "levels-lead-within-level"]
    assert named.level == "A" and dict(lead.args)["level"] == Phrase("B")


RARE = {"Hill": ((40, 80, 3), (120, 80, 40))}
"""Few women have the last grade."""
FEW_THERE = {"Hill": ((80, 160, 240), (240, 160, 80)), "Mill": ((40, 30, 30), (40, 30, 4))}
"""Few men of one office have it."""


def test_where_few_have_a_level_levels_are_not_shown_and_the_answer_is_yes_or_no():
    finding = found(RARE, hide=True)
    assert levels_of(finding) is None and finding.levels.n_by_level == () and finding.levels.answer.levels == ()
    said = say_check(finding)
    assert said.headline.key == "check-headline-gap" and "levels-not-shown" in {each.key for each in said.caution}
    assert not any("levels" in table.key for table in check_tables(finding, 1))


NEARLY = {"Hill": ((9_800, 10_000, 10_200), (10_000, 10_000, 10_000))}


@pytest.mark.parametrize(("tolerance", "digits"), [(0.0, 1), (0.05, 0)])
def test_half_of_the_pairs_does_not_stand_beside_a_gap(tolerance, digits):
    finding = found(NEARLY, tolerance=tolerance)
    assert (finding.levels.verdict in GAPS) == bool(digits)
    lead = {message.key: dict(message.args) for message in say_check(finding).lead}
    assert lead["levels-lead-pairs"]["n"] == Amount(100 * finding.levels.answer.effect, digits)
    assert round(100 * finding.levels.answer.effect) == 50
    ends = [lead["levels-sure-range"][name] for name in ("low", "high")]
    assert (50 in [round(end.value, end.digits) for end in ends]) is not bool(digits)


def test_where_all_counts_by_level_are_large_they_stay():
    finding = found(WORSE, hide=True)
    assert finding.levels.n_by_level == found(WORSE).levels.n_by_level
    assert read_check(finding).verdict == "clear_gap" and say_check(finding).headline.key == "levels-headline-placed"


def test_where_few_of_a_stratum_have_a_level_only_the_strata_are_hidden():
    finding = found(FEW_THERE, hide=True, strata=("office",), compare=(("sex",),))
    assert levels_of(finding) is not None and finding.levels.within is None
    assert [each.columns for each in finding.levels.by_group] == [("sex",)]
    keys = {table.key for table in check_tables(finding, 1)}
    assert "check-strata-not-shown" in {each.key for each in say_check(finding).caution}
    assert "check_1_levels" in keys and "check_1_levels_strata" not in keys


def test_in_python_levels_say_draw_and_tabulate_themselves():
    result = check_levels(made(WORSE), decision="grade", protected="sex = 'F'", levels=GRADES, ordered=True)
    assert "Clear gap" in str(result) and "of 100 pairs" in " ".join(result.say())
    assert list(result.to_frame()["level"]) == list(GRADES) and result.chart().to_dict()["layer"]


@pytest.mark.parametrize(
    ("decision", "said"),
    [
        ('levels = ["A", "B", "A"]', "names the level 'A' twice"),
        ('levels = ["A"]', "names one level"),
        ('favorable = ["A"]\nordered = true', "needs 'levels'"),
        ('amount = true\nlevels = ["A", "B"]', "an amount does not have"),
    ],
)
def test_levels_of_a_plan_that_do_not_fit_are_said_with_their_reason(decision, said):
    text = f'schema_version = 1\n[data]\nsource = "a.csv"\n[decision]\ncolumn = "grade"\n{decision}\n'
    with pytest.raises(PlanError, match=said):
        AuditPlan.from_toml(text)


def test_a_plan_with_levels_comes_back_from_its_file():
    plan = AuditPlan.load(Path(ROOT) / "sample_data" / "appraisals.toml")
    assert plan.decision.ordered and plan.decision.levels == ("A", "B", "C", "D", "E")
    assert AuditPlan.from_toml(plan.to_toml()) == plan


def test_a_range_whose_rounded_end_would_deny_the_gap_is_left_out():
    finding = found({"a": ([300, 300, 300], [420, 300, 200])})
    answer = finding.levels.answer
    assert answer.verdict in GAPS
    for low, high, is_said in ((0.36, 0.44, True), (0.46, 0.499, True), (0.46, 0.49999, False)):
        levels = replace(finding.levels, answer=replace(answer, effect_interval=(low, high)))
        keys = [each.key for each in say_check(replace(finding, levels=levels)).lead]
        assert ("levels-sure-range" in keys) == is_said
