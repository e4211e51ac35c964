"""A plan run on data gives the numbers of the measures, its provenance, and stops on other data."""

from __future__ import annotations

import io
import re
from dataclasses import replace

import duckdb
import pandas as pd
import pytest
from shown import shown, shows

import fairaudit
from fairaudit import check_controlled_fairness
from fairaudit.audit.result import AuditResult
from fairaudit.audit.running import iter_run, run
from fairaudit.data import ReadOptions, Table, read_table
from fairaudit.errors import DataError, FingerprintError, GroupError, InputError, PlanError
from fairaudit.events import Finished, Progress, Started
from fairaudit.findings import Message
from fairaudit.messages import say
from fairaudit.plan.audit_plan import AuditPlan, DataPlan, ReportPlan, SmallCellsPlan
from fairaudit.plan.data import open_data, record_data
from fairaudit.plan.outcomes import OutcomePlan, ScorePlan
from fairaudit.plan.questions import CheckPlan, ErrorsPlan
from fairaudit.plan.roles import outcome_of, prediction_of
from fairaudit.report.json_export import to_json
from fairaudit.sections.check.answering import answer_check
from fairaudit.sections.errors.answering import run_errors


@pytest.fixture(scope="module")
def table():
    rows = [("no", "a", "x", 1, "no")] * 30 + [("yes", "a", "x", 9, "yes")] * 10 + [("no", "b", "y", 3, "yes")] * 10
    rows += [("yes", "b", "x", 8, "yes")] * 25 + [("yes", "b", "y", 2, "no")] * 5
    rows += [("yes", None, "x", 4, "yes")] * 3 + [(None, "a", "x", 5, "no")] * 2
    frame = pd.DataFrame(rows, columns=["granted", "the group", "area", "level", "guess"])
    return Table.from_pandas(frame, name="loans")


PLAN = AuditPlan(
    data=DataPlan(source="loans.csv"),
    decision=OutcomePlan(column="granted", favorable=("yes",)),
    prediction=OutcomePlan(column="guess", favorable=("yes",)),
    score=ScorePlan(column="level"),
    checks=(
        CheckPlan(protected="\"the group\" = 'a'", strata=("area",), compare=(("the group",), ("the group", "area"))),
        CheckPlan(title="In x", protected="\"the group\" = 'a'", where="area = 'x'", tolerance=0.6),
    ),
    errors=(ErrorsPlan(by=("the group",), cost_false_negative=2),),
)


def test_the_package_holds_the_function():
    assert fairaudit.run is run


def test_a_plan_may_be_named_by_its_file(table, tmp_path):
    table.to_pandas().to_csv(tmp_path / "loans.csv", index=False)
    path = tmp_path / "plan.toml"
    PLAN.save(path)
    found = [run(each).checks[0].result for each in (path, str(path))]
    assert found == [run(PLAN, base=tmp_path).checks[0].result] * 2
    with pytest.raises(PlanError, match="cannot be read"):
        run(tmp_path / "none.toml")
    with pytest.raises(InputError, match="'plan' must be an AuditPlan or the path of its file, got dict"):
        run({})


def test_a_run_finds_what_the_measures_find(table):
    result = run(PLAN, table=table)
    first = result.checks[0].result
    direct = check_controlled_fairness(table, decision="granted", favorable="yes", protected="\"the group\" = 'a'")
    assert first == direct
    assert (first.protected.positives, first.protected.n) == (10, 40)
    assert (first.reference.positives, first.reference.n) == (30, 40)
    assert (first.unknown, first.undecided) == (3, 2)
    assert [g.columns for g in result.checks[0].groups] == [("the group",), ("the group", "area")]
    assert result.checks[0].strata.columns == ("area",)
    assert result.checks[1].strata is None
    assert not result.within_tolerance
    assert result.checks[1].result.tolerance == 0.6


def test_words_say_who_and_where(table):
    first, second = run(PLAN, table=table).checks
    assert first.where_words is None
    assert second.where_words == "area is x"
    assert second.protected_words == "the group is a"
    assert "granted" in first.meaning
    named = PLAN.model_copy(update={"decision": PLAN.decision.model_copy(update={"meaning": "a loan"})})
    assert answer_check(table, named, PLAN.checks[0]).meaning == "a loan"


