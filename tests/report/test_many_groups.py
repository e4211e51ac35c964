"""More groups than a person can read: a caution before, and a report that does not grow with them."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from shown import shown

from fairaudit.audit.running import run
from fairaudit.disclosure.gate import exported
from fairaudit.findings import Count
from fairaudit.messages import say
from fairaudit.plan.audit_plan import AuditPlan, DataPlan, ReportPlan, SmallCellsPlan
from fairaudit.plan.outcomes import OutcomePlan, ScorePlan
from fairaudit.plan.questions import ErrorsPlan
from fairaudit.present.blocks import Chart, Note, TableBlock
from fairaudit.report.composing import compose_annexes
from fairaudit.report.tables import all_tables
from fairaudit.sections.errors.chapter import say_many, some_groups
from fairaudit.sections.errors.charts import drawn_groups, errors_chart_note
from fairaudit.sections.errors.saying import say_costs

N_GROUPS = 40
"""The i-th group has 4 + 2 i rows, so that the last ones are the largest."""


def _audit(by=("race", "years"), *, n=N_GROUPS, minimum=None, score=True):
    rows = [("ab"[i % 2], i // 2, *pair, 0.01 * (j % 90)) for i in range(n) for j in range(4 + 2 * i)
            for pair in [[("good", "good"), ("good", "bad"), ("bad", "good"), ("bad", "bad")][j % 4]]]  # fmt: skip
    data = pd.DataFrame(rows, columns=["race", "years", "y", "h", "score"])
    small = SmallCellsPlan() if minimum is None else SmallCellsPlan(mask=True, minimum=minimum)
    plan = AuditPlan(
        data=DataPlan(source="memory.csv"),
        decision=OutcomePlan(column="y", favorable=("good",)),
        prediction=OutcomePlan(column="h", favorable=("good",)),
        score=ScorePlan(column="score") if score else None,
        errors=(ErrorsPlan(by=by),),
        small_cells=small,
        report=ReportPlan(quality=False),
    )
    return run(plan, table=data)


@pytest.fixture(scope="module")
def many():
    return _audit()


def _tables(result):
    return {block.key: block for block in compose_annexes(result).blocks if isinstance(block, TableBlock)}


def test_a_caution_says_how_many_groups_there_are_and_how_many_have_few_rows(many):
    few = sum(4 + 2 * i < 30 for i in range(N_GROUPS))
    said, fewer = say_many(many.errors[0])
    assert dict(said.args)["n"] == Count(N_GROUPS) and dict(fewer.args)["few"] == Count(few)
    shown = say((said, fewer))
    assert any(isinstance(block, Note) and block.text == shown for block in compose_annexes(many).blocks)


def test_thirty_groups_need_no_caution_and_are_all_in_the_report():
    result = _audit(n=30)
    assert say_many(result.errors[0]) == ()
    tables = _tables(result)
    assert len(tables["errors_1_costs"].rows) == 30
    assert tables["errors_1_costs"].note == say(say_costs(result.errors[0]))


def test_of_one_column_the_caution_does_not_ask_for_fewer():
    of_one = say(say_many(_audit(by=("years",), n=80).errors[0])[:1])
    assert "40 groups" in of_one and "fewer columns" not in of_one


def test_report_shows_the_groups_with_most_rows_and_the_files_hold_all(many):
    tables = _tables(many)
    largest = {f"{'ab'[i % 2]}, {i // 2}" for i in range(N_GROUPS - 30, N_GROUPS)}
    table = tables["errors_1_costs"]
    assert {row[0].replace(" × ", ", ") for row in table.rows} == largest
    assert shown("annex-some-groups", which="all", most=30, left=10).match(table.note)
    whole = {table.key: table for table in all_tables(many)}
    for name in ("errors_1_counts", "errors_1_rates", "scores_1_auc", "scores_1_calibration", "scores_1_distribution"):
        assert len({row[0] for row in whole[name].rows}) == N_GROUPS
    charts = [
        block for block in compose_annexes(many).blocks if isinstance(block, Chart) and block.key.startswith("errors")
    ]
    first, *others = charts
    assert first.title.endswith(errors_chart_note(many.errors[0])) and len(drawn_groups(many.errors[0])) < N_GROUPS
    assert others and all("30 largest of 40 groups are drawn; the CSV files hold" in c.title for c in others)


def test_masking_comes_before_the_choice_of_groups_and_hides_how_many_have_few_rows():
    hidden = exported(_audit(minimum=8))
    finding = hidden.errors[0]
    sizes = finding.errors.metrics.set_index("group")["n"]
    assert sizes.isna().any(), "the case needs hidden groups"
    assert [message.key for message in say_many(finding)] == ["errors-many"]
    table = _tables(hidden)["errors_1_costs"]
    known = sizes.dropna().astype(float).sort_values(ascending=False, kind="stable").index
    kept = {row[0] for row in table.rows}
    assert len(kept) == 30 and set(known[:30]) <= kept
    assert "where that is shown" in table.note


def test_groups_whose_rows_are_hidden_are_chosen_last_whatever_they_are():
    rows = tuple((name, 1) for name in "abcde")
    sizes = pd.Series([np.nan, 5.0, np.nan, 7.0, 6.0], index=list("abcde"))
    assert [row[0] for row in some_groups(TableBlock("t", "T", (), rows), sizes, 3).rows] == ["b", "d", "e"]
    four = some_groups(TableBlock("t", "T", (), rows, note="More."), sizes, 4)
    assert [row[0] for row in four.rows] == ["a", "b", "d", "e"]
    said = shown("annex-some-groups", which="some", most=4, n=5, left_count="one").match(four.note)
    assert said and four.note[said.end() :] == " More."
