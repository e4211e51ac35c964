"""What explains a gap, as a kind of question."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace

from fairaudit.audit.follow_ups import Sources, iter_explanation
from fairaudit.audit.result import ExplanationFinding
from fairaudit.data.table import Table
from fairaudit.disclosure.hidden import without_figures
from fairaudit.events import Command, Event
from fairaudit.plan.audit_plan import AuditPlan
from fairaudit.present.blocks import Block, TableBlock
from fairaudit.sections.explain.saying import printed_line
from fairaudit.sections.explain.tables import explanation_tables
from fairaudit.sections.section import Section


class ExplainSection(Section[ExplanationFinding]):
    """What explains a gap."""

    kind = "explanations"

    def answer(
        self, table: Table, plan: AuditPlan, number: int, sources: Sources
    ) -> Generator[Event, Command | None, None]:
        """Divide the gap."""
        return iter_explanation(table, plan, plan.explanations[number])

    def hide(self, finding: ExplanationFinding) -> ExplanationFinding:
        """Return the question without its answer: the ledger does not count people by controls and clusters."""
        return replace(finding, result=without_figures(finding.result))

    def tables(self, finding: ExplanationFinding, number: int) -> list[TableBlock]:
        """Return the parts of the gap, the controls, and what could overturn it."""
        return explanation_tables(finding, number)

    def blocks(self, finding: ExplanationFinding, number: int) -> list[Block]:
        """Return the parts of the gap, the reasons, and what could overturn it."""
        from fairaudit.sections.explain.chapter import explanation_blocks

        return explanation_blocks(finding, number)

    def annex_title(self, finding: ExplanationFinding) -> str:
        """Return what its annex is called."""
        return "How the gap was divided"

    def annex(self, finding: ExplanationFinding, number: int) -> list[Block]:
        """Return how the gap was divided."""
        from fairaudit.sections.explain.chapter import explanation_annex

        return explanation_annex(finding, number)

    def line(self, finding: ExplanationFinding) -> str:
        """Return the answer in a line."""
        return printed_line(finding)
