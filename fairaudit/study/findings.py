"""What trying remedies found: before and after on the same held-out rows, and what was done in between.

Results that hold frames are compared by identity.
"""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

from fairaudit.measure.results import ControlledFairness
from fairaudit.plan_remedies import ModelsPlan, RemedyPlan
from fairaudit.remedies.judging.results import Change, Evaluation


@dataclass(frozen=True, eq=False)
class StudyFacts:
    """The rows and columns that all models of an audit were made from.

    Parameters
    ----------
    plan : ModelsPlan
        What was asked.
    features : tuple of str
        The columns that models may use.
    protected_features : tuple of str
        Those of them that the protected condition or the groups are made of.
    groups : tuple of str
        The groups that error rates are compared between.
    group_columns : tuple of str
        The columns that make the groups; empty where they are the protected group and the rest.
    positive_meaning : str
        The positive outcome in words.
    protected_words : str
        Who is protected, in plain English.
    where_words : str, optional
        The filter in plain English.
    n_rows : int
        Rows with a known outcome, which were divided.
    n_undecided : int
        Rows left out because they have no outcome.
    n_train, n_tune, n_held_out : int
        Rows in each part.
    decisions : ControlledFairness
        The original decisions on the held-out rows: the gap that the models learn from.
    warnings : tuple of str
        What makes models doubtful, such as a column that gives the outcome away.
    """

    plan: ModelsPlan
    features: tuple[str, ...]
    protected_features: tuple[str, ...]
    groups: tuple[str, ...]
    group_columns: tuple[str, ...]
    positive_meaning: str
    protected_words: str
    where_words: str | None
    n_rows: int
    n_undecided: int
    n_train: int
    n_tune: int
    n_held_out: int
    decisions: ControlledFairness
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class RelabelDetails:
    """What relabelling did to the rows that the final model learned from (not held out).

    Parameters
    ----------
    n_risk, n_relabeled : int
        Rows the risk model learned from; rows given to relabelling.
    n_protected, n_reference : int
        Of the latter, protected and reference rows in the population.
    n_flipped : int
        Labels that the algorithm changed; all of protected rows.
    direction : {"raised", "lowered", "none"}
        What happened to the protected group's share of good outcomes.
    risk_shift : float
        Subtracted from the protected rows' risk scores (``risk_adjustment``); 0 where there was no shift.
    gap_before, gap_after : float
        Protected minus reference in the share of good labels, before and after.
    flipped : DataFrame
        ``group, label, n, n_flipped``: rows by group and label before relabelling, and how many were changed.
    n_epochs : int, optional
        Rounds through the rows that the final model took.
    stopped : bool
        Whether a person stopped the fit before its end.
    weight_ratio : float
        The weight of a protected row with the good label over one with the bad label in the final fit; 1 where they
        were not weighed.
    """

    n_risk: int
    n_relabeled: int
    n_protected: int
    n_reference: int
    n_flipped: int
    direction: str
    risk_shift: float
    gap_before: float
    gap_after: float
    flipped: pd.DataFrame
    n_epochs: int | None = None
    stopped: bool = False
    weight_ratio: float = 1.0


@dataclass(frozen=True, eq=False)
class ThresholdDetails:
    """The thresholds of each group and where they put it, on the tuning rows.

    Parameters
    ----------
    thresholds : DataFrame
        ``group, before, after, tpr_before, fpr_before, tpr_after, fpr_after, n_positive, n_negative``; thresholds in
        the numbers of the score, as the data have it.
    roc : DataFrame
        ``group, threshold, fpr, tpr``, thinned for drawing.
    sweep : DataFrame
        ``fairness_weight, accuracy, gap``: the exact optimum at other weights; the weight multiplies the gap.
    objective, optimal_objective : float
        Accuracy minus weighted gaps at the thresholds used, and at the exact optimum.
    accuracy, gap : float
        The two parts of `objective`.
    stopped : bool
        Whether a person stopped the search before its end.
    turned : bool
        Whether a lower score is better: the good outcome is predicted up to a threshold then, not from it on.
    """

    thresholds: pd.DataFrame
    roc: pd.DataFrame
    sweep: pd.DataFrame
    objective: float
    optimal_objective: float
    accuracy: float
    gap: float
    stopped: bool = False
    turned: bool = False


