"""A kind of question: who answers it, what of an answer may leave, and what documents show of it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Final, Generic, TypeVar

from fairaudit.audit.result import AuditResult
from fairaudit.audit.sources import Sources
from fairaudit.data.table import Table
from fairaudit.events import Command, Event
from fairaudit.findings import Said
from fairaudit.measure.verdicts import GAPS
from fairaudit.messages import say_whole
from fairaudit.plan.audit_plan import AuditPlan
from fairaudit.present.blocks import Block, Chart, TableBlock
from fairaudit.sections.opening import Opening

if TYPE_CHECKING:
    # It takes scipy's integer programs, which are for hiding alone.
    from fairaudit.disclosure.counts import HiddenCounts

LONG_STEPS = 10
"""Steps that the progress of work is counted in that takes long; other questions are one."""

Found = TypeVar("Found")
Answering = Generator[Event, Command | None, None]
"""Events, of which the last holds the answer."""


@dataclass(frozen=True)
class Fails:
    """Verdicts that ``--fail-on`` takes, the worst first, and what they say."""

    verdicts: tuple[str, ...] = ()
    meaning: str = ""


GAPS_FAIL: Final = Fails(
    GAPS,
    "a clear gap, where all that fits is beyond the tolerance, and if asked also on a gap whose size is unclear; "
    "one that is gone within the strata is none",
)


class Section(ABC, Generic[Found]):
    """All that is particular to a kind of question; the program goes through :data:`fairaudit.catalog.SECTIONS`.

    What takes long to import, such as charts, is imported by the method that needs it.
    """

    kind: ClassVar[str]
    """The list of these questions in a plan, and of their answers in an `AuditResult`."""
    command: ClassVar[str] = ""
    """The command that asks such a question by itself; empty without one."""
    fails: ClassVar[Fails] = Fails()
    """The verdicts that ``--fail-on`` takes of it; none without any."""
    exported: ClassVar[type]
    """What the JSON holds of an answer: its class, or one that adds words to it and makes itself `of` the answer."""
    n_steps: ClassVar[int] = 1
    """Steps of its progress."""
    has_own_not_known: ClassVar[bool] = True
    """Whether an answer holds its values that mean "not known"; else a result holds them beside it."""
    takes_weights: ClassVar[bool] = False
    """Whether its answers are defined, and made, with sampling weights; a plan with weights may ask no other."""
    takes_partial_counts: ClassVar[bool] = False
    """Whether its answers are defined, and made, where counts are rounded or hidden; a plan may ask no other there."""
    is_hidden_whole: ClassVar[bool] = False
    """Whether nothing but what was asked is shown of it where small counts are hidden."""

    def n_asked(self, plan: AuditPlan) -> int:
        """Return how many questions of the kind a plan asks."""
        return len(getattr(plan, self.kind))

    def found(self, result: AuditResult) -> tuple[Found, ...]:
        """Return the answers that a result holds."""
        return getattr(result, self.kind)

    @property
    def json_classes(self) -> Mapping[str, type]:
        """What the JSON holds of its answers, by key."""
        return {self.kind: self.exported}

    def export(self, findings: Sequence[Found]) -> Mapping[str, tuple[object, ...]]:
        """Return all its answers as the JSON has them, by key."""
        of = getattr(self.exported, "of", None)
        return {self.kind: tuple(findings) if of is None else tuple(map(of, findings))}

    @abstractmethod
    def answer(self, table: Table, plan: AuditPlan, number: int, sources: Sources) -> Answering:
        """Answer the `number`-th question of its kind, from 0, yielding events; the last holds the answer."""

    @abstractmethod
    def hide(self, findings: Sequence[Found], counts: HiddenCounts) -> tuple[Found, ...]:
        """Return what of all its answers may leave where small counts are hidden."""

    def hide_asked(self, plan: AuditPlan) -> AuditPlan:
        """Return a plan without what of its questions may not leave where small counts are hidden."""
        return plan

    @abstractmethod
    def say(self, finding: Found) -> Said:
        """Say an answer in the shape of all results."""

    def paragraph(self, finding: Found) -> str:
        """Return an answer as one paragraph."""
        return say_whole(self.say(finding))

    def verdicts(self, finding: Found) -> Collection[str]:
        """Return the verdicts of an answer, of which those in `fails` count."""
        return ()

    @abstractmethod
    def picture(self, finding: Found, number: int) -> Chart | None:
        """Return the picture of the `number`-th answer; None where there is nothing to draw."""

    @abstractmethod
    def tables(self, finding: Found, number: int) -> list[TableBlock]:
        """Return all tables of the `number`-th answer, from 1."""

    def joint_tables(self, findings: Sequence[Found]) -> list[TableBlock]:
        """Return tables that hold all its answers, of which there is at least one."""
        return []

    @abstractmethod
    def opening(self, finding: Found, number: int, result: AuditResult) -> Opening:
        """Return what it comes to on the first page of a report."""

    @abstractmethod
    def blocks(self, finding: Found, number: int, result: AuditResult) -> list[Block]:
        """Return its chapter of the annexes."""

    def annex_title(self, finding: Found) -> str:
        """Return what its annex is called."""
        return ""

    def annex(self, finding: Found, number: int) -> list[Block]:
        """Return how it was computed; empty where there is nothing to say."""
        return []

    def annexes(self, findings: Sequence[Found]) -> Iterator[tuple[str, list[Block]]]:
        """Yield the annexes of all its answers, each with its title: one an answer, where there is something to say."""
        for number, finding in enumerate(findings, start=1):
            if blocks := self.annex(finding, number):
                yield self.annex_title(finding), blocks

    @abstractmethod
    def lines(self, finding: Found) -> list[str]:
        """Return the lines that `run` prints of it."""
