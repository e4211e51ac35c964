"""A check as tables, of shares or of amounts: in full for the CSV bundle, from which the PDF shows what fits."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Protocol

from fairaudit.audit.result import AmountFinding, CheckFinding
from fairaudit.disclosure.fields import Field, Kind
from fairaudit.findings import Message, Phrase
from fairaudit.findings.names import UNNAMED, Names
from fairaudit.measure.bands import bands_name
from fairaudit.measure.grouping import MISSING, value_text
from fairaudit.measure.limits import answer_digits, is_whole
from fairaudit.measure.mean_strata import StratifiedMeans
from fairaudit.measure.results import (
    Comparison,
    GroupComparison,
    GroupMean,
    GroupMeans,
    GroupRatio,
    MeanComparison,
    StratifiedFairness,
)
from fairaudit.measure.similar import SimilarAmounts
from fairaudit.messages import say
from fairaudit.outcomes import AMOUNTS, SHARES, OutcomeKind
from fairaudit.present import naming
from fairaudit.present.blocks import TableBlock
from fairaudit.present.field_tables import figures_table
from fairaudit.present.naming import in_natural_order
from fairaudit.present.numbers import NOT_SHOWN, confidence_text, digits_of, shown
from fairaudit.present.verdicts import READINGS_MEANING, reading, verdict_words
from fairaudit.sections.asked import protected_text

# Columns that depend on what is compared: shares, or means of amounts.


READING = "The verdict, which allows for all groups, and whether rows are few."


class Figures(Protocol):
    """The figures of one kind; its groups and comparisons are of that kind, which a table of either does not know."""

    @property
    def kind(self) -> OutcomeKind:
        """The kind of the decision."""

    @property
    def known(self) -> str:
        """What a row has that counts."""

    @property
    def reading(self) -> str:
        """What the reading of one of many groups allows for."""

    @property
    def reference_column(self) -> Field:
        """The column of a group that is compared with."""

    def side_columns(self, prefix: str, label: str, level: str) -> tuple[Field, ...]:
        """Return the columns of one group."""

    def side_cells(self, group: Any) -> tuple[Any, ...]:
        """Return the cells of one group."""

    def both_columns(self) -> tuple[Field, ...]:
        """Return the columns of both groups beside each other, in few words."""

    def both_cells(self, c: Any) -> tuple[Any, ...]:
        """Return the cells of both groups beside each other."""

    def reference_cell(self, group: Any) -> Any:
        """Return the cell of a group that is compared with."""

    def gap_columns(self, level: str, comparisons: Sequence[Any] = ()) -> tuple[Field, ...]:
        """Return the columns of a comparison."""

    def gap_cells(self, c: Any) -> tuple[Any, ...]:
        """Return the cells of a comparison."""


@dataclass(frozen=True)
class ShareFigures:
    """The figures of shares.

    Parameters
    ----------
    digits : int
        Decimals of shares and gaps.
    is_turned : bool
        Whether shares are of those without the favourable result.
    """

    digits: int = 1
    is_turned: bool = False

    kind = SHARES
    known = "a known decision"
    reading = READING

    @property
    def reference_column(self) -> Field:
        """The column of a group that is compared with."""
        meaning = "Share of those compared with."
        return Field("reference_share", "share there", "share", meaning, self.digits)

    def side_columns(self, prefix: str, label: str, level: str) -> tuple[Field, ...]:
        """Return the columns of one group."""

        def column(name: str, head: str, kind: Kind, description: str, digits: int | None = None) -> Field:
            return Field(prefix + name, label + head, kind, description, digits)

        which, share = "favourable", "Rows with the favourable result divided by rows."
        if self.is_turned:
            which, share = "other", "Rows with the other result divided by rows."
        return (
            column("n", "rows", "count", "Rows with a known decision."),
            column("positives", f"{which} result", "count", f"With the {which} result."),
            column("share", "share", "share", share, self.digits),
            column(
                "share_interval",
                f"share, {level} range",
                "share_interval",
                "Wilson's, or cluster-robust.",
            ),
        )

    def side_cells(self, group: GroupRatio) -> tuple[Any, ...]:
        """Return the cells of one group."""
        return shown(group.n), shown(group.positives), shown(group.ratio), tuple(group.interval)

    def both_columns(self) -> tuple[Field, ...]:
        """Return the columns of both groups beside each other, in few words."""
        return (
            Field("protected_share", "share, protected", "share", "Of the protected group.", self.digits),
            Field("reference_share", "share, everyone else", "share", "Of everyone else.", self.digits),
        )

    def both_cells(self, c: Comparison) -> tuple[Any, ...]:
        """Return the cells of both groups beside each other."""
        return shown(c.protected.ratio), shown(c.reference.ratio)

    def reference_cell(self, group: GroupRatio) -> Any:
        """Return the cell of a group that is compared with."""
        return shown(group.ratio)

    def gap_columns(self, level: str, comparisons: Sequence[Comparison] = ()) -> tuple[Field, ...]:
        """Return the columns of a comparison."""
        # Gaps are read against the tolerance, but where some counts are hidden digits stay.
        tolerance = comparisons[0].tolerance if comparisons and all(map(is_whole, comparisons)) else None
        share, interval = "Share of the group minus the other share.", f"gap, {level} range"
        newcombe = "Newcombe's, or cluster-robust."
        return (
            Field("gap", "gap, points", "points", share, self.digits, beside=tolerance),
            Field("gap_interval", interval, "points_interval", newcombe, beside=tolerance),
            Field("impact_ratio", "impact ratio", "number", "Share of the group divided by the other share."),
            Field("impact_ratio_interval", f"impact ratio, {level}", "number_interval", "Its range."),
            Field("p_value", "p-value", "p", "Two-sided test of no gap."),
            Field("test", "test", "text", "z: pooled; fisher: exact; t: with clusters."),
        )

    def gap_cells(self, c: Comparison) -> tuple[Any, ...]:
        """Return the cells of a comparison."""
        intervals = tuple(c.difference_interval), tuple(c.impact_ratio_interval)
        return shown(c.difference), intervals[0], shown(c.impact_ratio), intervals[1], shown(c.p_value), shown(c.test)


@dataclass(frozen=True)
class AmountFigures:
    """The figures of means of amounts.

    Parameters
    ----------
    digits : int
        Decimals of amounts.
    """

    digits: int

    kind = AMOUNTS
    known = "an amount"
    reading = READING

    @property
    def reference_column(self) -> Field:
        """The column of a group that is compared with."""
        return Field("reference_mean", "mean there", "amount", "Mean of those compared with.", digits=self.digits)

    def side_columns(self, prefix: str, label: str, level: str) -> tuple[Field, ...]:
        """Return the columns of one group."""

        def column(name: str, head: str, kind: Kind, description: str) -> Field:
            return Field(prefix + name, label + head, kind, description, digits=self.digits)

        return (
            Field(f"{prefix}n", f"{label}rows", "count", "Rows with an amount."),
            column("mean", "mean", "amount", "Their mean."),
            column("mean_interval", f"mean, {level} range", "amount_interval", "Student's t."),
            column("standard_deviation", "standard deviation", "amount", "How far amounts are spread."),
            column("quarter", "lower quartile", "amount", "A quarter of the rows are at or below."),
            column("median", "median", "amount", "Half of the rows are at or below."),
            column("three_quarters", "upper quartile", "amount", "Three quarters of the rows are at or below."),
        )

    def side_cells(self, group: GroupMean) -> tuple[Any, ...]:
        """Return the cells of one group."""
        quartiles = (group.quarter, group.median, group.three_quarters)
        return shown(group.n), shown(group.mean), tuple(group.interval), shown(group.deviation), *map(shown, quartiles)

    def both_columns(self) -> tuple[Field, ...]:
        """Return the columns of both groups beside each other, in few words."""
        return (
            Field("protected_mean", "mean, protected", "amount", "Of the protected group.", digits=self.digits),
            Field("reference_mean", "mean, everyone else", "amount", "Of everyone else.", digits=self.digits),
        )

    def both_cells(self, c: MeanComparison) -> tuple[Any, ...]:
        """Return the cells of both groups beside each other."""
        return shown(c.protected.mean), shown(c.reference.mean)

    def reference_cell(self, group: GroupMean) -> Any:
        """Return the cell of a group that is compared with."""
        return shown(group.mean)

    def gap_columns(self, level: str, comparisons: Sequence[MeanComparison] = ()) -> tuple[Field, ...]:
        """Return the columns of a comparison."""
        mean, digits = "Mean minus the mean it is compared with.", self.digits
        interval, welch = f"difference, {level} range", "Welch's."
        return (
            Field("difference", "difference", "difference", mean, digits=digits),
            Field("difference_interval", interval, "difference_interval", welch, digits=digits),
            Field(
                "standardized_difference",
                "standardised difference",
                "number",
                "The difference divided by the spread within groups.",
            ),
            Field("p_value", "p-value", "p", "Two-sided test of no difference, Welch's."),
        )

    def gap_cells(self, c: MeanComparison) -> tuple[Any, ...]:
        """Return the cells of a comparison."""
        interval = tuple(c.difference_interval)
        return shown(c.difference), interval, shown(c.standardized_difference), shown(c.p_value)


SHARE_FIGURES: Final = ShareFigures()


def check_tables(finding: CheckFinding, number: int) -> list[TableBlock]:
    """Return every table of an answer about shares, in the order of the report."""
    figures, cuts = share_figures(finding), finding.plan.strata_cuts
    tables = [groups_table(finding, number, figures)]
    tables += [comparison_table(each, number, i, figures) for i, each in enumerate(finding.groups, start=1)]
    if finding.strata is not None:
        tables.append(strata_table(finding.strata, number, figures, finding.names, cuts=cuts))
        tables.append(strata_summary_table(finding.strata, number))
    return tables


def share_figures(finding: CheckFinding, *, is_turned: bool = False) -> ShareFigures:
    """Return the columns for shares of an answer and of its groups and strata, with its decimals."""
    return ShareFigures(answer_digits(finding.result), is_turned)


# The tables.


def summary_table(findings: Sequence[CheckFinding | AmountFinding], figures: Figures = SHARE_FIGURES) -> TableBlock:
    """Return one row a check: who was compared, the gap and the answer."""
    kind = figures.kind
    columns = (
        Field("check", "no.", "number", "Number of the question.", digits=0),
        Field("title", "question", "text", "Title of the check, or who is protected."),
        Field("verdict", "verdict", "text", READINGS_MEANING),
        *figures.both_columns(),
        *figures.gap_columns(_confidence(f.result for f in findings)),
        Field("protected_n", "protected rows", "count", f"Rows with {figures.known}."),
        Field("reference_n", "rows of everyone else", "count", f"Rows with {figures.known}."),
        Field("unknown", "group unknown", "count", "Rows in neither group."),
        Field("undecided", f"no {kind.noun}", "count", f"Rows without {kind.a_noun}."),
        Field("population", "population", "count", "Rows that meet the filter."),
        Field("filtered_out", "filtered out", "count", "Rows that do not meet the filter."),
    )
    rows = []
    for number, finding in enumerate(findings, start=1):
        c = finding.result
        title = finding.plan.title or protected_text(finding)
        sizes = (c.protected.n, c.reference.n, c.unknown, c.undecided, c.n_population, c.n_filtered_out)
        figured = (*figures.both_cells(c), *figures.gap_cells(c))
        rows.append((number, title, reading(c), *figured, *map(shown, sizes)))
    return TableBlock("summary", "All questions", columns, tuple(rows))


def groups_table(finding: CheckFinding | AmountFinding, number: int, figures: Figures = SHARE_FIGURES) -> TableBlock:
    """Return one row for the protected group and one for the rest."""
    result, kind = finding.result, figures.kind
    side = figures.side_columns("", "", confidence_text(result.confidence))
    columns = (
        Field("role", "group", "text", "Which group."),
        Field("condition", "condition", "code", "The condition that makes the group."),
        *side,
        Field("undecided", f"no {kind.noun}", "count", f"Rows without {kind.a_noun}."),
    )
    inside = result.protected_condition
    groups = (("protected", inside, result.protected), ("everyone else", f"NOT ({inside})", result.reference))
    rows = tuple((role, text, *figures.side_cells(g), shown(g.undecided)) for role, text, g in groups)
    return TableBlock(f"check_{number}_groups", "What was compared", columns, rows)


def comparison_table(
    comparison: GroupComparison | GroupMeans, number: int, position: int, figures: Figures = SHARE_FIGURES
) -> TableBlock:
    """Return one row a group, each against the rest or the reference."""
    ordered = in_natural_order(comparison.rows)
    comparisons = [row.comparison for row in ordered]
    level = _confidence(comparisons)
    columns = (
        *_name_columns("group", comparison.columns),
        *figures.side_columns("", "", level),
        *figures.gap_columns(level, comparisons),
        Field("adjusted_p_value", "p, adjusted", "p", "p-value after Holm's adjustment for all groups of the table."),
        Field("reading", "reading", "text", figures.reading),
        Field("small", "few rows", "text", "yes: fewer rows than the audit's min_count."),
        Field("reference", "against", "group", "What the group is compared with."),
        Field("reference_n", "rows there", "count", f"Rows of that reference with {figures.known}."),
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
    return TableBlock(
        f"check_{number}_all_groups_{position}",
        say(Message("figures-all-groups", {"columns": Phrase(names)})),
        columns,
        tuple(rows),
    )


def strata_table(
    strata: StratifiedFairness | StratifiedMeans,
    number: int,
    figures: Figures = SHARE_FIGURES,
    names: Names = UNNAMED,
    *,
    cuts: Mapping[str, Sequence[float]] | None = None,
) -> TableBlock:
    """Return one row a stratum with both groups and the gap inside it; `cuts` says which columns it has bands of."""
    own, others = (say(Message("group-alone", {"group": group})) for group in (names.protected, names.others))
    ordered = in_natural_order(strata.strata)
    comparisons = [row.comparison for row in ordered]
    level = _confidence(comparisons)
    columns = (
        *_name_columns("stratum", strata.columns, cuts),
        *figures.side_columns("protected_", f"{own}, ", level),
        *figures.side_columns("reference_", f"{others}, ", level),
        *(
            replace(each, label=naming.gap_head(names, each.kind)) if each.name in ("gap", "difference") else each
            for each in figures.gap_columns(level, comparisons)
        ),
        Field("reading", "reading", "text", figures.reading),
        Field("unknown", "group unknown", "count", "Rows of the stratum in neither group."),
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
    unknown = ((MISSING, say(Message("stratum-unknown"))),)
    return TableBlock(f"check_{number}_strata", f"By {', '.join(strata.columns)}", columns, rows, names=unknown)


def strata_summary_table(strata: StratifiedFairness, number: int) -> TableBlock:
    """Return what the strata say together, one row a figure."""
    columns = (
        Field("figure", "figure", "text", "Which figure."),
        Field("gap", "gap, points", "points", "The figure, where it is a gap.", answer_digits(strata.pooled)),
        Field("gap_interval", "gap, range", "points_interval", "Its range."),
        Field("value", "value", "number", "The figure, where it is no gap.", digits=3),
        Field("value_interval", "value, range", "number_interval", "Its range.", digits=3),
        Field("p_value", "p-value", "p", "Of a test of no gap in any stratum."),
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
    return TableBlock(f"check_{number}_strata_together", "All strata together", columns, rows)


def _name_columns(
    kind: str, columns: Sequence[str], cuts: Mapping[str, Sequence[float]] | None = None
) -> tuple[Field, ...]:
    names = {column: bands_name(column, own) for column, own in (cuts or {}).items()}
    bands = {column: say(Message("table-band", {"column": Phrase(name)})) for column, name in names.items()}
    said = [bands.get(column) or say(Message("table-value", {"column": Phrase(column)})) for column in columns]
    return tuple(
        Field(f"{kind}_{i}", name, "group" if kind == "stratum" else "text", what)
        for i, (name, what) in enumerate(zip(columns, said, strict=True), start=1)
    )


def _names(values: tuple[tuple[str, Any], ...]) -> tuple[str, ...]:
    return tuple(value_text(value) for _, value in values)


def _confidence(comparisons: Iterable[Comparison | MeanComparison]) -> str:
    levels = {c.confidence for c in comparisons}
    return confidence_text(levels.pop()) if len(levels) == 1 else "confidence"


def amount_tables(finding: AmountFinding, number: int) -> list[TableBlock]:
    """Return every table of an answer about amounts, in the order of the report."""
    figures, cuts = figures_of(finding), finding.plan.strata_cuts
    tables = [groups_table(finding, number, figures), difference_table(finding, number)]
    tables += [comparison_table(each, number, i, figures) for i, each in enumerate(finding.groups, start=1)]
    if finding.strata is not None:
        tables.append(strata_table(finding.strata, number, figures, finding.names, cuts=cuts))
        tables.append(mean_strata_summary_table(finding, finding.strata, number))
    if finding.similar is not None:
        tables.append(similar_table(finding, finding.similar, number))
    return tables


def amount_summary_table(findings: Sequence[AmountFinding]) -> TableBlock:
    """Return one row a check: who was compared, the difference and the answer."""
    # All checks are about the same column.
    return summary_table(findings, AmountFigures(max(map(digits_of, findings))))


def figures_of(finding: AmountFinding) -> AmountFigures:
    """Return the columns for figures of an answer."""
    return AmountFigures(digits_of(finding))


def difference_table(finding: AmountFinding, number: int) -> TableBlock:
    """Return the difference between both groups, how sure it is, and the disparate impact index, in one row."""
    result, digits = finding.result, digits_of(finding)
    columns = (
        *figures_of(finding).gap_columns(confidence_text(result.confidence)),
        Field("tolerance", "tolerance", "amount", "The largest difference that counts as alike.", digits=digits),
        Field("reading", say(Message("annex-verdict")), "text", READINGS_MEANING),
        Field("ratio", "ratio of means", "number", "Protected divided by everyone else."),
        Field("didi", "DIDI", "amount", "How far both means are from that of all.", digits=digits),
    )
    cells = (shown(result.tolerance), reading(result), shown(result.ratio), shown(result.didi))
    return TableBlock(
        f"check_{number}_difference", "The difference", columns, ((*figures_of(finding).gap_cells(result), *cells),)
    )


def mean_strata_summary_table(finding: AmountFinding, strata: StratifiedMeans, number: int) -> TableBlock:
    """Return what the strata say together, one row a figure."""
    level = confidence_text(finding.result.confidence)
    columns = (
        Field("figure", "figure", "text", "Which figure."),
        *figures_of(finding).gap_columns(level)[:2],
        Field("p_value", "p-value", "p", "Two-sided test of no difference."),
    )
    pooled = strata.pooled
    common = (shown(strata.common_difference), tuple(strata.common_difference_interval), shown(strata.p_value))
    whole = (shown(pooled.difference), tuple(pooled.difference_interval), shown(pooled.p_value))
    rows = (("in all rows", *whole), ("among similar cases", *common))
    return TableBlock(f"check_{number}_strata_together", "All strata together", columns, rows)


SIMILAR = (
    "difference", "difference_by_chance", "average", "by_chance", "by_chance_high", "dtdi", "n_neighbors", "n_rows",
    "n_usable",
)  # fmt: skip

ALONE = ("rows without protected people near them", "rows with only protected people near them")


def similar_table(finding: AmountFinding, similar: SimilarAmounts, number: int) -> TableBlock:
    """Return what similar people get, one row a figure."""
    digits, interval = digits_of(finding), "difference, range"
    values: dict[Kind, Field] = {
        "amount": Field("amount", "amount", "amount", "As an amount.", digits=digits),
        "difference": Field("difference", "difference", "difference", "As a difference.", digits=digits),
        "difference_interval": Field(
            "difference_interval", interval, "difference_interval", "As a range.", digits=digits
        ),
        "count": Field("count", "rows", "count", "As a count."),
    }
    table = figures_table(f"check_{number}_similar", say(Message("annex-similar")), similar, SIMILAR, values)
    alone = tuple((name, "", "", ("", ""), shown(n)) for name, n in zip(ALONE, similar.n_alone, strict=True))
    return replace(table, rows=(*table.rows, *alone))
