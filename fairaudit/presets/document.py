"""A filled form as chapters of a report, and as one accessible HTML file."""

from __future__ import annotations

from dataclasses import replace
from html import escape

from fairaudit.findings import Message, Phrase
from fairaudit.messages import say, say_answer
from fairaudit.present.blocks import (
    NUMBER_KINDS,
    Block,
    Chart,
    Document,
    Heading,
    Items,
    KeyValues,
    Note,
    Paragraph,
    TableBlock,
    in_language,
    pick,
    row_texts,
)
from fairaudit.presets.findings import PresetFinding
from fairaudit.presets.summary import is_summarised, summary_document
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
from fairaudit.sections.forms.records import record_blocks, record_picture


def preset_blocks(finding: PresetFinding, *, lead: bool = False) -> list[Block]:
    """Return what one filled form found: the answer, the table that the rule prescribes, and its picture."""
    said = say_form(finding)
    blocks: list[Block] = [
        Heading(1, finding.title),
        Paragraph("", lead=lead, strong=say_answer(said)),
        Paragraph(say((*said.lead, *said.caution))),
    ]
    if finding.record is not None:
        return blocks
    if finding.pay:
        blocks.append(stated_table(finding))
    return [*blocks, Paragraph(finding.preset.words.reading)] if finding.rates else blocks


def preset_picture(finding: PresetFinding, number: int) -> list[Chart]:
    """Return the picture of one filled form; nothing where there is none to draw."""
    if finding.record is not None:
        chart = record_picture(finding, number)
        return [] if chart is None else [replace(chart, key=f"preset_{number}_chart", table_key=None)]
    if not has_chart(finding):
        return []
    title, text = form_chart_title(finding), form_chart_text(finding)
    return [Chart(f"preset_{number}_chart", title, text, form_chart(finding))]


def preset_annex(finding: PresetFinding, number: int) -> list[Block]:
    """Return the tables of one filled form, its rule, how its figures are computed, and what it covers and what not."""
    return [
        *(Note(text) for text in undecided_notes(finding)),
        *(record_blocks(finding) if finding.record else _table_blocks(finding, number)),
        *(Note(sentence) for sentence in own_notes(finding)),
        Heading(2, "The rule and the data"),
        KeyValues(None, facts(finding)),
        *([] if finding.record else (Heading(2, "How this is computed"), Items(how_computed(finding)))),
        Heading(2, "What this covers and what not"),
        Items(finding.preset.covers, title="It covers"),
        Items(finding.preset.does_not_cover, title="It does not cover"),
        Note(finding.preset.notice),
    ]


def preset_document(
    finding: PresetFinding, number: int = 1, *, author: str | None = None, has_picture: bool = True
) -> Document:
    """Return one filled form as a document of its own, to be published; a record with its picture."""
    picture = preset_picture(finding, number) if finding.record is not None and has_picture else []
    return Document(
        title=finding.title,
        subtitle="Summary in the form of a rule",
        language="en",
        blocks=(*preset_blocks(finding, lead=True), *picture, *preset_annex(finding, number)),
        author=author,
        footer=say(Message("form-footer", {"section": Phrase(finding.preset.section)})),
    )


def shown_table(table: TableBlock) -> TableBlock:
    """Return the columns of a table of a form that fit a page."""
    return pick(table, shown_columns(table))


def _table_blocks(finding: PresetFinding, number: int) -> list[Block]:
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
        # What cannot be known is one sentence, and no table of empty cells.
        blocks += [] if pay.is_unknowable else [shown_table(table)]
    return blocks


# HTML: no script, nothing from elsewhere, tables with heads and captions.

