"""The columns of a table that depend on what is compared: shares, or means of amounts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

from fairaudit.measure.limits import is_whole
from fairaudit.measure.results import Comparison, GroupMean, GroupRatio, MeanComparison
from fairaudit.outcomes.kind import OutcomeKind
from fairaudit.outcomes.registry import AMOUNTS, SHARES
from fairaudit.present.blocks import ColumnSpec, Kind
from fairaudit.present.numbers import shown

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
    def reference_column(self) -> ColumnSpec:
        """The column of a group that is compared with."""

    def side_columns(self, prefix: str, label: str, level: str) -> tuple[ColumnSpec, ...]:
        """Return the columns of one group."""

    def side_cells(self, group: Any) -> tuple[Any, ...]:
        """Return the cells of one group."""

    def both_columns(self) -> tuple[ColumnSpec, ...]:
        """Return the columns of both groups beside each other, in few words."""

    def both_cells(self, c: Any) -> tuple[Any, ...]:
        """Return the cells of both groups beside each other."""

    def reference_cell(self, group: Any) -> Any:
        """Return the cell of a group that is compared with."""

    def gap_columns(self, level: str, comparisons: Sequence[Any] = ()) -> tuple[ColumnSpec, ...]:
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
    def reference_column(self) -> ColumnSpec:
        """The column of a group that is compared with."""
        meaning = "Share of those compared with."
        return ColumnSpec("reference_share", "share there", "share", meaning, self.digits)

    def side_columns(self, prefix: str, label: str, level: str) -> tuple[ColumnSpec, ...]:
        """Return the columns of one group."""

        def column(name: str, head: str, kind: Kind, description: str, digits: int | None = None) -> ColumnSpec:
            return ColumnSpec(prefix + name, label + head, kind, description, digits)

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

    def both_columns(self) -> tuple[ColumnSpec, ...]:
        """Return the columns of both groups beside each other, in few words."""
        return (
            ColumnSpec("protected_share", "share, protected", "share", "Of the protected group.", self.digits),
            ColumnSpec("reference_share", "share, everyone else", "share", "Of everyone else.", self.digits),
        )

    def both_cells(self, c: Comparison) -> tuple[Any, ...]:
        """Return the cells of both groups beside each other."""
        return shown(c.protected.ratio), shown(c.reference.ratio)

    def reference_cell(self, group: GroupRatio) -> Any:
        """Return the cell of a group that is compared with."""
        return shown(group.ratio)

    def gap_columns(self, level: str, comparisons: Sequence[Comparison] = ()) -> tuple[ColumnSpec, ...]:
        """Return the columns of a comparison."""
        # Gaps are read against the tolerance, but where some counts are hidden digits stay.
        tolerance = comparisons[0].tolerance if comparisons and all(map(is_whole, comparisons)) else None
        share, interval = "Share of the group minus the other share.", f"gap, {level} range"
        newcombe = "Newcombe's, or cluster-robust."
        return (
            ColumnSpec("gap", "gap, points", "points", share, self.digits, beside=tolerance),
            ColumnSpec("gap_interval", interval, "points_interval", newcombe, beside=tolerance),
            ColumnSpec("impact_ratio", "impact ratio", "number", "Share of the group divided by the other share."),
            ColumnSpec("impact_ratio_interval", f"impact ratio, {level}", "number_interval", "Its range."),
            ColumnSpec("p_value", "p-value", "p", "Two-sided test of no gap."),
            ColumnSpec("test", "test", "text", "z: pooled; fisher: exact; t: with clusters."),
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
    def reference_column(self) -> ColumnSpec:
        """The column of a group that is compared with."""
        return ColumnSpec("reference_mean", "mean there", "amount", "Mean of those compared with.", digits=self.digits)

    def side_columns(self, prefix: str, label: str, level: str) -> tuple[ColumnSpec, ...]:
        """Return the columns of one group."""

        def column(name: str, head: str, kind: Kind, description: str) -> ColumnSpec:
            return ColumnSpec(prefix + name, label + head, kind, description, digits=self.digits)

        return (
            ColumnSpec(f"{prefix}n", f"{label}rows", "count", "Rows with an amount."),
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

    def both_columns(self) -> tuple[ColumnSpec, ...]:
        """Return the columns of both groups beside each other, in few words."""
        return (
            ColumnSpec("protected_mean", "mean, protected", "amount", "Of the protected group.", digits=self.digits),
            ColumnSpec("reference_mean", "mean, everyone else", "amount", "Of everyone else.", digits=self.digits),
        )

    def both_cells(self, c: MeanComparison) -> tuple[Any, ...]:
        """Return the cells of both groups beside each other."""
        return shown(c.protected.mean), shown(c.reference.mean)

    def reference_cell(self, group: GroupMean) -> Any:
        """Return the cell of a group that is compared with."""
        return shown(group.mean)

    def gap_columns(self, level: str, comparisons: Sequence[MeanComparison] = ()) -> tuple[ColumnSpec, ...]:
        """Return the columns of a comparison."""
        mean, digits = "Mean minus the mean it is compared with.", self.digits
        interval, welch = f"difference, {level} range", "Welch's."
        return (
            ColumnSpec("difference", "difference", "difference", mean, digits=digits),
            ColumnSpec("difference_interval", interval, "difference_interval", welch, digits=digits),
            ColumnSpec(
                "standardized_difference",
                "standardised difference",
                "number",
                "The difference divided by the spread within groups.",
            ),
            ColumnSpec("p_value", "p-value", "p", "Two-sided test of no difference, Welch's."),
        )

    def gap_cells(self, c: MeanComparison) -> tuple[Any, ...]:
        """Return the cells of a comparison."""
        interval = tuple(c.difference_interval)
        return shown(c.difference), interval, shown(c.standardized_difference), shown(c.p_value)


SHARE_FIGURES: Final = ShareFigures()
