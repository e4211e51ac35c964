from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from fairaudit.audit.running import run
from fairaudit.plan import (
    AuditPlan,
    CheckPlan,
    DataPlan,
    ErrorsPlan,
    OutcomePlan,
    ReportPlan,
    ScorePlan,
    SmallCellsPlan,
)
from fairaudit.present.blocks import Chart, Code, Heading, KeyValues, Note, Paragraph, Table
from fairaudit.report import compose, to_pdf

CHECK = CheckPlan(protected="sex = 'F'", strata=("dept",), compare=(("dept",), ("sex", "dept")))


def berkeley_like() -> pd.DataFrame:
    cells = [("a", "F", "yes", 90), ("a", "F", "no", 10), ("a", "M", "yes", 640), ("a", "M", "no", 160),
             ("b", "F", "yes", 160), ("b", "F", "no", 640), ("b", "M", "yes", 10), ("b", "M", "no", 90)]  # fmt: skip
    frame = pd.DataFrame([cell[:3] for cell in cells for _ in range(cell[3])], columns=["dept", "sex", "admitted"])
    rng = np.random.default_rng(1)
    return frame.assign(score=((frame["admitted"] == "yes") * 0.3 + rng.random(len(frame)) * 0.7).round(3))


def plan(**options) -> AuditPlan:
    base = {"data": DataPlan(source="b.csv"), "decision": OutcomePlan(column="admitted", favorable=("yes",))}
    return AuditPlan(**(base | {"checks": (CHECK,)} | options))


@pytest.fixture(scope="module")
def document():
    questions = {"score": ScorePlan(column="score", cut=0.5), "errors": (ErrorsPlan(by=("sex",)),)}
    report = ReportPlan(title="Admissions", author="A. Uditor")
    return compose(run(plan(report=report, **questions), table=berkeley_like()))


def test_the_verdict_stands_first_with_its_chart_beside_it(document):
    question, first, second = document.blocks[:3]
    assert question == Paragraph("Are like cases treated alike?")
    assert isinstance(first, Paragraph)
    assert first.lead
    assert first.strong.startswith("No. Among all rows, 27.8")
    assert first.text.startswith("Data like these fit gaps")
    assert isinstance(second, Chart)


def test_chapters_follow_in_order(document):
    chapters = [block.text for block in document.blocks if isinstance(block, Heading) and block.level == 1]
    assert chapters == [
        "What was compared",
        "All groups of dept",
        "All groups of sex, dept",
        "Holding dept equal",
        "How sure, and what this does not say",
        "The same rows in SQL",
        "Errors by sex",
        "The data",
        "What the words mean",
        "Repeat this audit",
    ]


def test_a_reversal_is_a_warning(document):
    warnings = [block.text for block in document.blocks if isinstance(block, Note) and block.kind == "warning"]
    assert any("The direction turns around" in text for text in warnings)
    verdict = next(block.text for block in document.blocks if isinstance(block, Paragraph) and block.lead)
    assert "But inside each value of dept the gap is on average to their advantage" in verdict


def test_keys_are_unique_and_every_chart_names_a_table_of_the_document(document):
    keys = [block.key for block in document.blocks if isinstance(block, (Table, Chart))]
    assert len(keys) == len(set(keys))
    tables = {block.key for block in document.blocks if isinstance(block, Table)}
    assert {block.table_key for block in document.blocks if isinstance(block, Chart)} <= tables | {None}
    assert all(block.alt for block in document.blocks if isinstance(block, Chart))


def test_the_plan_stands_in_full(document):
    codes = [block.text for block in document.blocks if isinstance(block, Code)]
    assert AuditPlan.from_toml(codes[-1]).report.title == "Admissions"
    assert any("python -m fairaudit run PATH/plan.toml" in text for text in codes)


def test_several_checks_begin_with_a_summary_of_all():
    second = CheckPlan(title="In b", protected="sex = 'F'", where="dept = 'b'")
    document = compose(run(plan(checks=(CHECK, second)), table=berkeley_like()))
    assert (
        document.blocks[0].strong
        == "Are like cases treated alike? Of two questions, the answer is “No” to one, “A gap, size unclear” to one."
    )
    summary = next(block for block in document.blocks if isinstance(block, Table))
    assert summary.key == "summary"
    assert [row[1:3] for row in summary.rows] == [
        ("Sex is F; all rows", "No, but turns around inside dept"),
        ("In b: sex is F; where dept is b", "A gap, size unclear"),
    ]
    assert [b.text for b in document.blocks if isinstance(b, Heading) and b.text[:2] in {"1.", "2."}] == [
        "1. Sex is F",
        "2. In b",
    ]
    keys = [block.key for block in document.blocks if isinstance(block, (Table, Chart))]
    assert len(keys) == len(set(keys))


def test_repeated_rows_are_counted_as_repetitions():
    frame = berkeley_like().assign(score=range(1800))
    document = compose(run(plan(), table=pd.concat([frame, frame[:29], frame[:1]])))
    texts = [block.text for block in document.blocks if isinstance(block, Paragraph)]
    assert "Rows that repeat an earlier row: 30." in texts


def test_a_purpose_of_several_lines_is_a_paragraph():
    report = ReportPlan(purpose="To see.\n\nTo tell.\n", author=" \n")
    document = compose(run(plan(report=report), table=berkeley_like()))
    rows = [row for block in document.blocks if isinstance(block, KeyValues) for row in block.rows]
    assert ("Purpose", "To see. To tell.") in rows
    assert "Author" not in dict(rows)


def test_options_leave_chapters_out():
    document = compose(run(plan(report=ReportPlan(quality=False, definitions=False)), table=berkeley_like()))
    headings = {block.text for block in document.blocks if isinstance(block, Heading)}
    assert not headings & {"What the words mean", "What to know about the data"}


def test_the_document_becomes_a_pdf(document):
    assert to_pdf(document).startswith(b"%PDF-")


def test_small_groups_are_marked_in_the_table_of_the_document():
    check = CHECK.model_copy(update={"compare": (("sex", "dept"),), "min_count": 101})
    document = compose(run(plan(checks=(check,)), table=berkeley_like()))
    [table] = [block for block in document.blocks if isinstance(block, Table) and block.key == "check_1_all_groups_1"]
    marks = {row[:2]: row[-1].endswith(", few rows") for row in table.rows}
    assert marks == {("F", "a"): True, ("F", "b"): False, ("M", "a"): False, ("M", "b"): True}


@pytest.mark.parametrize("minimum", [20, 150, 10_000])
def test_a_masked_audit_becomes_a_document_without_hidden_numbers(minimum):
    questions = {"score": ScorePlan(column="score", cut=0.5), "errors": (ErrorsPlan(by=("sex",)),)}
    result = run(plan(small_cells=SmallCellsPlan(mask=True, minimum=minimum), **questions), table=berkeley_like())
    document = compose(result)
    assert any(isinstance(block, Note) and f"Counts under {minimum}" in block.text for block in document.blocks)
    sentences = " ".join(block.text for block in document.blocks if isinstance(block, (Paragraph, Note)))
    assert "Not shown rows" not in sentences and "not shown rows" not in sentences
    tables = {block.key: block for block in document.blocks if isinstance(block, Table)}
    small = {count for count in (10, 90, 100, 160, 640) if count < minimum}
    shown = [cell for row in tables["check_1_all_groups_2"].rows for cell in row if isinstance(cell, int)]
    assert not small & set(shown)
    assert to_pdf(document).startswith(b"%PDF-")