STYLE = """\
body { font: 1rem/1.5 system-ui, sans-serif; color: #1a1a1a; background: #fff; max-width: 60rem; margin: 2rem auto;
  padding: 0 1rem; }
h1 { font-size: 1.6rem; line-height: 1.25; } h2 { font-size: 1.2rem; margin-top: 2rem; }
.lead { font-size: 1.15rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; margin: 0.5rem 0; }
caption { text-align: left; font-weight: 600; padding: 0.25rem 0; }
th, td { border-bottom: 1px solid #b8b8b8; padding: 0.35rem 0.6rem; text-align: left; vertical-align: top; }
thead th { border-bottom: 2px solid #1a1a1a; }
.number { text-align: right; font-variant-numeric: tabular-nums; }
.note { border-left: 0.3rem solid #1f4e79; padding: 0.5rem 0.8rem; background: #f2f6fa; }
.small { color: #444; font-size: 0.9rem; }
dt { font-weight: 600; } dd { margin: 0 0 0.6rem 0; }
@media print { body { margin: 0; max-width: none; } h2 { break-after: avoid; } tr { break-inside: avoid; } }
"""


def preset_html(finding: PresetFinding, *, number: int = 1, author: str | None = None) -> str:
    """Return one filled form as a page of HTML that stands alone: the summary, where the rule asks to publish one."""
    if is_summarised(finding):
        return to_html(summary_document(finding, number, author=author))
    return to_html(preset_document(finding, number, author=author, has_picture=False))


def to_html(document: Document) -> str:
    """Return a document without charts as HTML."""
    # The document's title stands for its first heading, which says the same.
    blocks = [b for i, b in enumerate(document.blocks) if not (i == 0 and isinstance(b, Heading))]
    title = escape(document.title)
    author = [] if document.author is None else [f"<p>{escape(document.author)}</p>"]
    lines = [
        "<!DOCTYPE html>",
        f'<html lang="{escape(document.language)}">',
        "<head>",
        '<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{title}</title>",
        f"<style>\n{STYLE}</style>",
        "</head>",
        "<body>",
        "<main>",
        f"<h1>{title}</h1>",
        *author,
        *map(_html_block, blocks),
        "</main>",
        f'<footer><p class="small">{escape(document.footer)}</p></footer>',
        "</body>",
        "</html>",
    ]
    return "\n".join(lines) + "\n"


def _html_block(block: Block) -> str:
    match block := in_language(block):
        case Heading(level, text):
            return f"<h{level}>{escape(text)}</h{level}>"
        case Paragraph(text, lead, strong):
            opening = '<p class="lead">' if lead else "<p>"
            first = f"<strong>{escape(strong)}</strong> " if strong else ""
            return f"{opening}{first}{escape(text)}</p>"
        case Note(text, _):
            return f'<p class="note">{escape(text)}</p>'
        case Items(items, title):
            head = [f"<p><strong>{escape(title)}</strong></p>"] if title else []
            return "\n".join([*head, "<ul>", *(f"<li>{escape(item)}</li>" for item in items), "</ul>"])
        case KeyValues(_, rows, _):
            pairs = (f"<dt>{escape(name)}</dt><dd>{escape(value)}</dd>" for name, value in rows)
            return "\n".join(["<dl>", *pairs, "</dl>"])
        case TableBlock():
            return _html_table(block)
    raise TypeError(f"A form holds no {type(block).__name__}.")


def _html_table(table: TableBlock) -> str:
    classes = [' class="number"' if column.kind in NUMBER_KINDS else "" for column in table.columns]
    heads = [
        f'<th scope="col"{kind}>{escape(column.label)}</th>'
        for column, kind in zip(table.columns, classes, strict=True)
    ]
    lines = []
    for row in row_texts(table):
        cells = []
        for column, kind, text in zip(table.columns, classes, map(escape, row), strict=True):
            is_head = column.name.startswith("group_")
            cells.append(f'<th scope="row">{text}</th>' if is_head else f"<td{kind}>{text}</td>")
        lines.append(f"<tr>{''.join(cells)}</tr>")
    title = escape(table.title)
    return "\n".join(
        [
            f'<div class="wide" role="region" aria-label="{title}" tabindex="0">',
            "<table>",
            f"<caption>{title}</caption>",
            f"<thead><tr>{''.join(heads)}</tr></thead>",
            "<tbody>",
            *lines,
            "</tbody>",
            "</table>",
            "</div>",
            *([] if table.note is None else [f'<p class="small">{escape(table.note)}</p>']),
        ]
    )
