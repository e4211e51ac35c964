"""The few pages that a committee reads: laws over what stands on them, and in which order."""

from __future__ import annotations

import io
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from findings_by_hand import ADULT, finding
from pypdf import PdfReader
from test_composing import CHECK, CHECKS, SEARCHES, berkeley_like, plan, stops

from fairaudit.audit.running import run
from fairaudit.disclosure.gate import exported
from fairaudit.findings import Count, Message, Phrase, Points, Word
from fairaudit.messages import say
from fairaudit.plan.audit_plan import AuditPlan, ReportPlan, SmallCellsPlan
from fairaudit.plan.outcomes import OutcomePlan, ScorePlan
from fairaudit.plan.questions import ChangePlan, CheckPlan, ControlPlan, ErrorsPlan, ExplanationPlan, SubgroupsPlan
from fairaudit.present.blocks import (
    Chart,
    Heading,
    Items,
    KeyValues,
    Note,
    Pair,
    Paragraph,
    Strip,
    TableBlock,
    cell_text,
)
from fairaudit.report.composing import compose_annexes, compose_report
from fairaudit.report.first_pages import MOST_STRIPS, audited, openings, say_asked, say_decided
from fairaudit.report.pdf import to_pdf
from fairaudit.sections.change import say_change
from fairaudit.sections.check import next_step, say_check, say_similar
from fairaudit.sections.check.charts import check_chart_text
from fairaudit.sections.errors import read_errors
from fairaudit.sections.errors.saying import say_range
from fairaudit.sections.explain import read_explanation
from fairaudit.sections.explain.section import NEXT_EXPLAINED
from fairaudit.sections.searches import read_searches
from fairaudit.sections.searches.saying import limit_of

SAMPLES = Path(__file__).parents[2] / "sample_data"


@pytest.fixture(scope="module")
def answered():
    return run(plan(report=ReportPlan(title="Admissions", date="3 May 2026")), table=berkeley_like())


def strips(document) -> list[Strip]:
    return [block for block in document.blocks if isinstance(block, Strip)]


def test_the_title_is_the_finding_and_what_was_asked_stands_above_it(answered):
    document, said = compose_report(answered), say_check(answered.checks[0])
    assert document.title == say(said.headline)
    assert document.subtitle == "Admissions" and document.byline[-1] == "3 May 2026"
    assert document.byline[:-1] == (audited(answered),)
    lead, strip, chart, pair, heading = document.blocks[:5]
    assert lead == Paragraph(say(said.lead), lead=True)
    assert strip.strong == f"{say(said.verdict)}." and isinstance(chart, Chart)
    assert isinstance(pair, Pair) and isinstance(pair.left.blocks[0], Items)
    assert isinstance(heading, Heading) and heading.starts_page


def test_a_report_says_what_was_audited_and_asked_where_nobody_wrote_it_and_what_was_decided_on_page_2():
    table = berkeley_like()
    questions = {"score": ScorePlan(column="score", cut=0.5), "errors": (ErrorsPlan(by=("sex",)),)}
    result = run(plan(**questions), table=table)
    decision, cut = say_decided(result)
    name, n = Phrase(result.data.name), Count(len(table))
    assert audited(result) == say(Message("report-data", {"name": name, "n": n}))
    of_column = {"kind": Word("shares"), "column": Phrase("admitted"), "good": Phrase("yes")}
    assert say(decision) == say(Message("report-decision", {"what": Word("outcome"), **of_column}))
    below = {"column": Phrase("score"), "cut": Phrase("0.5"), "side": Word("below")}
    assert say(cut) == say(Message("report-cut", below))
    blocks = compose_report(result).blocks
    second = next(i for i, block in enumerate(blocks) if isinstance(block, Heading) and block.starts_page)
    texts = [block.text for block in blocks[second:] if isinstance(block, Paragraph)]
    assert any(text.startswith(say([decision, cut])) for text in texts)
    assert compose_report(result).subtitle == openings(result)[0].title
    alone = run(plan(), table=table)
    assert say(say_decided(alone)) == say(Message("report-decision", {"what": Word("decision"), **of_column}))
    assert compose_report(alone).subtitle == say_asked(alone.checks[0])


def test_a_change_beside_another_question_names_its_numbers():
    table = berkeley_like()
    table["year"] = np.where(np.arange(len(table)) % 2 == 0, 2023, 2024)
    change = ChangePlan(protected="sex = 'F'", column="year", cuts=(2024,))
    whole = plan(report=ReportPlan(opens_with="checks"), changes=(change,))
    result = run(whole, table=table)
    _, strip = strips(compose_report(result))
    assert strip.text == say(say_change(result.changes[0]).lead[0])


def test_one_question_takes_two_pages(answered):
    assert len(PdfReader(io.BytesIO(to_pdf(compose_report(answered)))).pages) == 2


