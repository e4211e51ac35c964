"""What was done to make each remedy, by its kind.

Results that hold frames are compared by identity.
"""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

from fairaudit.study.details_trees import TreesDetails


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
        ``group, label, n, n_flipped``: the protected and reference rows in the population by group and label before
        relabelling, and how many were changed.
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


@dataclass(frozen=True, eq=False)
class RulesDetails:
    """A rule set in words, what each rule does for whom, and how far from optimal it can be.

    "Covered" rows are those that a rule holds for. The outcome that rules predict is the one that ``models.positive``
    names; rates and precision are of that outcome. Rows of no known group count in none of this.

    Parameters
    ----------
    rules : DataFrame
        One row for each rule: ``rule, text, condition, n_literals, cost, uses_protected, proxies``. `rule` counts from
        1; `text` is in words, `condition` what :meth:`~fairaudit.conditions.Condition.parse` reads; `cost` is 1 +
        `n_literals`; `uses_protected` says whether it uses a column that tells the groups; `proxies` names columns in
        it that come close to doing so, or is empty.
    coverage : DataFrame
        On the held-out rows, one row for each rule and group, and ``rule`` 0 for the whole set: ``rule, group, n,
        n_covered, coverage, coverage_low, coverage_high, n_right, precision, precision_low, precision_high, n_only,
        n_only_wrong``. `n` is the known rows of the group, `n_right` covered rows that have the outcome, `n_only`
        covered rows that no other rule covers, `n_only_wrong` those of them that do not have the outcome.
    gaps : DataFrame
        One row for each rate and pair of groups: ``rate, rate_words, first, second, trained, tuned, held_out, low,
        high, n_first, n_second, reading``. Gaps are the rate of the first group minus that of the second on the
        training, tuning and held-out rows; the rest is as in :class:`ConstrainDetails`, with `reading` against
        `max_difference`. Empty where nothing must be alike.
    max_complexity, complexity : int
        What was allowed, and what the rule set has.
    fairness : str or None
        What must be alike.
    max_difference, trained_difference : float
        What is allowed, and what is allowed on the training rows: less by the margin. Where no rule set keeps to that,
        `trained_gap` is larger.
    trained_gap, tuned_gap : float
        The largest gap on the training and on the tuning rows; NaN where nothing must be alike.
    trained_accuracy, tuned_accuracy : float
        On the training and on the tuning rows.
    status : str
        How the search ended: "optimal", "gap" (a gap to the bound is left), "time_limit", "stopped", or "chosen" for
        rules that a person chose.
    objective : float
        The loss of the best solution, counted in training rows; NaN for chosen rules.
    lp_bound, bound, gap : float
        The linear bound, the proven bound, and how far apart `objective` and `bound` are as a share of `objective`.
    objective_words : str
        The loss in plain words.
    n_columns, n_rounds : int
        Rules that were considered, and rounds of the search for new ones.
    path : DataFrame
        One row for each round: ``round, n_columns, lp_value, bound, incumbent``; NaN where there is none yet.
    frontier : DataFrame
        Rule sets of other settings, made of the same rules, on the tuning rows: ``max_complexity, max_difference,
        complexity, trained_accuracy, trained_gap, accuracy, gap, chosen``. Empty for chosen rules.
    notes : tuple of str
        What happened on the way.
    stopped : bool
        Whether a person stopped the search before its end.
    """

    rules: pd.DataFrame
    coverage: pd.DataFrame
    gaps: pd.DataFrame
    max_complexity: int
    complexity: int
    fairness: str | None
    max_difference: float
    trained_difference: float
    trained_gap: float
    tuned_gap: float
    trained_accuracy: float
    tuned_accuracy: float
    status: str
    objective: float
    lp_bound: float
    bound: float
    gap: float
    objective_words: str
    n_columns: int
    n_rounds: int
    path: pd.DataFrame
    frontier: pd.DataFrame
    notes: tuple[str, ...] = ()
    stopped: bool = False


RemedyDetails = RelabelDetails | ThresholdDetails | EqualizeDetails | ConstrainDetails | RulesDetails | TreesDetails
"""What was done, by the kind of remedy."""
