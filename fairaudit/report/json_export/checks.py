"""What is exported of a question about decisions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Self

from fairaudit.audit.result import AmountFinding, CheckFinding
from fairaudit.present import amount_words, words
from fairaudit.present.not_known_words import not_known_sentence
from fairaudit.report.json_export.added import ExportedNotKnown, extended, in_words

Answer = Literal["Yes", "No", "A gap, size unclear", "Too close to call", "Cannot say", "Not shown"]


@dataclass(frozen=True, kw_only=True)
class ExportedCheck(CheckFinding):
    """One controlled-fairness question and its answer.

    Parameters
    ----------
    answer : {"Yes", "No", "A gap, size unclear", "Too close to call", "Cannot say", "Not shown"}
        The answer in a word or two.
    verdict : str
        The answer as a paragraph.
    """

    answer: Answer
    verdict: str
    not_known: tuple[ExportedNotKnown, ...]

    @classmethod
    def of(cls, finding: CheckFinding) -> Self:
        """Add the answer in words."""
        return extended(
            cls,
            finding,
            answer=words.verdict_word(finding.result),
            verdict=words.verdict_sentence(finding),
            not_known=in_words(finding.not_known, map(not_known_sentence, finding.not_known)),
        )


@dataclass(frozen=True, kw_only=True)
class ExportedAmount(AmountFinding):
    """One question about a decision that is an amount, and its answer.

    Parameters
    ----------
    higher_is_favorable : bool
        Whether more is better for the person.
    answer : {"Yes", "No", "A gap, size unclear", "Too close to call", "Cannot say", "Not shown"}
        The answer in a word or two.
    verdict : str
        The answer as a paragraph.
    """

    higher_is_favorable: bool
    answer: Answer
    verdict: str
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
            not_known=in_words(finding.not_known, map(not_known_sentence, finding.not_known)),
        )
