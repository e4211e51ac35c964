"""Who counts as unknown: nobody becomes a group by an odd spelling, and what was counted is shown."""

from __future__ import annotations

import sqlite3
from decimal import Decimal
from pathlib import Path

import pandas as pd
import pytest

from fairaudit.audit.running import run
from fairaudit.data import Table
from fairaudit.data.engines.connect import connect_table
from fairaudit.data.unknown_values import USUAL_WORDS
from fairaudit.errors import InputError, OpenValuesError, PlanError
from fairaudit.plan.audit_plan import AuditPlan, DataPlan
from fairaudit.plan.outcomes import OutcomePlan
from fairaudit.presets.filling import fill_plan, run_preset
from fairaudit.presets.fitting import UnknownValues
from fairaudit.presets.plan import PresetPlan
from fairaudit.presets.preset import list_presets

PLAN = AuditPlan(data=DataPlan(source="t.csv"), decision=OutcomePlan(column="selected", favorable=("yes",)))
SPELLINGS = [
    "Decline To Self Identify", "I don't wish to answer", "I do not wish to self-identify", "Choose not to disclose",
    "Not Declared", "Not Available", "Missing", "NULL", "prefer not to say.", "N/A", "unknown ", "Not-Specified",
]  # fmt: skip


def people(races: list[object]) -> pd.DataFrame:
    """Return 20 people of either sex for each of these races, half of them selected."""
    rows = [(sex, race, answer) for race in races for sex in "FM" for answer in ["yes", "no"] * 10]
    return pd.DataFrame(rows, columns=["sex", "race", "selected"])


def filled(table: pd.DataFrame | Table, preset: str = "eeoc_uniform_guidelines", **settings):
    return run_preset(table, PLAN, PresetPlan(preset=preset, columns={"sex": "sex", "race": "race"}, **settings))


def races(finding) -> list[str]:
    [shown] = [shown for shown in finding.rates if shown.table.columns == ("race",)]
    return [row.name for row in shown.table.rows]


@pytest.mark.parametrize("preset", ["nyc144", "eeoc_uniform_guidelines", "fair_lending"])
def test_people_who_do_not_say_are_no_group_however_it_is_spelled(preset):
    finding = filled(people(["A", "B", *SPELLINGS]), preset)
    assert races(finding) == ["A", "B"]
    assert dict(finding.unknown_texts)["race"] == tuple(sorted(text for text in SPELLINGS))
    [by_race] = [shown for shown in finding.rates if shown.table.columns == ("race",)]
    assert by_race.unknown == 40 * len(SPELLINGS)


def test_the_codes_of_mortgage_data_for_no_answer_are_no_group():
    assert races(filled(people(["A", "B", "Race Not Available"]), "fair_lending")) == ["A", "B"]


def test_blank_texts_of_a_database_are_no_group(tmp_path):
    path = tmp_path / "a.sqlite"
    with sqlite3.connect(path) as base:
        people(["A", "B", "", "  "]).to_sql("people", base, index=False)
    base.close()
    finding = filled(connect_table(f"sqlite:///{path}", table="people"))
    assert races(finding) == ["A", "B"]
    assert dict(finding.unknown_texts) == {"race": ("(blank)",)}


@pytest.mark.parametrize("codes", [[1, 2, 3], [1.0, 2.0, 3.0, float("nan")]])
def test_a_plan_counts_codes_as_unknown(codes):
    assert races(filled(people(codes))) == ["1", "2", "3"]
    finding = filled(people(codes), unknown={"race": ["3"]})
    assert races(finding) == ["1", "2"] and dict(finding.unknown_texts) == {"race": ("3",)}


@pytest.mark.parametrize(
    ("codes", "unknown", "left"),
    [
        ([1, 2, -1], ["-1"], ["1", "2"]),
        ([1, 2.5, 25], ["25"], ["1", "2.5"]),
        (["25", "<25", ">25"], ["<25"], ["25", ">25"]),
        (["A-1", "A1", "a-1 "], ["A-1"], ["A1"]),
        (["09", "9", "1"], ["9"], ["09", "1"]),
    ],
)
def test_what_a_plan_counts_as_unknown_takes_no_other_group(codes, unknown, left):
    assert sorted(races(filled(people(codes), unknown={"race": unknown}))) == sorted(left)


def test_a_listed_number_is_that_number_and_a_listed_text_any_spelling_of_it():
    values = UnknownValues(["-1", "9.0", "not stated"])
    found = (-1, "-1.0", 9, "9", "Not-stated.", 1, "1", 90, "<9", "9+")
    assert [value for value in found if value in values] == [-1, "-1.0", 9, "9", "Not-stated."]


def test_a_plans_number_is_found_in_a_column_of_numbers_however_it_is_written():
    values = UnknownValues([], ["9", "3.50"])
    assert [value for value in (9, Decimal("9.00"), 3.5, "09", "9.00", -9) if value in values] == [9, 9, 3.5]


