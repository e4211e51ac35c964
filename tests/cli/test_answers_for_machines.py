"""What services of continuous integration, pipes and shells read of a command."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from xml.etree import ElementTree

import pytest
from places import ROOT, SAMPLES

from fairaudit.catalog import SECTIONS
from fairaudit.cli import commands
from fairaudit.cli.answers import Answered, as_junit, as_sarif
from fairaudit.cli.main import BAD_INPUT, DONE, FAILED_ON, main
from fairaudit.cli.man_page import man_page
from fairaudit.version import __version__

LOANS = SAMPLES / "loans.csv"
ASKED = ["--decision", "approved", "--favorable", "yes", "--protected", "sex = 'woman'"]
BERKELEY = [str(SAMPLES / "berkeley_1973.csv"), "--decision", "decision", "--favorable", "Admitted"]
BERKELEY += ["--protected", "gender = 'Women'"]
STOPS = [str(SAMPLES / "stop_and_frisk.csv"), "--cut-by", "date", "--cut", "2012-07-01", "--decision", "frisked"]
ANSWERS = (Answered("check", "Clear gap. <b>A</b> & B.", frozenset({"clear_gap"})), Answered("worst", "None."))


def test_junit_has_a_test_for_each_answer_and_fails_those_with_a_verdict_to_fail_on():
    for words, n_failed in ((("clear_gap",), 1), (("groups_stand_out",), 0), ((), 0)):
        [suite] = ElementTree.fromstring(as_junit(ANSWERS, words))
        assert (suite.get("tests"), suite.get("failures")) == ("2", str(n_failed))
        texts = [next(iter(case)).text for case in suite]
        assert texts == [answer.text for answer in ANSWERS]
        assert [case.find("failure") is not None for case in suite] == [bool(n_failed), False]


def test_sarif_says_error_where_a_verdict_fails_warning_where_it_could_and_note_elsewhere():
    for words, levels in ((("clear_gap",), ["error", "note"]), ((), ["warning", "note"])):
        [found] = json.loads(as_sarif(ANSWERS, words, "loans.csv"))["runs"]
        rules = [rule["id"] for rule in found["tool"]["driver"]["rules"]]
        assert [result["level"] for result in found["results"]] == levels
        assert [rules[result["ruleIndex"]] for result in found["results"]] == ["check", "worst"]


def test_check_prints_nothing_but_the_file_that_is_asked_for(capsys):
    assert main(["check", str(LOANS), *ASKED, "--format", "junit", "--fail-on", "clear_gap"]) == FAILED_ON
    [suite] = ElementTree.fromstring(capsys.readouterr().out)
    assert suite.get("failures") == "1"
    assert main(["check", str(LOANS), *ASKED, "--format", "sarif"]) == DONE
    assert json.loads(capsys.readouterr().out)["version"] == "2.1.0"
    assert main(["check", str(LOANS), *ASKED, "--format", "json"]) == DONE
    as_json = capsys.readouterr().out
    assert main(["check", str(LOANS), *ASKED, "--json", "--quiet"]) == DONE
    assert capsys.readouterr().out == as_json
    assert main(["check", str(LOANS), *ASKED, "--quiet", "--fail-on", "clear_gap"]) == FAILED_ON
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("command", "verdict", "code"),
    [
        (["worst", str(LOANS), *ASKED[:4], "--column", "sex"], "groups_stand_out", FAILED_ON),
        (["explain", *BERKELEY, "--control", "department=they choose it"], "not_explained", DONE),
        (["change", *STOPS, "--favorable", "N", "--protected", "race <> 'White'"], "gap_larger", DONE),
    ],
)  # fmt: skip
def test_every_command_with_a_verdict_fails_on_its_own(command, verdict, code, capsys):
    assert main([*command, "--quiet", "--fail-on", verdict]) == code
    assert capsys.readouterr() == ("", "")
    with pytest.raises(SystemExit) as ended:
        main([*command, "--fail-on", "none_such"])
    assert ended.value.code == BAD_INPUT
    assert verdict in capsys.readouterr().err


def test_verdicts_to_fail_on_are_those_that_readings_have():
    from typing import get_args

    from fairaudit.measure.period_results import ChangeVerdict
    from fairaudit.measure.verdicts import Verdict
    from fairaudit.sections.alternatives.reading import AlternativesVerdict
    from fairaudit.sections.explain.reading import Verdict as Explained
    from fairaudit.sections.worst import WorstVerdict

    kinds = {"check": Verdict, "worst": WorstVerdict, "explain": Explained, "change": ChangeVerdict}
    kinds |= {"alternatives": AlternativesVerdict, "errors": Verdict, "searches": Verdict}
    fails = {section.command: {*section.fails.verdicts} for section in SECTIONS if section.fails.verdicts}
    for command, kind in kinds.items():
        assert fails[command] < {*get_args(kind)}
    assert all(section.command for section in SECTIONS if section.fails.verdicts)


@pytest.fixture
def piped(monkeypatch):
    """Return a function that puts a file on standard input."""

    def put(content: bytes) -> None:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))

    return put


def test_a_dash_is_standard_input(piped, tmp_path, capsys):
    assert main(["check", str(LOANS), *ASKED]) == DONE
    named = capsys.readouterr().out
    # What is said of values is looked for in the file once more.
    for more in ([], ["--real-value", "region=North"]):
        piped(LOANS.read_bytes())
        assert main(["check", "-", *ASKED, *more]) == DONE
        assert capsys.readouterr().out == named
    piped(LOANS.read_bytes())
    run = ["run", str(SAMPLES / "berkeley_1973.toml"), "--data", "-", "--out", str(tmp_path / "out")]
    assert main(run) == BAD_INPUT
    piped((SAMPLES / "berkeley_1973.csv").read_bytes())
    assert main(run) == DONE


def test_standard_input_is_no_place_that_a_saved_audit_can_name(piped, tmp_path, capsys):
    piped(LOANS.read_bytes())
    assert main(["check", "-", *ASKED, "--save-plan", str(tmp_path / "audit.toml")]) == BAD_INPUT
    assert main(["change", "-", "-", *ASKED]) == BAD_INPUT
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("given", "meant"),
    [(["chek"], "check"), (["check", "x.csv", "--decison", "a"], "--decision"), (["--verson"], "--version")],
)
def test_a_name_that_there_is_not_gets_the_nearest_one(given, meant, capsys):
    with pytest.raises(SystemExit) as ended:
        main(given)
    assert ended.value.code == BAD_INPUT
    assert f"'{meant}'" in capsys.readouterr().err.splitlines()[1]


def test_a_name_that_is_cut_short_still_stands_for_its_option(capsys):
    assert main(["check", str(LOANS), *ASKED[:4], "--protect", ASKED[5]]) == DONE


def test_version_names_all_parts_as_json(capsys):
    assert main(["--version"]) == DONE
    assert capsys.readouterr().out == f"fairaudit {__version__}\n"
    assert main(["--version", "--json"]) == DONE
    versions = json.loads(capsys.readouterr().out)
    assert versions["fairaudit"] == __version__ and {"python", "duckdb", "scikit-learn"} < {*versions}


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_shells_get_what_they_run(shell, capsys):
    assert main(["completion", shell]) == DONE
    assert "fairaudit" in capsys.readouterr().out


def test_completion_offers_commands_and_options(tmp_path):
    def offered(line: str) -> set[str]:
        out = tmp_path / "offered"
        asked = {"_ARGCOMPLETE": "1", "_ARGCOMPLETE_IFS": "\n", "COMP_LINE": line, "COMP_POINT": str(len(line))}
        environment = os.environ | asked | {"_ARGCOMPLETE_STDOUT_FILENAME": str(out)}
        subprocess.run([sys.executable, "-m", "fairaudit"], env=environment, cwd=ROOT, check=True)
        return {text.strip() for text in out.read_text(encoding="utf-8").split("\n")}

    assert offered("fairaudit ch") == {"check", "change"}
    assert {"--favorable", "--favorable-when"} <= offered("fairaudit check --fav")


def test_manual_page_says_what_the_help_says_today():
    page = man_page()
    assert (ROOT / "docs" / "fairaudit.1").read_text(encoding="utf-8") == page
    assert all(f".SS {each.name}\n" in page for each in commands.COMMANDS)
