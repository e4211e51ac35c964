"""What the remedies of an audit come to in its report: a line on the first page, and their picture later on."""

from __future__ import annotations

from typing import Any

from fairaudit.audit.result import AuditResult
from fairaudit.findings import Count, Message, Word
from fairaudit.messages import say
from fairaudit.present.blocks import Block, Chart, Heading, Items, Paragraph, Part
from fairaudit.remedies.registry import kind_of
from fairaudit.sections.compare import read_comparison, say_comparison
from fairaudit.sections.compare.charts import compare_chart, compare_chart_text, compare_chart_title
from fairaudit.sections.compare.reading import MET, ModelRow, Remedies, given_figure, quantity_of
from fairaudit.sections.remedy import read_remedy, say_remedy
from fairaudit.sections.remedy.reading import GAPS, OF_LIMIT
from fairaudit.sections.remedy.reading import quantity_of as remedy_quantity
from fairaudit.sections.remedy.saying import moved, named

MOST_LINES = 3
"""So many remedies that meet the limit have a line, or else the one with the smallest gap; a later page has all."""
BESIDE_LINES = ("remedy-caution-by-group",)
"""Cautions of a remedy that its line says in words of its own."""


def remedies_part(result: AuditResult) -> Part | None:
    """Return what could be done: which remedies meet the limit, and what these cost; nothing where none was tried."""
    tried = result.tried
    if tried is None or not is_any_remedy(tried):
        return None
    said, reading = say_comparison(tried), read_comparison(tried)
    rows = (reading.met or reading.usable[:1] or reading.remedies[:1])[:MOST_LINES]
    lines = [say(_line(tried, row)) for row in rows]
    if more := len(reading.remedies) - len(rows):
        lines.append(say(Message("report-remedies-more", {"n": Count(more)})))
    blocks = (Paragraph(f"{say(said.headline)}."), *((Items(tuple(lines)),) if lines else ()))
    return Part(say(Message("report-could-be-done")), blocks)


def remedies_pages(result: AuditResult) -> list[Block]:
    """Return all remedies side by side, and what they cost."""
    tried = result.tried
    if tried is None or not is_any_remedy(tried) or not (charts := compared_charts(tried)):
        return []
    said = say_comparison(tried)
    blocks: list[Block] = [Heading(2, say(Message("report-could-be-done")))]
    if lead := say((*said.lead, *said.caution)):
        blocks.append(Paragraph(lead))
    return [*blocks, *charts]


def compared_charts(tried: Remedies) -> list[Chart]:
    """Return the picture of all remedies side by side; none where no gap is known."""
    if not read_comparison(tried).n_tried:
        return []
    title, text = compare_chart_title(tried), compare_chart_text(tried)
    return [Chart("remedies_compared", title, text, compare_chart(tried, narrow=True))]


def is_any_remedy(tried: Remedies) -> bool:
    """Say whether anything but models without a remedy was tried; of hidden figures no more is known."""
    return any(kind_of(remedy.plan).is_remedy for remedy in tried.remedies)


def _line(tried: Remedies, row: ModelRow) -> list[Message]:
    """Say what a remedy comes to, as its own page does, and what it costs."""
    facts: Any = tried.facts
    finding: Any = next(each for each in tried.remedies if each.name == row.made)
    reading, quantity = read_remedy(finding, facts), remedy_quantity(finding, facts)
    answer = say_remedy(finding, facts)
    args = named(finding, facts, reading, quantity) | {"name": row.name, "verdict": answer.verdict}
    args["own"] = Word("yes" if reading.verdict in OF_LIMIT.values() else "no")
    said = [Message("report-remedy", args)]
    if reading.gap in GAPS and reading.verdict not in ("one_answer", "nearly_one_answer"):
        # A limit of its own on the same gap is in its verdict.
        is_said = reading.limit_size is not None or row.has_own_limit or row.limit not in MET
        side = "none" if is_said else str(row.limit).replace("_", "-")
        turned = Word("yes" if read_comparison(tried).is_other_way(row) else "no")
        same = Word("yes" if row.changes_nothing else "no")
        sized = args | {"reading": Word(side), "turned": turned, "same": same}
        said.append(Message("report-remedy-gap", sized))
    past = read_comparison(tried).past
    is_given = not facts.decision_is_outcome and facts.outcome.has_good_outcome
    if is_given and row.given is not None and past is not None and past.given is not None:
        own, before = (given_figure(quantity_of(tried), each) for each in (row.given, past.given))
        said.append(Message("report-remedy-given", args | {"given": own, "past": before, "moved": moved(own, before)}))
    if harm := next((each for each in answer.caution if each.key not in BESIDE_LINES), None):
        said.append(harm)
    if row.needs_group:
        said.append(Message("report-remedy-by-group"))
    return said
