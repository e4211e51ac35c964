"""The chapter of a search for the worst-hit subgroups."""

from __future__ import annotations

from fairaudit.audit.result import SubgroupsFinding
from fairaudit.present.blocks import Block, Chart, Heading, Items, Note, Paragraph
from fairaudit.present.charts.subgroups import subgroups_alt, subgroups_chart, subgroups_note
from fairaudit.present.printed_tables import pick
from fairaudit.present.subgroup_tables import subgroup_tables
from fairaudit.present.subgroup_words import (
    HIDDEN,
    QUESTION,
    WHAT_IT_IS_NOT,
    compared_sentence,
    is_hidden,
    left_out_sentences,
    search_sentences,
    subgroup_sentence,
    verdict,
)

PRINTED = ("subgroup", "n", "rate", "rest", "gap", "interval", "p_adjusted", "stands_out")


def subgroup_blocks(found: SubgroupsFinding, number: int) -> list[Block]:
    """Return the chapter: the verdict, each subgroup in a sentence, the map, the table and how far to trust it."""
    blocks: list[Block] = [Heading(1, QUESTION), Paragraph(verdict(found), lead=True)]
    blocks.append(Paragraph(compared_sentence(found)))
    if is_hidden(found):
        return [*blocks, Note(HIDDEN)]
    result, tables = found.result, subgroup_tables(found, number)
    blocks.append(Items(tuple(subgroup_sentence(each, result) for each in result.subgroups)))
    key = f"subgroups_{number}"
    chart = subgroups_chart(found)
    blocks.append(Chart(f"{key}_chart", subgroups_note(found), subgroups_alt(found), chart, key))
    blocks.append(pick(tables[0], PRINTED))
    blocks += [Paragraph(text) for text in search_sentences(found)]
    blocks.append(tables[1])
    blocks += [Note(text) for text in left_out_sentences(found)]
    return [*blocks, Note(WHAT_IT_IS_NOT)]
