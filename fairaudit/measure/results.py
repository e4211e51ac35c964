"""What the measures return: frozen, plain, ready to be shown, exported and compared.

Shares and gaps are fractions between -1 and 1, not percent. Every difference is protected minus
reference (or group minus rest). Undefined is NaN.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Any, ClassVar, Literal, NamedTuple, TypeVar

import pandas as pd

from fairaudit.columns import SurveyDesign
from fairaudit.data.roles import AskedOf
from fairaudit.defaults import ENOUGH
from fairaudit.disclosure.fields import AS_ABOVE, Field, column, columns, figure, never, setting
from fairaudit.findings.result import Result
from fairaudit.measure.grouping import value_text
from fairaudit.measure.not_known import ENDED_CASES, NotKnown
from fairaudit.measure.plain import Hideable, Plain, record
from fairaudit.measure.verdicts import Verdict, verdict_by_intervals
from fairaudit.measure.weighted_shares import WeightedShares

T = TypeVar("T")

# What the comparison of two groups returns.


class Interval(NamedTuple):
    """A confidence interval, both ends included; NaN where undefined."""

    low: Annotated[float, Field(meaning="Its ends.")]
    high: Annotated[float, Field(meaning=AS_ABOVE)]


@dataclass(frozen=True)
class GroupRatio:
    """How often one group has the favourable result."""

    name: str = setting("The condition or value that makes the group, for people.")
    n: Hideable[int] = figure("Rows of the group with a known decision.")
    positives: Hideable[int] = figure("Those with the good outcome.", kind="count", turns=True)
    ratio: float = figure(
        "`positives / n`, by weight where rows have weights; NaN if n is 0.", kind="share", turns=True
    )
    interval: Interval = figure("Wilson interval of the ratio.", kind="share_interval", turns=True)
    undecided: Hideable[int] = figure("Rows of the group without a decision; they are not in n.", default=0)

    @property
    def value(self) -> float:
        """What is compared: the share."""
        return self.ratio

    @property
    def counts(self) -> tuple[int, ...]:
        """All counts of the group."""
        return self.n, self.positives, self.undecided


@dataclass(frozen=True)
class Comparison(Plain):
    """Two groups compared on their share of good outcomes."""

    quantity: ClassVar[Literal["share"]] = "share"
    protected: GroupRatio = figure("The two groups.")
    reference: GroupRatio = figure(AS_ABOVE)
    difference: float = figure("Protected minus reference.", kind="points", turns=True)
    difference_interval: Interval = figure(
        "Newcombe's hybrid score interval at `confidence` (1 - a).", kind="points_interval", turns=True
    )
    equivalence_interval: Interval = figure(
        "The same at 1 - 2a, which the two one-sided tests of alikeness use.", kind="points_interval", turns=True
    )
    impact_ratio: float = figure("Protected divided by reference; NaN where the reference share is 0.", turns=False)
    impact_ratio_interval: Interval = figure("By the log method, see ratio_interval.", turns=False)
    four_fifths: bool | None = figure("Whether neither share is below 4/5 of the other; None where undefined.")
    z: float = figure("Pooled z statistic.", turns=False)
    p_value: float = figure(
        "Two-sided, from the z test or, where an expected cell is below 5, Fisher's exact test.", turns=False
    )
    test: Hideable[Literal["z", "fisher", "t"]] = figure(
        "Which of them; t where clusters or weights are allowed for, whose statistic is then `z`."
    )
    tolerance: float = setting("The largest gap that still counts as alike.")
    confidence: float = setting("Of the intervals.")
    within_tolerance: Hideable[bool] = figure("The point answer: whether the gap is within the tolerance.")
    verdict: Hideable[Verdict] = figure("The answer with uncertainty, see verdict_by.")
    warnings: tuple[str, ...] = figure("What makes the answer doubtful, with counts.")

    @property
    def values(self) -> tuple[float, float]:
        """What both groups have, the protected one first."""
        return self.protected.value, self.reference.value

    @property
    def has_one_decision(self) -> bool:
        """Whether all known decisions are the same, so that there is nothing to compare; False where that is hidden."""
        return self.protected.ratio == self.reference.ratio and self.protected.ratio in (0, 1)


def as_kind(kind: type[T], found: object) -> T:
    """Return what was found as one of a kind, where what holds it might hold one of another."""
    if not isinstance(found, kind):
        raise TypeError(f"{type(found).__name__} is not a {kind.__name__}.")
    return found


# What the comparison of groups returns of which some counts are rounded or hidden.


@dataclass(frozen=True)
class GroupBounds(GroupRatio):
    """How often one group has the favourable result, as far as rounded and hidden counts say."""

    n: Hideable[int] = figure("The fewest people of the group of all tables that fit.")
    positives: Hideable[int] = figure("The fewest with the good outcome.")
    ratio: float = figure("NaN: it is not known.", kind="share", turns=True)
    interval: Interval = figure(
        "The smallest and the largest share of all tables that fit; NaN where there may be nobody.",
        kind="share_interval",
        turns=True,
    )
    undecided: Hideable[int] = figure("The fewest without a decision; they are not in n.", default=0)
    most_n: int = figure("The most people.", default=0)
    most_positives: int = figure("The most with the good outcome.", default=0)
    others: int = figure("The fewest and the most without it.", default=0)
    most_others: int = figure(AS_ABOVE, default=0)

    @property
    def is_exact(self) -> bool:
        """Whether all tables that fit have the same numbers."""
        return self.n == self.most_n and self.positives == self.most_positives

    @property
    def exchanged(self) -> dict[str, int]:
        """The counts, with those of people who have the good outcome in the place of all others, and the reverse."""
        return {
            "positives": self.others,
            "most_positives": self.most_others,
            "others": self.positives,
            "most_others": self.most_positives,
        }


@dataclass(frozen=True)
class BoundsComparison(Comparison):
    """Two groups compared over every table that fits their rounded and hidden counts."""

    protected: GroupBounds = figure("The two groups.")
    reference: GroupBounds = figure(AS_ABOVE)
    difference: float = figure("NaN: it is not known.", kind="points", turns=True)
    difference_interval: Interval = figure(
        "Holds Newcombe's interval at `confidence` (1 - a) of each table that fits.", kind="points_interval", turns=True
    )
    equivalence_interval: Interval = figure("The same at 1 - 2a.", kind="points_interval", turns=True)
    test: Hideable[Literal["z", "fisher", "t"]] = figure("No test is made.", in_json=False)
    within_tolerance: Hideable[bool] = figure("Whether the gap of each table that fits is within the tolerance.")
    verdict: Hideable[Verdict] = figure(
        'The verdict that each table that fits has; "too_few_to_tell" where they differ or that cannot be shown.'
    )
    difference_bounds: Interval = figure(
        "The smallest and the largest gap of all tables that fit.",
        kind="points_interval",
        turns=True,
        default=Interval(float("nan"), float("nan")),
    )
    n_uncertain: int = figure("Printed cells that may stand for more than one number.", default=0)

    @property
    def has_one_decision(self) -> bool:
        """Whether all decisions are the same in each table that fits."""
        own, other = self.protected, self.reference
        return min(own.most_n, other.most_n) > 0 and (
            own.most_positives == other.most_positives == 0 or own.most_others == other.most_others == 0
        )


@dataclass(frozen=True)
class ControlledFairness(Comparison, Result):
    """The answer of :func:`fairaudit.check_controlled_fairness`.

    ``n_population == protected.n + reference.n + unknown + undecided``; the first fields are those of
    :class:`Comparison`.
    """

    decision: str = setting("The decision column.")
    favorable: str = setting("The condition of the good outcome.")
    protected_condition: str = setting("Who is protected.")
    where: str | None = setting("The filter.")
    n_population: Hideable[int] = figure("Rows that meet the filter.")
    n_filtered_out: Hideable[int] = figure("The other rows of the table.")
    unknown: Hideable[int] = figure(
        "Rows of the population in neither group, because the protected condition is unknown there."
    )
    undecided: Hideable[int] = figure("Rows in a group but without a decision.")
    cluster: str | None = setting(
        "The column that intervals, test and verdict allow for: its values hold rows that depend on each other.",
        default=None,
    )
    n_clusters: Hideable[int] | None = figure("How many of its values hold rows with a known decision.", default=None)
    design: SurveyDesign | None = setting(
        "How the sample was drawn, where rows have weights: shares, intervals, test and verdict are then those of the "
        "people that it speaks for.",
        default=None,
    )
    not_known: tuple[NotKnown, ...] = figure(ENDED_CASES, in_json=False, default=())


@dataclass(frozen=True)
class ControlledBounds(BoundsComparison, ControlledFairness):
    """The answer of :func:`fairaudit.measure.partial_counts.check_partial_counts`."""

    n_population: Hideable[int] = figure("The fewest people that meet the filter.")
    n_filtered_out: Hideable[int] = figure("The fewest others of the table.")
    unknown: Hideable[int] = figure(
        "The fewest people of the population in neither group, because the protected condition is unknown there."
    )
    undecided: Hideable[int] = figure("The fewest people in a group but without a decision.")


# What the comparison of amounts returns.


@dataclass(frozen=True)
class GroupMean:
    """The amounts of one group."""

    name: str = setting("The condition or value that makes the group, for people.")
    n: Hideable[int] = figure("Rows of the group with a known amount.")
    mean: float = figure("Mean and standard deviation; NaN where there are too few rows.")
    deviation: float = figure(AS_ABOVE)
    interval: Interval = figure("Of the mean, by Student's t.")
    quarter: float = figure("A quarter, half and three quarters of the rows are at or below.")
    median: float = figure(AS_ABOVE)
    three_quarters: float = figure(AS_ABOVE)
    undecided: Hideable[int] = figure("Rows of the group without an amount; they are not in n.", default=0)
    is_rounded: bool = setting(
        "Whether quartiles are rounded, so that they are no single person's amount.", in_json=False, default=False
    )

    @property
    def value(self) -> float:
        """What is compared: the mean."""
        return self.mean

    @property
    def counts(self) -> tuple[int, ...]:
        """All counts of the group."""
        return self.n, self.undecided


@dataclass(frozen=True)
class MeanComparison(Plain):
    """Two groups compared on their mean amount."""

    quantity: ClassVar[Literal["amount"]] = "amount"
    protected: GroupMean = figure("The two groups.")
    reference: GroupMean = figure(AS_ABOVE)
    difference: float = figure("Protected minus reference, in the unit of the amount.")
    difference_interval: Interval = figure("Welch's interval at `confidence` (1 - a).")
    equivalence_interval: Interval = figure("The same at 1 - 2a, which the two one-sided tests of alikeness use.")
    standardized_difference: float = figure(
        "The difference divided by the pooled standard deviation of both groups; NaN where that is 0."
    )
    ratio: float = figure("Mean of the protected group divided by that of the reference; NaN unless both are above 0.")
    p_value: float = figure("Two-sided, Welch's t test.")
    tolerance: float = setting("The largest difference that still counts as alike, in the unit of the amount.")
    confidence: float = setting("Of the intervals.")
    within_tolerance: Hideable[bool] = figure("The point answer: whether the difference is within the tolerance.")
    verdict: Hideable[Verdict] = figure("The answer with uncertainty, see verdict_by.")
    warnings: tuple[str, ...] = figure("What makes the answer doubtful, with counts.")

    @property
    def values(self) -> tuple[float, float]:
        """What both groups have, the protected one first."""
        return self.protected.value, self.reference.value

    @property
    def is_of_whole_numbers(self) -> bool:
        """Whether figures need no decimals, however little amounts are spread."""
        return False

    @property
    def has_one_decision(self) -> bool:
        """Whether all known amounts are the same, so that there is nothing to compare; False where that is hidden."""
        return self.difference == self.protected.deviation == self.reference.deviation == 0


@dataclass(frozen=True)
class ControlledMeans(MeanComparison, Result):
    """The answer of :func:`fairaudit.measure.check_means`.

    ``n_population == protected.n + reference.n + unknown + undecided``; the first fields are those of
    :class:`MeanComparison`.
    """

    decision: str = setting("The column of amounts.")
    protected_condition: str = setting("Who is protected.")
    where: str | None = setting("The filter.")
    n_population: Hideable[int] = figure("Rows that meet the filter.")
    n_filtered_out: Hideable[int] = figure("The other rows of the table.")
    unknown: Hideable[int] = figure(
        "Rows of the population in neither group, because the protected condition is unknown there."
    )
    undecided: Hideable[int] = figure("Rows in a group but without an amount.")
    didi: float = figure("How far the mean of each of the two groups is from that of both, added up.")
    design: SurveyDesign | None = setting(
        "How the sample was drawn, where rows have weights: means, quartiles, intervals, test and verdict are then "
        "those of the people that it speaks for.",
        default=None,
    )
    not_known: tuple[NotKnown, ...] = figure(ENDED_CASES, in_json=False, default=())


@dataclass(frozen=True)
class GroupWaiting(GroupMean):
    """The times that one group waits for a decision; open cases count with the time so far, and have no mean."""

    n: Hideable[int] = figure("Cases of the group with a time, open ones included.")
    interval: Interval = figure("Of the median, by the log-log interval of the share that still waits.")
    quarter: float = figure(
        "The times after which three quarters, half and a quarter still wait; NaN where more do to the end."
    )
    undecided: Hideable[int] = figure("Rows of the group without a time; they are not in n.", default=0)
    n_open: Hideable[int] = figure("Those of n that are still open.", default=0)
    n_empty: Hideable[int] = figure("Rows of the group that have no time in its own column.", in_json=False, default=0)

    @property
    def of_column(self) -> GroupWaiting:
        """The group with the counts of rows that have a time in its own column, and that have none."""
        return replace(self, n=self.n + self.undecided - self.n_empty, undecided=self.n_empty)

    @property
    def value(self) -> float:
        """What is compared: the median."""
        return self.median

    @property
    def counts(self) -> tuple[int, ...]:
        """All counts of the group."""
        return self.n, self.undecided, self.n_open


@dataclass(frozen=True)
class ControlledWaiting(ControlledMeans):
    """The answer of :func:`fairaudit.measure.check_waiting`."""

    protected: GroupWaiting = figure("The two groups.")
    reference: GroupWaiting = figure(AS_ABOVE)
    difference: float = figure("Median of the protected group minus that of the reference; NaN if one is not reached.")
    difference_interval: Interval = figure("Of the difference, from the intervals of both medians (Zou and Donner).")
    ratio: float = figure(
        "Median of the protected group divided by that of the reference; NaN unless both are above 0."
    )
    p_value: float = figure("Two-sided, log-rank test.")
    undecided: Hideable[int] = figure("Rows in a group but without a time.")
    didi: float = figure("NaN: it is one of means.")
    log_rank: float = figure(
        "The standardised log-rank statistic: above 0 where the protected group waits longer.", default=float("nan")
    )
    open_when: str = setting("Which cases are open.", default="")
    open_since: str | None = setting(
        "The column of the time so far, or of the day on which waiting began.", default=None
    )
    open_until: str | None = setting("The day up to which cases were observed.", default=None)
    strata: tuple[str, ...] = setting("The columns within which the log-rank test is made once more.", default=())
    log_rank_within: float = figure(
        "The same statistic within strata, over all of them together; NaN without strata that hold both groups.",
        default=float("nan"),
    )
    p_value_within: float = figure("Two-sided, log-rank test within strata.", default=float("nan"))

    @property
    def n_open(self) -> int | None:
        """How many cases of both groups are open; None where that is hidden."""
        both = (self.protected.n_open, self.reference.n_open)
        return None if None in both else sum(both)

    @property
    def is_of_whole_numbers(self) -> bool:
        """Whether both medians are whole numbers, so that they need no decimals."""
        return all(value is not None and float(value).is_integer() for value in self.values)


# What the measures of a prediction or score return.


def has_errors(counts: pd.DataFrame) -> bool:
    """Say whether a prediction is wrong in some row, or may be, as a count is hidden."""
    wrong = counts[["fp", "fn"]].to_numpy()
    return bool(pd.isna(wrong).any() or (wrong > 0).any())


@dataclass(frozen=True)
class ErrorComparison(Plain, Result):
    """Error rates of a prediction per group, from one table of counts."""

    groups: tuple[str, ...] = setting('The groups in order, `"missing"` last.')
    positive: Literal["favorable", "unfavorable"] = setting("Which outcome is called positive.")
    positive_meaning: str = setting("That outcome in words.")
    counts: pd.DataFrame = figure(
        "One row a group.",
        columns(
            group=column(str, "The group.", "group", "group"),
            tp=column(
                Hideable[int],
                "Predicted positive and truly so.",
                "true positive (TP)",
                "count",
                "Rows: true positive (TP).",
            ),
            fp=column(
                Hideable[int],
                "Predicted positive, truly negative.",
                "false positive (FP)",
                "count",
                "Rows: false positive (FP).",
            ),
            tn=column(
                Hideable[int],
                "Predicted negative and truly so.",
                "true negative (TN)",
                "count",
                "Rows: true negative (TN).",
            ),
            fn=column(
                Hideable[int],
                "Predicted negative, truly positive.",
                "false negative (FN)",
                "count",
                "Rows: false negative (FN).",
            ),
            unknown=column(Hideable[int], "Rows without decision or prediction.", "unknown", "count", "Rows: unknown."),
        ),
    )
    metrics: pd.DataFrame = figure(
        "One row a group, as group_metrics, with the index `group`.",
        columns(
            group=column(str, "The group.", "group", "group"),
            n=column(Hideable[int], "Rows.", "rows", "count", "Rows with both known."),
            base_rate=column(float, "Share truly positive.", "Share truly positive", "share", "Share truly positive."),
            selection_rate=column(
                float, "Share predicted positive.", "Share predicted positive", "share", "Share predicted positive."
            ),
            accuracy=column(float, "Share of right predictions.", "Accuracy", "share", "Accuracy."),
            tpr=column(float, "TP / (TP + FN).", "True positive rate", "share", "True positive rate."),
            fpr=column(float, "FP / (FP + TN).", "False positive rate", "share", "False positive rate."),
            tnr=column(float, "TN / (FP + TN).", "True negative rate", "share", "True negative rate."),
            fnr=column(float, "FN / (TP + FN).", "False negative rate", "share", "False negative rate."),
            ppv=column(
                float, "TP / (TP + FP).", "Right among predicted positive", "share", "Right among predicted positive."
            ),
            npv=column(
                float,
                "TN / (TN + FN).",
                "Right among predicted not positive",
                "share",
                "Right among predicted not positive.",
            ),
            fdr=column(
                float, "FP / (TP + FP).", "Wrong among predicted positive", "share", "Wrong among predicted positive."
            ),
            for_=column(
                float,
                "FN / (TN + FN).",
                "Wrong among predicted not positive",
                "share",
                "Wrong among predicted not positive.",
            ),
        ),
    )
    intervals: pd.DataFrame = figure(
        "One row for each group and rate, with its Wilson interval.",
        columns(
            group=column(str, "The group.", "group", "group"),
            metric=column(str, "Which rate.", "field", "code", "Which rate, as in the table of rates."),
            value=column(float, "The rate.", "value", "share"),
            n=column(Hideable[int], "Rows that it is a share of.", "out of", "count", "Rows it is a share of."),
            low=column(float, "Lower end of the Wilson interval.", "range", "share_interval", "By Wilson's method."),
            high=column(float, "Upper end."),
        ),
    )
    gaps: pd.DataFrame = figure(
        "As group_gaps, over rates that are a share of at least 30 rows, with Newcombe's interval.",
        columns(
            metric=column(str, "Which rate.", "field", "code", "Which rate, as in the table of rates."),
            difference=column(float, "Largest minus smallest.", "largest gap, points", "points"),
            ratio=column(float, "Smallest divided by largest.", "smallest ratio", "number"),
            worst_pair=column(
                tuple[str, str] | None,
                "Groups with the highest and the lowest rate.",
                "highest against lowest",
                "text",
                "The two groups.",
            ),
            n_undefined=column(
                int,
                "Groups left out because the rate is not defined.",
                "not defined",
                "count",
                "Groups without the rate.",
            ),
            n_few=column(
                int,
                "Groups left out because the rate is a share of few rows.",
                "too few rows",
                "count",
                f"Groups under {ENOUGH} rows.",
            ),
            low=column(
                float,
                "Lower end of Newcombe's interval of the difference.",
                "its range",
                "points_interval",
                "Newcombe's, for two groups chosen in advance.",
            ),
            high=column(float, "Upper end."),
            n_high=column(
                int | None,
                "Rows that the highest rate is a share of.",
                "highest out of",
                "count",
                "Rows behind the highest rate.",
            ),
            n_low=column(
                int | None,
                "Rows that the lowest rate is a share of.",
                "lowest out of",
                "count",
                "Rows behind the lowest rate.",
            ),
        ),
    )
    confidence: float = setting("Of the intervals.")
    where: str | None = setting("The filter.")
    warnings: tuple[str, ...] = figure("What makes some rates doubtful or undefined, with counts.")
    not_known: tuple[NotKnown, ...] = figure(ENDED_CASES, in_json=False, default=())
    design: SurveyDesign | None = setting(
        "How the sample was drawn, where rows have weights.", in_json=False, default=None
    )
    asked: AskedOf | None = never("What it is about.", in_json=False, default=None, compare=False)
    sampled: Mapping[str, WeightedShares] | None = never(
        "In a sample with weights, how sure each rate is, of all groups together.", in_json=False, default=None
    )

    @property
    def repeats_decision(self) -> bool:
        """Whether the prediction is the decision in every row, as counts show that are all known."""
        return not has_errors(self.counts)


@dataclass(frozen=True)
class ScoreComparison(Plain, Result):
    """How well a score ranks and how well it is calibrated, per group.

    Scores are turned so that higher means the positive outcome is more likely; ``turned`` says where they were. Pages,
    reports and tables show them as the data hold them.
    """

    score: str = setting("The column.")
    groups: tuple[str, ...] = setting('The groups in order, `"missing"` last.')
    positive: Literal["favorable", "unfavorable"] = setting("Which outcome is called positive.")
    positive_meaning: str = setting("That outcome in words.")
    is_probability: bool = setting("Whether all scores are between 0 and 1 (and not only 0 and 1).")
    roc: pd.DataFrame = figure(
        "The ROC curve of each group, thinned for drawing; the first threshold of a group is NaN.",
        columns(
            group=column(str, "The group.", "group", "group"),
            threshold=column(
                float, "Scores from here on count as positive; NaN above all scores.", "positive from", "number"
            ),
            fpr=column(float, "FP / (FP + TN).", "false positive rate", "share", "At this cut."),
            tpr=column(float, "TP / (TP + FN).", "true positive rate", "share", "At this cut."),
        ),
    )
    auc: pd.DataFrame = figure(
        "One row a group: the area under its curve.",
        columns(
            group=column(str, "The group.", "group", "group"),
            n=column(
                Hideable[int],
                "Rows with a score and an outcome.",
                "rows",
                "count",
                "Rows with a score and a known decision.",
            ),
            n_positive=column(
                Hideable[int],
                "Those of them that are truly positive.",
                "truly positive",
                "count",
                "Truly positive rows.",
            ),
            auc=column(float, "Area under the ROC curve.", "AUC", "number", digits=3),
            low=column(
                float, "Lower end of DeLong's interval.", "range", "number_interval", "By DeLong's method.", digits=3
            ),
            high=column(float, "Upper end."),
        ),
    )
    calibration: pd.DataFrame = figure(
        "One row for each group and bin of scores; bins without rows are left out.",
        columns(
            group=column(str, "The group.", "group", "group"),
            bin=column(str, "The scores of the bin.", "bin", "text", "Bin of the score."),
            score_mean=column(float, "Their mean.", "mean score", "number", "Mean score in the bin."),
            n=column(int, "Rows.", "rows", "count", "Rows in the bin."),
            positives=column(
                int, "Those of them that are truly positive.", "truly positive", "count", "Truly positive rows."
            ),
            observed=column(float, "The same as a share.", "observed share", "share", "positives / n."),
            low=column(
                float,
                "Lower end of the Wilson interval of the share.",
                "range",
                "share_interval",
                "By Wilson's method.",
            ),
            high=column(float, "Upper end."),
        ),
    )
    distribution: pd.DataFrame = figure(
        "One row for each group, label and bin of scores; shares add up to 1 for each group and label.",
        columns(
            group=column(str, "The group.", "group", "group"),
            label=column(int, "1: truly positive.", "field", "text", "1: truly positive, 0: truly negative."),
            bin_low=column(float, "Lower end of the bin.", "score from", "number"),
            bin_high=column(float, "Upper end.", "to", "number"),
            n=column(int, "Rows.", "rows", "count", "Rows in the bin."),
            share=column(
                float, "Share of the group's rows with this label.", "share", "share", "Of the group with this outcome."
            ),
        ),
    )
    where: str | None = setting("The filter.")
    warnings: tuple[str, ...] = figure("What makes some figures doubtful or undefined, with counts.")
    turned: bool = setting(
        "Whether a higher score of the data speaks against the positive outcome: all scores here are then 1 minus "
        "those of the data where these are probabilities, and else have the sign turned.",
        default=False,
    )
    not_known: tuple[NotKnown, ...] = figure(ENDED_CASES, in_json=False, default=())
    design: SurveyDesign | None = setting(
        "How the sample was drawn, where rows have weights.", in_json=False, default=None
    )
    asked: AskedOf | None = never("What it is about.", in_json=False, default=None, compare=False)
    worth: tuple[float, ...] | None = never(
        "In a sample with weights, the rows, drawn one by one, that each share of `calibration` is worth.",
        in_json=False,
        default=None,
    )


class Compared:
    """A row that compares two groups: on shares, or on means."""

    comparison: Comparison | MeanComparison

    @property
    def shares(self) -> Comparison:
        """The comparison, where shares are compared."""
        return as_kind(Comparison, self.comparison)

    @property
    def means(self) -> MeanComparison:
        """The comparison, where means are compared."""
        return as_kind(MeanComparison, self.comparison)


@dataclass(frozen=True)
class GroupRow(Compared):
    """One group against the rest, or against the reference group."""

    values: tuple[tuple[str, object], ...] = setting("The columns and the values that make the group.")
    comparison: Comparison | MeanComparison | BoundsComparison = figure(
        "The group is its protected side. Its verdict is the one left by Holm's method for all groups (by "
        "Bonferroni's where some are hidden or counts are not exact); its intervals are those of the group alone."
    )
    adjusted_p_value: float = figure(
        "By Holm's method, for all questions of the comparison; two groups without a reference are one question.",
        turns=False,
    )
    small: Hideable[bool] = figure("Whether it has fewer rows than asked for.")

    @property
    def name(self) -> str:
        """The group's values as a text."""
        return ", ".join(value_text(v) for _, v in self.values)


