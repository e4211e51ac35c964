"""Every number of an audit as tables: in full for the CSV bundle, from which the PDF shows the columns that fit.

A number that the small-cell rule hides is the text "not shown" (an interval: a pair of None); an undefined one is NaN.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from fairaudit.audit.result import AmountFinding, AuditResult, CheckFinding
from fairaudit.errors import sure
from fairaudit.findings import Message, Phrase
from fairaudit.follow_ups.registry import FOLLOW_UPS
from fairaudit.measure.bands import bands_name
from fairaudit.measure.grouping import value_text
from fairaudit.measure.limits import answer_digits
from fairaudit.measure.mean_strata import StratifiedMeans
from fairaudit.measure.results import (
    Comparison,
    GroupComparison,
    GroupMeans,
    MeanComparison,
    StratifiedFairness,
)
from fairaudit.messages import say
from fairaudit.present.blocks import ColumnSpec, Table
from fairaudit.present.error_tables import errors_tables, scores_tables
from fairaudit.present.natural_order import in_natural_order
from fairaudit.present.numbers import NOT_SHOWN, confidence_text, shown
from fairaudit.present.words import READINGS_MEANING, group_name, reading, verdict_words
from fairaudit.presets.tables import preset_tables
from fairaudit.report.figures import SHARE_FIGURES, Figures, ShareFigures


def all_tables(result: AuditResult) -> tuple[Table, ...]:
    """Return every table of an audit, in the order of the report."""
    kind = result.plan.decision.kind
    tables = list(kind.tables(result))
    for number, errors in enumerate(result.errors, start=1):
        tables += errors_tables(errors, number)
        tables += scores_tables(errors, number)
    for follow_up in FOLLOW_UPS:
        for number, found in enumerate(getattr(result, follow_up.name), start=1):
            tables += follow_up.tables(found, number)
    for number, preset in enumerate(result.presets, start=1):
        tables += preset_tables(preset, number)
    if result.tried is not None:
        tables += kind.remedies_tables(result.tried)
    if result.quality is not None:
        tables += quality_tables(result)
    return tuple(tables)


def check_tables(result: AuditResult) -> list[Table]:
    """Return every table about shares, in the order of the report; empty without questions."""
    tables = [summary_table(result)] if result.checks else []
    for number, finding in enumerate(result.checks, start=1):
        tables.append(groups_table(finding, number, share_figures(finding)))
        for i, table in enumerate(finding.groups, start=1):
            tables.append(comparison_table(table, number, i, share_figures(finding)))
        if finding.strata is not None:
            tables.append(strata_table(finding.strata, number, share_figures(finding), cuts=finding.plan.strata_cuts))
            tables.append(strata_summary_table(finding.strata, number))
    return tables


def share_figures(finding: CheckFinding, *, is_turned: bool = False) -> ShareFigures:
    """Return the columns for shares of an answer and of its groups and strata, with its decimals."""
    return ShareFigures(answer_digits(finding.result), is_turned)


def summary_table(result: AuditResult, figures: Figures = SHARE_FIGURES) -> Table:
    """Return one row a check: who was compared, the gap and the answer."""
    kind = figures.kind
    columns = (
        ColumnSpec("check", "no.", "number", "Number of the question.", digits=0),
        ColumnSpec("title", "question", "text", "Title of the check, or who is protected."),
        ColumnSpec("verdict", "verdict", "text", READINGS_MEANING),
        *figures.both_columns(),
        *figures.gap_columns(_confidence(f.result for f in result.answers)),
        ColumnSpec("protected_n", "protected rows", "count", f"Rows with {figures.known}."),
        ColumnSpec("reference_n", "rows of everyone else", "count", f"Rows with {figures.known}."),
        ColumnSpec("unknown", "group unknown", "count", "Rows in neither group."),
        ColumnSpec("undecided", f"no {kind.noun}", "count", f"Rows without {kind.a_noun}."),
        ColumnSpec("population", "population", "count", "Rows that meet the filter."),
        ColumnSpec("filtered_out", "filtered out", "count", "Rows that do not meet the filter."),
    )
    rows = []
    for number, finding in enumerate(result.answers, start=1):
        c = finding.result
        title = finding.plan.title or group_name(finding)
        sizes = (c.protected.n, c.reference.n, c.unknown, c.undecided, c.n_population, c.n_filtered_out)
        figured = (*figures.both_cells(c), *figures.gap_cells(c))
        rows.append((number, title, reading(c), *figured, *map(shown, sizes)))
    return Table("summary", "All questions", columns, tuple(rows))


def groups_table(finding: CheckFinding | AmountFinding, number: int, figures: Figures = SHARE_FIGURES) -> Table:
    """Return one row for the protected group and one for the rest."""
    result, kind = finding.result, figures.kind
    side = figures.side_columns("", "", confidence_text(result.confidence))
    columns = (
        ColumnSpec("role", "group", "text", "Which group."),
        ColumnSpec("condition", "condition", "code", "The condition that makes the group."),
        *side,
        ColumnSpec("undecided", f"no {kind.noun}", "count", f"Rows without {kind.a_noun}."),
    )
    inside = result.protected_condition
    groups = (("protected", inside, result.protected), ("everyone else", f"NOT ({inside})", result.reference))
    rows = tuple((role, text, *figures.side_cells(g), shown(g.undecided)) for role, text, g in groups)
    return Table(f"check_{number}_groups", "What was compared", columns, rows)


def comparison_table(
    comparison: GroupComparison | GroupMeans, number: int, position: int, figures: Figures = SHARE_FIGURES
) -> Table:
    """Return one row a group, each against the rest or the reference."""
    ordered = in_natural_order(comparison.rows)
    comparisons = [row.comparison for row in ordered]
    level = _confidence(comparisons)
    columns = (
        *_name_columns("group", comparison.columns),
        *figures.side_columns("", "", level),
        *figures.gap_columns(level, comparisons),
        ColumnSpec(
            "adjusted_p_value", "p, adjusted", "p", "p-value after Holm's adjustment for all groups of the table."
        ),
        ColumnSpec("reading", "reading", "text", figures.reading),
        ColumnSpec("small", "few rows", "text", "yes: fewer rows than the audit's min_count."),
        ColumnSpec("reference", "against", "group", "What the group is compared with."),
        ColumnSpec("reference_n", "rows there", "count", f"Rows of that reference with {figures.known}."),
        figures.reference_column,
    )
    rows = []
    for row, word in zip(ordered, verdict_words(ordered), strict=True):
        c = row.comparison
        small = NOT_SHOWN if row.small is None else row.small
        verdict = reading(c, small=bool(row.small), word=word)
        cells = (*figures.side_cells(c.protected), *figures.gap_cells(c), shown(row.adjusted_p_value), verdict, small)
        reference = (c.reference.name, shown(c.reference.n), figures.reference_cell(c.reference))
        rows.append((*_names(row.values), *cells, *reference))
    names = ", ".join(comparison.columns)
    return Table(
        f"check_{number}_all_groups_{position}",
        say(Message("figures-all-groups", {"columns": Phrase(names)})),
        columns,
        tuple(rows),
    )


def strata_table(
    strata: StratifiedFairness | StratifiedMeans,
    number: int,
    figures: Figures = SHARE_FIGURES,
    *,
    cuts: Mapping[str, Sequence[float]] | None = None,
) -> Table:
    """Return one row a stratum with both groups and the gap inside it; `cuts` says which columns it has bands of."""
    ordered = in_natural_order(strata.strata)
    comparisons = [row.comparison for row in ordered]
    level = _confidence(comparisons)
    columns = (
        *_name_columns("stratum", strata.columns, cuts),
        *figures.side_columns("protected_", "protected, ", level),
        *figures.side_columns("reference_", "everyone else, ", level),
        *figures.gap_columns(level, comparisons),
        ColumnSpec("reading", "reading", "text", figures.reading),
        ColumnSpec("unknown", "group unknown", "count", "Rows of the stratum in neither group."),
    )
    rows = tuple(
        (
            *_names(row.values),
            *figures.side_cells(row.comparison.protected),
            *figures.side_cells(row.comparison.reference),
            *figures.gap_cells(row.comparison),
            reading(row.comparison, word=word),
            shown(row.unknown),
        )
        for row, word in zip(ordered, verdict_words(ordered), strict=True)
    )
    return Table(f"check_{number}_strata", f"By {', '.join(strata.columns)}", columns, rows)


def strata_summary_table(strata: StratifiedFairness, number: int) -> Table:
    """Return what the strata say together, one row a figure."""
    columns = (
        ColumnSpec("figure", "figure", "text", "Which figure."),
        ColumnSpec("gap", "gap, points", "points", "The figure, where it is a gap.", answer_digits(strata.pooled)),
        ColumnSpec("gap_interval", "gap, range", "points_interval", "Its range."),
        ColumnSpec("value", "value", "number", "The figure, where it is no gap.", digits=3),
        ColumnSpec("value_interval", "value, range", "number_interval", "Its range.", digits=3),
        ColumnSpec("p_value", "p-value", "p", "Of a test of no gap in any stratum."),
    )
    none = ("", "")
    pooled, common = strata.pooled, tuple(strata.common_difference_interval)
    odds = tuple(strata.common_odds_ratio_interval)
    plain, uncorrected = shown(strata.cmh_p_value), shown(strata.cmh_p_value_uncorrected)
    rows = (
        ("gap in all rows", shown(pooled.difference), tuple(pooled.difference_interval), "", none, ""),
        ("gap among similar cases", shown(strata.common_difference), common, "", none, ""),
        ("common odds ratio (Mantel-Haenszel)", "", none, shown(strata.common_odds_ratio), odds, ""),
        ("CMH statistic, with continuity correction", "", none, shown(strata.cmh_statistic), none, plain),
        ("CMH statistic, without correction", "", none, shown(strata.cmh_statistic_uncorrected), none, uncorrected),
    )
    return Table(f"check_{number}_strata_together", "All strata together", columns, rows)


def quality_tables(result: AuditResult) -> list[Table]:
    """Return what is remarkable about the data, one row an issue; empty without a quality report."""
    columns = (
        ColumnSpec("column", "column", "text", "The column; empty for the whole table."),
        ColumnSpec("code", "kind", "code", "What kind of issue."),
        ColumnSpec("n", "rows", "count", "How many rows or cells."),
        ColumnSpec("message", "what was found", "text", "The issue in words."),
        ColumnSpec("advice", "what to do", "text", "What can be done about it."),
    )
    rows = tuple((i.column, i.code, i.n, i.message, i.advice) for i in sure(result.quality).issues)
    return [Table("quality", "What to know about the data", columns, rows)]


def _name_columns(
    kind: str, columns: Sequence[str], cuts: Mapping[str, Sequence[float]] | None = None
) -> tuple[ColumnSpec, ...]:
    names = {column: bands_name(column, own) for column, own in (cuts or {}).items()}
    bands = {column: say(Message("table-band", {"column": Phrase(name)})) for column, name in names.items()}
    said = [bands.get(column) or say(Message("table-value", {"column": Phrase(column)})) for column in columns]
    return tuple(
        ColumnSpec(f"{kind}_{i}", name, "text", what)
        for i, (name, what) in enumerate(zip(columns, said, strict=True), start=1)
    )


def _names(values: tuple[tuple[str, Any], ...]) -> tuple[str, ...]:
    return tuple(value_text(value) for _, value in values)


def _confidence(comparisons: Iterable[Comparison | MeanComparison]) -> str:
    levels = {c.confidence for c in comparisons}
    return confidence_text(levels.pop()) if len(levels) == 1 else "confidence"
