"""What is exported of remedies."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Self

from fairaudit.disclosure.fields import exported_values
from fairaudit.remedies.registry import REMEDIES
from fairaudit.remedies.shared import amount_words
from fairaudit.remedies.shared.changes import done_sentence
from fairaudit.remedies.shared.learned_rows import learned_not_known_sentences
from fairaudit.report.json_export.added import ExportedNotKnown, extended, in_words
from fairaudit.sections.compare import answer_text, read_comparison
from fairaudit.sections.compare.reading import CompareVerdict
from fairaudit.sections.remedy import read_remedy, remedy_text
from fairaudit.study.amounts.findings import AmountRemediesFinding, AmountRemedyFinding, AmountStudyFacts
from fairaudit.study.findings import RemediesFinding, RemedyFinding, StudyFacts


def classes_of_details() -> tuple[type, ...]:
    """Return the classes of what remedies found."""
    return tuple(kind.details.find() for kind in REMEDIES if kind.details is not None)


def classes_of_amount_details() -> tuple[type, ...]:
    """Return the classes of what remedies of amounts found."""
    kinds = (kind.on_amounts for kind in REMEDIES)
    return tuple(kind.details.find() for kind in kinds if kind is not None and kind.details is not None)


@dataclass(frozen=True, eq=False, kw_only=True)
class ExportedFacts(StudyFacts):
    """The rows and columns that all models of an audit were made from."""

    not_known: tuple[ExportedNotKnown, ...]

    @classmethod
    def of(cls, facts: StudyFacts) -> Self:
        """Add sentences on values that are not known."""
        return extended(cls, facts, not_known=in_words(facts.not_known, learned_not_known_sentences(facts)))


@dataclass(frozen=True, eq=False, kw_only=True)
class ExportedAmountFacts(AmountStudyFacts):
    """The rows and columns that all models of an amount were made from."""

    not_known: tuple[ExportedNotKnown, ...]

    @classmethod
    def of(cls, facts: AmountStudyFacts) -> Self:
        """Add sentences on values that are not known."""
        return extended(cls, facts, not_known=in_words(facts.not_known, learned_not_known_sentences(facts)))


@dataclass(frozen=True, eq=False, kw_only=True)
class ExportedRemedy(RemedyFinding):
    """One remedy: what was done, and both models on the same held-out rows.

    Parameters
    ----------
    verdict : str
        What it did in one of a few words, such as "gap_smaller".
    headline : str
        The answer, in words.
    done : str
        What was done, in words.
    """

    verdict: str
    headline: str
    done: str
    details: Any = field(metadata={"details": classes_of_details})

    @classmethod
    def of(cls, finding: RemedyFinding, facts: StudyFacts) -> Self:
        """Add what was done and what came of it, in words."""
        return extended(
            cls,
            finding,
            verdict=read_remedy(finding, facts).verdict,
            headline=remedy_text(finding, facts),
            done=done_sentence(finding),
            details=exported_values(finding.details),
        )


@dataclass(frozen=True, eq=False, kw_only=True)
class ExportedAmountRemedy(AmountRemedyFinding):
    """One remedy of a decision that is an amount: what was done, and both models on the same held-out rows.

    Parameters
    ----------
    verdict : str
        What it did in one of a few words, such as "gap_smaller".
    headline : str
        The answer, in words.
    done : str
        What was done, in words.
    """

    verdict: str
    headline: str
    done: str
    details: Any = field(metadata={"details": classes_of_amount_details})

    @classmethod
    def of(cls, finding: AmountRemedyFinding, facts: AmountStudyFacts) -> Self:
        """Add what was done and what came of it, in words."""
        return extended(
            cls,
            finding,
            verdict=read_remedy(finding, facts).verdict,
            headline=remedy_text(finding, facts),
            done=amount_words.done_sentence(finding, facts),
            details=exported_values(finding.details),
        )


@dataclass(frozen=True, eq=False, kw_only=True)
class ExportedRemedies(RemediesFinding):
    """All remedies of an audit, judged on the same held-out rows.

    Parameters
    ----------
    verdict : CompareVerdict
        The best that any of them does: whether its gap is within the limit, for certain or in the test alone.
    sentence : str
        Which remedies meet the limit and what that costs, as a paragraph.
    """

    verdict: CompareVerdict
    sentence: str
    facts: ExportedFacts
    remedies: tuple[ExportedRemedy, ...]

    @classmethod
    def of(cls, finding: RemediesFinding) -> Self:
        """Add the words."""
        remedies = (ExportedRemedy.of(remedy, finding.facts) for remedy in finding.remedies)
        return cls(
            facts=ExportedFacts.of(finding.facts),
            remedies=tuple(remedies),
            verdict=read_comparison(finding).verdict,
            sentence=answer_text(finding),
        )


@dataclass(frozen=True, eq=False, kw_only=True)
class ExportedAmountRemedies(AmountRemediesFinding):
    """All remedies of an audit of amounts, judged on the same held-out rows.

    Parameters
    ----------
    verdict : CompareVerdict
        The best that any of them does: whether its gap is within the limit, for certain or in the test alone.
    sentence : str
        Which remedies meet the limit and what that costs, as a paragraph.
    """

    verdict: CompareVerdict
    sentence: str
    facts: ExportedAmountFacts
    remedies: tuple[ExportedAmountRemedy, ...]

    @classmethod
    def of(cls, finding: AmountRemediesFinding) -> Self:
        """Add the words."""
        remedies = (ExportedAmountRemedy.of(remedy, finding.facts) for remedy in finding.remedies)
        return cls(
            facts=ExportedAmountFacts.of(finding.facts),
            remedies=tuple(remedies),
            verdict=read_comparison(finding).verdict,
            sentence=answer_text(finding),
        )
