"""Searches and inspections, as a kind of question."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace

from fairaudit.audit.follow_ups import Sources, iter_inspection
from fairaudit.audit.result import InspectionFinding
from fairaudit.data.table import Table
from fairaudit.disclosure.hidden import without_figures
from fairaudit.events import Command, Event
from fairaudit.plan.audit_plan import AuditPlan
from fairaudit.present.blocks import Block, TableBlock
from fairaudit.sections.searches.saying import line
from fairaudit.sections.searches.tables import inspection_tables
from fairaudit.sections.section import Section


class SearchesSection(Section[InspectionFinding]):
    """Searches and inspections."""

    kind = "inspections"

    def answer(
        self, table: Table, plan: AuditPlan, number: int, sources: Sources
    ) -> Generator[Event, Command | None, None]:
        """Compare what was found and, where it is asked, infer thresholds and compare light with darkness."""
        return iter_inspection(table, plan, plan.inspections[number])

    def hide(self, finding: InspectionFinding) -> InspectionFinding:
        """Return the question without its answer: the ledger does not count people by finds."""
        parts = {name: getattr(finding, name) for name in ("outcome", "thresholds", "veil")}
        return replace(finding, groups=(), **{name: part and without_figures(part) for name, part in parts.items()})

    def tables(self, finding: InspectionFinding, number: int) -> list[TableBlock]:
        """Return hit rates, thresholds, and light and darkness."""
        return inspection_tables(finding, number)

    def blocks(self, finding: InspectionFinding, number: int) -> list[Block]:
        """Return the answer, the model, light and darkness, and what none of them says."""
        from fairaudit.sections.searches.chapter import inspection_blocks

        return inspection_blocks(finding, number)

    def line(self, finding: InspectionFinding) -> str:
        """Return the answer in a line."""
        return line(finding)
