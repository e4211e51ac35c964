"""The chapters of remedies tried: what they changed, side by side and each by itself, and how they were made."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from fairaudit.audit.result import AmountFinding, CheckFinding
from fairaudit.findings import Argument, Message, Phrase
from fairaudit.messages import say, say_answer
from fairaudit.present import brief
from fairaudit.present.blocks import Block, Chart, Heading, Items, Note, Paragraph, Table
from fairaudit.present.numbers import (
    finite,
)
from fairaudit.present.printed_tables import pick
from fairaudit.present.words import group_name, is_hidden
from fairaudit.remedies.registry import kind_of
from fairaudit.remedies.shared.caveats import remedy_caveats, study_caveats
from fairaudit.remedies.shared.chart_texts import (
    before_after_alt,
    decided_line,
    frontier_alt,
    groups_note,
)
from fairaudit.remedies.shared.charts import before_after_chart, frontier_chart
from fairaudit.remedies.shared.compared_models import by_kind, learned
from fairaudit.remedies.shared.held_out_words import summary_note
from fairaudit.remedies.shared.learned_rows import learned_rows_note
from fairaudit.remedies.shared.sample import sample_blocks
from fairaudit.remedies.shared.tables import (
    DECISIONS,
    features_table,
    frontier_rows,
    remedies_summary_table,
    remedy_tables,
    rows_table,
    same_note,
)
from fairaudit.remedies.shared.words import (
    befores_sentence,
    divisions_sentence,
    done_sentence,
    names_before,
    study_sentence,
)
from fairaudit.remedies.shared.worse_off_words import PRINTED as WORSE_OFF
from fairaudit.report.chapters.compare import compare_opening
from fairaudit.sections.check import say_remedy_caution
from fairaudit.sections.remedy import say_remedy
from fairaudit.sections.remedy.charts import remedy_chart, remedy_chart_text, remedy_chart_title
from fairaudit.study.amounts.findings import AmountRemedyFinding, AmountStudyFacts
from fairaudit.study.findings import RemediesFinding, RemedyFinding, StudyFacts
from fairaudit.study.judging.results import MEASURES

TITLE = "Remedies tried"
MOST_CAVEATS = 4
"""What is to be kept in mind of one remedy in its chapter; the rest stands in its annex."""
SUMMARY = ("number", "model", "accuracy", "good_share", "gap", "gap_interval", "worse_off", "needs_group")


def remedies_blocks(finding: RemediesFinding, checks: Iterable[CheckFinding]) -> list[Block]:
    """Return what the remedies of an audit changed: side by side, then each by itself."""
    checks = tuple(checks)
    blocks: list[Block] = [Heading(1, TITLE), *compare_opening(finding)]
    blocks += [Paragraph(study_sentence(finding)), *strata_notes(checks)]
    if said := learned_rows_note(finding.facts, finding.remedies):
        blocks.append(Note(said))
    if other := other_question_words(finding.facts, checks):
        blocks.append(Note(other, kind="warning"))
    blocks.append(_summary(finding))
    for number, remedy in in_order(finding.remedies):
        if kind_of(remedy.plan).is_remedy:
            blocks += _remedy(remedy, finding.facts, number)
    return blocks


def strata_notes(answers: Iterable[CheckFinding | AmountFinding]) -> list[Block]:
    """Return warnings that remedies may widen gaps inside the strata of questions, where strata say so; each once."""
    said = dict.fromkeys(say(caution) for answer in answers if (caution := say_remedy_caution(answer)) is not None)
    return [Note(text, kind="warning") for text in said]


def in_order(remedies: Sequence[RemedyFinding]) -> list[tuple[int, RemedyFinding]]:
    """Return remedies with the numbers that they have in tables; those that decide by group come last."""
    return sorted(enumerate(remedies, start=1), key=lambda each: bool(each[1].needs_group))


def remedies_annex(finding: RemediesFinding) -> list[Block]:
    """Return what models learned from and how to read their figures, all models, and how each was made."""
    fitted = learned(finding)
    befores = befores_sentence(finding)
    uses_groups = any(remedy.uses_protected_features for remedy in finding.remedies)
    several = len(finding.remedies) > 1
    caveats = study_caveats(finding.facts, several=several, learned=fitted, uses_groups=uses_groups)
    blocks: list[Block] = [*sample_blocks(finding.facts), rows_table(finding.facts, learned=fitted)]
    blocks += [features_table(finding.facts)] if fitted else []
    blocks.append(Items((befores, *caveats) if befores else caveats, title="How to read these figures"))
    rows = frontier_rows(finding)
    if len(rows) > 1:
        notes = " ".join(text for text in (summary_note(finding.facts), same_note(finding)) if text)
        every = replace(pick(remedies_summary_table(finding), SUMMARY), note=notes or None)
        blocks += [every, _frontier(rows, finding.facts)]
    for kind, findings in by_kind(finding.remedies):
        blocks += kind.joint_tables(findings) if len(findings) > 1 else ()
    for number, remedy in in_order(finding.remedies):
        blocks += _making(remedy, finding.facts, number)
    return blocks


def _summary(finding: RemediesFinding) -> Table:
    """Return the decisions, the models that remedies are compared with, and the remedies; no other simple answer."""
    kept = {DECISIONS, *names_before(finding.remedies), *(remedy.name for remedy in finding.remedies)}
    table = pick(remedies_summary_table(finding), SUMMARY)
    rows = sorted((row for row in table.rows if row[1] in kept), key=lambda row: row[-1] is True)
    notes = [summary_note(finding.facts), same_note(finding)]
    if any(remedy.needs_group for remedy in finding.remedies):
        notes.append(say(Message("annex-by-group")))
    note = " ".join(text for text in notes if text) or None
    title = "Side by side, on the test cases"
    return replace(table, key="remedies_side_by_side", title=title, rows=tuple(rows), note=note)


def other_question_words(facts: StudyFacts, checks: Iterable[CheckFinding]) -> str:
    """Return by whose gap models are judged, where that is the gap of no question; otherwise nothing."""
    asked = [(check.result.protected_condition, check.result.where) for check in checks]
    own = facts.decisions
    if not asked or (own.protected_condition, own.where) in asked:
        return ""
    asked_of: dict[str, Argument] = {"protected": Phrase(group_name(facts)), "where": Phrase(facts.where_words or "")}
    return say(Message("annex-other-question" if facts.where_words is None else "annex-other-question-where", asked_of))


def _frontier(rows: Any, facts: StudyFacts) -> Chart:
    decided = finite(facts.decisions.difference)
    titles: dict[str, Any] = {
        "x_title": brief.capital(MEASURES["accuracy"]),
        "y_title": brief.capital(MEASURES["gap"]),
        "decided": None if decided is None else abs(decided),
        "decided_words": decided_line(facts),
    }
    return Chart(
        "remedies_frontier",
        say(Message("annex-frontier")),
        frontier_alt(rows, **titles),
        frontier_chart(rows, **titles),
        "remedies_summary",
    )


def _remedy(finding: RemedyFinding, facts: StudyFacts, number: int) -> list[Block]:
    """Return what a remedy did, what it is, what came out, and what to keep in mind."""
    blocks = opening(finding, facts, number)
    tables = {table.key.removeprefix(f"remedy_{number}_"): table for table in remedy_tables(finding, number)}
    kind, given = kind_of(finding.plan), (finding, facts, number, tables)
    if kind.does:
        blocks.append(Paragraph(kind.does, strong="What it does."))
    blocks += kind.asked_blocks(*given)
    blocks += kind.result_blocks(*given)
    first = remedy_caveats(finding, facts)[:MOST_CAVEATS]
    return with_name([*blocks, Items(first, title="What to keep in mind")] if first else blocks, finding.name)


def opening(
    finding: RemedyFinding | AmountRemedyFinding, facts: StudyFacts | AmountStudyFacts, number: int
) -> list[Block]:
    """Return the name of a remedy, its verdict with the answer in one sentence, what it rests on, and its picture."""
    said = say_remedy(finding, facts)
    blocks: list[Block] = [
        Heading(2, brief.whole(finding.name, 160)),
        Paragraph(say((*said.lead, *said.caution)), strong=say_answer(said)),
    ]
    chart = remedy_chart(finding, facts)
    if chart is not None:
        title, text = remedy_chart_title(finding, facts), remedy_chart_text(finding, facts)
        table = "population" if isinstance(finding, RemedyFinding) else "groups"
        blocks.append(Chart(f"remedy_{number}_chart", title, text, chart, f"remedy_{number}_{table}"))
    return blocks


def _making(finding: RemedyFinding, facts: StudyFacts, number: int) -> list[Block]:
    """Return how a remedy was made and searched for, and where its numbers are."""
    blocks: list[Block] = [
        Heading(2, brief.whole(finding.name, 160)),
        Paragraph(done_sentence(finding), strong="What was done."),
    ]
    if over := divisions_sentence(finding):
        blocks.append(Paragraph(over, strong="On other divisions of the rows."))
    if more := remedy_caveats(finding, facts)[MOST_CAVEATS:]:
        blocks.append(Items(more, title="More to keep in mind"))
    tables = {table.key.removeprefix(f"remedy_{number}_"): table for table in remedy_tables(finding, number)}
    if finding.changes and not is_hidden(finding.after.fairness):
        blocks.append(_rates(finding, number, facts.plan.protected_name))
    if (table := tables.get("worse_off")) is not None and table.rows:
        blocks.append(pick(table, WORSE_OFF))
    if (table := tables.get("strata")) is not None and table.rows:
        blocks.append(table)
    blocks += kind_of(finding.plan).search_blocks(finding, facts, number, tables)
    return with_name([*blocks, files_sentence(number)], finding.name)


def with_name(blocks: Iterable[Block], name: str) -> list[Block]:
    """Put the name of a remedy before the captions of its charts: in a list of figures each stands alone."""
    return [
        replace(block, title=f"{brief.whole(name, 160)}. {block.title}") if isinstance(block, Chart) else block
        for block in blocks
    ]


def files_sentence(number: int) -> Paragraph:
    """Return in which files the numbers of a remedy are."""
    return Paragraph(say(Message("annex-files", {"name": Phrase(f"remedy_{number}_")})))


def _rates(finding: RemedyFinding, number: int, name: str | None) -> Chart:
    title = say(Message("annex-groups-before", {"before": Phrase(finding.before.name)}))
    return Chart(
        f"remedy_{number}_groups_chart",
        title + groups_note(finding.after.errors, held_by="the CSV file holds"),
        before_after_alt(finding, protected_name=name, part="rates"),
        before_after_chart(finding, protected_name=name, part="rates"),
        f"remedy_{number}_groups",
    )
