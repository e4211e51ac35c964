"""Worst groups, as a kind of question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Self

from fairaudit.audit.result import AuditResult, SubgroupsFinding
from fairaudit.audit.sources import Sources
from fairaudit.data.table import Table
from fairaudit.disclosure.fields import extended, setting
from fairaudit.disclosure.hidden import without_figures
from fairaudit.findings import Message, Said
from fairaudit.messages import say, say_answer
from fairaudit.plan.audit_plan import AuditPlan
from fairaudit.present.blocks import Block, Chart, Heading, Items, Note, Paragraph, TableBlock, pick
from fairaudit.present.cases import not_known_sentence
from fairaudit.sections.opening import Opening, opening_of
from fairaudit.sections.section import LONG_STEPS, Answering, Fails, Section
from fairaudit.sections.worst.reading import WorstVerdict, is_hidden, read_worst
from fairaudit.sections.worst.saying import (
    PRINTED,
    answer_text,
    how_searched,
    in_chart_order,
    left_out,
    line,
    say_worst,
    title,
    worst_tables,
)

if TYPE_CHECKING:
    from fairaudit.disclosure.counts import HiddenCounts


@dataclass(frozen=True, kw_only=True, eq=False)
class ExportedSubgroups(SubgroupsFinding):
    """One search for worst groups, and its answer."""

    verdict: WorstVerdict = setting("Whether any group stands out by more than chance.")
    sentence: str = setting("The answer as a paragraph.")

    @classmethod
    def of(cls, finding: SubgroupsFinding) -> Self:
        """Add the answer in words."""
        return extended(cls, finding, verdict=read_worst(finding).verdict, sentence=answer_text(finding))


class WorstSection(Section[SubgroupsFinding]):
    """The worst groups."""

    kind = "subgroups"
    command = "worst"
    fails = Fails(("groups_stand_out",), "groups that stand out")
    takes_weights = True
    exported = ExportedSubgroups
    has_own_not_known = False
    n_steps = LONG_STEPS
    is_hidden_whole = True

    def answer(self, table: Table, plan: AuditPlan, number: int, sources: Sources) -> Answering:
        """Search for the groups that fare worst."""
        from fairaudit.sections.worst.answering import iter_search

        return iter_search(table, plan, plan.subgroups[number])

    def hide(self, findings: Sequence[SubgroupsFinding], counts: HiddenCounts) -> tuple[SubgroupsFinding, ...]:
        """Return the questions without their answers: subgroups divide people by any columns."""
        return tuple(map(without_answer, findings))

    def say(self, finding: SubgroupsFinding) -> Said:
        """Say whether any group stands out."""
        return say_worst(finding)

    def verdicts(self, finding: SubgroupsFinding) -> tuple[str, ...]:
        """Return whether any group stands out."""
        return (read_worst(finding).verdict,)

    def picture(self, finding: SubgroupsFinding, number: int) -> Chart | None:
        """Return the groups, each beside everyone else."""
        return None if is_hidden(finding) else _chart(finding, number)

    def tables(self, finding: SubgroupsFinding, number: int) -> list[TableBlock]:
        """Return the groups, and how the search went."""
        return worst_tables(finding, number)

    def opening(self, finding: SubgroupsFinding, number: int, result: AuditResult) -> Opening:
        """Return what a search comes to on the first page."""
        chart = None if is_hidden(finding) else _chart(finding, number)
        step = say(Message("report-next-worst"))
        return opening_of(self.kind, title(finding), say_worst(finding), chart=chart, next_step=step)

    def blocks(self, finding: SubgroupsFinding, number: int, result: AuditResult) -> list[Block]:
        """Return the answer, and each group beside everyone else."""
        said = say_worst(finding)
        answer = Paragraph("", lead=True, strong=say_answer(said))
        blocks: list[Block] = [Heading(1, title(finding)), answer, Paragraph(say((*said.lead, *said.caution)))]
        if is_hidden(finding):
            return blocks
        blocks += [Note(not_known_sentence(part), kind="warning") for part in finding.not_known]
        return [*blocks, _chart(finding, number, table_key=f"subgroups_{number}")]

    def annex_title(self, finding: SubgroupsFinding) -> str:
        """Return what its annex is called."""
        return "How worst groups were searched"

    def annex(self, finding: SubgroupsFinding, number: int) -> list[Block]:
        """Return how the search went, and how far to trust it; nothing where it is hidden."""
        from fairaudit.sections.worst.charts import worst_map, worst_map_note, worst_map_text

        if is_hidden(finding):
            return []
        groups, chance, *_ = worst_tables(finding, number)
        caption, text, key = worst_map_note(finding), worst_map_text(finding), f"subgroups_{number}"
        return [
            Items(tuple(map(say, how_searched(finding)))),
            pick(in_chart_order(finding, groups), PRINTED),
            Chart(f"{key}_map", caption, text, worst_map(finding), key),
            chance,
            *(Note(say(message)) for message in left_out(finding)),
        ]

    def lines(self, finding: SubgroupsFinding) -> list[str]:
        """Return the answer in a line."""
        return [line(finding)]


def without_answer(finding: SubgroupsFinding) -> SubgroupsFinding:
    """Return a question without its answer."""
    return replace(finding, result=without_figures(finding.result), groups=())


def _chart(finding: SubgroupsFinding, number: int, table_key: str | None = None) -> Chart:
    from fairaudit.sections.worst.charts import worst_chart, worst_chart_text, worst_chart_title

    caption, text = worst_chart_title(finding), worst_chart_text(finding)
    return Chart(f"subgroups_{number}_chart", caption, text, worst_chart(finding), table_key)
