"""Worst groups, as a kind of question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from fairaudit.audit.result import AuditResult, SubgroupsFinding
from fairaudit.audit.sources import Sources
from fairaudit.data.table import Table
from fairaudit.disclosure.hidden import without_figures
from fairaudit.plan.audit_plan import AuditPlan
from fairaudit.present.blocks import Block, TableBlock
from fairaudit.sections.opening import Opening
from fairaudit.sections.section import LONG_STEPS, Answering, Section

if TYPE_CHECKING:
    from fairaudit.disclosure.counts import HiddenCounts
from fairaudit.sections.worst.saying import line, worst_tables


class WorstSection(Section[SubgroupsFinding]):
    """The worst groups."""

    kind = "subgroups"
    n_steps = LONG_STEPS
    is_hidden_whole = True

    def answer(self, table: Table, plan: AuditPlan, number: int, sources: Sources) -> Answering:
        """Search for the groups that fare worst."""
        from fairaudit.sections.worst.answering import iter_search

        return iter_search(table, plan, plan.subgroups[number])

    def hide(self, findings: Sequence[SubgroupsFinding], counts: HiddenCounts) -> tuple[SubgroupsFinding, ...]:
        """Return the questions without their answers: subgroups divide people by any columns."""
        return tuple(map(without_answer, findings))

    def tables(self, finding: SubgroupsFinding, number: int) -> list[TableBlock]:
        """Return the groups, and how the search went."""
        return worst_tables(finding, number)

    def opening(self, finding: SubgroupsFinding, number: int, result: AuditResult) -> Opening:
        """Return what it comes to on the first page."""
        from fairaudit.sections.worst.chapter import worst_opening

        return worst_opening(finding, number)

    def blocks(self, finding: SubgroupsFinding, number: int, result: AuditResult) -> list[Block]:
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

    def lines(self, finding: SubgroupsFinding) -> list[str]:
        """Return the answer in a line."""
        return [line(finding)]


def without_answer(finding: SubgroupsFinding) -> SubgroupsFinding:
    """Return a question without its answer."""
    return replace(finding, result=without_figures(finding.result), groups=())