@dataclass(frozen=True)
class GroupComparison(Plain, Result):
    """Every value (or crossing of values) of one or more columns, each against the rest or a reference."""

    columns: tuple[str, ...] = setting("The columns that make the groups.")
    reference: str | None = setting("The name of the group that all others are compared with.")
    rows: tuple[GroupRow, ...] = figure("The groups, in ascending order.")
    unknown: Hideable[int] = figure("Rows with a missing value in one of the columns; they are in no group.")
    undecided: Hideable[int] = figure("Rows in a group but without a decision.")
    min_count: int = setting("Groups with fewer rows are small.")
    where: str | None = setting("The filter.")
    worst_pair: tuple[str, str] | None = figure(
        "The groups with the highest and the lowest share, among those that are not small."
    )
    not_known: tuple[NotKnown, ...] = figure(ENDED_CASES, in_json=False, default=())
    asked: AskedOf | None = never("What it is about.", in_json=False, default=None, compare=False)

    def to_frame(self) -> pd.DataFrame:
        """Return the groups as a table."""
        records = []
        for row in self.rows:
            answer = {"adjusted_p_value": row.adjusted_p_value, "verdict": row.comparison.verdict, "small": row.small}
            records.append(record(row.values, _figures(row.comparison) | answer))
        return pd.DataFrame.from_records(records)


