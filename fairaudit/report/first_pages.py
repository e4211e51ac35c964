"""The pages of a report that a committee reads: the finding on the first, how it was found after it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from fairaudit.audit.result import AmountFinding, AuditResult, CheckFinding
from fairaudit.findings import Argument, Count, Message, Phrase, Word
from fairaudit.measure.verdicts import verdict_of
from fairaudit.messages import say
from fairaudit.present.blocks import (
    Block,
    Chart,
    ColumnSpec,
    Heading,
    Items,
    KeyValues,
    Note,
    Pair,
    Paragraph,
    Part,
    Strip,
    Table,
)
from fairaudit.present.numbers import confidence_text
from fairaudit.report.chapters.checks import say_compared
from fairaudit.report.openings import REMEDIES, UNSAID, Opening, say_decided
from fairaudit.report.remedy_lines import remedies_pages, remedies_part
from fairaudit.sections.check import limit_of, sizes
from fairaudit.sections.check.charts import check_chart, check_chart_text, check_chart_title, sizes_chart
from fairaudit.sections.check.reading import quantity_of
from fairaudit.sections.explain import read_explanation

MOST_STRIPS = 4
"""More questions than these are answered in the annexes alone."""

NOT_SAID = {
    "why": "report-not-said-why",
    "right": "report-not-said-right",
    "treated": "report-not-said-treated",
    "law": "report-not-said-law",
}
"""What no answer says: of decisions, and of what truly happened."""

MOST_BESIDE = 3
"""With more findings than these there is no room for the whole picture of a check on the first page."""

SHORT = 2
"""So many sentences are said below the title where there is more than one question."""


def shown_of(found: Sequence[Opening]) -> Sequence[Opening]:
    """Return the findings of which something is shown, or the first, where nothing is."""
    return [each for each in found if each.is_shown] or found[:1]


def headline_of(found: Sequence[Opening]) -> str:
    """Return the finding of an audit in a sentence: that of what it is about."""
    return found[0].headline if found else say(Message("report-nothing"))


def first_pages(result: AuditResult, found: Sequence[Opening]) -> list[Block]:
    """Return all blocks of the report."""
    if not found:
        return [Paragraph(say(Message("report-nothing-lead")), lead=True)]
    return [*_finding(result, found), *_how_found(result, found)]


def answers_table(result: AuditResult, found: Sequence[Opening]) -> list[Table]:
    """Return all answers with their exact ranges: the first table of both files."""
    rows = tuple(row for each in found for row in each.rows)
    if not rows:
        return []
    plan = result.plan
    levels = {part.confidence for part in plan.checks} | {part.confidence for part in plan.errors}
    levels |= {part.confidence for part in plan.inspections}
    level = Phrase(" or ".join(map(confidence_text, sorted(levels))))
    columns = (
        ColumnSpec("question", say(Message("report-column-question")), "text", "What was asked."),
        ColumnSpec("gap", say(Message("report-column-gap")), "number", "Protected group minus the others."),
        ColumnSpec("interval", say(Message("report-column-range", {"level": level})), "number", "Its range."),
        ColumnSpec("verdict", say(Message("report-column-verdict")), "text", "What came out."),
    )
    return [Table("answers", say(Message("report-table")), columns, rows, say(Message("report-table-note")))]


def _finding(result: AuditResult, found: Sequence[Opening]) -> list[Block]:
    """Return the first page: what came out, what could be done, what that does not say, what to do next."""
    first, *_ = found
    found = shown_of(found)
    remedies = None if first.kind == REMEDIES else remedies_part(result)
    lead = first.lead
    if len(found) > 1 and first.row is not None and not _is_drawn(first, found):
        # Both shares stand in its strip.
        lead = lead[1:SHORT]
    elif len(found) > SHORT and first.row is None:
        lead = lead[:1]
    elif len(found) > 1 or remedies is not None:
        lead = lead[:SHORT]
    if first.caution not in lead:
        lead = (*lead, first.caution)
    blocks: list[Block] = [Paragraph(" ".join(part for part in lead if part), lead=True)] if any(lead) else []
    for each in found[:MOST_STRIPS]:
        is_drawn = _is_drawn(each, found)
        blocks.append(_strip(each, with_row=not is_drawn, is_first=each is first))
        blocks += [each.chart] if is_drawn and each.chart is not None else []
    if more := len(found) - len(found[:MOST_STRIPS]):
        blocks.append(Paragraph(say(Message("report-more", {"n": Count(more)}))))
    right = "treated" if result.plan.decision_is_outcome else "right"
    unsaid = tuple(say(Message(key)) for key in (NOT_SAID["why"], NOT_SAID[right], NOT_SAID["law"]))
    not_said = Part(say(Message("report-not-said")), (Items(unsaid),))
    step = first.next_step or say(Message("report-next-other"))
    next_step = Part(say(Message("report-next")), (Paragraph(step),))
    if remedies is None:
        return [*blocks, Pair(not_said, next_step)]
    return [*blocks, Pair(remedies, not_said), replace(next_step, frame=True)]


def _is_drawn(each: Opening, found: Sequence[Opening]) -> bool:
    """Say whether the whole picture of an answer stands on the first page: that of the first, where there is room."""
    if each is not found[0] or each.chart is None:
        return False
    # Questions of one kind stand on one scale; beside a few others, the one check has its whole picture.
    return each.row is None or (len(found) <= MOST_BESIDE and sum(other.row is not None for other in found) == 1)


def _strip(each: Opening, *, with_row: bool, is_first: bool) -> Strip:
    said = f"{each.counts} {each.likely}".strip()
    if each.row is None and not is_first and each.kind != "presets":
        # Who that is stands in no picture beside it.
        said = f"{each.short} {said}".strip()
    if not is_first:
        said = f"{said} {each.caution}".strip()
    return Strip(each.title, f"{each.verdict}.", said, each.row if with_row else None)


def _how_found(result: AuditResult, found: Sequence[Opening]) -> list[Block]:
    """Return the pages after it: who was compared, similar cases, and how sure that is."""
    blocks: list[Block] = [Heading(1, say(Message("report-how")), starts_page=True)]
    purpose = " ".join((result.plan.report.purpose or "").split())
    if purpose:
        blocks += [Heading(2, say(Message("report-why"))), Paragraph(purpose)]
    if result.answers:
        shown = None if found[0].chart is None or not _is_drawn(found[0], found) else found[0].chart.key
        blocks += _compared(result.answers[0], shown, say_decided(result))
    elif decided := say_decided(result):
        blocks.append(Paragraph(say(decided)))
    blocks += _reasons(result)
    blocks += _other_charts(shown_of(found)[:MOST_STRIPS])
    sure = _sure(result, found)
    blocks += [*sure, *([] if found[0].kind == REMEDIES else remedies_pages(result))]
    if result.plan.small_cells.mask:
        hidden = [Message("report-hidden", {"minimum": Count(result.plan.small_cells.minimum)})]
        if names := dict.fromkeys(each.title for each in found if not each.is_shown):
            hidden.append(Message("report-unseen", {"names": Phrase("; ".join(names))}))
        blocks.append(Note(say(hidden)))
    # Below the table of answers, where there is one.
    return blocks if sure else [*blocks, Note(say(Message("report-annexes")))]


def _compared(finding: CheckFinding | AmountFinding, shown: str | None, decided: Sequence[Message]) -> list[Block]:
    """Return what was decided, who was compared, and what comes out among similar cases; its picture unless `shown`."""
    names, counts = finding.names, (finding.result.protected.n, finding.result.reference.n)
    args: dict[str, Argument] = {"protected": names.protected, "others": names.others}
    blocks: list[Block] = [Heading(2, say(Message("report-compared")))]
    blocks.append(Paragraph(say([*decided, *say_compared(finding, left_out=False)])))
    if None not in counts and all(counts):
        own, other = sizes(finding)
        alt = say(Message("report-compared-both", {"own": own, "other": other}))
        blocks.append(Chart("sizes", say(Message("report-compared")), alt, sizes_chart(finding)))
    blocks.append(Heading(2, say(Message("report-similar"))))
    if names.similar is None:
        return [*blocks, Paragraph(say(Message("report-similar-not-asked")))]
    blocks.append(Paragraph(say(Message("report-similar-asked", args | {"similar": names.similar}))))
    if verdict_of(finding.result) not in UNSAID and shown != "check_1_chart":
        title, text = check_chart_title(finding), check_chart_text(finding)
        blocks.append(Chart("check_1_chart", title, text, check_chart(finding)))
    return blocks


def _other_charts(found: Sequence[Opening]) -> list[Chart]:
    """Return the pictures of further kinds of questions, one each; the annexes hold all."""
    first, *others = found
    by_kind = {each.kind: each for each in reversed(others) if each.row is None and each.chart is not None}
    if _is_drawn(first, found):
        by_kind.pop(first.kind, None)
    return [each.chart for each in others if by_kind.get(each.kind) is each and each.chart is not None]


def _reasons(result: AuditResult) -> list[Block]:
    """Return why the columns that explain a gap may rightly count, as the person says."""
    shown = [finding for finding in result.explanations if read_explanation(finding).verdict != "not_shown"]
    rows = tuple((each.column, " ".join(each.reason.split())) for finding in shown for each in finding.plan.controls)
    return [Heading(2, say(Message("report-reasons"))), KeyValues(None, rows)] if rows else []


def _sure(result: AuditResult, found: Sequence[Opening]) -> list[Block]:
    """Return what a range and a verdict mean, and all answers with theirs."""
    tables = answers_table(result, found)
    if not tables or not result.answers:
        return []
    first = result.answers[0]
    quantity = quantity_of(first)
    rule = {"quantity": Word(quantity.kind), "limit": found[0].limit or limit_of(first, quantity)}
    return [
        Heading(2, say(Message("report-sure"))),
        Paragraph(say(Message("report-sure-rule", rule))),
        *(replace(table, note=say([Message("report-table-note"), Message("report-annexes")])) for table in tables),
    ]