@dataclass(frozen=True, eq=False)
class EqualizeDetails:
    """How the score distributions were brought together.

    Parameters
    ----------
    loss_first, loss_last : float
        The loss where the fit began and where it ended.
    n_iterations : int
        Steps taken.
    smoothing : float
        The spread of the soft histogram.
    threshold : float
        The one threshold, chosen on the tuning rows.
    distribution : DataFrame
        ``model, group, label, bin_low, bin_high, n, share`` on the held-out rows; model is "before" or "after".
    sweep : DataFrame
        ``accuracy_weight, accuracy, tpr_gap, fpr_gap, threshold`` on the tuning rows.
    stopped : bool
        Whether a person stopped the fit before its end.
    """

    loss_first: float
    loss_last: float
    n_iterations: int
    smoothing: float
    threshold: float
    distribution: pd.DataFrame
    sweep: pd.DataFrame
    stopped: bool = False


@dataclass(frozen=True, eq=False)
class ConstrainDetails:
    """How a model was trained to meet constraints, and whether it does, on tuning and on held-out rows.

    A gap is the metric of the first group minus that of the second, in the metric's own unit. *Before* is the same
    model without constraints (all multipliers 0).

    Parameters
    ----------
    pairs : DataFrame
        One row for each pair of groups that must be alike: ``spec, metric, metric_words, first, second,
        max_difference, multiplier, tuned_before, tuned, met, n_first, n_second, held_out_before, held_out, low, high,
        reading``. `spec` is the text of the constraint; `tuned_before` and `tuned` are gaps on the tuning rows, and
        `met` says whether `tuned` is within `max_difference`; `held_out_before` and `held_out` are gaps on held-out
        rows, with the interval `low` to `high` of the latter; `n_first` and `n_second` are the held-out rows that the
        two rates are shares of; `reading` is "within", "outside", "within, not clear", "outside, not clear" or
        "not defined".
    n_pairs, n_pairs_met, n_pairs_within : int
        All pairs; those met on the tuning rows; those whose gap on the held-out rows is within what is allowed.
    feasible : bool
        Whether all constraints are met on the tuning rows.
    scale : float
        What the constraints were multiplied with to pick the model.
    accuracy_before, accuracy : float
        On the tuning rows.
    path : DataFrame
        One row for each fit: ``fit, multiplier, accuracy, ratio, met, frontier, picked`` on the tuning rows.
        `multiplier` is the largest in size; `ratio` is the largest gap as a multiple of what is allowed; `frontier`
        marks fits that no other beats in both accuracy and `ratio`.
    path_gaps : DataFrame
        ``fit, spec, gap``: the largest gap of each constraint on the tuning rows, without its sign.
    n_fits : int
        Fits made.
    notes : tuple of str
        What happened on the way, such as that the learner takes no weights.
    conflicts : tuple of str
        Why constraints cannot all hold, or only at a price, in plain sentences.
    stopped : bool
        Whether a person stopped the search before its end.
    """

    pairs: pd.DataFrame
    n_pairs: int
    n_pairs_met: int
    n_pairs_within: int
    feasible: bool
    scale: float
    accuracy_before: float
    accuracy: float
    path: pd.DataFrame
    path_gaps: pd.DataFrame
    n_fits: int
    notes: tuple[str, ...] = ()
    conflicts: tuple[str, ...] = ()
    stopped: bool = False


RemedyDetails = RelabelDetails | ThresholdDetails | EqualizeDetails | ConstrainDetails
"""What was done, by the kind of remedy."""


@dataclass(frozen=True, eq=False)
class RemedyFinding:
    """One remedy: what was done, and both models on the same held-out rows.

    Parameters
    ----------
    name : str
        The remedy in words, unique in its audit.
    plan : RemedyPlan
        What was asked.
    before, after : Evaluation
        Without and with the remedy. For a plain model both are the same.
    changes : tuple of Change
        After against before; empty for a plain model.
    details : RemedyDetails or None
        What was done; None for a plain model.
    needs_group : bool
        Whether the group of a person must be known when the model decides.
    uses_protected_features : bool
        Whether a column of the protected condition or the groups is among the model's features.
    warnings : tuple of str
        What makes the remedy doubtful.
    """

    name: str
    plan: RemedyPlan
    before: Evaluation
    after: Evaluation
    changes: tuple[Change, ...]
    details: RemedyDetails | None
    needs_group: bool
    uses_protected_features: bool
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class RemediesFinding:
    """All remedies of an audit, judged on the same held-out rows.

    Parameters
    ----------
    facts : StudyFacts
        The rows and columns.
    remedies : tuple of RemedyFinding
        In the order of the plan.
    """

    facts: StudyFacts
    remedies: tuple[RemedyFinding, ...]
