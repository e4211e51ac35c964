"""The part of a report on retraining."""

from __future__ import annotations

from fairaudit.present.blocks import Block, Table
from fairaudit.present.printed_tables import pick
from fairaudit.study.findings import RemedyFinding, StudyFacts


def search_blocks(finding: RemedyFinding, facts: StudyFacts, number: int, tables: dict[str, Table]) -> list[Block]:
    """Return whose decisions were changed."""
    if not len(finding.details.flipped):
        return []
    return [pick(tables["flipped"], ("group", "label_words", "n", "n_flipped"))]