def test_the_sql_reproduces_the_counts(table):
    loans = table.to_pandas()
    assert len(loans) == table.n_rows
    for finding in run(PLAN, table=table).checks:
        with duckdb.connect() as connection:
            connection.register("loans", loans)
            rows = {group: counts for group, *counts in connection.execute(finding.sql).fetchall()}
        for name, group in (("protected", finding.result.protected), ("reference", finding.result.reference)):
            assert rows[name] == [group.n + group.undecided, group.n, group.positives]
        assert rows.get("unknown", [0])[0] == finding.result.unknown


def test_the_sql_leaves_out_repeated_rows_where_the_audit_does():
    data = b"sex,granted\nF,yes\nF,yes\nF,no\nM,yes\nM,\nM,yes\n"
    table = read_table(data, name="loans", options=ReadOptions(distinct=True))
    plan = AuditPlan(data=DataPlan(source="x.csv"), decision=OutcomePlan(column="granted", favorable=("yes",)))
    finding = answer_check(table, plan, CheckPlan(protected="sex = 'F'"))
    with duckdb.connect() as connection:
        connection.register("loans", pd.read_csv(io.BytesIO(data)))
        found = connection.execute(finding.sql).fetchall()
    assert found == [("protected", 2, 2, 1), ("reference", 2, 1, 1)]
    assert (finding.result.protected.n, finding.result.reference.n, finding.result.reference.undecided) == (2, 1, 1)


def test_the_sql_takes_rows_for_equal_where_reading_made_them_equal():
    protected = b"F,yes,a,1\n F ,yes,a\t,1\nF,no,?,2\nF,no,,2\n"
    data = b"sex,granted,place,points\n" + protected + b"M,yes,n/a,3\nM,yes, ? ,3\nM,,b,4\nM,yes,b,\n"
    options = ReadOptions(distinct=True, missing=("?", "n/a"))
    table = read_table(data, name="loans", options=options)
    plan = AuditPlan(data=DataPlan(source="x.csv"), decision=OutcomePlan(column="granted", favorable=("yes",)))
    finding = answer_check(table, plan, CheckPlan(protected="sex = 'F'"))
    with duckdb.connect() as connection:
        connection.register("loans", pd.read_csv(io.BytesIO(data)))
        found = connection.execute(finding.sql).fetchall()
    assert table.n_rows == 5
    assert found == [("protected", 2, 2, 1), ("reference", 3, 2, 2)]
    assert (finding.result.protected.n, finding.result.reference.n, finding.result.reference.undecided) == (2, 2, 1)


def test_the_sql_holds_where_a_column_is_called_group():
    frame = pd.DataFrame({"group": list("aabb"), "rows": [1, 0, 1, 1]})
    plan = AuditPlan(data=DataPlan(source="x.csv"), decision=OutcomePlan(column="rows", favorable=(1,)))
    finding = answer_check(Table.from_pandas(frame, name="loans"), plan, CheckPlan(protected="\"group\" = 'a'"))
    with duckdb.connect() as connection:
        connection.register("loans", frame)
        found = connection.execute(finding.sql).fetchall()
    assert found == [("protected", 2, 2, 1), ("reference", 2, 2, 2)]


def test_errors_and_scores_are_found_where_the_plan_names_them(table):
    both = run(PLAN, table=table).errors[0]
    counts = both.errors.counts.set_index("group")
    assert counts.loc["a", ["tp", "fp", "tn", "fn"]].tolist() == [10, 0, 30, 0]
    assert counts.loc["b", ["tp", "fp", "tn", "fn"]].tolist() == [25, 10, 0, 5]
    assert both.scores.score == "level"
    assert len(both.costs) == len(counts)
    no_score = PLAN.model_copy(update={"score": None})
    assert run_errors(table, no_score, PLAN.errors[0]).scores is None
    only_score = PLAN.model_copy(update={"prediction": None})
    alone = run_errors(table, only_score, PLAN.errors[0])
    assert (alone.errors, alone.costs) == (None, None)
    assert alone.scores is not None


