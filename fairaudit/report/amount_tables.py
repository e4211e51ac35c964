"""The tables of a decision that is an amount: in full for the CSV bundle, from which PDF and pages show what fits."""

from __future__ import annotations

from typing import Any

from fairaudit.audit.result import AmountFinding, AuditResult
from fairaudit.measure.grouping import value_text
from fairaudit.measure.mean_results import GroupMean, MeanComparison
from fairaudit.measure.mean_strata import StratifiedMeans
from fairaudit.measure.results import GroupMeans
from fairaudit.measure.similar import SimilarAmounts
from fairaudit.present.amount_words import digits_of
from fairaudit.present.blocks import ColumnSpec, Kind, Table
from fairaudit.present.numbers import NOT_SHOWN, confidence_text, shown
from fairaudit.present.words import group_name, reading, verdict_word


def amount_tables(result: AuditResult) -> list[Table]:
    """Return every table about amounts, in the order of the report; empty where the decision is none."""
    tables = [amount_summary_table(result)] if result.amounts else []
    for number, finding in enumerate(result.amounts, start=1):
        tables += [means_table(finding, number), difference_table(finding, number)]
        tables += [group_means_table(finding, each, number, i) for i, each in enumerate(finding.groups, start=1)]
        if finding.strata is not None:
            tables += [mean_strata_table(finding, finding.strata, number)]
            tables += [mean_strata_summary_table(finding, finding.strata, number)]
        if finding.similar is not None:
            tables.append(similar_table(finding, finding.similar, number))
    return tables


def amount_summary_table(result: AuditResult) -> Table:
    """Return one row a check: who was compared, the difference and the answer."""
    # All checks are about the same column.
    digits = max(map(digits_of, result.amounts))
    levels = {finding.result.confidence for finding in result.amounts}
    columns = (
        ColumnSpec("check", "check", "number", "Number of the check in the plan.", digits=0),
        ColumnSpec("title", "question", "text", "Title of the check, or who is protected."),
        ColumnSpec("answer", "alike?", "text", "Yes and No need clear evidence; otherwise too close to call."),
        ColumnSpec("reading", "reading", "text", "The point answer and how clear the evidence is."),
        *_difference_columns(confidence_text(levels.pop()) if len(levels) == 1 else "confidence", digits),
        ColumnSpec("protected_n", "protected rows", "count", "Rows of the protected group with an amount."),
        ColumnSpec("reference_n", "other rows", "count", "Rows of the rest with an amount."),
        ColumnSpec("unknown", "group unknown", "count", "Rows in neither group."),
        ColumnSpec("undecided", "no amount", "count", "Rows in a group but without an amount."),
        ColumnSpec("population", "population", "count", "Rows that meet the filter."),
        ColumnSpec("filtered_out", "filtered out", "count", "Rows that do not meet the filter."),
    )
    rows = []
    for number, finding in enumerate(result.amounts, start=1):
        c = finding.result
        sizes = (c.protected.n, c.reference.n, c.unknown, c.undecided, c.n_population, c.n_filtered_out)
        title = finding.plan.title or group_name(finding)
        rows.append((number, title, verdict_word(c), reading(c), *_difference_cells(c), *map(shown, sizes)))
    return Table("summary", "All checks", columns, tuple(rows))


def means_table(finding: AmountFinding, number: int) -> Table:
    """Return one row for the protected group and one for the rest."""
    result = finding.result
    columns = (
        ColumnSpec("role", "group", "text", "Protected group or the rest."),
        ColumnSpec("condition", "condition", "code", "The condition that makes the group."),
        *_mean_columns("", "", confidence_text(result.confidence), digits_of(finding)),
        ColumnSpec("undecided", "no amount", "count", "Rows of the group without an amount; not in n."),
    )
    inside = result.protected_condition
    groups = (("protected", inside, result.protected), ("the rest", f"NOT ({inside})", result.reference))
    rows = tuple((role, text, *_mean_cells(group), shown(group.undecided)) for role, text, group in groups)
    return Table(f"check_{number}_groups", "What was compared", columns, rows)


