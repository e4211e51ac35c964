"""What leaves of the columns that stand in for the group: asked, not asked, and with small counts hidden."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fairaudit import AuditPlan, run
from fairaudit.disclosure.gate import exported
from fairaudit.report.tables import all_tables
from fairaudit.sections.explain import say_stand_ins

SAMPLES = Path(__file__).parents[3] / "sample_data"


def berkeley(*, proxies=True, mask=False):
    plan = AuditPlan.load(SAMPLES / "berkeley_1973_explained.toml")
    [asked] = plan.explanations
    small = plan.small_cells.model_copy(update={"mask": mask})
    return plan.model_copy(
        update={
            "explanations": (asked.model_copy(update={"proxies": proxies}),),
            "checks": (),
            "small_cells": small,
            "report": plan.report.model_copy(update={"opens_with": None}),
        }
    )


@pytest.fixture(scope="module")
def found():
    return run(berkeley(), base=SAMPLES)


def test_department_stands_in_for_the_group_and_the_gap_without_it_is_that_within_departments(found):
    [row] = found.explanations[0].proxies.by_column.to_dict("records")
    assert (row["column"], row["is_proxy"], row["compared"]) == ("department", True, 1.0)
    assert row["gap"] == pytest.approx(found.explanations[0].result.unexplained.value)


def test_it_is_in_the_json_and_a_table_and_the_plan_says_that_it_was_asked(found):
    held = json.loads(found.to_json())["explanations"][0]
    assert held["proxies"]["by_column"][0]["column"] == "department"
    assert "explanation_1_proxies" in [table.key for table in all_tables(exported(found))]
    assert "proxies = true" in found.plan.to_toml()


def test_nothing_of_it_is_left_where_it_was_not_asked_or_small_counts_are_hidden(found):
    not_asked = run(berkeley(proxies=False), base=SAMPLES)
    hidden = exported(run(berkeley(mask=True), base=SAMPLES))
    for result in (not_asked, hidden):
        assert result.explanations[0].proxies is None
        assert say_stand_ins(result.explanations[0]) is None
        assert "explanation_1_proxies" not in [table.key for table in all_tables(exported(result))]
    assert say_stand_ins(found.explanations[0]) is not None


LOANS = """
schema_version = 1
[data]
source = "loans.csv"
[data.reading]
missing = ["?"]
[decision]
column = "approved"
favorable = ["yes"]
[models]
features = ["region", "income", "purpose"]
protected = "sex = 'woman'"
proxies = true
[[remedies]]
method = "plain"
"""


@pytest.mark.parametrize("mask", [False, True])
def test_features_of_a_remedy_are_looked_at_on_rows_to_learn_from_and_hidden_with_small_counts(mask):
    result = run(AuditPlan.from_toml(LOANS + f"[small_cells]\nmask = {str(mask).lower()}\n"), base=SAMPLES)
    facts = result.remedies.facts
    assert set(facts.proxies.by_column["column"]) == {"region", "income", "purpose"}
    shown = exported(result)
    assert (shown.remedies.facts.proxies is None) == mask
    assert ("remedies_proxies" in [table.key for table in all_tables(shown)]) != mask
    assert (json.loads(result.to_json())["remedies"]["facts"]["proxies"] is None) == mask
