"""What explaining a gap returns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import pandas as pd

from fairaudit.columns import SurveyDesign
from fairaudit.disclosure.fields import AS_ABOVE, column, columns, figure, setting
from fairaudit.findings.result import Result
from fairaudit.measure.not_known import ENDED_CASES, NotKnown
from fairaudit.measure.plain import Hideable, Plain
from fairaudit.measure.results import Interval

Method = Literal["decomposition", "regression"]
Reference = Literal["average", "rest", "protected", "pooled", "similar"]
Model = Literal["strata", "linear", "logistic"]
Check = Literal["agrees", "disagrees", "too_imprecise"]


@dataclass(frozen=True)
class Estimate:
    """A figure with its interval."""

    value: float = figure("The figure.", kind="points", turns=True)
    interval: Interval = figure(
        "Its interval.", kind="points_interval", brief="Its range, by Wald's method.", turns=True
    )


@dataclass(frozen=True)
class AdjustedGap:
    """The gap with the controls held equal, by a model."""

    model: Literal["linear", "logistic"] = setting("Logistic for shares, linear for amounts.")
    value: float = figure(
        "The mean difference between what the model predicts for everybody as protected and as the rest."
    )
    interval: Interval = figure("With robust or, where a cluster column is given, clustered errors.")
    p_value: float = figure("Two-sided, of no difference.")
    ratio: float = figure("The mean prediction as protected divided by that as the rest; NaN for amounts.")
    ratio_interval: Interval = figure("Of the ratio, by the log method.")
    cluster: str | None = setting("The column whose values hold rows that depend on each other.")
    n_clusters: Hideable[int] | None = figure("How many values it has.")
    doubly_robust: Estimate | None = figure(
        "The same by models of outcome and group that were learned from other rows (cross-fitted); None where a "
        "group has too few rows for that.",
        label="the same, checked on other rows",
    )
    check: Hideable[Check] | None = figure(
        "Whether both differ by more than chance, and by more than hardly anything; where they do not, whether a "
        "difference as large as the gap's own margin would have been seen. None without a second computation."
    )


@dataclass(frozen=True, eq=False)
class Sensitivity:
    """What a column that is not in the data would have to be like to overturn the adjusted gap."""

    e_value: float = figure(
        "How strongly it would have to go with group and outcome, as ratios, to explain the adjusted ratio away; "
        "NaN for amounts.",
        label="E-value",
        kind="number",
    )
    e_value_interval: float = figure(
        "The same for the end of the interval that is nearer to no gap; 1 where it includes none."
    )
    robustness_value: float = figure(
        "The share of what is left of group and outcome that it would have to explain of both, to make the linear "
        "gap 0.",
        label="robustness value",
        kind="number",
    )
    robustness_value_interval: float = figure("The same, to make its interval touch 0.")
    partial_r2: float = figure("The share of what is left of the outcome that the group explains.")
    strongest: str | None = figure("The control that would change the gap most if one as strong were missing.")
    times: float = figure(
        "How many times as strong as that the missing column would have to be to make the gap 0; infinite where "
        "no column could.",
        label="times the strongest column",
        kind="number",
    )
    times_interval: float = figure("The same, to make its interval touch 0.")
    capped: Hideable[bool] = figure(
        "Whether a column so many times as strong would explain more of the outcome than all that is left of it, "
        "and is taken to explain all."
    )
    curve: pd.DataFrame = figure(
        "The range of the gap under a missing column of two values, by its strength.",
        columns(
            strength=column(
                float,
                "Odds ratios; for amounts shares explained.",
                "strength",
                "number",
                "Odds ratios; of amounts, shares explained.",
            ),
            low=column(
                float,
                "Lowest gap.",
                "range of the gap",
                "points_interval",
                "Lowest and highest gap.",
                name="range",
                turns=True,
            ),
            high=column(float, "Highest gap."),
            interval_low=column(
                float,
                "Low end of the interval of the lowest.",
                "with its range",
                "points_interval",
                "The same, with its range.",
                name="interval",
                turns=True,
            ),
            interval_high=column(float, "High end of the interval of the highest."),
        ),
    )
    touches_zero: float = figure(
        "The strength from which on the interval may include 0; infinite where it does not up to the end of the curve.",
        label="strength of a yes/no column",
        kind="number",
    )


@dataclass(frozen=True, eq=False)
class GapExplanation(Plain, Result):
    """The answer of :func:`fairaudit.explain_gap`.

    ``gap.value == explained.value + unexplained.value + no_counterpart.value``. All figures are protected minus
    reference; for amounts in their unit.
    """

    decision: str = setting("The decision column.")
    favorable: str | None = setting("The condition of the good outcome; None for an amount.")
    protected_condition: str = setting("Who is protected.")
    where: str | None = setting("The filter.")
    controls: tuple[str, ...] = setting("The controls.")
    method: Method = setting("Strata of the controls, or a model with them.")
    model: Model = setting("What the parts were worked out with.")
    reference: Reference = setting("Whose shares (or coefficients) the difference in controls is valued with.")
    confidence: float = setting("Of the intervals.")
    n_protected: Hideable[int] = figure("Rows of both groups with a known decision.")
    n_reference: Hideable[int] = figure(AS_ABOVE)
    n_left_out: Hideable[int] = figure("Rows that meet the filter, but whose group or decision is not known.")
    n_alone_protected: Hideable[int] = figure("Rows that have no counterpart in the other group.")
    n_alone_reference: Hideable[int] = figure(AS_ABOVE)
    gap: Estimate = figure("The gap.", label="gap")
    explained: Estimate = figure("What comes from the groups' differing in the controls.", label="explained")
    unexplained: Estimate = figure(
        "What is left among people who are alike in the controls: not explained by these columns.", label="what is left"
    )
    no_counterpart: Estimate = figure(
        "What comes from people without a counterpart in the other group.", label="no counterpart"
    )
    by_control: pd.DataFrame = figure(
        "The part of each control in `explained`; the parts add up to it.",
        columns(
            control=column(str, "The column.", "column"),
            part=column(float, "Its part in what is explained."),
            part_low=column(float, "Low end of its interval."),
            part_high=column(float, "High end of its interval."),
            differs=column(
                float,
                "How strongly it goes with the group: a correlation from 0 to 1.",
                "goes with the group",
                "number",
                "A correlation from 0 to 1 with the group.",
            ),
            marked=column(
                bool,
                "Whether that is strong.",
                "differs strongly",
                "text",
                "yes: ask whether the decision or the group brought it about.",
            ),
        ),
    )
    adjusted_gap: AdjustedGap = figure(
        "The gap that a model leaves where the controls are held equal.", label="what is left, by a model"
    )
    sensitivity: Sensitivity = figure("What could overturn that.")
    warnings: tuple[str, ...] = figure("What makes the answer doubtful.")
    not_known: tuple[NotKnown, ...] = figure(ENDED_CASES, in_json=False, default=())
    design: SurveyDesign | None = setting(
        "How the sample was drawn, where rows have weights.", in_json=False, default=None
    )
