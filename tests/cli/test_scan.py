"""The command ``scan``: what it prints, saves and refuses."""

from __future__ import annotations

import json

import pytest
from places import SAMPLES

from fairaudit import AuditPlan
from fairaudit.cli.main import main

LOANS = [str(SAMPLES / "loans.csv"), "--decision", "approved", "--favorable", "yes", "--column", "sex"]


def test_a_scan_prints_the_verdict_and_how_far_to_trust_it(capsys):
    assert main(["scan", *LOANS, "--column", "region", "--protected", "employment"]) == 0
    text = capsys.readouterr().out
    assert "stand" in text.splitlines()[0]
    assert "were considered" in text and "proven" in text and "employment is" in text


def test_a_scan_prints_the_conditions_of_a_subgroup_whole(capsys):
    assert main(["scan", *LOANS, "--column", "region", "--column", "employment", "--column", "purpose"]) == 0
    lines = capsys.readouterr().out.splitlines()[3:]
    rows = lines[1 : lines.index("")]
    place = lines[0].index("subgroup")
    assert any(len(row[place:]) > 40 for row in rows) and not any("…" in row for row in rows)


def test_a_scan_can_be_saved_and_repeated_as_json(capsys, tmp_path):
    saved = tmp_path / "scan.toml"
    assert main(["scan", *LOANS, "--json", "--seed", "4", "--save-plan", str(saved)]) == 0
    printed = json.loads(capsys.readouterr().out)
    plan = AuditPlan.load(saved)
    assert plan.seed == 4 and plan.subgroups[0].columns == ("sex",)
    assert printed["plan_digest"] == plan.digest and printed["subgroups"][0]["result"]["n_considered"] > 0


def test_a_scan_counts_positive_what_is_said_and_saves_it(capsys, tmp_path):
    saved, rated = tmp_path / "scan.toml", ["--predicted", "income >= 30000", "--measure", "fpr", "--json"]
    assert main(["scan", *LOANS, *rated, "--positive", "unfavorable", "--save-plan", str(saved)]) == 0
    flagged = json.loads(capsys.readouterr().out)["subgroups"][0]["result"]
    assert main(["scan", *LOANS, *rated[:2], "--measure", "fnr", "--json"]) == 0
    missed = json.loads(capsys.readouterr().out)["subgroups"][0]["result"]
    assert (flagged["positive"], missed["positive"]) == ("unfavorable", "favorable")
    assert flagged["rate"] == missed["rate"] and AuditPlan.load(saved).positive == "unfavorable"


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--column", "sez"], "sez"),
        (["--measure", "fpr"], "needs 'prediction'"),
        (["--predicted", "age > 1 AND income > 2"], "one column"),
        (["--min-rows", "0"], "at least 1"),
        (["--where", "sex ="], "condition"),
    ],
)
def test_what_cannot_be_searched_is_said_in_a_sentence(options, words, capsys):
    try:
        code = main(["scan", *LOANS, *options])
    except SystemExit as end:
        code = end.code
    assert code == 2 and words in capsys.readouterr().err
