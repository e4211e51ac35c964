"""What explains a gap, as a kind of question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Self

from fairaudit.audit.result import AuditResult, ExplanationFinding
from fairaudit.audit.sources import Sources
from fairaudit.data.table import Table
from fairaudit.disclosure.fields import extended, setting
from fairaudit.disclosure.hidden import without_figures
from fairaudit.events import Finished, Progress
from fairaudit.findings import Message, Said
from fairaudit.messages import say, say_answer
from fairaudit.plan.audit_plan import AuditPlan
from fairaudit.present.blocks import Block, Chart, Heading, Items, KeyValues, Note, Paragraph, TableBlock
from fairaudit.present.cases import not_known_sentence
from fairaudit.present.proxies import proxies_blocks
from fairaudit.sections.asked import asked_rows
from fairaudit.sections.explain.reading import can_be_overturned, read_explanation
from fairaudit.sections.explain.saying import (
    NOT_SAID,
    NOT_SHOWN,
    answer_line,
    other_methods,
    printed_line,
    say_agreement,
    say_explanation,
    say_method,
    say_overturning,
    say_people,
    say_stand_ins,
)
from fairaudit.sections.explain.tables import (
    controls_table,
    explanation_tables,
    parts_table,
    sensitivity_table,
    stand_in_tables,
)
from fairaudit.sections.opening import Opening, opening_of
from fairaudit.sections.section import LONG_STEPS, Answering, Fails, Section

if TYPE_CHECKING:
    from fairaudit.disclosure.counts import HiddenCounts

NEXT_EXPLAINED = {
    "explained": "report-next-explained",
    "partly_explained": "report-next-left",
    "not_explained": "report-next-unexplained",
}
"""What to do after an explanation, by its verdict."""


@dataclass(frozen=True, kw_only=True, eq=False)
class ExportedExplanation(ExplanationFinding):
    """One question about what explains a gap, and its answer."""

    sentence: str = setting("The answer as a paragraph.")
    overturning: tuple[str, ...] = setting("What could overturn it, in sentences.")

    @classmethod
    def of(cls, finding: ExplanationFinding) -> Self:
        """Add the answer in words."""
        return extended(
            cls, finding, sentence=answer_line(finding), overturning=tuple(map(say, say_overturning(finding)))
        )


class ExplainSection(Section[ExplanationFinding]):
    """What explains a gap."""

    kind = "explanations"
    command = "explain"
    fails = Fails(
        ("not_explained", "partly_explained", "methods_disagree"),
        "a gap that the columns do not explain, and if asked also on one that they explain in part, or on which "
        "methods disagree",
    )
    takes_weights = True
    exported = ExportedExplanation
    has_own_not_known = False
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

    def say(self, finding: ExplanationFinding) -> Said:
        """Say what explains the gap."""
        return say_explanation(finding)

    def verdicts(self, finding: ExplanationFinding) -> tuple[str, ...]:
        """Return whether the columns explain the gap."""
        return (read_explanation(finding).verdict,)

    def picture(self, finding: ExplanationFinding, number: int) -> Chart | None:
        """Return the parts of the gap."""
        return None if read_explanation(finding).verdict == "not_shown" else _chart(finding, number)

    def tables(self, finding: ExplanationFinding, number: int) -> list[TableBlock]:
        """Return the parts of the gap, the controls, and what could overturn it."""
        return explanation_tables(finding, number)

    def opening(self, finding: ExplanationFinding, number: int, result: AuditResult) -> Opening:
        """Return what an explanation comes to on the first page."""
        said, title = say_explanation(finding), say(Message("report-explained"))
        verdict = read_explanation(finding).verdict
        if verdict == "not_shown":
            return opening_of(self.kind, title, said)
        step = say(Message(NEXT_EXPLAINED.get(verdict, "report-next-other")))
        return opening_of(self.kind, title, said, chart=_chart(finding, number), next_step=step)

    def blocks(self, finding: ExplanationFinding, number: int, result: AuditResult) -> list[Block]:
        """Return the answer, the reasons, and what could overturn it."""
        said, found = say_explanation(finding), finding.result
        answer = say_answer(said)
        reasons = tuple(f"{each.column}: {' '.join(each.reason.split())}" for each in finding.plan.controls)
        columns = Items(reasons, title="The columns that may count, and the reasons for them")
        blocks: list[Block] = [Heading(1, "What explains it")]
        if read_explanation(finding).verdict == "not_shown":
            return [*blocks, Paragraph(say(NOT_SHOWN), strong=answer), columns]
        blocks.append(Paragraph(say((*said.lead, *said.caution)), strong=answer))
        blocks.append(_chart(finding, number, table_key=f"explanation_{number}_parts"))
        if rough := say((*other_methods(finding), *say_agreement(finding))):
            blocks.append(Paragraph(rough))
        blocks += [Note(text, kind="warning") for text in (*found.warnings, *map(not_known_sentence, found.not_known))]
        blocks += [columns, Paragraph(say(say_overturning(finding)), strong="What could overturn it.")]
        return [*blocks, Items(tuple(map(say, NOT_SAID)), title="What this does not say")]

    def annex_title(self, finding: ExplanationFinding) -> str:
        """Return what its annex is called."""
        return "How the gap was divided"

    def annex(self, finding: ExplanationFinding, number: int) -> list[Block]:
        """Return what was asked, how the gap was divided, and its parts; the first alone where they are hidden."""
        from fairaudit.sections.explain.charts import CURVE_TITLE, curve_chart, curve_chart_text

        blocks: list[Block] = [KeyValues("What was asked", asked_rows(finding))]
        if read_explanation(finding).verdict == "not_shown":
            return blocks
        blocks.append(Paragraph(say((*say_people(finding), *say_method(finding)))))
        blocks += [parts_table(finding, number), controls_table(finding, number)]
        if can_be_overturned(finding.result):
            title, alt, key = say(CURVE_TITLE), curve_chart_text(finding), f"explanation_{number}_curve"
            chart = Chart(f"{key}_chart", title, alt, curve_chart(finding), key)
            blocks += [sensitivity_table(finding, number), chart]
        if (stand_in := say_stand_ins(finding)) is not None:
            blocks += [*proxies_blocks(stand_in), *stand_in_tables(finding, number)]
        return blocks

    def lines(self, finding: ExplanationFinding) -> list[str]:
        """Return the answer in a line."""
        return [printed_line(finding)]


def without_answer(finding: ExplanationFinding) -> ExplanationFinding:
    """Return a question without its answer."""
    return replace(finding, result=without_figures(finding.result), proxies=None)


def _chart(finding: ExplanationFinding, number: int, table_key: str | None = None) -> Chart:
    from fairaudit.sections.explain.charts import explanation_chart, explanation_chart_text, explanation_chart_title

    title, alt = explanation_chart_title(finding), explanation_chart_text(finding)
    return Chart(f"explanation_{number}_chart", title, alt, explanation_chart(finding), table_key)
