"""The command ``searches``: what Python finds, as lines, as JSON and as a plan that `run` repeats."""

from __future__ import annotations

import json
from pathlib import Path

import inspections_by_hand as by_hand
import pandas as pd
import pytest
from shown import shows

from fairaudit import outcome_test
from fairaudit.cli.main import BAD_INPUT, DONE, FAILED_ON, main
from fairaudit.cli.running import answered
from fairaudit.findings import Message
from fairaudit.messages import say
from fairaudit.plan.audit_plan import AuditPlan
from fairaudit.sections.searches.section import SearchesSection

QUESTION = ["--acted", "searched = 'Y'", "--found", "found = 'Y'", "--group", "race"]


@pytest.fixture
def stops(tmp_path) -> Path:
    path = tmp_path / "stops.csv"
    by_hand.stops().to_csv(path, index=False)
    return path


def test_hit_rates_are_printed_with_when_they_mislead(stops, capsys):
    assert main(["searches", str(stops), *QUESTION, "--strata", "place", "--reference", "White"]) == DONE
    out = capsys.readouterr().out
    found = outcome_test(
        by_hand.stops(), acted="searched = 'Y'", found="found = 'Y'", group="race", strata="place", reference="White"
    )
    assert f"{100 * found.hit_rates[0].hits.ratio:.1f}" in out
    assert f"{abs(100 * found.gaps[0].common_difference):.1f}" in out
    assert say(Message("searches-misleads-average")) in out


def test_json_is_what_a_saved_plan_gives(stops, capsys, tmp_path):
    plan = tmp_path / "plan.toml"
    assert main(["searches", str(stops), *QUESTION, "--json", "--save-plan", str(plan)]) == DONE
    one = json.loads(capsys.readouterr().out)
    assert AuditPlan.load(plan).inspections[0].acted == "searched = 'Y'"
    assert main(["run", str(plan), "--out", str(tmp_path / "out")]) == DONE
    assert f"Searches and inspections: {one['inspections'][0]['sentence']}" in capsys.readouterr().out
    other = json.loads((tmp_path / "out" / "result.json").read_text(encoding="utf-8"))
    assert one["inspections"] == other["inspections"]


def test_several_columns_may_say_who_was_looked_at(stops, capsys, tmp_path):
    frame = by_hand.stops()
    frame["frisked"] = (frame["searched"] == "Y") & (frame.index % 3 != 0)
    frame.to_csv(stops, index=False)
    plan = tmp_path / "plan.toml"
    acted = "frisked = true OR searched = 'Y'"
    asked = ["--acted", acted, "--found", "found = 'Y'", "--group", "race"]
    assert main(["searches", str(stops), *asked, "--json", "--save-plan", str(plan)]) == DONE
    one = json.loads(capsys.readouterr().out)["inspections"]
    assert not AuditPlan.load(plan).names_decision and "[decision]" not in plan.read_text(encoding="utf-8")
    by_python = outcome_test(frame, acted=acted, found="found = 'Y'", group="race")
    assert [rate["n_acted"] for rate in one[0]["outcome"]["hit_rates"]] == [r.n_acted for r in by_python.hit_rates]
    assert main(["run", str(plan), "--out", str(tmp_path / "out")]) == DONE
    again = json.loads((tmp_path / "out" / "result.json").read_text(encoding="utf-8"))
    assert again["inspections"] == one


def test_columns_of_counts_give_the_same_as_rows(stops, capsys, tmp_path):
    rows = [(race, place, *counts) for (race, place), counts in by_hand.CELLS.items()]
    path = tmp_path / "counts.csv"
    pd.DataFrame(rows, columns=["race", "place", "stops", "searches", "hits"]).to_csv(path, index=False)
    assert main(["searches", str(stops), *QUESTION, "--json"]) == DONE
    one = json.loads(capsys.readouterr().out)["inspections"][0]["outcome"]["gaps"]
    counted = ["--acted", "searches", "--found", "hits", "--stopped", "stops", "--group", "race"]
    assert main(["searches", str(path), *counted, "--json"]) == DONE
    assert json.loads(capsys.readouterr().out)["inspections"][0]["outcome"]["gaps"] == one


def test_a_difference_beyond_the_tolerance_fails_where_that_is_asked(stops):
    assert main(["searches", str(stops), *QUESTION, "--fail-on", "clear_gap,gap_size_unclear"]) == FAILED_ON
    assert main(["searches", str(stops), *QUESTION, "--fail-on", "clear_gap", "--tolerance", "0.2"]) == DONE