def test_each_of_several_questions_is_a_strip_with_its_picture_and_a_row_of_the_table():
    second = CheckPlan(title="In b", protected="sex = 'F'", where="dept = 'b'")
    result = run(plan(checks=(CHECK, second)), table=berkeley_like())
    document = compose_report(result)
    assert [strip.strong for strip in strips(document)] == [
        f"{say(say_check(finding).verdict)}." for finding in result.checks
    ]
    assert all(strip.picture is not None for strip in strips(document))
    [table] = [block for block in document.blocks if isinstance(block, TableBlock)]
    assert [row[0] for row in table.rows] == [strip.title for strip in strips(document)]
    there = next(block for block in compose_annexes(result).blocks if isinstance(block, TableBlock))
    assert (there.columns, there.rows) == (table.columns, table.rows)
    assert table.note == f"{there.note} {say(Message('report-annexes'))}"


def test_a_report_that_goes_deeper_than_a_check_opens_with_what_it_is_about():
    document = compose_report(run(plan(checks=CHECKS[:1], **SEARCHES), table=stops()))
    first, other = strips(document)
    assert first.picture is None and other.picture is not None


@pytest.mark.parametrize("about", ["checks", "errors", "subgroups"])
def test_a_report_opens_with_the_part_that_its_plan_names(about):
    asked = SEARCHES | {"subgroups": (SubgroupsPlan(columns=("sex",)),)}
    whole = plan(checks=CHECKS[:1], report=ReportPlan(opens_with=about), **asked)
    result = run(whole, table=stops())
    first, *others = openings(result)
    assert first.kind == about and {each.kind for each in others} == {"checks", "errors", "subgroups"} - {about}
    assert compose_report(result).title == first.headline


def test_a_check_that_opens_a_report_has_what_makes_cases_comparable_on_page_1():
    asked = {"errors": (ErrorsPlan(by=("sex",)),), "score": ScorePlan(column="score", cut=0.5)}
    result = run(plan(report=ReportPlan(opens_with="checks"), **asked), table=berkeley_like())
    document, [check] = compose_report(result), result.checks
    blocks = document.blocks[: next(i for i, b in enumerate(document.blocks) if isinstance(b, Heading))]
    [chart] = [block for block in blocks if isinstance(block, Chart)]
    assert chart.key == "check_1_chart" and chart.alt == check_chart_text(check)
    lead, [similar, *_] = say_check(check).lead, say_similar(check)
    assert similar in lead[2:] and blocks[0].text == say((lead[0], similar))


def test_a_part_that_is_not_asked_opens_no_report():
    with pytest.raises(ValueError, match="opens_with"):
        plan(report=ReportPlan(opens_with="errors"))


def explained() -> AuditPlan:
    """Return an audit that asks what department explains."""
    reasons = (ControlPlan(column="dept", reason="Each applicant picks\na department."),)
    return plan(explanations=(ExplanationPlan(protected="sex = 'F'", controls=reasons),))


def test_what_is_hidden_opens_no_report_and_is_named_once():
    hiding = SmallCellsPlan(mask=True, minimum=10)
    result = exported(run(explained().model_copy(update={"small_cells": hiding}), table=berkeley_like()))
    assert openings(result)[0].kind == "checks" and not openings(result)[-1].is_shown
    document = compose_report(result)
    assert document.title == say(say_check(result.checks[0]).headline)
    named = say(Message("report-explained"))
    assert [named in block.text for block in document.blocks if isinstance(block, Note)].count(True) == 1
    assert named not in [block.title for block in strips(document)]


def test_the_reasons_that_a_person_gave_stand_in_the_report():
    document = compose_report(run(explained(), table=berkeley_like()))
    assert KeyValues(None, (("dept", "Each applicant picks a department."),)) in document.blocks


def test_what_to_do_after_an_explanation_follows_its_verdict():
    result = run(explained(), table=berkeley_like())
    reading = read_explanation(result.explanations[0])
    first, *_ = openings(result)
    assert first.kind == "explanations"
    assert first.next_step == say(Message(NEXT_EXPLAINED.get(reading.verdict, "report-next-other")))


def test_more_questions_than_have_room_are_counted():
    frame = pd.DataFrame({"group": np.arange(1200) % 8, "award": np.where(np.arange(1200) % 3 == 0, "yes", "no")})
    asked = tuple(CheckPlan(protected=f"group = {number}") for number in range(8))
    decision = OutcomePlan(column="award", favorable=("yes",))
    document = compose_report(run(plan(decision=decision, checks=asked), table=frame))
    assert len(strips(document)) == MOST_STRIPS
    assert any(re.match(r"4 more questions", block.text) for block in document.blocks if isinstance(block, Paragraph))
    assert len(next(block for block in document.blocks if isinstance(block, TableBlock)).rows) == 8


def test_what_an_answer_does_not_say_differs_between_decisions_and_what_truly_happened():
    def unsaid(**roles) -> str:
        document = compose_report(run(plan(checks=CHECKS[:1], **roles), table=stops()))
        return str([block for block in document.blocks if isinstance(block, Pair)])

    assert "treated right" in unsaid(**SEARCHES)
    assert "any decision was right" in unsaid(decision=SEARCHES["decision"])


