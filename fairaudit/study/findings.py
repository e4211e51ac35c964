"""What trying remedies found: before and after on the same held-out rows, and what was done in between.

Results that hold frames are compared by identity.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Final, Self

import pandas as pd

from fairaudit.defaults import USUAL_TOLERANCE
from fairaudit.disclosure.fields import AS_ABOVE, figure, never, setting
from fairaudit.findings.names import Names
from fairaudit.measure.explain.proxies import Proxies
from fairaudit.measure.not_known import ENDED_CASES, NotKnown
from fairaudit.measure.plain import Hideable
from fairaudit.measure.results import ControlledFairness
from fairaudit.outcomes import SHARES
from fairaudit.plan.models import ModelsPlan
from fairaudit.remedies.part import RemedyPart
from fairaudit.remedies.plans import RemedyPlan
from fairaudit.study.certified import CERTIFIED, CertifiedLimit
from fairaudit.study.judging.results import (
    DIVISIONS,
    HIT,
    BesideDecisions,
    Change,
    Evaluation,
    WithinStrata,
    WorseOff,
    Yardstick,
)
from fairaudit.study.sampled import SampleFacts
from fairaudit.subgroups.results import SubgroupSearch

FEATURE_PROXIES: Final = (
    "How well each column that models may use stands in for the group, on the rows that they learn from; None where "
    "that is hidden, or was not asked."
)
"""What fields of that name hold, by whatever kind of decision."""


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
    """The rows and columns that all models of an audit were made from."""

    plan: ModelsPlan = setting("What was asked.")
    features: tuple[str, ...] = setting("The columns that models may use.")
    protected_features: tuple[str, ...] = setting(
        "Those of them that the protected condition or the groups are made of."
    )
    groups: tuple[str, ...] = setting("The groups that error rates are compared between.")
    group_columns: tuple[str, ...] = setting(
        "The columns that make the groups; empty where they are the protected group and the rest."
    )
    positive_meaning: str = setting("The positive outcome in words.")
    protected_words: str = setting("Who is protected, in plain English.")
    where_words: str | None = setting("The filter in plain English.")
    names: Names = setting("What groups and decision are called in sentences.", in_json=False)
    n_rows: Hideable[int] = figure(
        "Rows with a known outcome, which were divided.", label="with a decision", kind="count"
    )
    n_undecided: Hideable[int] = figure(
        "Rows left out because they have no outcome, or one that the filter leaves out.",
        label="without a decision",
        kind="count",
    )
    n_train: Hideable[int] = figure("Rows in each part.", label="training cases", kind="count")
    n_tune: Hideable[int] = figure(AS_ABOVE, label="tuning cases", kind="count")
    n_held_out: Hideable[int] = figure(AS_ABOVE, label="test cases", kind="count")
    decisions: ControlledFairness = figure(
        "The original decisions on the held-out rows: the gap that the models learn from."
    )
    warnings: tuple[str, ...] = figure(
        "What makes models doubtful, such as a column that gives the outcome away.", default=()
    )
    sample: SampleFacts | None = figure(
        "How the rows were drawn, where the data stay in a database or cluster.", default=None
    )
    proxies: Proxies | None = figure(FEATURE_PROXIES, default=None)
    n_unknown: Hideable[int] = figure(
        "Of all rows with a known outcome, those where it is not known who is protected: models learn from them, "
        "and are not judged on them.",
        default=0,
    )
    n_filtered_out: Hideable[int] = figure(
        "Of the others, those that do not meet the filter: models still learn from them.", default=0
    )
    not_known: tuple[NotKnown, ...] = figure(ENDED_CASES, default=())
    outcome_where_words: str | None = setting(
        "What the filter says of the decision alone, in plain English: rows that do not meet it have none to "
        "learn from.",
        default=None,
    )
    decision_is_outcome: bool = setting(
        "Whether the decision is what truly happened: then no model replaces these decisions, and what they were "
        "is no measure of it.",
        default=False,
    )
    judged: pd.DataFrame | None = never(
        "Who is held out, and with what outcome: see `HeldOut.people`.", in_json=False, default=None
    )

    # No fields, and so in no export: the plan says the kind of decision, and shares are in no unit of their own.
    outcome = SHARES
    meaning = ""
    deviation = None

    @property
    def is_limit_set(self) -> bool:
        """Whether the tolerance of the decisions is another than the usual one."""
        return self.decisions.tolerance != USUAL_TOLERANCE

    def warned(self, text: str) -> Self:
        """Return the facts with one more warning."""
        return replace(self, warnings=(*self.warnings, text))


@dataclass(frozen=True, eq=False)
class RemedyFinding:
    """One remedy: what was done, and both models on the same held-out rows."""

    name: str = setting("The remedy in words, unique in its audit.")
    plan: RemedyPlan = setting("What was asked.")
    before: Evaluation = figure("Without and with the remedy. For a plain model both are the same.")
    after: Evaluation = figure(AS_ABOVE)
    changes: tuple[Change, ...] = figure("After against before; empty for a plain model.")
    details: Any = figure("What was done, of the class that its kind of remedy has; None for a plain model.")
    needs_group: bool = setting("Whether the group of a person must be known when the model decides.")
    uses_protected_features: bool = setting(
        "Whether a column of the protected condition or the groups is among the model's features."
    )
    stopped: bool = setting(
        "Whether a person ended a plain model before its end; other remedies say so in their details.", default=False
    )
    warnings: tuple[str, ...] = figure("What makes the remedy doubtful.", default=())
    predictions_differ: bool = figure(
        "Whether it predicts otherwise than without the remedy for any held-out row; True where that is hidden.",
        default=True,
    )
    divisions: pd.DataFrame | None = figure(
        "What it changed on each division of the rows, this one first; None where it was made on one alone.",
        DIVISIONS,
        default=None,
    )
    yardsticks: tuple[Yardstick, ...] = figure(
        "Simple answers, beside which it is judged; empty for a plain model.", default=()
    )
    worse_off: WorseOff | None = figure(
        "Whether it leaves a group worse off than before; None for a plain model.", default=None
    )
    within: WithinStrata | None = figure(
        "The gap inside the strata of a question that asks about the same groups; None for a plain model, or "
        "where no question has strata.",
        default=None,
    )
    beside_decisions: BesideDecisions | None = figure(
        "How far it is from the decisions on the same rows; None for a plain model, or where small counts are hidden.",
        default=None,
    )
    certified: CertifiedLimit | None = figure(CERTIFIED, default=None)
    hit: SubgroupSearch | None = figure(HIT, default=None)


@dataclass(frozen=True, eq=False)
class RemediesFinding:
    """All remedies of an audit, judged on the same held-out rows."""

    facts: StudyFacts = figure("The rows and columns.")
    remedies: tuple[RemedyFinding, ...] = figure("In the order of the plan.")
