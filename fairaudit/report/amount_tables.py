"""The tables of a decision that is an amount: in full for the CSV bundle, from which PDF and pages show what fits."""

from __future__ import annotations

from fairaudit.audit.result import AmountFinding, AuditResult
from fairaudit.findings import Message
from fairaudit.measure.mean_strata import StratifiedMeans
from fairaudit.measure.similar import SimilarAmounts
from fairaudit.messages import say
from fairaudit.present.amount_words import digits_of
from fairaudit.present.blocks import ColumnSpec, Table
from fairaudit.present.numbers import confidence_text, shown
from fairaudit.present.words import READINGS_MEANING, reading
from fairaudit.report.figures import AmountFigures
from fairaudit.report.tables import comparison_table, groups_table, strata_table, summary_table


def amount_tables(result: AuditResult) -> list[Table]:
    """Return every table about amounts, in the order of the report; empty without questions."""
    tables = [amount_summary_table(result)] if result.amounts else []
    for number, finding in enumerate(result.amounts, start=1):
        figures = figures_of(finding)
        tables += [groups_table(finding, number, figures), difference_table(finding, number)]
        tables += [comparison_table(each, number, i, figures) for i, each in enumerate(finding.groups, start=1)]
        if finding.strata is not None:
            tables.append(strata_table(finding.strata, number, figures, cuts=finding.plan.strata_cuts))
            tables.append(mean_strata_summary_table(finding, finding.strata, number))
        if finding.similar is not None:
            tables.append(similar_table(finding, finding.similar, number))
    return tables


def amount_summary_table(result: AuditResult) -> Table:
    """Return one row a check: who was compared, the difference and the answer."""
    # All checks are about the same column.
    return summary_table(result, AmountFigures(max(map(digits_of, result.amounts))))


def figures_of(finding: AmountFinding) -> AmountFigures:
    """Return the columns for figures of an answer."""
    return AmountFigures(digits_of(finding))


def difference_table(finding: AmountFinding, number: int) -> Table:
    """Return the difference between both groups, how sure it is, and the disparate impact index, in one row."""
    result, digits = finding.result, digits_of(finding)
    columns = (
        *figures_of(finding).gap_columns(confidence_text(result.confidence)),
        ColumnSpec("tolerance", "tolerance", "amount", "The largest difference that counts as alike.", digits=digits),
        ColumnSpec("reading", say(Message("annex-verdict")), "text", READINGS_MEANING),
        ColumnSpec("ratio", "ratio of means", "number", "Protected divided by everyone else."),
        ColumnSpec("didi", "DIDI", "amount", "How far both means are from that of all.", digits=digits),
    )
    cells = (shown(result.tolerance), reading(result), shown(result.ratio), shown(result.didi))
    return Table(
        f"check_{number}_difference", "The difference", columns, ((*figures_of(finding).gap_cells(result), *cells),)
    )


def mean_strata_summary_table(finding: AmountFinding, strata: StratifiedMeans, number: int) -> Table:
    """Return what the strata say together, one row a figure."""
    level = confidence_text(finding.result.confidence)
    columns = (
        ColumnSpec("figure", "figure", "text", "Which figure."),
        *figures_of(finding).gap_columns(level)[:2],
        ColumnSpec("p_value", "p-value", "p", "Two-sided test of no difference."),
    )
    pooled = strata.pooled
    common = (shown(strata.common_difference), tuple(strata.common_difference_interval), shown(strata.p_value))
    whole = (shown(pooled.difference), tuple(pooled.difference_interval), shown(pooled.p_value))
    rows = (("in all rows", *whole), ("among similar cases", *common))
    return Table(f"check_{number}_strata_together", "All strata together", columns, rows)


def similar_table(finding: AmountFinding, similar: SimilarAmounts, number: int) -> Table:
    """Return what similar people get, one row a figure."""
    digits = digits_of(finding)
    columns = (
        ColumnSpec("figure", "figure", "text", "Which figure."),
        ColumnSpec("amount", "amount", "amount", "As an amount.", digits=digits),
        ColumnSpec("difference", "difference", "difference", "As a difference.", digits=digits),
        ColumnSpec(
            "difference_interval",
            "difference, range",
            "difference_interval",
            "As a range.",
            digits=digits,
        ),
        ColumnSpec("count", "rows", "count", "As a count."),
    )
    amounts = (
        ("distance of groups' means among similar people", similar.average),
        ("the same by chance, on average", similar.by_chance),
        ("the same by chance, one time in twenty", similar.by_chance_high),
        ("DTDI, over all rows and groups", similar.dtdi),
    )
    counts = (
        ("similar people for each row", similar.n_neighbors),
        ("rows that were used", similar.n_rows),
        ("rows that could be used", similar.n_usable),
        ("rows without protected people near them", similar.n_alone[0]),
        ("rows with only protected people near them", similar.n_alone[1]),
    )
    none, chance = ("", ""), tuple(similar.difference_by_chance)
    rows = (
        ("difference among similar people, on average", "", shown(similar.difference), none, ""),
        ("the same by chance, 19 times in 20", "", "", chance, ""),
        *((name, shown(value), "", none, "") for name, value in amounts),
        *((name, "", "", none, shown(value)) for name, value in counts),
    )
    title = say(Message("annex-similar"))
    return Table(f"check_{number}_similar", title, columns, rows)
