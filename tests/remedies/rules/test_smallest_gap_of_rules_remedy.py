"""A list of rules with the smallest gap for accuracy lost: what is asked, found, proven, said and exported."""

from __future__ import annotations

import csv
import io
import zipfile
from functools import cache

import numpy as np
import pytest
from declared_columns import assert_frames_have_their_declared_columns
from study_data import as_loans, biased_loans, drained, loans_plan

from fairaudit.audit.running import run
from fairaudit.audit.trying import iter_remedy
from fairaudit.errors import PlanError
from fairaudit.messages import say
from fairaudit.present.blocks import Chart
from fairaudit.remedies.gap_curve import asked_point
from fairaudit.remedies.rules.details import proof
from fairaudit.remedies.rules.plan import RulesPlan
from fairaudit.remedies.rules.section import RulesSection
from fairaudit.report.bundle import to_csv_bundle
from fairaudit.report.composing import compose_annexes
from fairaudit.sections.remedy import say_remedy
from fairaudit.study.rows import Study

TABLE = as_loans(
    biased_loans(800).assign(
        merit=lambda loans: (2 * loans["merit"]).round() / 2, weight=lambda loans: 20 * (loans["weight"] / 20).round()
    )
)
LOST = RulesPlan(
    max_complexity=6,
    fairness="demographic_parity",
    max_loss=0.02,
    max_rule_length=2,
    objective="zero_one",
    time_limit=30,
)


@cache
def tried():
    study = Study.of(TABLE, loans_plan().model_copy(update={"remedies": (LOST,)}))
    return study, drained(iter_remedy(study, LOST)).finding


def test_the_rules_lose_no_more_than_was_asked_and_have_the_gap_that_is_said():
    _, finding = tried()
    details = finding.details
    gap, bound = asked_point(details)
    assert (details.objective, details.bound) == (gap, bound)
    assert bound <= gap
    assert details.trained_gap == pytest.approx(gap, abs=1e-9)
    assert details.trained_accuracy >= details.best_accuracy - LOST.max_loss - 1e-9
    assert np.isnan(details.max_difference)
    assert details.allowed is None
    assert not len(details.frontier)
    assert_frames_have_their_declared_columns(details)


def test_what_is_proven_is_said_and_there_is_no_limit_to_meet():
    study, finding = tried()
    own = RulesSection().proven(finding, study.facts)
    assert [message.key for message in own] == ["curve-headline", "curve-lead"]
    assert len(say(own[0]).split()) <= 14
    said = say_remedy(finding, study.facts)
    assert not any("limit" in message.key for message in said.lead)
    assert [message.key for message in proof(finding.details)][:2] == ["remedy-lead-gap", "curve-lead"]


def test_report_and_tables_hold_the_curve():
    audit = run(loans_plan().model_copy(update={"remedies": (LOST,)}), table=TABLE)
    with zipfile.ZipFile(io.BytesIO(to_csv_bundle(audit))) as bundle:
        rows = list(csv.DictReader(io.TextIOWrapper(bundle.open("remedy_1_curve.csv"), "utf-8-sig")))
    assert len(rows) == len(audit.remedies.remedies[0].details.gap_curve)
    blocks = compose_annexes(audit).blocks
    assert any(isinstance(block, Chart) and block.key.endswith("_curve_chart") for block in blocks)


@pytest.mark.parametrize(
    "wrong",
    [{"max_difference": 0.1}, {"margin": 0.01}, {"fairness": "none"}, {"no_group_worse_off": True}],
    ids=str,
)
def test_what_does_not_go_with_accuracy_lost_is_refused(wrong):
    with pytest.raises(PlanError, match="max_loss"):
        RulesPlan(max_loss=0.01, **wrong)


def test_the_rules_without_it_are_shared_and_its_name_says_it():
    assert LOST.baseline() == LOST.model_copy(update={"max_loss": None}).baseline()
    assert "2 points of accuracy" in RulesSection().name(LOST)
