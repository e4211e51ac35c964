"""What explains a gap, as tables: its parts, the controls, and what could overturn it."""

from __future__ import annotations

from dataclasses import replace

from fairaudit.audit.result import ExplanationFinding
from fairaudit.disclosure.fields import Field, field_named
from fairaudit.findings import Message, Phrase
from fairaudit.measure.explain.results import AdjustedGap, Estimate, GapExplanation, Sensitivity
from fairaudit.measure.quantity import UNITS
from fairaudit.messages import say
from fairaudit.present import naming
from fairaudit.present.blocks import TableBlock
from fairaudit.present.field_tables import (
    FIGURE,
    adapted,
    columns_of,
    declared_by,
    frame_table,
    heads,
    in_unit,
    inserted,
)
from fairaudit.present.numbers import confidence_text, shown
from fairaudit.present.proxies import proxies_table


def explanation_tables(finding: ExplanationFinding, number: int) -> list[TableBlock]:
    """Return the parts of a gap, the controls with their reasons, what could overturn it, and its curve."""
    return [
        parts_table(finding, number),
        controls_table(finding, number),
        sensitivity_table(finding, number),
        curve_table(finding, number),
        *stand_in_tables(finding, number),
    ]


def stand_in_tables(finding: ExplanationFinding, number: int) -> list[TableBlock]:
    """Return how well each column stands in for the group; nothing where that is not asked, or hidden."""
    if finding.proxies is None:
        return []
    key = f"explanation_{number}_proxies"
    return [proxies_table(finding.proxies, key, finding.names, finding.decision.kind.quantity)]


def parts_table(finding: ExplanationFinding, number: int) -> TableBlock:
    """Return the gap and its parts, one row each, as of shares in points or of amounts in their unit."""
    found, declared = finding.result, in_unit(UNITS[finding.decision.kind.quantity], declared_by(Estimate))
    declared = adapted(declared, ("value",), label=naming.gap_head(finding.names, declared["value"].kind))
    level = f"{confidence_text(found.confidence)} range (Wald)"
    declared = adapted(declared, ("interval",), label=level)
    columns = (Field("part", "part", "text", "The gap, or a part of it."), *heads(declared))
    rows = [_part(found, "gap"), _part(found, "explained")]
    for row in found.by_control.itertuples():
        part = say(Message("explain-row-part", {"column": Phrase(row.control)}))
        rows.append((part, row.part, (row.part_low, row.part_high)))
    rows.append(_part(found, "unexplained"))
    if found.n_alone_protected or found.n_alone_reference:
        rows.append(_part(found, "no_counterpart"))
    rows.append(_part(found, "adjusted_gap"))
    if found.adjusted_gap.doubly_robust is not None:
        rows.append(_part(found.adjusted_gap, "doubly_robust"))
    turned = finding.names.of_unfavorable
    return TableBlock(f"explanation_{number}_parts", "The gap and its parts", columns, tuple(rows), is_turned=turned)


def _part(found: GapExplanation | AdjustedGap, name: str) -> tuple[object, ...]:
    part = getattr(found, name)
    return (field_named(type(found), name).label, shown(part.value), tuple(part.interval))


REASON = Field("reason", "why it may count", "text", "As the person says.")


def controls_table(finding: ExplanationFinding, number: int) -> TableBlock:
    """Return the controls with the reasons for them."""
    columns = heads(inserted(columns_of(GapExplanation, "by_control"), "control", reason=REASON))
    known = {row.control: row for row in finding.result.by_control.itertuples()}
    rows = []
    for control in finding.plan.controls:
        row = known.get(control.column)
        figures = (shown(None), shown(None)) if row is None else (row.differs, bool(row.marked))
        rows.append((control.column, " ".join(control.reason.split()), *figures))
    return TableBlock(f"explanation_{number}_controls", "The columns and the reasons for them", columns, tuple(rows))


OVERTURNING = (
    FIGURE,
    Field("gap", "for the gap to be 0", "number", "What it takes.", digits=3),
    Field("interval", "for its range to include 0", "number", "What it takes.", digits=3),
)


def sensitivity_table(finding: ExplanationFinding, number: int) -> TableBlock:
    """Return what could overturn the adjusted gap, one row a figure."""
    found, declared = finding.result.sensitivity, declared_by(Sensitivity)
    rows = [
        (declared[name].label, shown(getattr(found, name)), shown(getattr(found, f"{name}_interval")))
        for name in ("e_value", "robustness_value", "times")
    ]
    rows.append((declared["touches_zero"].label, "", shown(found.touches_zero)))
    return TableBlock(f"explanation_{number}_overturning", "What could overturn it", OVERTURNING, tuple(rows))


def curve_table(finding: ExplanationFinding, number: int) -> TableBlock:
    """Return the range of the gap under a missing column, by its strength."""
    declared = in_unit(UNITS[finding.decision.kind.quantity], columns_of(Sensitivity, "curve"))
    key, title = f"explanation_{number}_curve", "The gap if a column is missing"
    table = frame_table(key, title, finding.result.sensitivity.curve, declared)
    return replace(table, is_turned=finding.names.of_unfavorable)