def difference_table(finding: AmountFinding, number: int) -> Table:
    """Return the difference between both groups, how sure it is, and the disparate impact index, in one row."""
    result, digits = finding.result, digits_of(finding)
    columns = (
        *_difference_columns(confidence_text(result.confidence), digits),
        ColumnSpec("tolerance", "tolerance", "amount", "The largest difference that counts as alike.", digits=digits),
        ColumnSpec("reading", "reading", "text", "The point answer and how clear the evidence is."),
        ColumnSpec(
            "ratio", "ratio of means", "number", "Protected divided by the rest; undefined unless both are above 0."
        ),
        ColumnSpec("didi", "DIDI", "amount", "How far both means are from the mean of all, added up.", digits=digits),
    )
    cells = (shown(result.tolerance), reading(result), shown(result.ratio), shown(result.didi))
    return Table(f"check_{number}_difference", "The difference", columns, ((*_difference_cells(result), *cells),))


def group_means_table(finding: AmountFinding, comparison: GroupMeans, number: int, position: int) -> Table:
    """Return one row a group, each against the rest or the reference."""
    level, digits = confidence_text(finding.result.confidence), digits_of(finding)
    columns = (
        *_name_columns("group", comparison.columns),
        *_mean_columns("", "", level, digits),
        *_difference_columns(level, digits),
        ColumnSpec(
            "adjusted_p_value", "p, adjusted", "p", "p-value after Holm's adjustment for all groups of the table."
        ),
        ColumnSpec("reading", "reading", "text", "The point answer, how clear it is, and whether rows are few."),
        ColumnSpec("small", "few rows", "text", "yes: fewer rows than the plan's min_count."),
        ColumnSpec("reference", "against", "text", "What the group is compared with."),
        ColumnSpec("reference_n", "rows there", "count", "Rows of that reference with an amount."),
        ColumnSpec("reference_mean", "mean there", "amount", "Mean amount in that reference.", digits=digits),
    )
    rows = []
    for row in comparison.rows:
        c = row.comparison
        verdict = reading(c, small=bool(row.small))
        small = NOT_SHOWN if row.small is None else row.small
        cells = (*_mean_cells(c.protected), *_difference_cells(c), shown(row.adjusted_p_value), verdict, small)
        rows.append((*_names(row.values), *cells, c.reference.name, shown(c.reference.n), shown(c.reference.mean)))
    title = f"All groups of {', '.join(comparison.columns)}"
    return Table(f"check_{number}_all_groups_{position}", title, columns, tuple(rows))


def mean_strata_table(finding: AmountFinding, strata: StratifiedMeans, number: int) -> Table:
    """Return one row a stratum with both groups and the difference inside it."""
    level, digits = confidence_text(finding.result.confidence), digits_of(finding)
    columns = (
        *_name_columns("stratum", strata.columns),
        *_mean_columns("protected_", "protected ", level, digits),
        *_mean_columns("reference_", "other ", level, digits),
        *_difference_columns(level, digits),
        ColumnSpec("reading", "reading", "text", "The point answer and how clear the evidence is."),
        ColumnSpec("unknown", "group unknown", "count", "Rows of the stratum in neither group."),
    )
    rows = tuple(
        (
            *_names(row.values),
            *_mean_cells(row.comparison.protected),
            *_mean_cells(row.comparison.reference),
            *_difference_cells(row.comparison),
            reading(row.comparison),
            shown(row.unknown),
        )
        for row in strata.strata
    )
    return Table(f"check_{number}_strata", f"By {', '.join(strata.columns)}", columns, rows)


def mean_strata_summary_table(finding: AmountFinding, strata: StratifiedMeans, number: int) -> Table:
    """Return what the strata say together, one row a figure."""
    level, digits = confidence_text(finding.result.confidence), digits_of(finding)
    columns = (
        ColumnSpec("figure", "figure", "text", "Which figure."),
        *_difference_columns(level, digits)[:2],
        ColumnSpec("p_value", "p-value", "p", "Two-sided test of no difference."),
    )
    pooled = strata.pooled
    common = (shown(strata.common_difference), tuple(strata.common_difference_interval), shown(strata.p_value))
    whole = (shown(pooled.difference), tuple(pooled.difference_interval), shown(pooled.p_value))
    rows = (("in all rows together", *whole), ("with the strata held equal", *common))
    return Table(f"check_{number}_strata_together", "The strata together", columns, rows)


