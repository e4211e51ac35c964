"""Remedies on a table that stays in its engine learn from a sample that is drawn there, and the report says so."""

from __future__ import annotations

import duckdb
import numpy as np
import pandas as pd
import pytest
from json_schema import against_schema
from study_data import as_loans, biased_loans, drained, loans_plan

from fairaudit.audit.running import run
from fairaudit.audit.trying import iter_remedies
from fairaudit.data.engines.connect import connect_table
from fairaudit.errors import InputError
from fairaudit.plan.audit_plan import AuditPlan, DataPlan, SmallCellsPlan
from fairaudit.plan.models import ModelsPlan
from fairaudit.plan.outcomes import OutcomePlan
from fairaudit.remedies.plain.plan import PlainPlan
from fairaudit.remedies.thresholds.plan import ThresholdsPlan
from fairaudit.report.bundle import to_csv_bundle
from fairaudit.report.json_export import to_json
from fairaudit.sections.remedy.learned_rows import sample_blocks, sample_sentence, sample_tables
from fairaudit.study.amounts.rows import AmountStudy
from fairaudit.study.rows import Study


@pytest.fixture
def loans(duckdb_url):
    """A thousand loans in a file, and the same in memory."""
    frame = biased_loans(1000)
    with duckdb.connect(duckdb_url.removeprefix("duckdb:///")) as connection:
        connection.register("frame", frame)
        connection.execute("CREATE TABLE loans AS SELECT * FROM frame")
    return connect_table(duckdb_url, table="loans"), as_loans(frame)


def plan_of(n, **models):
    return loans_plan(sample_rows=n, **models)


def test_a_study_is_made_of_the_sample(loans):
    table, held = loans
    study, again = (Study.of(table, plan_of(400)) for _ in range(2))
    assert len(study.y) == study.facts.n_rows == study.facts.sample.n_rows == 400
    undecided = held.count("granted IS NULL")
    assert study.facts.n_undecided == undecided and study.facts.sample.n_population == 1000 - undecided
    pd.testing.assert_frame_equal(study.X, again.X)
    np.testing.assert_array_equal(study.split.held_out, again.split.held_out)
    for stratum in study.facts.sample.strata:
        sex = {"sex is woman": "sex = 'woman'", "sex is not woman": "sex <> 'woman'", "missing": "sex IS NULL"}
        granted = {"granted is yes": "granted = 'yes'", "granted is not yes": "granted <> 'yes'"}
        assert stratum.n_population == held.count(f"{sex[stratum.labels[0]]} AND {granted[stratum.labels[1]]}")
    # All rows of the sample are rows of the data.
    rows = study.X.assign(sex=study.groups)
    assert len(rows.merge(held.to_pandas(["merit", "weight", "area"]), how="left").dropna(subset="weight")) >= 400


def test_other_seeds_draw_other_rows(loans):
    one, other = (Study.of(loans[0], plan_of(400).model_copy(update={"seed": seed})) for seed in (1, 2))
    assert not one.X.equals(other.X)


def test_more_columns_are_read_of_the_same_rows(loans):
    study = Study.of(loans[0], plan_of(300))
    more = study.reading(loans[0], ["sex"])
    assert (more.sensitive["sex"].isna().to_numpy() == ~study.group_known).all()
    known = study.group_known
    assert ((more.sensitive["sex"] == "woman").to_numpy() == study.protected)[known].all()


def test_a_good_outcome_that_is_too_rare_to_be_drawn_is_no_error(duckdb_url):
    frame = biased_loans(600)
    frame.loc[3, "granted"] = "perhaps"
    with duckdb.connect(duckdb_url.removeprefix("duckdb:///")) as connection:
        connection.register("frame", frame)
        connection.execute("CREATE TABLE loans AS SELECT * FROM frame")
    plan = plan_of(100)
    plan = plan.model_copy(update={"decision": plan.decision.model_copy(update={"favorable": ("yes", "perhaps")})})
    assert Study.of(connect_table(duckdb_url, table="loans"), plan).facts.n_rows == 100


def test_amounts_are_drawn_by_protection_alone(loans):
    plan = AuditPlan(
        data=DataPlan(source="loans"),
        decision=OutcomePlan(column="weight", amount=True),
        models=ModelsPlan(features=("merit", "area"), protected="sex = 'woman'", sample_rows=300),
        seed=4,
    )
    study = AmountStudy.of(loans[0], plan)
    assert study.facts.sample.by == ("protection",) and len(study.y) == 300
    assert [stratum.labels for stratum in study.facts.sample.strata] == [
        ("sex is not woman",),
        ("sex is woman",),
        ("missing",),
    ]


def test_without_a_number_of_rows_remedies_are_refused_before_anything_is_asked(loans, monkeypatch):
    plan = loans_plan().model_copy(update={"remedies": (PlainPlan(),)})
    message = "Remedies need rows to learn from, and those of this table stay in DuckDB"
    with pytest.raises(InputError, match=message) as caught:
        run(plan, table=loans[0])
    assert "'sample_rows'" in str(caught.value)
    with pytest.raises(InputError, match=message):
        Study.of(loans[0], loans_plan())


def test_a_table_in_memory_is_learned_from_as_a_whole(loans):
    study = Study.of(loans[1], plan_of(100))
    assert study.facts.sample is None and study.facts.n_rows == Study.of(loans[1], loans_plan()).facts.n_rows
    assert sample_blocks(study.facts) == [] == sample_tables(study.facts)


@pytest.fixture
def audited(loans):
    plan = plan_of(500).model_copy(update={"remedies": (PlainPlan(), ThresholdsPlan())})
    return loans[0], plan


def test_the_report_shows_size_strata_and_seed(audited):
    import json

    result = run(audited[1], table=audited[0])
    sample = result.remedies.facts.sample
    paragraph, table = sample_blocks(result.remedies.facts)
    assert paragraph.text == sample_sentence(sample) and f"500 of {sample.n_population} cases" in paragraph.text
    assert [row[2:] for row in table.rows] == [(stratum.n, stratum.n_population) for stratum in sample.strata]
    assert sum(row[2] for row in table.rows) == 500
    said = json.loads(to_json(result))
    assert not against_schema(said)
    assert said["remedies"]["facts"]["sample"]["n_rows"] == 500
    assert b"remedies_sample" in to_csv_bundle(result)


def test_a_plain_audit_of_the_sample_is_that_of_its_rows_in_memory(audited):
    table, plan = audited
    found = drained(iter_remedies(table, plan))
    study = Study.of(table, plan)
    assert found.facts.n_held_out == study.split.held_out.size
    assert len(study.y) == 500 and study.split.held_out.size == pytest.approx(study.known.sum() / 5, abs=3)
    for remedy in found.remedies:
        assert remedy.after.n == found.facts.n_held_out


def test_a_masked_report_hides_them(audited):
    plan = audited[1].model_copy(update={"small_cells": SmallCellsPlan(mask=True)})
    assert b"remedies_sample" not in to_csv_bundle(run(plan, table=audited[0]))
