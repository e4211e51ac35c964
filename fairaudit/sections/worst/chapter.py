"""Worst groups, in a report: the chapter, and the annex on how they were searched."""

from __future__ import annotations

from fairaudit.audit.result import SubgroupsFinding
from fairaudit.messages import say, say_answer
from fairaudit.present.blocks import Block, Chart, Heading, Items, Note, Paragraph, pick
from fairaudit.present.cases import not_known_sentence
from fairaudit.sections.opening import UNSAID, Opening, opening_of
from fairaudit.sections.worst.charts import (
    worst_chart,
    worst_chart_text,
    worst_chart_title,
    worst_map,
    worst_map_note,
    worst_map_text,
)
from fairaudit.sections.worst.reading import read_worst
from fairaudit.sections.worst.saying import (
    PRINTED,
    how_searched,
    in_chart_order,
    left_out,
    say_worst,
    title,
    worst_tables,
)


def worst_blocks(found: SubgroupsFinding, number: int) -> list[Block]:
    """Return the chapter: the answer, and each group beside everyone else."""
    said = say_worst(found)
    answer = Paragraph("", lead=True, strong=say_answer(said))
    blocks: list[Block] = [Heading(1, title(found)), answer, Paragraph(say((*said.lead, *said.caution)))]
    if read_worst(found).verdict == "not_shown":
        return blocks
    blocks += [Note(not_known_sentence(part), kind="warning") for part in found.not_known]
    key, text = f"subgroups_{number}", worst_chart_text(found)
    return [*blocks, Chart(f"{key}_chart", worst_chart_title(found), text, worst_chart(found), key)]


def worst_annex(found: SubgroupsFinding, number: int) -> list[Block]:
    """Return how the search went and how far to trust it; nothing where it is hidden."""
    if read_worst(found).verdict == "not_shown":
        return []
    tables = worst_tables(found, number)
    key = f"subgroups_{number}"
    return [
        Items(tuple(map(say, how_searched(found)))),
        pick(in_chart_order(found, tables[0]), PRINTED),
        Chart(f"{key}_map", worst_map_note(found), worst_map_text(found), worst_map(found), key),
        tables[1],
        *(Note(say(message)) for message in left_out(found)),
    ]


def worst_opening(finding: SubgroupsFinding, number: int) -> Opening:
    """Return what a search comes to on the first page."""
    said = say_worst(finding)
    if read_worst(finding).verdict in UNSAID:
        return opening_of("subgroups", title(finding), said)
    caption, text = worst_chart_title(finding), worst_chart_text(finding)
    chart = Chart(f"subgroups_{number}_chart", caption, text, worst_chart(finding))
    return opening_of("subgroups", title(finding), said, chart=chart)
