"""A kind of question: who answers it, what of an answer may leave, and what documents show of it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Generator
from typing import ClassVar, Generic, TypeVar

from fairaudit.audit.follow_ups import Sources
from fairaudit.audit.result import AuditResult
from fairaudit.data.table import Table
from fairaudit.events import Command, Event
from fairaudit.plan.audit_plan import AuditPlan
from fairaudit.present.blocks import Block, TableBlock

Found = TypeVar("Found")


class Section(ABC, Generic[Found]):
    """All that is particular to a kind of question; the program goes through :data:`fairaudit.catalog.SECTIONS`.

    What takes long to import, such as charts, is imported by the method that needs it.
    """

    kind: ClassVar[str]
    """The list of these questions in a plan, and of the answers in an `AuditResult`."""

    def found(self, result: AuditResult) -> tuple[Found, ...]:
        """Return the answers that a result holds."""
        return getattr(result, self.kind)

    @abstractmethod
    def answer(
        self, table: Table, plan: AuditPlan, number: int, sources: Sources
    ) -> Generator[Event, Command | None, None]:
        """Answer the `number`-th question of its kind, from 0, yielding events; the last holds the answer."""

    @abstractmethod
    def hide(self, finding: Found) -> Found:
        """Return what of an answer may leave where small counts are hidden."""

    def hide_asked(self, plan: AuditPlan) -> AuditPlan:
        """Return a plan without what of its questions may not leave where small counts are hidden."""
        return plan

    @abstractmethod
    def tables(self, finding: Found, number: int) -> list[TableBlock]:
        """Return all tables of the `number`-th answer, from 1."""

    @abstractmethod
    def blocks(self, finding: Found, number: int) -> list[Block]:
        """Return its chapter of the annexes."""

    def annex_title(self, finding: Found) -> str:
        """Return what its annex is called."""
        return ""

    def annex(self, finding: Found, number: int) -> list[Block]:
        """Return how it was computed; empty where there is nothing to say."""
        return []

    @abstractmethod
    def line(self, finding: Found) -> str:
        """Return the line that `run` prints of it."""
