"""What the measures return: frozen, plain, ready to be shown, exported and compared.

Shares and gaps are fractions between -1 and 1, not percent. Every difference is protected minus
reference (or group minus rest). Undefined is NaN.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import pandas as pd

from fairaudit.disclosure.fields import figure, setting
from fairaudit.measure.grouping import value_text
from fairaudit.measure.not_known import NotKnown
from fairaudit.measure.plain import Hideable, Plain, columns, record
from fairaudit.measure.verdicts import Verdict, verdict_by_intervals

# What the comparison of two groups returns.


class Interval(NamedTuple):
    """A confidence interval, both ends included; NaN where undefined.

    Parameters
    ----------
    low, high : float
        Its ends.
    """

    low: float
    high: float


@dataclass(frozen=True)
class GroupRatio:
    """How often one group has the favourable result.

    Parameters
    ----------
    name : str
        The condition or value that makes the group, for people.
    n : int
        Rows of the group with a known decision.
    positives : int
        Those with the good outcome.
    ratio : float
        ``positives / n``; NaN if n is 0.
    interval : Interval
        Wilson interval of the ratio.
    undecided : int
        Rows of the group without a decision; they are not in n.
    """

    name: str = setting()
    n: Hideable[int] = figure()
    positives: Hideable[int] = figure()
    ratio: float = figure()
    interval: Interval = figure()
    undecided: Hideable[int] = figure(default=0)


@dataclass(frozen=True)
class Comparison(Plain):
    """Two groups compared on their share of good outcomes.

    Parameters
    ----------
    protected, reference : GroupRatio
        The two groups.
    difference : float
        Protected minus reference.
    difference_interval : Interval
        Newcombe's hybrid score interval at `confidence` (1 - a).
    equivalence_interval : Interval
        The same at 1 - 2a, which the two one-sided tests of alikeness use.
    impact_ratio : float
        Protected divided by reference; NaN where the reference share is 0.
    impact_ratio_interval : Interval
        By the log method, see :func:`fairaudit.measure.intervals.ratio_interval`.
    four_fifths : bool or None
        Whether neither share is below 4/5 of the other; None where undefined.
    z : float
        Pooled z statistic.
    p_value : float
        Two-sided, from the z test or, where an expected cell is below 5, Fisher's exact test.
    test : {"z", "fisher", "t"}
        Which of them; t where clusters are allowed for, whose statistic is then `z`.
    tolerance : float
        The largest gap that still counts as alike.
    confidence : float
        Of the intervals.
    within_tolerance : bool
        The point answer: whether the gap is within the tolerance.
    verdict : {"clear_gap", "no_gap_above_tolerance", "gap_size_unclear", "too_few_to_tell", "nothing_to_compare"}
        The answer with uncertainty, see :func:`fairaudit.measure.verdicts.verdict_by`.
    warnings : tuple of str
        What makes the answer doubtful, with counts.
    """

    protected: GroupRatio = figure()
    reference: GroupRatio = figure()
    difference: float = figure()
    difference_interval: Interval = figure()
    equivalence_interval: Interval = figure()
    impact_ratio: float = figure()
    impact_ratio_interval: Interval = figure()
    four_fifths: bool | None = figure()
    z: float = figure()
    p_value: float = figure()
    test: Hideable[Literal["z", "fisher", "t"]] = figure()
    tolerance: float = setting()
    confidence: float = setting()
    within_tolerance: Hideable[bool] = figure()
    verdict: Hideable[Verdict] = figure()
    warnings: tuple[str, ...] = figure()

    @property
    def has_one_decision(self) -> bool:
        """Whether all known decisions are the same, so that there is nothing to compare; False where that is hidden."""
        return self.protected.ratio == self.reference.ratio and self.protected.ratio in (0, 1)


def as_shares(comparison: object) -> Comparison:
    """Return a comparison that is one of shares where what holds it might hold one of means."""
    if not isinstance(comparison, Comparison):
        raise TypeError(f"Shares are not compared in a {type(comparison).__name__}.")
    return comparison


@dataclass(frozen=True)
class ControlledFairness(Comparison):
    """The answer of :func:`fairaudit.check_controlled_fairness`.

    ``n_population == protected.n + reference.n + unknown + undecided``; the first sixteen fields are those of
    :class:`Comparison`.

    Parameters
    ----------
    protected, reference : GroupRatio
        The two groups.
    difference, difference_interval, equivalence_interval, impact_ratio, impact_ratio_interval : object
        The gap and the ratio with their intervals.
    four_fifths, z, p_value, test, tolerance, confidence, within_tolerance, verdict, warnings : object
        Tests, settings, answers and warnings.
    decision : str
        The decision column.
    favorable : str
        The condition of the good outcome.
    protected_condition : str
        Who is protected.
    where : str or None
        The filter.
    n_population : int
        Rows that meet the filter.
    n_filtered_out : int
        The other rows of the table.
    unknown : int
        Rows of the population in neither group, because the protected condition is unknown there.
    undecided : int
        Rows in a group but without a decision.
    cluster : str or None
        The column that intervals, test and verdict allow for: its values hold rows that depend on each other.
    n_clusters : int or None
        How many of its values hold rows with a known decision.
    not_known : tuple of NotKnown
        Values of groups and decision that say that something is not known, or that a row adds up others.
    """

    decision: str = setting()
    favorable: str = setting()
    protected_condition: str = setting()
    where: str | None = setting()
    n_population: Hideable[int] = figure()
    n_filtered_out: Hideable[int] = figure()
    unknown: Hideable[int] = figure()
    undecided: Hideable[int] = figure()
    cluster: str | None = setting(default=None)
    n_clusters: Hideable[int] | None = figure(default=None)
    not_known: tuple[NotKnown, ...] = figure(in_json=False, default=())


# What the comparison of amounts returns.


@dataclass(frozen=True)
class GroupMean:
    """The amounts of one group.

    Parameters
    ----------
    name : str
        The condition or value that makes the group, for people.
    n : int
        Rows of the group with a known amount.
    mean, deviation : float
        Mean and standard deviation; NaN where there are too few rows.
    interval : Interval
        Of the mean, by Student's t.
    quarter, median, three_quarters : float
        A quarter, half and three quarters of the rows are at or below.
    undecided : int
        Rows of the group without an amount; they are not in n.
    is_rounded : bool
        Whether quartiles are rounded, so that they are no single person's amount.
    """

    name: str = setting()
    n: Hideable[int] = figure()
    mean: float = figure()
    deviation: float = figure()
    interval: Interval = figure()
    quarter: float = figure()
    median: float = figure()
    three_quarters: float = figure()
    undecided: Hideable[int] = figure(default=0)
    is_rounded: bool = setting(in_json=False, default=False)


@dataclass(frozen=True)
class MeanComparison(Plain):
    """Two groups compared on their mean amount.

    Parameters
    ----------
    protected, reference : GroupMean
        The two groups.
    difference : float
        Protected minus reference, in the unit of the amount.
    difference_interval : Interval
        Welch's interval at `confidence` (1 - a).
    equivalence_interval : Interval
        The same at 1 - 2a, which the two one-sided tests of alikeness use.
    standardized_difference : float
        The difference divided by the pooled standard deviation of both groups; NaN where that is 0.
    ratio : float
        Mean of the protected group divided by that of the reference; NaN unless both are above 0.
    p_value : float
        Two-sided, Welch's t test.
    tolerance : float
        The largest difference that still counts as alike, in the unit of the amount.
    confidence : float
        Of the intervals.
    within_tolerance : bool
        The point answer: whether the difference is within the tolerance.
    verdict : {"clear_gap", "no_gap_above_tolerance", "gap_size_unclear", "too_few_to_tell", "nothing_to_compare"}
        The answer with uncertainty, see :func:`fairaudit.measure.verdicts.verdict_by`.
    warnings : tuple of str
        What makes the answer doubtful, with counts.
    """

    protected: GroupMean = figure()
    reference: GroupMean = figure()
    difference: float = figure()
    difference_interval: Interval = figure()
    equivalence_interval: Interval = figure()
    standardized_difference: float = figure()
    ratio: float = figure()
    p_value: float = figure()
    tolerance: float = setting()
    confidence: float = setting()
    within_tolerance: Hideable[bool] = figure()
    verdict: Hideable[Verdict] = figure()
    warnings: tuple[str, ...] = figure()

    @property
    def has_one_decision(self) -> bool:
        """Whether all known amounts are the same, so that there is nothing to compare; False where that is hidden."""
        return self.difference == self.protected.deviation == self.reference.deviation == 0


@dataclass(frozen=True)
class ControlledMeans(MeanComparison):
    """The answer of :func:`fairaudit.measure.check_means`.

    ``n_population == protected.n + reference.n + unknown + undecided``; the first fields are those of
    :class:`MeanComparison`.

    Parameters
    ----------
    protected, reference, difference, difference_interval, equivalence_interval, standardized_difference : object
        Groups and gap.
    ratio, p_value, tolerance, confidence, within_tolerance, verdict, warnings : object
        Tests, settings, answers and warnings.
    decision : str
        The column of amounts.
    protected_condition : str
        Who is protected.
    where : str or None
        The filter.
    n_population : int
        Rows that meet the filter.
    n_filtered_out : int
        The other rows of the table.
    unknown : int
        Rows of the population in neither group, because the protected condition is unknown there.
    undecided : int
        Rows in a group but without an amount.
    didi : float
        How far the mean of each of the two groups is from that of both, added up.
    not_known : tuple of NotKnown
        Values of groups and decision that say that something is not known, or that a row adds up others.
    """

    decision: str = setting()
    protected_condition: str = setting()
    where: str | None = setting()
    n_population: Hideable[int] = figure()
    n_filtered_out: Hideable[int] = figure()
    unknown: Hideable[int] = figure()
    undecided: Hideable[int] = figure()
    didi: float = figure()
    not_known: tuple[NotKnown, ...] = figure(in_json=False, default=())


# What the measures of a prediction or score return.


def has_errors(counts: pd.DataFrame) -> bool:
    """Say whether a prediction is wrong in some row, or may be, as a count is hidden."""
    wrong = counts[["fp", "fn"]].to_numpy()
    return bool(pd.isna(wrong).any() or (wrong > 0).any())


@dataclass(frozen=True)
class ErrorComparison(Plain):
    """Error rates of a prediction per group, from one table of counts.

    Parameters
    ----------
    groups : tuple of str
        The groups in order, ``"missing"`` last.
    positive : {"favorable", "unfavorable"}
        Which outcome is called positive.
    positive_meaning : str
        That outcome in words.
    counts : DataFrame
        One row a group.
    metrics : DataFrame
        One row a group, as :func:`fairaudit.group_metrics`, with the index ``group``.
    intervals : DataFrame
        One row for each group and rate, with its Wilson interval.
    gaps : DataFrame
        As :func:`fairaudit.group_gaps`, over rates that are a share of at least 30 rows, with Newcombe's interval.
    confidence : float
        Of the intervals.
    where : str or None
        The filter.
    warnings : tuple of str
        What makes some rates doubtful or undefined, with counts.
    not_known : tuple of NotKnown
        Values of groups and decision that say that something is not known, or that a row adds up others.
    """

    groups: tuple[str, ...] = setting()
    positive: Literal["favorable", "unfavorable"] = setting()
    positive_meaning: str = setting()
    counts: pd.DataFrame = figure(
        columns(
            group=(str, "The group."),
            tp=(Hideable[int], "Predicted positive and truly so."),
            fp=(Hideable[int], "Predicted positive, truly negative."),
            tn=(Hideable[int], "Predicted negative and truly so."),
            fn=(Hideable[int], "Predicted negative, truly positive."),
            unknown=(Hideable[int], "Rows without decision or prediction."),
        )
    )
    metrics: pd.DataFrame = figure(
        columns(
            group=(str, "The group."),
            n=(Hideable[int], "Rows."),
            base_rate=(float, "Share truly positive."),
            selection_rate=(float, "Share predicted positive."),
            accuracy=(float, "Share of right predictions."),
            tpr=(float, "TP / (TP + FN)."),
            fpr=(float, "FP / (FP + TN)."),
            tnr=(float, "TN / (FP + TN)."),
            fnr=(float, "FN / (TP + FN)."),
            ppv=(float, "TP / (TP + FP)."),
            npv=(float, "TN / (TN + FN)."),
            fdr=(float, "FP / (TP + FP)."),
            for_=(float, "FN / (TN + FN)."),
        )
    )
    intervals: pd.DataFrame = figure(
        columns(
            group=(str, "The group."),
            metric=(str, "Which rate."),
            value=(float, "The rate."),
            n=(Hideable[int], "Rows that it is a share of."),
            low=(float, "Lower end of the Wilson interval."),
            high=(float, "Upper end."),
        )
    )
    gaps: pd.DataFrame = figure(
        columns(
            metric=(str, "Which rate."),
            difference=(float, "Largest minus smallest."),
            ratio=(float, "Smallest divided by largest."),
            worst_pair=(
                tuple[str, str] | None,
                "Groups with the highest and the lowest rate.",
            ),
            n_undefined=(int, "Groups left out because the rate is not defined."),
            n_few=(int, "Groups left out because the rate is a share of few rows."),
            low=(float, "Lower end of Newcombe's interval of the difference."),
            high=(float, "Upper end."),
            n_high=(int | None, "Rows that the highest rate is a share of."),
            n_low=(int | None, "Rows that the lowest rate is a share of."),
        )
    )
    confidence: float = setting()
    where: str | None = setting()
    warnings: tuple[str, ...] = figure()
    not_known: tuple[NotKnown, ...] = figure(in_json=False, default=())

    @property
    def repeats_decision(self) -> bool:
        """Whether the prediction is the decision in every row, as counts show that are all known."""
        return not has_errors(self.counts)


@dataclass(frozen=True)
class ScoreComparison(Plain):
    """How well a score ranks and how well it is calibrated, per group.

    Scores are turned so that higher means the positive outcome is more likely; ``turned`` says where they were. Pages,
    reports and tables show them as the data hold them.

    Parameters
    ----------
    score : str
        The column.
    groups : tuple of str
        The groups in order, ``"missing"`` last.
    positive : {"favorable", "unfavorable"}
        Which outcome is called positive.
    positive_meaning : str
        That outcome in words.
    is_probability : bool
        Whether all scores are between 0 and 1 (and not only 0 and 1).
    roc : DataFrame
        The ROC curve of each group, thinned for drawing; the first threshold of a group is NaN.
    auc : DataFrame
        One row a group: the area under its curve.
    calibration : DataFrame
        One row for each group and bin of scores; bins without rows are left out.
    distribution : DataFrame
        One row for each group, label and bin of scores; shares add up to 1 for each group and label.
    where : str or None
        The filter.
    warnings : tuple of str
        What makes some figures doubtful or undefined, with counts.
    turned : bool
        Whether a higher score of the data speaks against the positive outcome: all scores here are then 1 minus those
        of the data where these are probabilities, and else have the sign turned.
    not_known : tuple of NotKnown
        Values of groups and decision that say that something is not known, or that a row adds up others.
    """

    score: str = setting()
    groups: tuple[str, ...] = setting()
    positive: Literal["favorable", "unfavorable"] = setting()
    positive_meaning: str = setting()
    is_probability: bool = setting()
    roc: pd.DataFrame = figure(
        columns(
            group=(str, "The group."),
            threshold=(float, "Scores from here on count as positive; NaN above all scores."),
            fpr=(float, "FP / (FP + TN)."),
            tpr=(float, "TP / (TP + FN)."),
        )
    )
    auc: pd.DataFrame = figure(
        columns(
            group=(str, "The group."),
            n=(Hideable[int], "Rows with a score and an outcome."),
            n_positive=(Hideable[int], "Those of them that are truly positive."),
            auc=(float, "Area under the ROC curve."),
            low=(float, "Lower end of DeLong's interval."),
            high=(float, "Upper end."),
        )
    )
    calibration: pd.DataFrame = figure(
        columns(
            group=(str, "The group."),
            bin=(str, "The scores of the bin."),
            score_mean=(float, "Their mean."),
            n=(int, "Rows."),
            positives=(int, "Those of them that are truly positive."),
            observed=(float, "The same as a share."),
            low=(float, "Lower end of the Wilson interval of the share."),
            high=(float, "Upper end."),
        )
    )
    distribution: pd.DataFrame = figure(
        columns(
            group=(str, "The group."),
            label=(int, "1: truly positive."),
            bin_low=(float, "Lower end of the bin."),
            bin_high=(float, "Upper end."),
            n=(int, "Rows."),
            share=(float, "Share of the group's rows with this label."),
        )
    )
    where: str | None = setting()
    warnings: tuple[str, ...] = figure()
    turned: bool = setting(default=False)
    not_known: tuple[NotKnown, ...] = figure(in_json=False, default=())


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
