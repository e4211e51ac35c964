"""What stands in a form of a rule: its limits, facts and notes, and all that is to be published."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pandas as pd
import pytest

from fairaudit.audit.running import run
from fairaudit.findings import Message, Phrase, Word
from fairaudit.measure.impact import one_more_person
from fairaudit.messages import say
from fairaudit.plan.audit_plan import AuditPlan, DataPlan
from fairaudit.plan.outcomes import OutcomePlan
from fairaudit.plan.questions import CheckPlan
from fairaudit.present.blocks import Paragraph
from fairaudit.presets.document import preset_document
from fairaudit.presets.filling import run_preset
from fairaudit.presets.findings import PresetFinding
from fairaudit.presets.plan import PresetPlan
from fairaudit.presets.preset import load_preset
from fairaudit.presets.tables import facts, preset_csv
from fairaudit.report.json_export import to_json
from fairaudit.sections.forms import read_form, say_form
from fairaudit.sections.forms.details import how_computed, limits, say_mean_row, table_note

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


def test_one_person_of_a_nearly_equal_pair_of_rates_turns_nothing_round():
    assert not one_more_person(499, 1000, 500, 1000).reverses
    assert one_more_person(3, 20, 16, 80).reverses, "the ratio is 0.75, and one different person makes it 1.07"


def test_no_reason_is_made_up_where_the_auditor_gave_none():
    groups = {("F", "A"): (500, 250), ("M", "A"): (480, 240), ("F", "B"): (10, 5), ("M", "B"): (9, 4)}
    silent = form("nyc144", groups, "sex", "race", leave_out_small=True)
    assert say(Message("form-note-no-reason")) in table_note(silent, silent.rates[1])
    assert dict(facts(silent))["Reason for small groups"] == say(Message("form-not-given"))
    said = form("nyc144", groups, "sex", "race", leave_out_small=True, reason="seventeen of them are trainees")
    reason = Message("form-note-reason", {"reason": Phrase("seventeen of them are trainees")})
    assert say(reason) in table_note(said, said.rates[1])


def test_each_date_is_read_or_called_missing_by_itself():
    shown = dict(
        facts(form("nyc144", {("F", "A"): (50, 25), ("M", "B"): (50, 20)}, "sex", "race", audit_date="2026-03-01"))
    )
    assert shown["Date of the bias audit"] == "2026-03-01"
    assert shown["Distribution date"].startswith("not given")


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
    assert lines["Source of the data"] == "the register" and lines["Marked"] == "impact ratio below 0.80"
    assert "Reason: trainees." in lines["note on by race/ethnicity"]


def test_what_was_counted_as_unknown_is_shown_in_facts_and_csv():
    groups = {"A": (50, 25), "B": (50, 20), "n/a": (5, 1), "  ": (5, 1)}
    finding = form("fair_lending", groups, "race")
    shown = dict(facts(finding))["Counted as unknown"]
    assert shown.startswith("race: ") and "n/a" in shown and "(blank)" in shown
    assert shown in preset_csv(finding).decode("utf-8-sig")


def test_the_json_holds_what_was_counted_as_unknown_and_the_file():
    rows = [("A", "yes"), ("A", "no"), ("B", "yes"), ("B", "no"), ("n/a", "no")]
    part = PresetPlan(preset="fair_lending", columns={"race": "race"})
    plan = PLAN.model_copy(update={"presets": (part,)})
    [shown] = json.loads(to_json(run(plan, table=pd.DataFrame(rows, columns=["race", "hired"]))))["presets"]
    assert shown["counted_as_unknown"] == [{"column": "race", "values": ["n/a"]}] and shown["file_name"] is None


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
    below = [(rates.roles, row.name) for rates in finding.rates for row in rates.table.rows if row.below]
    assert below == [(("sex",), "F")] and read_form(finding).n_below == 1
    assert "0.95" in say(say_form(finding).verdict)
    how = how_computed(finding)
    for deviations, columns in (("2", "sex"), ("3", "area")):
        level = Phrase(f"{finding.rates[0].check.level:g}")
        tested = {"deviations": Phrase(deviations), "level": level, "tables": Word("some"), "columns": Phrase(columns)}
        assert say(Message("form-how-test", tested)) in how
    assert [limit.partition(":")[0] for limit in limits(finding)] == ["by sex", "by area"]
    assert "own.toml" in dict(facts(finding)).values()


def test_a_difference_of_means_has_a_direction():
    frame = pd.DataFrame({"race": ["A"] * 60 + ["B"] * 40, "pay": [10.0, 12.0] * 30 + [9.0, 11.0] * 20, "hired": "yes"})
    frame.loc[:9, "hired"] = "no"
    part = PresetPlan(preset="fair_lending", columns={"race": "race", "amounts": "pay"})
    finding = run_preset(frame, PLAN, part)
    assert dict(say_mean_row(finding.means[0].table.rows[1]).args)["direction"] == Word("less")


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
    assert not any("ratio" in text for text in texts)
    rates = preset_document(form("fair_lending", {"F": (60, 18), "M": (40, 24)}, "sex"))
    assert any(isinstance(b, Paragraph) and b.text.startswith("In practice an adverse impact") for b in rates.blocks)


def test_equal_means_are_alike_without_a_word_of_direction_or_chance():
    finding = lending_means([10.1, 12.3] * 30, [10.1, 12.3] * 20)
    keys = [say_mean_row(row).key for row in finding.means[0].table.rows]
    assert keys == ["form-row-compared-with", "form-row-alike"]


def test_the_forms_name_what_they_leave_out():
    nyc, lending, eeoc = (
        " ".join(load_preset(k).does_not_cover) for k in ("nyc144", "fair_lending", "eeoc_uniform_guidelines")
    )
    assert "5-301(b)(4)" in nyc and "5-302(b)" in nyc and "1 is the best" in nyc
    for ground in ("marital status", "national origin", "religion", "public assistance", "colour"):
        assert ground in lending
    assert all("two columns" in text for text in (nyc, lending, eeoc))
    assert "ranking score" not in load_preset("nyc144").role("score").suggest
