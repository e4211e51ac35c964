"""What is exported of a question about decisions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Self

from fairaudit.audit.result import AmountFinding, CheckFinding
from fairaudit.measure.detectable import DetectableGap, detectable_of
from fairaudit.present import amount_words, words
from fairaudit.present.not_known_words import not_known_sentence
from fairaudit.report.json_export.added import ExportedNotKnown, extended, in_words

Answer = Literal["Yes", "No", "A gap, size unclear", "Cannot tell", "Nothing to compare", "Not shown"]


@dataclass(frozen=True, kw_only=True)
class ExportedCheck(CheckFinding):
    """One controlled-fairness question and its answer.

    Parameters
    ----------
    answer : {"Yes", "No", "A gap, size unclear", "Cannot tell", "Nothing to compare", "Not shown"}
        The answer in a word or two.
    verdict : str
        The answer as a paragraph.
    detectable : DetectableGap or None
        How large a gap must be to be seen with these rows. None where a count that it needs is hidden.
    """

    answer: Answer
    verdict: str
    detectable: DetectableGap | None
    not_known: tuple[ExportedNotKnown, ...]

    @classmethod
    def of(cls, finding: CheckFinding) -> Self:
        """Add the answer in words."""
        return extended(
            cls,
            finding,
            answer=words.verdict_word(finding.result),
            verdict=words.verdict_sentence(finding),
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
    answer : {"Yes", "No", "A gap, size unclear", "Cannot tell", "Nothing to compare", "Not shown"}
        The answer in a word or two.
    verdict : str
        The answer as a paragraph.
    detectable : DetectableGap or None
        How large a gap must be to be seen with these rows. None where a count that it needs is hidden.
    """

    higher_is_favorable: bool
    answer: Answer
    verdict: str
    detectable: DetectableGap | None
    not_known: tuple[ExportedNotKnown, ...]

    @classmethod
    def of(cls, finding: AmountFinding) -> Self:
        """Add the answer in words."""
        return extended(
            cls,
            finding,
            higher_is_favorable=finding.decision.higher_is_favorable,
            answer=words.verdict_word(finding.result),
            verdict=amount_words.verdict_sentence(finding),
            detectable=detectable_of(finding.result),
            not_known=in_words(finding.not_known, map(not_known_sentence, finding.not_known)),
        )
