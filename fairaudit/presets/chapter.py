"""The chapters of one form of a rule: its verdict, then its tables, what it follows, and what it does not say."""

from __future__ import annotations

from fairaudit.findings import Message, Phrase
from fairaudit.messages import say, say_answer
from fairaudit.present.blocks import Block, Chart, Document, Heading, Items, KeyValues, Note, Paragraph, Table
from fairaudit.present.printed_tables import pick
from fairaudit.presets.findings import PresetFinding
from fairaudit.presets.tables import facts, means_table, pay_table, rates_table, shown_columns, stated_table
from fairaudit.sections.forms import say_form
from fairaudit.sections.forms.charts import form_chart, form_chart_text, form_chart_title, has_chart
from fairaudit.sections.forms.details import (
    how_computed,
    own_notes,
    pay_title,
    say_by,
    say_pay_table,
    undecided_notes,
)
from fairaudit.sections.forms.reading import leading_rates


def preset_blocks(finding: PresetFinding, *, lead: bool = False) -> list[Block]:
    """Return what one filled form found: the answer, the table that the rule prescribes, and its picture."""
    said = say_form(finding)
    blocks: list[Block] = [
        Heading(1, finding.title),
        Paragraph("", lead=lead, strong=say_answer(said)),
        Paragraph(say((*said.lead, *said.caution))),
    ]
    if finding.pay:
        blocks.append(stated_table(finding))
    return [*blocks, Paragraph(finding.preset.words.reading)] if finding.rates else blocks


def preset_picture(finding: PresetFinding, number: int) -> list[Block]:
    """Return the picture of one filled form; nothing where there is none to draw."""
    if not has_chart(finding):
        return []
    title, text = form_chart_title(finding), form_chart_text(finding)
    return [Chart(f"preset_{number}_chart", title, text, form_chart(finding))]


def preset_annex(finding: PresetFinding, number: int) -> list[Block]:
    """Return the tables of one filled form, its rule, how its figures are computed, and what it covers and what not."""
    return [
        *(Note(text) for text in undecided_notes(finding)),
        *_tables(finding, number),
        *(Note(sentence) for sentence in own_notes(finding)),
        Heading(2, "The rule and the data"),
        KeyValues(None, facts(finding)),
        Heading(2, "How this is computed"),
        Items(how_computed(finding)),
        Heading(2, "What this covers and what not"),
        Items(finding.preset.covers, title="It covers"),
        Items(finding.preset.does_not_cover, title="It does not cover"),
        Note(finding.preset.notice),
    ]


def preset_document(finding: PresetFinding, number: int = 1, *, author: str | None = None) -> Document:
    """Return one filled form as a document of its own, to be published."""
    return Document(
        title=finding.title,
        subtitle="Summary in the form of a rule",
        language="en",
        blocks=(*preset_blocks(finding, lead=True), *preset_annex(finding, number)),
        author=author,
        footer=say(Message("form-footer", {"section": Phrase(finding.preset.section)})),
    )


def shown_table(table: Table) -> Table:
    """Return the columns of a table of a form that fit a page."""
    return pick(table, shown_columns(table))


def _tables(finding: PresetFinding, number: int) -> list[Block]:
    blocks: list[Block] = []
    leading = leading_rates(finding) if finding.rates else ()
    for position, rates in sorted(enumerate(finding.rates, start=1), key=lambda each: each[1] not in leading):
        table = rates_table(finding, rates, number, position)
        blocks += [Heading(2, say(Message("form-heading-by", {"columns": say_by(finding, rates)}))), shown_table(table)]
    for position, means in enumerate(finding.means, start=1):
        table = means_table(finding, means, number, position)
        blocks += [
            Heading(
                2,
                say(
                    Message("form-amount-by", {"amount": Phrase(means.table.column), "columns": say_by(finding, means)})
                ),
            ),
            shown_table(table),
        ]
    for position, pay in enumerate(finding.pay, start=1):
        table = pay_table(finding, pay, number, position)
        blocks += [
            Heading(2, pay_title(finding, pay)),
            Paragraph(pay.check.asks or "", strong=say(say_pay_table(finding, pay))),
        ]
        blocks.append(shown_table(table))
    return blocks
