"""The chapter of a search for the worst-hit subgroups."""

from __future__ import annotations

from fairaudit.audit.result import SubgroupsFinding
from fairaudit.present.blocks import Block, Chart, Heading, Items, Note, Paragraph
from fairaudit.present.charts.subgroups import subgroups_alt, subgroups_chart, subgroups_note
from fairaudit.present.not_known_words import not_known_sentence
from fairaudit.present.printed_tables import pick
from fairaudit.present.subgroup_tables import subgroup_tables
from fairaudit.present.subgroup_words import (
    HIDDEN,
    WHAT_IT_IS_NOT,
    compared_sentence,
    is_hidden,
    left_out_sentences,
    question,
    search_sentences,
    subgroup_sentence,
    verdict,
)

PRINTED = ("subgroup", "n", "rate", "rest", "gap", "interval", "p_adjusted", "stands_out")


def subgroup_blocks(found: SubgroupsFinding, number: int) -> list[Block]:
    """Return the chapter: the verdict, each subgroup in a sentence, and the map."""
    blocks: list[Block] = [Heading(1, question(found)), Paragraph("", strong=verdict(found))]
    blocks.append(Paragraph(compared_sentence(found)))
    if is_hidden(found):
        return [*blocks, Note(HIDDEN)]
    blocks += [Note(not_known_sentence(part), kind="warning") for part in found.not_known]
    result = found.result
    blocks.append(Items(tuple(subgroup_sentence(each, result) for each in result.subgroups)))
    key = f"subgroups_{number}"
    chart = subgroups_chart(found)
    blocks.append(Chart(f"{key}_chart", subgroups_note(found), subgroups_alt(found), chart, key))
    return [*blocks, Note(WHAT_IT_IS_NOT)]


def subgroup_annex(found: SubgroupsFinding, number: int) -> list[Block]:
    """Return how the search went and how far to trust it; nothing where it is hidden."""
    if is_hidden(found):
        return []
    tables = subgroup_tables(found, number)
    blocks: list[Block] = [*(Paragraph(text) for text in search_sentences(found)), pick(tables[0], PRINTED), tables[1]]
    return [*blocks, *(Note(text) for text in left_out_sentences(found))]
