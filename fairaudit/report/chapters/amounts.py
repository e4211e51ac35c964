"""The chapter of one check of amounts: the answer, who was compared, groups, strata, similar people, how sure it is."""

from __future__ import annotations

from dataclasses import replace

from fairaudit.audit.result import AmountFinding
from fairaudit.measure.mean_strata import StratifiedMeans
from fairaudit.measure.results import GroupMeans
from fairaudit.present import amount_words, brief, words
from fairaudit.present.blocks import Block, Chart, Code, ColumnSpec, Heading, Items, KeyValues, Note, Paragraph, Table
from fairaudit.present.blocks import cell_text as cell
from fairaudit.present.charts import amounts as charts
from fairaudit.present.detectable_words import more_rows_sentence
from fairaudit.present.printed_tables import pick
from fairaudit.report.amount_explanations import amount_caveats, amount_next_step
from fairaudit.report.amount_tables import (
    difference_table,
    figures_of,
    mean_strata_summary_table,
    similar_table,
)
from fairaudit.report.chapters.checks import HIDDEN_NOTE, conditions
from fairaudit.report.tables import comparison_table, groups_table, strata_table


def amount_opening(finding: AmountFinding, number: int) -> list[Block]:
    """Return the verdict as a lead paragraph and its chart."""
    answer, spread = amount_words.verdict_parts(finding)
    blocks: list[Block] = [Paragraph(spread, lead=True, strong=answer)]
    if words.verdict_word(finding.result) not in ("Not shown", "Cannot say"):
        level = words.confidence_text(finding.result.confidence)
        caption = (
            f"Mean {finding.meaning}, {level} intervals; shaded: within {amount_words.tolerance_text(finding)} of the "
            "rest."
        )
        drawn, alt = charts.means_chart(finding), charts.means_alt(finding)
        blocks.append(Chart(f"check_{number}_chart", caption, alt, drawn, f"check_{number}_groups"))
    return blocks


def amount_blocks(finding: AmountFinding, number: int, *, level: int) -> list[Block]:
    """Return everything on one check of amounts below its opening."""
    blocks: list[Block] = [Heading(level, "What was compared"), _compared(finding, number)]
    blocks += [Paragraph(words.population_sentence(finding)), _figures(finding, number)]
    blocks.append(Paragraph(amount_words.didi_sentence(finding)))
    for position, comparison in enumerate(finding.groups, start=1):
        blocks += _all_groups(finding, comparison, number, position, level)
    blocks += [Note(f"Not compared. {sentence}") for sentence in finding.not_compared]
    if finding.strata is not None:
        blocks += _strata(finding, finding.strata, number, level)
    if finding.similar is not None:
        blocks.append(Heading(level, "What similar people get"))
        blocks.append(Paragraph(amount_words.similar_sentence(finding)))
        if details := amount_words.similar_details(finding):
            blocks.append(Paragraph(details))
        blocks.append(_folded(similar_table(finding, finding.similar, number)))
    blocks.append(Heading(level, "How sure, and what this does not say"))
    blocks.append(Paragraph(amount_words.evidence_sentence(finding)))
    if more_rows := more_rows_sentence(finding):
        blocks.append(Paragraph(more_rows, strong="How much data it takes."))
    blocks.append(Items(amount_caveats(finding)))
    if step := amount_next_step(finding):
        blocks.append(Paragraph(step, strong="What next."))
    blocks.append(Heading(level, "The same rows in SQL"))
    better = "more" if finding.decision.higher_is_favorable else "less"
    asked = (*conditions(finding), ("Better for the person", better))
    blocks.append(KeyValues(None, asked, code=("Filter", "Protected condition")))
    blocks.append(Code(finding.sql, title="This query gives the same counts and means"))
    return blocks


