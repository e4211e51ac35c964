"""Every number of an audit as tables: in full for the CSV bundle, from which the PDF shows the columns that fit.

A number that the small-cell rule hides is the text "not shown" (an interval: a pair of None); an undefined one is NaN.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from fairaudit.audit.result import AuditResult, CheckFinding
from fairaudit.measure.grouping import value_text
from fairaudit.measure.results import Comparison, GroupComparison, GroupRatio, StratifiedFairness
from fairaudit.present.blocks import ColumnSpec, Kind, Table
from fairaudit.present.comparison_numbers import is_whole
from fairaudit.present.error_tables import errors_tables, scores_tables
from fairaudit.present.numbers import NOT_SHOWN, confidence_text, shown
from fairaudit.present.words import group_name, reading, verdict_word
from fairaudit.presets.tables import preset_tables
from fairaudit.remedies.shared.amount_tables import amount_remedies_tables
from fairaudit.remedies.shared.tables import remedies_tables
from fairaudit.report.amount_tables import amount_tables


def all_tables(result: AuditResult) -> tuple[Table, ...]:
    """Return every table of an audit, in the order of the report."""
    tables = [summary_table(result)] if result.checks else amount_tables(result)
    for number, finding in enumerate(result.checks, start=1):
        tables.append(groups_table(finding, number))
        tables += [comparison_table(table, number, i) for i, table in enumerate(finding.groups, start=1)]
        if finding.strata is not None:
            tables += [strata_table(finding.strata, number), strata_summary_table(finding.strata, number)]
    for number, errors in enumerate(result.errors, start=1):
        tables += errors_tables(errors, number)
        tables += scores_tables(errors, number)
    for number, preset in enumerate(result.presets, start=1):
        tables += preset_tables(preset, number)
    if result.remedies is not None:
        tables += remedies_tables(result.remedies)
    if result.amount_remedies is not None:
        tables += amount_remedies_tables(result.amount_remedies)
    if result.quality is not None:
        tables += quality_tables(result)
    return tuple(tables)


def summary_table(result: AuditResult) -> Table:
    """Return one row a check: who was compared, the gap and the answer."""
    level = _confidence(f.result for f in result.checks)
    columns = (
        ColumnSpec("check", "check", "number", "Number of the check in the plan.", digits=0),
        ColumnSpec("title", "question", "text", "Title of the check, or who is protected."),
        ColumnSpec("answer", "alike?", "text", "Yes and No need clear evidence; otherwise too close to call."),
        ColumnSpec("reading", "reading", "text", "The point answer and how clear the evidence is."),
        *_gap_columns(level),
        ColumnSpec("protected_n", "protected rows", "count", "Rows of the protected group with a known decision."),
        ColumnSpec("reference_n", "other rows", "count", "Rows of the rest with a known decision."),
        ColumnSpec("unknown", "group unknown", "count", "Rows in neither group."),
        ColumnSpec("undecided", "no decision", "count", "Rows in a group but without a decision."),
        ColumnSpec("population", "population", "count", "Rows that meet the filter."),
        ColumnSpec("filtered_out", "filtered out", "count", "Rows that do not meet the filter."),
    )
    rows = []
    for number, finding in enumerate(result.checks, start=1):
        c = finding.result
        title = finding.plan.title or group_name(finding)
        sizes = (c.protected.n, c.reference.n, c.unknown, c.undecided, c.n_population, c.n_filtered_out)
        rows.append((number, title, verdict_word(c), reading(c), *_gap_cells(c), *map(shown, sizes)))
    return Table("summary", "All checks", columns, tuple(rows))


def groups_table(finding: CheckFinding, number: int) -> Table:
    """Return one row for the protected group and one for the rest."""
    result = finding.result
    columns = (
        ColumnSpec("role", "group", "text", "Protected group or the rest."),
        ColumnSpec("condition", "condition", "code", "The condition that makes the group."),
        *_ratio_columns("", "", confidence_text(result.confidence)),
        ColumnSpec("undecided", "no decision", "count", "Rows of the group without a decision; not in n."),
    )
    inside = result.protected_condition
    groups = (("protected", inside, result.protected), ("the rest", f"NOT ({inside})", result.reference))
    rows = tuple((role, text, *_ratio_cells(g), shown(g.undecided)) for role, text, g in groups)
    return Table(f"check_{number}_groups", "What was compared", columns, rows)


def comparison_table(comparison: GroupComparison, number: int, position: int) -> Table:
    """Return one row a group, each against the rest or the reference."""
    level = _confidence(row.comparison for row in comparison.rows)
    columns = (
        *(
            ColumnSpec(f"group_{i}", name, "text", f"Value of the column {name}.")
            for i, name in enumerate(comparison.columns, start=1)
        ),
        *_ratio_columns("", "", level),
        *_gap_columns(level, _tolerance(row.comparison for row in comparison.rows)),
        ColumnSpec(
            "adjusted_p_value", "p, adjusted", "p", "p-value after Holm's adjustment for all groups of the table."
        ),
        ColumnSpec(
            "reading", "reading", "text", "The point answer, how clear the evidence is, and whether rows are few."
        ),
        ColumnSpec("small", "few rows", "text", "yes: fewer rows than the plan's min_count."),
        ColumnSpec("reference", "against", "text", "What the group is compared with."),
        ColumnSpec("reference_n", "rows there", "count", "Rows of that reference with a known decision."),
        ColumnSpec("reference_share", "share there", "share", "Share of good outcomes in that reference."),
    )
    rows = []
    for row in comparison.rows:
        c = row.comparison
        small = NOT_SHOWN if row.small is None else row.small
        verdict = reading(c, small=bool(row.small))
        cells = (*_ratio_cells(c.protected), *_gap_cells(c), shown(row.adjusted_p_value), verdict, small)
        reference = (c.reference.name, shown(c.reference.n), shown(c.reference.ratio))
        rows.append((*_names(row.values), *cells, *reference))
    names = ", ".join(comparison.columns)
    return Table(f"check_{number}_all_groups_{position}", f"All groups of {names}", columns, tuple(rows))


def strata_table(strata: StratifiedFairness, number: int) -> Table:
    """Return one row a stratum with both groups and the gap inside it."""
    level = _confidence(row.comparison for row in strata.strata)
    columns = (
        *(
            ColumnSpec(f"stratum_{i}", name, "text", f"Value of the column {name}.")
            for i, name in enumerate(strata.columns, start=1)
        ),
        *_ratio_columns("protected_", "protected ", level),
        *_ratio_columns("reference_", "other ", level),
        *_gap_columns(level, _tolerance(row.comparison for row in strata.strata)),
        ColumnSpec("reading", "reading", "text", "The point answer and how clear the evidence is."),
        ColumnSpec("unknown", "group unknown", "count", "Rows of the stratum in neither group."),
    )
    rows = tuple(
        (
            *_names(row.values),
            *_ratio_cells(row.comparison.protected),
            *_ratio_cells(row.comparison.reference),
            *_gap_cells(row.comparison),
            reading(row.comparison),
            shown(row.unknown),
        )
        for row in strata.strata
    )
    return Table(f"check_{number}_strata", f"By {', '.join(strata.columns)}", columns, rows)


def strata_summary_table(strata: StratifiedFairness, number: int) -> Table:
    """Return what the strata say together, one row a figure."""
    columns = (
        ColumnSpec("figure", "figure", "text", "Which figure."),
        ColumnSpec("gap", "gap, points", "points", "The figure, where it is a gap."),
        ColumnSpec("gap_interval", "gap, interval", "points_interval", "Interval of the gap."),
        ColumnSpec("value", "value", "number", "The figure, where it is no gap.", digits=3),
        ColumnSpec("value_interval", "value, interval", "number_interval", "Interval, where it has one.", digits=3),
        ColumnSpec("p_value", "p-value", "p", "Of a test of no gap in any stratum."),
    )
    none = ("", "")
    pooled, common = strata.pooled, tuple(strata.common_difference_interval)
    odds = tuple(strata.common_odds_ratio_interval)
    plain, uncorrected = shown(strata.cmh_p_value), shown(strata.cmh_p_value_uncorrected)
    rows = (
        ("gap in all rows together", shown(pooled.difference), tuple(pooled.difference_interval), "", none, ""),
        ("gap held equal for the strata", shown(strata.common_difference), common, "", none, ""),
        ("common odds ratio (Mantel-Haenszel)", "", none, shown(strata.common_odds_ratio), odds, ""),
        ("CMH statistic, with continuity correction", "", none, shown(strata.cmh_statistic), none, plain),
        ("CMH statistic, without correction", "", none, shown(strata.cmh_statistic_uncorrected), none, uncorrected),
    )
    return Table(f"check_{number}_strata_together", "The strata together", columns, rows)


def quality_tables(result: AuditResult) -> list[Table]:
    """Return what is remarkable about the data, one row an issue; empty without a quality report."""
    columns = (
        ColumnSpec("column", "column", "text", "The column; empty for the whole table."),
        ColumnSpec("code", "kind", "code", "What kind of issue."),
        ColumnSpec("n", "rows", "count", "How many rows or cells."),
        ColumnSpec("message", "what was found", "text", "The issue in words."),
        ColumnSpec("advice", "what to do", "text", "What can be done about it."),
    )
    rows = tuple((i.column, i.code, i.n, i.message, i.advice) for i in result.quality.issues)
    return [Table("quality", "What to know about the data", columns, rows)]


def _ratio_columns(prefix: str, label: str, level: str) -> tuple[ColumnSpec, ...]:
    def column(name: str, head: str, kind: Kind, description: str) -> ColumnSpec:
        return ColumnSpec(prefix + name, label + head, kind, description)

    return (
        column("n", "rows", "count", "Rows with a known decision."),
        column("positives", "good outcome", "count", "Those of them with the good outcome."),
        column("share", "share", "share", "Good outcomes divided by rows with a known decision."),
        column(
            "share_interval", f"share, {level} interval", "share_interval", f"{level} Wilson interval of the share."
        ),
    )


def _ratio_cells(group: GroupRatio) -> tuple[Any, ...]:
    return shown(group.n), shown(group.positives), shown(group.ratio), tuple(group.interval)


def _gap_columns(level: str, tolerance: float | None = None) -> tuple[ColumnSpec, ...]:
    share, interval = "Share of the group minus share of what it is compared with.", f"gap, {level} interval"
    newcombe = f"{level} Newcombe interval of the gap."
    return (
        ColumnSpec("gap", "gap, points", "points", share, beside=tolerance),
        ColumnSpec("gap_interval", interval, "points_interval", newcombe, beside=tolerance),
        ColumnSpec("impact_ratio", "impact ratio", "number", "Share of the group divided by the other share."),
        ColumnSpec(
            "impact_ratio_interval", f"impact ratio, {level}", "number_interval", f"{level} interval of the ratio."
        ),
        ColumnSpec("p_value", "p-value", "p", "Two-sided test of no gap."),
        ColumnSpec("test", "test", "text", "z: pooled z test; fisher: Fisher's exact test."),
    )


def _gap_cells(c: Comparison) -> tuple[Any, ...]:
    intervals = tuple(c.difference_interval), tuple(c.impact_ratio_interval)
    return shown(c.difference), intervals[0], shown(c.impact_ratio), intervals[1], shown(c.p_value), shown(c.test)


def _names(values: tuple[tuple[str, Any], ...]) -> tuple[str, ...]:
    return tuple(value_text(value) for _, value in values)


def _tolerance(comparisons: Iterable[Comparison]) -> float | None:
    """Return what the gaps of a table are read against; None where some counts are hidden, so that digits stay."""
    rows = tuple(comparisons)
    return rows[0].tolerance if rows and all(map(is_whole, rows)) else None


def _confidence(comparisons: Iterable[Comparison]) -> str:
    levels = {c.confidence for c in comparisons}
    return confidence_text(levels.pop()) if len(levels) == 1 else "confidence"
