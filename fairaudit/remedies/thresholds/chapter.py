"""The part of a report on thresholds by group."""

from __future__ import annotations

from dataclasses import replace

from fairaudit.findings import Message
from fairaudit.messages import say
from fairaudit.plan.parts import as_part
from fairaudit.present import brief
from fairaudit.present.blocks import Block, Table
from fairaudit.present.printed_tables import moved_table, pick
from fairaudit.remedies.shared.drawn import Drawing, drawn
from fairaudit.remedies.thresholds.charts import (
    threshold_roc_alt,
    threshold_roc_chart,
    weight_sweep_alt,
    weight_sweep_chart,
)
from fairaudit.remedies.thresholds.plan import ThresholdsPlan
from fairaudit.study.findings import RemedyFinding, StudyFacts


def result_blocks(finding: RemedyFinding, facts: StudyFacts, number: int, tables: dict[str, Table]) -> list[Block]:
    """Return where the line lies for each group."""
    return [_moved_thresholds(tables["thresholds"])] if len(finding.details.thresholds) else []


def search_blocks(finding: RemedyFinding, facts: StudyFacts, number: int, tables: dict[str, Table]) -> list[Block]:
    """Return where the thresholds put each group, and what other weights of fairness give."""
    blocks: list[Block] = []
    details, plan = finding.details, as_part(finding.plan, ThresholdsPlan)
    if len(details.roc) and len(details.thresholds):
        title = f"{say(Message('thresholds-chart-roc'))}."
        title += brief.drawn_note(len(details.thresholds), brief.MOST_SERIES)
        drawing: Drawing = (threshold_roc_chart, threshold_roc_alt)
        blocks.append(drawn(number, "roc", title, drawing, details.roc, details.thresholds))
    if len(details.sweep) > 1:
        current = None if plan.search == "chosen" else plan.fairness_weight
        drawing = (weight_sweep_chart, weight_sweep_alt)
        title = f"{say(Message('thresholds-chart-weights'))}."
        blocks.append(drawn(number, "weights", title, drawing, details.sweep, current=current))
    return blocks


def _moved_thresholds(table: Table) -> Table:
    heads = {"": "threshold", "tpr": "true positive rate", "fpr": "false positive rate"}
    moved = moved_table(pick(table, [c.name for c in table.columns if not c.name.startswith("n_")]), heads)
    return replace(moved, title="A threshold for each group, before to after", note=table.note)
