"""The chapters of remedies tried: what they changed, side by side and each by itself, and how they were made."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from fairaudit.audit.result import AmountFinding, CheckFinding
from fairaudit.findings import Argument, Count, Message, Phrase, Word
from fairaudit.messages import say, say_answer
from fairaudit.present import brief
from fairaudit.present.blocks import Block, Chart, Heading, Items, Note, Paragraph, Table
from fairaudit.present.numbers import (
    finite,
)
from fairaudit.present.printed_tables import pick
from fairaudit.present.words import is_hidden
from fairaudit.remedies.registry import kind_of
from fairaudit.remedies.shared.caveats import remedy_caveats, study_caveats, summary_note
from fairaudit.remedies.shared.changes import (
    done_sentence,
    names_before,
    repeats_sentence,
)
from fairaudit.remedies.shared.chart_texts import (
    before_after_alt,
    decided_line,
    decided_name,
    frontier_alt,
    groups_note,
)
from fairaudit.remedies.shared.charts import before_after_chart, frontier_chart
from fairaudit.remedies.shared.compared_models import learned, letters_of
from fairaudit.remedies.shared.learned_rows import learned_rows_note
from fairaudit.remedies.shared.sample import sample_blocks
from fairaudit.remedies.shared.tables import (
    WORSE_OFF,
    features_table,
    frontier_rows,
    joint_tables,
    remedies_summary_table,
    remedy_tables,
    rows_table,
)
from fairaudit.report.chapters.compare import compare_opening
from fairaudit.sections.check import say_remedy_caution
from fairaudit.sections.compare.reading import title_of
from fairaudit.sections.remedy import say_remedy
from fairaudit.sections.remedy.charts import remedy_chart, remedy_chart_text, remedy_chart_title
from fairaudit.study.amounts.findings import AmountRemedyFinding, AmountStudyFacts
from fairaudit.study.findings import RemediesFinding, RemedyFinding, StudyFacts
from fairaudit.study.judging.results import MEASURES

TITLE = Message("remedies-tried")
MOST_CAVEATS = 3
"""What is to be kept in mind of one remedy in its chapter; the rest stands in its annex."""
SUMMARY = ("model", "accuracy", "good_share", "gap", "gap_interval", "worse_off", "needs_group")


def remedies_blocks(finding: RemediesFinding, checks: Iterable[CheckFinding]) -> list[Block]:
    """Return what the remedies of an audit changed: side by side, then each by itself."""
    checks = tuple(checks)
    blocks: list[Block] = [Heading(1, say(TITLE)), *compare_opening(finding)]
    blocks += [*tested_on(finding.facts.n_held_out), *strata_notes(checks)]
    if said := learned_rows_note(finding.facts, finding.remedies):
        blocks.append(Note(said))
    if is_other_question(finding.facts, checks):
        blocks.append(Note(say(_other_question(finding.facts)), kind="warning"))
    blocks.append(_summary(finding))
    for number, remedy in in_order(finding.remedies):
        if kind_of(remedy.plan).is_remedy:
            blocks += _remedy(remedy, finding.facts, number, title_of(finding, remedy))
    return blocks


def tested_on(n: int | None) -> list[Block]:
    """Return on how many test cases all remedies are judged; nothing where that is hidden."""
    return [] if n is None else [Paragraph(say(Message("remedies-tested", {"n": Count(n)})))]


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
    befores, several = len(names_before(finding.remedies)), len(finding.remedies) > 1
    blocks: list[Block] = [*sample_blocks(finding.facts), rows_table(finding.facts, learned=fitted)]
    blocks += [features_table(finding.facts)] if fitted else []
    caveats = study_caveats(finding.facts, several=several, befores=befores)
    blocks.append(Items(caveats, title=say(Message("remedies-doubt"))))
    rows = frontier_rows(finding)
    if len(rows) > 1:
        every = pick(_named(finding, remedies_summary_table(finding)), ("number", *SUMMARY))
        names = _names(finding)
        rows = rows.assign(name=[names.get(name, name) for name in rows["name"]])
        blocks += [replace(every, note=summary_note(finding.facts) or None), _frontier(rows, finding.facts)]
    blocks += joint_tables(finding, at_least=2)
    for number, remedy in in_order(finding.remedies):
        blocks += _making(remedy, finding.facts, number, title_of(finding, remedy))
    return blocks


def _summary(finding: RemediesFinding) -> Table:
    """Return the decisions, the models that remedies are compared with, and the remedies; no other simple rule."""
    kept = {decided_name(finding.facts), *names_before(finding.remedies), *(remedy.name for remedy in finding.remedies)}
    table = pick(remedies_summary_table(finding), ("number", *SUMMARY))
    rows = sorted((row for row in table.rows if row[1] in kept), key=lambda row: row[-1] is True)
    note = summary_note(finding.facts) or None
    title = say(Message("remedies-side-by-side"))
    table = pick(_named(finding, replace(table, rows=tuple(rows))), SUMMARY)
    return replace(table, key="remedies_side_by_side", title=title, note=note)


def _named(finding: RemediesFinding, table: Table) -> Table:
    """Return a table of all models with the names that sentences give them, and a letter each."""
    names, letters = _names(finding), letters_of(finding)
    at, number = (next(i for i, c in enumerate(table.columns) if c.name == name) for name in ("model", "number"))
    rows = []
    for row in table.rows:
        cells = list(row)
        cells[at], cells[number] = names.get(row[at], row[at]), letters.get(row[at], "")
        rows.append(tuple(cells))
    return replace(table, rows=tuple(rows))


def _names(finding: RemediesFinding) -> dict[str, str]:
    """Return what models are called in sentences, by their name: remedies, and the one model without them."""
    befores = names_before(finding.remedies)
    names = {befores[0]: say(Message("remedy-name-none"))} if len(befores) == 1 else {}
    return names | {remedy.name: title_of(finding, remedy) for remedy in finding.remedies}


def is_other_question(facts: StudyFacts, checks: Iterable[CheckFinding]) -> bool:
    """Say whether models are judged by the gap of no question of the report."""
    asked = [(check.result.protected_condition, check.result.where) for check in checks]
    own = facts.decisions
    return bool(asked) and (own.protected_condition, own.where) not in asked


def _other_question(facts: StudyFacts) -> Message:
    args: dict[str, Argument] = {"protected": facts.names.protected, "others": facts.names.others}
    if facts.where_words is None:
        return Message("remedies-other-question", args | {"among": Word("all")})
    return Message("remedies-other-question", args | {"among": Word("some"), "where": Phrase(facts.where_words)})


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
        say(Message("remedies-frontier")),
        frontier_alt(rows, **titles),
        frontier_chart(rows, **titles),
        "remedies_summary",
    )


def _remedy(finding: RemedyFinding, facts: StudyFacts, number: int, title: str) -> list[Block]:
    """Return what a remedy did, what it is, what came out, and what to keep in mind."""
    blocks = opening(finding, facts, number, title)
    tables = {table.key.removeprefix(f"remedy_{number}_"): table for table in remedy_tables(finding, facts, number)}
    kind, given = kind_of(finding.plan), (finding, facts, number, tables)
    if kind.does:
        blocks.append(Paragraph(kind.does, strong=say(Message("remedies-does"))))
    blocks += kind.asked_blocks(*given)
    blocks += kind.result_blocks(*given)
    first = remedy_caveats(finding, facts)[:MOST_CAVEATS]
    return with_name([*blocks, Items(first, title=say(Message("remedies-doubt")))] if first else blocks, title)


def opening(
    finding: RemedyFinding | AmountRemedyFinding, facts: StudyFacts | AmountStudyFacts, number: int, title: str
) -> list[Block]:
    """Return the name of a remedy, its verdict with the answer in one sentence, what it rests on, and its picture."""
    said = say_remedy(finding, facts)
    blocks: list[Block] = [
        Heading(2, brief.whole(title, 160)),
        Paragraph(say((*said.lead, *said.caution)), strong=say_answer(said)),
    ]
    chart = remedy_chart(finding, facts)
    if chart is not None:
        caption, text = remedy_chart_title(finding, facts), remedy_chart_text(finding, facts)
        table = "population" if isinstance(finding, RemedyFinding) else "groups"
        blocks.append(Chart(f"remedy_{number}_chart", caption, text, chart, f"remedy_{number}_{table}"))
    return blocks


def _making(finding: RemedyFinding, facts: StudyFacts, number: int, title: str) -> list[Block]:
    """Return how a remedy was made and searched for, and where its numbers are."""
    blocks: list[Block] = [
        Heading(2, brief.whole(title, 160)),
        Paragraph(done_sentence(finding), strong=say(Message("remedies-done"))),
    ]
    if over := repeats_sentence(finding):
        blocks.append(Paragraph(over))
    if more := remedy_caveats(finding, facts)[MOST_CAVEATS:]:
        blocks.append(Items(more, title=say(Message("remedies-doubt-more"))))
    tables = {table.key.removeprefix(f"remedy_{number}_"): table for table in remedy_tables(finding, facts, number)}
    if finding.changes and not is_hidden(finding.after.fairness):
        blocks.append(_rates(finding, number, facts))
    if (table := tables.get("worse_off")) is not None and table.rows:
        blocks.append(pick(table, WORSE_OFF))
    if (table := tables.get("strata")) is not None and table.rows:
        blocks.append(table)
    blocks += kind_of(finding.plan).search_blocks(finding, facts, number, tables)
    return with_name([*blocks, files_sentence(number)], title)


def with_name(blocks: Iterable[Block], name: str) -> list[Block]:
    """Put the name of a remedy before the captions of its charts: in a list of figures each stands alone."""
    return [
        replace(block, title=f"{brief.whole(name, 160)}. {block.title}") if isinstance(block, Chart) else block
        for block in blocks
    ]


def files_sentence(number: int) -> Paragraph:
    """Return in which files the numbers of a remedy are."""
    return Paragraph(say(Message("remedies-files", {"n": Count(number)})))


def _rates(finding: RemedyFinding, number: int, facts: StudyFacts) -> Chart:
    others = say(Message("group-alone", {"group": facts.names.others}))
    called: dict[str, Any] = {"protected_name": facts.plan.protected_name, "others": others, "part": "rates"}
    title = say(Message("remedies-rates-chart", {"before": Phrase(finding.before.name)}))
    return Chart(
        f"remedy_{number}_groups_chart",
        title + groups_note(finding.after.errors, held_by="file"),
        before_after_alt(finding, **called),
        before_after_chart(finding, **called),
        f"remedy_{number}_groups",
    )
