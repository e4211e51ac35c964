"""Worst groups, as a kind of question."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace

from fairaudit.audit.follow_ups import Sources
from fairaudit.audit.result import SubgroupsFinding
from fairaudit.data.table import Table
from fairaudit.disclosure.hidden import without_figures
from fairaudit.events import Command, Event
from fairaudit.plan.audit_plan import AuditPlan
from fairaudit.present.blocks import Block, TableBlock
from fairaudit.sections.section import Section
from fairaudit.sections.worst.saying import line, worst_tables


class WorstSection(Section[SubgroupsFinding]):
    """The worst groups."""

    kind = "subgroups"

    def answer(
        self, table: Table, plan: AuditPlan, number: int, sources: Sources
    ) -> Generator[Event, Command | None, None]:
        """Search for the groups that fare worst."""
        from fairaudit.audit.subgroups import iter_search

        return iter_search(table, plan, plan.subgroups[number])

    def hide(self, finding: SubgroupsFinding) -> SubgroupsFinding:
        """Return the question without its answer: subgroups divide people by any columns."""
        return replace(finding, result=without_figures(finding.result), groups=())

    def tables(self, finding: SubgroupsFinding, number: int) -> list[TableBlock]:
        """Return the groups, and how the search went."""
        return worst_tables(finding, number)

    def blocks(self, finding: SubgroupsFinding, number: int) -> list[Block]:
        """Return each group beside everyone else."""
        from fairaudit.sections.worst.chapter import worst_blocks

        return worst_blocks(finding, number)

    def annex_title(self, finding: SubgroupsFinding) -> str:
        """Return what its annex is called."""
        return "How worst groups were searched"

    def annex(self, finding: SubgroupsFinding, number: int) -> list[Block]:
        """Return how the search went, and how far to trust it."""
        from fairaudit.sections.worst.chapter import worst_annex

        return worst_annex(finding, number)

    def line(self, finding: SubgroupsFinding) -> str:
        """Return the answer in a line."""
        return line(finding)
