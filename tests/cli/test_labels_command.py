"""Labels of codes on the command line, for commands that take data."""

from __future__ import annotations

import json

import pytest

from fairaudit import AuditPlan
from fairaudit.cli.main import main

ROWS = "sex,granted\n" + "1,1\n" * 60 + "1,0\n" * 40 + "2,1\n" * 30 + "2,0\n" * 70
ASKED = ["--decision", "granted", "--favorable", "1", "--protected", "sex = 2"]


@pytest.fixture
def rows(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text(ROWS)
    return path


@pytest.mark.parametrize(
    "how",
    [["--labels", "sex:1=man,2=woman, or girl"], ["--codebook", "all.csv"], ["--codebook", "sex=one.csv"]],
)
def test_labels_and_codebooks_say_the_same(rows, how, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "all.csv").write_text('column,value,label\nsex,1,man\nsex,2,"woman, or girl"\nrace,1,White\n')
    (tmp_path / "one.csv").write_text('value,label\n1,man\n2,"woman, or girl"\n')
    assert main(["check", str(rows), *ASKED, "--by", "sex", *how, "--save-plan", "plan.toml"]) == 0
    assert "woman, or girl" in capsys.readouterr().out
    saved = AuditPlan.load(tmp_path / "plan.toml")
    assert saved.data.labels == {"sex": {"1": "man", "2": "woman, or girl"}}
    assert main(["run", "plan.toml", "--out", "out"]) == 0
    assert json.loads((tmp_path / "out" / "result.json").read_text())["checks"][0]["result"]["protected"]["n"] == 100


@pytest.mark.parametrize(
    ("how", "named"),
    [
        (["--labels", "sex=man"], "sex=man"),
        (["--labels", "sex:1=man,1=boy"], "'1'"),
        (["--labels", "sx:1=man"], "'sx'"),
        (["--codebook", "other.csv"], "'race'"),
        (["--codebook", "none.csv"], "none.csv"),
        (["--numbers", "sx"], "'sx'"),
        (["--codebook", "two.csv", "--labels", "sex:2=girl"], "'girl'"),
        (["--codebook", "two.csv", "--codebook", "other sex.csv"], "'lady'"),
    ],
)
def test_what_is_wrong_is_one_sentence(rows, how, named, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "other.csv").write_text("column,value,label\nrace,1,White\n")
    (tmp_path / "two.csv").write_text("column,value,label\nsex,1,man\nsex,2,woman\n")
    (tmp_path / "other sex.csv").write_text("column,value,label\nsex,2,lady\n")
    assert main(["check", str(rows), *ASKED, *how]) == 2
    assert named in capsys.readouterr().err


def test_labels_and_a_codebook_may_say_the_same_or_complete_each_other(rows, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "two.csv").write_text("column,value,label\nsex,2,woman\n")
    asked = ["check", str(rows), *ASKED, "--by", "sex", "--codebook", "two.csv"]
    assert main([*asked, "--labels", "sex:1=man,2=woman"]) == 0
    said = capsys.readouterr().out
    assert "man" in said and main([*asked, "--labels", "sex:1=man"]) == 0
    assert capsys.readouterr().out == said
