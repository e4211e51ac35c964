"""The part of a report on a model that was trained to meet constraints."""

from __future__ import annotations

from fairaudit.present.blocks import Block, Items, Paragraph, Table
from fairaudit.remedies.constrain.chart_texts import (
    constraint_frontier_alt,
    constraint_gaps_alt,
    constraint_gaps_note,
    constraint_path_alt,
)
from fairaudit.remedies.constrain.charts import constraint_frontier_chart, constraint_gaps_chart, constraint_path_chart
from fairaudit.remedies.constrain.printed_tables import printed_asked
from fairaudit.remedies.constrain.words import asked_sentences, kept_sentence
from fairaudit.remedies.shared.drawn import drawn
from fairaudit.study.findings import RemedyFinding, StudyFacts


def asked_blocks(finding: RemedyFinding, facts: StudyFacts, number: int, tables: dict[str, Table]) -> list[Block]:
    """Return the constraints in words."""
    return [Items(asked_sentences(finding, positive_meaning=facts.positive_meaning), title="What was asked")]


def result_blocks(finding: RemedyFinding, facts: StudyFacts, number: int, tables: dict[str, Table]) -> list[Block]:
    """Return whether the constraints hold, in a sentence and a chart of each pair of groups."""
    details = finding.details
    kept = kept_sentence(details)
    blocks: list[Block] = [Paragraph(kept, strong="Whether the constraints hold.")] if kept else []
    if not len(details.pairs):
        return blocks
    title = "Gap of each pair of groups on the held-out rows, before and after. Shaded: what is allowed."
    title += constraint_gaps_note(details.pairs)
    chart = drawn(number, "constraints", title, (constraint_gaps_chart, constraint_gaps_alt), details.pairs)
    return [*blocks, chart]


def search_blocks(finding: RemedyFinding, facts: StudyFacts, number: int, tables: dict[str, Table]) -> list[Block]:
    """Return how the search for a model that meets constraints went, and what else it found."""
    details = finding.details
    blocks: list[Block] = []
    if len(details.pairs) > 1 and details.n_pairs is not None:
        blocks.append(printed_asked(tables["asked"]))
    if not len(details.path):
        return blocks
    single = len(details.pairs) == 1
    along = "by multiplier" if single else "in the order of fitting"
    title = f"Accuracy and the largest gap of each fit on the tuning rows, {along}. 1: the gap is all that is allowed."
    path = drawn(number, "path", title, (constraint_path_chart, constraint_path_alt), details.path, single=single)
    title = "What a wider or a closer limit would cost: accuracy against the largest gap of the fits, tuning rows."
    frontier = drawn(
        number,
        "frontier",
        title,
        (constraint_frontier_chart, constraint_frontier_alt),
        details.path,
        scale=details.scale,
    )
    return [*blocks, path, frontier]