def _figures(c: Comparison | MeanComparison) -> dict[str, object]:
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
class StratumRow(Compared):
    """One stratum: the values that make it and the comparison inside it."""

    values: tuple[tuple[str, Any], ...] = setting("The columns and the values that make the stratum; None is missing.")
    comparison: Comparison | BoundsComparison | MeanComparison = figure(
        "Protected against reference, inside the stratum."
    )
    unknown: Hideable[int] = figure("Rows of the stratum in neither group.")

    @property
    def name(self) -> str:
        """The stratum's values as a text."""
        return ", ".join(value_text(v) for _, v in self.values)

    @property
    def difference(self) -> float:
        """Protected minus reference inside the stratum."""
        return self.comparison.difference


class Stratified(Plain, Result):
    """The same question within strata, and over all of them together."""

    pooled: ControlledFairness | ControlledMeans
    columns: tuple[str, ...]
    strata: tuple[StratumRow, ...]
    left_out: tuple[str, ...]
    common_difference: float
    common_difference_interval: Interval
    common_equivalence_interval: Interval
    reversal: bool

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


@dataclass(frozen=True)
class StratifiedFairness(Stratified):
    """The answer of :func:`fairaudit.check_strata`."""

    pooled: ControlledFairness = figure("The answer without strata.")
    columns: tuple[str, ...] = setting("The columns that make the strata.")
    strata: tuple[StratumRow, ...] = figure("The strata in which both groups have rows, in ascending order.")
    left_out: tuple[str, ...] = figure(
        "Strata in which one of the groups is empty: they cannot be compared and do not count."
    )
    common_odds_ratio: float = figure("Mantel-Haenszel's, protected against reference.", kind="number", turns=True)
    common_odds_ratio_interval: Interval = figure(
        "By Robins, Breslow and Greenland.", kind="number_interval", turns=True
    )
    cmh_statistic: float = figure("The Cochran-Mantel-Haenszel test with the continuity correction.", turns=False)
    cmh_p_value: float = figure(AS_ABOVE, turns=False)
    cmh_statistic_uncorrected: float = figure("The same without.", turns=False)
    cmh_p_value_uncorrected: float = figure(AS_ABOVE, turns=False)
    common_difference: float = figure(
        "Mantel-Haenszel's common gap, protected minus reference.", kind="points", turns=True
    )
    common_difference_interval: Interval = figure("With Sato's variance.", kind="points_interval", turns=True)
    common_equivalence_interval: Interval = figure(
        "The same at 1 - 2a, that of two one-sided tests.", kind="points_interval", turns=True
    )
    reversal: Hideable[bool] = figure("Whether the pooled gap and the common gap have opposite signs.")

    def to_frame(self) -> pd.DataFrame:
        """Return the strata as a table."""
        records = []
        for row in self.strata:
            c = row.shares
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


