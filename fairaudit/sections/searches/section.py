"""Searches and inspections, as a kind of question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from fairaudit.audit.result import AuditResult, InspectionFinding
from fairaudit.audit.sources import Sources
from fairaudit.data.table import Table
from fairaudit.disclosure.hidden import without_figures
from fairaudit.plan.audit_plan import AuditPlan
from fairaudit.present.blocks import Block, TableBlock
from fairaudit.sections.opening import Opening
from fairaudit.sections.searches.saying import line
from fairaudit.sections.searches.tables import inspection_tables
from fairaudit.sections.section import LONG_STEPS, Answering, Section

if TYPE_CHECKING:
    from fairaudit.disclosure.counts import HiddenCounts


class SearchesSection(Section[InspectionFinding]):
    """Searches and inspections."""

    kind = "inspections"
    n_steps = LONG_STEPS
    is_hidden_whole = True

    def answer(self, table: Table, plan: AuditPlan, number: int, sources: Sources) -> Answering:
        """Compare what was found and, where it is asked, infer thresholds and compare light with darkness."""
        from fairaudit.sections.searches.answering import iter_inspection

        return iter_inspection(table, plan, plan.inspections[number])

    def hide(self, findings: Sequence[InspectionFinding], counts: HiddenCounts) -> tuple[InspectionFinding, ...]:
        """Return the questions without their answers: the ledger does not count people by finds."""
        return tuple(map(without_answer, findings))

    def tables(self, finding: InspectionFinding, number: int) -> list[TableBlock]:
        """Return hit rates, thresholds, and light and darkness."""
        return inspection_tables(finding, number)

    def opening(self, finding: InspectionFinding, number: int, result: AuditResult) -> Opening:
        """Return what it comes to on the first page."""
        from fairaudit.sections.searches.chapter import inspection_opening

        return inspection_opening(finding, number)

    def blocks(self, finding: InspectionFinding, number: int, result: AuditResult) -> list[Block]:
        """Return the answer, the model, light and darkness, and what none of them says."""
        from fairaudit.sections.searches.chapter import inspection_blocks

        return inspection_blocks(finding, number)

    def lines(self, finding: InspectionFinding) -> list[str]:
        """Return the answer in a line."""
        return [line(finding)]


def without_answer(finding: InspectionFinding) -> InspectionFinding:
    """Return a question without its answer."""
    parts = {name: getattr(finding, name) for name in ("outcome", "thresholds", "veil")}
    return replace(finding, groups=(), **{name: part and without_figures(part) for name, part in parts.items()})
