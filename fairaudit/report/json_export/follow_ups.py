"""What is exported of questions beside the checks, with their answers in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from fairaudit.audit.result import ChangeFinding, ExplanationFinding, InspectionFinding, SubgroupsFinding
from fairaudit.measure.verdicts import ShownVerdict
from fairaudit.messages import say
from fairaudit.report.json_export.added import extended
from fairaudit.sections.change import saying as change
from fairaudit.sections.change.reading import ShownChange, read_change
from fairaudit.sections.explain import answer_line, say_overturning
from fairaudit.sections.searches import read_searches
from fairaudit.sections.searches import saying as searches
from fairaudit.sections.worst import WorstVerdict, answer_text, read_worst


@dataclass(frozen=True, kw_only=True, eq=False)
class ExportedExplanation(ExplanationFinding):
    """One question about what explains a gap, and its answer.

    Parameters
    ----------
    sentence : str
        The answer as a paragraph.
    overturning : tuple of str
        What could overturn it, in sentences.
    """

    sentence: str
    overturning: tuple[str, ...]

    @classmethod
    def of(cls, finding: ExplanationFinding) -> Self:
        """Add the answer in words."""
        return extended(
            cls, finding, sentence=answer_line(finding), overturning=tuple(map(say, say_overturning(finding)))
        )


@dataclass(frozen=True, kw_only=True, eq=False)
class ExportedChange(ChangeFinding):
    """One question about whether a gap changed, and its answer.

    Parameters
    ----------
    answer : str
        Whether the gap is smaller, larger, turned around, changed or unchanged, or may be any of these.
    sentence : str
        The answer as a paragraph.
    """

    answer: ShownChange
    sentence: str

    @classmethod
    def of(cls, finding: ChangeFinding) -> Self:
        """Add the answer in words."""
        return extended(cls, finding, answer=read_change(finding).verdict, sentence=change.answer_text(finding))


@dataclass(frozen=True, kw_only=True, eq=False)
class ExportedSubgroups(SubgroupsFinding):
    """One search for worst groups, and its answer.

    Parameters
    ----------
    verdict : str
        Whether any group stands out by more than chance.
    sentence : str
        The answer as a paragraph.
    """

    verdict: WorstVerdict
    sentence: str

    @classmethod
    def of(cls, finding: SubgroupsFinding) -> Self:
        """Add the answer in words."""
        return extended(cls, finding, verdict=read_worst(finding).verdict, sentence=answer_text(finding))


@dataclass(frozen=True, kw_only=True, eq=False)
class ExportedInspection(InspectionFinding):
    """One question about searches and inspections, and its answer.

    Parameters
    ----------
    verdict : str
        Whether one group was looked at on weaker grounds, or with fewer finds, than another.
    sentence : str
        The answer as a paragraph.
    veil_sentence : str
        Light against darkness as a paragraph; empty where it was not asked for or is hidden.
    """

    verdict: ShownVerdict
    sentence: str
    veil_sentence: str

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
