"""Whether a gap changed, as a kind of question."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace

from fairaudit.audit.follow_ups import Sources, iter_change
from fairaudit.audit.result import ChangeFinding
from fairaudit.data.table import Table
from fairaudit.disclosure.hidden import replaced, without_figures
from fairaudit.events import Command, Event
from fairaudit.measure.period_results import PeriodComparison
from fairaudit.plan.audit_plan import AuditPlan
from fairaudit.plan.data import salted
from fairaudit.plan.questions import ChangePlan
from fairaudit.present.blocks import Block, TableBlock
from fairaudit.sections.change.saying import change_line
from fairaudit.sections.change.tables import change_tables
from fairaudit.sections.section import Section


class ChangeSection(Section[ChangeFinding]):
    """Whether a gap changed."""

    kind = "changes"

    def answer(
        self, table: Table, plan: AuditPlan, number: int, sources: Sources
    ) -> Generator[Event, Command | None, None]:
        """Compare the periods."""
        return iter_change(table, plan, plan.changes[number], sources)

    def hide(self, finding: ChangeFinding) -> ChangeFinding:
        """Return the question without its answer: the ledger does not count people by periods."""
        return replace(
            finding,
            plan=without_fingerprint(finding.plan),
            result=without_tolerances(finding),
            line=None if finding.line is None else without_figures(finding.line),
            second_fingerprint=None if finding.second_fingerprint is None else salted(finding.second_fingerprint),
        )

    def hide_asked(self, plan: AuditPlan) -> AuditPlan:
        """Return a plan whose questions hold no fingerprint that values could be tried out on."""
        return plan.model_copy(update={"changes": tuple(map(without_fingerprint, plan.changes))})

    def tables(self, finding: ChangeFinding, number: int) -> list[TableBlock]:
        """Return the periods, the change, and how the periods were recorded."""
        return change_tables(finding, number)

    def blocks(self, finding: ChangeFinding, number: int) -> list[Block]:
        """Return whether the gap changed, and in what the periods are recorded otherwise."""
        from fairaudit.sections.change.chapter import change_blocks

        return change_blocks(finding, number)

    def annex_title(self, finding: ChangeFinding) -> str:
        """Return what its annex is called."""
        return "How the periods were compared"

    def annex(self, finding: ChangeFinding, number: int) -> list[Block]:
        """Return what was asked, and the figures of each period."""
        from fairaudit.sections.change.chapter import change_annex

        return change_annex(finding, number)

    def line(self, finding: ChangeFinding) -> str:
        """Return the answer in a line."""
        return change_line(finding)


def without_tolerances(finding: ChangeFinding) -> PeriodComparison | None:
    """Return a comparison without figures; a tolerance of amounts may be made of their spread, so it states none."""
    if finding.result is None:
        return None
    result = without_figures(finding.result)
    if finding.decision.kind.has_good_outcome:
        return result
    return replaced(result, **{name: replaced(getattr(result, name), tolerance=None) for name in ("before", "after")})


def without_fingerprint(asked: ChangePlan) -> ChangePlan:
    """Return a question whose fingerprint of the second table is salted."""
    recorded = asked.second_fingerprint and salted(asked.second_fingerprint)
    return asked.model_copy(update={"second_fingerprint": recorded})
