"""The chapters of one check of amounts: the answer, who was compared, groups, strata, similar people, the numbers."""

from __future__ import annotations

from dataclasses import replace

from fairaudit.audit.result import AmountFinding
from fairaudit.findings import Message
from fairaudit.measure.mean_strata import StratifiedMeans
from fairaudit.measure.results import GroupMeans
from fairaudit.messages import say
from fairaudit.present import amount_words, brief
from fairaudit.present.blocks import Block, ColumnSpec, Heading, KeyValues, Paragraph, Table
from fairaudit.present.blocks import cell_text as cell
from fairaudit.present.charts import amounts as charts
from fairaudit.present.printed_tables import pick
from fairaudit.report.amount_tables import difference_table, figures_of, mean_strata_summary_table, similar_table
from fairaudit.report.chapters.checks import (
    group_labels,
    groups_chart,
    query_blocks,
    repeats_the_answer,
    say_compared,
    strata_chart,
)
from fairaudit.report.tables import comparison_table, groups_table, strata_table


def amount_compared_blocks(finding: AmountFinding, number: int, *, level: int, noun: str = "amount") -> list[Block]:
    """Return who was compared: both groups side by side, and how many cases there are."""
    return [
        Heading(level, say(Message("report-compared"))),
        _compared(finding, number),
        Paragraph(say(say_compared(finding))),
    ]


def amount_group_blocks(finding: AmountFinding, number: int, *, level: int, noun: str = "amount") -> list[Block]:
    """Return what is found of each group, among similar cases and among similar people: sentences and charts."""
    blocks: list[Block] = []
    for position, comparison in enumerate(finding.groups, start=1):
        if not repeats_the_answer(finding, comparison):
            blocks += _all_groups(finding, comparison, number, position, level, noun)
    blocks += [Paragraph(sentence) for sentence in finding.not_compared]
    if finding.strata is not None:
        blocks += _strata(finding, finding.strata, number, level)
    if finding.similar is not None:
        blocks += [Heading(level, say(Message("annex-similar"))), Paragraph(amount_words.similar_sentence(finding))]
    return blocks


def amount_number_blocks(finding: AmountFinding, number: int, *, level: int) -> list[Block]:
    """Return the statistics of the answer, how to read them, and the query that gives the same means."""
    blocks: list[Block] = [_figures(finding, number)]
    if finding.strata is not None:
        blocks.append(mean_strata_summary_table(finding, finding.strata, number))
    if finding.similar is not None and finding.similar.dtdi is not None:
        blocks.append(_folded(similar_table(finding, finding.similar, number)))
    return [*blocks, *query_blocks(finding, level)]


def _compared(finding: AmountFinding, number: int) -> Table:
    """Return both groups side by side, one line a figure."""
    full = pick(groups_table(finding, number, figures_of(finding)), ("n", "mean", "mean_interval", "median"))
    protected, rest = full.rows
    lines = tuple(
        (spec.label, cell(one, spec.kind, digits=spec.digits), cell(other, spec.kind, digits=spec.digits))
        for spec, one, other in zip(full.columns, protected, rest, strict=True)
    )
    own, others = group_labels(finding)
    columns = (
        ColumnSpec("what", "figure"), ColumnSpec("protected", own, "amount"), ColumnSpec("reference", others, "amount"),
    )  # fmt: skip
    is_rounded = any(side.is_rounded for side in (finding.result.protected, finding.result.reference))
    note = say(Message("annex-median-rounded")) if is_rounded else None
    return Table(full.key, say(Message("annex-both")), columns, lines, note)


def _figures(finding: AmountFinding, number: int) -> KeyValues:
    table = difference_table(finding, number)
    [row] = table.rows
    lines = tuple(
        (brief.capital(spec.label), cell(value, spec.kind, digits=spec.digits))
        for spec, value in zip(table.columns, row, strict=True)
    )
    return KeyValues(say(Message("annex-figures")), lines)


def _all_groups(
    finding: AmountFinding, comparison: GroupMeans, number: int, position: int, level: int, noun: str
) -> list[Block]:
    drawn = (charts.group_means_alt(finding, comparison), charts.group_means_chart(finding, comparison))
    key = comparison_table(comparison, number, position, figures_of(finding)).key
    return groups_chart(comparison, key, level, noun, drawn)


def _strata(finding: AmountFinding, strata: StratifiedMeans, number: int, level: int) -> list[Block]:
    full = strata_table(strata, number, figures_of(finding), cuts=finding.plan.strata_cuts)
    drawn = (charts.mean_strata_alt(finding, strata), charts.mean_strata_chart(finding, strata))
    return strata_chart(finding, strata, full, level, drawn)


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
