"""What a search for how far decisions are changed shows: in report, CSV and JSON, and where small counts are hidden."""

from __future__ import annotations

import io
import json
import zipfile
from dataclasses import replace

import pandas as pd
import pytest
import remedies_by_hand as by_hand
from json_schema import against_schema

from fairaudit.catalog import remedy_of
from fairaudit.errors import PlanError
from fairaudit.estimators.relabel_search import Reach
from fairaudit.findings import Message, Points
from fairaudit.messages import say
from fairaudit.present.blocks import Chart
from fairaudit.remedies.relabel.charts import extents_alt, extents_chart
from fairaudit.remedies.relabel.details import PATH, PLACES, is_all_there_is, no_more, reach_message, searched
from fairaudit.remedies.relabel.plan import RelabelPlan
from fairaudit.report.bundle import to_csv_bundle
from fairaudit.report.composing import compose_annexes
from fairaudit.report.json_export import to_json
from fairaudit.report.pdf import to_pdf

MINIMUM = 10
TRIED = pd.DataFrame(
    [
        (0.0, 0.443, 0.443, 72, -0.129, 0.851, 0.499, True, False),
        (0.25, 0.582, 0.333, 613, -0.128, 0.846, 0.542, True, False),
        (0.5, 0.721, 0.222, 1154, -0.090, 0.838, 0.531, True, False),
        (0.625, 0.791, 0.166, 1425, -0.040, 0.827, 0.454, True, True),
    ],
    columns=list(PATH),
)
SIDES = pd.DataFrame(
    [("inside", 395, 2760, -0.122, -0.139, -0.031), ("outside", 1025, 5590, -0.061, -0.02, -0.01)],
    columns=list(PLACES),
)


def searched_for(**options):
    values = {"path": TRIED, "places": SIDES, "extent": 0.625, "target": 0.025, "n_flipped": 1425}
    details = by_hand.relabel_details(**values | {"reachable": 0.836, "reachable_before": 0.849} | options)
    return by_hand.remedy("relabel", details=details)


def audited(finding, minimum=None):
    found = by_hand.remedies(("relabel",))
    return by_hand.audit(replace(found, remedies=(finding,)), minimum=minimum)


def test_the_curve_and_the_gaps_beside_the_filter_are_in_annex_and_files():
    audit = audited(searched_for())
    blocks = compose_annexes(audit).blocks
    assert [block.table_key for block in blocks if isinstance(block, Chart)].count("remedy_1_extents") == 1
    assert to_pdf(compose_annexes(audit)).startswith(b"%PDF")
    names = set(zipfile.ZipFile(io.BytesIO(to_csv_bundle(audit))).namelist())
    assert {"remedy_1_extents.csv", "remedy_1_places.csv"} <= names
    without = audited(searched_for(path=TRIED.iloc[:0], places=SIDES.iloc[:1], extent=0.0, target=None))
    names = set(zipfile.ZipFile(io.BytesIO(to_csv_bundle(without))).namelist())
    assert not {"remedy_1_extents.csv", "remedy_1_places.csv"} & names


@pytest.mark.parametrize("minimum", [None, MINIMUM])
def test_the_export_of_a_search_keeps_its_schema(minimum):
    assert not against_schema(json.loads(to_json(audited(searched_for(), minimum))))


def test_where_small_counts_are_hidden_nothing_shows_how_a_search_went():
    other = searched_for(
        path=TRIED.assign(gap=-0.5, chosen=[True, False, False, False]),
        places=SIDES.iloc[:1],
        extent=0.0,
        target=None,
        reachable=0.5,
        reachable_before=0.6,
    )
    assert to_json(audited(searched_for(), MINIMUM)) == to_json(audited(other, MINIMUM))
    assert to_json(audited(searched_for())) != to_json(audited(other))


def test_what_a_search_came_to_is_said_and_that_the_data_allow_no_more():
    finding, facts = searched_for(), by_hand.facts()
    done = remedy_of(finding.plan, facts.outcome).done(finding, facts)
    assert say(Message("retrain-searched", {"gap": Points(0.04, 1)})) in done
    assert is_all_there_is(finding.details) and no_more(finding.details).key == "retrain-no-more"
    closed = replace(finding.details, path=TRIED.assign(gap=0.02))
    assert not is_all_there_is(closed) and searched(closed).key == "retrain-searched"
    once = replace(closed, extent=0.0, path=TRIED.assign(gap=0.02, chosen=[True, False, False, False]))
    assert searched(once).key == "retrain-searched-once"
    assert searched(replace(once, path=once.path.assign(gap=0.2))) is None
    assert searched(by_hand.relabel_details()) is None


def test_a_search_that_was_stopped_says_nothing_of_what_the_data_allow():
    details = searched_for().details
    stopped = replace(details, stopped=True)
    assert is_all_there_is(details) and not is_all_there_is(stopped) and searched(stopped) is None
    at_once = replace(stopped, extent=0.0, path=TRIED.assign(chosen=[True, False, False, False]))
    assert searched(at_once) is None


@pytest.mark.parametrize(
    ("accuracy", "gap", "within", "constant", "key"),
    [
        (0.85, -0.15, 0.836, 0.76, "retrain-reach"),
        (0.85, -0.15, 0.849, 0.76, "retrain-reach-free"),
        (0.85, -0.04, 0.85, 0.76, "retrain-reach-there"),
        (0.85, -0.15, 0.76, 0.76, "retrain-reach-none"),
    ],
)
def test_what_models_can_reach_is_said_before_a_fit(accuracy, gap, within, constant, key):
    found = reach_message(Reach(accuracy, gap, within, 0.0, constant), 0.05)
    assert found.key == key and "5 points" in say(found)


def test_the_curve_is_told_in_words_too():
    text = extents_alt(TRIED)
    assert all(f"accuracy of {share}" in text for share in ("85.1", "84.6", "83.8", "82.7"))
    assert extents_chart(TRIED, target=0.025).to_dict()["description"] == text


@pytest.mark.parametrize("without", [{"as_published": True}, {"search": False}])
def test_a_gap_to_aim_at_is_refused_where_nothing_is_searched(without):
    with pytest.raises(PlanError, match="'target_gap'"):
        RelabelPlan(target_gap=0.02, **without)
