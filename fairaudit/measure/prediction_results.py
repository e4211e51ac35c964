"""What the measures of a prediction or score return."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import pandas as pd

from fairaudit.disclosure.fields import figure, setting
from fairaudit.measure.not_known import NotKnown
from fairaudit.measure.plain import Hideable, Plain, columns


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
