"""The chapters of one check of amounts: the answer, who was compared, groups, strata, similar people, the numbers."""

from __future__ import annotations

from dataclasses import replace

from fairaudit.audit.result import AmountFinding
from fairaudit.measure.mean_strata import StratifiedMeans
from fairaudit.measure.results import GroupMeans
from fairaudit.messages import say
from fairaudit.present import amount_words, brief, headlines, words
from fairaudit.present.blocks import Block, Chart, Code, ColumnSpec, Heading, Items, KeyValues, Note, Paragraph, Table
from fairaudit.present.blocks import cell_text as cell
from fairaudit.present.charts import amounts as charts
from fairaudit.present.printed_tables import pick
from fairaudit.report.amount_explanations import amount_caveats, amount_interval_notes
from fairaudit.report.amount_tables import (
    difference_table,
    figures_of,
    mean_strata_summary_table,
    similar_table,
)
from fairaudit.report.chapters.checks import (
    HIDDEN_NOTE,
    by_columns,
    conditions,
    left_out_sentences,
    repeats_the_answer,
    strata_numbers,
)
from fairaudit.report.explanations import INTERVAL_NOTES
from fairaudit.report.tables import comparison_table, groups_table, strata_table
from fairaudit.sections.check import next_step, say_similar
from fairaudit.sections.check.many import say_group_ranges, say_ranges
from fairaudit.sections.detectable import say_more_rows


def amount_compared_blocks(finding: AmountFinding, number: int, *, level: int, noun: str = "amount") -> list[Block]:
    """Return who was compared: both groups side by side, and how many rows were not compared."""
    sentence = words.population_sentence(finding, noun)
    return [Heading(level, "What was compared"), _compared(finding, number), Paragraph(sentence)]


def amount_doubt_blocks(finding: AmountFinding) -> list[Block]:
    """Return what weakens the answer, how much data a clear one takes, and what to do next."""
    doubts = amount_caveats(finding)
    blocks: list[Block] = [Items(doubts)] if doubts else []
    if more_rows := say(say_more_rows(finding)):
        blocks.append(Paragraph(more_rows, strong="How much data it takes."))
    if (step := next_step(finding)) is not None:
        blocks.append(Paragraph(say(step), strong="What next."))
    return blocks


def amount_group_blocks(finding: AmountFinding, number: int, *, level: int, noun: str = "amount") -> list[Block]:
    """Return what is found of each group, inside the strata and among similar people: sentences and charts."""
    blocks: list[Block] = []
    for position, comparison in enumerate(finding.groups, start=1):
        if not repeats_the_answer(finding, comparison):
            blocks += _all_groups(finding, comparison, number, position, level, noun)
    blocks += [Note(f"Not compared. {sentence}") for sentence in finding.not_compared]
    if finding.strata is not None:
        blocks += _strata(finding, finding.strata, number, level)
    if finding.similar is not None:
        blocks += [Heading(level, "What similar people get"), Paragraph(amount_words.similar_sentence(finding))]
    return blocks


def amount_number_blocks(finding: AmountFinding, number: int, *, level: int) -> list[Block]:
    """Return the statistics of the answer, how to read them, and the query that gives the same means."""
    blocks: list[Block] = [_figures(finding, number), Paragraph(amount_words.didi_sentence(finding))]
    if finding.strata is not None:
        blocks.append(mean_strata_summary_table(finding, finding.strata, number))
    details = amount_words.similar_details(finding)
    if details and finding.similar is not None:
        blocks += [Paragraph(details), _folded(similar_table(finding, finding.similar, number))]
    blocks.append(Items(amount_interval_notes(finding), title=INTERVAL_NOTES))
    blocks.append(Heading(level, "The same rows in SQL"))
    better = "more" if finding.decision.higher_is_favorable else "less"
    asked = (*conditions(finding), ("Better for the person", better))
    blocks.append(KeyValues(None, asked, code=("Filter", "Protected condition")))
    blocks.append(Code(finding.sql, title="This query gives the same counts and means"))
    return blocks


def _compared(finding: AmountFinding, number: int) -> Table:
    """Return both groups side by side, one line a figure."""
    full = pick(groups_table(finding, number, figures_of(finding)), ("n", "mean", "mean_interval", "median"))
    protected, rest = full.rows
    who = ("who", finding.protected_words, "all others")
    figures = tuple(
        (spec.label, cell(one, spec.kind, digits=spec.digits), cell(other, spec.kind, digits=spec.digits))
        for spec, one, other in zip(full.columns, protected, rest, strict=True)
    )
    lines = (who, *figures)
    columns = (
        ColumnSpec("what", "figure", "text", "What the figure is."),
        ColumnSpec("protected", finding.plan.protected_name or "protected", "amount", "Protected group."),
        ColumnSpec("reference", "the rest", "amount", "The rest."),
    )
    return Table(full.key, "Both groups side by side", columns, lines)


