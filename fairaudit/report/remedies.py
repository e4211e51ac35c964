"""Remedies tried: on the first page, side by side, each by itself, and how they were made."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pandas as pd

from fairaudit.audit.result import AuditResult, CheckFinding
from fairaudit.catalog import remedy_of
from fairaudit.findings import Argument, Count, Message, Phrase, Word
from fairaudit.messages import say, say_answer
from fairaudit.outcomes import AMOUNTS, SHARES, OutcomeKind
from fairaudit.present import naming
from fairaudit.present.blocks import Block, Chart, Heading, Items, Note, Paragraph, ShortSection, TableBlock, pick
from fairaudit.sections.check import say_remedy_caution
from fairaudit.sections.compare import read_comparison, say_comparison
from fairaudit.sections.compare.charts import (
    FrontierAxes,
    compare_chart,
    compare_chart_text,
    compare_chart_title,
    frontier_chart,
    frontier_chart_text,
)
from fairaudit.sections.compare.models import (
    amount_summary_table,
    frontier_rows,
    joint_tables,
    learned,
    measure_words,
    names_before,
    past_line,
    past_size,
    summary_table,
)
from fairaudit.sections.compare.reading import MET, ModelRow, Remedies, title_of
from fairaudit.sections.remedy import read_remedy, say_remedy
from fairaudit.sections.remedy.charts import (
    group_rates_chart,
    group_rates_text,
    groups_note,
    remedy_chart,
    remedy_chart_text,
    remedy_chart_title,
)
from fairaudit.sections.remedy.learned_rows import (
    feature_proxies_blocks,
    features_table,
    learned_rows_note,
    rows_table,
    sample_blocks,
    study_caveats,
)
from fairaudit.sections.remedy.reading import GAPS, Facts, Finding, unit_of
from fairaudit.sections.remedy.saying import (
    done_sentence,
    errors_sentence,
    moved,
    named,
    remedy_caveats,
    repeats_sentence,
)
from fairaudit.sections.remedy.tables import AMOUNT_CHANGES, WORSE_OFF, named_tables, past_called, printed_changes
from fairaudit.study.amounts.findings import AmountRemediesFinding, AmountRemedyFinding, AmountStudyFacts
from fairaudit.study.findings import RemediesFinding, RemedyFinding, StudyFacts

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
    facts = tried.facts
    finding = next(each for each in tried.remedies if each.name == row.made)
    reading = read_remedy(finding, facts)
    answer = say_remedy(finding, facts)
    args = named(finding, facts) | {"name": row.name, "verdict": answer.verdict}
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
        own, before = (unit_of(facts).figure(each) for each in (row.given, past.given))
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


def remedies_blocks(finding: Remedies, answers: Iterable[CheckFinding]) -> list[Block]:
    """Return what the remedies of an audit changed: side by side, then each by itself."""
    facts, answers = finding.facts, tuple(answers)
    blocks: list[Block] = [Heading(1, say(TITLE)), *compare_opening(finding)]
    blocks += [*tested_on(facts.n_held_out), *strata_notes(answers)]
    if said := learned_rows_note(facts, finding.remedies):
        blocks.append(Note(said))
    parts = PARTS[facts.outcome]
    blocks += parts.side_by_side(finding, answers)
    for number, remedy in in_order(finding.remedies):
        if remedy.plan.is_remedy:
            blocks += _remedy(remedy, facts, number, title_of(finding, remedy))
    return blocks


def tested_on(n: int | None) -> list[Block]:
    """Return on how many test cases all remedies are judged; nothing where that is hidden."""
    return [] if n is None else [Paragraph(say(Message("remedies-tested", {"n": Count(n)})))]


def strata_notes(answers: Iterable[CheckFinding]) -> list[Block]:
    """Return warnings that remedies may widen gaps inside the strata of questions, where strata say so; each once."""
    said = dict.fromkeys(say(caution) for answer in answers if (caution := say_remedy_caution(answer)) is not None)
    return [Note(text, kind="warning") for text in said]


def in_order(remedies: Sequence[Finding]) -> list[tuple[int, Finding]]:
    """Return remedies with the numbers that they have in tables; those that decide by group come last."""
    return sorted(enumerate(remedies, start=1), key=lambda each: bool(each[1].needs_group))


def remedies_annex(finding: Remedies) -> list[Block]:
    """Return what models learned from and how to read their figures, all models, and how each was made."""
    facts, parts = finding.facts, PARTS[finding.facts.outcome]
    befores, several = len(names_before(finding.remedies)), len(finding.remedies) > 1
    caveats = study_caveats(facts, several=several, befores=befores)
    blocks: list[Block] = [*sample_blocks(facts), *parts.learned_from(finding)]
    blocks += feature_proxies_blocks(facts) if learned(finding) else []
    blocks += [Items(caveats, title=say(Message("remedies-doubt"))), *parts.all_models(finding)]
    for number, remedy in in_order(finding.remedies):
        blocks += _making(remedy, facts, number, title_of(finding, remedy))
    return blocks


def _remedy(finding: Finding, facts: Facts, number: int, title: str) -> list[Block]:
    """Return what a remedy did, what it is, what came out, and what to keep in mind."""
    given = (finding, facts, number, named_tables(finding, facts, number))
    kind, blocks = remedy_of(finding.plan, facts.outcome), opening(finding, facts, number, title)
    if finding.plan.does:
        blocks.append(Paragraph(finding.plan.does, strong=say(Message("remedies-does"))))
    blocks += [*kind.result_blocks(*given), *PARTS[facts.outcome].to_weigh(*given)]
    return with_name(blocks, title)


def opening(finding: Finding, facts: Facts, number: int, title: str) -> list[Block]:
    """Return the name of a remedy, its verdict with the answer in one sentence, what it rests on, and its picture."""
    said = say_remedy(finding, facts)
    blocks: list[Block] = [
        Heading(2, naming.whole(title, 160)),
        Paragraph(say((*said.lead, *said.caution)), strong=say_answer(said)),
    ]
    chart = remedy_chart(finding, facts)
    if chart is not None:
        caption, text = remedy_chart_title(finding, facts), remedy_chart_text(finding, facts)
        table = PARTS[facts.outcome].charted_table
        blocks.append(Chart(f"remedy_{number}_chart", caption, text, chart, f"remedy_{number}_{table}"))
    return blocks


def _making(finding: Finding, facts: Facts, number: int, title: str) -> list[Block]:
    """Return how a remedy was made and searched for, and where its numbers are."""
    given = (finding, facts, number, named_tables(finding, facts, number))
    done = Paragraph(done_sentence(finding, facts), strong=say(Message("remedies-done")))
    search = remedy_of(finding.plan, facts.outcome).search_blocks(*given)
    files = Paragraph(say(Message("remedies-files", {"n": Count(number)})))
    blocks = [Heading(2, naming.whole(title, 160)), done, *PARTS[facts.outcome].figures(*given), *search, files]
    return with_name(blocks, title)


def with_name(blocks: Iterable[Block], name: str) -> list[Block]:
    """Put the name of a remedy before the captions of its charts: in a list of figures each stands alone."""
    return [
        replace(block, title=f"{naming.whole(name, 160)}. {block.title}") if isinstance(block, Chart) else block
        for block in blocks
    ]


# Shares.

SUMMARY = ("model", "accuracy", "good_share", "gap", "gap_interval", "worse_off", "needs_group")


def _shares_side_by_side(finding: RemediesFinding, checks: Sequence[CheckFinding]) -> list[Block]:
    """Return the decisions, the models that remedies are compared with, and the remedies; no other simple rule."""
    facts = finding.facts
    kept = {past_called(facts), *_compared_names(finding)}
    table = pick(summary_table(finding), SUMMARY)
    rows = sorted((row for row in table.rows if row[0] in kept), key=lambda row: row[-1] is True)
    table = _named(finding, replace(table, key="remedies_side_by_side", rows=tuple(rows)))
    table = replace(table, title=say(Message("remedies-side-by-side")), note=None)
    warned = [Note(say(_other_question(facts)), kind="warning")] if is_other_question(facts, checks) else []
    return [*warned, table]


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


def _shares_learned_from(finding: RemediesFinding) -> list[Block]:
    fitted = learned(finding)
    return [rows_table(finding.facts, learned=fitted), *([features_table(finding.facts)] if fitted else [])]


def _all_models_of_shares(finding: RemediesFinding) -> list[Block]:
    """Return all models, simple rules included, in a table and as points, and what kinds show of several remedies."""
    rows, facts = frontier_rows(finding), finding.facts
    blocks: list[Block] = []
    if len(rows) > 1:
        every = pick(_named(finding, summary_table(finding)), SUMMARY)
        names = _names(finding)
        # Simple rules stand in the table; beside so many names the picture could not be read.
        rows = rows[rows["name"].isin(_compared_names(finding))].reset_index(drop=True)
        rows = rows.assign(name=[names.get(name, naming.capital(name)) for name in rows["name"]])
        blocks = [replace(every, note=None), _frontier(rows, facts)]
    return [*blocks, *joint_tables(finding, at_least=2)]


def _frontier(rows: pd.DataFrame, facts: StudyFacts) -> Chart:
    axes = FrontierAxes(
        measure_words("accuracy"), measure_words("gap"), past=past_size(facts), past_words=past_line(facts)
    )
    title, text = say(Message("remedies-frontier")), frontier_chart_text(rows, axes)
    return Chart("remedies_frontier", title, text, frontier_chart(rows, axes), "remedies_summary")


def _shares_to_weigh(
    finding: RemedyFinding, facts: StudyFacts, number: int, tables: Mapping[str, TableBlock]
) -> list[Block]:
    first = remedy_caveats(finding, facts)[:MOST_CAVEATS]
    return [Items(first, title=say(Message("remedies-doubt")))] if first else []


def _figures_of_shares(
    finding: RemedyFinding, facts: StudyFacts, number: int, tables: Mapping[str, TableBlock]
) -> list[Block]:
    blocks: list[Block] = []
    if over := repeats_sentence(finding):
        blocks.append(Paragraph(over))
    if more := remedy_caveats(finding, facts)[MOST_CAVEATS:]:
        blocks.append(Items(more, title=say(Message("remedies-doubt-more"))))
    if finding.changes and finding.after.fairness.difference is not None:
        title = say(Message("remedies-rates-chart")) + groups_note(finding.after.errors, held_by="file")
        text, chart = group_rates_text(finding, facts), group_rates_chart(finding, facts)
        blocks.append(Chart(f"remedy_{number}_groups_chart", title, text, chart, f"remedy_{number}_groups"))
    if "worse_off" in tables and tables["worse_off"].rows:
        blocks.append(pick(tables["worse_off"], WORSE_OFF))
    return [*blocks, *_beside(tables)]


def _beside(tables: Mapping[str, TableBlock]) -> list[Block]:
    """Return whether limits hold on new people, the gap among similar cases, and whom it hits, where that is known."""
    return [tables[key] for key in ("certified", "strata", "hit") if key in tables and tables[key].rows]


# Amounts.

AMOUNT_SUMMARY = ("model", "mae", "difference", "difference_interval")


def _amounts_side_by_side(finding: AmountRemediesFinding, answers: Sequence[CheckFinding]) -> list[Block]:
    table = pick(amount_summary_table(finding), AMOUNT_SUMMARY)
    return [replace(table, title=say(Message("remedies-side-by-side")))]


def _amounts_to_weigh(
    finding: AmountRemedyFinding, facts: AmountStudyFacts, number: int, tables: Mapping[str, TableBlock]
) -> list[Block]:
    off = errors_sentence(finding, facts)
    blocks: list[Block] = [Paragraph(off, strong="Who gets too much or too little.")] if off else []
    caveats = (*remedy_of(finding.plan, facts.outcome).cautions(finding, facts), *finding.warnings)
    return [*blocks, *([Items(caveats, title=say(Message("remedies-doubt")))] if caveats else [])]


def _figures_of_amounts(
    finding: AmountRemedyFinding, facts: AmountStudyFacts, number: int, tables: Mapping[str, TableBlock]
) -> list[Block]:
    blocks: list[Block] = []
    if finding.changes:
        blocks.append(pick(printed_changes(finding, tables["changes"]), AMOUNT_CHANGES))
    blocks += _beside(tables)
    indices = tables["indices"]
    if indices.rows:
        names = [column.name for column in indices.columns if column.name != "before"]
        blocks.append(indices if finding.changes else _plain_heads(pick(indices, names)))
    return blocks


def _plain_heads(table: TableBlock) -> TableBlock:
    """Return a table of indices of one model, whose head need not say "with"."""
    columns = tuple(replace(each, label="value") if each.name == "after" else each for each in table.columns)
    return replace(table, columns=columns)


# What differs by the kind of the decision.


@dataclass(frozen=True, kw_only=True)
class RemedyParts:
    """What the report says of remedies on decisions of one kind alone."""

    side_by_side: Callable[[Any, Any], list[Block]]  # the models in one table
    learned_from: Callable[[Any], list[Block]]  # the rows and columns of models
    all_models: Callable[[Any], list[Block]]  # simple rules included
    charted_table: str  # which table of a remedy holds the figures of its first picture
    to_weigh: Callable[[Any, Any, int, Mapping[str, TableBlock]], list[Block]]  # what to keep in mind of one remedy
    figures: Callable[[Any, Any, int, Mapping[str, TableBlock]], list[Block]]  # its figures in the annex


PARTS: dict[OutcomeKind, RemedyParts] = {
    SHARES: RemedyParts(
        side_by_side=_shares_side_by_side,
        learned_from=_shares_learned_from,
        all_models=_all_models_of_shares,
        charted_table="population",
        to_weigh=_shares_to_weigh,
        figures=_figures_of_shares,
    ),
    AMOUNTS: RemedyParts(
        side_by_side=_amounts_side_by_side,
        learned_from=lambda finding: [],
        all_models=lambda finding: [],
        charted_table="groups",
        to_weigh=_amounts_to_weigh,
        figures=_figures_of_amounts,
    ),
}
