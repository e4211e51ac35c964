"""The chapters of remedies tried where the decision is an amount."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from fairaudit.audit.result import AmountFinding
from fairaudit.errors import sure
from fairaudit.findings import Message
from fairaudit.messages import say
from fairaudit.present import brief
from fairaudit.present.blocks import Block, Heading, Items, Note, Paragraph, Table
from fairaudit.present.printed_tables import pick
from fairaudit.remedies.registry import kind_of
from fairaudit.remedies.shared import amount_words as words
from fairaudit.remedies.shared.amount_tables import amount_remedies_summary_table, amount_remedy_tables, printed_changes
from fairaudit.remedies.shared.caveats import study_caveats, summary_note
from fairaudit.remedies.shared.changes import names_before
from fairaudit.remedies.shared.learned_rows import learned_rows_note
from fairaudit.remedies.shared.sample import sample_blocks
from fairaudit.report.chapters.compare import compare_opening
from fairaudit.report.chapters.remedies import TITLE, files_sentence, opening, strata_notes, tested_on, with_name
from fairaudit.sections.compare.reading import title_of
from fairaudit.study.amounts.findings import AmountRemediesFinding, AmountRemedyFinding, AmountStudyFacts

SUMMARY = ("remedy", "model", "mae", "difference", "difference_interval")
CHANGES = ("words", "before", "after", "change", "change_interval", "reading")


def amount_remedies_blocks(finding: AmountRemediesFinding, answers: Iterable[AmountFinding]) -> list[Block]:
    """Return what the remedies of an audit of amounts changed: side by side, then each by itself."""
    blocks: list[Block] = [Heading(1, say(TITLE)), *compare_opening(finding), *tested_on(finding.facts.n_held_out)]
    blocks += strata_notes(answers)
    facts = finding.facts
    if said := learned_rows_note(facts, finding.remedies):
        blocks.append(Note(said))
    summary = pick(amount_remedies_summary_table(finding), SUMMARY)
    blocks.append(replace(summary, title=say(Message("remedies-side-by-side")), note=summary_note(facts) or None))
    for number, remedy in enumerate(finding.remedies, start=1):
        if kind_of(remedy.plan).is_remedy:
            blocks += _remedy(remedy, finding.facts, number, title_of(finding, remedy))
    return blocks


def amount_remedies_annex(finding: AmountRemediesFinding) -> list[Block]:
    """Return how to read the figures of remedies, and how each was made."""
    befores, several = len(names_before(finding.remedies)), len(finding.remedies) > 1
    caveats = study_caveats(finding.facts, several=several, befores=befores)
    blocks: list[Block] = [*sample_blocks(finding.facts)]
    blocks.append(Items(caveats, title=say(Message("remedies-doubt"))))
    for number, remedy in enumerate(finding.remedies, start=1):
        blocks += _making(remedy, finding.facts, number, title_of(finding, remedy))
    return blocks


def _remedy(remedy: AmountRemedyFinding, facts: AmountStudyFacts, number: int, title: str) -> list[Block]:
    """Return what a remedy did, what it is, what came out, and what to keep in mind."""
    of_kind = kind_of(remedy.plan)
    kind = sure(of_kind.on_amounts)
    tables = _tables(remedy, facts, number)
    blocks = opening(remedy, facts, number, title)
    if of_kind.does:
        blocks.append(Paragraph(of_kind.does, strong=say(Message("remedies-does"))))
    blocks += kind.result_blocks(remedy, facts, number, tables)
    if len(tables["groups"].rows):
        blocks.append(Paragraph(words.errors_sentence(remedy, facts), strong="Who gets too much or too little."))
    caveats = (*kind.cautions(remedy, facts), *remedy.warnings)
    blocks += [Items(caveats, title=say(Message("remedies-doubt")))] if caveats else []
    return with_name(blocks, title)


def _making(remedy: AmountRemedyFinding, facts: AmountStudyFacts, number: int, title: str) -> list[Block]:
    """Return how a remedy was made and searched for, and where its numbers are."""
    tables = _tables(remedy, facts, number)
    blocks: list[Block] = [
        Heading(2, brief.whole(title, 160)),
        Paragraph(words.done_sentence(remedy, facts), strong=say(Message("remedies-done"))),
    ]
    if remedy.changes:
        blocks.append(pick(printed_changes(remedy, tables["changes"]), CHANGES))
    if "strata" in tables and tables["strata"].rows:
        blocks.append(tables["strata"])
    if len(tables["indices"].rows):
        names = [column.name for column in tables["indices"].columns if column.name != "before"]
        blocks.append(tables["indices"] if remedy.changes else _plain_heads(pick(tables["indices"], names)))
    blocks += sure(kind_of(remedy.plan).on_amounts).search_blocks(remedy, facts, number, tables)
    return with_name([*blocks, files_sentence(number)], title)


def _tables(remedy: AmountRemedyFinding, facts: AmountStudyFacts, number: int) -> dict[str, Table]:
    """Return the tables of a remedy by the end of their keys."""
    return {table.key.removeprefix(f"remedy_{number}_"): table for table in amount_remedy_tables(remedy, facts, number)}


def _plain_heads(table: Table) -> Table:
    """Return a table of indices of one model, whose head need not say "with"."""
    columns = tuple(replace(each, label="value") if each.name == "after" else each for each in table.columns)
    return replace(table, columns=columns)