def hit_rates_fail(path, cells, on) -> bool:
    """Return whether hit rates of cells of (finds, looks), compared inside places, fail on these verdicts."""
    rows = [(g, p, "Y", "Y" if i < k else "N") for (g, p), (k, n) in cells.items() for i in range(n)]
    pd.DataFrame(rows, columns=["race", "place", "searched", "found"]).to_csv(path, index=False)
    asked = ["searches", str(path), *QUESTION, "--reference", "W", "--strata", "place"]
    return main([*asked, "--fail-on", on]) == FAILED_ON


@pytest.mark.parametrize(
    ("finds", "clear", "either"),
    [
        ((480, 1_000, 400, 300), True, True),  # +30 and -30
        ((120, 400, 1_600, 480), False, False),  # alike in both places, and 40 points apart in all looks together
        ((102, 400, 1_540, 480), True, True),  # -3.0 (-5.8 to -0.2): beyond the tolerance, perhaps
        ((180, 400, 1_500, 480), False, False),  # +10 in one place, clearly, and on average +2.5 (90 % up to 4.8)
    ],
)
def test_a_gap_in_hit_rates_fails_unless_all_that_fits_its_average_is_within_the_tolerance(
    tmp_path, finds, clear, either
):
    cells = {("B", "x"): 600, ("W", "x"): 2_000, ("B", "y"): 2_000, ("W", "y"): 600}
    cells = {key: (k, n) for (key, n), k in zip(cells.items(), finds, strict=True)}
    assert hit_rates_fail(tmp_path / "o.csv", cells, "clear_gap") == clear
    assert hit_rates_fail(tmp_path / "o.csv", cells, "clear_gap,gap_size_unclear") == either


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (["--thresholds"], "--thresholds needs --location"),
        (["--location", "place"], "--location is for --thresholds"),
        (["--placebo", "3"], "--placebo is for --thresholds"),
        (["--time", "hour"], "Hours without dates do not say whether it was light"),
        (["--light", "light = 'Y'"], "--light needs --time"),
        (["--acted-only"], "--acted-only is for light and darkness"),
        (["--date", "day", "--time", "hour"], "--date needs --latitude"),
        (["--strata", "nowhere"], "no column 'nowhere'"),
        (["--reference", "Green"], "no reference group 'Green'"),
    ],
)
def test_what_is_not_said_well_is_refused_in_a_sentence(stops, capsys, given, words):
    assert main(["searches", str(stops), *QUESTION, *given]) == BAD_INPUT
    assert words in capsys.readouterr().err


def test_only_rows_looked_at_are_stops_where_that_is_asked(stops, capsys):
    light = ["--light", "light = 'Y'", "--time", "hour"]
    assert main(["searches", str(stops), *QUESTION, *light]) == DONE
    assert shows(capsys.readouterr().out, "searches-veil-rows", rows="2,900")
    assert main(["searches", str(stops), *QUESTION, *light, "--acted-only"]) == DONE
    # 270 and 160 were searched
    assert shows(capsys.readouterr().out, "searches-veil-acted", rows="430")


def test_a_find_without_a_look_is_refused_with_its_count(tmp_path, capsys):
    frame = by_hand.stops()
    frame.loc[frame.index[-2:], "found"] = "Y"
    path = tmp_path / "stops.csv"
    frame.to_csv(path, index=False)
    assert main(["searches", str(path), *QUESTION]) == BAD_INPUT
    assert "2 rows where found is Y but searched is not Y" in capsys.readouterr().err


@pytest.mark.parametrize("verdict", ["clear_gap", "gap_size_unclear", "no_gap_above_tolerance"])
def test_what_a_command_fails_on_is_the_verdict_on_grounds_where_the_model_fits(verdict):
    assert answered(SearchesSection(), by_hand.finding(verdict=verdict)).verdicts == {verdict} & {
        "clear_gap",
        "gap_size_unclear",
    }
    rough = by_hand.finding(verdict="no_gap_above_tolerance", passed=False, split=1.3)
    split = by_hand.finding(passed=False, split=1.3)
    assert answered(SearchesSection(), rough).verdicts == answered(SearchesSection(), split).verdicts != set()


@pytest.mark.parametrize("value", ["--not-known", "--leave-out", "--real-value"])
def test_searches_go_on_after_a_value_was_answered(value, stops, capsys, tmp_path):
    header, *rows = stops.read_text("utf-8").splitlines()
    place = header.split(",").index("place")
    first = rows[0].split(",")
    first[place] = "unknown"
    stops.write_text("\n".join([header, *rows, ",".join(first)]), "utf-8")
    asked = ["searches", str(stops), *QUESTION, value, "place=unknown"]
    assert main(asked) == DONE
    lines = capsys.readouterr().out
    assert main([*asked, "--save-plan", str(tmp_path / "plan.toml")]) == DONE
    assert capsys.readouterr().out == lines