def test_errors_without_prediction_or_score_are_refused(table):
    plan = PLAN.model_copy(update={"prediction": None, "score": None})
    with pytest.raises(InputError, match="neither 'prediction' nor 'score'"):
        run(plan, table=table)


@pytest.mark.parametrize("higher, cut, n", [(True, 4.0, 40), (False, 4.0, 45), (True, -1e-9, 85), (False, 0.0, 0)])
def test_a_cut_makes_the_score_a_prediction(table, higher, cut, n):
    score = ScorePlan(column="level", higher_is_favorable=higher, cut=cut)
    plan = PLAN.model_copy(update={"prediction": None, "score": score})
    assert table.count(prediction_of(table, plan)) == n


def test_the_column_of_a_score_may_have_any_name():
    name = 'a "b" <script> \u00e9'
    table = Table.from_pandas(pd.DataFrame({name: [1.0, 2.0], "y": ["n", "p"]}))
    score = ScorePlan(column=name, cut=1.5)
    plan = AuditPlan(data=DataPlan(source="-"), decision=OutcomePlan(column="y", favorable=("p",)), score=score)
    assert table.count(prediction_of(table, plan)) == 1


def test_events_count_every_step_and_end_with_the_result(table):
    events = list(iter_run(PLAN, table=table))
    assert isinstance(events[0], Started)
    steps = [event for event in events if isinstance(event, Progress)]
    assert [step.done for step in steps] == list(range(events[0].total))
    assert {step.total for step in steps} == {events[0].total}
    assert isinstance(events[-1], Finished)
    assert isinstance(events[-1].result, AuditResult)


def test_a_run_can_be_left_between_events(table):
    events = iter_run(PLAN, table=table)
    next(events)
    events.close()


def test_words_for_not_decided_are_said_of_the_decision_only():
    rows = [("pending", "yes"), ("done", "no"), ("pending", "tbd")] * 30
    frame = pd.DataFrame(rows, columns=["stage", "ok"]).assign(sex=["F", "M"] * 45)
    data = Table.from_pandas(frame, real_values={"ok": ["tbd"]})
    plan = AuditPlan(
        data=DataPlan(source="t.csv").read_by(data.source.options),
        decision=OutcomePlan(column="ok", favorable=("yes",)),
        checks=(CheckPlan(protected="sex = 'F'"),),
    )
    issues = run(plan, table=data).quality.issues
    assert [(i.column, i.n) for i in issues if i.code == "not_decided"] == [("ok", 30)]


APART = "count apart from"


def test_values_that_letter_case_leaves_apart_are_a_doubt_of_the_answer_without_their_count():
    rows = [("granted", "Moroccan"), ("Granted", "Dutch"), ("refused", "moroccan "), ("refused", "Dutch")] * 30
    data = Table.from_pandas(pd.DataFrame(rows, columns=["result", "nationality"]).assign(pay=range(120)))
    plan = AuditPlan(
        data=DataPlan(source="t.csv"),
        decision=OutcomePlan(column="result", favorable=("granted",)),
        checks=(CheckPlan(protected="nationality = 'Moroccan'"),),
    )
    [finding] = run(plan, table=data).checks
    apart = [text for text in finding.result.warnings if APART in text]
    assert len(apart) == 2 and not re.search(r"\d", "".join(apart))
    assert "'moroccan '" in apart[0] and "'Granted'" in apart[1]
    named = OutcomePlan(column="result", favorable=("granted", "Granted"))
    check = CheckPlan(protected="nationality IN ('Moroccan', 'moroccan ')")
    assert APART not in str(answer_check(data, plan.model_copy(update={"decision": named}), check).result.warnings)
    check = CheckPlan(protected="nationality = 'Moroccan'", where="nationality <> 'moroccan '")
    [apart] = [text for text in answer_check(data, plan, check).result.warnings if APART in text]
    assert "'Granted'" in apart
    hiding = plan.model_copy(update={"small_cells": SmallCellsPlan(mask=True, minimum=5)})
    assert APART in to_json(run(plan, table=data)) and APART not in to_json(run(hiding, table=data))
    paid = plan.model_copy(update={"decision": OutcomePlan(column="pay", amount=True)})
    assert "'moroccan '" in " ".join(run(paid, table=data).checks[0].result.warnings)
    assert APART not in to_json(run(paid.model_copy(update={"small_cells": hiding.small_cells}), table=data))


