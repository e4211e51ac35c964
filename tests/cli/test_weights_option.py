"""Commands ask how rows count where a column seems to hold survey weights, and answer for the people they speak for."""

from __future__ import annotations

import pandas as pd
import pytest

from fairaudit.cli.main import main

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


def test_the_plan_that_is_saved_keeps_the_weights(survey, capsys):
    saved = survey.with_name("plan.toml")
    assert main(["check", str(survey), *ASKED, "--weights", "pweight", "--save-plan", str(saved)]) == 0
    assert 'weights = "pweight"' in saved.read_text()


def test_a_form_that_knows_no_weights_refuses_them(survey, capsys):
    form = ["form", "eeoc_uniform_guidelines", str(survey), "--decision", "approved", "--favorable", "yes"]
    assert main([*form, "--column", "sex=sex", "--weights", "pweight"]) == 2
    assert "sampling weights" in capsys.readouterr().err
