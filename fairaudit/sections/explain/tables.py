"""What explains a gap, as tables: its parts, the controls, and what could overturn it."""

from __future__ import annotations

from typing import Any

from fairaudit.audit.result import ExplanationFinding
from fairaudit.disclosure.fields import Field, Kind
from fairaudit.findings import Message, Phrase
from fairaudit.messages import say
from fairaudit.present import naming
from fairaudit.present.blocks import INTERVAL_OF, TableBlock
from fairaudit.present.numbers import confidence_text, shown


def explanation_tables(finding: ExplanationFinding, number: int) -> list[TableBlock]:
    """Return the parts of a gap, the controls with their reasons, what could overturn it, and its curve."""
    return [
        parts_table(finding, number),
        controls_table(finding, number),
        sensitivity_table(finding, number),
        curve_table(finding, number),
    ]


def parts_table(finding: ExplanationFinding, number: int) -> TableBlock:
    """Return the gap and its parts, one row each, as of shares in points or of amounts in their unit."""
    found = finding.result
    kind: Kind = "points" if finding.decision.kind.has_good_outcome else "difference"
    level = confidence_text(found.confidence)
    columns = (
        Field("part", "part", "text", "The gap, or a part of it."),
        Field("value", naming.gap_head(finding.names, kind), kind, "The figure.", turns=True),
        Field("interval", f"{level} range (Wald)", INTERVAL_OF[kind], "Its range, by Wald's method.", turns=True),
    )
    rows: list[tuple[Any, ...]] = [("gap", shown(found.gap.value), tuple(found.gap.interval))]
    rows.append(("explained", shown(found.explained.value), tuple(found.explained.interval)))
    for row in found.by_control.itertuples():
        part = say(Message("explain-row-part", {"column": Phrase(row.control)}))
        rows.append((part, row.part, (row.part_low, row.part_high)))
    rows.append(("what is left", shown(found.unexplained.value), tuple(found.unexplained.interval)))
    if found.n_alone_protected or found.n_alone_reference:
        alone = found.no_counterpart
        rows.append(("no counterpart", shown(alone.value), tuple(alone.interval)))
    held = found.adjusted_gap
    rows.append(("what is left, by a model", shown(held.value), tuple(held.interval)))
    if held.doubly_robust is not None:
        check = held.doubly_robust
        rows.append(("the same, checked on other rows", shown(check.value), tuple(check.interval)))
    return TableBlock(
        f"explanation_{number}_parts",
        "The gap and its parts",
        columns,
        tuple(rows),
        is_turned=finding.names.of_unfavorable,
    )


def controls_table(finding: ExplanationFinding, number: int) -> TableBlock:
    """Return the controls with the reasons for them."""
    columns = (
        Field("control", "column", "text", "The column."),
        Field("reason", "why it may count", "text", "As the person says."),
        Field("differs", "goes with the group", "number", "A correlation from 0 to 1 with the group."),
        Field("marked", "differs strongly", "text", "yes: ask whether the decision or the group brought it about."),
    )
    known = {row.control: row for row in finding.result.by_control.itertuples()}
    rows = []
    for control in finding.plan.controls:
        row = known.get(control.column)
        figures = (shown(None), shown(None)) if row is None else (row.differs, bool(row.marked))
        rows.append((control.column, " ".join(control.reason.split()), *figures))
    return TableBlock(f"explanation_{number}_controls", "The columns and the reasons for them", columns, tuple(rows))


def sensitivity_table(finding: ExplanationFinding, number: int) -> TableBlock:
    """Return what could overturn the adjusted gap, one row a figure."""
    found = finding.result.sensitivity
    columns = (
        Field("figure", "figure", "text", "Which figure."),
        Field("gap", "for the gap to be 0", "number", "What it takes.", digits=3),
        Field("interval", "for its range to include 0", "number", "What it takes.", digits=3),
    )
    rows = [
        ("E-value", shown(found.e_value), shown(found.e_value_interval)),
        ("robustness value", shown(found.robustness_value), shown(found.robustness_value_interval)),
        ("times the strongest column", shown(found.times), shown(found.times_interval)),
        ("strength of a yes/no column", "", shown(found.touches_zero)),
    ]
    return TableBlock(f"explanation_{number}_overturning", "What could overturn it", columns, tuple(rows))


def curve_table(finding: ExplanationFinding, number: int) -> TableBlock:
    """Return the range of the gap under a missing column, by its strength."""
    kind: Kind = "points" if finding.decision.kind.has_good_outcome else "difference"
    columns = (
        Field("strength", "strength", "number", "Odds ratios; of amounts, shares explained."),
        Field("range", "range of the gap", INTERVAL_OF[kind], "Lowest and highest gap.", turns=True),
        Field("interval", "with its range", INTERVAL_OF[kind], "The same, with its range.", turns=True),
    )
    rows = tuple(
        (row.strength, (row.low, row.high), (row.interval_low, row.interval_high))
        for row in finding.result.sensitivity.curve.itertuples()
    )
    return TableBlock(
        f"explanation_{number}_curve",
        "The gap if a column is missing",
        columns,
        rows,
        is_turned=finding.names.of_unfavorable,
    )
