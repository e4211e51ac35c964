"""What the form of a rule says: verdicts that cannot be taken for the opposite, and all that is to be published."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pandas as pd
import pytest

from fairaudit.audit.running import run
from fairaudit.measure.significance import one_more_person
from fairaudit.plan import AuditPlan, CheckPlan, DataPlan, OutcomePlan, ScorePlan
from fairaudit.present.blocks import Paragraph
from fairaudit.presets import load_preset
from fairaudit.presets.chapter import preset_document
from fairaudit.presets.csv_file import preset_csv
from fairaudit.presets.filling import run_preset
from fairaudit.presets.findings import PresetFinding
from fairaudit.presets.means_words import mean_reading
from fairaudit.presets.methods import how_computed
from fairaudit.presets.plan import PresetPlan
from fairaudit.presets.tables import facts
from fairaudit.presets.words import preset_chip, preset_verdict, row_reading, table_note
from fairaudit.report import to_json

PLAN = AuditPlan(data=DataPlan(source="t.csv"), decision=OutcomePlan(column="hired", favorable=("yes",)))
TWO_LIMITS = """
[[checks]]
measure = "rates"
by = [["{role}"]]
reference = "highest"
threshold = {limit}
significance = true
deviations = {deviations}
"""


def form(preset: str, groups: dict, *names: str, base: Path | None = None, **settings) -> PresetFinding:
    """Fill a form from the people and the selected people of each group."""
    rows = [
        (*(group if isinstance(group, tuple) else (group,)), "yes" if i < selected else "no")
        for group, (n, selected) in groups.items()
        for i in range(n)
    ]
    frame = pd.DataFrame(rows, columns=[*names, "hired"])
    part = PresetPlan(preset=preset, columns={name: name for name in names}, **settings)
    return run_preset(frame, PLAN, part, base=base)


def test_a_comparison_group_with_the_lower_rate_is_shown_and_who_to_compare_with():
    finding = form("fair_lending", {"F": (600, 180), "M": (400, 240)}, "sex")
    answer, rest = preset_verdict(finding)
    assert (
        "The comparison group F has a lower rate than M: M is approved 2.00 times as often, by more than chance."
        in answer
    )
    assert "Choose M as comparison group" in answer
    assert "No adverse impact ratio" not in answer and "lowest is 2" not in rest
    [reading] = [row_reading(finding.rates[0], row) for row in finding.rates[0].table.rows if row.name == "M"]
    assert reading.startswith("higher than that compared with, more than chance")
    other = preset_verdict(form("fair_lending", {"F": (600, 180), "M": (400, 240)}, "sex", references={"sex": "M"}))
    assert other[0] == "The adverse impact ratio is below 0.80, by more than chance, for F."


@pytest.mark.parametrize(
    ("groups", "text", "sort"),
    [
        ({"F": (600, 180), "M": (400, 240)}, "Below 0.80", "gap"),
        ({"F": (10, 3), "M": (10, 5)}, "Below 0.80, may be chance", "open"),
        ({"F": (20_000, 9_000), "M": (20_000, 10_000)}, "Clear gap", "gap"),
        ({"F": (1000, 499), "M": (1000, 500)}, "None below 0.80", "alike"),
        ({"F": (100, 40)}, "Nothing to compare", "quiet"),
    ],
)
def test_the_chip_of_a_form_says_what_its_ratios_come_to(groups, text, sort):
    chip = preset_chip(form("eeoc_uniform_guidelines", groups, "sex"))
    assert (chip.text, chip.sort) == (text, sort)


def test_one_person_of_a_nearly_equal_pair_of_rates_turns_nothing_round():
    assert not one_more_person(499, 1000, 500, 1000).reverses
    assert one_more_person(3, 20, 16, 80).reverses, "the ratio is 0.75, and one different person makes it 1.07"
    shown = preset_verdict(form("eeoc_uniform_guidelines", {"F": (1000, 499), "M": (1000, 500)}, "sex"))
    assert "One " not in shown[1]
    few = form("eeoc_uniform_guidelines", {"F": (20, 3), "M": (80, 16)}, "sex")
    assert "One person more or fewer would cross 0.80 for F." in preset_verdict(few)[1]
    assert "One different person would give the higher rate to F." in preset_verdict(few)[1]


def test_the_guidelines_keep_small_groups_in_and_name_those_that_a_plan_leaves_out():
    groups = {"A": (985, 500), "B": (15, 0)}
    kept = form("eeoc_uniform_guidelines", groups, "race")
    assert "for B" in preset_verdict(kept)[0] and kept.rates[0].table.rows[1].small
    left = form("eeoc_uniform_guidelines", groups, "race", leave_out_small=True)
    assert "Left out of the impact ratios, because they are small: B." in preset_verdict(left)[0]


def test_no_reason_is_made_up_where_the_auditor_gave_none():
    groups = {("F", "A"): (500, 250), ("M", "A"): (480, 240), ("F", "B"): (10, 5), ("M", "B"): (9, 4)}
    silent = form("nyc144", groups, "sex", "race", leave_out_small=True)
    assert "Reason: not given, though the rule asks for it." in table_note(silent, silent.rates[1])
    assert dict(facts(silent))["Why small groups are left out"] == "not given, though the rule asks for it"
    said = form("nyc144", groups, "sex", "race", leave_out_small=True, reason="seventeen of them are trainees")
    assert "Reason: seventeen of them are trainees." in table_note(said, said.rates[1])
    assert "those with all its values known" in table_note(said, said.rates[1])


def test_each_date_is_read_or_called_missing_by_itself():
    shown = dict(
        facts(form("nyc144", {("F", "A"): (50, 25), ("M", "B"): (50, 20)}, "sex", "race", audit_date="2026-03-01"))
    )
    assert shown["Date of the bias audit"] == "2026-03-01"
    assert shown["Distribution date (first use of the tool)"].startswith("not given")


def test_the_one_csv_holds_the_facts_the_reason_and_the_notes():
    groups = {("F", "A"): (500, 250), ("M", "A"): (480, 240), ("F", "B"): (10, 5), ("M", "B"): (9, 4)}
    finding = form(
        "nyc144",
        groups,
        "sex",
        "race",
        leave_out_small=True,
        reason="trainees",
        data_words="the register",
        audit_date="2026-03-01",
    )
    table = pd.read_csv(io.BytesIO(preset_csv(finding)))
    lines = table[table["table"] == "facts"].set_index("group")["reading"]
    for label, value in facts(finding):
        assert lines[label] == value
    assert (
        lines["Source and explanation of the data"] == "the register" and lines["Marked"] == "impact ratio below 0.80"
    )
    assert "Reason: trainees." in lines["note on by race/ethnicity"]


def test_what_was_counted_as_unknown_is_shown_in_facts_and_csv():
    groups = {"A": (50, 25), "B": (50, 20), "NA": (5, 1), "  ": (5, 1)}
    finding = form("fair_lending", groups, "race")
    shown = dict(facts(finding))["Counted as unknown"]
    assert shown.startswith("race: ") and "NA" in shown and "(blank)" in shown
    assert shown in preset_csv(finding).decode("utf-8-sig")


def test_the_json_holds_what_was_counted_as_unknown_and_the_file():
    rows = [("A", "yes"), ("A", "no"), ("B", "yes"), ("B", "no"), ("NA", "no")]
    part = PresetPlan(preset="fair_lending", columns={"race": "race"})
    plan = PLAN.model_copy(update={"presets": (part,)})
    [shown] = json.loads(to_json(run(plan, table=pd.DataFrame(rows, columns=["race", "hired"]))))["presets"]
    assert shown["counted_as_unknown"] == [{"column": "race", "values": ["NA"]}] and shown["file_name"] is None


@pytest.fixture
def own_file(tmp_path, local_rule_text) -> Path:
    path = tmp_path / "own.toml"
    path.write_text(local_rule_text, encoding="utf-8")
    return path


@pytest.fixture
def local_rule_text() -> str:
    return """
