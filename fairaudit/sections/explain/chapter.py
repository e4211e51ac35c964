"""What explains a gap, in a report: its chapter and its annex."""

from __future__ import annotations

from fairaudit.audit.result import ExplanationFinding
from fairaudit.findings import Message
from fairaudit.messages import say, say_answer
from fairaudit.present.blocks import Block, Chart, Heading, Items, KeyValues, Note, Paragraph
from fairaudit.present.cases import not_known_sentence
from fairaudit.sections.asked import asked_rows
from fairaudit.sections.explain.charts import (
    CURVE_TITLE,
    curve_chart,
    curve_chart_text,
    explanation_chart,
    explanation_chart_text,
    explanation_chart_title,
)
from fairaudit.sections.explain.reading import can_be_overturned, read_explanation
from fairaudit.sections.explain.saying import (
    NOT_SAID,
    NOT_SHOWN,
    other_methods,
    say_agreement,
    say_explanation,
    say_method,
    say_overturning,
    say_people,
)
from fairaudit.sections.explain.tables import controls_table, parts_table, sensitivity_table
from fairaudit.sections.opening import Opening, opening_of


def explanation_blocks(finding: ExplanationFinding, number: int) -> list[Block]:
    """Return the chapter of one question about what explains a gap."""
    found = finding.result
    said = say_explanation(finding)
    answer = say_answer(said)
    blocks: list[Block] = [Heading(1, "What explains it")]
    if found.gap.value is None:
        return [*blocks, Paragraph(say(NOT_SHOWN), strong=answer), _reasons(finding)]
    blocks.append(Paragraph(say((*said.lead, *said.caution)), strong=answer))
    title, alt = explanation_chart_title(finding), explanation_chart_text(finding)
    chart = explanation_chart(finding)
    blocks.append(Chart(f"explanation_{number}_chart", title, alt, chart, f"explanation_{number}_parts"))
    if rough := say((*other_methods(finding), *say_agreement(finding))):
        blocks.append(Paragraph(rough))
    blocks += [Note(text, kind="warning") for text in (*found.warnings, *map(not_known_sentence, found.not_known))]
    blocks.append(_reasons(finding))
    blocks.append(Paragraph(say(say_overturning(finding)), strong="What could overturn it."))
    blocks.append(Items(tuple(map(say, NOT_SAID)), title="What this does not say"))
    return blocks


def explanation_annex(finding: ExplanationFinding, number: int) -> list[Block]:
    """Return what was asked, how the gap was divided, and its parts; nothing but the first where they are hidden."""
    blocks: list[Block] = [KeyValues("What was asked", asked_rows(finding))]
    if finding.result.gap.value is None:
        return blocks
    blocks.append(Paragraph(say((*say_people(finding), *say_method(finding)))))
    blocks += [parts_table(finding, number), controls_table(finding, number)]
    if not can_be_overturned(finding.result):
        return blocks
    blocks.append(sensitivity_table(finding, number))
    title, alt = say(CURVE_TITLE), curve_chart_text(finding)
    chart = curve_chart(finding)
    return [*blocks, Chart(f"explanation_{number}_curve_chart", title, alt, chart, f"explanation_{number}_curve")]


def _reasons(finding: ExplanationFinding) -> Items:
    reasons = (f"{c.column}: {' '.join(c.reason.split())}" for c in finding.plan.controls)
    return Items(tuple(reasons), title="The columns that may count, and the reasons for them")


NEXT_EXPLAINED = {
    "explained": "report-next-explained",
    "partly_explained": "report-next-left",
    "not_explained": "report-next-unexplained",
}
"""What to do after an explanation, by its verdict."""


def explanation_opening(finding: ExplanationFinding, number: int) -> Opening:
    """Return what an explanation comes to on the first page."""
    said = say_explanation(finding)
    title = say(Message("report-explained"))
    if finding.result.gap.value is None:
        return opening_of("explanations", title, said)
    chart = Chart(
        f"explanation_{number}_chart",
        explanation_chart_title(finding),
        explanation_chart_text(finding),
        explanation_chart(finding),
    )
    step = say(Message(NEXT_EXPLAINED.get(read_explanation(finding).verdict, "report-next-other")))
    return opening_of("explanations", title, said, chart=chart, next_step=step)
