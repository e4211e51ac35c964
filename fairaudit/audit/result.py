"""What an audit found, with everything that is needed to repeat it.

These are the results of :func:`fairaudit.run`; pages, the command line and the report read them and compute nothing.
Results that hold frames are compared by identity; to compare their content, compare what
:func:`fairaudit.report.json_export.to_json` makes of them.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd

from fairaudit.columns import SurveyDesign
from fairaudit.disclosure.fields import AS_ABOVE, column, columns, field_of, figure, never, setting
from fairaudit.errors import require
from fairaudit.findings import Argument
from fairaudit.findings.names import ErrorNames, GroupName, Names, SearchNames
from fairaudit.findings.result import Result, face_of
from fairaudit.measure.explain.proxies import Proxies
from fairaudit.measure.explain.results import GapExplanation
from fairaudit.measure.inspections.results import OutcomeTest, ThresholdTest, VeilOfDarkness
from fairaudit.measure.level_errors import LevelErrors
from fairaudit.measure.levels import ControlledLevels
from fairaudit.measure.mean_strata import StratifiedMeans
from fairaudit.measure.not_known import ENDED_CASES, NotKnown, each_once
from fairaudit.measure.period_results import PeriodComparison, PeriodLine
from fairaudit.measure.plain import Plain
from fairaudit.measure.results import (
    ControlledFairness,
    ControlledMeans,
    ControlledWaiting,
    ErrorComparison,
    GroupComparison,
    ScoreComparison,
    StratifiedBounds,
    StratifiedFairness,
)
from fairaudit.measure.similar import SimilarAmounts
from fairaudit.plan.audit_plan import AuditPlan
from fairaudit.plan.data import DataFacts
from fairaudit.plan.outcomes import OutcomePlan
from fairaudit.plan.questions import ChangePlan, CheckPlan, ErrorsPlan, ExplanationPlan, InspectionPlan, SubgroupsPlan
from fairaudit.subgroups.results import SubgroupSearch

if TYPE_CHECKING:
    from fairaudit.audit.people import People
    from fairaudit.data.quality import QualityReport
    from fairaudit.presets.findings import PresetFinding
    from fairaudit.sections.alternatives.finding import AlternativesFinding
    from fairaudit.sections.rankings.finding import RankingsFinding
    from fairaudit.sections.watch.finding import WatchFinding
    from fairaudit.study.amounts.findings import AmountRemediesFinding
    from fairaudit.study.findings import RemediesFinding


# What explains a gap, and whether it changed: the answers to the questions of a plan that follow a verdict.


@dataclass(frozen=True, eq=False)
class ExplanationFinding(Plain, Result):
    """The answer to one question about what explains a gap."""

    plan: ExplanationPlan = setting("The question, with a reason for each control.")
    decision: OutcomePlan = setting("The decision column and its good outcome.", in_json=False)
    meaning: str = setting("The good outcome, or the amount, in words.")
    where_words: str | None = setting("The filter in plain English.")
    protected_words: str = setting("Who is protected, in plain English.")
    result: GapExplanation = figure("The answer.")
    names: Names = setting("What the groups and the decision are called.", in_json=False)
    proxies: Proxies | None = figure(
        "How well each column of the data stands in for the group; None where that is hidden or was not asked.",
        default=None,
    )

    @property
    def not_known(self) -> tuple[NotKnown, ...]:
        """Values of groups and decision that say that something is not known."""
        return self.result.not_known


@dataclass(frozen=True, eq=False)
class ChangeFinding(Plain, Result):
    """The answer to one question about whether a gap changed."""

    plan: ChangePlan = setting("The question.")
    decision: OutcomePlan = setting("The decision column and its good outcome.", in_json=False)
    meaning: str = setting("The good outcome in words.")
    where_words: str | None = setting("The filter in plain English.")
    protected_words: str = setting("Who is protected, in plain English.")
    names: Names = setting("What groups and decision are called in sentences.", in_json=False)
    result: PeriodComparison | None = figure("The answer, where there are two periods.")
    line: PeriodLine | None = figure("The answer, where there are more.")
    second_fingerprint: str | None = figure("The fingerprint of the second table, where there is one.")

    @property
    def compared(self) -> PeriodComparison | PeriodLine:
        """The answer, of two periods or of more."""
        return require(self.result) if self.line is None else self.line

    @property
    def not_known(self) -> tuple[NotKnown, ...]:
        """Values of groups and decision that say that something is not known."""
        return self.compared.not_known


# Searches and inspections: the answer to one question of a plan.


@dataclass(frozen=True, eq=False)
class InspectionFinding(Plain, Result):
    """The answer to one question about searches and inspections."""

    plan: InspectionPlan = setting("The question.")
    acted_words: str = setting("Who was looked at, and where something was found, in plain English.")
    found_words: str = setting(AS_ABOVE)
    group_words: str = setting("What makes the groups, in plain English.")
    where_words: str | None = setting("The filter in plain English.")
    outcome: OutcomeTest = figure("How often something was found, by group.")
    thresholds: ThresholdTest | None = figure(
        "The thresholds that a model infers; None where the plan names no places."
    )
    veil: VeilOfDarkness | None = figure("Stops in light against stops in darkness; None where the plan does not ask.")
    verb: Argument = setting('What is said of several people who were looked at: "were searched".', in_json=False)
    similar: Argument | None = setting(
        'How cases are alike within the strata: "in the same district"; None without strata.', in_json=False
    )
    groups: tuple[tuple[str, GroupName], ...] = figure(
        "What each group is called, as a plural, by its name in the tables.", in_json=False
    )


@dataclass(frozen=True)
class CheckFinding(Plain, Result):
    """The answer to one question of a plan about a gap between two groups."""

    plan: CheckPlan = setting("The question.")
    decision: OutcomePlan = setting("The decision column, with its good outcome or as an amount.", in_json=False)
    meaning: str = setting("The good outcome, or what the amount is, in words.")
    result: ControlledFairness | ControlledMeans | ControlledWaiting = figure(
        "Protected against reference, in the filtered population."
    )
    groups: tuple[GroupComparison, ...] = figure("One for each entry of `plan.compare`.")
    strata: StratifiedFairness | StratifiedBounds | StratifiedMeans | None = figure(
        "The same question within strata, where the plan names any."
    )
    where_words: str | None = setting("The filter in plain English.")
    protected_words: str = setting("Who is protected, in plain English.")
    sql: str = setting(
        "One SELECT that reproduces the counts of `result`, and means of amounts: for DuckDB, or what a connected "
        "engine was asked."
    )
    names: Names = setting("What groups and decision are called in sentences.", in_json=False)
    similar: SimilarAmounts | None = figure(
        "The same question among similar people, where the plan says who is similar.", default=None
    )
    not_compared: tuple[str, ...] = setting(
        "One sentence for each comparison of the plan that the rows looked at do not allow.", default=()
    )
    not_known: tuple[NotKnown, ...] = figure(ENDED_CASES, default=())
    levels: ControlledLevels | None = figure(
        "Who gets which level, where the decision has levels: the answer is then about these.", default=None
    )

    @property
    def more_is_better(self) -> bool:
        """Whether more is better of what sentences speak of."""
        return self.decision.higher_is_favorable and not self.names.of_unfavorable


@dataclass(frozen=True, eq=False)
class ErrorsFinding(Plain, Result):
    """The answer to one question about the errors of a prediction or score."""

    plan: ErrorsPlan = setting("The question.")
    errors: ErrorComparison | None = figure(
        "Error rates by group; None if the plan names neither a prediction nor a cut for its score."
    )
    scores: ScoreComparison | None = figure("Ranking and calibration by group; None if the plan names no score.")
    costs: pd.DataFrame | None = figure(
        "One row a group: the average cost of an error, with the plan's two costs; None without `errors`.",
        columns(
            group=column(str, "The group.", "group", "group"),
            average_error_cost=column(
                float, "The average cost.", "average error cost", "number", "By the audit's costs.", digits=3
            ),
        ),
        label="Average cost of an error",
    )
    names: ErrorNames = setting(
        "What outcomes, predictions and groups are called.", in_json=False, default=ErrorNames()
    )
    levels: LevelErrors | None = figure(
        "How often a predicted level is right, where prediction and decision have levels: the answer is then about it.",
        default=None,
    )
    is_outcome: bool = setting(
        "Whether errors are held against what happened, and not against what somebody decided.",
        in_json=False,
        default=True,
    )

    @property
    def by_group(self) -> dict[str, pd.DataFrame]:
        """Frames with one row a group, by the names of their fields: shown and hidden group by group."""
        held = {each.name: getattr(self, each.name) for each in fields(self) if "group" in field_of(each).columns}
        return {name: frame for name, frame in held.items() if frame is not None}

    @property
    def design(self) -> SurveyDesign | None:
        """How the sample was drawn; None where rows have no weights."""
        return next((found.design for found in (self.errors, self.scores) if found is not None), None)

    @property
    def not_known(self) -> tuple[NotKnown, ...]:
        """Values of groups and decision that say that something is not known."""
        return each_once(part for found in (self.errors, self.scores) if found is not None for part in found.not_known)


@dataclass(frozen=True)
class SubgroupsFinding(Plain, Result):
    """The answer to one search for the worst-hit subgroups."""

    plan: SubgroupsPlan = setting("What was asked.")
    meaning: str = setting("What is compared, in words.")
    where_words: str | None = setting("The filter in plain English.")
    result: SubgroupSearch = figure("What was found.")
    names: SearchNames = setting("What is said of people with the result that is compared.", in_json=False)
    groups: tuple[GroupName, ...] = figure("What each of the subgroups is called.", in_json=False)
    higher_is_favorable: bool = setting("Whether more of an amount is better for the person.", in_json=False)

    @property
    def not_known(self) -> tuple[NotKnown, ...]:
        """Values of groups and decision that say that something is not known."""
        return self.result.not_known


@dataclass(frozen=True, eq=False)
class AuditResult(Result):
    """All findings of an audit and where they come from."""

    plan: AuditPlan = setting("What was asked.")
    data: DataFacts = figure("What it was asked of.")
    checks: tuple[CheckFinding, ...] = figure("One for each question about two groups, in the order of the plan.")
    errors: tuple[ErrorsFinding, ...] = figure("One for each question about errors, in the order of the plan.")
    quality: QualityReport | None = figure("What is remarkable about the data; None if the plan leaves it out.")
    versions: tuple[tuple[str, str], ...] = setting("Names and versions of the software that computed the numbers.")
    remedies: RemediesFinding | None = figure(
        "The remedies of the plan, judged on held-out rows; None if it has none.", default=None
    )
    amount_remedies: AmountRemediesFinding | None = figure(
        "The remedies of a plan whose decision is an amount, judged on held-out rows; None if it has none.",
        default=None,
    )
    presets: tuple[PresetFinding, ...] = figure("One for each form of a rule, in the order of the plan.", default=())
    subgroups: tuple[SubgroupsFinding, ...] = figure(
        "One for each search for worst groups, in the order of the plan.", default=()
    )
    explanations: tuple[ExplanationFinding, ...] = figure(
        "One for each question about what explains a gap, in the order of the plan.", default=()
    )
    changes: tuple[ChangeFinding, ...] = figure(
        "One for each question about whether a gap changed, in the order of the plan.", default=()
    )
    watches: tuple[WatchFinding, ...] = figure(
        "One for each gap that is watched over batches, in the order of the plan.", default=()
    )
    inspections: tuple[InspectionFinding, ...] = figure(
        "One for each question about searches and inspections, in the order of the plan.", default=()
    )
    rankings: tuple[RankingsFinding, ...] = figure(
        "One for each question about lists, in the order of the plan.", default=()
    )
    alternatives: tuple[AlternativesFinding, ...] = figure(
        "One for each search for alternatives, in the order of the plan.", default=()
    )
    not_known: tuple[NotKnown, ...] = figure(
        "Cases that ended before anyone decided them, in the errors and follow-ups; checks, remedies and forms hold "
        "their own.",
        default=(),
    )
    changed_since_seal: tuple[str, ...] | None = setting(
        "The parts of the plan that changed since it was sealed, before the answer was shown; None where it was not.",
        default=None,
    )
    published: tuple[AuditResult, ...] = never(
        "Audits of the same data that were published before: small counts are hidden beside them.", default=()
    )
    people: People | None = never(
        "The people of the audit by all that its figures depend on; without them small counts cannot be hidden.",
        default=None,
    )

    @property
    def sections(self) -> tuple[Result, ...]:
        """The answers, in the order of the report, without small counts where the plan hides them."""
        return face_of(self).sections()

    def to_json(self) -> str:
        """Return what was found as JSON, without small counts where the plan hides them.

        Returns
        -------
        str
            As in ``result.json`` of a report.
        """
        return face_of(self).json()

    def to_dict(self) -> dict[str, object]:
        """Return the same as plain values.

        Returns
        -------
        dict
            What :meth:`to_json` holds.
        """
        return json.loads(self.to_json())

    def write(self, folder: str | Path, *, base: str | Path | None = None) -> tuple[Path, ...]:
        """Write the report: PDF, tables, JSON, plan and forms.

        Parameters
        ----------
        folder : str or Path
            Where to; made if it is not there.
        base : str or Path, optional
            The folder from which the plan names an office's own file of a form.

        Returns
        -------
        tuple of Path
            The files.

        Raises
        ------
        ReportError
            If they cannot be written.
        """
        return face_of(self).write(folder, base)

    @property
    def plan_digest(self) -> str:
        """The digest of the plan, 64 hexadecimal digits."""
        return self.plan.digest

    @property
    def tried(self) -> RemediesFinding | AmountRemediesFinding | None:
        """What trying remedies found, whatever the kind of the decision; None if the plan has none."""
        return getattr(self, self.plan.decision.kind.remedies)

    @property
    def within_tolerance(self) -> bool:
        """Whether every check's point answer is that the gap is within tolerance; True without checks."""
        return all(finding.result.within_tolerance for finding in self.checks)
