"""The command ``worst``: what it prints, saves and refuses."""

from __future__ import annotations

import json

import pytest
from places import SAMPLES

from fairaudit import AuditPlan
from fairaudit.cli.main import main
from fairaudit.findings import Count, Message
from fairaudit.messages import say

VERDICTS = ("verdict-groups-stand-out", "verdict-none-stands-out")
LOANS = [str(SAMPLES / "loans.csv"), "--decision", "approved", "--favorable", "yes", "--column", "sex"]


def test_a_search_prints_the_verdict_and_how_far_to_trust_it(capsys):
    assert main(["worst", *LOANS, "--column", "region", "--protected", "employment"]) == 0
    text = capsys.readouterr().out
    assert text.splitlines()[0] in {f"{say(Message(key, {'n': Count(n)}))}." for key in VERDICTS for n in range(9)}
    assert say(Message("worst-how-proven")) in text and "employment is" in text


def test_a_search_prints_the_conditions_of_a_subgroup_whole(capsys):
    asked = ["--column", "region", "--column", "employment", "--column", "purpose", "--not-known", "purpose=?"]
    assert main(["worst", *LOANS, *asked]) == 0
    lines = capsys.readouterr().out.splitlines()
    lines = lines[lines.index("") + 1 :]
    rows = lines[1 : lines.index("")]
    place = lines[0].index("  group") + 2
    assert any(len(row[place:]) > 40 for row in rows) and not any("…" in row for row in rows)


def test_a_search_can_be_saved_and_repeated_as_json(capsys, tmp_path):
    saved = tmp_path / "search.toml"
    assert main(["worst", *LOANS, "--json", "--seed", "4", "--save-plan", str(saved)]) == 0
    printed = json.loads(capsys.readouterr().out)
    plan = AuditPlan.load(saved)
    assert plan.seed == 4 and plan.subgroups[0].columns == ("sex",)
    assert printed["plan_digest"] == plan.digest and printed["subgroups"][0]["result"]["n_considered"] > 0
    assert printed["subgroups"][0]["verdict"] in ("groups_stand_out", "none_stands_out")


def test_a_search_counts_positive_what_is_said_and_saves_it(capsys, tmp_path):
    saved, rated = tmp_path / "search.toml", ["--predicted", "income >= 30000", "--measure", "fpr", "--json"]
    assert main(["worst", *LOANS, *rated, "--positive", "unfavorable", "--save-plan", str(saved)]) == 0
    flagged = json.loads(capsys.readouterr().out)["subgroups"][0]["result"]
    assert main(["worst", *LOANS, *rated[:2], "--measure", "fnr", "--json"]) == 0
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
        code = main(["worst", *LOANS, *options])
    except SystemExit as end:
        code = end.code
    assert code == 2 and words in capsys.readouterr().err


@pytest.mark.parametrize("value", ["--not-known", "--leave-out", "--real-value"])
def test_a_search_goes_on_after_a_value_was_answered(value, tmp_path, capsys):
    rows = tmp_path / "rows.csv"
    rows.write_text("sex,ok\n" + "1,1\n" * 60 + "1,0\n" * 40 + "2,1\n" * 30 + "2,0\n" * 70 + "9,1\n" * 12)
    asked = ["worst", str(rows), "--decision", "ok", "--favorable", "1", "--column", "sex", "--codes", "sex"]
    assert main([*asked, value, "sex=9"]) == 0
    lines = capsys.readouterr().out
    assert main([*asked, value, "sex=9", "--save-plan", str(tmp_path / "plan.toml")]) == 0
    assert capsys.readouterr().out == lines


def test_numbers_that_may_be_codes_are_refused_until_somebody_says_what_they_are(capsys, tmp_path):
    data, saved = tmp_path / "people.csv", tmp_path / "plan.toml"
    rows = [f"{1 + i % 4},{'ab'[i // 3 % 2]},{'yes' if (i * 7) % 5 > i % 2 else 'no'}" for i in range(400)]
    data.write_text("\n".join(["kind,area,ok", *rows]))
    asked = ["worst", str(data), "--decision", "ok", "--favorable", "yes", "--min-rows", "20"]
    assert main(asked) == 2
    said = capsys.readouterr().err
    assert all(way in said for way in ('--codes "kind"', "--numbers", "--labels"))
    for way in (["--codes", "kind"], ["--numbers", "kind"], ["--labels", "kind:1=one,2=two,3=three,4=four"]):
        assert main([*asked, *way, "--save-plan", str(saved)]) == 0
        capsys.readouterr()
        options = AuditPlan.load(saved).data.options
        assert "kind" in (*options.codes, *options.numbers, *(name for name, _ in options.labels))
        saved.unlink()
