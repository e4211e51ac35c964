"""Remedies tried: on the first page, side by side, each by itself, and how they were made."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

from fairaudit.audit.result import AmountFinding, AuditResult, CheckFinding
from fairaudit.catalog import remedy_of
from fairaudit.findings import Argument, Count, Message, Phrase, Word
from fairaudit.messages import say, say_answer
from fairaudit.outcomes import AMOUNTS, SHARES, OutcomeKind
from fairaudit.present import naming
from fairaudit.present.blocks import Block, Chart, Heading, Items, Note, Paragraph, ShortSection, TableBlock, pick
from fairaudit.present.numbers import finite
from fairaudit.remedies.shared.amount_tables import (
    amount_remedies_summary_table,
    errors_sentence,
    printed_changes,
)
from fairaudit.remedies.shared.changes import (
    names_before,
    repeats_sentence,
)
from fairaudit.remedies.shared.charts import (
    before_after_alt,
    before_after_chart,
    frontier_alt,
    frontier_chart,
    groups_note,
)
from fairaudit.remedies.shared.compared_models import decided_line, decided_name, learned
from fairaudit.remedies.shared.learned_rows import (
    learned_rows_note,
    sample_blocks,
    study_caveats,
    summary_note,
)
from fairaudit.remedies.shared.tables import (
    WORSE_OFF,
    features_table,
    frontier_rows,
    remedies_summary_table,
    rows_table,
)
from fairaudit.report.remedy_tables import (
    amount_remedy_tables,
    done_sentence,
    joint_tables,
    remedy_caveats,
    remedy_tables,
)
from fairaudit.sections.check import say_remedy_caution
from fairaudit.sections.compare import read_comparison, say_comparison
from fairaudit.sections.compare.charts import compare_chart, compare_chart_text, compare_chart_title
from fairaudit.sections.compare.reading import (
    MET,
    ModelRow,
    Remedies,
    given_figure,
    quantity_of,
    title_of,
)
from fairaudit.sections.remedy import read_remedy, say_remedy
from fairaudit.sections.remedy.charts import remedy_chart, remedy_chart_text, remedy_chart_title
from fairaudit.sections.remedy.reading import GAPS
from fairaudit.sections.remedy.reading import quantity_of as remedy_quantity
from fairaudit.sections.remedy.saying import moved, named
from fairaudit.study.amounts.findings import AmountRemediesFinding, AmountRemedyFinding, AmountStudyFacts
from fairaudit.study.findings import RemediesFinding, RemedyFinding, StudyFacts
from fairaudit.study.judging.results import MEASURES

MOST_LINES = 2
"""So many remedies that meet the limit have a line, or else the one with the smallest gap; a later page has all."""
BESIDE_LINES = ("remedy-caution-by-group",)
"""Cautions of a remedy that its line says in words of its own."""


def remedies_part(result: AuditResult) -> ShortSection | None:
    """Return what could be done: which remedies meet the limit, and what these cost; nothing where none was tried."""
    tried = result.tried
    if tried is None or not is_any_remedy(tried):
        return None
    said, reading = say_comparison(tried), read_comparison(tried)
    rows = (reading.met or reading.usable[:1] or reading.remedies[:1])[:MOST_LINES]
    # What the headline says of all who keep the limit is not said of each.
    lines = [say(_line(tried, row, says_limit=len({each.limit for each in reading.met}) != 1)) for row in rows]
    blocks = (Paragraph(f"{say(said.headline)}."), *((Items(tuple(lines)),) if lines else ()))
    return ShortSection(say(Message("report-could-be-done")), blocks)


def remedies_pages(result: AuditResult) -> list[Block]:
    """Return all remedies side by side, and what they cost."""
    tried = result.tried
    if tried is None or not is_any_remedy(tried) or not (charts := compared_charts(tried)):
        return []
    said = say_comparison(tried)
    blocks: list[Block] = [Heading(2, say(Message("report-could-be-done")))]
    if lead := say((*said.lead, *said.caution)):
        blocks.append(Paragraph(lead))
    return [*blocks, *charts]


def compared_charts(tried: Remedies) -> list[Chart]:
    """Return the picture of all remedies side by side; none where no gap is known."""
    if not read_comparison(tried).n_tried:
        return []
    title, text = compare_chart_title(tried), compare_chart_text(tried)
    return [Chart("remedies_compared", title, text, compare_chart(tried, narrow=True))]


def is_any_remedy(tried: Remedies) -> bool:
    """Say whether anything but models without a remedy was tried; of hidden figures no more is known."""
    return any(remedy.plan.is_remedy for remedy in tried.remedies)


def _line(tried: Remedies, row: ModelRow, *, says_limit: bool) -> list[Message]:
    """Say what a remedy comes to, as its own page does, and what it costs."""
    facts: Any = tried.facts
    finding: Any = next(each for each in tried.remedies if each.name == row.made)
    reading, quantity = read_remedy(finding, facts), remedy_quantity(finding, facts)
    answer = say_remedy(finding, facts)
    args = named(finding, facts, reading, quantity) | {"name": row.name, "verdict": answer.verdict}
    said = [Message("report-remedy", args)]
    if reading.gap in GAPS and reading.verdict not in ("one_answer", "nearly_one_answer"):
        turned = Word("yes" if read_comparison(tried).is_other_way(row) else "no")
        same = Word("yes" if row.changes_nothing else "no")
        # A limit of its own on the same gap is in its verdict.
        is_said = not says_limit or reading.limit_size is not None or row.has_own_limit or row.limit not in MET
        side = Word("none" if is_said else str(row.limit).replace("_", "-"))
        said.append(Message("report-remedy-gap", args | {"reading": side, "turned": turned, "same": same}))
    is_given = not facts.decision_is_outcome and facts.outcome.has_good_outcome
    past = read_comparison(tried).past
    if is_given and row.given is not None and past is not None and past.given is not None:
        own, before = (given_figure(quantity_of(tried), each) for each in (row.given, past.given))
        said.append(Message("report-remedy-given", args | {"given": own, "past": before, "moved": moved(own, before)}))
    if harm := next((each for each in answer.caution if each.key not in BESIDE_LINES), None):
        said.append(harm)
    if row.needs_group:
        said.append(Message("report-remedy-by-group"))
    return said


# The chapters.


def compare_opening(finding: Remedies) -> list[Block]:
    """Return the answer with its picture, where several remedies are compared; else nothing."""
    if read_comparison(finding).n_tried < 2:
        return []
    title, text = compare_chart_title(finding), compare_chart_text(finding)
    picture = Chart("remedies_compared", title, text, compare_chart(finding), "remedies_summary")
    return [*compare_answer(finding), picture]


def compare_answer(finding: Remedies) -> list[Block]:
    """Return which remedies meet the limit, and what they cost."""
    said = say_comparison(finding)
    lead = Paragraph("", lead=True, strong=say_answer(said))
    rest = say((*said.lead, *said.caution))
    return [lead, Paragraph(rest)] if rest else [lead]


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
        if remedy.plan.is_remedy:
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
        every = pick(_named(finding, remedies_summary_table(finding)), SUMMARY)
        names = _names(finding)
        # Simple rules stand in the table; beside so many names the picture could not be read.
        rows = rows[rows["name"].isin(_compared_names(finding))].reset_index(drop=True)
        rows = rows.assign(name=[names.get(name, naming.capital(name)) for name in rows["name"]])
        blocks += [replace(every, note=summary_note(finding.facts) or None), _frontier(rows, finding.facts)]
    blocks += joint_tables(finding, at_least=2)
    for number, remedy in in_order(finding.remedies):
        blocks += _making(remedy, finding.facts, number, title_of(finding, remedy))
    return blocks


def _summary(finding: RemediesFinding) -> TableBlock:
    """Return the decisions, the models that remedies are compared with, and the remedies; no other simple rule."""
    kept = {decided_name(finding.facts), *_compared_names(finding)}
    table = pick(remedies_summary_table(finding), SUMMARY)
    rows = sorted((row for row in table.rows if row[0] in kept), key=lambda row: row[-1] is True)
    note = summary_note(finding.facts) or None
    title = say(Message("remedies-side-by-side"))
    table = _named(finding, replace(table, rows=tuple(rows)))
    return replace(table, key="remedies_side_by_side", title=title, note=note)


def _compared_names(finding: RemediesFinding) -> set[str]:
    """Return the names of remedies and of the models without a remedy that they are compared with."""
    return {*names_before(finding.remedies), *(remedy.name for remedy in finding.remedies)}


def _named(finding: RemediesFinding, table: TableBlock) -> TableBlock:
    """Return a table of all models, the model first, with the names that sentences give them."""
    names = _names(finding)
    rows = tuple((names.get(name, naming.capital(name)), *cells) for name, *cells in table.rows)
    return replace(table, rows=rows)


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
        "x_title": naming.capital(MEASURES["accuracy"]),
        "y_title": naming.capital(MEASURES["gap"]),
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
    kind, given = remedy_of(finding.plan), (finding, facts, number, tables)
    if finding.plan.does:
        blocks.append(Paragraph(finding.plan.does, strong=say(Message("remedies-does"))))
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
        Heading(2, naming.whole(title, 160)),
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
        Heading(2, naming.whole(title, 160)),
        Paragraph(done_sentence(finding, facts), strong=say(Message("remedies-done"))),
    ]
    if over := repeats_sentence(finding):
        blocks.append(Paragraph(over))
    if more := remedy_caveats(finding, facts)[MOST_CAVEATS:]:
        blocks.append(Items(more, title=say(Message("remedies-doubt-more"))))
    tables = {table.key.removeprefix(f"remedy_{number}_"): table for table in remedy_tables(finding, facts, number)}
    if finding.changes and finding.after.fairness.difference is not None:
        blocks.append(_rates(finding, number, facts))
    if (table := tables.get("worse_off")) is not None and table.rows:
        blocks.append(pick(table, WORSE_OFF))
    if (table := tables.get("strata")) is not None and table.rows:
        blocks.append(table)
    blocks += remedy_of(finding.plan).search_blocks(finding, facts, number, tables)
    return with_name([*blocks, files_sentence(number)], title)


def with_name(blocks: Iterable[Block], name: str) -> list[Block]:
    """Put the name of a remedy before the captions of its charts: in a list of figures each stands alone."""
    return [
        replace(block, title=f"{naming.whole(name, 160)}. {block.title}") if isinstance(block, Chart) else block
        for block in blocks
    ]


def files_sentence(number: int) -> Paragraph:
    """Return in which files the numbers of a remedy are."""
    return Paragraph(say(Message("remedies-files", {"n": Count(number)})))


def _rates(finding: RemedyFinding, number: int, facts: StudyFacts) -> Chart:
    others = say(Message("group-alone", {"group": facts.names.others}))
    called: dict[str, Any] = {"protected_name": facts.plan.protected_name, "others": others, "part": "rates"}
    title = say(Message("remedies-rates-chart"))
    return Chart(
        f"remedy_{number}_groups_chart",
        title + groups_note(finding.after.errors, held_by="file"),
        before_after_alt(finding, **called),
        before_after_chart(finding, **called),
        f"remedy_{number}_groups",
    )


# Amounts.

AMOUNT_SUMMARY = ("model", "mae", "difference", "difference_interval")
CHANGES = ("words", "before", "after", "change", "change_interval", "reading")


def amount_remedies_blocks(finding: AmountRemediesFinding, answers: Iterable[AmountFinding]) -> list[Block]:
    """Return what the remedies of an audit of amounts changed: side by side, then each by itself."""
    blocks: list[Block] = [Heading(1, say(TITLE)), *compare_opening(finding), *tested_on(finding.facts.n_held_out)]
    blocks += strata_notes(answers)
    facts = finding.facts
    if said := learned_rows_note(facts, finding.remedies):
        blocks.append(Note(said))
    summary = pick(amount_remedies_summary_table(finding), AMOUNT_SUMMARY)
    blocks.append(replace(summary, title=say(Message("remedies-side-by-side")), note=summary_note(facts) or None))
    for number, remedy in enumerate(finding.remedies, start=1):
        if remedy.plan.is_remedy:
            blocks += _amount_remedy(remedy, finding.facts, number, title_of(finding, remedy))
    return blocks


def amount_remedies_annex(finding: AmountRemediesFinding) -> list[Block]:
    """Return how to read the figures of remedies, and how each was made."""
    befores, several = len(names_before(finding.remedies)), len(finding.remedies) > 1
    caveats = study_caveats(finding.facts, several=several, befores=befores)
    blocks: list[Block] = [*sample_blocks(finding.facts)]
    blocks.append(Items(caveats, title=say(Message("remedies-doubt"))))
    for number, remedy in enumerate(finding.remedies, start=1):
        blocks += _amount_making(remedy, finding.facts, number, title_of(finding, remedy))
    return blocks


def _amount_remedy(remedy: AmountRemedyFinding, facts: AmountStudyFacts, number: int, title: str) -> list[Block]:
    """Return what a remedy did, what it is, what came out, and what to keep in mind."""
    kind = remedy_of(remedy.plan, facts.outcome)
    tables = _tables(remedy, facts, number)
    blocks = opening(remedy, facts, number, title)
    if remedy.plan.does:
        blocks.append(Paragraph(remedy.plan.does, strong=say(Message("remedies-does"))))
    blocks += kind.result_blocks(remedy, facts, number, tables)
    if len(tables["groups"].rows):
        blocks.append(Paragraph(errors_sentence(remedy, facts), strong="Who gets too much or too little."))
    caveats = (*kind.cautions(remedy, facts), *remedy.warnings)
    blocks += [Items(caveats, title=say(Message("remedies-doubt")))] if caveats else []
    return with_name(blocks, title)


def _amount_making(remedy: AmountRemedyFinding, facts: AmountStudyFacts, number: int, title: str) -> list[Block]:
    """Return how a remedy was made and searched for, and where its numbers are."""
    tables = _tables(remedy, facts, number)
    blocks: list[Block] = [
        Heading(2, naming.whole(title, 160)),
        Paragraph(done_sentence(remedy, facts), strong=say(Message("remedies-done"))),
    ]
    if remedy.changes:
        blocks.append(pick(printed_changes(remedy, tables["changes"]), CHANGES))
    if "strata" in tables and tables["strata"].rows:
        blocks.append(tables["strata"])
    if len(tables["indices"].rows):
        names = [column.name for column in tables["indices"].columns if column.name != "before"]
        blocks.append(tables["indices"] if remedy.changes else _plain_heads(pick(tables["indices"], names)))
    blocks += remedy_of(remedy.plan, facts.outcome).search_blocks(remedy, facts, number, tables)
    return with_name([*blocks, files_sentence(number)], title)


def _tables(remedy: AmountRemedyFinding, facts: AmountStudyFacts, number: int) -> dict[str, TableBlock]:
    """Return the tables of a remedy by the end of their keys."""
    return {table.key.removeprefix(f"remedy_{number}_"): table for table in amount_remedy_tables(remedy, facts, number)}


def _plain_heads(table: TableBlock) -> TableBlock:
    """Return a table of indices of one model, whose head need not say "with"."""
    columns = tuple(replace(each, label="value") if each.name == "after" else each for each in table.columns)
    return replace(table, columns=columns)


# What composes a report asks.

CHAPTERS: dict[OutcomeKind, Callable[[Any, Any], list[Block]]] = {
    SHARES: remedies_blocks,
    AMOUNTS: amount_remedies_blocks,
}
ANNEXES: dict[OutcomeKind, Callable[[Any], list[Block]]] = {SHARES: remedies_annex, AMOUNTS: amount_remedies_annex}
"""The chapter on what trying remedies found and the annex, by the kind of the decision."""
