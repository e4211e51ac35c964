from __future__ import annotations

import json
import math
from pathlib import Path

import pytest
from places import LOCAL_RULE, SAMPLES
from shown import shows

from fairaudit.cli.main import BAD_INPUT, DONE, main
from fairaudit.cli.reading import REPORT
from fairaudit.columns import ByGroup
from fairaudit.findings import Message, Phrase
from fairaudit.messages import say
from fairaudit.plan.audit_plan import AuditPlan

HIRING = str(SAMPLES / "hiring_tool.csv")
DECISION = ["--decision", "advanced", "--favorable", "yes"]


def test_the_forms_are_listed_with_their_rules_and_roles(capsys, monkeypatch):
    assert main(["form", "--list"]) == DONE
    shown = capsys.readouterr().out
    assert "nyc144: NYC Local Law 144" in shown and "6 RCNY § 5-301" in shown and "roles: sex, race, [score]" in shown
    monkeypatch.setenv("FAIRAUDIT_PRESETS", str(LOCAL_RULE.parent))
    assert main(["form", "--list", "--json"]) == DONE
    assert [form["key"] for form in json.loads(capsys.readouterr().out)][-1] == "anytown_grants"


def test_a_form_is_filled_without_a_plan_and_columns_are_found_by_their_names(capsys):
    assert main(["form", "nyc144", HIRING, *DECISION]) == DONE
    shown = capsys.readouterr().out
    assert "Columns: sex = sex, race = race_ethnicity." in shown
    assert "Selection rate and impact ratio by race/ethnicity and sex:" in shown
    assert say(Message("form-note-unknown", {"n": Phrase("352")})) in shown and "not legal advice" in shown


def test_a_score_needs_no_decision_and_small_groups_are_left_out_with_a_reason(capsys):
    arguments = ["--column", "score=score", "--leave-out-small", "--reason", "too few people", "--json"]
    assert main(["form", "nyc144", HIRING, *arguments]) == DONE
    [form] = json.loads(capsys.readouterr().out)["presets"]
    assert form["rate"] == "scoring" and form["plan"]["reason"] == "too few people"
    assert any(row["left_out"] for row in form["rates"][1]["rows"])


def test_everything_is_written_and_the_plan_repeats_it(capsys, tmp_path):
    out, plan = tmp_path / "out", tmp_path / "plan.toml"
    arguments = ["--column", "sex=sex", "--column", "race=race_ethnicity", "--out", str(out), "--save-plan", str(plan)]
    assert main(["form", "eeoc_uniform_guidelines", HIRING, *DECISION, *arguments]) == DONE
    names = {path.name for path in out.iterdir()}
    forms = {f"form_1_eeoc_uniform_guidelines.{ending}" for ending in ("csv", "html")}
    assert names == {name for name in REPORT if "signed" not in name and not name.endswith(".p7s")} | forms
    capsys.readouterr()
    assert main(["run", str(plan), "--data", HIRING, "--out", str(tmp_path / "again")]) == DONE
    assert "EEOC Uniform Guidelines: adverse impact:" in capsys.readouterr().out
    again = json.loads((tmp_path / "again" / "result.json").read_text(encoding="utf-8"))
    assert again["presets"] == json.loads((out / "result.json").read_text(encoding="utf-8"))["presets"]


def test_a_plan_finds_the_file_of_an_offices_own_form_beside_it(tmp_path, capsys):
    (tmp_path / "own.toml").write_text(LOCAL_RULE.read_text(encoding="utf-8"), encoding="utf-8")
    (tmp_path / "d.csv").write_text("area,ok\n" + "a,y\nb,n\nb,y\n" * 9, encoding="utf-8")
    lines = ["[[presets]]", 'preset = "own.toml"', "[presets.columns]", 'district = "area"']
    head = ["schema_version = 1", 'data = {source = "d.csv"}', "[decision]", 'column = "ok"', 'favorable = ["y"]']
    (tmp_path / "plan.toml").write_text("\n".join([*head, *lines]), encoding="utf-8")
    assert main(["run", str(tmp_path / "plan.toml"), "--out", str(tmp_path / "out")]) == DONE
    assert "0.50 times as often" in capsys.readouterr().out
    assert AuditPlan.load(tmp_path / "out" / "plan.toml").presets[0].preset == "own.toml"


