"""Who stands among the first of lists in words, tables and every export, open and with small counts hidden."""

from __future__ import annotations

import io
import json
import zipfile
from dataclasses import replace
from functools import partial

import numpy as np
import pandas as pd
import pytest
from shown import shows
from whole_report import whole_report

from fairaudit import AuditPlan, run
from fairaudit.disclosure.gate import exported
from fairaudit.errors import PlanError
from fairaudit.measure.results import Interval
from fairaudit.messages import say
from fairaudit.plan.audit_plan import DataPlan, ReportPlan, SmallCellsPlan
from fairaudit.report.bundle import to_csv_bundle
from fairaudit.report.json_export import to_json
from fairaudit.sections.rankings.plan import RankingsPlan
from fairaudit.sections.rankings.saying import how_compared, rankings_tables, say_rankings
from fairaudit.sections.rankings.section import RankingsSection

ASKED = partial(RankingsPlan, protected="sex = 'f'", protected_name="women", others_name="men")


def made(n_lists: int = 40, n: int = 15, shift: float = 0.0) -> pd.DataFrame:
    rng = np.random.default_rng(7)
    sex = np.where(rng.random(n_lists * n) < 0.4, "f", "m")
    score = rng.normal(size=n_lists * n) + shift * (sex == "f")
    return pd.DataFrame({"posting": np.repeat(np.arange(n_lists), n), "sex": sex, "score": score.round(1)})


def audit(frame: pd.DataFrame, *, mask: bool = False, **given):
    asked = ASKED(**{"score": "score", "lists": ("posting",), "first": 4} | given)
    plan = AuditPlan(
        data=DataPlan(source="people"),
        rankings=(asked,),
        small_cells=SmallCellsPlan(mask=mask),
        report=ReportPlan(quality=False),
    )
    return run(plan, data=frame)


def found_in(frame: pd.DataFrame, **given):
    [found] = audit(frame, **given).rankings
    return found


@pytest.mark.parametrize(
    ("frame", "given", "verdict", "headline"),
    [
        (made(shift=-0.8), {}, "verdict-clear-gap", "check-headline-gap"),
        (made(shift=-0.8), {"tolerance": 0.25}, "verdict-gap-size-unclear", "check-headline-gap-perhaps-small"),
        (made(400), {"tolerance": 0.15}, "verdict-no-gap-above-tolerance", "check-headline-no-gap"),
        (made(2), {}, "verdict-too-few-to-tell", "check-headline-too-few"),
    ],
)
def test_each_verdict_has_its_headline(frame, given, verdict, headline):
    said = say_rankings(found_in(frame, **given))
    assert (said.verdict.key, said.headline.key) == (verdict, headline)


def test_the_headline_names_both_groups_and_how_many_are_first():
    said = say(say_rankings(found_in(made(shift=-0.8))).headline)
    assert said.startswith("Women were among the first 4 of their lists less often than men")
    alone = found_in(made(1, 400, shift=-0.8), lists=(), first=40)
    assert "their lists" not in say(say_rankings(alone).headline)


def test_lists_and_cases_that_are_left_out_are_said():
    frame = made()
    frame.loc[frame["posting"] < 3, "sex"] = "m"
    frame = pd.concat([frame, made(2, 3).assign(posting=lambda each: each["posting"] + 100, sex=list("fmfmfm"))])
    frame.loc[frame.index[-1], "score"] = np.nan
    found = found_in(frame)
    cautions = {message.key for message in say_rankings(found).caution}
    assert {"rankings-caution-left-out", "rankings-caution-unranked"} <= cautions
    how = {message.key for message in how_compared(found)}
    assert {"rankings-how-one-group", "rankings-how-not-longer", "rankings-how-tied", "rankings-how-split"} <= how


def test_merit_has_its_row_and_its_sentence_only_where_it_is_named():
    frame = made().assign(merit=1.0)
    for given, n_rows in (({}, 4), ({"merit": "merit"}, 5)):
        found = found_in(frame, **given)
        assert len(rankings_tables(found, 1)[1].rows) == n_rows
        assert ("rankings-how-merit" in {each.key for each in how_compared(found)}) is bool(given)


@pytest.mark.parametrize(("p_value", "said"), [(0.001, "49.7%"), (0.4, "50%")])
def test_half_of_the_pairs_does_not_stand_beside_more_than_chance(p_value, said):
    found = found_in(made(shift=-0.8))
    higher = replace(found.result.higher, chance=0.497, interval=Interval(0.495, 0.4986), p_value=p_value)
    exposure = replace(found.result.exposure, found=0.4021, by_lot=0.4049, p_value=p_value)
    found = replace(found, result=replace(found.result, higher=higher, exposure=exposure))
    lead, how = " ".join(map(say, say_rankings(found).lead)), " ".join(map(say, how_compared(found)))
    assert f"in {said}." in lead and ("to 49.9%" in how) is (p_value < 0.05)
    assert ("40.2% of the attention" in how and "40.5%" in how) is (p_value < 0.05)


