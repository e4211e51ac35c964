"""A tree with the smallest gap for accuracy lost: what is found, proven, said, drawn and exported."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from dataclasses import replace
from functools import cache

import numpy as np
import pandas as pd
import pytest
from declared_columns import assert_frames_have_their_declared_columns
from study_data import as_loans, biased_loans, drained, loans_plan

from fairaudit.audit.running import run
from fairaudit.audit.trying import iter_remedy
from fairaudit.disclosure.gate import exported
from fairaudit.errors import PlanError
from fairaudit.findings import Points
from fairaudit.messages import say
from fairaudit.outcomes import AMOUNTS
from fairaudit.plan.audit_plan import SmallCellsPlan
from fairaudit.present.blocks import Chart
from fairaudit.remedies.gap_curve import CURVE, asked_point, curve_alt, curve_chart, proven
from fairaudit.remedies.trees.plan import TreesPlan
from fairaudit.remedies.trees.section import TreesSection
from fairaudit.report.bundle import to_csv_bundle
from fairaudit.report.composing import compose_annexes
from fairaudit.report.json_export import to_json
from fairaudit.sections.remedy import say_remedy
from fairaudit.sections.remedy.reading import GAPS
from fairaudit.study.constraint_check import positive_labels
from fairaudit.study.fitting import unwrap
from fairaudit.study.rows import Study, learned_rows

TABLE = as_loans(
    biased_loans(1000).assign(
        merit=lambda loans: (2 * loans["merit"]).round() / 2, weight=lambda loans: 20 * (loans["weight"] / 20).round()
    )
)
LOST = TreesPlan(max_depth=2, max_loss=0.012)


def study_of(*remedies, **models) -> Study:
    return Study.of(TABLE, loans_plan(**models).model_copy(update={"remedies": remedies}))


@cache
def tried(remedy=LOST):
    study = study_of(remedy)
    return study, drained(iter_remedy(study, remedy))


@cache
def audited(hidden=False):
    plan = loans_plan().model_copy(update={"remedies": (LOST,)})
    if hidden:
        plan = plan.model_copy(update={"small_cells": SmallCellsPlan(mask=True)})
    return run(plan, table=TABLE)


def test_the_tree_loses_no_more_than_was_asked_and_has_the_gap_that_the_curve_says():
    study, candidate = tried()
    details, model = candidate.finding.details, candidate.model
    rows = learned_rows(study)
    y, groups = positive_labels(study)[rows], study.groups[rows]
    predicted = np.asarray(unwrap(model).predict(study.X.iloc[rows]))
    gap, bound = asked_point(details)
    rates = pd.Series(predicted.astype(float)).groupby(groups).mean()
    assert rates.max() - rates.min() == pytest.approx(gap, abs=1e-9)
    assert details.trained_gap == pytest.approx(gap, abs=1e-9)
    assert (predicted == y).mean() >= details.best_accuracy - LOST.max_loss - 1e-9
    assert (details.objective, details.bound) == (pytest.approx(gap), pytest.approx(bound))
    assert details.status == "optimal"
    assert bound == pytest.approx(gap, abs=1e-9)
    assert_frames_have_their_declared_columns(details)


def test_what_is_proven_is_the_headline_and_what_became_of_the_gap_follows():
    study, candidate = tried()
    finding = candidate.finding
    said = say_remedy(finding, study.facts)
    own = TreesSection().proven(finding, study.facts)
    assert [message.key for message in own] == ["curve-headline", "curve-lead"]
    bound = dict(own[0].args)["bound"]
    assert isinstance(bound, Points)
    # What no gap is under is rounded down.
    assert bound.value <= finding.details.bound + 1e-9
    assert bound.value > finding.details.bound - 0.001
    assert said.headline.key in (
        "curve-headline",
        *(f"remedy-headline-{each}" for each in ("one-answer", "simple-rule")),
    )
    if said.headline.key == "curve-headline":
        assert said.lead[0].key == "curve-lead"
        assert said.lead[1].key == "remedy-lead-gap"
    assert len(say(own[0]).split()) <= 14
    assert finding.details is not None and GAPS


def test_without_a_gap_or_a_bound_nothing_is_said_to_be_proven():
    details = tried()[1].finding.details
    none = replace(details, gap_curve=details.gap_curve.assign(bound=0.0))
    assert proven(none, "tree", of_errors=False) == ()
    assert proven(replace(details, gap_curve=details.gap_curve.iloc[:0]), "tree", of_errors=False) == ()
    assert proven(replace(details, max_loss=None), "tree", of_errors=False) == ()


def test_there_is_no_limit_that_could_be_met_or_missed():
    study, candidate = tried()
    finding = candidate.finding
    assert np.isnan(finding.details.max_difference)
    assert set(finding.details.gaps["reading"]) == {"not defined"}
    table = {block.key: block for block in TreesSection().tables(finding, study.facts, 1)}
    assert {"reading", "allowed"}.isdisjoint(column.name for column in table["remedy_1_alike"].columns)
    assert not any("limit" in message.key for message in say_remedy(finding, study.facts).lead)


def test_the_curve_is_drawn_hollow_where_it_is_a_bound_and_told_in_words():
    details = tried()[1].finding.details
    drawn = curve_chart(details).to_dict()
    marks = [layer["mark"] for layer in drawn["layer"] if layer["mark"].get("type") == "point"]
    assert [mark["filled"] for mark in marks] == [True, False]
    assert curve_alt(details).count("found") == len(details.gap_curve)


def test_report_tables_and_json_hold_the_curve_and_hidden_ones_do_not():
    audit = audited()
    curve = audit.remedies.remedies[0].details.gap_curve
    with zipfile.ZipFile(io.BytesIO(to_csv_bundle(audit))) as bundle:
        rows = list(csv.DictReader(io.TextIOWrapper(bundle.open("remedy_1_curve.csv"), "utf-8-sig")))
    assert len(rows) == len(curve) > 2
    assert set(CURVE) <= set(rows[0])
    assert [float(row["gap"]) for row in rows] == pytest.approx(list(curve["gap"]), abs=1e-6)
    details = json.loads(to_json(audit))["remedies"]["remedies"][0]["details"]
    assert len(details["gap_curve"]) == len(curve)
    blocks = compose_annexes(audit).blocks
    assert [block.table_key for block in blocks if isinstance(block, Chart) and block.key.endswith("_curve_chart")]
    hidden = exported(audited(hidden=True)).remedies.remedies[0].details
    assert not len(hidden.gap_curve)
    assert hidden.max_loss == LOST.max_loss


@pytest.mark.parametrize(
    "wrong",
    [
        {"max_difference": 0.1},
        {"margin": 0.01},
        {"constraint": "four_fifths"},
        {"constraint": "none"},
        {"search": "look_ahead"},
        {"discrimination": "didi", "fairness_weight": 0.5},
        {"max_features": 2},
        {"branching": "linear"},
        {"no_group_worse_off": True},
    ],
    ids=str,
)
def test_what_does_not_go_with_accuracy_lost_is_refused(wrong):
    with pytest.raises(PlanError, match="max_loss"):
        TreesPlan(max_depth=2, max_loss=0.01, **wrong)


def test_amounts_cannot_be_asked_for_it_and_the_tree_without_it_is_shared():
    with pytest.raises(ValueError, match="max_loss"):
        LOST.check(AMOUNTS)
    assert LOST.baseline() == TreesPlan(max_depth=2).baseline()
    assert "1.2 points" in TreesSection().name(LOST)
