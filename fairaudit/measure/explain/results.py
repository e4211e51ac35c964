"""What explaining a gap returns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import pandas as pd

from fairaudit.disclosure.fields import figure, setting
from fairaudit.measure.not_known import NotKnown
from fairaudit.measure.plain import Hideable, Plain, columns
from fairaudit.measure.results import Interval

Method = Literal["decomposition", "regression"]
Reference = Literal["average", "rest", "protected", "pooled", "similar"]
Model = Literal["strata", "linear", "logistic"]
Check = Literal["agrees", "disagrees", "too_imprecise"]


@dataclass(frozen=True)
class Estimate:
    """A figure with its interval.

    Parameters
    ----------
    value : float
        The figure.
    interval : Interval
        Its interval.
    """

    value: float = figure()
    interval: Interval = figure()


@dataclass(frozen=True)
class AdjustedGap:
    """The gap with the controls held equal, by a model.

    Parameters
    ----------
    model : {"linear", "logistic"}
        Logistic for shares, linear for amounts.
    value : float
        The mean difference between what the model predicts for everybody as protected and as the rest.
    interval : Interval
        With robust or, where a cluster column is given, clustered errors.
    p_value : float
        Two-sided, of no difference.
    ratio : float
        The mean prediction as protected divided by that as the rest; NaN for amounts.
    ratio_interval : Interval
        Of the ratio, by the log method.
    cluster : str or None
        The column whose values hold rows that depend on each other.
    n_clusters : int or None
        How many values it has.
    doubly_robust : Estimate or None
        The same by models of outcome and group that were learned from other rows (cross-fitted); None where a group has
        too few rows for that.
    check : {"agrees", "disagrees", "too_imprecise"} or None
        Whether both differ by more than chance, and by more than hardly anything; where they do not, whether a
        difference as large as the gap's own margin would have been seen. None without a second computation.
    """

    model: Literal["linear", "logistic"] = setting()
    value: float = figure()
    interval: Interval = figure()
    p_value: float = figure()
    ratio: float = figure()
    ratio_interval: Interval = figure()
    cluster: str | None = setting()
    n_clusters: Hideable[int] | None = figure()
    doubly_robust: Estimate | None = figure()
    check: Hideable[Check] | None = figure()


@dataclass(frozen=True, eq=False)
class Sensitivity:
    """What a column that is not in the data would have to be like to overturn the adjusted gap.

    Parameters
    ----------
    e_value : float
        How strongly it would have to go with group and outcome, as ratios, to explain the adjusted ratio away; NaN for
        amounts.
    e_value_interval : float
        The same for the end of the interval that is nearer to no gap; 1 where it includes none.
    robustness_value : float
        The share of what is left of group and outcome that it would have to explain of both, to make the linear gap 0.
    robustness_value_interval : float
        The same, to make its interval touch 0.
    partial_r2 : float
        The share of what is left of the outcome that the group explains.
    strongest : str or None
        The control that would change the gap most if one as strong were missing.
    times : float
        How many times as strong as that the missing column would have to be to make the gap 0; infinite where no column
        could.
    times_interval : float
        The same, to make its interval touch 0.
    capped : bool
        Whether a column so many times as strong would explain more of the outcome than all that is left of it, and is
        taken to explain all.
    curve : pandas.DataFrame
        The range of the gap under a missing column of two values, by its strength.
    touches_zero : float
        The strength from which on the interval may include 0; infinite where it does not up to the end of the curve.
    """

    e_value: float = figure()
    e_value_interval: float = figure()
    robustness_value: float = figure()
    robustness_value_interval: float = figure()
    partial_r2: float = figure()
    strongest: str | None = figure()
    times: float = figure()
    times_interval: float = figure()
    capped: Hideable[bool] = figure()
    curve: pd.DataFrame = figure(
        columns(
            strength=(float, "Odds ratios; for amounts shares explained."),
            low=(float, "Lowest gap."),
            high=(float, "Highest gap."),
            interval_low=(float, "Low end of the interval of the lowest."),
            interval_high=(float, "High end of the interval of the highest."),
        )
    )
    touches_zero: float = figure()


@dataclass(frozen=True, eq=False)
class GapExplanation(Plain):
    """The answer of :func:`fairaudit.explain_gap`.

    ``gap.value == explained.value + unexplained.value + no_counterpart.value``. All figures are protected minus
    reference; for amounts in their unit.

    Parameters
    ----------
    decision : str
        The decision column.
    favorable : str or None
        The condition of the good outcome; None for an amount.
    protected_condition : str
        Who is protected.
    where : str or None
        The filter.
    controls : tuple of str
        The controls.
    method : {"decomposition", "regression"}
        Strata of the controls, or a model with them.
    model : {"strata", "linear", "logistic"}
        What the parts were worked out with.
    reference : {"average", "rest", "protected", "pooled", "similar"}
        Whose shares (or coefficients) the difference in controls is valued with.
    confidence : float
        Of the intervals.
    n_protected, n_reference : int
        Rows of both groups with a known decision.
    n_left_out : int
        Rows that meet the filter, but whose group or decision is not known.
    n_alone_protected, n_alone_reference : int
        Rows that have no counterpart in the other group.
    gap : Estimate
        The gap.
    explained : Estimate
        What comes from the groups' differing in the controls.
    unexplained : Estimate
        What is left among people who are alike in the controls: not explained by these columns.
    no_counterpart : Estimate
        What comes from people without a counterpart in the other group.
    by_control : pandas.DataFrame
        The part of each control in `explained`; the parts add up to it.
    adjusted_gap : AdjustedGap
        The gap that a model leaves where the controls are held equal.
    sensitivity : Sensitivity
        What could overturn that.
    warnings : tuple of str
        What makes the answer doubtful.
    not_known : tuple of NotKnown
        Values of groups and decision that say that something is not known, or that a row adds up others.
    """

    decision: str = setting()
    favorable: str | None = setting()
    protected_condition: str = setting()
    where: str | None = setting()
    controls: tuple[str, ...] = setting()
    method: Method = setting()
    model: Model = setting()
    reference: Reference = setting()
    confidence: float = setting()
    n_protected: Hideable[int] = figure()
    n_reference: Hideable[int] = figure()
    n_left_out: Hideable[int] = figure()
    n_alone_protected: Hideable[int] = figure()
    n_alone_reference: Hideable[int] = figure()
    gap: Estimate = figure()
    explained: Estimate = figure()
    unexplained: Estimate = figure()
    no_counterpart: Estimate = figure()
    by_control: pd.DataFrame = figure(
        columns(
            control=(str, "The column."),
            part=(float, "Its part in what is explained."),
            part_low=(float, "Low end of its interval."),
            part_high=(float, "High end of its interval."),
            differs=(float, "How strongly it goes with the group: a correlation from 0 to 1."),
            marked=(bool, "Whether that is strong."),
        )
    )
    adjusted_gap: AdjustedGap = figure()
    sensitivity: Sensitivity = figure()
    warnings: tuple[str, ...] = figure()
    not_known: tuple[NotKnown, ...] = figure(in_json=False, default=())
