"""Where small counts are hidden, nothing of what searches found gives one away."""

from __future__ import annotations

import io
import json
import zipfile
from dataclasses import replace

import inspections_by_hand as by_hand
import jsonschema
import pytest
from held_figures import figures_of
from whole_report import whole_report

from fairaudit import AuditPlan, run
from fairaudit.disclosure.gate import exported
from fairaudit.findings import Message
from fairaudit.messages import say
from fairaudit.plan.audit_plan import DataPlan, SmallCellsPlan
from fairaudit.plan.outcomes import OutcomePlan
from fairaudit.plan.questions import CheckPlan
from fairaudit.present.blocks import Chart, Heading
from fairaudit.report.bundle import to_csv_bundle
from fairaudit.report.json_export import to_json
from fairaudit.report.json_schema import schema


def audit(*, few: int = 0, mask: bool = True):
    """Return an audit in which `few` more of those searched in one place had something found."""
    frame = by_hand.stops()
    rows = frame.index[(frame["race"] == "White") & (frame["place"] == "c") & (frame["searched"] == "Y")]
    frame.loc[rows[12 : 12 + few], "found"] = "Y"
    plan = AuditPlan(
        data=DataPlan(source="x.csv"),
        decision=OutcomePlan(column="searched", favorable=("N",)),
        checks=(CheckPlan(protected="race = 'Black'"),),
        inspections=(by_hand.PLAN.model_copy(update={"location": (), "n_placebo": 0, "veil": None}),),
        small_cells=SmallCellsPlan(mask=mask),
    )
    result = run(plan, table=frame)
    [found] = result.inspections
    found = replace(found, plan=by_hand.PLAN, thresholds=by_hand.thresholds(), veil=by_hand.veil())
    plan = plan.model_copy(update={"inspections": (by_hand.PLAN,)})
    return replace(result, plan=plan, inspections=(found,))


@pytest.fixture(scope="module")
def hidden():
    return audit()


def answers_in_json(result) -> list:
    return json.loads(to_json(result))["inspections"]


def answers_in_tables(result) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(to_csv_bundle(result))) as bundle:
        return {name: bundle.read(name) for name in bundle.namelist() if name.startswith("inspection")}


def answers_in_report(result) -> list[str]:
    texts, inside = [], False
    for block in whole_report(result).blocks:
        if isinstance(block, Heading) and block.level == 1:
            inside = block.text == say(Message("searches-title"))
        if inside:
            assert not isinstance(block, Chart)
            texts.append(repr(block))
    return texts


def test_no_figure_is_left(hidden):
    assert figures_of(exported(hidden).inspections[0]) == []


def test_all_figures_are_there_where_nothing_is_hidden():
    shown = exported(audit(mask=False)).inspections[0]
    assert all(figures_of(part) for part in (shown.outcome, shown.thresholds, shown.veil))


@pytest.mark.parametrize("few", [1, 3])
def test_what_was_found_with_few_people_changes_no_byte_of_the_answers(hidden, few):
    other = audit(few=few)
    assert other.inspections[0].outcome.gaps != hidden.inspections[0].outcome.gaps
    for write in (answers_in_json, answers_in_tables, answers_in_report):
        assert write(hidden) == write(other), write.__name__


def test_the_report_says_that_it_is_hidden_and_how_to_see_it(hidden):
    said = [say(Message(key)) for key in ("searches-not-shown-few", "searches-not-shown-leave")]
    assert [text for text in answers_in_report(hidden) if all(each in text for each in said)]


@pytest.mark.thorough
@pytest.mark.parametrize("mask", [True, False])
def test_the_json_meets_its_schema(mask):
    jsonschema.validate(json.loads(to_json(audit(mask=mask))), schema())
