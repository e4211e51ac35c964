"""What trying remedies found where the decision is an amount: before and after on the same held-out rows.

Results that hold frames are compared by identity. Amounts, errors and differences are in the unit of the decision; a
difference is that of the protected group minus that of the rest.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, Self

import pandas as pd

from fairaudit.disclosure.fields import figure, setting
from fairaudit.findings.names import Names
from fairaudit.measure.not_known import NotKnown
from fairaudit.measure.plain import Hideable, columns
from fairaudit.measure.results import ControlledMeans, Interval
from fairaudit.outcomes import AMOUNTS
from fairaudit.plan.models import ModelsPlan
from fairaudit.remedies.plans import RemedyPlan
from fairaudit.study.judging.results import DIVISIONS, BesideDecisions, WithinStrata
from fairaudit.study.sampled import SampleFacts


@dataclass(frozen=True, eq=False)
class AmountStudyFacts:
    """The rows and columns that all models of an audit were made from.

    Parameters
    ----------
    plan : ModelsPlan
        What was asked.
    meaning : str
        The amount in words.
    higher_is_favorable : bool
        Whether more is better for the person.
    features : tuple of str
        The columns that models may use.
    protected_features : tuple of str
        Those of them that the protected condition or the groups are made of.
    groups : tuple of str
        The groups that errors are compared between.
    group_columns : tuple of str
        The columns that make the groups; empty where they are the protected group and the rest.
    protected_words : str
        Who is protected, in plain English.
    where_words : str, optional
        The filter in plain English.
    names : Names
        What groups and decision are called in sentences.
    n_rows : int
        Rows with an amount, which were divided.
    n_undecided : int
        Rows left out because they have none, or one that the filter leaves out.
    n_train, n_tune, n_held_out : int
        Rows in each part.
    decisions : ControlledMeans
        The amounts themselves on the held-out rows: the difference that the models learn from.
    deviation : float
        Standard deviation of the amounts of the training rows.
    sample : SampleFacts, optional
        How the rows were drawn, where the data stay in a database or cluster.
    n_unknown : int
        Of all rows with an amount, those where it is not known who is protected: models learn from them, and are
        not judged on them.
    n_filtered_out : int
        Of the others, those that do not meet the filter: models learn from them all the same.
    not_known : tuple of NotKnown
        Values among these rows that say that the group is not known, and that are counted in one.
    outcome_where_words : str, optional
        What the filter says of the amount alone, in plain English: rows that do not meet it have none to learn from.
    is_limit_set : bool
        Whether the person set the tolerance of the decisions, in a check.
    """

    plan: ModelsPlan = setting()
    meaning: str = setting()
    higher_is_favorable: bool = setting()
    features: tuple[str, ...] = setting()
    protected_features: tuple[str, ...] = setting()
    groups: tuple[str, ...] = setting()
    group_columns: tuple[str, ...] = setting()
    protected_words: str = setting()
    where_words: str | None = setting()
    names: Names = setting(in_json=False)
    n_rows: Hideable[int] = figure()
    n_undecided: Hideable[int] = figure()
    n_train: Hideable[int] = figure()
    n_tune: Hideable[int] = figure()
    n_held_out: Hideable[int] = figure()
    decisions: ControlledMeans = figure()
    deviation: float = figure()
    sample: SampleFacts | None = figure(default=None)
    n_unknown: Hideable[int] = figure(default=0)
    n_filtered_out: Hideable[int] = figure(default=0)
    not_known: tuple[NotKnown, ...] = figure(default=())
    outcome_where_words: str | None = setting(default=None)
    is_limit_set: bool = setting(in_json=False, default=False)

    # No fields, and so in no export.
    outcome = AMOUNTS
    warnings = ()
    decision_is_outcome = False

    def warned(self, text: str) -> Self:
        """Return the facts as they are: they hold no warnings."""
        return self


@dataclass(frozen=True, eq=False)
class AmountEvaluation:
    """A model of an amount on the held-out rows.

    Parameters
    ----------
    name : str
        The model in words.
    n : int
        Held-out rows.
    mae : float
        Mean absolute error.
    mae_interval : Interval
        By drawing the rows again.
    r2 : float
        Share of the variance that is explained; below 0 where the mean would do better.
    r2_interval : Interval
        By drawing the rows again.
    predicted : ControlledMeans
        Mean predicted amounts of the protected group and the rest, among the rows looked at.
    groups : DataFrame
        One row for each group.
    """

    name: str = setting()
    n: Hideable[int] = figure()
    mae: float = figure()
    mae_interval: Interval = figure()
    r2: float = figure()
    r2_interval: Interval = figure()
    predicted: ControlledMeans = figure()
    groups: pd.DataFrame = figure(
        columns(
            group=(str, "The group."),
            n=(Hideable[int], "Test cases."),
            actual=(float, "Mean amount."),
            predicted=(float, "Mean prediction."),
            error=(float, "Mean of predicted minus actual amounts: above 0 where the group is overestimated."),
            error_low=(float, "Lower end of its interval."),
            error_high=(float, "Upper end."),
            mae=(float, "Mean absolute error."),
        )
    )


@dataclass(frozen=True)
class AmountChange:
    """One measure, before and after.

    Parameters
    ----------
    measure : {"mae", "r2", "gap", "error_gap"}
        Mean absolute error, R2, the difference of mean predictions, or that of mean errors.
    before, after, difference : float
        The two, and after minus before; a difference is that of the protected group minus that of the rest.
    interval : Interval
        Of the difference, from rows that both models were judged on (paired).
    """

    measure: str = setting()
    before: float = figure()
    after: float = figure()
    difference: float = figure()
    interval: Interval = figure()


@dataclass(frozen=True, eq=False)
class AmountRemedyFinding:
    """One remedy: what was done, and both models on the same held-out rows.

    Parameters
    ----------
    name : str
        The remedy in words, unique in its audit.
    plan : RemedyPlan
        What was asked.
    before, after : AmountEvaluation
        Without and with the remedy. For a plain model both are the same.
    changes : tuple of AmountChange
        After against before; empty for a plain model.
    indices : DataFrame
        One row for each index of discrimination and part of the rows: of predictions for rows of known groups.
    details : object or None
        The tree; None for a plain model.
    uses_protected_features : bool
        Whether a column of the protected condition or the groups is used.
    warnings : tuple of str
        What makes the remedy doubtful.
    predictions_differ : bool
        Whether it predicts otherwise than without the remedy for any held-out row.
    divisions : DataFrame, optional
        What it changed on each division of the rows, this one first; None where it was made on one alone.
    within : WithinStrata, optional
        The difference inside the strata of a question that asks about the same groups; None for a plain model, or where
        no question has strata.
    beside_decisions : BesideDecisions, optional
        How far it is from the amounts on the same rows; None for a plain model, or where small counts are hidden.
    """

    name: str = setting()
    plan: RemedyPlan = setting()
    before: AmountEvaluation = figure()
    after: AmountEvaluation = figure()
    changes: tuple[AmountChange, ...] = figure()
    indices: pd.DataFrame = figure(
        columns(
            index=(
                Literal["didi", "dtdi"],
                "Disparate impact, or disparate treatment divided by rows and groups.",
            ),
            part=(Literal["trained", "tuned", "held_out"], "Which rows."),
            before=(float, "Without the remedy."),
            after=(float, "With it."),
            n=(Hideable[int], "Rows that it is about."),
            sampled=(bool, "Whether these were drawn from more."),
        )
    )
    details: Any = figure()
    uses_protected_features: bool = setting()
    warnings: tuple[str, ...] = figure(default=())
    predictions_differ: bool = figure(default=True)
    divisions: pd.DataFrame | None = figure(DIVISIONS, default=None)
    within: WithinStrata | None = figure(default=None)
    beside_decisions: BesideDecisions | None = figure(default=None)


@dataclass(frozen=True, eq=False)
class AmountRemediesFinding:
    """All remedies of an audit of amounts, judged on the same held-out rows.

    Parameters
    ----------
    facts : AmountStudyFacts
        The rows and columns.
    remedies : tuple of AmountRemedyFinding
        In the order of the plan.
    """

    facts: AmountStudyFacts = figure()
    remedies: tuple[AmountRemedyFinding, ...] = figure()