def test_quality_is_looked_at_only_when_the_report_shows_it(table):
    assert run(PLAN, table=table).quality.n_rows == table.n_rows
    assert run(PLAN.model_copy(update={"report": ReportPlan(quality=False)}), table=table).quality is None


def test_provenance_names_the_software_the_plan_and_the_data(table):
    result = run(PLAN, table=table)
    names = [name for name, _ in result.versions]
    own = ["duckdb", "pandas", "numpy", "scipy", "sqlglot", "scikit-learn", "pyscipopt", "pyswarms"]
    assert names == ["fairaudit", "python", *own]
    assert all(version for _, version in result.versions)
    assert result.plan_digest == PLAN.digest
    assert result.data.fingerprint == table.fingerprint
    assert (result.data.n_rows, result.data.n_columns) == (85, 5)


def test_two_runs_give_the_same_numbers(table):
    assert to_json(run(PLAN, table=table)) == to_json(run(PLAN, table=table))


def test_a_recorded_plan_runs_on_its_data(table):
    plan = record_data(PLAN, table)
    assert (plan.data.n_rows, plan.data.columns) == (85, tuple(table.columns))
    assert AuditPlan.from_toml(plan.to_toml()) == plan
    assert run(plan, table=table).data.mismatch is None


def change(frame, kind):
    if kind == "rows":
        return frame.iloc[:-1]
    if kind == "cells":
        return frame.assign(level=frame["level"] + 1)
    if kind == "added":
        return frame.assign(extra=1)
    if kind == "gone":
        return frame.drop(columns="guess")
    return frame[frame.columns[::-1]]


@pytest.mark.parametrize(
    ("kind", "facts"),
    [
        ("rows", ["84 rows instead of 85"]),
        ("cells", [say(Message(key)) for key in ("differs-same-size", "differs-cells")]),
        ("added", ["new columns 'extra'"]),
        ("gone", ["without the columns 'guess'"]),
        ("order", [say(Message("differs-order"))]),
    ],
)
def test_other_data_stop_the_run_and_are_named(table, kind, facts):
    plan = record_data(PLAN, table)
    other = Table.from_pandas(change(table.to_pandas(), kind))
    with pytest.raises(FingerprintError) as stopped:
        run(plan, table=other)
    assert ", ".join(facts) in stopped.value.message
    assert "--ignore-fingerprint" in stopped.value.hint
    if kind != "gone":
        assert ", ".join(facts) in run(plan, table=other, ignore_fingerprint=True).data.mismatch


def test_a_plan_whose_record_was_edited_is_distinguished_from_changed_data(table):
    plan = record_data(PLAN, table)
    edited = plan.model_copy(update={"data": plan.data.model_copy(update={"n_rows": 7})})
    with pytest.raises(FingerprintError, match=shown("differs-plan")):
        run(edited, table=table)


def test_a_plan_without_a_record_runs_on_any_data(table):
    assert run(PLAN, table=table).data.mismatch is None


def test_data_are_found_beside_the_plan(table, tmp_path):
    table.to_pandas().to_csv(tmp_path / "loans.csv", index=False)
    opened = open_data(PLAN, base=tmp_path)
    assert opened.n_rows == table.n_rows
    plan = record_data(PLAN, read_table(tmp_path / "loans.csv"))
    again = run(plan, base=tmp_path)
    assert again.checks[0].result == run(PLAN, table=table).checks[0].result


def test_missing_data_are_refused_with_the_remedy(tmp_path):
    with pytest.raises(DataError, match="--data PATH"):
        open_data(PLAN, base=tmp_path)
    with pytest.raises(DataError, match="no sample data set 'lones'"):
        open_data(PLAN.model_copy(update={"data": DataPlan(source="sample:lones")}))
    with pytest.raises(DataError, match="no sample data set"):
        open_data(PLAN.model_copy(update={"data": DataPlan(source="sample:../README")}))


