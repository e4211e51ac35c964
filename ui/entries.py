"""What a session keeps in lists, such as its questions and its remedies, and what its jobs are about."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from fairaudit.data import ReadOptions
from fairaudit.errors import (
    TwoReadings,
    expect,
)
from fairaudit.outcomes import SHARES, OutcomeKind
from fairaudit.plan.questions import CheckPlan, InspectionPlan, SubgroupsPlan
from fairaudit.remedies.plans import RemedyPlan
from fairaudit.sections.alternatives.plan import AlternativesPlan
from fairaudit.study.amounts.findings import AmountRemedyFinding, AmountStudyFacts
from fairaudit.study.findings import RemedyFinding, StudyFacts

if TYPE_CHECKING:
    from fairaudit.study.fitting import Candidate


@dataclass(frozen=True)
class CarriedCondition:
    """A condition of a question about the table before, why it was left out (empty: still in use), and its words."""

    part: Literal["where", "protected"]
    condition: str
    why: str = ""
    words: str = ""

    def is_so(self, plan: CheckPlan) -> bool:
        """Whether that is still so, as the question is now."""
        now = getattr(plan, self.part)
        return not now if self.why else now == self.condition


# What a session keeps in lists: its questions, its remedies, what was fitted, and what is being fitted.


@dataclass
class CheckEntry:
    """One question of the audit, whether its answer goes into the report, and its earlier filters.

    ``where_typed`` and ``protected_typed`` are what was written last on the page Groups and is not in use, to be
    corrected; None where what is in use was written last. ``cuts_typed`` holds the same of the cuts of
    bands, by column. ``moved`` says what became of its conditions when another table was brought.
    """

    plan: CheckPlan = field(default_factory=lambda: CheckPlan(protected=""))
    in_report: bool = True
    undo: list[str] = field(default_factory=list)
    where_typed: str | None = None
    protected_typed: str | None = None
    cuts_typed: dict[str, str] = field(default_factory=dict)
    moved: tuple[CarriedCondition, ...] = ()


@dataclass
class RemedyEntry:
    """One remedy that the person keeps, whether it goes into the report, and whether a person has said so."""

    plan: RemedyPlan
    in_report: bool = True
    by_hand: bool = False


@dataclass(frozen=True)
class Wanted:
    """What a remedy may and must be: whether it may use the group, must give a score, and must be read by people.

    None stands for what has not been said.
    """

    may_use_group: bool | None = None
    needs_score: bool | None = None
    must_be_read: bool | None = None


@dataclass(frozen=True, eq=False)
class Fitted:
    """A remedy that was fitted, the ``study_key`` of the rows that it was fitted to, and the facts about those."""

    candidate: Candidate
    study_key: str
    facts: StudyFacts | AmountStudyFacts

    @property
    def of_shares(self) -> tuple[RemedyFinding, StudyFacts]:
        """What was found and the facts, where shares are compared."""
        return expect(RemedyFinding, self.candidate.finding), expect(StudyFacts, self.facts)

    @property
    def of_amounts(self) -> tuple[AmountRemedyFinding, AmountStudyFacts]:
        """What was found and the facts, where means of amounts are compared."""
        return expect(AmountRemedyFinding, self.candidate.finding), expect(AmountStudyFacts, self.facts)

    @property
    def outcome(self) -> OutcomeKind:
        """The kind of decision that it predicts."""
        return self.facts.outcome


@dataclass(frozen=True)
class FitRequest:
    """What a job of this session fits: what its ``about`` holds. `keep` makes the result an entry of the audit."""

    plan: RemedyPlan
    study_key: str
    facts: StudyFacts | AmountStudyFacts
    keep: bool

    @property
    def outcome(self) -> OutcomeKind:
        """The kind of decision that it is to predict."""
        return self.facts.outcome


@dataclass(frozen=True)
class Search:
    """A question that a job of this session answers, such as a search for subgroups, and what it depends on."""

    plan: SubgroupsPlan | InspectionPlan | AlternativesPlan
    key: str


@dataclass(frozen=True)
class Pressed:
    """A press on the button that fits, until that has begun: who leaves a page at once must not lose it.

    ``page`` is where the button was drawn, ``asked`` what the settings were then, and ``begin`` begins the fit.
    """

    page: str | None
    asked: str
    begin: Callable[[], object]


@dataclass(frozen=True)
class AskedFile:
    """A file that is not read before the person has said how its numbers are meant.

    Its content is None where it lies in the administrator's folder; `columns` can be read in two ways, and widgets of
    this question are called by `key`.
    """

    source: str
    content: bytes | None
    options: ReadOptions
    columns: tuple[TwoReadings, ...]
    key: str = field(default_factory=lambda: uuid.uuid4().hex)


def settings_of(method: str, outcome: OutcomeKind = SHARES) -> tuple[str, str]:
    """Return where the settings that a remedy page offers are kept: those for amounts are others."""
    return method, outcome.name
