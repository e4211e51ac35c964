"""What trying remedies found: before and after on the same held-out rows, and what was done in between.

Results that hold frames are compared by identity.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Self

import pandas as pd

from fairaudit.disclosure.fields import figure, setting
from fairaudit.findings.names import Names
from fairaudit.measure.not_known import NotKnown
from fairaudit.measure.plain import Hideable
from fairaudit.measure.results import ControlledFairness
from fairaudit.outcomes import SHARES
from fairaudit.plan.models import ModelsPlan
from fairaudit.remedies.part import RemedyPart
from fairaudit.remedies.plans import RemedyPlan
from fairaudit.study.judging.results import (
    DIVISIONS,
    BesideDecisions,
    Change,
    Evaluation,
    WithinStrata,
    WorseOff,
    Yardstick,
)
from fairaudit.study.sampled import SampleFacts


def plan_key(remedy: RemedyPart) -> str:
    """Return a text that is the same for remedies that do the same, whatever they are called.

    Examples
    --------
    >>> from fairaudit.remedies.plain.plan import PlainPlan
    >>> plan_key(PlainPlan(name="a", model="svm")) == plan_key(PlainPlan(model="svm"))
    True
    """
    return remedy.model_dump_json(exclude={"name"})


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
    names : Names
        What groups and decision are called in sentences.
    n_rows : int
        Rows with a known outcome, which were divided.
    n_undecided : int
        Rows left out because they have no outcome, or one that the filter leaves out.
    n_train, n_tune, n_held_out : int
        Rows in each part.
    decisions : ControlledFairness
        The original decisions on the held-out rows: the gap that the models learn from.
    warnings : tuple of str
        What makes models doubtful, such as a column that gives the outcome away.
    sample : SampleFacts, optional
        How the rows were drawn, where the data stay in a database or cluster.
    n_unknown : int
        Of all rows with a known outcome, those where it is not known who is protected: models learn from them, and are
        not judged on them.
    n_filtered_out : int
        Of the others, those that do not meet the filter: models learn from them all the same.
    not_known : tuple of NotKnown
        Values among these rows that say that the group or the decision is not known, and that are counted.
    outcome_where_words : str, optional
        What the filter says of the decision alone, in plain English: rows that do not meet it have none to learn from.
    decision_is_outcome : bool
        Whether the decision is what truly happened: then no model replaces these decisions, and what they were is no
        measure of it.
    """

    plan: ModelsPlan = setting()
    features: tuple[str, ...] = setting()
    protected_features: tuple[str, ...] = setting()
    groups: tuple[str, ...] = setting()
    group_columns: tuple[str, ...] = setting()
    positive_meaning: str = setting()
    protected_words: str = setting()
    where_words: str | None = setting()
    names: Names = setting(in_json=False)
    n_rows: Hideable[int] = figure()
    n_undecided: Hideable[int] = figure()
    n_train: Hideable[int] = figure()
    n_tune: Hideable[int] = figure()
    n_held_out: Hideable[int] = figure()
    decisions: ControlledFairness = figure()
    warnings: tuple[str, ...] = figure(default=())
    sample: SampleFacts | None = figure(default=None)
    n_unknown: Hideable[int] = figure(default=0)
    n_filtered_out: Hideable[int] = figure(default=0)
    not_known: tuple[NotKnown, ...] = figure(default=())
    outcome_where_words: str | None = setting(default=None)
    decision_is_outcome: bool = setting(default=False)

    # No field, and so in no export: the plan says it.
    outcome = SHARES

    def warned(self, text: str) -> Self:
        """Return the facts with one more warning."""
        return replace(self, warnings=(*self.warnings, text))


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
    details : object or None
        What was done, of the class that its kind of remedy has; None for a plain model.
    needs_group : bool
        Whether the group of a person must be known when the model decides.
    uses_protected_features : bool
        Whether a column of the protected condition or the groups is among the model's features.
    stopped : bool
        Whether a person ended a plain model before its end; other remedies say so in their details.
    warnings : tuple of str
        What makes the remedy doubtful.
    predictions_differ : bool
        Whether it predicts otherwise than without the remedy for any held-out row; True where that is hidden.
    divisions : DataFrame, optional
        What it changed on each division of the rows, this one first; None where it was made on one alone.
    yardsticks : tuple of Yardstick
        Simple answers, beside which it is judged; empty for a plain model.
    worse_off : WorseOff, optional
        Whether it leaves a group worse off than before; None for a plain model.
    within : WithinStrata, optional
        The gap inside the strata of a question that asks about the same groups; None for a plain model, or where no
        question has strata.
    beside_decisions : BesideDecisions, optional
        How far it is from the decisions on the same rows; None for a plain model, or where small counts are hidden.
    """

    name: str = setting()
    plan: RemedyPlan = setting()
    before: Evaluation = figure()
    after: Evaluation = figure()
    changes: tuple[Change, ...] = figure()
    details: Any = figure()
    needs_group: bool = setting()
    uses_protected_features: bool = setting()
    stopped: bool = setting(default=False)
    warnings: tuple[str, ...] = figure(default=())
    predictions_differ: bool = figure(default=True)
    divisions: pd.DataFrame | None = figure(DIVISIONS, default=None)
    yardsticks: tuple[Yardstick, ...] = figure(default=())
    worse_off: WorseOff | None = figure(default=None)
    within: WithinStrata | None = figure(default=None)
    beside_decisions: BesideDecisions | None = figure(default=None)


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

    facts: StudyFacts = figure()
    remedies: tuple[RemedyFinding, ...] = figure()
