"""What the measures return: frozen, plain, ready to be shown, exported and compared.

Shares and gaps are fractions between -1 and 1, not percent. Every difference is protected minus
reference (or group minus rest). Undefined is NaN.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pandas as pd

from fairaudit.disclosure.fields import figure, setting
from fairaudit.measure.comparison_results import (
    Comparison,
    ControlledFairness,
    GroupRatio,
    Interval,
    as_shares,
)
from fairaudit.measure.grouping import value_text
from fairaudit.measure.mean_results import MeanComparison
from fairaudit.measure.not_known import NotKnown
from fairaudit.measure.plain import Hideable, Plain, record
from fairaudit.measure.prediction_results import ErrorComparison, ScoreComparison
from fairaudit.measure.verdicts import Verdict, verdict_by_intervals

__all__ = [
    "Comparison",
    "ControlledFairness",
    "ErrorComparison",
    "GroupComparison",
    "GroupMeans",
    "GroupRatio",
    "GroupRow",
    "Interval",
    "ScoreComparison",
    "StratifiedFairness",
    "StratumRow",
]


class Compared:
    """A row that compares two groups: on shares, or on means."""

    comparison: Comparison | MeanComparison

    @property
    def shares(self) -> Comparison:
        """The comparison, where shares are compared."""
        if not isinstance(self.comparison, Comparison):
            raise TypeError("this row compares means")
        return self.comparison

    @property
    def means(self) -> MeanComparison:
        """The comparison, where means are compared."""
        if not isinstance(self.comparison, MeanComparison):
            raise TypeError("this row compares shares")
        return self.comparison


@dataclass(frozen=True)
class GroupRow(Compared):
    """One group against the rest, or against the reference group.

    Parameters
    ----------
    values : tuple of (str, object)
        The columns and the values that make the group.
    comparison : Comparison or MeanComparison
        The group is its protected side. Its verdict is the one left by Holm's method for all groups (by Bonferroni's
        where some are hidden); its intervals are those of the group alone.
    adjusted_p_value : float
        By Holm's method, for all questions of the comparison; two groups without a reference are one question.
    small : bool
        Whether it has fewer rows than asked for.
    """

    values: tuple[tuple[str, Any], ...] = setting()
    comparison: Comparison | MeanComparison = figure()
    adjusted_p_value: float = figure()
    small: Hideable[bool] = figure()

    @property
    def name(self) -> str:
        """The group's values as a text."""
        return ", ".join(value_text(v) for _, v in self.values)


@dataclass(frozen=True)
class GroupComparison(Plain):
    """Every value (or crossing of values) of one or more columns, each against the rest or a reference.

    Parameters
    ----------
    columns : tuple of str
        The columns that make the groups.
    reference : str or None
        The name of the group that all others are compared with.
    rows : tuple of GroupRow
        The groups, in ascending order.
    unknown : int
        Rows with a missing value in one of the columns; they are in no group.
    undecided : int
        Rows in a group but without a decision.
    min_count : int
        Groups with fewer rows are small.
    where : str or None
        The filter.
    worst_pair : tuple of str or None
        The groups with the highest and the lowest share, among those that are not small.
    not_known : tuple of NotKnown
        Rows that are counted although a value says that their group or decision is not known.
    """

    columns: tuple[str, ...] = setting()
    reference: str | None = setting()
    rows: tuple[GroupRow, ...] = figure()
    unknown: Hideable[int] = figure()
    undecided: Hideable[int] = figure()
    min_count: int = setting()
    where: str | None = setting()
    worst_pair: tuple[str, str] | None = figure()
    not_known: tuple[NotKnown, ...] = figure(in_json=False, default=())

    def to_frame(self) -> pd.DataFrame:
        """Return the groups as a table."""
        records = []
        for row in self.rows:
            answer = {"adjusted_p_value": row.adjusted_p_value, "verdict": row.comparison.verdict, "small": row.small}
            records.append(record(row.values, _figures(row.comparison) | answer))
        return pd.DataFrame.from_records(records)


def _figures(c: Comparison | MeanComparison) -> dict[str, Any]:
    difference = {
        "difference": c.difference,
        "difference_low": c.difference_interval.low,
        "difference_high": c.difference_interval.high,
    }
    if isinstance(c, MeanComparison):
        return {
            "n": c.protected.n,
            "mean": c.protected.mean,
            "mean_low": c.protected.interval.low,
            "mean_high": c.protected.interval.high,
            "median": c.protected.median,
            "standard_deviation": c.protected.deviation,
            **difference,
            "standardized_difference": c.standardized_difference,
            "p_value": c.p_value,
        }
    return {
        "n": c.protected.n,
        "positives": c.protected.positives,
        "ratio": c.protected.ratio,
        "ratio_low": c.protected.interval.low,
        "ratio_high": c.protected.interval.high,
        **difference,
        "impact_ratio": c.impact_ratio,
        "p_value": c.p_value,
    }


