"""The command that a scheduler runs each night: what it prints, what it keeps, and how it ends."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

from fairaudit.cli.main import main
from fairaudit.plan.audit_plan import AuditPlan

ASKED = ["--decision", "loan", "--favorable", "yes", "--protected", "sex = 'F'"]


@pytest.fixture
def night(tmp_path):
    """Return what writes a night of loans."""

    def write(name: str, gap: float) -> str:
        rng = np.random.default_rng(int(name[-2:]))
        frame = pd.DataFrame({"night": name, "sex": rng.choice(["F", "M"], 200)})
        frame["loan"] = np.where(rng.random(200) < np.where(frame["sex"] == "F", 0.6 - gap, 0.6), "yes", "no")
        path = tmp_path / f"{name}.csv"
        frame.to_csv(path, index=False)
        return str(path)

    return write


def test_a_scheduler_gets_0_without_an_alarm_3_with_one_and_2_for_a_batch_that_came(night, tmp_path, capsys):
    state = tmp_path / "watch.json"
    codes = []
    for day in range(1, 13):
        name = f"2026-03-{day:02}"
        asked = ["watch", night(name, 0.45), *ASKED, "--batch", name, "--state", str(state), "--fail-on", "alarm"]
        codes.append(main(asked))
    assert codes[0] == 0
    assert codes[-1] == 3
    assert codes == sorted(codes), "an alarm stays"
    before = state.read_bytes()
    capsys.readouterr()
    assert main(asked) == 2
    assert "2026-03-12" in capsys.readouterr().err
    assert state.read_bytes() == before, "nothing was changed"


def test_json_holds_the_answer_and_a_saved_audit_repeats_it(night, tmp_path, capsys):
    plan = tmp_path / "plan.toml"
    more = ["--batches", "night", "--json", "--save-plan", str(plan)]
    assert main(["watch", night("2026-03-01", 0.1), *ASKED, *more]) == 0
    held = json.loads(capsys.readouterr().out)
    assert (held["answer"], held["result"]["n_batches"]) == ("no_alarm", 1)
    [asked] = AuditPlan.load(plan).watches
    assert (asked.batches, asked.protected) == ("night", "sex = 'F'")


def test_nights_of_one_result_or_of_no_rows_are_taken(night, tmp_path, capsys):
    state, path = tmp_path / "watch.json", night("2026-03-01", 0.1)
    rows = pd.read_csv(path)
    for day, each in enumerate((rows.assign(loan="no"), rows, rows.assign(loan="yes"), rows.iloc[:0]), start=1):
        each.to_csv(path, index=False)
        assert main(["watch", path, *ASKED, "--batch", f"2026-03-{day:02}", "--state", str(state)]) == 0
    assert len(json.loads(state.read_text())["batches"]) == 4
    assert main(["watch", path, *ASKED, "--batch", "1"]) == 2, "no watch says what the columns hold"
    assert "no rows" in capsys.readouterr().err


def test_a_night_without_a_decision_is_said_and_changes_nothing(night, tmp_path, capsys):
    state = tmp_path / "watch.json"

    def came(name: str, *, decided: bool = True) -> str:
        rows = pd.read_csv(path := night(name, 0.1))
        rows.assign(loan=rows["loan"] if decided else None).to_csv(path, index=False)
        assert main(["watch", path, *ASKED, "--batches", "night", "--state", str(state)]) == 0
        return capsys.readouterr().out

    assert "2026-03-01 has no decision" in came("2026-03-01", decided=False)
    assert json.loads(state.read_text())["batches"] == []
    came("2026-03-01")
    before = state.read_bytes()
    assert "2026-03-02 has no decision" in came("2026-03-02", decided=False)
    assert state.read_bytes() == before
    assert "has no decision" not in came("2026-03-02")
    assert len(json.loads(state.read_text())["batches"]) == 2


def test_a_plan_that_cannot_be_written_uses_no_batch_up(night, tmp_path, capsys):
    state, plan = tmp_path / "watch.json", tmp_path / "none" / "plan.toml"
    asked = ["watch", night("2026-03-01", 0.1), *ASKED, "--batches", "night", "--state", str(state)]
    assert main([*asked, "--save-plan", str(plan)]) == 2
    assert not state.exists()
    assert main(asked) == 0


def test_junit_fails_on_an_alarm(night, tmp_path, capsys):
    state = tmp_path / "watch.json"
    for day in range(1, 13):
        name = f"2026-03-{day:02}"
        asked = ["watch", night(name, 0.45), *ASKED, "--batch", name, "--state", str(state)]
        main([*asked, "--format", "junit", "--fail-on", "alarm"])
    assert 'failures="1"' in capsys.readouterr().out.split("<?xml")[-1]


@pytest.mark.parametrize(
    "wrong",
    [[], ["--batch", "1", "--batches", "night"], ["--batches", "nigth"], ["--batch", "1", "--save-plan", "x.toml"],
     ["--batch", "1", "--fail-on", "clear_gap"]],
)  # fmt: skip
def test_what_does_not_fit_is_one_sentence(night, wrong, capsys):
    try:
        code = main(["watch", night("2026-03-01", 0.1), *ASKED, *wrong])
    except SystemExit as end:
        code = end.code
    assert code == 2
    assert capsys.readouterr().err.strip()
