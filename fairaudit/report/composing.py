"""From the findings of an audit to a document: what a committee reads first, then the findings, then annexes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from string import ascii_uppercase

from fairaudit.audit.result import AmountFinding, AuditResult, CheckFinding
from fairaudit.disclosure.gate import exported
from fairaudit.follow_ups.registry import FOLLOW_UPS
from fairaudit.plan.salt import PREFIX
from fairaudit.present import brief, words
from fairaudit.present.blocks import Block, Chart, Document, Heading, Items, KeyValues, Note, Paragraph, Table
from fairaudit.present.chips import Chip
from fairaudit.present.error_words import (
    errors_chip,
    errors_chips,
    errors_headline,
    errors_sentence,
    outcome_alone_sentence,
    row_noun,
)
from fairaudit.present.numbers import number_word
from fairaudit.present.printed_tables import pick
from fairaudit.presets.chapter import preset_annex, preset_blocks
from fairaudit.presets.words import preset_verdict
from fairaudit.report.amount_explanations import NOT_SAID_INDEPENDENT as AMOUNTS_INDEPENDENT
from fairaudit.report.chapters.data import data_blocks, definitions, repeat_blocks
from fairaudit.report.chapters.errors import errors_annex, errors_blocks, errors_title
from fairaudit.report.explanations import INTERVAL_NOTES, NOT_SAID_EXACT, NOT_SAID_INDEPENDENT
from fairaudit.report.glossary import used_words
from fairaudit.sections.check import answer_words

QUESTION = "Are like cases treated alike?"
ANNEX = "Annex "
"""What the headings of annexes begin with."""
WORDS = "What the words mean"
OF_ANY_QUESTION = (NOT_SAID_EXACT, NOT_SAID_INDEPENDENT, AMOUNTS_INDEPENDENT)
"""Notes on intervals that are about no question in particular."""

SUMMARY = (
    "check", "title", "protected_share", "reference_share", "protected_mean", "reference_mean", "gap", "gap_interval",
    "difference", "difference_interval", "answer",
)  # fmt: skip
"""The columns of the table of all questions that are printed, for shares and for amounts."""

BOTH_AND_BETWEEN = ("protected_share", "reference_share", "protected_mean", "reference_mean", "gap", "difference")
"""Those of them that are to subtract."""


def compose(result: AuditResult) -> Document:
    """Return the report of an audit as a document.

    The small-cell rule of the plan is applied first, so nothing in the document says more than the plan allows.

    Notes
    -----
    First comes what a committee reads: the question, the answer, what was compared and what that does not say. The
    findings follow, then annexes, which begin on a page of their own. With several questions all answers come first,
    and each question is a chapter of the findings.
    """
    result = exported(result)
    plan = result.plan.report
    byline = tuple(_line(text) for text in (plan.organisation, plan.author, plan.date) if text and text.strip())
    return Document(
        title=plan.title or result.plan.data.name or result.data.name,
        subtitle="Audit of decisions",
        language="en",
        blocks=_blocks(result),
        author=", ".join(part for part in (plan.author, plan.organisation) if part) or None,
        byline=byline,
        footer=_footer(result),
    )


def _blocks(result: AuditResult) -> tuple[Block, ...]:
    """Return what a committee reads first, the findings and the annexes."""
    read = [*_front(result), *_findings(result)]
    return (*read, *_annexes(result, read))


def _front(result: AuditResult) -> list[Block]:
    """Return what a committee reads first."""
    kind, answers, noun = result.plan.decision.kind, result.answers, row_noun(result.plan)
    purpose = result.plan.report.purpose
    blocks: list[Block] = []
    if purpose and purpose.strip():
        blocks.append(Paragraph(_line(purpose), strong="Why this audit was made."))
    tried = [] if result.tried is None else kind.front_blocks(result.tried)
    if not answers:
        return [*blocks, *_without_questions(result), *tried]
    blocks.append(Heading(1, QUESTION))
    if len(answers) > 1:
        return [
            *blocks,
            *_with_prediction(result, _summary(result)),
            *_front_errors(result),
            *tried,
            Heading(1, "What this does not say"),
            Items(kind.not_said(result.plan)),
        ]
    [answer] = answers
    blocks.append(Paragraph(kind.question(answer), strong=_as_sentence(answer.plan.title or "")))
    blocks += [*_with_prediction(result, kind.opening(answer, 1, _also(result, answer))), *_front_errors(result)]
    blocks += kind.compared_blocks(answer, 1, level=1, noun=noun)
    blocks += [*tried, Heading(1, "How sure, and what this does not say"), Paragraph(kind.sure(answer))]
    return [*blocks, Items(kind.not_said(result.plan)), *kind.doubt_blocks(answer)]


def _with_prediction(result: AuditResult, opening: list[Block]) -> list[Block]:
    """Return an answer with, below its first words, what a prediction has to do with it and the answer about errors."""
    judged = [finding for finding in result.errors if finding.errors is not None]
    chips = dict.fromkeys(errors_chip(finding).text.lower() for finding in judged)
    stands = f"stands under Errors{f' ({words.listed([*chips])})' if chips else ''}"
    said = outcome_alone_sentence(result.plan, where=stands if result.errors else "is not looked at in this report")
    return [opening[0], *([Paragraph(said)] if said else []), *opening[1:]]


def _also(result: AuditResult, answer: CheckFinding | AmountFinding) -> tuple[Chip, ...]:
    """Return what stands beside the chips of an answer, as on the pages."""
    return errors_chips(answer, result.errors)


def _front_errors(result: AuditResult) -> list[Block]:
    """Return who bears the errors of a prediction, for whoever reads the answer of the decisions alone."""
    blocks: list[Block] = []
    for finding in result.errors:
        if finding.errors is not None and (errors_headline(finding, result.plan) or finding.errors.repeats_decision):
            # What names the extremes of all groups is not for a report in which some groups are hidden.
            is_whole = not finding.errors.counts["tp"].isna().any()
            said = (is_whole and errors_headline(finding, result.plan)) or errors_sentence(finding, result.plan)
            text = f"{said} See the chapter “{errors_title(finding)}”."
            by = words.listed(list(finding.plan.by))
            blocks.append(Paragraph(text, strong=f"Errors of the prediction by {by}: {errors_chip(finding).text}."))
    return blocks


def _findings(result: AuditResult) -> list[Block]:
    """Return what was found, chapter by chapter."""
    kind, answers, noun = result.plan.decision.kind, result.answers, row_noun(result.plan)
    blocks: list[Block] = []
    for number, answer in enumerate(answers, start=1):
        if len(answers) > 1:
            blocks.append(Heading(1, f"{number}. {answer.plan.title or brief.capital(words.group_name(answer))}"))
            opening = _with_prediction(
                result, _without_first_chart(kind.opening(answer, number, _also(result, answer)), number)
            )
            blocks += [Paragraph(kind.question(answer)), *opening]
            blocks.append(Paragraph(words.population_sentence(answer, noun)))
            blocks += [*kind.group_blocks(answer, number, level=2, noun=noun), *kind.doubt_blocks(answer)]
        elif groups := kind.group_blocks(answer, number, level=2, noun=noun):
            blocks += [Heading(1, "Group by group"), *groups]
    for number, errors in enumerate(result.errors, start=1):
        blocks += errors_blocks(errors, number, result.plan)
    for follow_up in FOLLOW_UPS:
        for number, found in enumerate(getattr(result, follow_up.name), start=1):
            blocks += follow_up.blocks(found, number)
    for preset in result.presets:
        blocks += [*preset_blocks(preset), Note(preset.preset.notice)]
    if result.tried is not None:
        blocks += kind.remedies_blocks(result.tried, answers)
    return blocks


def _annexes(result: AuditResult, read: Sequence[Block]) -> list[Block]:
    """Return the annexes, each under a letter; the first begins on a new page. `read` is what stands before them."""
    blocks: list[Block] = []
    for letter, (title, content) in zip(ascii_uppercase, _annex_chapters(result), strict=False):
        if title == WORDS:
            content = [KeyValues(None, used_words(definitions(result), [*read, *blocks]))]
        heading = Heading(1, f"{ANNEX}{letter}. {title}", starts_page=letter == "A")
        blocks += [heading, *content]
    return blocks


def _annex_chapters(result: AuditResult) -> Iterator[tuple[str, list[Block]]]:
    kind, answers = result.plan.decision.kind, result.answers
    several = len(answers) > 1
    parts = [kind.number_blocks(answer, number, level=2 + several) for number, answer in enumerate(answers, start=1)]
    shared = _notes_of_all(parts) if several else ()
    numbers: list[Block] = [Items(shared, title=INTERVAL_NOTES)] if shared else []
    for number, (answer, part) in enumerate(zip(answers, parts, strict=True), start=1):
        if several:
            numbers.append(Heading(2, f"{number}. {answer.plan.title or brief.capital(words.group_name(answer))}"))
        numbers += _without_notes(part, shared)
    if numbers:
        yield "The numbers behind the answer" if len(answers) == 1 else "The numbers behind the answers", numbers
    for number, errors in enumerate(result.errors, start=1):
        if blocks := errors_annex(errors, number):
            yield f"More on errors by {', '.join(errors.plan.by)}", blocks
    for follow_up in FOLLOW_UPS:
        for number, found in enumerate(getattr(result, follow_up.name), start=1):
            if follow_up.annex is not None and (blocks := follow_up.annex(found, number)):
                yield follow_up.annex_title, blocks
    for number, preset in enumerate(result.presets, start=1):
        yield f"The form: {preset.title}", preset_annex(preset, number)
    if result.tried is not None:
        yield "How the remedies were made", kind.remedies_annex(result.tried)
    yield "The data", data_blocks(result)
    if result.plan.report.definitions:
        yield WORDS, []
    yield "Repeat this audit", repeat_blocks(result)


def _notes_of_all(parts: Sequence[list[Block]]) -> tuple[str, ...]:
    """Return the notes in the annexes of all questions that are about no one of them, to be read once."""
    lists = [set(block.items) for part in parts for block in part if isinstance(block, Items)]
    return tuple(text for text in OF_ANY_QUESTION if lists and all(text in items for items in lists))


def _without_notes(part: Sequence[Block], shared: Sequence[str]) -> list[Block]:
    """Return the annex of a question without the notes that all have, and without a list that is then empty."""
    kept: list[Block] = []
    for block in part:
        if isinstance(block, Items):
            own = tuple(text for text in block.items if text not in shared)
            kept += [replace(block, items=own)] if own else []
        else:
            kept.append(block)
    return kept


def _footer(result: AuditResult) -> str:
    fingerprint = result.data.fingerprint
    data = "" if fingerprint is None else f", data {fingerprint.removeprefix(PREFIX)[:8]}"
    return f"fairaudit report, audit {result.plan_digest[:8]}{data}"


def _line(text: str) -> str:
    # A person wrote it, perhaps in several lines; a line end is no character to be shown.
    return " ".join(text.split())


def _as_sentence(title: str) -> str:
    return f"{title}." if title and not title.endswith(("?", ".", "!", ":")) else title


def _without_questions(result: AuditResult) -> list[Block]:
    """Return what stands first in a report that asks for no comparison of like cases."""
    if result.presets:
        verdicts = [preset_verdict(preset) for preset in result.presets]
        return [
            Paragraph(f"{' '.join(verdict)}", lead=place == 0, strong=f"{preset.title}.")
            for place, (preset, verdict) in enumerate(zip(result.presets, verdicts, strict=True))
        ]
    tried = ["remedies"] if result.tried is not None else []
    parts = (
        ["errors by group"] * bool(result.errors)
        + [follow_up.covers for follow_up in FOLLOW_UPS if getattr(result, follow_up.name)]
        + tried
        + ["the data"]
    )
    text = f"This audit makes no check of like cases. It covers {words.listed(parts)}."
    return [Paragraph(text, lead=True)]


def _summary(result: AuditResult) -> list[Block]:
    """Return how often each answer was given, all questions in a table, and the chart of the first one."""
    kind, answers = result.plan.decision.kind, result.answers
    chips = [answer_words(answer, _also(result, answer)) for answer in answers]
    counted = ", ".join(f"“{chip}” to {number_word(chips.count(chip))}" for chip in dict.fromkeys(chips))
    said = f"Of {number_word(len(answers))} questions, the answer is {counted}."
    if len(set(chips)) == 1:
        both = "both" if len(answers) == 2 else f"all {number_word(len(answers))}"
        said = f"The answer to {both} questions is “{chips[0]}”."
    lead = Paragraph("", lead=True, strong=said)
    charts = [block for block in kind.opening(answers[0], 1) if isinstance(block, Chart)]
    charts = [replace(chart, title=f"Question 1. {chart.title}") for chart in charts]
    return [lead, _with_questions(pick(kind.summary_table(result), SUMMARY), result), *charts]


def _without_first_chart(blocks: list[Block], number: int) -> list[Block]:
    """Return the opening of a question without the chart that stands on the first page."""
    return [block for block in blocks if number > 1 or not isinstance(block, Chart)]


def _with_questions(table: Table, result: AuditResult) -> Table:
    """Return the summary with each question in full, figures that subtract, and what turns around inside strata."""
    position = {column.name: i for i, column in enumerate(table.columns)}
    kind = result.plan.decision.kind
    figures = [column.name for column in table.columns if column.name in BOTH_AND_BETWEEN]
    rows = []
    for row, finding in zip(table.rows, result.answers, strict=True):
        cells = list(row)
        cells[position["title"]] = _question(finding)
        for name, text in zip(figures, kind.summary_figures(finding), strict=True):
            cells[position[name]] = text
        cells[position["answer"]] = answer_words(finding, _also(result, finding))
        rows.append(tuple(cells))
    return replace(table, rows=tuple(rows), title="All questions")


def _question(finding: CheckFinding | AmountFinding) -> str:
    title = f"{finding.plan.title}: " if finding.plan.title else ""
    among = "all rows" if finding.where_words is None else f"where {finding.where_words}"
    return brief.capital(f"{title}{words.group_name(finding)}; {among}")
