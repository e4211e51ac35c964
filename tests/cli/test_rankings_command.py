"""The command ``rankings``: an answer in lines and as JSON, a saved audit, and exit codes."""

from __future__ import annotations

import json

import pandas as pd
import pytest

from fairaudit.cli.main import main
from fairaudit.plan.audit_plan import AuditPlan


@pytest.fixture
def listed(tmp_path):
    rows = [(day, "m" if place <= 6 else "f", place) for day in range(30) for place in range(1, 13)]
    path = tmp_path / "lists.csv"
    pd.DataFrame(rows, columns=["day", "sex", "place"]).to_csv(path, index=False)
    return path


def asked(path, *more):
    return main(
        ["rankings", str(path), "--rank", "place", "--list", "day", "--first", "4", "--protected", "sex = 'f'", *more]
    )


def test_an_answer_is_printed_and_its_audit_saved(listed, tmp_path, capsys):
    plan = tmp_path / "audit.toml"
    assert asked(listed, "--save-plan", str(plan)) == 0
    assert capsys.readouterr().out.startswith("Clear gap.")
    [saved] = AuditPlan.load(plan).rankings
    assert (saved.rank, saved.lists, saved.first) == ("place", ("day",), 4)


def test_the_same_as_json(listed, capsys):
    assert asked(listed, "--json") == 0
    [found] = json.loads(capsys.readouterr().out)["rankings"]
    assert found["verdict"] == "clear_gap" and found["result"]["n_compared"] == 30


def test_kinds_of_lists_have_a_table(listed, capsys):
    frame = pd.read_csv(listed).assign(kind=lambda each: (each["day"] % 2).map({0: "early", 1: "late"}))
    frame.to_csv(listed, index=False)
    assert asked(listed, "--strata", "kind") == 0
    said = capsys.readouterr().out
    assert "\n  early " in said and "\n  late " in said


def test_a_verdict_fails_where_that_is_asked(listed):
    assert asked(listed, "--fail-on", "clear_gap") == 3


def test_an_order_must_be_named(listed, capsys):
    assert main(["rankings", str(listed), "--protected", "sex = 'f'"]) == 2
    assert "--rank or --score" in capsys.readouterr().err
