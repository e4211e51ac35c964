from __future__ import annotations

import re
from pathlib import Path

import pandas as pd
import pytest

from fairaudit.errors import PlanError
from fairaudit.plan.audit_plan import AuditPlan, DataPlan
from fairaudit.plan.outcomes import OutcomePlan
from fairaudit.presets.filling import run_preset
from fairaudit.presets.fitting import suggest_columns
from fairaudit.presets.items import PresetItem
from fairaudit.presets.plan import PresetPlan
from fairaudit.presets.preset import (
    Preset,
    PresetCheck,
    PresetRole,
    PresetWords,
    list_presets,
    load_preset,
    read_preset,
)
from fairaudit.presets.status import RuleSource, RuleStatus

RECORDS = ["ai_act_bias_profile", "ai_act_rights_impact", "nj_alternatives", "nl_algorithm_register", "nl_iama"]
TABLES = [
    "eeoc_uniform_guidelines", "eu_joint_pay_assessment", "eu_pay_information", "eu_pay_transparency", "fair_lending",
    "nyc144", "uk_disability_pay_gap", "uk_ethnicity_pay_gap", "uk_gender_pay_gap",
]  # fmt: skip
KEYS = sorted([*RECORDS, *TABLES])
BY_RACE = ["eeoc_uniform_guidelines", "fair_lending", "nyc144"]


def test_the_package_brings_its_presets():
    assert [preset.key for preset in list_presets()] == KEYS


@pytest.mark.parametrize("key", KEYS)
def test_each_says_what_rule_date_and_limits(key):
    preset = load_preset(key)
    assert re.search(r"\b\d{4}\b", preset.date) and "not legal advice" in preset.notice
    where = r"CFR|RCNY|N\.J\.A\.C\.|Article|Regulation|Question|Version|CP \d+"
    assert re.search(where, preset.section) and preset.url.startswith("https://")
    assert len(preset.covers) >= 3 and len(preset.does_not_cover) >= 3


@pytest.mark.parametrize("key", BY_RACE)
def test_plain_names_of_columns_are_found(key):
    preset = load_preset(key)
    table = pd.DataFrame({"applicant_id": [1], "applicantSex": ["F"], "Race/Ethnicity": ["A"], "x": [1]})
    from fairaudit.data import Table

    found = suggest_columns(preset, Table.from_pandas(table).columns)
    assert found["sex"] == "applicantSex" and found["race"] == "Race/Ethnicity"
    assert "score" not in found, "an id is no score"


def test_a_name_that_is_the_hint_comes_before_one_that_holds_it():
    from fairaudit.data import Table

    columns = Table.from_pandas(pd.DataFrame({"sex_of_recruiter": ["F"], "sex": ["F"], "race": ["a"]})).columns
    assert suggest_columns(load_preset("nyc144"), columns)["sex"] == "sex"


def test_the_example_of_a_local_rule_is_loaded_from_the_offices_folder_and_runs(local_rule, monkeypatch):
    monkeypatch.setenv("FAIRAUDIT_PRESETS", str(local_rule.parent))
    assert [preset.key for preset in list_presets()] == [*KEYS, "anytown_grants"]
    frame = pd.DataFrame(
        {
            "district": ["East"] * 60 + ["West"] * 40 + ["moved away"] * 3,
            "sum": [float(i % 7) for i in range(103)],
            "granted": (["yes"] * 45 + ["no"] * 15) + (["yes"] * 24 + ["no"] * 16) + ["no"] * 3,
        }
    )
    plan = AuditPlan(data=DataPlan(source="x.csv"), decision=OutcomePlan(column="granted", favorable=("yes",)))
    part = PresetPlan(preset="anytown_grants", columns={"district": "district", "amounts": "sum"})
    finding = run_preset(frame, plan, part)
    [shown] = finding.rates
    west = next(row for row in shown.table.rows if row.name == "West")
    assert shown.table.reference == "East" and shown.unknown == 3
    assert west.impact_ratio == pytest.approx(0.6 / 0.75) and west.below
    assert len(finding.means) == 1 and any("Household type" in note for note in finding.notes)


def test_the_example_is_explained_line_by_line(local_rule):
    text = (local_rule.parent / "README.md").read_text(encoding="utf-8")
    fields = {
        name
        for part in (Preset, PresetCheck, PresetItem, PresetRole, PresetWords, RuleStatus, RuleSource)
        for name in part.model_fields
    }
    assert not [name for name in sorted(fields - {"words", "roles", "checks", "items"}) if f"`{name}`" not in text]


