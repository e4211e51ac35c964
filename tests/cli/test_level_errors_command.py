"""The command ``errors`` with levels: the answer in lines and JSON, and bad input in a sentence."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest
from sources import ROOT

from fairaudit.cli.main import main
from fairaudit.plan.audit_plan import AuditPlan


@pytest.fixture
def table(tmp_path):
    """Return appraisals with a predicted grade that is too low for part-time staff more often."""
    data = pd.read_csv(ROOT / "sample_data" / "appraisals.csv")
    rng, grades = np.random.default_rng(5), list("ABCDE")
    lower = rng.random(len(data)) < np.where(data["hours"] == "part-time", 0.3, 0.1)
    data["guess"] = [
        grades[min(grades.index(grade) + low, 4)] if isinstance(grade, str) else None
        for grade, low in zip(data["grade"], lower, strict=True)
    ]
    data.to_csv(tmp_path / "graded.csv", index=False)
    return str(tmp_path / "graded.csv")


ASKED = ["--decision", "grade", "--levels", "A,B,C,D,E", "--by", "hours"]


def test_predicted_levels_are_compared_in_lines_json_and_a_saved_audit(table, tmp_path, capsys):
    plan = tmp_path / "plan.toml"
    given = ["errors", table, *ASKED, "--predicted", "guess", "--ordered", "--strata", "department"]
    assert main([*given, "--save-plan", str(plan), "--fail-on", "clear_gap"]) == 3
    assert "are placed too low" in capsys.readouterr().out
    assert AuditPlan.load(plan).prediction.levels == tuple("ABCDE")
    assert main(["errors", table, *ASKED, "--predicted", "guess", "--json"]) == 0
    [errors] = json.loads(capsys.readouterr().out)["errors"]
    assert errors["levels"]["verdict"] == "clear_gap" and not errors["levels"]["ordered"]
    assert len(errors["levels"]["counts"]) == 3 * 25


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["--predicted", "department"], "has no value 'A'"),
        (["--predicted", "guess <= 'B'", "--strata", "department"], "'strata' in errors"),
    ],
)
def test_what_does_not_fit_is_said_in_a_sentence(table, given, said, capsys):
    assert main(["errors", table, *ASKED, *given]) == 2
    assert said in capsys.readouterr().err
