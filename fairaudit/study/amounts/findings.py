"""What trying remedies found where the decision is an amount: before and after on the same held-out rows.

Results that hold frames are compared by identity. Amounts, errors and differences are in the unit of the decision; a
difference is that of the protected group minus that of the rest.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, Literal, Self

import pandas as pd

from fairaudit.disclosure.fields import AS_ABOVE, column, columns, figure, setting
from fairaudit.findings.names import Names
from fairaudit.measure.explain.proxies import Proxies
from fairaudit.measure.plain import Hideable
from fairaudit.measure.results import ControlledMeans, Interval
from fairaudit.outcomes import AMOUNTS
from fairaudit.plan.models import ModelsPlan
from fairaudit.remedies.plans import RemedyPlan
from fairaudit.study.certified import CERTIFIED, CertifiedLimit
from fairaudit.study.findings import FEATURE_PROXIES
from fairaudit.study.judging.results import DIVISIONS, HIT, BesideDecisions, WithinStrata
from fairaudit.study.sampled import SampleFacts
from fairaudit.subgroups.results import SubgroupSearch

R2_DIGITS: Final = 3


@dataclass(frozen=True, eq=False)
class AmountStudyFacts:
    """The rows and columns that all models of an audit were made from."""

    plan: ModelsPlan = setting("What was asked.")
    meaning: str = setting("The amount in words.")
    higher_is_favorable: bool = setting("Whether more is better for the person.")
    features: tuple[str, ...] = setting("The columns that models may use.")
    protected_features: tuple[str, ...] = setting(
        "Those of them that the protected condition or the groups are made of."
    )
    groups: tuple[str, ...] = setting("The groups that errors are compared between.")
    group_columns: tuple[str, ...] = setting(
        "The columns that make the groups; empty where they are the protected group and the rest."
    )
    protected_words: str = setting("Who is protected, in plain English.")
    where_words: str | None = setting("The filter in plain English.")
    names: Names = setting("What groups and decision are called in sentences.", in_json=False)
    n_rows: Hideable[int] = figure("Rows with an amount, which were divided.")
    n_undecided: Hideable[int] = figure("Rows left out because they have none, or one that the filter leaves out.")
    n_train: Hideable[int] = figure("Rows in each part.")
    n_tune: Hideable[int] = figure(AS_ABOVE)
    n_held_out: Hideable[int] = figure(AS_ABOVE)
    decisions: ControlledMeans = figure(
        "The amounts themselves on the held-out rows: the difference that the models learn from."
    )
    deviation: float = figure("Standard deviation of the amounts of the training rows.")
    sample: SampleFacts | None = figure(
        "How the rows were drawn, where the data stay in a database or cluster.", default=None
    )
    proxies: Proxies | None = figure(FEATURE_PROXIES, default=None)
    n_unknown: Hideable[int] = figure(
        "Of all rows with an amount, those where it is not known who is protected: models learn from them, and "
        "are not judged on them.",
        default=0,
    )
    n_filtered_out: Hideable[int] = figure(
        "Of the others, those that do not meet the filter: models still learn from them.", default=0
    )
    outcome_where_words: str | None = setting(
        "What the filter says of the amount alone, in plain English: rows that do not meet it have none to learn from.",
        default=None,
    )
    is_limit_set: bool = setting(
        "Whether the person set the tolerance of the decisions, in a check.", in_json=False, default=False
    )

    # No fields, and so in no export.
    outcome = AMOUNTS
    warnings = ()
    decision_is_outcome = False

    def warned(self, text: str) -> Self:
        """Return the facts as they are: they hold no warnings."""
        return self


@dataclass(frozen=True, eq=False)
class AmountEvaluation:
    """A model of an amount on the held-out rows."""

    name: str = setting("The model in words.")
    n: Hideable[int] = figure("Held-out rows.")
    mae: float = figure("Mean absolute error.", label="mean absolute error", kind="amount", brief="Of the predictions.")
    mae_interval: Interval = figure(
        "By drawing the rows again.", label="likely range", kind="amount_interval", brief="By bootstrap."
    )
    r2: float = figure(
        "Share of the variance that is explained; below 0 where the mean would do better.",
        label="R²",
        kind="number",
        brief="Share of variance explained.",
        digits=R2_DIGITS,
    )
    r2_interval: Interval = figure(
        "By drawing the rows again.",
        label="R², likely range",
        kind="number_interval",
        brief="By bootstrap.",
        digits=R2_DIGITS,
    )
    predicted: ControlledMeans = figure(
        "Mean predicted amounts of the protected group and the rest, among the rows looked at."
    )
    groups: pd.DataFrame = figure(
        "One row for each group.",
        columns(
            group=column(str, "The group."),
            n=column(Hideable[int], "Test cases."),
            actual=column(float, "Mean amount."),
            predicted=column(float, "Mean prediction."),
            error=column(float, "Mean of predicted minus actual amounts: above 0 where the group is overestimated."),
            error_low=column(float, "Lower end of its interval."),
            error_high=column(float, "Upper end."),
            mae=column(float, "Mean absolute error."),
        ),
    )

    @property
    def compared(self) -> ControlledMeans:
        """What it predicts for both groups, where means are compared."""
        return self.predicted

    @property
    def performance(self) -> float:
        """How far it is from the amounts on average."""
        return self.mae


@dataclass(frozen=True)
class AmountChange:
    """One measure, before and after."""

    measure: str = setting(
        "Mean absolute error, R2, the difference of mean predictions, or that of mean errors.",
        label="field",
        kind="code",
        brief="Its name.",
    )
    before: float = figure(
        "The two, and after minus before; a difference is that of the protected group minus that of the rest.",
        label="without",
        kind="number",
        brief="Without the remedy.",
    )
    after: float = figure(AS_ABOVE, label="with", kind="number", brief="With the remedy.")
    difference: float = figure(AS_ABOVE, label="change", kind="difference", brief="With minus without.", name="change")
    interval: Interval = figure(
        "Of the difference, from rows that both models were judged on (paired).",
        label="likely range",
        kind="difference_interval",
        brief="Paired.",
        name="change_interval",
    )

    # No fields, and so in no export: a difference is always of the same two groups.
    first = None
    second = None


@dataclass(frozen=True, eq=False)
class AmountRemedyFinding:
    """One remedy: what was done, and both models on the same held-out rows."""

    name: str = setting("The remedy in words, unique in its audit.")
    plan: RemedyPlan = setting("What was asked.")
    before: AmountEvaluation = figure("Without and with the remedy. For a plain model both are the same.")
    after: AmountEvaluation = figure(AS_ABOVE)
    changes: tuple[AmountChange, ...] = figure("After against before; empty for a plain model.")
    indices: pd.DataFrame = figure(
        "One row for each index of discrimination and part of the rows: of predictions for rows of known groups.",
        columns(
            index=column(
                Literal["didi", "dtdi"],
                "Disparate impact, or disparate treatment divided by rows and groups.",
                "index",
                "text",
                "Disparate impact (DIDI) or treatment (DTDI).",
            ),
            part=column(Literal["trained", "tuned", "held_out"], "Which rows.", "cases", "text", "Which part of them."),
            before=column(float, "Without the remedy.", "without", "amount"),
            after=column(float, "With it.", "with", "amount"),
            n=column(Hideable[int], "Rows that it is about.", "compared", "count", "Cases."),
            sampled=column(
                bool, "Whether these were drawn from more.", "drawn", "text", "Whether these are drawn from more."
            ),
        ),
    )
    details: Any = figure("The tree; None for a plain model.")
    uses_protected_features: bool = setting("Whether a column of the protected condition or the groups is used.")
    warnings: tuple[str, ...] = figure("What makes the remedy doubtful.", default=())
    predictions_differ: bool = figure(
        "Whether it predicts otherwise than without the remedy for any held-out row.", default=True
    )
    divisions: pd.DataFrame | None = figure(
        "What it changed on each division of the rows, this one first; None where it was made on one alone.",
        DIVISIONS,
        default=None,
    )
    within: WithinStrata | None = figure(
        "The difference inside the strata of a question that asks about the same groups; None for a plain model, "
        "or where no question has strata.",
        default=None,
    )
    beside_decisions: BesideDecisions | None = figure(
        "How far it is from the amounts on the same rows; None for a plain model, or where small counts are hidden.",
        default=None,
    )
    certified: CertifiedLimit | None = figure(CERTIFIED, default=None)
    hit: SubgroupSearch | None = figure(HIT, default=None)

    # No fields, and so in no export: no remedy of amounts asks for the group, and none stands beside simple rules.
    needs_group = False
    worse_off = None
    yardsticks = ()


@dataclass(frozen=True, eq=False)
class AmountRemediesFinding:
    """All remedies of an audit of amounts, judged on the same held-out rows."""

    facts: AmountStudyFacts = figure("The rows and columns.")
    remedies: tuple[AmountRemedyFinding, ...] = figure("In the order of the plan.")
