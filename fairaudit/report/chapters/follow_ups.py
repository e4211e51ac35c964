"""The chapters on what explains a gap, and on whether it changed."""

from __future__ import annotations

from fairaudit.audit.result import ChangeFinding, ExplanationFinding
from fairaudit.findings import Message, Phrase
from fairaudit.messages import say, say_answer
from fairaudit.present.blocks import Block, Chart, Heading, Items, KeyValues, Note, Paragraph
from fairaudit.present.not_known_words import not_known_sentence
from fairaudit.present.words import group_name
from fairaudit.report.follow_up_tables import (
    change_table,
    controls_table,
    parts_table,
    periods_table,
    profile_table,
    sensitivity_table,
)
from fairaudit.sections.change import (
    not_said,
    read_change,
    recording_sentences,
    say_change,
    say_clustered,
    say_recording,
)
from fairaudit.sections.change.charts import change_chart, change_chart_text, change_chart_title
from fairaudit.sections.explain import (
    NOT_SAID,
    NOT_SHOWN,
    can_be_overturned,
    other_methods,
    say_agreement,
    say_explanation,
    say_method,
    say_overturning,
    say_people,
)
from fairaudit.sections.explain.charts import (
    CURVE_TITLE,
    curve_chart,
    curve_chart_text,
    explanation_chart,
    explanation_chart_text,
    explanation_chart_title,
)


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
    blocks: list[Block] = [KeyValues("What was asked", _asked(finding))]
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


def change_blocks(finding: ChangeFinding, number: int) -> list[Block]:
    """Return the chapter of one question about whether a gap changed."""
    said, verdict = say_change(finding), read_change(finding).verdict
    answer = Paragraph("", lead=True, strong=say_answer(said))
    blocks: list[Block] = [Heading(1, "Change over time"), answer]
    if lead := say((*said.lead, *said.caution)):
        blocks.append(Paragraph(lead))
    if verdict == "not_shown":
        return blocks
    if verdict != "nothing_to_compare":
        title, text = change_chart_title(finding), change_chart_text(finding)
        blocks.append(Chart(f"change_{number}_chart", title, text, change_chart(finding), f"change_{number}_periods"))
    found = finding.compared
    blocks += [Note(text, kind="warning") for text in (*found.warnings, *map(not_known_sentence, found.not_known))]
    if (recording := say_recording(finding)) is not None:
        blocks.append(Paragraph(say(recording)))
    if differences := recording_sentences(finding):
        blocks.append(Items(differences))
    blocks.append(Items(tuple(map(say, not_said())), title="What this does not say"))
    return blocks


def change_annex(finding: ChangeFinding, number: int) -> list[Block]:
    """Return what was asked, and the figures of each period; nothing but the first where they are hidden."""
    blocks: list[Block] = [KeyValues("What was asked", _asked(finding))]
    if read_change(finding).verdict == "not_shown":
        return blocks
    blocks.append(periods_table(finding, number))
    if finding.result is not None:
        blocks.append(change_table(finding, number))
    blocks += [Paragraph(say(message)) for message in say_clustered(finding)]
    return [*blocks, profile_table(finding, number)] if finding.compared.profile else blocks


def _asked(finding: ExplanationFinding | ChangeFinding) -> tuple[tuple[str, str], ...]:
    rows = [
        ("Filter", finding.where_words or "all rows"),
        ("Protected group", group_name(finding)),
        (finding.decision.kind.label, finding.meaning),
    ]
    if isinstance(finding, ChangeFinding):
        asked = finding.plan
        periods = f"{asked.column}, cut at {', '.join(map(str, asked.cuts))}"
        if asked.second is not None:
            key = "annex-second-earlier" if asked.second_is == "earlier" else "annex-second-later"
            periods = say(Message(key, {"table": Phrase(asked.second)}))
        rows.append(("Periods", periods))
        if finding.second_fingerprint is not None:
            rows.append(("Fingerprint of the second table", finding.second_fingerprint))
    return tuple(rows)
