"""What explains a gap, and whether it changed: the answers to the questions of a plan that follow a verdict."""

from __future__ import annotations

from dataclasses import dataclass

from fairaudit.disclosure.fields import figure, setting
from fairaudit.errors import sure
from fairaudit.findings.names import Names
from fairaudit.measure.explain.results import GapExplanation
from fairaudit.measure.not_known import NotKnown
from fairaudit.measure.period_results import PeriodComparison, PeriodLine
from fairaudit.plan.follow_ups import ChangePlan, ExplanationPlan
from fairaudit.plan.outcomes import OutcomePlan


@dataclass(frozen=True, eq=False)
class ExplanationFinding:
    """The answer to one question about what explains a gap.

    Parameters
    ----------
    plan : ExplanationPlan
        The question, with a reason for each control.
    decision : OutcomePlan
        The decision column and its good outcome.
    meaning : str
        The good outcome, or the amount, in words.
    where_words : str, optional
        The filter in plain English.
    protected_words : str
        Who is protected, in plain English.
    result : GapExplanation
        The answer.
    names : Names
        What the groups and the decision are called.
    """

    plan: ExplanationPlan = setting()
    decision: OutcomePlan = setting(in_json=False)
    meaning: str = setting()
    where_words: str | None = setting()
    protected_words: str = setting()
    result: GapExplanation = figure()
    names: Names = setting(in_json=False)

    @property
    def not_known(self) -> tuple[NotKnown, ...]:
        """Values of groups and decision that say that something is not known."""
        return self.result.not_known


@dataclass(frozen=True, eq=False)
class ChangeFinding:
    """The answer to one question about whether a gap changed.

    Parameters
    ----------
    plan : ChangePlan
        The question.
    decision : OutcomePlan
        The decision column and its good outcome.
    meaning : str
        The good outcome in words.
    where_words : str, optional
        The filter in plain English.
    protected_words : str
        Who is protected, in plain English.
    names : Names
        What groups and decision are called in sentences.
    result : PeriodComparison or None
        The answer, where there are two periods.
    line : PeriodLine or None
        The answer, where there are more.
    second_fingerprint : str or None
        The fingerprint of the second table, where there is one.
    """

    plan: ChangePlan = setting()
    decision: OutcomePlan = setting(in_json=False)
    meaning: str = setting()
    where_words: str | None = setting()
    protected_words: str = setting()
    names: Names = setting(in_json=False)
    result: PeriodComparison | None = figure()
    line: PeriodLine | None = figure()
    second_fingerprint: str | None = figure()

    @property
    def compared(self) -> PeriodComparison | PeriodLine:
        """The answer, of two periods or of more."""
        return sure(self.result) if self.line is None else self.line

    @property
    def not_known(self) -> tuple[NotKnown, ...]:
        """Values of groups and decision that say that something is not known."""
        return self.compared.not_known