def test_a_path_is_relative_to_the_plan(local_rule):
    assert load_preset("anytown_grants.toml", base=local_rule.parent).key == "anytown_grants"
    with pytest.raises(PlanError, match="cannot be read"):
        load_preset("anytown_grants.toml", base=local_rule.parent / "elsewhere")


def test_an_unknown_key_lists_those_near():
    with pytest.raises(PlanError, match="no preset 'nyc14'") as error:
        load_preset("nyc14")
    assert "nyc144" in error.value.hint


def test_a_missing_folder_and_a_key_that_is_taken_are_refused(monkeypatch, tmp_path, local_rule):
    monkeypatch.setenv("FAIRAUDIT_PRESETS", str(tmp_path / "none"))
    with pytest.raises(PlanError, match="is not there") as error:
        list_presets()
    assert "FAIRAUDIT_PRESETS" in error.value.hint
    text = local_rule.read_text(encoding="utf-8").replace('key = "anytown_grants"', 'key = "nyc144"')
    (tmp_path / "own.toml").write_text(text, encoding="utf-8")
    with pytest.raises(PlanError, match=r"'own\.toml' has the key 'nyc144', which a preset of fairaudit has"):
        list_presets(tmp_path)


NOTICE = 'notice = "A made-up rule, to show how an office adds its own. It is not legal advice."'
# What stands in the example, what takes its place, and what is said; @ is the place of the change.
BAD = [
    ("tolerance = 0.10", 'tolerance = "much"', "'tolerance' @ must be "),
    ('measure = "means"', 'measure = "sums"', "'checks.2.measure' @ must be 'rates'"),
    ("threshold = 0.9", "treshold = 0.9", "'checks.1.treshold' @ is not known"),
    (NOTICE, "", "The preset file 'x.toml' lacks the field 'notice'"),
    ("It is not legal advice.", "Good luck.", "'notice' @ must hold the words \"not legal advice\""),
    ('by = [["district"]]', 'by = [["town"]]', "a check by 'town', which is no role of kind 'group'; these"),
    ('key = "anytown_grants"', 'key = "Any town"', "'key' @ must be small letters"),
    ("[words]", "[words", "The preset file 'x.toml' is not valid TOML"),
    ('kind = "amount"', 'kind = "score"', "holds a check of means, which needs a role of kind 'amount'"),
    ('role = "household"', 'role = "district"', "holds two roles called 'district'"),
    ('state = "in_force"', 'state = "valid"', "'status.state' @ must be 'in_force'"),
    ("checked = 2026-11-30", 'checked = "lately"', "'status.checked' @ must be a day of the calendar, got 'lately'"),
    ("since = 2025-01-01", "since = 2027-01-01", "is in force since 2027-01-01, after it was checked"),
    ('read = [{ title = "Ord', 'read = []\nold = [{ title = "Ord', "'status.read' @ must have at least 1 item"),
    ("covers = [", "covers = []\nold = [", "'covers' @ must have at least 1 item"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("right", "wrong", "message"), BAD, ids=[wrong.split("\n")[0] or "gone" for _, wrong, _ in BAD]
)
def test_a_bad_file_is_shown_in_a_sentence_with_its_line(local_rule, right, wrong, message):
    text = local_rule.read_text(encoding="utf-8")
    line = next(
        number for number, each in enumerate(text.splitlines(), 1) if right in each and not each.startswith("#")
    )
    with pytest.raises(PlanError) as error:
        read_preset(text.replace(right, wrong, 1), "x.toml")
    assert message.replace("@", f"in line {line} of the preset file 'x.toml'") in error.value.message
    assert "plan" not in error.value.message and "\n" not in error.value.message


def test_a_file_that_is_no_text_or_too_large_is_refused(tmp_path: Path):
    (tmp_path / "a.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(PlanError, match="not UTF-8"):
        load_preset("a.toml", base=tmp_path)
    (tmp_path / "b.toml").write_bytes(b"#" * 1_000_001)
    with pytest.raises(PlanError, match="at most 1,000,000 bytes"):
        load_preset("b.toml", base=tmp_path)


def test_file_whose_name_cannot_be_is_refused_in_a_sentence(tmp_path):
    with pytest.raises(PlanError, match="cannot be read"):
        load_preset("a\0b.toml", base=tmp_path)


def test_forms_whose_rule_was_deleted_or_is_being_rescinded_say_so():
    lending, guidelines = load_preset("fair_lending"), load_preset("eeoc_uniform_guidelines")
    assert "deleted with effect from 21 July 2026" in lending.section
    assert (lending.status.state, lending.status.since) == ("changed", "2026-07-21") and lending.status.not_read
    assert "withdrawing" in guidelines.status.follows
    assert any("3046-AB43" in source.title and "final rule stage" in source.title for source in guidelines.status.read)
