"""A search for worst groups as a part of an audit: run, shown, exported, hidden."""

from __future__ import annotations

import json
import zipfile
from dataclasses import replace
from io import BytesIO

import numpy as np
import pandas as pd
import pytest

from fairaudit import AuditPlan, find_subgroups, run
from fairaudit.audit.running import iter_run
from fairaudit.disclosure.gate import exported
from fairaudit.errors import PlanError
from fairaudit.events import Progress
from fairaudit.messages import say
from fairaudit.plan.audit_plan import DataPlan, SmallCellsPlan
from fairaudit.plan.outcomes import OutcomePlan, ScorePlan
from fairaudit.plan.questions import CheckPlan, ErrorsPlan, SubgroupsPlan
from fairaudit.present.blocks import Chart, Heading, TableBlock
from fairaudit.report.bundle import to_csv_bundle
from fairaudit.report.composing import compose_annexes
from fairaudit.report.json_export import to_json
from fairaudit.sections.worst import say_worst, title
from fairaudit.sections.worst.reading import compared, compared_by

PLAN = AuditPlan(
    data=DataPlan(source="people.csv"),
    decision=OutcomePlan(column="got", favorable=("yes",)),
    subgroups=(SubgroupsPlan(columns=("sex", "district", "age")),),
    seed=3,
)


@pytest.fixture(scope="module")
def people() -> pd.DataFrame:
    rng = np.random.default_rng(0)
    n = 3000
    frame = pd.DataFrame(
        {
            "sex": rng.choice(["woman", "man"], n),
            "district": rng.choice(list("ABCDE"), n),
            "age": rng.integers(18, 70, n),
            "pay": rng.normal(3000, 400, n).round(),
        }
    )
    hit = (frame["sex"] == "woman") & (frame["district"] == "D")
    frame["got"] = np.where(rng.random(n) < np.where(hit, 0.2, 0.5), "yes", "no")
    frame.loc[hit, "pay"] -= 500
    return frame


@pytest.fixture(scope="module")
def result(people):
    return run(PLAN, table=people)


def test_an_audit_finds_what_the_function_finds(people, result):
    found = find_subgroups(
        people, decision="got", favorable="yes", columns=["sex", "district", "age"], random_state=PLAN.seed
    )
    assert result.subgroups[0].result == found
    assert "sex = 'woman' AND district = 'D'" in found.leading("gap")[0].condition


def test_a_search_of_amounts_compares_means(people):
    amounts = PLAN.model_copy(update={"decision": OutcomePlan(column="pay", amount=True)})
    found = run(amounts, table=people).subgroups[0].result
    assert found.measure == "mean" and found.leading("gap")[0].gap < -300


def test_a_plan_with_a_search_comes_back_from_toml():
    assert AuditPlan.from_toml(PLAN.to_toml()) == PLAN
    with pytest.raises(PlanError, match="another decision"):
        AuditPlan.from_toml(PLAN.to_toml() + 'measure = "mean"\n')


def test_the_chapter_has_the_answer_the_picture_and_the_table(result):
    blocks, found = compose_annexes(result).blocks, result.subgroups[0]
    first = next(i for i, block in enumerate(blocks) if isinstance(block, Heading) and block.text == title(found))
    said = say_worst(found)
    assert blocks[first + 1].strong == f"{say(said.verdict)}. {say(said.headline)}."
    assert [block.key for block in blocks if isinstance(block, Chart)] == ["subgroups_1_chart", "subgroups_1_map"]
    assert "subgroups_1" in [block.key for block in blocks if isinstance(block, TableBlock)]


def test_files_hold_each_subgroup(result):
    conditions = [each.condition for each in result.subgroups[0].result.subgroups]
    exported_plan = json.loads(to_json(result))
    assert [each["condition"] for each in exported_plan["subgroups"][0]["result"]["subgroups"]] == conditions
    with zipfile.ZipFile(BytesIO(to_csv_bundle(result))) as bundle:
        rows = pd.read_csv(bundle.open("subgroups_1.csv"))
    assert rows["condition"].tolist() == conditions