def _figures(finding: AmountFinding, number: int) -> KeyValues:
    table = difference_table(finding, number)
    [row] = table.rows
    figures = zip(table.columns, row, strict=True)
    proposed = {"tolerance": " (proposed: this audit sets none)"} if amount_words.is_proposed(finding) else {}
    lines = tuple(
        (brief.capital(spec.label), f"{cell(value, spec.kind, digits=spec.digits)}{proposed.get(spec.name, '')}")
        for spec, value in figures
    )
    return KeyValues("The difference in numbers, protected minus the rest", lines)


def _all_groups(
    finding: AmountFinding, comparison: GroupMeans, number: int, position: int, level: int, noun: str
) -> list[Block]:
    key = comparison_table(comparison, number, position, figures_of(finding)).key
    against = comparison.reference or "the rest"
    known = charts.known_groups(comparison)
    said = headlines.worst_off_sentence(
        comparison,
        lambda found: amount_words.own_mean_text(found, finding),
        lambda found: amount_words.difference_text(found.difference, finding),
        than="than",
        more_is_better=finding.decision.higher_is_favorable,
    )
    notes = left_out_sentences(comparison, noun)
    if any(row.comparison.difference is None for row in comparison.rows):
        notes.append(HIDDEN_NOTE)
    if comparison.worst_pair is not None and len(comparison.rows) > 2:
        notes.append(words.worst_pair_sentence(comparison, "difference"))
    blocks: list[Block] = [Heading(level, by_columns(comparison.columns))]
    if text := " ".join(part for part in (said, *notes) if part):
        blocks.append(Paragraph(text))
    if known:
        caption = f"Difference of each group of {', '.join(comparison.columns)} to {against}, with intervals."
        caption += brief.drawn_note(len(known), brief.MOST_GROUPS, held_by="the CSV file holds")
        caption = f"{caption} {say_group_ranges(comparison)}".rstrip()
        drawn, alt = charts.group_means_chart(finding, comparison), charts.group_means_alt(finding, comparison)
        blocks.append(Chart(f"{key}_chart", caption, alt, drawn, key))
    return blocks


def _strata(finding: AmountFinding, strata: StratifiedMeans, number: int, level: int) -> list[Block]:
    full = strata_table(strata, number, figures_of(finding), cuts=finding.plan.strata_cuts)
    key = full.key
    blocks: list[Block] = [Heading(level, f"Within {words.listed(words.strata_text(finding))}")]
    if said := say(say_similar(finding)):
        blocks.append(Paragraph(said))
    known = charts.known_strata(strata)
    notes = [bands] if (bands := words.bands_sentence(finding)) else []
    if left_out := words.strata_left_out(strata, "has no amount"):
        notes.append(left_out)
    if len(known) < len(strata.strata):
        notes.append(HIDDEN_NOTE)
    if notes:
        blocks.append(Paragraph(" ".join(notes)))
    if known:
        caption = f"Difference inside each {words.each_stratum_text(finding, ', ')}; dashed: in all rows together."
        caption += brief.drawn_note(len(known), brief.MOST_GROUPS, "strata", held_by="the CSV file holds")
        caption = f"{caption} {say_ranges(strata.strata)}".rstrip()
        drawn, alt = charts.mean_strata_chart(finding, strata), charts.mean_strata_alt(finding, strata)
        blocks += [Chart(f"{key}_chart", caption, alt, drawn, key), *strata_numbers(full)]
    elif len(blocks) == 1:
        blocks.append(Paragraph(words.STRATA_NOT_SHOWN))
    return blocks


def _folded(table: Table) -> Table:
    """Return a table of figures with all values in one column."""
    lines = tuple(
        (
            row[0],
            next((cell(v, s.kind, digits=s.digits) for v, s in _values(table, row) if v not in ("", ("", ""))), ""),
        )
        for row in table.rows
    )
    columns = (table.columns[0], ColumnSpec("value", "value", "amount", "The figure."))
    return replace(table, columns=columns, rows=lines)


def _values(table: Table, row: tuple) -> list[tuple]:
    return list(zip(row[1:], table.columns[1:], strict=True))