@dataclass(frozen=True)
class GroupMeans(GroupComparison):
    """Every value (or crossing of values) of one or more columns, each compared on its mean amount.

    Parameters
    ----------
    columns : tuple of str
        The columns that make the groups.
    reference : str or None
        The name of the group that all others are compared with.
    rows : tuple of GroupRow
        The groups, in ascending order; each with a :class:`MeanComparison`.
    unknown : int
        Rows with a missing value in one of the columns; they are in no group.
    undecided : int
        Rows in a group but without an amount.
    min_count : int
        Groups with fewer rows are small.
    where : str or None
        The filter.
    worst_pair : tuple of str or None
        The groups with the highest and the lowest mean, among those that are not small.
    not_known : tuple of NotKnown
        Rows that are counted although a value says that their group or amount is not known.
    """


@dataclass(frozen=True)
class StratumRow(Compared):
    """One stratum: the values that make it and the comparison inside it.

    Parameters
    ----------
    values : tuple of (str, object)
        The columns and the values that make the stratum; None is missing.
    comparison : Comparison or MeanComparison
        Protected against reference, inside the stratum.
    unknown : int
        Rows of the stratum in neither group.
    """

    values: tuple[tuple[str, Any], ...] = setting()
    comparison: Comparison | MeanComparison = figure()
    unknown: Hideable[int] = figure()

    @property
    def name(self) -> str:
        """The stratum's values as a text."""
        return ", ".join(value_text(v) for _, v in self.values)

    @property
    def difference(self) -> float:
        """Protected minus reference inside the stratum."""
        return self.comparison.difference


@dataclass(frozen=True)
class StratifiedFairness(Plain):
    """The answer of :func:`fairaudit.check_strata`.

    Parameters
    ----------
    pooled : ControlledFairness
        The answer without strata.
    columns : tuple of str
        The columns that make the strata.
    strata : tuple of StratumRow
        The strata in which both groups have rows, in ascending order.
    left_out : tuple of str
        Strata in which one of the groups is empty: they cannot be compared and do not count.
    common_odds_ratio : float
        Mantel-Haenszel's, protected against reference.
    common_odds_ratio_interval : Interval
        By Robins, Breslow and Greenland.
    cmh_statistic, cmh_p_value : float
        The Cochran-Mantel-Haenszel test with the continuity correction.
    cmh_statistic_uncorrected, cmh_p_value_uncorrected : float
        The same without.
    common_difference : float
        Mantel-Haenszel's common gap, protected minus reference.
    common_difference_interval : Interval
        With Sato's variance.
    common_equivalence_interval : Interval
        The same at 1 - 2a, that of two one-sided tests.
    reversal : bool
        Whether the pooled gap and the common gap have opposite signs.
    """

    pooled: ControlledFairness = figure()
    columns: tuple[str, ...] = setting()
    strata: tuple[StratumRow, ...] = figure()
    left_out: tuple[str, ...] = figure()
    common_odds_ratio: float = figure()
    common_odds_ratio_interval: Interval = figure()
    cmh_statistic: float = figure()
    cmh_p_value: float = figure()
    cmh_statistic_uncorrected: float = figure()
    cmh_p_value_uncorrected: float = figure()
    common_difference: float = figure()
    common_difference_interval: Interval = figure()
    common_equivalence_interval: Interval = figure()
    reversal: Hideable[bool] = figure()

    @property
    def within_tolerance(self) -> bool | None:
        """Whether the common difference is within the tolerance; None where that is hidden."""
        hidden: bool = None in (self.common_difference, self.pooled.tolerance)
        return None if hidden else abs(self.common_difference) <= self.pooled.tolerance

    @property
    def verdict(self) -> Verdict | None:
        """The verdict on the common difference, by the rule for all; None where that is hidden."""
        hidden: bool = None in (self.common_difference, *self.common_equivalence_interval, self.pooled.tolerance)
        ends = (self.common_difference_interval, self.common_equivalence_interval)
        return None if hidden else verdict_by_intervals(self.common_difference, *ends, self.pooled.tolerance)

    def to_frame(self) -> pd.DataFrame:
        """Return the strata as a table."""
        records = []
        for row in self.strata:
            c = as_shares(row.comparison)
            records.append(
                record(
                    row.values,
                    {
                        "protected_n": c.protected.n,
                        "protected_positives": c.protected.positives,
                        "protected_ratio": c.protected.ratio,
                        "reference_n": c.reference.n,
                        "reference_positives": c.reference.positives,
                        "reference_ratio": c.reference.ratio,
                        "difference": c.difference,
                        "difference_low": c.difference_interval.low,
                        "difference_high": c.difference_interval.high,
                        "p_value": c.p_value,
                        "verdict": c.verdict,
                        "unknown": row.unknown,
                    },
                )
            )
        return pd.DataFrame.from_records(records)
