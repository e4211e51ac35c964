"""Cases that are still open, from a plan to what is said, and with small counts hidden."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pandas as pd
import pytest

from fairaudit import run
from fairaudit.audit.result import CheckFinding
from fairaudit.columns import ReadOptions
from fairaudit.disclosure.gate import exported
from fairaudit.errors import InputError, PlanError
from fairaudit.findings import Word
from fairaudit.measure.results import ControlledWaiting
from fairaudit.plan.audit_plan import AuditPlan, DataPlan, SmallCellsPlan
from fairaudit.plan.models import ModelsPlan
from fairaudit.plan.outcomes import OutcomePlan
from fairaudit.plan.questions import ChangePlan, CheckPlan, ControlPlan, ExplanationPlan, SubgroupsPlan
from fairaudit.presets.plan import PresetPlan
from fairaudit.remedies.plain.plan import PlainPlan
from fairaudit.report.bundle import to_csv_bundle
from fairaudit.report.json_export import to_json
from fairaudit.sections.check import say_check
from fairaudit.sections.check.charts import check_chart_text

UNTIL = "2024-12-31"
HOW = {"open_when": "status = 'pending'", "open_since": "received", "open_until": UNTIL}


def cases(n=1_000, *, seed=0, slower=2.0, longest=365):
    """Return cases of two origins, of which those that are not decided by the end of 2024 are pending."""
    rng = np.random.default_rng(seed)
    until = pd.Timestamp(UNTIL)
    received = until - pd.to_timedelta(rng.integers(1, longest, n), unit="D")
    late = rng.random(n) < 0.5
    days = pd.Series(np.ceil(rng.exponential(np.where(late, 40 * slower, 40))))
    decided = received + pd.to_timedelta(days, unit="D")
    is_open = decided > until
    return pd.DataFrame(
        {
            "origin": np.where(late, "late", "soon"),
            "received": received,
            "decided": decided.where(~is_open),
            "days_to_decision": days.where(~is_open),
            "status": np.where(is_open, "pending", "granted"),
        }
    )


def plan(*, minimum=None, **check):
    rule = SmallCellsPlan() if minimum is None else SmallCellsPlan(mask=True, minimum=minimum)
    return AuditPlan(
        data=DataPlan(source="cases.csv"),
        decision=OutcomePlan(column="days_to_decision", amount=True, higher_is_favorable=False),
        checks=(CheckPlan(protected="origin = 'late'", **check),),
        small_cells=rule,
    )


def answer(frame, **check) -> CheckFinding:
    return run(plan(**check), table=frame).checks[0]


def keys(finding):
    said = say_check(finding)
    return [said.headline.key, *(message.key for message in said.lead)]


def test_nothing_is_answered_before_it_is_said_how_open_cases_count():
    with pytest.raises(InputError, match="still open"):
        run(plan(), table=cases())
    closed = answer(cases(), open_left_out=True)
    assert not isinstance(closed.result, ControlledWaiting)
    assert "check-open-left-out" in [message.key for message in say_check(closed).caution]
    # Where the filter leaves closed cases alone, there is nothing to ask.
    assert answer(cases(), where="status = 'granted'").result.undecided == 0


def test_open_cases_without_a_time_so_far_are_not_left_out_in_silence():
    with pytest.raises(InputError, match="no time so far"):
        answer(cases(), open_when="status = 'pending'")


def filled(frame):
    """Return cases of which open ones have their time so far, and their state alone says that they are open."""
    so_far = (pd.Timestamp(UNTIL) - frame["received"]).dt.days
    return frame.assign(days_to_decision=frame["days_to_decision"].fillna(so_far)).drop(columns="decided")


def asked_of(kind) -> dict[str, object]:
    """Return a part of a plan that can count closed cases alone."""
    return {
        "explanations": {
            "explanations": (
                ExplanationPlan(protected="origin = 'late'", controls=(ControlPlan(column="office", reason="law"),)),
            )
        },
        "changes": {"changes": (ChangePlan(protected="origin = 'late'", column="received", cuts=("2024-07-01",)),)},
        "subgroups": {"subgroups": (SubgroupsPlan(columns=("origin",)),)},
        "remedies": {
            "models": ModelsPlan(features=("office",), protected="origin = 'late'"),
            "remedies": (PlainPlan(model="median"),),
        },
        "presets": {
            "presets": (
                PresetPlan(preset="fair_lending", columns={"amounts": ("days_to_decision",), "sex": ("office",)}),
            )
        },
    }[kind]


def limited(parts, where):
    """Return the same parts of a plan with a filter."""
    return {
        name: part.model_copy(update={"where": where})
        if name == "models"
        else tuple(each if name == "remedies" else each.model_copy(update={"where": where}) for each in part)
        for name, part in parts.items()
    }


@pytest.mark.parametrize(
    "change", [pytest.param(lambda frame: frame, marks=pytest.mark.thorough), filled], ids=["missing", "so far"]
)
@pytest.mark.parametrize("kind", ["explanations", "changes", "subgroups", "remedies", "presets"])
def test_what_cannot_count_open_cases_is_not_answered_by_closed_ones(kind, change):
    frame = change(cases().assign(office=["north", "south"] * 500))
    parts = asked_of(kind)
    with pytest.raises(InputError, match="still open") as refused:
        run(plan().model_copy(update={"checks": (), **parts}), table=frame)
    closed = "days_to_decision IS NOT NULL" if change is not filled else "status <> 'pending'"
    assert closed in refused.value.hint
    assert run(plan().model_copy(update={"checks": (), **limited(parts, closed)}), table=frame)


@pytest.mark.parametrize("kind", ["check", "subgroups"])
def test_times_are_final_where_that_is_said(kind):
    parts = {} if kind == "check" else {"checks": (), **asked_of(kind)}
    data = DataPlan(source="cases.csv", reading=ReadOptions(all_closed=True))
    said = plan().model_copy(update={**parts, "data": data})
    assert AuditPlan.from_toml(said.to_toml()) == said
    assert run(said, table=filled(cases()))


def test_open_cases_with_their_time_so_far_are_asked_about_and_count():
    frame = filled(cases())
    with pytest.raises(InputError, match="time so far") as refused:
        answer(frame)
    assert "--open-when \"status = 'pending'\" compares" in refused.value.hint
    # Those without a time are none of them.
    with pytest.raises(InputError, match="time so far"):
        answer(frame, open_left_out=True)
    found, right = answer(frame, open_when="status = 'pending'"), answer(cases(), **HOW)
    assert (found.result.values, found.result.log_rank) == (right.result.values, right.result.log_rank)
    assert keys(found) == keys(right)
    closed = answer(frame, where="status <> 'pending'", open_left_out=True)
    assert closed.result.values == answer(cases(), open_left_out=True).result.values
    assert "check-open-left-out" in [message.key for message in say_check(closed).caution]


def test_open_cases_are_said_first_and_medians_are_compared():
    found = answer(cases(), **HOW)
    assert keys(found) == [
        "check-headline-waiting-gap", "check-lead-waiting-open", "check-lead-waiting", "check-sure-clear",
    ]  # fmt: skip
    n_open = int((cases()["status"] == "pending").sum())
    assert found.result.n_open == n_open and found.result.protected.n + found.result.reference.n == 1_000
    assert f"{found.result.protected.median:g}" in check_chart_text(found)
    closed = answer(cases(), open_left_out=True).result
    assert found.result.difference > closed.protected.median - closed.reference.median


def test_a_median_that_is_not_reached_is_said():
    # Of cases that came in during the last 40 days, most of the slow ones are open.
    found = answer(cases(slower=6, longest=40), **HOW)
    assert math.isnan(found.result.protected.median) and math.isfinite(found.result.reference.median)
    assert keys(found) == [
        "check-headline-waiting-perhaps-small", "check-lead-waiting-open", "check-lead-waiting-few",
        "check-sure-waiting-test",
    ]  # fmt: skip
    assert dict(say_check(found).headline.args)["direction"] == Word("more")


def test_alike_is_said_too():
    found = answer(cases(40_000, slower=1), **HOW)
    assert found.result.verdict == "no_gap_above_tolerance" and keys(found)[0] == "check-headline-waiting-no-gap"


def test_what_is_not_compared_is_named():
    found = answer(cases(), **HOW, strata=("status",), compare=(("origin",),), similar_by=("status",))
    assert (found.groups, found.strata, len(found.not_compared)) == ((), None, 3)
    # Too many strata are named, and the rest is answered.
    many = answer(cases(3_000).assign(number=range(3_000)), **HOW, strata=("number",))
    assert len(many.not_compared) == 1 and many.result.strata == ()


def test_one_test_is_made_among_similar_cases():
    rng = np.random.default_rng(1)
    # Each office is as quick for both groups, and most of the late group are with the slow office.
    frame = pd.concat([cases(2_000, slower=1), cases(2_000, slower=1, seed=1).assign(office="slow")])
    is_slow = frame["office"].notna()
    frame["origin"] = np.where(rng.random(4_000) < np.where(is_slow, 0.8, 0.2), "late", "soon")
    frame["days_to_decision"] = frame["days_to_decision"] * np.where(is_slow, 3, 1)
    frame = frame.assign(office=frame["office"].fillna("quick"), status="granted")
    frame.iloc[::9, frame.columns.get_loc("status")] = "pending"
    frame = frame[frame["days_to_decision"].notna()].drop(columns="decided")
    how = {"open_when": "status = 'pending'", "strata": ("office",)}
    found = answer(frame, **how)
    assert found.result.verdict == "clear_gap" and keys(found)[-1] == "check-lead-waiting-within-none"
    gap = answer(frame.assign(office="one"), **how)
    assert keys(gap)[-1] == "check-lead-waiting-within"
    [hidden] = exported(run(plan(minimum=10, **how), table=frame)).checks
    assert hidden.result.p_value_within is None and "check-lead-waiting-within-none" not in keys(hidden)


def test_a_plan_holds_how_open_cases_count():
    asked = plan(**HOW)
    assert AuditPlan.from_toml(asked.to_toml()) == asked
    for wrong in ({"open_left_out": True}, {"open_until": "31.12.2024"}, {"open_since": None}):
        with pytest.raises((PlanError, ValueError)):
            plan(**HOW | wrong)


@pytest.mark.parametrize("how", [HOW, HOW | {"open_when": None}])
def test_hidden_times_are_those_that_several_people_share(how):
    frame = cases(2_000).assign(office=["north", "south"] * 1_000)
    result = run(plan(minimum=10, **how, strata=("office",)), table=frame)
    [found] = exported(result).checks
    assert math.isfinite(result.checks[0].result.p_value_within) and found.result.p_value_within is None
    for name, side in (("late", found.result.protected), ("soon", found.result.reference)):
        closed = frame.loc[frame["origin"] == name, "days_to_decision"].dropna()
        assert side.n_open == (frame.loc[frame["origin"] == name, "status"] == "pending").sum() >= 10
        for figure in (side.quarter, side.median, side.three_quarters, *side.interval):
            alike = [(closed == figure).sum(), *((np.round(closed / s) * s == figure).sum() for s in (1, 2, 5, 10, 50))]
            assert max(alike) >= 10, (name, figure)
    assert found.result.difference == found.result.protected.median - found.result.reference.median
    assert to_json(result) and to_csv_bundle(result)


def test_times_are_hidden_where_few_cases_are_open_or_open_cases_are_not_those_without_a_time():
    frame = cases(2_000)
    few = frame.drop(frame.index[(frame["origin"] == "soon") & (frame["status"] == "pending")][5:])
    other = HOW | {"open_when": "status = 'pending' AND received > DATE '2024-06-01'"}
    for table, how in ((few, HOW), (frame, other)):
        [found] = exported(run(plan(minimum=10, **how), table=table)).checks
        sides = (found.result.protected, found.result.reference)
        assert say_check(found).verdict.key == "verdict-not-shown"
        figures = [getattr(side, field.name) for side in sides for field in dataclasses.fields(side)]
        assert not any(isinstance(figure, int | float) and not isinstance(figure, bool) for figure in figures)
