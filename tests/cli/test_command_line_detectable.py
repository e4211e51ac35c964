"""The command ``detectable``, and what other commands say of how much data it takes."""

from __future__ import annotations

import json

import pytest

from fairaudit import detectable_gap
from fairaudit.cli.main import BAD_INPUT, DONE, main


def test_detectable_prints_what_python_finds(capsys):
    assert main(["detectable", "93", "92", "--rate", "0.7", "--json"]) == DONE
    assert json.loads(capsys.readouterr().out) == json.loads(json.dumps(detectable_gap(93, 92, rate=0.7).to_dict()))
    assert main(["detectable", "93", "92", "--rate", "0.7"]) == DONE
    assert "20.1 points" in capsys.readouterr().out


def test_a_group_of_nobody_is_a_sentence(capsys):
    assert main(["detectable", "93", "0"]) == BAD_INPUT
    assert "n_reference" in capsys.readouterr().err


@pytest.mark.parametrize("decision", [["--favorable", "yes"], ["--amount"]])
def test_check_says_how_many_rows_it_takes_where_the_answer_is_not_clear(decision, tmp_path, capsys):
    held = "got" if "--amount" not in decision else "pay"
    data = tmp_path / "data.csv"
    lines = [f"{'F' if i % 2 else 'M'},{'yes' if i % 3 else 'no'},{i % 7}" for i in range(60)]
    data.write_text("\n".join(["sex,got,pay", *lines]))
    asked = ["check", str(data), "--decision", held, *decision, "--protected", "sex = 'F'"]
    assert main(asked) == DONE
    assert "With 30 and 30 rows, " in capsys.readouterr().out
    assert main([*asked, "--json"]) == DONE
    document = json.loads(capsys.readouterr().out)
    [answer] = document["amounts" if "--amount" in decision else "checks"]
    assert answer["detectable"]["n_protected"] == 30 and answer["detectable"]["gap"] > 0