def test_small_groups_are_kept_and_the_dates_and_unknown_codes_are_shown(capsys):
    arguments = [
        "--keep-small",
        "--unknown",
        "race=Two or More Races",
        "--unknown",
        "race=Asian",
        "--known",
        "sex=Unknown",
    ]
    arguments += ["--audit-date", "2026-03-01", "--distribution-date", "2026-04-15", "--json"]
    assert main(["form", "nyc144", HIRING, *DECISION, *arguments]) == DONE
    [form] = json.loads(capsys.readouterr().out)["presets"]
    plan = form["plan"]
    assert (plan["audit_date"], plan["distribution_date"]) == ("2026-03-01", "2026-04-15")
    assert plan["leave_out_small"] is False and plan["unknown"] == {"race": ["Two or More Races", "Asian"]}
    assert [row["group"]["name"] for row in form["rates"][0]["rows"]] == ["Female", "Male", "Unknown"]
    assert not {"Asian", "Two or More Races"} & {row["group"]["name"] for row in form["rates"][1]["rows"]}


def test_what_the_rule_asks_to_publish_is_asked_for(capsys):
    assert main(["form", "nyc144", HIRING, *DECISION, "--leave-out-small", "--data-words", "made up"]) == DONE
    assert shows(capsys.readouterr().out, "cli-form-lacks", options="--reason, --audit-date, --distribution-date")
    given = ["--reason", "few", "--data-words", "made up", "--audit-date", "2026-03-01"]
    given += ["--distribution-date", "2026-04-15"]
    assert main(["form", "nyc144", HIRING, *DECISION, "--leave-out-small", *given]) == DONE
    assert "asks to publish more" not in capsys.readouterr().out


def test_no_reason_is_asked_for_where_no_group_is_left_out(capsys):
    large = ["--where", "race_ethnicity IN ('White', 'Asian')"]
    assert main(["form", "nyc144", HIRING, *DECISION, "--leave-out-small", *large]) == DONE
    assert shows(capsys.readouterr().out, "cli-form-lacks", options="--data-words, --audit-date, --distribution-date")


def test_the_comparison_group_is_asked_for_where_the_form_leaves_it_open(capsys):
    assert main(["form", "fair_lending", HIRING, *DECISION]) == DONE
    assert "add --reference sex=VALUE" in capsys.readouterr().out
    named = ["--reference", "sex=Male", "--reference", "race=White"]
    assert main(["form", "fair_lending", HIRING, *DECISION, *named]) == DONE
    assert "--reference" not in capsys.readouterr().out


def test_a_file_that_cannot_be_read_does_not_take_the_list_away(capsys, monkeypatch, tmp_path):
    (tmp_path / "bad.toml").write_text("key = ", encoding="utf-8")
    monkeypatch.setenv("FAIRAUDIT_PRESETS", str(tmp_path))
    assert main(["form", "--list"]) == DONE
    shown = capsys.readouterr().out
    assert "nyc144: NYC Local Law 144" in shown and "Not read: The preset file 'bad.toml' is not valid TOML" in shown
    assert main(["form", "--list", "--json"]) == DONE
    shown = capsys.readouterr()
    assert len(json.loads(shown.out)) == 14 and "Not read: The preset file 'bad.toml'" in shown.err
    assert main(["form", "nyc144", HIRING, *DECISION]) == DONE


def test_a_changed_file_of_an_office_is_shown_when_its_plan_is_repeated(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = LOCAL_RULE.read_text(encoding="utf-8")
    Path("own.toml").write_text(text, encoding="utf-8")
    Path("d.csv").write_text("area,ok\n" + "a,y\nb,n\nb,y\n" * 9, encoding="utf-8")
    given = ["own.toml", "d.csv", "--column", "district=area", "--decision", "ok", "--favorable", "y"]
    assert main(["form", *given, "--save-plan", "plan.toml"]) == DONE
    assert len(AuditPlan.load("plan.toml").presets[0].file_digest) == 64
    assert main(["run", "plan.toml", "--out", "one"]) == DONE
    assert "saved with" not in capsys.readouterr().out
    Path("own.toml").write_text(text.replace("threshold = 0.9", "threshold = 0.2"), encoding="utf-8")
    assert main(["run", "plan.toml", "--out", "two"]) == DONE
    assert shows(capsys.readouterr().out, "form-other-file", name="'own.toml'")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nyc14", HIRING, *DECISION], "There is no preset 'nyc14'"),
        (["nyc144"], "'form' needs the data"),
        (["nyc144", HIRING], "--decision and --favorable say which column holds the decision"),
        (["eu_pay_transparency", HIRING, "--column", "sex=sex"], "needs a column for 'Pay, all components together'"),
        (["nyc144", HIRING, "--decision", "advanced"], "--decision needs --favorable"),
        (["nyc144", HIRING, *DECISION, "--column", "sex"], "--column must be ROLE=VALUE, got 'sex'"),
        (["nyc144", HIRING, *DECISION, "--column", "town=job"], "has no role 'town'"),
        (["nyc144", HIRING, *DECISION, "--column", "race=raze"], "no column 'raze'"),
        (["nyc144", HIRING, *DECISION, "--unknown", "age=5"], "--unknown names the role 'age', which has no column"),
        (["nyc144", HIRING, *DECISION, "--reason", "few"], "no small group is left out"),
        (
            ["nyc144", HIRING, *DECISION, "--audit-date", "May 2026"],
            "--audit-date must be a day of the calendar, got 'May",
        ),
        (
            ["nyc144", HIRING, *DECISION, "--distribution-date", "2026-02-30"],
            "--distribution-date must be a day of the",
        ),
        (["nyc144", HIRING, *DECISION, "--reference", "age=5"], "names the role 'age', which has no column"),
    ],
)
def test_what_does_not_go_together_is_shown_in_one_sentence(arguments, message, capsys):
    assert main(["form", *arguments]) == BAD_INPUT
    shown = capsys.readouterr()
    assert message in shown.err and not shown.out


