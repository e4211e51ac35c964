"""The part of a report on a model that was trained to meet constraints."""

from __future__ import annotations

from fairaudit.estimators.constraints import FairnessSpec
from fairaudit.estimators.constraints.constrained_rows import DECIMALS
from fairaudit.findings import Argument, Count, Message
from fairaudit.messages import say
from fairaudit.plan.parts import as_part
from fairaudit.present.blocks import Block, Items, Paragraph, Table
from fairaudit.remedies.constrain.charts import (
    constraint_frontier_alt,
    constraint_frontier_chart,
    constraint_gaps_alt,
    constraint_gaps_chart,
    constraint_gaps_note,
    constraint_path_alt,
    constraint_path_chart,
)
from fairaudit.remedies.constrain.details import ConstrainDetails
from fairaudit.remedies.constrain.naming import asked_text
from fairaudit.remedies.constrain.plan import ConstrainPlan
from fairaudit.remedies.constrain.tables import printed_asked
from fairaudit.remedies.shared.drawn import drawn
from fairaudit.remedies.shared.gap_columns import HELD
from fairaudit.study.findings import RemedyFinding, StudyFacts


def kept_text(details: ConstrainDetails) -> str:
    """Return how many limits hold on the test cases; empty where there is one, which the answer says, or hidden."""
    pairs = details.pairs
    if details.n_pairs_within is None or pairs["spec"].nunique() < 2:
        return ""
    held = pairs["reading"].isin(HELD)
    before = (pairs["held_out_before"].abs() / pairs["max_difference"]).round(DECIMALS) <= 1
    kept, without = (each.groupby(pairs["spec"]).all() for each in (held, before))
    counts: dict[str, Argument] = {
        "n": Count(int(kept.sum())),
        "all": Count(len(kept)),
        "before": Count(int(without.sum())),
    }
    return say(Message("constrain-kept", counts))


def command_lines(finding: RemedyFinding, facts: StudyFacts) -> list[str]:
    """Return the same for the command line."""
    return [f"  {kept}"] if (kept := kept_text(finding.details)) else []


def asked_blocks(finding: RemedyFinding, facts: StudyFacts, number: int, tables: dict[str, Table]) -> list[Block]:
    """Return the constraints in words."""
    specs = map(FairnessSpec.parse, as_part(finding.plan, ConstrainPlan).constraints)
    asked = [asked_text(spec, positive_meaning=facts.positive_meaning) for spec in specs]
    return [Items(tuple(asked), title=say(Message("constrain-asked")))]


def result_blocks(finding: RemedyFinding, facts: StudyFacts, number: int, tables: dict[str, Table]) -> list[Block]:
    """Return how many constraints hold, and a chart of each pair of groups."""
    details = finding.details
    blocks: list[Block] = [Paragraph(kept)] if (kept := kept_text(details)) else []
    if not len(details.pairs):
        return blocks
    title = f"{say(Message('constrain-chart-gaps'))}. {constraint_gaps_note(details.pairs)}".strip()
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
    title = f"{say(Message('constrain-chart-path'))}."
    path = drawn(number, "path", title, (constraint_path_chart, constraint_path_alt), details.path, single=single)
    title = f"{say(Message('constrain-chart-frontier'))}."
    drawing = (constraint_frontier_chart, constraint_frontier_alt)
    return [*blocks, path, drawn(number, "frontier", title, drawing, details.path, scale=details.scale)]