def test_where_small_counts_are_hidden_nothing_of_a_search_leaves(people, result):
    plan = PLAN.model_copy(
        update={"small_cells": SmallCellsPlan(mask=True), "checks": (CheckPlan(protected="sex = 'woman'"),)}
    )
    hidden = run(plan, table=people)
    assert hidden.subgroups[0].result == result.subgroups[0].result
    found = exported(hidden).subgroups[0].result
    assert (found.subgroups, found.rankings, found.left_out, found.columns) == ((), (), (), ())
    assert {found.n_considered, found.n_rows, found.n_searched, found.n_judged, found.rate, found.deviation} == {None}
    blocks = compose_annexes(hidden).blocks
    left = exported(hidden).subgroups[0]
    assert say_worst(left).verdict.key == "verdict-not-shown" and left.groups == ()
    assert any(isinstance(block, Heading) and block.text == title(left) for block in blocks)
    without = replace(hidden, subgroups=())
    # All other tables are as they would be without the search: no count of it stands in them.
    assert [block for block in compose_annexes(without).blocks if isinstance(block, TableBlock)] == [
        block for block in blocks if isinstance(block, TableBlock)
    ]
    with zipfile.ZipFile(BytesIO(to_csv_bundle(hidden))) as bundle:
        assert not [name for name in bundle.namelist() if name.startswith("subgroups")]


def test_hidden_counts_of_a_search_cannot_be_worked_out(people):
    """Two audits whose people differ only in who is in a subgroup export the same of the search."""
    plan = PLAN.model_copy(update={"small_cells": SmallCellsPlan(mask=True)})
    other = people.assign(district=np.random.default_rng(9).permutation(people["district"]))
    texts = [json.loads(to_json(run(plan, table=frame)))["subgroups"] for frame in (people, other)]
    assert texts[0] == texts[1]


@pytest.mark.parametrize("positive", ["favorable", "unfavorable"])
@pytest.mark.parametrize("rate", ["fpr", "fnr", "fdr", "for_"])
def test_a_search_and_errors_of_one_audit_mean_the_same_by_a_rate(people, positive, rate):
    frame = people.assign(rated=np.where(np.arange(len(people)) % 7 < 3, "yes", "no"), every="one")
    plan = AuditPlan(
        data=DataPlan(source="people.csv"),
        decision=PLAN.decision,
        prediction=OutcomePlan(column="rated", favorable=("yes",)),
        positive=positive,
        errors=(ErrorsPlan(by=("every",)),),
        subgroups=(SubgroupsPlan(columns=("sex", "district"), measure=rate),),
    )
    found = run(plan, table=frame)
    [errors] = found.errors
    assert found.subgroups[0].result.rate == pytest.approx(errors.errors.metrics[rate].iloc[0])
    good = positive == "favorable"
    assert compared(found.subgroups[0]) == compared_by(rate, positive)
    assert (compared_by(rate, positive) in ("flagged", "wrong_flags")) == ((rate in ("fnr", "for_")) == good)


def test_a_search_in_an_audit_says_how_far_it_is(people):
    steps = [event for event in iter_run(PLAN, table=people) if isinstance(event, Progress)]
    searching = [step.done for step in steps if step.what in ("Counting groups of people", "Comparing with chance")]
    assert len(set(searching)) > 2 and [step.done for step in steps] == sorted(step.done for step in steps)
    assert {step.total for step in steps} == {steps[0].total} and steps[-1].done < steps[0].total


def test_who_names_no_columns_does_not_search_the_outcome_in_other_words(people):
    rng = np.random.default_rng(1)
    refused = people["got"] == "no"
    frame = people.assign(
        ever_refused=np.where(refused, "yes", rng.choice(["yes", "no"], len(people), p=[0.2, 0.8])),
        risk=np.where(refused, 7, 3) + rng.integers(0, 4, len(people)),
    ).assign(class_of_risk=lambda each: np.where(each["risk"] > 5, "high", "low"))
    plan = PLAN.model_copy(update={"score": ScorePlan(column="risk"), "subgroups": (SubgroupsPlan(max_conditions=1),)})
    [found] = run(plan, table=frame).subgroups
    follow = {each.column for each in found.result.left_out}
    assert {"ever_refused", "class_of_risk"} <= follow
    assert not follow & {"sex", "district"} and {"sex", "district"} <= {*found.result.columns}
    assert not {"ever_refused", "class_of_risk", "risk"} & {*found.result.columns}