def similar_table(finding: AmountFinding, similar: SimilarAmounts, number: int) -> Table:
    """Return what similar people get, one row a figure."""
    digits = digits_of(finding)
    columns = (
        ColumnSpec("figure", "figure", "text", "Which figure."),
        ColumnSpec("amount", "amount", "amount", "The figure, where it is an amount.", digits=digits),
        ColumnSpec("difference", "difference", "difference", "The figure, where it is a difference.", digits=digits),
        ColumnSpec(
            "difference_interval",
            "difference, range",
            "difference_interval",
            "The figure, where it is a range of differences.",
            digits=digits,
        ),
        ColumnSpec("count", "rows", "count", "The figure, where it is a count."),
    )
    amounts = (
        ("a group's mean among similar people, distance from the mean of all of them", similar.average),
        ("the same if chance alone made them differ, on average", similar.by_chance),
        ("the same, exceeded by chance one time in twenty", similar.by_chance_high),
        ("disparate treatment index (DTDI), added up over all rows and groups", similar.dtdi),
    )
    counts = (
        ("similar people looked at for each row, itself included", similar.n_neighbors),
        ("rows that were used", similar.n_rows),
        ("rows that could be used", similar.n_usable),
        ("rows without a protected person near them", similar.n_alone[0]),
        ("rows without a person of the rest near them", similar.n_alone[1]),
    )
    none, chance = ("", ""), tuple(similar.difference_by_chance)
    rows = (
        ("protected minus the rest among similar people, on average", "", shown(similar.difference), none, ""),
        ("where chance alone would put that, nineteen times in twenty", "", "", chance, ""),
        *((name, shown(value), "", none, "") for name, value in amounts),
        *((name, "", "", none, shown(value)) for name, value in counts),
    )
    title = f"People similar in {', '.join(similar.columns)}"
    return Table(f"check_{number}_similar", title, columns, rows)


def _mean_columns(prefix: str, label: str, level: str, digits: int) -> tuple[ColumnSpec, ...]:
    def column(name: str, head: str, kind: Kind, description: str) -> ColumnSpec:
        return ColumnSpec(prefix + name, label + head, kind, description, digits=digits)

    return (
        ColumnSpec(f"{prefix}n", f"{label}rows", "count", "Rows with an amount."),
        column("mean", "mean", "amount", "Their mean."),
        column("mean_interval", f"mean, {level} interval", "amount_interval", f"{level} interval, Student's t."),
        column("standard_deviation", "standard deviation", "amount", "How far the amounts are spread."),
        column("quarter", "lower quartile", "amount", "A quarter of the rows are at or below."),
        column("median", "median", "amount", "Half of the rows are at or below."),
        column("three_quarters", "upper quartile", "amount", "Three quarters of the rows are at or below."),
    )


def _mean_cells(group: GroupMean) -> tuple[Any, ...]:
    quartiles = (group.quarter, group.median, group.three_quarters)
    return shown(group.n), shown(group.mean), tuple(group.interval), shown(group.deviation), *map(shown, quartiles)


def _difference_columns(level: str, digits: int) -> tuple[ColumnSpec, ...]:
    return (
        ColumnSpec("difference", "difference", "difference", "Mean minus the mean it is compared with.", digits=digits),
        ColumnSpec(
            "difference_interval",
            f"difference, {level} interval",
            "difference_interval",
            f"{level} interval, Welch's.",
            digits=digits,
        ),
        ColumnSpec(
            "standardized_difference",
            "standardised difference",
            "number",
            "The difference divided by the standard deviation within both groups.",
        ),
        ColumnSpec("p_value", "p-value", "p", "Two-sided test of no difference, Welch's."),
    )


def _difference_cells(c: MeanComparison) -> tuple[Any, ...]:
    interval = tuple(c.difference_interval)
    return shown(c.difference), interval, shown(c.standardized_difference), shown(c.p_value)


def _name_columns(kind: str, columns: tuple[str, ...]) -> tuple[ColumnSpec, ...]:
    return tuple(
        ColumnSpec(f"{kind}_{i}", name, "text", f"Value of the column {name}.")
        for i, name in enumerate(columns, start=1)
    )


def _names(values: tuple[tuple[str, Any], ...]) -> tuple[str, ...]:
    return tuple(value_text(value) for _, value in values)
