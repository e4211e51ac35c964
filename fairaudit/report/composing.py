"""From the findings of an audit to a document: the verdict first, then all that is needed to check it."""

from __future__ import annotations

from dataclasses import replace

from fairaudit.audit.result import AmountFinding, AuditResult, CheckFinding
from fairaudit.disclosure.gate import exported
from fairaudit.follow_ups.registry import FOLLOW_UPS
from fairaudit.plan.salt import PREFIX
from fairaudit.present import brief, words
from fairaudit.present.blocks import Block, Chart, Document, Heading, KeyValues, Paragraph, Table
from fairaudit.present.numbers import number_word
from fairaudit.present.printed_tables import pick
from fairaudit.presets.chapter import preset_blocks
from fairaudit.presets.words import preset_verdict
from fairaudit.report.chapters.data import data_blocks, definition_blocks, repeat_blocks
from fairaudit.report.chapters.errors import errors_blocks

QUESTION = "Are like cases treated alike?"


def compose(result: AuditResult) -> Document:
    """Return the report of an audit as a document.

    The small-cell rule of the plan is applied first, so nothing in the document says more than the plan allows.

    Notes
    -----
    With several checks a summary of all comes first and each check is a chapter of its own.
    """
    result = exported(result)
    plan = result.plan.report
    blocks: list[Block] = []
    kind, findings = result.plan.decision.kind, result.answers
    if len(findings) == 1:
        [finding] = findings
        blocks.append(Paragraph(QUESTION))
        blocks += kind.opening(finding, 1)
        blocks += _front(result)
        blocks += _purpose(result)
        blocks += kind.answer_blocks(finding, 1, level=1)
    else:
        blocks += _summary(result)
        blocks += _front(result)
        blocks += _purpose(result)
        for number, finding in enumerate(findings, start=1):
            blocks.append(Heading(1, f"{number}. {finding.plan.title or brief.capital(words.group_name(finding))}"))
            blocks += kind.opening(finding, number)
            blocks += kind.answer_blocks(finding, number, level=2)
    for number, errors in enumerate(result.errors, start=1):
        blocks += errors_blocks(errors, number)
    for follow_up in FOLLOW_UPS:
        for number, found in enumerate(getattr(result, follow_up.name), start=1):
            blocks += follow_up.blocks(found, number)
    for number, preset in enumerate(result.presets, start=1):
        blocks += preset_blocks(preset, number)
    if result.tried is not None:
        blocks += kind.remedies_blocks(result.tried, findings)
    blocks += data_blocks(result)
    if plan.definitions:
        blocks += definition_blocks(result)
    blocks += repeat_blocks(result)
    return Document(
        title=plan.title or result.plan.data.name or result.data.name,
        subtitle="Audit of decisions",
        language="en",
        blocks=tuple(blocks),
        author=", ".join(part for part in (plan.author, plan.organisation) if part) or None,
        footer=_footer(result),
    )


def _footer(result: AuditResult) -> str:
    fingerprint = result.data.fingerprint
    data = "" if fingerprint is None else f", data {fingerprint.removeprefix(PREFIX)[:8]}"
    return f"fairaudit report, plan {result.plan_digest[:8]}{data}"


def _summary(result: AuditResult) -> list[Block]:
    kind, findings = result.plan.decision.kind, result.answers
    if not findings and result.presets:
        verdicts = [preset_verdict(preset) for preset in result.presets]
        return [
            Paragraph(f"{' '.join(verdict)}", lead=place == 0, strong=f"{preset.title}.")
            for place, (preset, verdict) in enumerate(zip(result.presets, verdicts, strict=True))
        ]
    if not findings:
        tried = ["remedies"] if result.tried is not None else []
        parts = (
            ["errors by group"] * bool(result.errors)
            + [follow_up.covers for follow_up in FOLLOW_UPS if getattr(result, follow_up.name)]
            + tried
            + ["the data"]
        )
        text = f"This audit makes no check of like cases. It covers {words.listed(parts)}."
        return [Paragraph(text, lead=True)]
    answers = [words.verdict_word(finding.result) for finding in findings]
    counted = ", ".join(f"“{answer}” to {number_word(answers.count(answer))}" for answer in dict.fromkeys(answers))
    lead = Paragraph(
        f"Question 1: {kind.verdict(findings[0])}",
        lead=True,
        strong=f"{QUESTION} Of {number_word(len(answers))} questions, the answer is {counted}.",
    )
    names = ("check", "title", "answer", "gap", "gap_interval", "difference", "difference_interval")
    charts = [replace(block, key="summary_chart") for block in kind.opening(findings[0], 1) if isinstance(block, Chart)]
    return [lead, *charts, _with_questions(pick(kind.summary_table(result), names), result)]


def _front(result: AuditResult) -> list[Block]:
    return [] if result.tried is None else result.plan.decision.kind.front_blocks(result.tried)


def _with_questions(table: Table, result: AuditResult) -> Table:
    """Return the summary with each question in full, and with its answer where that turns around inside strata."""
    position = {column.name: i for i, column in enumerate(table.columns)}
    kind = result.plan.decision.kind
    rows = []
    for row, finding in zip(table.rows, result.answers, strict=True):
        cells = list(row)
        cells[position["title"]] = _question(finding)
        if kind.reversal(finding):
            cells[position["answer"]] += f", but turns around inside {' and '.join(finding.strata.columns)}"
        rows.append(tuple(cells))
    return replace(table, rows=tuple(rows))


def _question(finding: CheckFinding | AmountFinding) -> str:
    title = f"{finding.plan.title}: " if finding.plan.title else ""
    among = "all rows" if finding.where_words is None else f"where {finding.where_words}"
    return brief.capital(f"{title}{words.group_name(finding)}; {among}")


def _purpose(result: AuditResult) -> list[Block]:
    plan = result.plan.report
    rows = (("Purpose", plan.purpose), ("Author", plan.author), ("Organisation", plan.organisation))
    # A person wrote these, perhaps in several lines; a line end is no character to be shown.
    kept = tuple((label, " ".join(value.split())) for label, value in rows if value and value.strip())
    return [KeyValues(None, kept)] if kept else []
