"""Whether a gap changed, as a kind of question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from fairaudit.audit.result import AuditResult, ChangeFinding
from fairaudit.audit.sources import Sources
from fairaudit.data.table import Table
from fairaudit.disclosure.hidden import replaced, without_figures
from fairaudit.events import Finished, Progress
from fairaudit.measure.period_results import PeriodComparison
from fairaudit.plan.audit_plan import AuditPlan
from fairaudit.plan.data import salted
from fairaudit.plan.questions import ChangePlan
from fairaudit.present.blocks import Block, TableBlock
from fairaudit.sections.change.saying import change_line
from fairaudit.sections.change.tables import change_tables
from fairaudit.sections.opening import Opening
from fairaudit.sections.section import LONG_STEPS, Answering, Section

if TYPE_CHECKING:
    from fairaudit.disclosure.counts import HiddenCounts


class ChangeSection(Section[ChangeFinding]):
    """Whether a gap changed."""

    kind = "changes"
    n_steps = LONG_STEPS
    is_hidden_whole = True

    def answer(self, table: Table, plan: AuditPlan, number: int, sources: Sources) -> Answering:
        """Compare the periods."""
        from fairaudit.sections.change.answering import run_change

        yield Progress("Comparing periods", 0, 1)
        asked = plan.changes[number]
        second = None if asked.second is None else sources.seconds.get(asked.second)
        goes_on = sources.ignore_fingerprint
        yield Finished(run_change(table, plan, asked, base=sources.base, second=second, ignore_fingerprint=goes_on))

    def hide(self, findings: Sequence[ChangeFinding], counts: HiddenCounts) -> tuple[ChangeFinding, ...]:
        """Return the questions without their answers: the ledger does not count people by periods."""
        return tuple(map(without_answer, findings))

    def hide_asked(self, plan: AuditPlan) -> AuditPlan:
        """Return a plan whose questions hold no fingerprint that values could be tried out on."""
        return plan.model_copy(update={"changes": tuple(map(without_fingerprint, plan.changes))})

    def tables(self, finding: ChangeFinding, number: int) -> list[TableBlock]:
        """Return the periods, the change, and how the periods were recorded."""
        return change_tables(finding, number)

    def opening(self, finding: ChangeFinding, number: int, result: AuditResult) -> Opening:
        """Return what it comes to on the first page."""
        from fairaudit.sections.change.chapter import change_opening

        return change_opening(finding, number)

    def blocks(self, finding: ChangeFinding, number: int, result: AuditResult) -> list[Block]:
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

    def lines(self, finding: ChangeFinding) -> list[str]:
        """Return the answer in a line."""
        return [change_line(finding)]


def without_answer(finding: ChangeFinding) -> ChangeFinding:
    """Return a question without its answer."""
    return replace(
        finding,
        plan=without_fingerprint(finding.plan),
        result=without_tolerances(finding),
        line=None if finding.line is None else without_figures(finding.line),
        second_fingerprint=None if finding.second_fingerprint is None else salted(finding.second_fingerprint),
    )


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