key = "own"
title = "Own rule"
rule = "A rule"
section = "1"
date = "2026"
covers = ["Rates."]
does_not_cover = ["The rest."]
notice = "This is not legal advice."
[[roles]]
role = "sex"
label = "Sex"
[[roles]]
role = "area"
label = "Area"
""" + "".join(
        TWO_LIMITS.format(role=role, limit=limit, deviations=z)
        for role, limit, z in (("sex", 0.95, 2), ("area", 0.5, 3))
    )


def test_each_table_is_shown_with_its_own_limit_and_the_file_is_named(own_file):
    groups = {("F", "East"): (100, 40), ("M", "East"): (100, 60), ("F", "West"): (100, 36), ("M", "West"): (100, 44)}
    finding = form("own.toml", groups, "sex", "area", base=own_file.parent)
    answer = preset_verdict(finding)[0]
    assert "By sex: the impact ratio is below 0.95" in answer and "By area: no impact ratio is below 0.50" in answer
    assert "below 0.50, " not in answer.split("By area")[0] and "for West" not in answer.split("By area")[1]
    how = " ".join(how_computed(finding))
    assert "(by sex): the difference of two rates is larger than 2 " in how
    assert "(by area): the difference of two rates is larger than 3 " in how
    assert "own.toml" in dict(facts(finding)).values()


@pytest.mark.parametrize("preset", ["eeoc_uniform_guidelines", "fair_lending"])
def test_where_nobody_is_selected_that_is_the_reason(preset):
    answer, rest = preset_verdict(form(preset, {"F": (50, 0), "M": (50, 0), "X": (9, 9)}, "sex", where="sex <> 'X'"))
    assert "nobody is " in answer and "no second" not in answer and rest == ""


def test_the_tables_that_the_guidelines_ask_for_come_before_the_crossing():
    groups = {("F", "A"): (100, 60), ("M", "A"): (100, 60), ("F", "B"): (100, 20), ("M", "B"): (100, 90)}
    answer, rest = preset_verdict(form("eeoc_uniform_guidelines", groups, "sex", "race"))
    first, crossing = answer.split("By race or ethnicity and sex: ")
    assert "for F" in first and "B, F" not in first.replace("race = ", "") and "below 0.80" in crossing
    assert rest.startswith("By sex or race or ethnicity: the lowest is 0.533, for F")


def test_a_comparison_group_is_not_said_to_have_the_lowest_rate_where_a_third_is_lower_still():
    answer, _ = preset_verdict(form("fair_lending", {"F": (400, 100), "M": (300, 120), "X": (200, 20)}, "sex"))
    assert "The comparison group F has a lower rate than M" in answer and "the lower rate" not in answer


def test_a_comparison_group_of_whom_nobody_is_approved_is_at_a_disadvantage():
    answer, rest = preset_verdict(form("fair_lending", {"F": (40, 0), "M": (30, 12), "X": (20, 4)}, "sex"))
    assert "nobody of the comparison group F is approved, against 40.0" in answer and rest == ""
    assert "F is at a disadvantage. Choose M as comparison group to see the ratio of F." in answer
    other = preset_verdict(form("fair_lending", {"F": (40, 0), "M": (30, 12)}, "sex", references={"sex": "M"}))[0]
    assert "below 0.80, by more than chance, for F" in other


def test_a_table_without_ratios_is_not_passed_over_beside_one_that_has_some():
    groups = {("F", "A"): (40, 0), ("M", "A"): (14, 8), ("M", "B"): (16, 4)}
    answer, _ = preset_verdict(form("fair_lending", groups, "sex", "race"))
    assert "for B" not in answer and "has a lower rate than B" in answer
    assert "nobody of the comparison group F is approved" in answer and "Choose M" in answer


def test_where_the_highest_rate_is_that_of_a_small_group_the_others_are_compared_with_the_next():
    groups = {"A": (800, 400), "C": (195, 80), "B": (5, 4)}
    rest = preset_verdict(form("eeoc_uniform_guidelines", groups, "race"))[1]
    assert "The highest rate is that of B, only 5 applicants, so that a difference to it is seldom more" in rest
    assert "Without B, the highest is A: C is at 0.821, more than chance." in rest


def test_a_small_highest_group_does_not_turn_the_finding_on_the_others_round():
    rest = preset_verdict(form("eeoc_uniform_guidelines", {"F": (600, 180), "M": (400, 160), "X": (5, 5)}, "sex"))[1]
    assert "Without X, the highest is M: F is at 0.750, below 0.80, more than chance." in rest
    assert "seldom" not in rest and "1.333" not in rest, "both differ from X by more than chance"


@pytest.mark.parametrize("tiny", [5, 20])
def test_a_form_without_tests_says_too_that_the_highest_rate_is_that_of_a_few(tiny):
    groups = {("F", "A"): (400, 200), ("M", "A"): (400, 200), ("F", "C"): (195, 80), ("M", "B"): (tiny, tiny - 1)}
    rest = preset_verdict(form("nyc144", groups, "sex", "race"))[1]
    sentence = f"The highest rate is that of B, only {tiny} applicants; every impact ratio by race/ethnicity hangs on"
    assert f"{sentence} them. Without B, the highest is A: C is at 0.821." in rest
    assert "chance" not in rest
    large = groups | {("M", "B"): (200, 190)}
    assert "The highest rate is that of" not in preset_verdict(form("nyc144", large, "sex", "race"))[1]


def test_a_few_people_are_few_in_a_form_that_calls_no_group_small(own_file):
    text = own_file.read_text(encoding="utf-8").replace("significance = true\ndeviations = 2", "")
    own_file.write_text(text.replace('"own"', '"bare"').replace("Own rule", "Bare rule"), encoding="utf-8")
    groups = {("F", "East"): (100, 40), ("M", "East"): (100, 50), ("X", "East"): (29, 29), ("X", "West"): (30, 10)}
    kept = {names: counts for names, counts in groups.items() if names != ("X", "West")}
    rest = preset_verdict(form("own.toml", kept, "sex", "area", base=own_file.parent))[1]
    assert (
        "The highest rate is that of X, only 29 people; every impact ratio by sex hangs on them. Without X, the" in rest
    )
    assert "highest is M: F is at 0.800, below 0.95." in rest, "this table is not tested"
    rest = preset_verdict(form("own.toml", groups | {("X", "West"): (1, 1)}, "sex", "area", base=own_file.parent))[1]
    assert "The highest rate is that of West, only 1" in rest and "that of X" not in rest, "30 people are not few"


def test_no_next_group_is_named_where_only_one_is_not_small_or_their_rates_are_equal():
    for groups in ({"A": (800, 400), "B": (5, 5)}, {"A": (800, 400), "C": (400, 200), "B": (5, 5)}):
        rest = preset_verdict(form("eeoc_uniform_guidelines", groups, "race"))[1]
        assert "The highest rate is that of B, only 5" in rest and "Without" not in rest


def test_a_difference_of_means_has_a_direction():
    frame = pd.DataFrame({"race": ["A"] * 60 + ["B"] * 40, "pay": [10.0, 12.0] * 30 + [9.0, 11.0] * 20, "hired": "yes"})
    frame.loc[:9, "hired"] = "no"
    part = PresetPlan(preset="fair_lending", columns={"race": "race", "amounts": "pay"})
    finding = run_preset(frame, PLAN, part)
    assert "pay lower by 0.89" in preset_verdict(finding)[0] and "B against A" in preset_verdict(finding)[0]
    assert mean_reading(finding.means[0].table.rows[1]).startswith("lower, ")


def lending_means(*pay: list[float]) -> PresetFinding:
    pairs = [(group, amount) for group, amounts in zip("AB", pay, strict=True) for amount in amounts]
    rows = [(*pair, "yes" if i % 2 else "no") for i, pair in enumerate(pairs)]
    part = PresetPlan(preset="fair_lending", columns={"race": "race", "amounts": "pay"})
    return run_preset(pd.DataFrame(rows, columns=["race", "pay", "hired"]), PLAN, part)


def pay_form(*pay: list[float], more: bool | None = True, asked: bool = True, **settings) -> PresetFinding:
    """Fill a form on pay, the decision; `more` is better, or less is, or there is another decision."""
    rows = [(group, amount, "yes") for group, amounts in zip("AB", pay, strict=True) for amount in amounts]
    plan = PLAN
    if more is not None:
        decision = OutcomePlan(column="pay", amount=True, higher_is_favorable=more)
        checks = (CheckPlan(protected="race = 'A'"),) if asked else ()
        plan = PLAN.model_copy(update={"decision": decision, "checks": checks})
    part = PresetPlan(preset="fair_lending", columns={"race": "race", "amounts": "pay"}, **settings)
    return run_preset(pd.DataFrame(rows, columns=["race", "pay", "hired"]), plan, part)


LOW, HIGH = [9.0, 11.0] * 30, [10.0, 12.5] * 20


def test_a_form_of_means_alone_has_no_words_on_ratios():
    finding = pay_form(LOW, HIGH)
    texts = [block.text for block in preset_document(finding).blocks if isinstance(block, Paragraph)]
    assert not any("ratio" in text for text in texts) and "ratio" not in " ".join(preset_verdict(finding))
    rates = preset_document(form("fair_lending", {"F": (60, 18), "M": (40, 24)}, "sex"))
    assert any(isinstance(b, Paragraph) and b.text.startswith("In practice an adverse impact") for b in rates.blocks)


@pytest.mark.parametrize("named", [{}, {"references": {"race": "A"}}])
def test_a_comparison_group_at_a_disadvantage_in_means_is_shown_and_who_to_compare_with(named):
    shown = "mean of pay than B, by more than chance, and {} is better. Choose B as comparison group to see"
    answer, rest = preset_verdict(pay_form(LOW, HIGH, **named))
    assert f"The comparison group A has a lower {shown.format('more')} the difference of A." in answer and rest == ""
    answer, rest = preset_verdict(pay_form([12.0, 14.0] * 30, HIGH, more=False, **named))
    assert f"The comparison group A has a higher {shown.format('less')} the difference of A." in answer and rest == ""


def test_a_comparison_group_that_does_better_or_differs_by_chance_is_not_said_to_be_at_a_disadvantage():
    for finding in (
        pay_form(LOW, HIGH, more=False),
        pay_form([12.0, 14.0] * 30, HIGH),
        pay_form(LOW, [9.1, 11.2] * 20),
    ):
        answer, rest = preset_verdict(finding)
        assert "The comparison group" not in answer + rest


@pytest.mark.parametrize("settings", [{"more": None}, {"asked": False}])
def test_where_nobody_says_whether_more_is_better_the_largest_group_is_said_to_differ_without_judging(settings):
    shown = (
        "The comparison group A is the largest one. By more than chance, it has a {} mean of pay than B: where that is"
    )
    for first, side in ((LOW, "lower"), ([12.0, 14.0] * 30, "higher")):
        answer, rest = preset_verdict(pay_form(first, HIGH, **settings))
        assert f"{shown.format(side)} worse for people, choose the other group as comparison group." in rest
        assert "better" not in answer + rest
        named = preset_verdict(pay_form(first, HIGH, references={"race": "A"}, **settings))
        assert "The comparison group" not in " ".join(named), "somebody has chosen it"


def test_several_means_without_a_direction_are_shown_in_one_sentence_for_each_comparison_group():
    frame = pd.DataFrame({"race": ["A"] * 60 + ["B"] * 40 + ["C"] * 30, "hired": "yes"})
    for column, third in (("pay", [1.0, 3.0] * 15), ("fee", [9.0, 11.0] * 15), ("loan", [30.0, 32.0] * 15)):
        frame[column] = LOW + HIGH + third
    part = PresetPlan(preset="fair_lending", columns={"race": "race", "amounts": ["pay", "fee", "loan"]})
    rest = preset_verdict(run_preset(frame, PLAN, part))[1]
    shown = "it has a lower mean of pay and fee than B, a higher mean of pay than C, and a lower mean of loan than C:"
    assert shown in rest and rest.count("The comparison group A is the largest one.") == 1


def test_a_score_of_the_audit_shows_whether_more_is_better():
    finding = pay_form(LOW, HIGH, more=None)
    scored = PLAN.model_copy(update={"score": ScorePlan(column="pay")})
    rows = pd.DataFrame({"race": ["A"] * 60 + ["B"] * 40, "pay": LOW + HIGH, "hired": "yes"})
    assert "and more is better" in preset_verdict(run_preset(rows, scored, finding.plan))[0]


def test_equal_means_are_alike_without_a_word_of_direction_or_chance():
    finding = lending_means([10.1, 12.3] * 30, [10.1, 12.3] * 20)
    assert "The means of pay are alike." in preset_verdict(finding)[0]
    assert "pay lower" not in preset_verdict(finding)[0] and "standardised" not in preset_verdict(finding)[0]
    assert [mean_reading(row) for row in finding.means[0].table.rows] == ["compared with", "alike"]


def test_a_difference_that_would_be_rounded_to_nothing_is_not_shown_as_zero():
    answer = preset_verdict(lending_means([10.0, 12.0] * 30, [10.002, 12.002] * 20))[0]
    assert "pay higher by less than 0.01 (negligible; B against A)" in answer and "0.00" not in answer


def test_the_forms_name_what_they_leave_out():
    nyc, lending, eeoc = (
        " ".join(load_preset(k).does_not_cover) for k in ("nyc144", "fair_lending", "eeoc_uniform_guidelines")
    )
    assert "5-301(b)(4)" in nyc and "5-302(b)" in nyc and "1 is the best" in nyc
    for ground in ("marital status", "national origin", "religion", "public assistance", "colour"):
        assert ground in lending
    assert all("two columns" in text for text in (nyc, lending, eeoc))
    assert "ranking score" not in load_preset("nyc144").role("score").suggest
