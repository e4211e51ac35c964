"""Commands ask how rows count where a column seems to hold survey weights, and answer for the people they speak for."""

from __future__ import annotations

import itertools
import tomllib

import pandas as pd
import pytest

from fairaudit.cli.main import main
from fairaudit.findings import Count, Message
from fairaudit.messages import say
from fairaudit.plan.audit_plan import AuditPlan, DataPlan
from fairaudit.plan.outcomes import OutcomePlan
from fairaudit.plan.questions import CheckPlan

ASKED = ["--decision", "approved", "--favorable", "yes", "--protected", "sex = 'F'"]


@pytest.fixture
def survey(tmp_path):
    rows = [("F", "yes", 0.5)] * 200 + [("F", "no", 1.5)] * 200 + [("M", "yes", 1.3)] * 220 + [("M", "no", 1.0)] * 180
    path = tmp_path / "survey.csv"
    pd.DataFrame(rows, columns=["sex", "approved", "pweight"]).to_csv(path, index=False)
    return path


def test_a_check_asks_before_it_answers(survey, capsys):
    assert main(["check", str(survey), *ASKED]) == 2
    assert "--weights 'pweight'" in capsys.readouterr().err


def test_a_check_answers_by_weight_or_by_row_as_is_said(survey, capsys):
    assert main(["check", str(survey), *ASKED, "--weights", "pweight", "--by", "sex"]) == 0
    weighted = capsys.readouterr().out
    assert "25%" in weighted and "61%" in weighted and "'pweight'" in weighted
    assert main(["check", str(survey), *ASKED, "--unweighted"]) == 0
    assert "55%" in capsys.readouterr().out


def test_rows_without_a_weight_are_said_beside_the_answer(survey, capsys):
    left_out = say(Message("cases-weighted-out", {"n": Count(3)}))
    assert main(["check", str(survey), *ASKED, "--weights", "pweight"]) == 0
    assert left_out not in capsys.readouterr().out
    rows = pd.read_csv(survey)
    rows.loc[:2, "pweight"] = None
    rows.to_csv(survey, index=False)
    assert main(["check", str(survey), *ASKED, "--weights", "pweight"]) == 0
    assert left_out in capsys.readouterr().out


def test_the_plan_that_is_saved_keeps_the_weights(survey, capsys):
    saved = survey.with_name("plan.toml")
    assert main(["check", str(survey), *ASKED, "--weights", "pweight", "--save-plan", str(saved)]) == 0
    assert 'weights = "pweight"' in saved.read_text()


def test_a_form_that_knows_no_weights_refuses_them(survey, capsys):
    form = ["form", "eeoc_uniform_guidelines", str(survey), "--decision", "approved", "--favorable", "yes"]
    assert main([*form, "--column", "sex=sex", "--weights", "pweight"]) == 2
    assert "sampling weights" in capsys.readouterr().err


def test_a_plan_without_the_answer_is_told_which_keys_to_write(survey, capsys):
    saved = survey.with_name("plan.toml")
    run = ["run", str(saved), "--out", str(survey.with_name("out"))]
    assert main(["check", str(survey), *ASKED, "--unweighted", "--save-plan", str(saved)]) == 0
    answered = saved.read_text()
    saved.write_text(answered.replace("unweighted = true", ""))
    capsys.readouterr()
    assert main(run) == 2
    hint = capsys.readouterr().err
    assert "weights = 'pweight' under [data]" in hint
    assert "unweighted = true under [data.reading] of a plan" in hint
    plan = tomllib.loads(saved.read_text())
    assert "weights" not in plan["data"]
    saved.write_text(answered)
    assert tomllib.loads(answered)["data"]["reading"]["unweighted"] is True
    assert main(run) == 0


@pytest.mark.parametrize(
    ("head", "key"),
    [
        ("sex,area,hired,n\n", "counts = 'n'"),
        ("sex,area,selected,applicants\n", "counts = {favorable = 'selected', all = 'applicants'}"),
    ],
)
def test_a_plan_for_counts_is_told_which_keys_to_write(head, key, tmp_path, capsys):
    rows = tmp_path / "rows.csv"
    third = ("yes", "no") if head.endswith("hired,n\n") else (4, 5)
    lines = (f"{s},{a},{h},{n}\n" for n, (s, a, h) in enumerate(itertools.product("FM", "abc", third), 20))
    rows.write_text(head + "".join(lines if third[0] == "yes" else (line for line in lines if ",4," in line)))
    plan = tmp_path / "plan.toml"
    decision = "hired" if third[0] == "yes" else "area"
    outcome = OutcomePlan(column=decision, favorable=("yes" if decision == "hired" else "a",))
    check = CheckPlan(protected="sex = 'F'")
    AuditPlan(data=DataPlan(source="rows.csv"), decision=outcome, checks=(check,)).save(plan)
    assert main(["run", str(plan), "--out", str(tmp_path / "out")]) == 2
    hint = capsys.readouterr().err
    assert f"{key} under [data] of a plan" in hint
    assert "rows_are_cases = true under [data.reading] of a plan" in hint
    assert tomllib.loads(key)["counts"]
