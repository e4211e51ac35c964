"""Commands ask how open cases count where their time so far is there, and answer by each way that the hint names."""

from __future__ import annotations

import re
import shlex

import numpy as np
import pandas as pd
import pytest

from fairaudit.cli.main import BAD_INPUT, DONE, main

ASKED = ["--decision", "days", "--amount", "--lower-is-better", "--protected", "origin = 'late'"]


@pytest.fixture
def cases(tmp_path):
    rng = np.random.default_rng(0)
    late = np.resize([True, False], 600)
    days, so_far = np.ceil(rng.exponential(np.where(late, 100, 40))), rng.integers(1, 365, 600)
    frame = pd.DataFrame({"origin": np.where(late, "late", "soon"), "days": np.minimum(days, so_far)})
    frame["closed"] = np.where(days <= so_far, 1, 0)
    path = tmp_path / "cases.csv"
    frame.to_csv(path, index=False)
    return str(path)


def test_a_check_is_asked_for_and_each_way_to_answer_works(cases, capsys):
    assert main(["check", cases, *ASKED]) == BAD_INPUT
    hint = capsys.readouterr().err
    ways = re.findall(r'(--open-when ".*?"|--where ".*?"|--all-closed)', hint)
    assert len(ways) == 3
    answers = []
    for way in ways:
        assert main(["check", cases, *ASKED, *shlex.split(way)]) == DONE, way
        answers.append(capsys.readouterr().out)
    assert len(set(answers)) == 3
    assert main(["check", cases, *ASKED, *shlex.split(ways[0]), "--closed-only"]) == BAD_INPUT


def test_what_counts_closed_cases_alone_takes_the_filter_or_that_all_are_closed(cases, capsys):
    worst = ["worst", cases, *ASKED[:3], "--column", "origin"]
    assert main(worst) == BAD_INPUT
    assert "closed <> 0" in capsys.readouterr().err
    assert main([*worst, "--where", "closed <> 0"]) == main([*worst, "--all-closed"]) == DONE
