"""The part of a report on equalized distributions."""

from __future__ import annotations

from fairaudit.findings import Message
from fairaudit.messages import say
from fairaudit.plan.parts import as_part
from fairaudit.present.blocks import Block, Table
from fairaudit.remedies.equalize.charts import (
    distribution_note,
    equalized_distribution_alt,
    equalized_distribution_chart,
    equalized_sweep_alt,
    equalized_sweep_chart,
)
from fairaudit.remedies.equalize.plan import EqualizePlan
from fairaudit.remedies.shared.drawn import Drawing, drawn
from fairaudit.study.findings import RemedyFinding, StudyFacts


def search_blocks(finding: RemedyFinding, facts: StudyFacts, number: int, tables: dict[str, Table]) -> list[Block]:
    """Return how the score is spread in each group, and what other weights of accuracy give."""
    blocks: list[Block] = []
    details = finding.details
    if len(details.distribution):
        title = f"{say(Message('equalize-chart-spread'))}. {distribution_note(details.distribution)}".strip()
        drawing: Drawing = (equalized_distribution_chart, equalized_distribution_alt)
        blocks.append(drawn(number, "distribution", title, drawing, details.distribution))
    if len(details.sweep) > 1:
        title = f"{say(Message('equalize-chart-weights'))}."
        drawing = (equalized_sweep_chart, equalized_sweep_alt)
        weight = as_part(finding.plan, EqualizePlan).accuracy_weight
        blocks.append(drawn(number, "weights", title, drawing, details.sweep, current=weight))
    return blocks