def test_a_purpose_of_several_lines_is_a_paragraph():
    report = ReportPlan(purpose="To see.\n\nTo tell.\n", author=" \n")
    document = compose_report(run(plan(report=report), table=berkeley_like()))
    bare = run(plan(), table=berkeley_like())
    assert Paragraph("To see. To tell.") in document.blocks and document.byline == (audited(bare),)


@pytest.mark.parametrize("minimum", [20, 10_000])
def test_hidden_counts_stand_on_no_page(minimum):
    hiding = SmallCellsPlan(mask=True, minimum=minimum)
    document = compose_report(run(plan(small_cells=hiding), table=berkeley_like()))
    assert any(isinstance(block, Note) and f"{minimum:,}" in block.text for block in document.blocks)
    text = "".join(page.extract_text() for page in PdfReader(io.BytesIO(to_pdf(document))).pages)
    assert not {"900"} & set(re.findall(r"\d+", text)) or minimum < 900
    assert "None" not in text and "nan" not in text


def test_a_report_is_the_same_bytes_twice(answered):
    assert to_pdf(compose_report(answered)) == to_pdf(compose_report(answered))
    assert to_pdf(compose_annexes(answered)) == to_pdf(compose_annexes(answered))


def test_an_audit_that_asks_nothing_says_so():
    document = compose_report(run(plan(checks=()), table=berkeley_like()))
    assert document.title and to_pdf(document).startswith(b"%PDF-")


def test_the_next_step_differs_with_the_verdict_and_with_what_strata_say():
    found = [finding(*counts) for counts in [ADULT, (500, 1000, 500, 1000), (5, 10, 5, 10), (0, 0, 1, 2)]]
    steps = [next_step(each) for each in found]
    keys = [None if step is None else step.key for step in steps]
    assert len(set(keys)) == len(keys)
    turned = run(plan(), table=berkeley_like()).checks[0]
    assert next_step(turned).key == "check-next-similar"


def hidden_departments() -> AuditPlan:
    """Return an audit among similar cases of which a part is hidden."""
    return plan(small_cells=SmallCellsPlan(mask=True, minimum=30))


def test_the_report_itself_shows_the_one_caution_of_an_answer():
    table = berkeley_like()
    few = [table[table["sex"] == sex].head(100).iloc[80:].assign(dept=dept) for sex in "FM" for dept in "cd"]
    result = exported(run(hidden_departments(), table=pd.concat([table, *few], ignore_index=True)))
    keys = [message.key for message in say_check(result.checks[0]).caution if message.severity == "caution"]
    assert keys == ["check-strata-not-shown"]
    lead, *_ = compose_report(result).blocks
    assert isinstance(lead, Paragraph) and openings(result)[0].caution == say(Message(keys[0]))
    assert lead.text.endswith(say(Message(keys[0])))


def test_each_error_has_its_gap_and_range_in_the_strip_and_a_row_of_the_table():
    opens = ReportPlan(opens_with="errors")
    result = run(plan(checks=CHECKS[:1], report=opens, **SEARCHES), table=stops())
    first = next(each for each in openings(result) if each.kind == "errors")
    compared = [error for error in read_errors(result.errors[0]).errors if error.gap is not None]
    assert compared and len(first.rows) == len(compared)
    said = [each for error in compared if (each := say_range(result.errors[0], error)) is not None]
    assert first.likely == " ".join(map(say, said))
    for row, error in zip(first.rows, compared, strict=True):
        assert row[1] == cell_text(error.gap, "points") and error.interval.low <= error.gap <= error.interval.high


@pytest.mark.thorough
def test_the_finding_that_a_report_on_searches_opens_with_has_its_row_and_the_rule_its_limit():
    result = run(SAMPLES / "stop_and_frisk_searches.toml")
    first, *_ = openings(result)
    row = read_searches(result.inspections[0]).leading
    assert [cells[1:3] for cells in first.rows] == [
        (cell_text(row.difference, "points"), cell_text((row.low, row.high), "points_interval"))
    ]
    assert first.limit == limit_of(result.inspections[0]) == Points(0.02)
    rule = say(Message("report-sure-rule", {"quantity": Word("share"), "limit": Points(0.02)}))
    assert Paragraph(rule) in compose_report(result).blocks


def test_two_questions_about_change_have_two_titles():
    table = berkeley_like()
    table["year"] = 2021 + np.arange(len(table)) % 4
    changes = tuple(ChangePlan(protected="sex = 'F'", column="year", cuts=cuts) for cuts in ((2023,), (2022, 2023)))
    titles = [each.title for each in openings(run(plan(changes=changes), table=table)) if each.kind == "changes"]
    assert len(set(titles)) == 2


def test_what_a_result_does_not_say_is_no_caution(answered):
    [note] = say_check(answered.checks[0]).caution
    assert note.severity == "note" and not openings(answered)[0].caution


def test_the_hedge_of_an_answer_is_its_caution_and_stands_once():
    result = run(explained(), table=berkeley_like())
    first = openings(result)[0]
    lead, *_ = compose_report(result).blocks
    assert lead.text.count(first.caution) == (1 if first.caution else len(lead.text) + 1)
