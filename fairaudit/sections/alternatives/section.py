"""Alternatives that discriminate less, as a kind of question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from fairaudit.audit.result import AuditResult
from fairaudit.audit.sources import Sources
from fairaudit.data.table import Table
from fairaudit.disclosure.fields import extended, setting
from fairaudit.disclosure.hidden import without_figures
from fairaudit.findings import Message, Said
from fairaudit.messages import say, say_answer
from fairaudit.plan.audit_plan import AuditPlan
from fairaudit.present.blocks import Block, Chart, Heading, Items, Paragraph, TableBlock, pick
from fairaudit.sections.alternatives.finding import AlternativesFinding
from fairaudit.sections.alternatives.reading import AlternativesVerdict, is_hidden, read_alternatives
from fairaudit.sections.alternatives.saying import (
    PRINTED,
    alternatives_tables,
    answer_text,
    how_searched,
    say_alternatives,
)
from fairaudit.sections.opening import Opening, opening_of
from fairaudit.sections.section import LONG_STEPS, Answering, Fails, Section

if TYPE_CHECKING:
    from fairaudit.disclosure.counts import HiddenCounts


NEXT = {"gap_smaller": "report-next-alternatives", "gap_may_not_have_changed": "report-next-alternatives-test"}
"""What to do next, by the verdict."""


@dataclass(frozen=True, kw_only=True, eq=False)
class ExportedAlternatives(AlternativesFinding):
    """One search for alternatives, and its answer."""

    verdict: AlternativesVerdict = setting("Whether an equally good model has a smaller gap.")
    sentence: str = setting("The answer as a paragraph.")

    @classmethod
    def of(cls, finding: AlternativesFinding) -> Self:
        """Add the answer in words."""
        return extended(cls, finding, verdict=read_alternatives(finding).verdict, sentence=answer_text(finding))


class AlternativesSection(Section[AlternativesFinding]):
    """Models that serve as well as the one in use, with a smaller gap."""

    kind = "alternatives"
    command = "alternatives"
    fails = Fails(("gap_smaller",), "a model that serves as well with a smaller gap")
    exported = ExportedAlternatives
    has_own_not_known = False
    n_steps = 3 * LONG_STEPS
    is_hidden_whole = True

    def answer(self, table: Table, plan: AuditPlan, number: int, sources: Sources) -> Answering:
        """Try other models, and judge the few that serve as well with the smallest gaps."""
        from fairaudit.sections.alternatives.answering import iter_alternatives

        return iter_alternatives(table, plan, plan.alternatives[number])

    def hide(self, findings: Sequence[AlternativesFinding], counts: HiddenCounts) -> tuple[AlternativesFinding, ...]:
        """Return the questions without their answers: each model divides people in a way of its own."""
        return tuple(map(without_figures, findings))

    def say(self, finding: AlternativesFinding) -> Said:
        """Say whether another model serves as well with a smaller gap."""
        return say_alternatives(finding)

    def verdicts(self, finding: AlternativesFinding) -> tuple[str, ...]:
        """Return whether another model serves as well with a smaller gap."""
        return (read_alternatives(finding).verdict,)

    def picture(self, finding: AlternativesFinding, number: int) -> Chart | None:
        """Return the gap of each model."""
        return None if is_hidden(finding) else _chart(finding, number)

    def tables(self, finding: AlternativesFinding, number: int) -> list[TableBlock]:
        """Return the models that were judged."""
        return alternatives_tables(finding, number)

    def opening(self, finding: AlternativesFinding, number: int, result: AuditResult) -> Opening:
        """Return what it comes to on the first page."""
        chart = None if is_hidden(finding) else _chart(finding, number)
        key = NEXT.get(read_alternatives(finding).verdict)
        step = "" if key is None else say(Message(key))
        return opening_of(self.kind, _title(), say_alternatives(finding), chart=chart, next_step=step)

    def blocks(self, finding: AlternativesFinding, number: int, result: AuditResult) -> list[Block]:
        """Return the answer, and each model's gap."""
        said = say_alternatives(finding)
        answer = Paragraph("", lead=True, strong=say_answer(said))
        blocks: list[Block] = [Heading(1, _title()), answer, Paragraph(say((*said.lead, *said.caution)))]
        return blocks if is_hidden(finding) else [*blocks, _chart(finding, number, f"alternatives_{number}")]

    def annex_title(self, finding: AlternativesFinding) -> str:
        """Return what its annex is called."""
        return say(Message("alternatives-annex"))

    def annex(self, finding: AlternativesFinding, number: int) -> list[Block]:
        """Return how models were searched, and how all of them spread; nothing where it is hidden."""
        from fairaudit.sections.alternatives.charts import spread_chart, spread_chart_text

        if is_hidden(finding):
            return []
        caption, text = say(Message("alternatives-spread-title")), spread_chart_text(finding)
        return [
            Items(tuple(map(say, how_searched(finding)))),
            pick(alternatives_tables(finding, number)[0], PRINTED),
            Chart(f"alternatives_{number}_spread", caption, text, spread_chart(finding)),
        ]

    def lines(self, finding: AlternativesFinding) -> list[str]:
        """Return the answer in a line."""
        said = say_alternatives(finding)
        return [say(Message("alternatives-line", {"verdict": said.verdict, "headline": said.headline}))]


def _title() -> str:
    return say(Message("question-name-alternatives"))


def _chart(finding: AlternativesFinding, number: int, table_key: str | None = None) -> Chart:
    from fairaudit.sections.alternatives.charts import (
        alternatives_chart,
        alternatives_chart_text,
        alternatives_chart_title,
    )

    caption, text = alternatives_chart_title(finding), alternatives_chart_text(finding)
    return Chart(f"alternatives_{number}_chart", caption, text, alternatives_chart(finding), table_key)
