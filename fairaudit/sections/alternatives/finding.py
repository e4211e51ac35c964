"""Alternatives that discriminate less: what was found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import pandas as pd

from fairaudit.disclosure.fields import column, columns, figure, setting
from fairaudit.findings.result import Result
from fairaudit.measure.not_known import NotKnown
from fairaudit.measure.plain import Hideable, Plain
from fairaudit.measure.results import ControlledFairness, Interval
from fairaudit.sections.alternatives.plan import AlternativesPlan, Used
from fairaudit.study.findings import StudyFacts

Kind = Literal["model", "without", "constrained", "retrained", "tree", "list", "rules", "by_group"]
"""Another learner; one without a column; trained to limits; on changed labels; a small tree; a list of rules; a set of
rules; with thresholds by group."""
Form = Literal["tree", "list", "rules"]
Cut = Literal["", "milder", "stricter"]
"""Whether it gives the good outcome to more or to fewer people than the model in use."""

QUALITY = "Share right, of pairs ranked rightly, or of those approved who are good: as was asked; on test cases."
GAP = "Protected minus others, on test cases; on average over similar cases where that was asked."
"""What figures mean that the model in use has, too."""

SPREAD = columns(
    kind=column(str, "How it was made.", "kind", "code"),
    quality=column(float, "How good it is on tuning cases, by the measure that was asked for.", "quality", "share"),
    gap=column(float, "Protected minus others, on tuning cases.", "gap, points", "points", turns=True),
    as_good=column(bool, "Whether it counts as equally good there.", "equally good"),
)
"""The columns of all that was tried."""


@dataclass(frozen=True)
class Origin:
    """How a model was made."""

    kind: Kind = setting("How it was made.", label="kind", kind="code")
    learner: str = setting(
        "The learner, as in a plan; empty for the score or the prediction in the data.", label="learner"
    )
    column: str = setting("The column that it was made without; empty where there is none.", label="without")

    @property
    def by_group(self) -> bool:
        """Whether it must know the group of a person to decide."""
        return self.kind == "by_group"


@dataclass(frozen=True, eq=False)
class Alternative:
    """A model that was as good as the one in use on the tuning rows, judged on the held-out rows."""

    origin: Origin = setting("How it was made.")
    cut: Cut = setting("Whether it gives the good outcome to more or to fewer people than the model in use.")
    quality: float = figure(QUALITY, label="quality", kind="share")
    quality_change: float = figure("That minus the one in use.", label="change in quality", kind="points")
    quality_interval: Interval = figure(
        "Of that change, paired; of this model by itself.", label="range of the change", kind="points_interval"
    )
    fairness: ControlledFairness = figure("Its predictions for the protected group against those for the rest.")
    gap: float = figure(GAP, label="gap, points", kind="points", turns=True)
    gap_interval: Interval = figure(
        "Of the gap; all those that were judged hold together.",
        label="range of the gap",
        kind="points_interval",
        turns=True,
    )
    size_change: float = figure("Size of its gap minus that of the one in use.", label="change in gap", kind="points")
    size_interval: Interval = figure(
        "Of that change, paired; of this model by itself.", label="range of the change", kind="points_interval"
    )
    p_adjusted: float = figure(
        "That the gap is no smaller, or it is worse by too much; by Holm over all that were judged.",
        label="p",
        kind="p",
    )
    tuned_quality: float = figure("The same on tuning cases.", label="quality, tuning", kind="share")
    tuned_gap: float = figure("Its gap on tuning cases.", label="gap, tuning", kind="points", turns=True)


@dataclass(frozen=True, eq=False)
class ModelInUse:
    """The model in use on the held-out rows, and on the tuning rows."""

    quality: float = figure(QUALITY, label="quality", kind="share")
    fairness: ControlledFairness = figure("Its predictions for the protected group against those for the rest.")
    gap: float = figure(GAP, label="gap, points", kind="points", turns=True)
    gap_interval: Interval = figure("Of the gap.", label="range of the gap", kind="points_interval", turns=True)
    tuned_quality: float = figure("The same on tuning cases.", label="quality, tuning", kind="share")
    tuned_gap: float = figure("Its gap on tuning cases.", label="gap, tuning", kind="points", turns=True)


@dataclass(frozen=True, eq=False)
class DecidedOtherwise:
    """For how many test cases an equally good model decides otherwise than the one in use."""

    share: float = figure("Of all test cases compared.", label="all", kind="share")
    protected: float = figure("Of the protected group.", label="protected", kind="share")
    others: float = figure("Of the others.", label="others", kind="share")
    most_by_one: float = figure("Of all, by the one model that differs most.", label="by one", kind="share")


@dataclass(frozen=True, eq=False)
class NearlyBest:
    """All small trees, lists or sets of rules, that are right nearly as often as the best, where they were learned."""

    form: Form = setting("Trees, lists of rules, or sets of rules.", label="form", kind="code")
    n_rules: int = setting("Questions on the way to an answer, or rules of a set, at most.", label="at most")
    n_questions: int = figure("Questions that they are made of.", label="questions", kind="count")
    n: int | None = figure("How many there are; None where the work did not suffice.", label="models", kind="count")
    is_proven: bool = figure("Whether these are all, and the ends of their gaps are proven.", label="proven")
    smallest_gap: float = figure("The smallest gap of any.", label="smallest gap, points", kind="size")
    smallest_bound: float = figure("What none is below.", label="bound, points", kind="size")
    largest_gap: float = figure("The largest gap of any.", label="largest gap, points", kind="size")
    decided_both_ways: float = figure(
        "Share of test cases that they decide both ways.", label="both ways", kind="share"
    )


@dataclass(frozen=True, eq=False)
class AlternativesFinding(Plain, Result):
    """Models beside the one in use: how many were tried, and what the few that were judged do."""

    plan: AlternativesPlan = setting("What was asked.")
    facts: StudyFacts = figure("The rows and columns.")
    used: Used = setting("What the others are compared with.")
    n_tried: Hideable[int] = figure(
        "Models that say different things of the tuning cases.", label="tried", kind="count"
    )
    n_as_good: Hideable[int] = figure("Those that count as equally good there.", label="equally good", kind="count")
    n_unclear: Hideable[int] = figure(
        "Those that may be equally good, for which there are too few tuning cases.", label="unclear", kind="count"
    )
    in_use: Hideable[ModelInUse] = figure("The model in use.")
    alternatives: tuple[Alternative, ...] = figure("Those that were judged, the smallest gap on tuning cases first.")
    otherwise: Hideable[DecidedOtherwise] = figure("For whom an equally good model decides otherwise.")
    spread: pd.DataFrame = figure("All that was tried, on the tuning cases.", SPREAD)
    nearly_best: tuple[NearlyBest, ...] = figure("Small trees, lists and sets of rules.", default=())
    n_skipped: Hideable[int] = figure("Ways to make models that these data do not allow.", default=0)
    stopped: bool = setting("Whether a person ended the search early.", default=False)

    @property
    def not_known(self) -> tuple[NotKnown, ...]:
        """Values of groups and decision that say that something is not known."""
        return self.facts.not_known