def test_a_plan_with_an_offices_own_form_takes_its_file_along_and_runs_again_anywhere(tmp_path, capsys, monkeypatch):
    office, data = tmp_path / "office", tmp_path / "d.csv"
    office.mkdir()
    form = office / "own.toml"
    form.write_text(LOCAL_RULE.read_text(encoding="utf-8"), encoding="utf-8")
    data.write_text("area,ok\n" + "a,y\nb,n\nb,y\n" * 9, encoding="utf-8")
    for place in ("saved", "taken"):
        (tmp_path / place).mkdir()
    # A file of the same name that is another one stays as it is.
    (tmp_path / "taken" / "own.toml").write_text("another", encoding="utf-8")
    asked = ["form", str(form), str(data), "--decision", "ok", "--favorable", "y", "--column", "district=area"]
    for place in ("saved", "taken"):
        plan = tmp_path / place / "audit.toml"
        assert main([*asked, "--save-plan", str(plan), "--out", str(tmp_path / place / "out")]) == DONE
    assert (tmp_path / "taken" / "own.toml").read_text(encoding="utf-8") == "another"
    plans = [tmp_path / place / name for place in ("saved", "taken") for name in ("audit.toml", "out/plan.toml")]
    form.unlink()
    monkeypatch.chdir(office)
    for number, plan in enumerate(plans):
        [part] = AuditPlan.load(plan).presets
        assert Path(part.preset).name == part.preset
        assert (plan.parent / part.preset).read_bytes() == LOCAL_RULE.read_bytes()
        again = tmp_path / f"again_{number}"
        assert main(["run", str(plan), "--data", str(data), "--out", str(again)]) == DONE, capsys.readouterr().err
        assert (again / part.preset).read_bytes() == LOCAL_RULE.read_bytes()
        assert str(office) not in (again / "result.json").read_text(encoding="utf-8")


def test_a_published_table_of_counts_is_asked_about_before_its_decision(tmp_path, capsys):
    rows = tmp_path / "rows.csv"
    rows.write_text("sex,area,selected,applicants\nF,a,20,90\nF,b,31,80\nM,a,42,95\nM,b,33,71\n")
    form = ["form", "eeoc_uniform_guidelines", str(rows), "--column", "sex=sex"]
    assert main(form) == BAD_INPUT
    assert "--counts 'favorable=selected' --counts 'all=applicants'" in capsys.readouterr().err
    assert main([*form, "--counts", "favorable=selected", "--counts", "all=applicants"]) == DONE
    capsys.readouterr()
    assert main([*form, "--rows-are-cases"]) == BAD_INPUT
    assert "--decision" in capsys.readouterr().err


BY_GROUP = ("--counts", "women=headcount women", "--counts", "men=headcount men")
MEANS = ("--means", "women=base women", "--means", "men=base men")


def test_counts_and_means_by_group_fill_a_form_on_pay(tmp_path, capsys):
    path, plan = tmp_path / "pay.csv", tmp_path / "plan.toml"
    path.write_text("category,headcount women,headcount men,base women,base men\na,40,60,24150.5,25310.75\n")
    asked = ["form", "eu_pay_transparency", str(path), "--column", "pay=base"]
    assert main([*asked, *BY_GROUP, *MEANS, "--save-plan", str(plan), "--json"]) == DONE
    [form] = json.loads(capsys.readouterr().out)["presets"]
    [gap] = [row["gap"] for pay in form["pay"] if len(pay["roles"]) > 1 for row in pay["rows"]]
    assert math.isclose(gap, 1 - 24150.5 / 25310.75)
    assert {pay["of_means"] for pay in form["pay"]} == {True} and form["of_counts"]
    saved = AuditPlan.load(plan)
    assert saved.data.counts == ByGroup((("women", "headcount women"), ("men", "headcount men")))
    # Without means no column of them is made.
    assert main([*asked, *BY_GROUP]) == BAD_INPUT and "no column 'base'" in capsys.readouterr().err