def of_kinds(**shifts: float) -> pd.DataFrame:
    parts = [made(shift=shift).assign(kind=kind) for kind, shift in shifts.items()]
    return pd.concat([one.assign(posting=one["posting"] + 1_000 * i) for i, one in enumerate(parts)])


@pytest.mark.parametrize(
    ("shifts", "verdict", "headline", "lead"),
    [
        ({"a": -1.0, "b": -1.0}, "verdict-clear-gap", "check-headline-gap-within", None),
        ({"a": -1.4, "b": 1.4}, "verdict-turns-around-within", "check-headline-both-ways", "check-lead-within-both"),
        ({"a": -1.6, "b": -1.6, "c": 1.4}, "verdict-turns-around-within", "check-headline-both-ways", None),
        (dict.fromkeys("abcdefg", 0.15) | {"h": -1.4}, None, None, "check-lead-exception"),
    ],
)
def test_kinds_of_lists_hold_a_gap_turn_it_or_are_exceptions(shifts, verdict, headline, lead):
    found = found_in(of_kinds(**shifts), strata=("kind",))
    said = say_rankings(found)
    assert verdict is None or (said.verdict.key, said.headline.key) == (verdict, headline)
    assert lead is None or lead in {message.key for message in said.lead}
    if said.headline.key == "check-headline-both-ways":
        assert RankingsSection().verdicts(found) == ("clear_gap",)


def test_kinds_have_a_phrase_of_the_plan_or_of_their_column():
    found = found_in(of_kinds(a=-1.0, b=-1.0), strata=("kind",))
    assert shows(say(say_rankings(found).headline), "rankings-similar", columns="kind")


def test_kinds_have_a_table_and_those_left_out_are_said():
    frame = of_kinds(a=-1.0, b=-1.0, c=0.0)
    frame.loc[frame["kind"] == "c", "sex"] = "m"
    found = found_in(frame, strata=("kind",))
    table = next(table for table in rankings_tables(found, 1) if table.key == "rankings_1_kinds")
    assert [row[0] for row in table.rows] == ["a", "b"]
    assert "rankings-how-kinds-left-out" in {message.key for message in how_compared(found)}


def test_kinds_without_lists_are_refused_by_the_plan():
    with pytest.raises(PlanError, match="strata"):
        ASKED(score="score", strata=("kind",))


@pytest.mark.parametrize("mask", [False, True])
def test_an_answer_goes_into_every_export_or_is_hidden_in_all(mask):
    frame = made(shift=-0.8).assign(kind=lambda each: each["posting"] % 2)
    result = audit(frame, mask=mask, strata=("kind",))
    [shown] = exported(result).rankings
    said = say_rankings(shown)
    assert (said.verdict.key == "verdict-not-shown") is mask
    assert bool(rankings_tables(shown, 1)) is not mask and bool(how_compared(shown)) is not mask
    assert (RankingsSection().picture(shown, 1) is None) is mask
    [kept] = json.loads(to_json(result))["rankings"]
    figures = json.loads(to_json(audit(frame, strata=("kind",))))["rankings"][0]["result"]
    assert (kept["verdict"] == "not_shown") is mask and (kept["result"]["difference"] is None) is mask
    assert bool(kept["result"]["kinds"]) is not mask and len(figures["kinds"]) == 2
    names = zipfile.ZipFile(io.BytesIO(to_csv_bundle(result))).namelist()
    assert ("rankings_1.csv" in names) is not mask
    text = str(whole_report(result))
    assert (say(say_rankings(result.rankings[0]).headline) in text) is not mask
    if mask:
        # No figure is left: all that is not None is what was asked.
        left = {name for name, value in kept["result"].items() if isinstance(value, int | float)}
        assert left <= {"first", "lowest_first", "tolerance", "confidence"} and figures["n_lists"] == 40


def test_an_audit_of_rankings_alone_needs_no_decision_and_is_read_back():
    plan = audit(made()).plan
    assert not plan.names_decision and "[decision]" not in plan.to_toml()
    assert AuditPlan.from_toml(plan.to_toml()) == plan


@pytest.mark.parametrize("given", [{}, {"rank": "a", "score": "b"}, {"rank": "a", "lowest_first": True}])
def test_a_plan_names_one_order(given):
    with pytest.raises(PlanError, match="rank"):
        ASKED(**given)


def test_a_result_shows_itself_as_an_audit_does():
    from fairaudit import check_rankings

    frame = made(shift=-0.8)
    result = check_rankings(frame, protected="sex = 'f'", score="score", first=4, lists="posting")
    assert result.say()[0] == say(say_rankings(found_in(frame)).verdict)
    assert "<img" in result._repr_html_() and result.chart().to_dict()
    assert result.to_frame()["gap"][0] == pytest.approx(result.difference)
    assert result.to_dict()["difference"] == pytest.approx(result.difference)
