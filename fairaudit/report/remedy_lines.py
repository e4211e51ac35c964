"""What the remedies of an audit come to in its report: a line on the first page, and their picture later on."""

from __future__ import annotations

from fairaudit.audit.result import AuditResult
from fairaudit.findings import Argument, Count, Message
from fairaudit.messages import say
from fairaudit.present.blocks import Block, Chart, Heading, Items, Paragraph, Part
from fairaudit.remedies.registry import kind_of
from fairaudit.sections.compare import read_comparison, say_comparison
from fairaudit.sections.compare.charts import compare_chart, compare_chart_text, compare_chart_title
from fairaudit.sections.compare.reading import ModelRow, Remedies, gap_size, given_figure, quantity_of
from fairaudit.sections.compare.saying import shared_args

MOST_LINES = 3
"""So many remedies that meet the limit have a line, or else the one with the smallest gap; a later page has all."""


def remedies_part(result: AuditResult) -> Part | None:
    """Return what could be done: which remedies meet the limit, and what these cost; nothing where none was tried."""
    tried = result.tried
    if tried is None or not _is_any(tried):
        return None
    said, reading = say_comparison(tried), read_comparison(tried)
    rows = (reading.met or reading.remedies[:1])[:MOST_LINES]
    lines = [say(_line(tried, row)) for row in rows]
    if more := len(reading.remedies) - len(rows):
        lines.append(say(Message("report-remedies-more", {"n": Count(more)})))
    blocks = (Paragraph(f"{say(said.headline)}."), *((Items(tuple(lines)),) if lines else ()))
    return Part(say(Message("report-could-be-done")), blocks)


def remedies_pages(result: AuditResult) -> list[Block]:
    """Return all remedies side by side, and what they cost."""
    tried = result.tried
    if tried is None or not _is_any(tried) or not read_comparison(tried).n_tried:
        return []
    said, title = say_comparison(tried), compare_chart_title(tried)
    blocks: list[Block] = [Heading(2, say(Message("report-could-be-done")))]
    if lead := say((*said.lead, *said.caution)):
        blocks.append(Paragraph(lead))
    return [*blocks, Chart("remedies_compared", title, compare_chart_text(tried), compare_chart(tried, narrow=True))]


def _is_any(tried: Remedies) -> bool:
    """Say whether anything but models without a remedy was tried; of hidden figures no more is known."""
    return any(kind_of(remedy.plan).is_remedy for remedy in tried.remedies)


def _line(tried: Remedies, row: ModelRow) -> list[Message]:
    """Say whether a remedy meets the limit, and what it costs."""
    quantity, limit = quantity_of(tried), read_comparison(tried).limit
    args: dict[str, Argument] = shared_args(tried, quantity) | {
        "name": row.name,
        "size": gap_size(quantity, row, limit),
        "reading": Message(f"reading-{(row.limit or 'limit_not_met').replace('_', '-')}"),
    }
    said = [Message("report-remedy", args)]
    if row.given is not None and not tried.facts.decision_is_outcome and quantity.kind == "share":
        said.append(Message("report-remedy-given", args | {"given": given_figure(quantity, row.given)}))
    if row.needs_group:
        said.append(Message("report-remedy-by-group"))
    return said
