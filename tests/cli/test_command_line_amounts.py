"""The command line on decisions that are amounts."""

from __future__ import annotations

import json
import zipfile

import pytest
from shown import shows

from fairaudit.cli.main import BAD_INPUT, DONE, FAILED_ON, main
from fairaudit.plan.audit_plan import AuditPlan
from fairaudit.present import verdicts

CHECK = ["--decision", "pay", "--amount", "--protected", "sex = 'F'"]


@pytest.fixture
def data(tmp_path):
    rows = [("F", 1 + i % 2, i % 7, 1_000 + 10 * (i % 5)) for i in range(40)]
    rows += [("M", 1 + i % 2, i % 7, 1_200 + 10 * (i % 6)) for i in range(60)]
    path = tmp_path / "pay.csv"
    lines = ["sex,grade,years,pay", *(",".join(map(str, row)) for row in rows)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_check_prints_the_verdict_first(data, capsys):
    assert main(["check", str(data), *CHECK, "--amount-tolerance", "50"]) == DONE
    first = capsys.readouterr().out.splitlines()[0]
    assert first.startswith(f"{verdicts.CLEAR_GAP}. ") and "1,020" in first


def test_lower_can_be_better(data, capsys):
    assert main(["check", str(data), *CHECK, "--lower-is-better", "--json"]) == DONE
    assert json.loads(capsys.readouterr().out)["amounts"][0]["higher_is_favorable"] is False


def test_check_shows_groups_strata_and_similar_people(data, capsys):
    more = ["--by", "grade", "--strata", "grade", "--similar-by", "grade", "--similar-by", "years"]
    assert main(["check", str(data), *CHECK, *more]) == DONE
    out = capsys.readouterr().out
    assert "By grade:" in out and "Protected group within each grade:" in out
    assert "Among the 10 most similar in grade and years" in out
    assert "(DIDI)" in out and "(DTDI)" in out
    assert out.split("within each grade:\n")[1].splitlines()[0].split()[:4] == ["n", "mean", "median", "others"]


def test_what_cannot_be_compared_is_said(data, capsys):
    assert main(["check", str(data), *CHECK, "--strata", "sex"]) == DONE
    printed = capsys.readouterr().out
    assert "Not compared. " in printed and shows(printed, "check-not-compared-strata", columns="'sex'")


def test_json_holds_the_finding_and_the_plan_repeats_it(data, tmp_path, capsys):
    plan = tmp_path / "audit.toml"
    saving = ["--json", "--save-plan", str(plan), "--amount-tolerance", "50", "--similar-by", "grade"]
    assert main(["check", str(data), *CHECK, *saving]) == DONE
    printed = json.loads(capsys.readouterr().out)
    assert printed["checks"] == [] and printed["amounts"][0]["result"]["tolerance"] == 50
    check = AuditPlan.load(plan).checks[0]
    assert (check.amount_tolerance, check.similar_by) == (50.0, ("grade",))
    out = tmp_path / "out"
    assert main(["run", str(plan), "--out", str(out)]) == DONE
    shown = capsys.readouterr().out
    assert shown.startswith(f"{verdicts.CLEAR_GAP}. ")
    assert json.loads((out / "result.json").read_text(encoding="utf-8"))["amounts"] == printed["amounts"]
    assert (out / "report.pdf").read_bytes().startswith(b"%PDF")
    with zipfile.ZipFile(out / "tables.zip") as bundle:
        assert {"summary.csv", "check_1_difference.csv", "check_1_similar.csv"} <= set(bundle.namelist())


def test_fail_on_exits_with_three_only_where_the_difference_is_clearly_beyond_tolerance(data):
    assert main(["check", str(data), *CHECK, "--fail-on", "clear_gap"]) == FAILED_ON
    assert main(["check", str(data), *CHECK, "--fail-on", "clear_gap", "--amount-tolerance", "500"]) == DONE


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([*CHECK, "--tolerance", "0.1"], "'--tolerance' is in shares of people."),
        (
            ["--decision", "sex", "--favorable", "M", "--protected", "grade = 1", "--amount-tolerance", "5"],
            "needs a deci",
        ),
        (
            ["--decision", "sex", "--favorable", "M", "--protected", "grade = 1", "--similar-by", "grade"],
            "'--similar-by'",
        ),
        (
            ["--decision", "sex", "--favorable", "M", "--protected", "grade = 1", "--lower-is-better"],
            "'--lower-is-bett",
        ),
        (["--decision", "sex", "--amount", "--protected", "grade = 1"], "holds text values"),
        ([*CHECK, "--similar-by", "pay"], "'similar_by' must not name the decision"),
        ([*CHECK, "--similar-by", "grad"], "'grad'"),
        ([*CHECK, "--cluster", "grade"], "'--cluster' does not go with --amount"),
    ],
)
def test_settings_of_the_other_kind_are_refused_in_a_sentence(data, arguments, message, capsys):
    assert main(["check", str(data), *arguments]) == BAD_INPUT
    error = capsys.readouterr().err
    assert message in error and "Traceback" not in error


@pytest.mark.parametrize("tolerance", ["-1", "inf", "much"])
def test_a_tolerance_must_be_a_number_from_zero_on(data, tolerance, capsys):
    with pytest.raises(SystemExit) as stopped:
        main(["check", str(data), *CHECK, "--amount-tolerance", tolerance])
    assert stopped.value.code == BAD_INPUT
    assert "must be a number of at least 0" in capsys.readouterr().err


def test_an_amount_and_a_good_outcome_exclude_each_other(data, capsys):
    with pytest.raises(SystemExit) as stopped:
        main(["check", str(data), *CHECK, "--favorable", "1000"])
    assert stopped.value.code == BAD_INPUT
    assert "not allowed with" in capsys.readouterr().err


def test_check_asks_what_values_are_before_it_answers(data, capsys):
    with data.open("a", encoding="utf-8") as file:
        file.write("Unknown,1,1,1100\n" * 4)
    assert main(["check", str(data), *CHECK]) == BAD_INPUT
    assert '--not-known "sex=Unknown"' in capsys.readouterr().err
    assert main(["check", str(data), *CHECK, "--not-known", "sex=Unknown"]) == DONE
