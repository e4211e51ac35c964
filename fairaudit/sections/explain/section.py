"""What explains a gap, as a kind of question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from fairaudit.audit.result import AuditResult, ExplanationFinding
from fairaudit.audit.sources import Sources
from fairaudit.data.table import Table
from fairaudit.disclosure.hidden import without_figures
from fairaudit.events import Finished, Progress
from fairaudit.plan.audit_plan import AuditPlan
from fairaudit.present.blocks import Block, TableBlock
from fairaudit.sections.explain.saying import printed_line
from fairaudit.sections.explain.tables import explanation_tables
from fairaudit.sections.opening import Opening
from fairaudit.sections.section import LONG_STEPS, Answering, Section

if TYPE_CHECKING:
    from fairaudit.disclosure.counts import HiddenCounts


class ExplainSection(Section[ExplanationFinding]):
    """What explains a gap."""

    kind = "explanations"
    n_steps = LONG_STEPS
    is_hidden_whole = True

    def answer(self, table: Table, plan: AuditPlan, number: int, sources: Sources) -> Answering:
        """Divide the gap."""
        from fairaudit.sections.explain.answering import run_explanation

        yield Progress("Looking for what explains the gap", 0, 1)
        yield Finished(run_explanation(table, plan, plan.explanations[number]))

    def hide(self, findings: Sequence[ExplanationFinding], counts: HiddenCounts) -> tuple[ExplanationFinding, ...]:
        """Return the questions without their answers: the ledger does not count people by controls and clusters."""
        return tuple(map(without_answer, findings))

    def tables(self, finding: ExplanationFinding, number: int) -> list[TableBlock]:
        """Return the parts of the gap, the controls, and what could overturn it."""
        return explanation_tables(finding, number)

    def opening(self, finding: ExplanationFinding, number: int, result: AuditResult) -> Opening:
        """Return what it comes to on the first page."""
        from fairaudit.sections.explain.chapter import explanation_opening

        return explanation_opening(finding, number)

    def blocks(self, finding: ExplanationFinding, number: int, result: AuditResult) -> list[Block]:
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

    def lines(self, finding: ExplanationFinding) -> list[str]:
        """Return the answer in a line."""
        return [printed_line(finding)]


def without_answer(finding: ExplanationFinding) -> ExplanationFinding:
    """Return a question without its answer."""
    return replace(finding, result=without_figures(finding.result))
