"""A check as tables: in full for the CSV bundle, from which the PDF shows what fits."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Final, Self

from fairaudit.audit.result import CheckFinding
from fairaudit.disclosure.fields import Field, Kind
from fairaudit.findings import Message, Phrase
from fairaudit.findings.names import UNNAMED, Names
from fairaudit.measure.bands import bands_name
from fairaudit.measure.grouping import MISSING, value_text
from fairaudit.measure.limits import answer_digits, is_whole
from fairaudit.measure.mean_strata import StratifiedMeans
from fairaudit.measure.quantity import UNITS
from fairaudit.measure.results import (
    Comparison,
    ControlledBounds,
    ControlledMeans,
    ControlledWaiting,
    GroupComparison,
    GroupMean,
    GroupRatio,
    Interval,
    MeanComparison,
    Stratified,
    StratifiedBounds,
    StratifiedFairness,
    as_kind,
)
from fairaudit.measure.similar import SimilarAmounts
from fairaudit.messages import say
from fairaudit.outcomes import AMOUNTS, SHARES, OutcomeKind
from fairaudit.present import naming
from fairaudit.present.blocks import TableBlock
from fairaudit.present.field_tables import figures_table
from fairaudit.present.naming import in_natural_order
from fairaudit.present.numbers import NOT_SHOWN, confidence_text, shown
from fairaudit.present.verdicts import READINGS_MEANING, reading, verdict_words
from fairaudit.sections.asked import protected_text
from fairaudit.sections.check.levels import level_reading, levels_tables
from fairaudit.sections.check.reading import levels_of

AnyComparison = Comparison | MeanComparison

# What depends on whether shares are compared, or means of amounts.

READING = "The verdict, which allows for all groups, and whether rows are few."


@dataclass(frozen=True)
class Figures(ABC):
    """The columns of groups and of gaps between them; each is the attribute of that name of what it shows.

    Parameters
    ----------
    digits : int
        Decimals of figures and gaps.
    is_turned : bool
        Whether shares are of those without the favourable result.
    """

    digits: int = 1
    is_turned: bool = False

    kind: ClassVar[OutcomeKind]
    known: ClassVar[str]
    """What a row has that counts."""
    of_reference: ClassVar[str]
    """What the column of a group that is compared with holds."""
    attributes: ClassVar[Mapping[str, str]]
    """The attributes of groups and comparisons that are not called as their column is."""

    @classmethod
    @abstractmethod
    def of_all(cls, findings: Sequence[CheckFinding]) -> Self:
        """Return the columns of a table of all questions."""

    @abstractmethod
    def side_columns(self, prefix: str, label: str, level: str) -> tuple[Field, ...]:
        """Return the columns of one group."""

    @abstractmethod
    def gap_columns(self, level: str, comparisons: Sequence[AnyComparison] = ()) -> tuple[Field, ...]:
        """Return the columns of a comparison."""

    @abstractmethod
    def gap_tables(self, finding: CheckFinding, number: int) -> list[TableBlock]:
        """Return the tables of the gap between both groups alone."""

    @abstractmethod
    def compared(self, finding: CheckFinding, noun: str) -> tuple[tuple[str, str], ...]:
        """Return the columns that are printed of both groups, each with its label; `noun` is what a row may lack."""

    @abstractmethod
    def strata_together(self, strata: Stratified, number: int) -> TableBlock:
        """Return what the strata say together, one row a figure."""

    @property
    def gap_digits(self) -> int:
        """Decimals of a gap beside its range."""
        return self.digits

    @property
    def what(self) -> str:
        """What is compared of both groups, in a word or two."""
        return UNITS[self.kind.quantity].name

    def both_columns(self) -> tuple[Field, ...]:
        """Return the columns of both groups beside each other, in few words."""
        unit = UNITS[self.kind.quantity]
        return tuple(
            Field(f"{side}_{unit.name}", f"{self.what}, {label}", unit.figure, f"Of {who}.", self.digits)
            for side, label, who in (
                ("protected", "protected", "the protected group"), ("reference", "everyone else", "everyone else"),
            )
        )  # fmt: skip

    def both_cells(self, result: AnyComparison) -> tuple[object, ...]:
        """Return what both groups have, for the columns of both."""
        return tuple(map(shown, result.values))

    def reference_cell(self, result: AnyComparison) -> object:
        """Return what the group has that is compared with."""
        return shown(result.reference.value)

    @property
    def reference_column(self) -> Field:
        """The column of a group that is compared with."""
        unit = UNITS[self.kind.quantity]
        return Field(f"reference_{unit.name}", f"{unit.name} there", unit.figure, self.of_reference, self.digits)

    def side_cells(self, group: GroupRatio | GroupMean) -> tuple[object, ...]:
        """Return the cells of one group."""
        return self._cells(group, self.side_columns("", "", ""))

    def gap_cells(self, c: AnyComparison) -> tuple[object, ...]:
        """Return the cells of a comparison."""
        return self._cells(c, self.gap_columns(""))

    def _cells(self, found: object, columns: Iterable[Field]) -> tuple[object, ...]:
        values = (getattr(found, self.attributes.get(each.name, each.name)) for each in columns)
        return tuple(tuple(value) if isinstance(value, Interval) else shown(value) for value in values)


class ShareFigures(Figures):
    """The figures of shares."""

    kind = SHARES
    known = "a known decision"
    of_reference = "Share of those compared with."
    attributes: ClassVar[Mapping[str, str]] = {
        "share": "ratio", "share_interval": "interval", "gap": "difference", "gap_interval": "difference_interval",
    }  # fmt: skip

    @classmethod
    def of_all(cls, findings: Sequence[CheckFinding]) -> Self:
        """Return the columns of a table of all questions."""
        return cls()

    @property
    def gap_digits(self) -> int:
        """Decimals of a gap beside its range."""
        return 1

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
            column("share_interval", f"share, {level} range", "share_interval", "Wilson's, or cluster-robust."),
        )

    def gap_columns(self, level: str, comparisons: Sequence[AnyComparison] = ()) -> tuple[Field, ...]:
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

    def compared(self, finding: CheckFinding, noun: str) -> tuple[tuple[str, str], ...]:
        """Return rows, those with the result, their share with its range, and rows without a decision."""
        known = {"noun": Phrase(noun)}
        return (
            ("n", say(Message("annex-known", known))),
            ("positives", finding.meaning),
            ("share", "share"),
            ("share_interval", range_label(finding)),
            ("undecided", say(Message("annex-unknown", known))),
        )

    def gap_tables(self, finding: CheckFinding, number: int) -> list[TableBlock]:
        """Return nothing: the table of both groups and that of all questions hold the gap."""
        return []

    def strata_together(self, strata: Stratified, number: int) -> TableBlock:
        """Return both gaps, the common odds ratio, and the tests of none in any stratum."""
        strata = as_kind(StratifiedFairness, strata)
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


class MeanFigures(Figures):
    """The figures of means of amounts."""

    kind = AMOUNTS
    known = "an amount"
    of_reference = "Mean of those compared with."
    attributes: ClassVar[Mapping[str, str]] = {"mean_interval": "interval", "standard_deviation": "deviation"}

    @classmethod
    def of_all(cls, findings: Sequence[CheckFinding]) -> Self:
        """Return the columns of a table of all questions, which are about the same column."""
        return cls(max(answer_digits(finding.result) for finding in findings))

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

    def gap_columns(self, level: str, comparisons: Sequence[AnyComparison] = ()) -> tuple[Field, ...]:
        """Return the columns of a comparison."""
        mean, digits = "Mean minus the mean it is compared with.", self.digits
        interval, spread = f"difference, {level} range", "The difference divided by the spread within groups."
        return (
            Field("difference", "difference", "difference", mean, digits=digits),
            Field("difference_interval", interval, "difference_interval", "Welch's.", digits=digits),
            Field("standardized_difference", "standardised difference", "number", spread),
            Field("p_value", "p-value", "p", "Two-sided test of no difference, Welch's."),
        )

    def compared(self, finding: CheckFinding, noun: str) -> tuple[tuple[str, str], ...]:
        """Return rows, their mean with its range, and the median."""
        columns = self.side_columns("", "", confidence_text(finding.result.confidence))
        labels = {column.name: column.label for column in columns}
        return tuple((name, labels[name]) for name in ("n", "mean", "mean_interval", "median"))

    def gap_tables(self, finding: CheckFinding, number: int) -> list[TableBlock]:
        """Return the difference, how sure it is, and the disparate impact index, in one row."""
        result, digits = as_kind(ControlledMeans, finding.result), self.digits
        columns = (
            *self.gap_columns(confidence_text(result.confidence)),
            Field("tolerance", "tolerance", "amount", "The largest difference that counts as alike.", digits=digits),
            Field("reading", say(Message("annex-verdict")), "text", READINGS_MEANING),
            Field("ratio", "ratio of means", "number", "Protected divided by everyone else."),
            Field("didi", "DIDI", "amount", "How far both means are from that of all.", digits=digits),
        )
        cells = (shown(result.tolerance), reading(result), shown(result.ratio), shown(result.didi))
        row = (*self.gap_cells(result), *cells)
        return [TableBlock(f"check_{number}_difference", "The difference", columns, (row,))]

    def strata_together(self, strata: Stratified, number: int) -> TableBlock:
        """Return the difference in all rows and with strata held equal."""
        strata = as_kind(StratifiedMeans, strata)
        pooled = strata.pooled
        columns = (
            Field("figure", "figure", "text", "Which figure."),
            *self.gap_columns(confidence_text(pooled.confidence))[:2],
            Field("p_value", "p-value", "p", "Two-sided test of no difference."),
        )
        common = (shown(strata.common_difference), tuple(strata.common_difference_interval), shown(strata.p_value))
        whole = (shown(pooled.difference), tuple(pooled.difference_interval), shown(pooled.p_value))
        rows = (("in all rows", *whole), ("among similar cases", *common))
        return TableBlock(f"check_{number}_strata_together", "All strata together", columns, rows)


class BoundFigures(ShareFigures):
    """The figures of shares of which bounds are known, as some counts are rounded or hidden."""

    known = "a known decision, at least"

    def both_columns(self) -> tuple[Field, ...]:
        """Return the bounds of the shares of both groups beside each other."""
        return tuple(
            Field(f"{side}_share", f"share, {label}", "share_interval", f"The bounds of {who}.")
            for side, label, who in (
                ("protected", "protected", "the protected group"), ("reference", "everyone else", "everyone else"),
            )
        )  # fmt: skip

    def reference_cell(self, result: AnyComparison) -> object:
        """Return the bounds of the share of the group that is compared with."""
        return tuple(result.reference.interval)

    @property
    def reference_column(self) -> Field:
        """The column of a group that is compared with."""
        return Field("reference_share", "share there", "share_interval", self.of_reference)

    def both_cells(self, result: AnyComparison) -> tuple[object, ...]:
        """Return the bounds of the shares of both groups."""
        return tuple(tuple(side.interval) for side in (result.protected, result.reference))

    def side_columns(self, prefix: str, label: str, level: str) -> tuple[Field, ...]:
        """Return the columns of one group."""
        which = "other" if self.is_turned else "favourable"

        def column(name: str, head: str, kind: Kind, description: str) -> Field:
            return Field(prefix + name, label + head, kind, description)

        return (
            column("n", "rows, at least", "count", "The fewest rows with a known decision of all tables that fit."),
            column("most_n", "rows, at most", "count", "The most."),
            column("positives", f"{which} result, at least", "count", f"The fewest with the {which} result."),
            column("most_positives", f"{which} result, at most", "count", "The most."),
            column("share_interval", "share", "share_interval", "The smallest and the largest share."),
        )

    def gap_columns(self, level: str, comparisons: Sequence[AnyComparison] = ()) -> tuple[Field, ...]:
        """Return the columns of a comparison."""
        bounds = "The smallest and the largest gap of all tables that fit."
        return (
            Field("gap_bounds", "gap, points", "points_interval", bounds),
            Field("gap_interval", f"gap, {level} range", "points_interval", "Holds that of each table that fits."),
        )

    attributes: ClassVar[Mapping[str, str]] = {
        "share_interval": "interval", "gap_bounds": "difference_bounds", "gap_interval": "difference_interval",
    }  # fmt: skip

    def strata_together(self, strata: Stratified, number: int) -> TableBlock:
        """Return the bounds of the gap in all rows and among similar cases."""
        found = as_kind(StratifiedBounds, strata)
        pooled = found.pooled
        columns = (
            Field("figure", "figure", "text", "Which figure."),
            *self.gap_columns(confidence_text(pooled.confidence)),
        )
        common = tuple(found.common_difference_bounds), tuple(found.common_difference_interval)
        rows = (("gap in all rows", *self.gap_cells(pooled)), ("gap among similar cases", *common))
        return TableBlock(f"check_{number}_strata_together", "All strata together", columns, rows)

    def compared(self, finding: CheckFinding, noun: str) -> tuple[tuple[str, str], ...]:
        """Return rows, those with the result, and their share, each at least and at most."""
        names = ("n", "most_n", "positives", "most_positives", "share_interval")
        labels = {each.name: each.label for each in self.side_columns("", "", "")}
        return tuple((name, labels[name]) for name in names)


class WaitingFigures(MeanFigures):
    """The figures of medians of times, where some cases are open."""

    known = "a time"
    of_reference = "Median of those compared with."
    attributes: ClassVar[Mapping[str, str]] = {"median_interval": "interval"}

    def both_columns(self) -> tuple[Field, ...]:
        """Return the medians of both groups beside each other."""
        return tuple(
            Field(f"{side}_median", f"median, {label}", "amount", f"Of {who}.", self.digits)
            for side, label, who in (
                ("protected", "protected", "the protected group"), ("reference", "everyone else", "everyone else"),
            )
        )  # fmt: skip

    def side_columns(self, prefix: str, label: str, level: str) -> tuple[Field, ...]:
        """Return the columns of one group."""

        def column(name: str, head: str, kind: Kind, description: str) -> Field:
            return Field(prefix + name, label + head, kind, description, digits=self.digits)

        return (
            Field(f"{prefix}n", f"{label}rows", "count", "Cases with a time, open ones included."),
            Field(f"{prefix}n_open", f"{label}still open", "count", "Those that are still open."),
            column("median", "median", "amount", "After this time half of the cases still wait (Kaplan-Meier)."),
            column("median_interval", f"median, {level} range", "amount_interval", "Brookmeyer's and Crowley's."),
            column("quarter", "lower quartile", "amount", "After this time three quarters still wait."),
            column("three_quarters", "upper quartile", "amount", "After this time a quarter still waits."),
        )

    def gap_columns(self, level: str, comparisons: Sequence[AnyComparison] = ()) -> tuple[Field, ...]:
        """Return the columns of a comparison."""
        median, digits = "Median minus the median it is compared with.", self.digits
        interval = f"difference, {level} range"
        return (
            Field("difference", "difference", "difference", median, digits=digits),
            Field("difference_interval", interval, "difference_interval", "From those of both medians.", digits=digits),
            Field("p_value", "p-value", "p", "Two-sided log-rank test of no difference."),
        )

    def compared(self, finding: CheckFinding, noun: str) -> tuple[tuple[str, str], ...]:
        """Return rows, those that are open, and their median with its range."""
        columns = self.side_columns("", "", confidence_text(finding.result.confidence))
        labels = {column.name: column.label for column in columns}
        return tuple((name, labels[name]) for name in ("n", "n_open", "median", "median_interval"))

    def gap_tables(self, finding: CheckFinding, number: int) -> list[TableBlock]:
        """Return the difference, how sure it is, and the test, in one row."""
        result, digits = as_kind(ControlledWaiting, finding.result), self.digits
        columns = (
            *self.gap_columns(confidence_text(result.confidence)),
            Field("tolerance", "tolerance", "amount", "The largest difference that counts as alike.", digits=digits),
            Field("reading", say(Message("annex-verdict")), "text", READINGS_MEANING),
            Field("ratio", "ratio of medians", "number", "Protected divided by everyone else."),
            Field("log_rank", "log-rank statistic", "number", "Standardised; above 0 where the protected wait longer."),
        )
        cells = (shown(result.tolerance), reading(result), shown(result.ratio), shown(result.log_rank))
        row = (*self.gap_cells(result), *cells)
        if result.strata:
            columns += (
                Field("log_rank_within", "log-rank within strata", "number", "Over all strata together."),
                Field("p_value_within", "p-value within strata", "p", "Two-sided log-rank test over all strata."),
            )
            row += (shown(result.log_rank_within), shown(result.p_value_within))
        return [TableBlock(f"check_{number}_difference", "The difference", columns, (row,))]


class MixedFigures(MeanFigures):
    """Means of some questions and medians of others, in one table of all questions."""

    @property
    def what(self) -> str:
        """What is compared of both groups, in a word or two."""
        return "mean or median"


FIGURES: Final[Mapping[OutcomeKind, type[Figures]]] = {SHARES: ShareFigures, AMOUNTS: MeanFigures}


def figures_of(finding: CheckFinding, *, is_turned: bool = False) -> Figures:
    """Return the columns for an answer and its groups and strata, with its decimals."""
    return _figures_class(finding)(answer_digits(finding.result), is_turned)


def _figures_class(finding: CheckFinding) -> type[Figures]:
    if isinstance(finding.result, ControlledBounds):
        return BoundFigures
    return WaitingFigures if isinstance(finding.result, ControlledWaiting) else FIGURES[finding.decision.kind]


def range_label(finding: CheckFinding) -> str:
    """Return the name of a range with its confidence."""
    return say(Message("report-column-range", {"level": Phrase(confidence_text(finding.result.confidence))}))


# The tables.

GAP_COLUMNS = ("gap", "gap_bounds", "difference")
"""Columns that hold the gap itself."""


def check_tables(finding: CheckFinding, number: int) -> list[TableBlock]:
    """Return every table of an answer, in the order of the report."""
    figures, cuts = figures_of(finding), finding.plan.strata_cuts
    tables = [groups_table(finding, number, figures), *figures.gap_tables(finding, number)]
    tables += [comparison_table(each, number, i, figures) for i, each in enumerate(finding.groups, start=1)]
    if finding.strata is not None:
        tables.append(strata_table(finding.strata, number, figures, finding.names, cuts=cuts))
        tables.append(figures.strata_together(finding.strata, number))
    if finding.similar is not None:
        tables.append(similar_table(finding.similar, number, figures))
    if finding.levels is not None:
        tables += levels_tables(finding.levels, finding.names, number)
    return tables


def summary_table(findings: Sequence[CheckFinding]) -> TableBlock:
    """Return one row a check: who was compared, the gap and the answer."""
    classes = {_figures_class(finding) for finding in findings}
    figures = (classes.pop() if len(classes) == 1 else MixedFigures).of_all(findings)
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
        levels = levels_of(finding)
        word = reading(c) if levels is None else level_reading(levels.verdict)
        rows.append((number, title, word, *figured, *map(shown, sizes)))
    return TableBlock("summary", "All questions", columns, tuple(rows))


def groups_table(finding: CheckFinding, number: int, figures: Figures) -> TableBlock:
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


def comparison_table(comparison: GroupComparison, number: int, position: int, figures: Figures) -> TableBlock:
    """Return one row a group, each against the rest or the reference."""
    ordered = in_natural_order(comparison.rows)
    comparisons = [row.comparison for row in ordered]
    level = _confidence(comparisons)
    columns = (
        *_name_columns("group", comparison.columns),
        *figures.side_columns("", "", level),
        *figures.gap_columns(level, comparisons),
        Field("adjusted_p_value", "p, adjusted", "p", "p-value after Holm's adjustment for all groups of the table."),
        Field("reading", "reading", "text", READING),
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
        reference = (c.reference.name, shown(c.reference.n), figures.reference_cell(c))
        rows.append((*_names(row.values), *cells, *reference))
    names = ", ".join(comparison.columns)
    return TableBlock(
        f"check_{number}_all_groups_{position}",
        say(Message("figures-all-groups", {"columns": Phrase(names)})),
        columns,
        tuple(rows),
    )


def strata_table(
    strata: Stratified,
    number: int,
    figures: Figures,
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
            replace(each, label=naming.gap_head(names, each.kind)) if each.name in GAP_COLUMNS else each
            for each in figures.gap_columns(level, comparisons)
        ),
        Field("reading", "reading", "text", READING),
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


def _names(values: tuple[tuple[str, object], ...]) -> tuple[str, ...]:
    return tuple(value_text(value) for _, value in values)


def _confidence(comparisons: Iterable[AnyComparison]) -> str:
    levels = {c.confidence for c in comparisons}
    return confidence_text(levels.pop()) if len(levels) == 1 else "confidence"


SIMILAR = (
    "difference", "difference_by_chance", "average", "by_chance", "by_chance_high", "dtdi", "n_neighbors", "n_rows",
    "n_usable",
)  # fmt: skip

ALONE = ("rows without protected people near them", "rows with only protected people near them")


def similar_table(similar: SimilarAmounts, number: int, figures: Figures) -> TableBlock:
    """Return what similar people get, one row a figure."""
    digits, interval = figures.digits, "difference, range"
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
