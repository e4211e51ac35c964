"""Whether a gap changed, in a report: its chapter and its annex."""

from __future__ import annotations

from fairaudit.audit.result import ChangeFinding
from fairaudit.findings import Count, Message, Phrase
from fairaudit.messages import say, say_answer
from fairaudit.present.blocks import Block, Chart, Heading, Items, KeyValues, Note, Paragraph
from fairaudit.present.cases import not_known_sentence
from fairaudit.sections.asked import asked_rows
from fairaudit.sections.change.charts import change_chart, change_chart_text, change_chart_title
from fairaudit.sections.change.reading import period_names, read_change
from fairaudit.sections.change.saying import not_said, recording_sentences, say_change, say_clustered, say_recording
from fairaudit.sections.change.tables import change_table, periods_table, profile_table
from fairaudit.sections.opening import Opening, opening_of


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
    blocks: list[Block] = [KeyValues("What was asked", periods_asked(finding))]
    if read_change(finding).verdict == "not_shown":
        return blocks
    blocks.append(periods_table(finding, number))
    if finding.result is not None:
        blocks.append(change_table(finding, number))
    blocks += [Paragraph(say(message)) for message in say_clustered(finding)]
    return [*blocks, profile_table(finding, number)] if finding.compared.profile else blocks


def periods_asked(finding: ChangeFinding) -> tuple[tuple[str, str], ...]:
    """Return what was asked of which periods, as label and value."""
    asked = finding.plan
    periods = f"{asked.column}, cut at {', '.join(map(str, asked.cuts))}"
    if asked.second is not None:
        key = "annex-second-earlier" if asked.second_is == "earlier" else "annex-second-later"
        periods = say(Message(key, {"table": Phrase(asked.second)}))
    rows = [*asked_rows(finding), ("Periods", periods)]
    if finding.second_fingerprint is not None:
        rows.append(("Fingerprint of the second table", finding.second_fingerprint))
    return tuple(rows)


def change_opening(finding: ChangeFinding, number: int) -> Opening:
    """Return what a change comes to on the first page."""
    said = say_change(finding)
    title = say(Message("report-changed", {"n": Count(len(period_names(finding)))}))
    if said.verdict.key in ("verdict-not-shown", "verdict-nothing-to-compare"):
        return opening_of("changes", title, said)
    chart = Chart(
        f"change_{number}_chart", change_chart_title(finding), change_chart_text(finding), change_chart(finding)
    )
    # By how much, which its headline does not say.
    return opening_of("changes", title, said, chart=chart, short=say(said.lead[0]))