@dataclass(frozen=True)
class StratifiedBounds(StratifiedFairness):
    """The same question within strata of which some counts are rounded or hidden."""

    pooled: ControlledBounds = figure("The answer without strata.")
    common_odds_ratio: float = figure("NaN: it is not known.", kind="number", turns=True, in_json=False)
    common_odds_ratio_interval: Interval = figure("NaN.", kind="number_interval", turns=True, in_json=False)
    cmh_statistic: float = figure("NaN: no test is made.", turns=False, in_json=False)
    cmh_p_value: float = figure("NaN.", turns=False, in_json=False)
    cmh_statistic_uncorrected: float = figure("NaN.", turns=False, in_json=False)
    cmh_p_value_uncorrected: float = figure("NaN.", turns=False, in_json=False)
    common_difference: float = figure("NaN where it is not known.", kind="points", turns=True)
    common_difference_interval: Interval = figure(
        "Holds that with Sato's variance of each table that fits: an outer bound.", kind="points_interval", turns=True
    )
    common_equivalence_interval: Interval = figure("The same at 1 - 2a.", kind="points_interval", turns=True)
    reversal: Hideable[bool] = figure("Whether both gaps have opposite signs in every table that fits.")
    common_difference_bounds: Interval = figure(
        "The smallest and the largest common gap of all tables that fit, exact.",
        kind="points_interval",
        turns=True,
        default=Interval(float("nan"), float("nan")),
    )

    @property
    def within_tolerance(self) -> bool:
        """Whether the common gap of each table that fits is within the tolerance."""
        return max(map(abs, self.common_difference_bounds)) <= self.pooled.tolerance

    @property
    def verdict(self) -> Verdict:
        """A verdict on the common gap that every table has: a clear gap or none above the tolerance, else too few."""
        ends = (self.common_difference_interval, self.common_equivalence_interval)
        found = verdict_by_intervals(self.common_difference_bounds.low, *ends, self.pooled.tolerance)
        # Where zero fits no table, the gap may be clear in some.
        return "too_few_to_tell" if found == "gap_size_unclear" else found

    def to_frame(self) -> pd.DataFrame:
        """Return the strata as a table, with the bounds of the gap in each."""
        bounds = [as_kind(BoundsComparison, row.comparison).difference_bounds for row in self.strata]
        low, high = ([end[side] for end in bounds] for side in (0, 1))
        return super().to_frame().assign(least_difference=low, most_difference=high)
