"""Cases that are still open, from a plan to what is said, and with small counts hidden."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pandas as pd
import pytest

from fairaudit import run
from fairaudit.audit.result import CheckFinding
from fairaudit.disclosure.gate import exported
from fairaudit.errors import InputError, PlanError
from fairaudit.findings import Word
from fairaudit.measure.results import ControlledWaiting
from fairaudit.plan.audit_plan import AuditPlan, DataPlan, SmallCellsPlan
from fairaudit.plan.outcomes import OutcomePlan
from fairaudit.plan.questions import ChangePlan, CheckPlan, ControlPlan, ExplanationPlan, SubgroupsPlan
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
    with pytest.raises(InputError, match="seem to be still open"):
        run(plan(), table=cases())
    closed = answer(cases(), open_left_out=True)
    assert not isinstance(closed.result, ControlledWaiting)
    assert "check-open-left-out" in [message.key for message in say_check(closed).caution]
    # Where the filter leaves closed cases alone, there is nothing to ask.
    assert answer(cases(), where="status = 'granted'").result.undecided == 0


def test_open_cases_without_a_time_so_far_are_not_left_out_in_silence():
    with pytest.raises(InputError, match="no time so far"):
        answer(cases(), open_when="status = 'pending'")


@pytest.mark.parametrize("asked", ["explanations", "changes", "subgroups"])
def test_what_cannot_count_open_cases_is_not_answered_by_closed_ones(asked):
    question = {
        "explanations": ExplanationPlan(
            protected="origin = 'late'", controls=(ControlPlan(column="office", reason="law"),)
        ),
        "changes": ChangePlan(protected="origin = 'late'", column="received", cuts=("2024-07-01",)),
        "subgroups": SubgroupsPlan(columns=("origin",)),
    }[asked]
    frame = cases().assign(office=["north", "south"] * 500)
    with pytest.raises(InputError, match="seem to be still open"):
        run(plan().model_copy(update={"checks": (), asked: (question,)}), table=frame)
    closed = question.model_copy(update={"where": "days_to_decision IS NOT NULL"})
    assert run(plan().model_copy(update={"checks": (), asked: (closed,)}), table=frame)


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
    found = answer(cases(), **HOW, strata=("status",), compare=(("origin",),))
    assert (found.groups, found.strata, len(found.not_compared)) == ((), None, 2)


def test_a_plan_holds_how_open_cases_count():
    asked = plan(**HOW)
    assert AuditPlan.from_toml(asked.to_toml()) == asked
    for wrong in ({"open_left_out": True}, {"open_until": "31.12.2024"}, {"open_since": None}):
        with pytest.raises((PlanError, ValueError)):
            plan(**HOW | wrong)


@pytest.mark.parametrize("how", [HOW, HOW | {"open_when": None}])
def test_hidden_times_are_those_that_several_people_share(how):
    frame = cases(2_000)
    result = run(plan(minimum=10, **how), table=frame)
    [found] = exported(result).checks
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
