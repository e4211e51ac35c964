from __future__ import annotations

import json
from pathlib import Path

import pytest

from fairaudit.__main__ import BAD_INPUT, DONE, main
from fairaudit.plan import AuditPlan

ROOT = Path(__file__).resolve().parents[1]
HIRING = str(ROOT / "sample_data" / "hiring_tool.csv")
LOCAL = ROOT / "sample_data" / "local_rules" / "anytown_grants.toml"
DECISION = ["--decision", "advanced", "--favorable", "yes"]


def test_the_forms_are_listed_with_their_rules_and_roles(capsys, monkeypatch):
    assert main(["preset", "--list"]) == DONE
    told = capsys.readouterr().out
    assert "nyc144: NYC Local Law 144" in told and "6 RCNY § 5-301" in told and "roles: sex, race, [score]" in told
    monkeypatch.setenv("FAIRAUDIT_PRESETS", str(LOCAL.parent))
    assert main(["preset", "--list", "--json"]) == DONE
    assert [form["key"] for form in json.loads(capsys.readouterr().out)][-1] == "anytown_grants"


def test_a_form_is_filled_without_a_plan_and_columns_are_found_by_their_names(capsys):
    assert main(["preset", "nyc144", HIRING, *DECISION]) == DONE
    told = capsys.readouterr().out
    assert "Columns: sex = sex, race = race_ethnicity." in told
    assert "Selection rate and impact ratio by race/ethnicity and sex:" in told
    assert "352 left out because a value is unknown" in told and "not legal advice" in told


def test_a_score_needs_no_decision_and_small_groups_are_left_out_with_a_reason(capsys):
    arguments = ["--column", "score=score", "--leave-out-small", "--reason", "too few people", "--json"]
    assert main(["preset", "nyc144", HIRING, *arguments]) == DONE
    [form] = json.loads(capsys.readouterr().out)["presets"]
    assert form["rate"] == "scoring" and form["plan"]["reason"] == "too few people"
    assert any(row["left_out"] for row in form["rates"][1]["rows"])


def test_everything_is_written_and_the_plan_repeats_it(capsys, tmp_path):
    out, plan = tmp_path / "out", tmp_path / "plan.toml"
    arguments = ["--column", "sex=sex", "--column", "race=race_ethnicity", "--out", str(out), "--save-plan", str(plan)]
    assert main(["preset", "eeoc_uniform_guidelines", HIRING, *DECISION, *arguments]) == DONE
    names = {path.name for path in out.iterdir()}
    forms = {f"form_1_eeoc_uniform_guidelines.{ending}" for ending in ("csv", "html")}
    assert names == {"report.pdf", "tables.zip", "result.json", "plan.toml", *forms}
    capsys.readouterr()
    assert main(["run", str(plan), "--out", str(tmp_path / "again")]) == DONE
    assert "EEOC Uniform Guidelines: adverse impact:" in capsys.readouterr().out
    again = json.loads((tmp_path / "again" / "result.json").read_text(encoding="utf-8"))
    assert again["presets"] == json.loads((out / "result.json").read_text(encoding="utf-8"))["presets"]


def test_a_plan_finds_the_file_of_an_offices_own_form_beside_it(tmp_path, capsys):
    (tmp_path / "own.toml").write_text(LOCAL.read_text(encoding="utf-8"), encoding="utf-8")
    (tmp_path / "d.csv").write_text("area,ok\n" + "a,y\nb,n\nb,y\n" * 9, encoding="utf-8")
    lines = ["[[presets]]", 'preset = "own.toml"', "[presets.columns]", 'district = "area"']
    head = ["schema_version = 1", 'data = {source = "d.csv"}', "[decision]", 'column = "ok"', 'favorable = ["y"]']
    (tmp_path / "plan.toml").write_text("\n".join([*head, *lines]), encoding="utf-8")
    assert main(["run", str(tmp_path / "plan.toml"), "--out", str(tmp_path / "out")]) == DONE
    assert "parity ratio is below 0.90" in capsys.readouterr().out
    assert AuditPlan.load(tmp_path / "out" / "plan.toml").presets[0].preset == "own.toml"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nyc14", HIRING, *DECISION], "There is no preset 'nyc14'"),
        (["nyc144"], "'preset' needs the data"),
        (["nyc144", HIRING], "--decision and --favorable say which column holds the decision"),
        (["nyc144", HIRING, "--decision", "advanced"], "--decision needs --favorable"),
        (["nyc144", HIRING, *DECISION, "--column", "sex"], "--column must be ROLE=VALUE, got 'sex'"),
        (["nyc144", HIRING, *DECISION, "--column", "town=job"], "has no role 'town'"),
        (["nyc144", HIRING, *DECISION, "--column", "race=raze"], "no column 'raze'"),
        (["nyc144", HIRING, *DECISION, "--reference", "age=5"], "names the role 'age', which has no column"),
    ],
)
def test_what_does_not_go_together_is_told_in_one_sentence(arguments, message, capsys):
    assert main(["preset", *arguments]) == BAD_INPUT
    told = capsys.readouterr()
    assert message in told.err and not told.out