def test_a_value_that_only_looks_like_one_of_the_plans_is_not_counted_and_shown():
    finding = filled(people(["A", "B", "A-1", "A1"]), unknown={"race": ["A-1", "B1"]})
    assert races(finding) == ["A", "A1", "B"] and ["'B1'" in note for note in finding.notes] == [True]


def test_a_listed_text_that_is_a_group_here_stays_one():
    table = people(["A", "B", "NA", "n/a"])
    with pytest.raises(OpenValuesError, match="NA"):
        filled(table)
    assert races(filled(table, unknown={"race": "NA"})) == ["A", "B"]
    answered = Table.from_pandas(table, real_values={"race": ["NA"]})
    assert races(filled(answered)) == ["A", "B", "NA"]
    finding = filled(table, known={"race": "NA"})
    assert races(finding) == ["A", "B", "NA"] and dict(finding.unknown_texts) == {"race": ("n/a",)}


def test_a_value_that_is_not_there_is_shown():
    finding = filled(people(["A", "B"]), unknown={"race": "Refusd"})
    assert [note for note in finding.notes if "'Refusd'" in note and "'race'" in note]
    assert not filled(people(["A", "B", "refused."]), unknown={"race": "Refused"}).notes


def test_a_questions_filter_leaves_out_codes_and_blank_texts():
    frame = people([1, 2, 3]).assign(sex=lambda rows: rows["sex"].where(rows.index % 7 > 0, " "))
    table = Table.from_pandas(frame)
    finding = filled(table, unknown={"race": ["3"]})
    known = frame[(frame["race"] != 3) & (frame["sex"] != " ")]
    result = run(fill_plan(PLAN, finding, table), table=table)
    sides = result.checks[1].result
    assert sides.protected.n + sides.reference.n == len(known)


def test_a_column_with_one_group_left_makes_no_question():
    table = Table.from_pandas(people([True, False]))
    finding = filled(table, unknown={"race": "False"})
    assert dict(finding.unknown_values)["race"] == (False,)
    plan = fill_plan(PLAN, finding, table)
    assert [check.compare[0] for check in plan.checks] == [("sex",)] and run(plan, table=table).checks


def test_a_plan_writes_one_value_alone_and_numbers_as_text():
    columns = {"sex": "sex", "race": "race"}
    assert PresetPlan(preset="a", columns=columns, unknown={"race": 3, "sex": [1.0, "x"]}).unknown == {
        "race": ("3",), "sex": ("1", "x"),
    }  # fmt: skip
    plan = PLAN.model_copy(update={"presets": (PresetPlan(preset="nyc144", columns=columns, unknown={"race": "3"}),)})
    assert AuditPlan.from_toml(plan.to_toml()) == plan and 'race = "3"' in plan.to_toml()
    with pytest.raises(PlanError, match="holds 'unknown' for 'age', for which 'columns' names no column"):
        AuditPlan.from_toml(plan.to_toml().replace('race = "3"', 'age = "3"'))
    with pytest.raises(InputError, match=r"'unknown' of .* holds '3' for 'amounts', which makes no groups"):
        run_preset(
            people(["A", "B"]).assign(pay=1.0),
            PLAN,
            PresetPlan(preset="fair_lending", columns={**columns, "amounts": "pay"}, unknown={"amounts": "3"}),
        )


def test_an_offices_file_may_list_numbers(local_rule: Path, tmp_path):
    text = local_rule.read_text(encoding="utf-8").replace('["unknown", "moved away"]', '[3, "moved away"]')
    (tmp_path / "a.toml").write_text(text, encoding="utf-8")
    assert list_presets(tmp_path)[-1].unknown_values == ("3", "moved away")


def test_an_offices_file_takes_the_usual_words_by_one_line(local_rule: Path, tmp_path):
    text = local_rule.read_text(encoding="utf-8")
    (tmp_path / "a.toml").write_text(text, encoding="utf-8")
    own = list_presets(tmp_path)[-1]
    assert own.unknown_words == own.unknown_values == ("unknown", "moved away")
    (tmp_path / "a.toml").write_text(text.replace("unknown_values", "usual_unknown = true\nunknown_values"), "utf-8")
    assert list_presets(tmp_path)[-1].unknown_words == (*USUAL_WORDS, "unknown", "moved away")


def test_the_usual_words_stand_in_one_place():
    assert len(set(USUAL_WORDS)) == len(USUAL_WORDS)
    for preset in (preset for preset in list_presets() if not preset.is_record):
        assert preset.unknown_words[: len(USUAL_WORDS)] == USUAL_WORDS
        assert not [word for word in preset.unknown_values if word in UnknownValues(USUAL_WORDS)]


def test_a_sign_alone_is_unknown_only_where_it_is_listed():
    values = UnknownValues(["?"])
    assert "?" in values and "*" not in values and None not in values and "  " in values
