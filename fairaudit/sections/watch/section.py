"""Watching a gap, as a kind of question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Self

from fairaudit.audit.result import AuditResult
from fairaudit.audit.sources import Sources
from fairaudit.data.table import Table
from fairaudit.disclosure.fields import extended, setting
from fairaudit.disclosure.hidden import replaced, without_figures
from fairaudit.events import Finished, Progress
from fairaudit.findings import Message, Said
from fairaudit.messages import say, say_answer
from fairaudit.plan.audit_plan import AuditPlan
from fairaudit.present.blocks import Block, Chart, Heading, Items, Note, Paragraph, TableBlock
from fairaudit.present.cases import not_known_sentence
from fairaudit.sections.opening import UNSAID, Opening, opening_of
from fairaudit.sections.section import Answering, Fails, Section
from fairaudit.sections.watch.finding import WatchFinding
from fairaudit.sections.watch.saying import (
    ShownWatch,
    answer_text,
    how_watched,
    line,
    say_watch,
    verdict_of,
    watch_tables,
)

if TYPE_CHECKING:
    from fairaudit.disclosure.counts import HiddenCounts


@dataclass(frozen=True, kw_only=True, eq=False)
class ExportedWatch(WatchFinding):
    """One question that watches a gap, and its answer."""

    answer: ShownWatch = setting("Whether a gap beyond the tolerance was seen.")
    sentence: str = setting("The answer as a paragraph.")

    @classmethod
    def of(cls, finding: WatchFinding) -> Self:
        """Add the answer in words."""
        return extended(cls, finding, answer=verdict_of(finding), sentence=answer_text(finding))


class WatchSection(Section[WatchFinding]):
    """A gap that is watched batch by batch."""

    kind = "watches"
    command = "watch"
    fails = Fails(("alarm",), "an alarm after any batch so far: a gap beyond the tolerance")
    exported = ExportedWatch
    has_own_not_known = False
    is_hidden_whole = True

    def answer(self, table: Table, plan: AuditPlan, number: int, sources: Sources) -> Answering:
        """Watch the gap over the batches of the table."""
        from fairaudit.sections.watch.answering import run_watch

        yield Progress("Watching the batches", 0, 1)
        yield Finished(run_watch(table, plan, plan.watches[number]))

    def hide(self, findings: Sequence[WatchFinding], counts: HiddenCounts) -> tuple[WatchFinding, ...]:
        """Return the questions without their answers: the ledger does not count people by batches."""
        return tuple(map(without_answer, findings))

    def say(self, finding: WatchFinding) -> Said:
        """Say whether a gap beyond the tolerance was seen."""
        return say_watch(finding)

    def verdicts(self, finding: WatchFinding) -> tuple[str, ...]:
        """Return whether there was an alarm."""
        return (verdict_of(finding),)

    def picture(self, finding: WatchFinding, number: int) -> Chart | None:
        """Return the gap so far after each batch."""
        return None if verdict_of(finding) in UNSAID else _chart(finding, number)

    def tables(self, finding: WatchFinding, number: int) -> list[TableBlock]:
        """Return what was known after each batch."""
        return watch_tables(finding, number)

    def opening(self, finding: WatchFinding, number: int, result: AuditResult) -> Opening:
        """Return what a watch comes to on the first page."""
        step = say(Message("report-next-watch"))
        return opening_of(
            self.kind, say(Message("question-name-watches")), say_watch(finding),
            chart=self.picture(finding, number), next_step=step,
        )  # fmt: skip

    def blocks(self, finding: WatchFinding, number: int, result: AuditResult) -> list[Block]:
        """Return the answer, and the gap so far after each batch."""
        said = say_watch(finding)
        answer = Paragraph("", lead=True, strong=say_answer(said))
        title = say(Message("question-name-watches"))
        blocks: list[Block] = [Heading(1, title), answer, Paragraph(say((*said.lead, *said.caution)))]
        if verdict_of(finding) in UNSAID:
            return blocks
        blocks += [Note(not_known_sentence(part), kind="warning") for part in finding.not_known]
        return [*blocks, _chart(finding, number, table_key=f"watch_{number}")]

    def annex_title(self, finding: WatchFinding) -> str:
        """Return what its annex is called."""
        return "How the batches were watched"

    def annex(self, finding: WatchFinding, number: int) -> list[Block]:
        """Return what the evidence and the range are; nothing where they are hidden."""
        how = how_watched(finding)
        return [Items(tuple(map(say, how)))] if how else []

    def lines(self, finding: WatchFinding) -> list[str]:
        """Return the answer in a line."""
        return [line(finding)]


def without_answer(finding: WatchFinding) -> WatchFinding:
    """Return a question without its answer, nor that there was an alarm."""
    return replace(finding, result=replaced(without_figures(finding.result), alarm=None))


def _chart(finding: WatchFinding, number: int, table_key: str | None = None) -> Chart:
    from fairaudit.sections.watch.charts import watch_chart, watch_chart_text, watch_chart_title

    caption, text = watch_chart_title(finding), watch_chart_text(finding)
    return Chart(f"watch_{number}_chart", caption, text, watch_chart(finding), table_key)
