"""The command ``check`` with levels: the answer in lines and JSON, and bad input in a sentence."""

from __future__ import annotations

import json

import pytest
from sources import ROOT

from fairaudit.cli.main import main

TABLE = str(ROOT / "sample_data" / "appraisals.csv")
ASKED = ["check", TABLE, "--decision", "grade", "--protected", "hours = 'part-time'"]


def test_levels_are_compared_in_lines_and_json(capsys):
    assert main([*ASKED, "--levels", "A,B,C,D,E", "--ordered", "--strata", "department"]) == 0
    assert "placed better in 41 of 100 pairs" in capsys.readouterr().out
    assert main([*ASKED, "--levels", "A, B, C, D, E", "--json"]) == 0
    [check] = json.loads(capsys.readouterr().out)["checks"]
    assert check["levels"]["levels"] == list("ABCDE") and not check["levels"]["ordered"]


def test_a_clear_gap_between_levels_fails_where_that_is_asked():
    assert main([*ASKED, "--levels", "A,B,C,D,E", "--ordered", "--fail-on", "clear_gap"]) == 3


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["--levels", "A,B,C,D,E,A"], "The level 'A' is named twice."),
        (["--levels", "A,B,C,D"], "holds 'E', which is not among the levels."),
        (["--levels", "A,B,C,D,E,F"], "The level 'F' does not occur"),
        (["--levels", "A"], "must name at least two"),
        (["--levels", "A,B", "--amount"], "does not go with --amount"),
        (["--favorable", "A", "--ordered"], "'--ordered' needs --levels"),
    ],
)
def test_levels_that_do_not_fit_are_said_in_a_sentence(given, said, capsys):
    assert main([*ASKED, *given]) == 2
    assert said in capsys.readouterr().err