def test_a_sample_is_opened_by_name():
    plan = PLAN.model_copy(update={"data": DataPlan(source="sample:loans")})
    assert open_data(plan).n_rows > 0


def test_an_empty_group_is_refused_with_its_counts(table):
    plan = PLAN.model_copy(update={"checks": (CheckPlan(protected="\"the group\" = 'none'"),)})
    with pytest.raises(GroupError):
        run(plan, table=table)


@pytest.mark.parametrize("check", [{"protected": "\"the group\" = 'none'"}, {"where": "level > 999"}])
def test_an_error_has_no_counts_where_small_ones_are_hidden(table, check):
    question = CheckPlan(**({"protected": "\"the group\" = 'b'"} | check))
    hiding = SmallCellsPlan(mask=True)
    plan = PLAN.model_copy(update={"checks": (question,), "small_cells": hiding})
    with pytest.raises(GroupError) as caught:
        run(plan, table=table)
    assert not re.search(r"\d", str(caught.value).replace("999", ""))
    assert str(caught.value.hint) in str(caught.value)


def test_a_cut_of_the_decision_is_an_outcome(table):
    outcome = outcome_of(table, OutcomePlan(column="level", favorable_when="level >= 5", meaning="a high level"))
    assert outcome.meaning == "a high level"
    assert table.count(outcome.condition) == 37
    assert replace(outcome, meaning="x").column == "level"


def test_the_real_numbers_of_adult(shared_data):
    plan = AuditPlan(
        data=DataPlan(source=str(shared_data("adult.csv.gz")), reading=ReadOptions(unweighted=True)),
        decision=OutcomePlan(column="income", favorable=(">50K",)),
        checks=(CheckPlan(where="education_num > 10", protected="race <> 'White'"),),
        report=ReportPlan(quality=False),
    )
    result = run(plan).checks[0].result
    assert (result.protected.positives, result.protected.n) == (623, 1945)
    assert (result.reference.positives, result.reference.n) == (6132, 13827)
    assert result.protected.ratio == pytest.approx(0.3203, abs=5e-5)
    assert result.reference.ratio == pytest.approx(0.4435, abs=5e-5)


def test_column_with_one_group_left_by_the_filter_is_named_and_the_verdict_stands():
    frame = pd.DataFrame(
        {"sex": ["F", "M"] * 40, "area": ["n", "s"] * 20 + ["n"] * 40, "ok": ["y", "n", "y", "y"] * 20}
    )
    table = Table.from_pandas(frame)
    check = CheckPlan(protected="sex = 'F'", where="area = 'n'", compare=(("area",), ("sex",)), strata=("area",))
    plan = AuditPlan(data=DataPlan(source="t.csv"), decision=OutcomePlan(column="ok", favorable=("y",)))
    finding = answer_check(table, plan, check)
    assert finding.result.protected.n > 0
    assert [c.columns for c in finding.groups] == [("sex",)]
    [reason] = finding.not_compared
    assert shows(reason, "check-not-compared-groups", columns="'area'", has_reference="no")
    assert finding.strata is not None


def test_reference_that_the_filter_leaves_out_is_named_and_the_verdict_stands():
    frame = pd.DataFrame({"sex": ["F", "M"] * 30, "area": ["n", "s", "w"] * 20, "ok": ["y", "n", "y", "y"] * 15})
    check = CheckPlan(protected="sex = 'F'", where="area <> 'w'", compare=(("area",), ("sex",)), reference="w")
    plan = AuditPlan(data=DataPlan(source="t.csv"), decision=OutcomePlan(column="ok", favorable=("y",)))
    finding = answer_check(Table.from_pandas(frame), plan, check)
    assert finding.result.reference.n > 0
    assert [c.columns for c in finding.groups] == [("sex",)]
    [reason] = finding.not_compared
    assert shows(reason, "check-not-compared-groups", columns="'area'", has_reference="yes", reference="'w'")
