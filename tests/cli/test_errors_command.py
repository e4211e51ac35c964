"""The command ``errors``: what it prints, saves, refuses and fails on."""

from __future__ import annotations

import json

import pytest
from places import SAMPLES

from fairaudit.cli.main import main
from fairaudit.findings import Message
from fairaudit.messages import say
from fairaudit.plan.audit_plan import AuditPlan

DATA = [str(SAMPLES / "recidivism.csv"), "--decision", "reoffended_within_two_years", "--favorable", "0"]
ASKED = [*DATA, "--predicted", "risk_decile <= 5", "--by", "race"]


def test_it_prints_the_verdict_first_and_each_group(capsys):
    assert main(["errors", *ASKED]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == f"{say(Message('verdict-clear-gap'))}."
    assert sum("African-American" in line and "48.8" in line and "20.4" in line for line in lines) == 1


def test_json_holds_both_verdicts_and_the_saved_plan_gives_the_same(capsys, tmp_path):
    saved = tmp_path / "errors.toml"
    assert main(["errors", *ASKED, "--json", "--save-plan", str(saved)]) == 0
    [found] = json.loads(capsys.readouterr().out)["errors"]
    assert (found["flagged"], found["missed"]) == ("clear_gap", "clear_gap")
    assert AuditPlan.load(saved).errors[0].by == ("race",)


def test_a_score_alone_says_what_it_means_and_a_clear_gap_can_fail(capsys):
    score = ["--score", "risk_probability", "--lower-is-better", "--by", "race"]
    assert main(["errors", *DATA, *score, "--fail-on", "clear_gap"]) == 0
    assert say(Message("errors-score-name")) in capsys.readouterr().out
    assert main(["errors", *DATA, *score, "--cut", "0.5", "--fail-on", "clear_gap"]) == 3


@pytest.mark.parametrize(
    ("options", "word"), [([], "--predicted"), (["--predicted", "risk_decile <= 5", "--cut", "3"], "--score")]
)
def test_it_refuses_what_cannot_be_answered(capsys, options, word):
    assert main(["errors", *DATA, "--by", "race", *options]) == 2
    assert word in capsys.readouterr().err
