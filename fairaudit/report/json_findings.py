"""What is exported of each finding, with words for who reads the file without the report."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import Any, Self

from fairaudit.audit.result import (
    AmountFinding,
    ChangeFinding,
    CheckFinding,
    ErrorsFinding,
    ExplanationFinding,
    InspectionFinding,
    SubgroupsFinding,
)
from fairaudit.catalog import remedies_on
from fairaudit.disclosure.fields import exported_values, setting
from fairaudit.measure.detectable import DetectableGap, detectable_of
from fairaudit.measure.not_known import NotKnown
from fairaudit.measure.verdicts import ShownVerdict, Verdict
from fairaudit.messages import say
from fairaudit.outcomes import AMOUNTS, SHARES
from fairaudit.present.cases import not_known_sentence
from fairaudit.sections.change import saying as change
from fairaudit.sections.change.reading import ShownChange, read_change
from fairaudit.sections.check import answer_text, read_check
from fairaudit.sections.check.reading import Answer, Within
from fairaudit.sections.compare import answer_text as compared_text
from fairaudit.sections.compare import read_comparison
from fairaudit.sections.compare.reading import CompareVerdict
from fairaudit.sections.errors import read_errors
from fairaudit.sections.errors.saying import answer_text as errors_text
from fairaudit.sections.explain import answer_line, say_overturning
from fairaudit.sections.remedy import read_remedy, remedy_text
from fairaudit.sections.remedy.learned_rows import learned_not_known_sentences
from fairaudit.sections.remedy.saying import done_sentence
from fairaudit.sections.searches import read_searches
from fairaudit.sections.searches import saying as searches
from fairaudit.sections.worst import WorstVerdict, read_worst
from fairaudit.sections.worst import answer_text as worst_text
from fairaudit.study.amounts.findings import AmountRemediesFinding, AmountRemedyFinding, AmountStudyFacts
from fairaudit.study.findings import RemediesFinding, RemedyFinding, StudyFacts


def extended(kind: type, finding: Any, **added: Any) -> Any:
    """Return a finding as the class that adds fields to its own."""
    return kind(**{f.name: getattr(finding, f.name) for f in fields(finding)} | added)


@dataclass(frozen=True, kw_only=True)
class ExportedNotKnown(NotKnown):
    """Values of a column that say that something is not known, and where rows with them are counted."""

    sentence: str = setting("The same in words.")


def in_words(parts: Iterable[NotKnown], sentences: Iterable[str]) -> tuple[ExportedNotKnown, ...]:
    """Add a sentence to each value that is not known."""
    return tuple(extended(ExportedNotKnown, part, sentence=text) for part, text in zip(parts, sentences, strict=True))


@dataclass(frozen=True, kw_only=True)
class ExportedCheck(CheckFinding):
    """One controlled-fairness question and its answer."""

    verdict: Verdict | None = setting("The verdict on all rows together; null where it is hidden.")
    answer: Answer = setting("The verdict that is shown, with what similar cases say otherwise.")
    within: Within | None = setting(
        "What becomes of a gap among similar cases; null without any, or where that is hidden."
    )
    sentence: str = setting("The answer as a paragraph.")
    detectable: DetectableGap | None = setting(
        "How large a gap must be to be seen with these rows. None where a count that it needs is hidden."
    )
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
    """One question about a decision that is an amount, and its answer."""

    higher_is_favorable: bool = setting("Whether more is better for the person.")
    verdict: Verdict | None = setting("The verdict on all rows together; null where it is hidden.")
    answer: Answer = setting("The verdict that is shown, with what similar cases say otherwise.")
    within: Within | None = setting(
        "What becomes of a gap among similar cases; null without any, or where that is hidden."
    )
    sentence: str = setting("The answer as a paragraph.")
    detectable: DetectableGap | None = setting(
        "How large a gap must be to be seen with these rows. None where a count that it needs is hidden."
    )
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


@dataclass(frozen=True, kw_only=True, eq=False)
class ExportedErrors(ErrorsFinding):
    """One question about the errors of a prediction or score, and its answer."""

    flagged: ShownVerdict = setting("The verdict on who is wrongly flagged, allowing for all groups.")
    missed: ShownVerdict = setting("The verdict on who is wrongly missed.")
    sentence: str = setting("The answer as a paragraph.")

    @classmethod
    def of(cls, finding: ErrorsFinding) -> Self:
        """Add the answer in words."""
        flagged, missed = read_errors(finding).verdicts
        return extended(cls, finding, flagged=flagged, missed=missed, sentence=errors_text(finding))


@dataclass(frozen=True, kw_only=True, eq=False)
class ExportedExplanation(ExplanationFinding):
    """One question about what explains a gap, and its answer."""

    sentence: str = setting("The answer as a paragraph.")
    overturning: tuple[str, ...] = setting("What could overturn it, in sentences.")

    @classmethod
    def of(cls, finding: ExplanationFinding) -> Self:
        """Add the answer in words."""
        return extended(
            cls, finding, sentence=answer_line(finding), overturning=tuple(map(say, say_overturning(finding)))
        )


@dataclass(frozen=True, kw_only=True, eq=False)
class ExportedChange(ChangeFinding):
    """One question about whether a gap changed, and its answer."""

    answer: ShownChange = setting(
        "Whether the gap is smaller, larger, turned around, changed or unchanged, or may be any of these."
    )
    sentence: str = setting("The answer as a paragraph.")

    @classmethod
    def of(cls, finding: ChangeFinding) -> Self:
        """Add the answer in words."""
        return extended(cls, finding, answer=read_change(finding).verdict, sentence=change.answer_text(finding))


@dataclass(frozen=True, kw_only=True, eq=False)
class ExportedSubgroups(SubgroupsFinding):
    """One search for worst groups, and its answer."""

    verdict: WorstVerdict = setting("Whether any group stands out by more than chance.")
    sentence: str = setting("The answer as a paragraph.")

    @classmethod
    def of(cls, finding: SubgroupsFinding) -> Self:
        """Add the answer in words."""
        return extended(cls, finding, verdict=read_worst(finding).verdict, sentence=worst_text(finding))


@dataclass(frozen=True, kw_only=True, eq=False)
class ExportedInspection(InspectionFinding):
    """One question about searches and inspections, and its answer."""

    verdict: ShownVerdict = setting(
        "Whether one group was looked at on weaker grounds, or with fewer finds, than another."
    )
    sentence: str = setting("The answer as a paragraph.")
    veil_sentence: str = setting(
        "Light against darkness as a paragraph; empty where it was not asked for or is hidden."
    )

    @classmethod
    def of(cls, finding: InspectionFinding) -> Self:
        """Add the answer in words."""
        return extended(
            cls,
            finding,
            verdict=read_searches(finding).verdict,
            sentence=searches.answer_text(finding),
            veil_sentence=say(searches.say_veil(finding)),
        )


def classes_of_details() -> tuple[type, ...]:
    """Return the classes of what remedies found."""
    return tuple(kind.details for kind in remedies_on(SHARES) if kind.details is not None)


def classes_of_amount_details() -> tuple[type, ...]:
    """Return the classes of what remedies of amounts found."""
    return tuple(kind.details for kind in remedies_on(AMOUNTS) if kind.details is not None)


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
    """One remedy: what was done, and both models on the same held-out rows."""

    verdict: str = setting('What it did in one of a few words, such as "gap_smaller".')
    headline: str = setting("The answer, in words.")
    done: str = setting("What was done, in words.")
    details: Any = setting(classes=classes_of_details)

    @classmethod
    def of(cls, finding: RemedyFinding, facts: StudyFacts) -> Self:
        """Add what was done and what came of it, in words."""
        return extended(
            cls,
            finding,
            verdict=read_remedy(finding, facts).verdict,
            headline=remedy_text(finding, facts),
            done=done_sentence(finding, facts),
            details=exported_values(finding.details),
        )


@dataclass(frozen=True, eq=False, kw_only=True)
class ExportedAmountRemedy(AmountRemedyFinding):
    """One remedy of a decision that is an amount: what was done, and both models on the same held-out rows."""

    verdict: str = setting('What it did in one of a few words, such as "gap_smaller".')
    headline: str = setting("The answer, in words.")
    done: str = setting("What was done, in words.")
    details: Any = setting(classes=classes_of_amount_details)

    @classmethod
    def of(cls, finding: AmountRemedyFinding, facts: AmountStudyFacts) -> Self:
        """Add what was done and what came of it, in words."""
        return extended(
            cls,
            finding,
            verdict=read_remedy(finding, facts).verdict,
            headline=remedy_text(finding, facts),
            done=done_sentence(finding, facts),
            details=exported_values(finding.details),
        )


@dataclass(frozen=True, eq=False, kw_only=True)
class ExportedRemedies(RemediesFinding):
    """All remedies of an audit, judged on the same held-out rows."""

    verdict: CompareVerdict = setting(
        "The best that any of them does: whether its gap is within the limit, for certain or in the test alone."
    )
    sentence: str = setting("Which remedies meet the limit and what that costs, as a paragraph.")
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
            sentence=compared_text(finding),
        )


@dataclass(frozen=True, eq=False, kw_only=True)
class ExportedAmountRemedies(AmountRemediesFinding):
    """All remedies of an audit of amounts, judged on the same held-out rows."""

    verdict: CompareVerdict = setting(
        "The best that any of them does: whether its gap is within the limit, for certain or in the test alone."
    )
    sentence: str = setting("Which remedies meet the limit and what that costs, as a paragraph.")
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
            sentence=compared_text(finding),
        )
