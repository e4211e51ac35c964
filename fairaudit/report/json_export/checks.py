"""What is exported of a question about decisions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from fairaudit.audit.result import AmountFinding, CheckFinding
from fairaudit.measure.detectable import DetectableGap, detectable_of
from fairaudit.measure.verdicts import Verdict
from fairaudit.present.not_known_words import not_known_sentence
from fairaudit.report.json_export.added import ExportedNotKnown, extended, in_words
from fairaudit.sections.check import answer_text, read_check
from fairaudit.sections.check.reading import Answer, Within


@dataclass(frozen=True, kw_only=True)
class ExportedCheck(CheckFinding):
    """One controlled-fairness question and its answer.

    Parameters
    ----------
    verdict : str
        The verdict on all rows together; null where it is hidden.
    answer : str
        The verdict that is shown, with what similar cases say otherwise.
    within : str or None
        What becomes of a gap among similar cases; null without any, or where that is hidden.
    sentence : str
        The answer as a paragraph.
    detectable : DetectableGap or None
        How large a gap must be to be seen with these rows. None where a count that it needs is hidden.
    """

    verdict: Verdict | None
    answer: Answer
    within: Within | None
    sentence: str
    detectable: DetectableGap | None
    not_known: tuple[ExportedNotKnown, ...]

    @classmethod
    def of(cls, finding: CheckFinding) -> Self:
        """Add the answer in words."""
        return extended(
            cls,
            finding,
            verdict=finding.result.verdict,
            answer=read_check(finding).answer,
            within=read_check(finding).within,
            sentence=answer_text(finding),
            detectable=detectable_of(finding.result),
            not_known=in_words(finding.not_known, map(not_known_sentence, finding.not_known)),
        )


@dataclass(frozen=True, kw_only=True)
class ExportedAmount(AmountFinding):
    """One question about a decision that is an amount, and its answer.

    Parameters
    ----------
    higher_is_favorable : bool
        Whether more is better for the person.
    verdict : str
        The verdict on all rows together; null where it is hidden.
    answer : str
        The verdict that is shown, with what similar cases say otherwise.
    within : str or None
        What becomes of a gap among similar cases; null without any, or where that is hidden.
    sentence : str
        The answer as a paragraph.
    detectable : DetectableGap or None
        How large a gap must be to be seen with these rows. None where a count that it needs is hidden.
    """

    higher_is_favorable: bool
    verdict: Verdict | None
    answer: Answer
    within: Within | None
    sentence: str
    detectable: DetectableGap | None
    not_known: tuple[ExportedNotKnown, ...]

    @classmethod
    def of(cls, finding: AmountFinding) -> Self:
        """Add the answer in words."""
        return extended(
            cls,
            finding,
            higher_is_favorable=finding.decision.higher_is_favorable,
            verdict=finding.result.verdict,
            answer=read_check(finding).answer,
            within=read_check(finding).within,
            sentence=answer_text(finding),
            detectable=detectable_of(finding.result),
            not_known=in_words(finding.not_known, map(not_known_sentence, finding.not_known)),
        )
