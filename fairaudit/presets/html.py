"""A filled form as one accessible HTML file: no script, nothing from elsewhere, tables with heads and captions."""

from __future__ import annotations

from html import escape

from fairaudit.present.blocks import (
    NUMBER_KINDS,
    Block,
    Document,
    Heading,
    Items,
    KeyValues,
    Note,
    Paragraph,
    Table,
    row_texts,
)
from fairaudit.presets.chapter import preset_document
from fairaudit.presets.findings import PresetFinding

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
@media print { body { margin: 0; max-width: none; } }
"""


def preset_html(finding: PresetFinding, *, number: int = 1, author: str | None = None) -> str:
    """Return one filled form as a page of HTML that stands alone."""
    return to_html(preset_document(finding, number, author=author))


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
        *map(_block, blocks),
        "</main>",
        f'<footer><p class="small">{escape(document.footer)}</p></footer>',
        "</body>",
        "</html>",
    ]
    return "\n".join(lines) + "\n"


def _block(block: Block) -> str:
    match block:
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
            pairs = (f"<dt>{escape(label)}</dt><dd>{escape(value)}</dd>" for label, value in rows)
            return "\n".join(["<dl>", *pairs, "</dl>"])
        case Table():
            return _table(block)
    raise TypeError(f"A form holds no {type(block).__name__}.")


def _table(table: Table) -> str:
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
