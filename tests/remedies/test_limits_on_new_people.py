"""Limits that are to hold on new people are tested on cases to learn from, which nothing was learned from."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from pydantic import ValidationError
from study_data import as_loans, biased_loans, drained, loans_plan

from fairaudit.audit.running import run
from fairaudit.audit.trying import iter_remedy, remedy_name, search_key
from fairaudit.catalog import remedy_of
from fairaudit.cli.main import main
from fairaudit.estimators.constraints.certifying import LARGEST_FRACTION
from fairaudit.findings import Message
from fairaudit.messages import say
from fairaudit.plan.audit_plan import AuditPlan, SmallCellsPlan
from fairaudit.remedies.constrain.plan import ConstrainPlan
from fairaudit.remedies.rules.plan import RulesPlan
from fairaudit.remedies.thresholds.plan import ThresholdsPlan
from fairaudit.remedies.trees.plan import TreesPlan
from fairaudit.report.json_export import to_json
from fairaudit.report.tables import all_tables
from fairaudit.sections.remedy import read_remedy
from fairaudit.study.certified import SET_ASIDE
from fairaudit.study.rows import Study, learned_rows, tuning_rows

LOANS = biased_loans(2_400)
CONSTRAIN = ConstrainPlan(constraints=("demographic_parity by sex <= 0.15",), confidence=0.9)
THRESHOLDS = ThresholdsPlan(confidence=0.9)
OWN_SCORE = ThresholdsPlan(model="score", confidence=0.9)
RULES = RulesPlan(max_complexity=3, max_rule_length=1, max_difference=0.2, time_limit=4.0, confidence=0.95)
TREE = TreesPlan(max_depth=1, max_difference=0.2, time_limit=4.0, confidence=0.9)
GROWN = TreesPlan(search="look_ahead", max_depth=2, max_difference=0.2, time_limit=4.0, confidence=0.9)
PLANS = (CONSTRAIN, THRESHOLDS, OWN_SCORE, RULES, TREE, GROWN)


def called(plan) -> str:
    return f"{plan.method} {getattr(plan, 'search', '')} {getattr(plan, 'model', '')}"


def plan_of(*remedies, **settings) -> AuditPlan:
    return loans_plan(tolerance=0.15).model_copy(update={"remedies": remedies, **settings})


@pytest.fixture(scope="module")
def study() -> Study:
    plan = plan_of(CONSTRAIN)
    return Study.of(as_loans(LOANS), plan)


@pytest.mark.parametrize(
    "plan", [CONSTRAIN, *(pytest.param(each, marks=pytest.mark.thorough) for each in PLANS if each is not CONSTRAIN)],
    ids=called,
)  # fmt: skip
def test_the_share_of_cases_that_is_set_aside_is_of_those_to_learn_from_or_to_tune_on(study, plan):
    found = drained(iter_remedy(study, plan)).finding
    rows = {"constrain": study.split.learning, "thresholds": tuning_rows(study)}.get(plan.method, learned_rows(study))
    certified = found.certified
    assert certified.confidence == plan.confidence and 0 <= certified.n_certified <= certified.n_candidates
    most = LARGEST_FRACTION if plan is CONSTRAIN else SET_ASIDE
    assert SET_ASIDE - 0.03 <= certified.n_rows / len(rows) <= most + 0.03
    # Whatever it found: what is said of the limit follows from both.
    reading = read_remedy(found, study.facts)
    assert (reading.limit == "met") <= bool(certified.is_certified)
    assert reading.limit is not None and reading.certified is certified


def test_test_cases_have_no_part_in_what_is_certified(study):
    y = study.y.copy()
    y[study.split.held_out] = 1 - y[study.split.held_out]
    was, now = (drained(iter_remedy(each, CONSTRAIN)).finding for each in (study, replace(study, y=y)))
    assert was.certified == now.certified and was.details.pairs["tuned"].equals(now.details.pairs["tuned"])


@pytest.mark.parametrize("plan", PLANS, ids=called)
def test_a_plan_says_with_which_confidence_and_is_as_before_without(plan):
    audit = plan_of(plan)
    text = audit.to_toml()
    assert AuditPlan.from_toml(text) == audit and f"confidence = {plan.confidence}" in text
    without = plan.model_copy(update={"confidence": None})
    assert "confidence" not in plan_of(without).to_toml().split("[[remedies]]")[1]
    assert remedy_name(plan) != remedy_name(without) and search_key(plan) != search_key(without)
    assert getattr(plan.baseline(), "confidence", None) is None or plan.baseline() is plan


@pytest.mark.parametrize(
    ("plan", "change"),
    [
        (CONSTRAIN, {"no_group_worse_off": True}),
        (CONSTRAIN, {"scale": 2.0}),
        (CONSTRAIN, {"confidence": 90}),
        (CONSTRAIN, {"confidence": 0.3}),
        (THRESHOLDS, {"search": "pso"}),
        (THRESHOLDS, {"no_group_worse_off": True}),
        (RULES, {"fairness": None}),
        (RULES, {"rules": ("merit > 0",)}),
        (RULES, {"no_group_worse_off": True}),
        (RULES, {"max_difference": 0.0}),
        (TREE, {"constraint": None}),
        (TREE, {"max_difference": 0.0}),
        (TREE, {"no_group_worse_off": True}),
        (TREE, {"max_loss": 0.01, "max_difference": 0.05}),
    ],
)
def test_what_was_not_tested_on_new_people_is_refused(plan, change):
    with pytest.raises((ValueError, ValidationError)):
        type(plan).model_validate(plan.model_dump() | change)
    type(plan).model_validate(plan.model_dump())


def test_thresholds_that_hold_a_limit_are_not_said_to_be_the_best_at_a_weight(study):
    finding = drained(iter_remedy(study, OWN_SCORE)).finding
    done = remedy_of(OWN_SCORE, study.facts.outcome).done(finding, study.facts)
    assert say(Message("thresholds-found-held")) in done and "at weight" not in done
    plain = OWN_SCORE.model_copy(update={"confidence": None})
    assert "weight" in remedy_name(plain, study.facts.outcome)
    assert "weight" not in remedy_name(OWN_SCORE, study.facts.outcome)


def test_a_hidden_export_shows_what_was_asked_and_no_figure_of_what_was_found():
    shown, hidden = (run(plan_of(CONSTRAIN, small_cells=cells), table=as_loans(LOANS))
                     for cells in (SmallCellsPlan(), SmallCellsPlan(mask=True)))  # fmt: skip
    tables = {table.key: table for table in all_tables(shown)}
    assert len(tables["remedy_1_certified"].rows) == 1
    found, gone = (
        next(iter(each["remedies"]["remedies"]))["certified"] for each in map(exported_json, (shown, hidden))
    )
    assert found["n_rows"] > 0 and found["confidence"] == gone["confidence"] == 0.9
    assert {name for name, value in gone.items() if value is not None} == {"confidence"}


def exported_json(result) -> dict:
    return json.loads(to_json(result))


def test_the_command_line_says_whether_a_limit_holds_on_new_people(tmp_path, capsys):
    LOANS.to_csv(tmp_path / "loans.csv", index=False)
    plan = plan_of(CONSTRAIN)
    plan = plan.model_copy(update={"data": plan.data.model_copy(update={"source": "loans.csv"})})
    (tmp_path / "plan.toml").write_text(plan.to_toml())
    main(["run", str(tmp_path / "plan.toml"), "--out", str(tmp_path / "out")])
    said = capsys.readouterr().out
    assert "90% sure for new people" in said or "new people" in said