def _compared(finding: AmountFinding, number: int) -> Table:
    """Return both groups side by side, one line a figure."""
    full = groups_table(finding, number, figures_of(finding))
    protected, rest = full.rows
    lines = tuple(
        (spec.label, cell(one, spec.kind, digits=spec.digits), cell(other, spec.kind, digits=spec.digits))
        for spec, one, other in zip(full.columns[1:], protected[1:], rest[1:], strict=True)
    )
    columns = (
        ColumnSpec("what", "figure", "text", "What the figure is."),
        ColumnSpec("protected", "protected", "amount", "Protected group."),
        ColumnSpec("reference", "the rest", "amount", "The rest."),
    )
    return Table(full.key, full.title, columns, lines)


def _figures(finding: AmountFinding, number: int) -> KeyValues:
    table = difference_table(finding, number)
    [row] = table.rows
    figures = zip(table.columns, row, strict=True)
    lines = tuple((brief.capital(spec.label), cell(value, spec.kind, digits=spec.digits)) for spec, value in figures)
    return KeyValues("The difference in numbers, protected minus the rest", lines)


def _all_groups(finding: AmountFinding, comparison: GroupMeans, number: int, position: int, level: int) -> list[Block]:
    table = comparison_table(comparison, number, position, figures_of(finding))
    names = [column.name for column in table.columns if column.name.startswith("group_")]
    figures = ["n", "mean", "median", "difference", "difference_interval", "adjusted_p_value", "reading"]
    against = comparison.reference or "the rest"
    known = charts.known((row.name, row.comparison) for row in comparison.rows)
    notes = [f"Difference: mean of the group minus mean of {against}."]
    if comparison.unknown:
        notes.append(f"Left out: {words.count_text(comparison.unknown)} rows with an unknown group.")
    if comparison.undecided:
        notes.append(f"Left out: {words.count_text(comparison.undecided)} rows without an amount.")
    if any(row.comparison.difference is None for row in comparison.rows):
        notes.append(brief.capital(HIDDEN_NOTE))
    if comparison.worst_pair is not None:
        notes.append(words.worst_pair_sentence(comparison, "difference"))
    blocks: list[Block] = [Heading(level, table.title)]
    if known:
        caption = f"Difference of each group of {', '.join(comparison.columns)} to {against}, with intervals."
        caption += brief.drawn_note(len(known), brief.MOST_GROUPS)
        drawn, alt = charts.group_means_chart(finding, comparison), charts.group_means_alt(finding, comparison)
        blocks.append(Chart(f"{table.key}_chart", caption, alt, drawn, table.key))
    blocks.append(replace(pick(table, [*names, *figures]), note=" ".join(notes)))
    return blocks


def _strata(finding: AmountFinding, strata: StratifiedMeans, number: int, level: int) -> list[Block]:
    table = strata_table(strata, number, figures_of(finding))
    names = [column.name for column in table.columns if column.name.startswith("stratum_")]
    means = ["protected_n", "protected_mean", "reference_n", "reference_mean"]
    blocks: list[Block] = [Heading(level, f"Holding {', '.join(strata.columns)} equal")]
    if sentence := amount_words.strata_sentence(finding):
        blocks.append(Paragraph(sentence))
    if warning := amount_words.reversal_warning(finding):
        blocks.append(Note(warning, kind="warning"))
    known = charts.known((row.name, row.comparison) for row in strata.strata)
    if known:
        caption = f"Difference inside each stratum of {', '.join(strata.columns)}; dashed: in all rows together."
        caption += brief.drawn_note(len(known), brief.MOST_GROUPS, "strata")
        drawn, alt = charts.mean_strata_chart(finding, strata), charts.mean_strata_alt(finding, strata)
        blocks.append(Chart(f"{table.key}_chart", caption, alt, drawn, table.key))
    notes = ["Difference: protected minus the rest inside the stratum."]
    if strata.left_out:
        notes.append(f"Not compared, because one of the groups has no amount there: {'; '.join(strata.left_out)}.")
    if len(known) < len(strata.strata):
        notes.append(brief.capital(HIDDEN_NOTE))
    compact = pick(table, [*names, *means, "difference", "difference_interval", "reading"])
    return [*blocks, replace(compact, note=" ".join(notes)), mean_strata_summary_table(finding, strata, number)]


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
