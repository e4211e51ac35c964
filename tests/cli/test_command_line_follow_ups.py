"""The commands ``explain`` and ``compare``: what Python finds, as lines, as JSON and as a plan that `run` repeats."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from fairaudit import compare_periods, explain_gap, run
from fairaudit.cli.main import BAD_INPUT, DONE, main
from fairaudit.findings import Group, Message, Phrase, Word
from fairaudit.messages import say
from fairaudit.plan.audit_plan import AuditPlan, DataPlan
from fairaudit.plan.outcomes import OutcomePlan
from fairaudit.plan.questions import ChangePlan

REASON = "each applicant picks a department"
QUESTION = ["--decision", "got", "--favorable", "yes", "--protected", "sex = 'F'"]


def drawn(seed: int = 0, better: float = 0.0) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    sex = rng.choice(["F", "M"], 400)
    area = np.where(rng.random(400) < np.where(sex == "F", 0.7, 0.4), "a", "b")
    chance = 0.3 + 0.3 * (area == "b") - (0.15 - better) * (sex == "F")
    got = np.where(rng.random(400) < chance, "yes", "no")
    pay = (100 + 10 * (area == "b") - 5 * (sex == "F") + rng.normal(0, 5, 400)).round(1)
    return pd.DataFrame({"sex": sex, "area": area, "year": 2023 + seed, "got": got, "pay": pay})


@pytest.fixture
def years(tmp_path) -> tuple[Path, Path, Path]:
    paths = tuple(tmp_path / f"{name}.csv" for name in ("before", "after", "both"))
    for path, frame in zip(paths, (drawn(), drawn(1), pd.concat([drawn(), drawn(1)])), strict=True):
        frame.to_csv(path, index=False)
    return paths


def test_explain_prints_the_parts_and_the_reasons(years, capsys):
    assert main(["explain", str(years[0]), *QUESTION, "--control", f"area={REASON}"]) == DONE
    found = explain_gap(drawn(), decision="got", favorable="yes", protected="sex = 'F'", controls="area")
    out = capsys.readouterr().out
    assert REASON in out
    for part in (found.gap, found.explained, found.unexplained):
        assert f"{abs(100 * part.value):.1f}" in out
    assert "discriminat" not in out and "caused" not in out


def test_explain_as_json_is_what_a_saved_plan_gives(years, capsys, tmp_path):
    plan = tmp_path / "plan.toml"
    asked = ["explain", str(years[0]), *QUESTION, "--control", f"area={REASON}", "--method", "regression", "--json"]
    assert main([*asked, "--save-plan", str(plan)]) == DONE
    one = json.loads(capsys.readouterr().out)
    assert AuditPlan.load(plan).explanations[0].controls[0].reason == REASON
    assert main(["run", str(plan), "--out", str(tmp_path / "out")]) == DONE
    assert "What explains it" in capsys.readouterr().out
    other = json.loads((tmp_path / "out" / "result.json").read_text(encoding="utf-8"))
    assert one["explanations"] == other["explanations"] and one["explanations"][0]["result"]["model"] == "logistic"


def test_explain_divides_amounts(years, capsys):
    asked = ["explain", str(years[0]), "--decision", "pay", "--amount", "--protected", "sex = 'F'"]
    assert main([*asked, "--control", f"area={REASON}"]) == DONE
    assert "points" not in capsys.readouterr().out.split("\n")[0]


@pytest.mark.parametrize("control", ["area", "area=", "area=   "])
def test_a_control_without_a_reason_is_refused(years, capsys, control):
    assert main(["explain", str(years[0]), *QUESTION, "--control", control]) == BAD_INPUT
    assert "needs a reason" in capsys.readouterr().err


def test_compare_prints_both_answers_and_the_change(years, capsys):
    assert main(["change", str(years[0]), str(years[1]), *QUESTION, "--strata", "area"]) == DONE
    out = capsys.readouterr().out
    found = compare_periods(drawn(), drawn(1), decision="got", favorable="yes", protected="sex = 'F'", strata="area")
    assert out.startswith(say(Message("verdict-gap-may-not-have-changed")))
    [change] = [line for line in out.split("\n") if line.startswith("  change")]
    [mix] = [line for line in out.split("\n") if line.startswith("  mix")]
    assert f"{abs(100 * found.change):.1f}" in change and f"{abs(100 * found.mix):.1f}" in mix


def near(n: int) -> pd.DataFrame:
    """Return a table of 10,000 women, so many of whom get it, and as many men, of whom 6,135 do."""
    got = np.concatenate([np.arange(10_000) < n, np.arange(10_000) < 6135])
    return pd.DataFrame({"sex": np.repeat(["F", "M"], 10_000), "got": np.where(got, "yes", "no")})


def test_compare_prints_the_figures_of_page_and_report(tmp_path, capsys):
    paths = [tmp_path / "before.csv", tmp_path / "after.csv"]
    for path, n in zip(paths, (4444, 4946), strict=True):
        near(n).to_csv(path, index=False)
    assert main(["change", *map(str, paths), *QUESTION]) == DONE
    out = capsys.readouterr().out
    # With one decimal, 44.4 and 61.4 would stand beside a gap of 16.9.
    assert all(text in out for text in ("44.44", "61.35", "−16.91"))
    # A change of 5.02 points is beyond the 5 points that count as none.
    [change] = [line for line in out.split("\n") if line.startswith("  change")]
    assert "+5.02" in change


def test_compare_heads_each_column(years, capsys):
    cut = ["change", str(years[2]), *QUESTION, "--cut-by", "year"]
    assert main([*cut, "--cut", "2024"]) == DONE
    who = {"protected": Phrase("people whose sex is F"), "others": Group(), "unit": Word("points")}
    # A terminal cuts long heads.
    head = say(Message("column-gap", who))[:30]
    [two] = [line for line in capsys.readouterr().out.split("\n") if head in line]
    groups = [f"{who}, {what}" for who in ("people whose sex is F", "everyone else") for what in ("cases", "share")]
    *sides, gap, level = re.split(r"\s{2,}", two.strip())
    assert gap.startswith(head) and [*sides, level] == [*groups, "95\u00a0% range"]
    pd.concat([drawn(), drawn(1), drawn(2)]).to_csv(years[2], index=False)
    assert main([*cut, "--cut", "2024", "--cut", "2025"]) == DONE
    [many] = [line for line in capsys.readouterr().out.split("\n") if head in line]
    assert re.split(r"\s{2,}", many.strip()) == [*re.split(r"\s{2,}", two.strip()), "p, adjusted"]


def test_compare_takes_amounts_and_clusters(years, capsys):
    asked = ["change", str(years[0]), str(years[1]), "--decision", "pay", "--amount", "--protected", "sex = 'F'"]
    assert main([*asked, "--strata", "area", "--amount-tolerance", "3"]) == DONE
    out = capsys.readouterr().out
    found = compare_periods(drawn(), drawn(1), decision="pay", protected="sex = 'F'", strata="area", tolerance=3)
    assert f"{abs(found.change):.2f}" in out and "points" not in out
    assert main(["change", str(years[2]), *QUESTION, "--cut-by", "year", "--cut", "2024", "--cluster", "area"]) == DONE
    assert say(Message("change-clustered", {"column": Phrase("area")})) in capsys.readouterr().out
    assert main([*asked, "--cluster", "area"]) == BAD_INPUT
    assert "cluster" in capsys.readouterr().err
    assert main([*asked[:3], *QUESTION, "--amount-tolerance", "3"]) == BAD_INPUT
    assert "--amount" in capsys.readouterr().err


def test_an_earlier_second_table_turns_the_change_round(years):
    asked = ChangePlan(protected="sex = 'F'", second=years[1].name, strata=("area",))
    plan = AuditPlan(
        data=DataPlan(source=years[0].name), decision=OutcomePlan(column="got", favorable=("yes",)), changes=(asked,)
    )
    turned = plan.model_copy(update={"changes": (asked.model_copy(update={"second_is": "earlier"}),)})
    one, other = (run(p, base=years[0].parent).changes[0].result for p in (plan, turned))
    assert (one.change, one.mix) == pytest.approx((-other.change, -other.mix))
    assert one.names == other.names[::-1]


def test_compare_cuts_one_table_and_gives_the_same(years, capsys):
    cut = ["change", str(years[2]), *QUESTION, "--cut-by", "year", "--cut", "2024", "--json"]
    assert main(cut) == DONE
    one = json.loads(capsys.readouterr().out)["changes"][0]["result"]
    assert main(["change", str(years[0]), str(years[1]), *QUESTION, "--json"]) == DONE
    other = json.loads(capsys.readouterr().out)["changes"][0]["result"]
    assert one["change"] == other["change"] and one["verdict"] == other["verdict"]


def test_a_saved_comparison_refuses_another_later_table(years, capsys, tmp_path):
    plan = tmp_path / "plan.toml"
    assert main(["change", str(years[0]), str(years[1]), *QUESTION, "--save-plan", str(plan)]) == DONE
    assert main(["run", str(plan), "--out", str(tmp_path / "out")]) == DONE
    assert "Change over time" in capsys.readouterr().out
    drawn(2).to_csv(years[1], index=False)
    assert main(["run", str(plan), "--out", str(tmp_path / "again")]) == BAD_INPUT
    assert "is not the one that the plan was saved with" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ([], "later period, or --cut-by"),
        (["--cut-by", "year"], "go together"),
        (["--cut-by", "year", "--cut", "2023", "--cut", "2024", "--strata", "area"], "--strata needs two periods"),
        (["--cut-by", "area", "--cut", "a"], "column of dates, months or numbers"),
        (["--cut-by", "year", "--cut", "2040"], "No row of column 'year' is from 2040"),
    ],
)
def test_periods_that_are_not_said_well_are_refused(years, capsys, given, words):
    assert main(["change", str(years[2]), *QUESTION, *given]) == BAD_INPUT
    assert words in capsys.readouterr().err
