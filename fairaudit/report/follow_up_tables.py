"""What explains a gap, and whether it changed, as tables."""

from __future__ import annotations

from typing import Any

from fairaudit.audit.result import ChangeFinding, ExplanationFinding
from fairaudit.errors import sure
from fairaudit.findings import Message, Phrase
from fairaudit.measure.results import ControlledFairness, ControlledMeans
from fairaudit.messages import say
from fairaudit.present.blocks import INTERVAL_OF, ColumnSpec, Kind, Table
from fairaudit.present.numbers import confidence_text, shown
from fairaudit.sections.change.reading import answers_of
from fairaudit.sections.change.saying import group_column

NONE = ("", "")


def explanation_tables(finding: ExplanationFinding, number: int) -> list[Table]:
    """Return the parts of a gap, the controls with their reasons, what could overturn it, and its curve."""
    return [
        parts_table(finding, number),
        controls_table(finding, number),
        sensitivity_table(finding, number),
        curve_table(finding, number),
    ]


def parts_table(finding: ExplanationFinding, number: int) -> Table:
    """Return the gap and its parts, one row each, as of shares in points or of amounts in their unit."""
    found = finding.result
    kind: Kind = "points" if finding.decision.kind.has_good_outcome else "difference"
    level = confidence_text(found.confidence)
    columns = (
        ColumnSpec("part", "part", "text", "The gap, or a part of it."),
        ColumnSpec("value", "protected minus others", kind, "The figure.", turns=True),
        ColumnSpec("interval", f"{level} range (Wald)", INTERVAL_OF[kind], "Its range, by Wald's method.", turns=True),
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
    return Table(
        f"explanation_{number}_parts",
        "The gap and its parts",
        columns,
        tuple(rows),
        is_turned=finding.names.of_unfavorable,
    )


def controls_table(finding: ExplanationFinding, number: int) -> Table:
    """Return the controls with the reasons for them."""
    columns = (
        ColumnSpec("control", "column", "text", "The column."),
        ColumnSpec("reason", "why it may count", "text", "As the person says."),
        ColumnSpec("differs", "goes with the group", "number", "A correlation from 0 to 1 with the group."),
        ColumnSpec(
            "marked", "differs strongly", "text", "yes: ask whether the decision or the group brought it about."
        ),
    )
    known = {row.control: row for row in finding.result.by_control.itertuples()}
    rows = []
    for control in finding.plan.controls:
        row = known.get(control.column)
        figures = (shown(None), shown(None)) if row is None else (row.differs, bool(row.marked))
        rows.append((control.column, " ".join(control.reason.split()), *figures))
    return Table(f"explanation_{number}_controls", "The columns and the reasons for them", columns, tuple(rows))


def sensitivity_table(finding: ExplanationFinding, number: int) -> Table:
    """Return what could overturn the adjusted gap, one row a figure."""
    found = finding.result.sensitivity
    columns = (
        ColumnSpec("figure", "figure", "text", "Which figure."),
        ColumnSpec("gap", "for the gap to be 0", "number", "What it takes.", digits=3),
        ColumnSpec("interval", "for its range to include 0", "number", "What it takes.", digits=3),
    )
    rows = [
        ("E-value", shown(found.e_value), shown(found.e_value_interval)),
        ("robustness value", shown(found.robustness_value), shown(found.robustness_value_interval)),
        ("times the strongest column", shown(found.times), shown(found.times_interval)),
        ("strength of a yes/no column", "", shown(found.touches_zero)),
    ]
    return Table(f"explanation_{number}_overturning", "What could overturn it", columns, tuple(rows))


def curve_table(finding: ExplanationFinding, number: int) -> Table:
    """Return the range of the gap under a missing column, by its strength."""
    kind: Kind = "points" if finding.decision.kind.has_good_outcome else "difference"
    columns = (
        ColumnSpec("strength", "strength", "number", "Odds ratios; of amounts, shares explained."),
        ColumnSpec("range", "range of the gap", INTERVAL_OF[kind], "Lowest and highest gap.", turns=True),
        ColumnSpec("interval", "with its range", INTERVAL_OF[kind], "The same, with its range.", turns=True),
    )
    rows = tuple(
        (row.strength, (row.low, row.high), (row.interval_low, row.interval_high))
        for row in finding.result.sensitivity.curve.itertuples()
    )
    return Table(
        f"explanation_{number}_curve",
        "The gap if a column is missing",
        columns,
        rows,
        is_turned=finding.names.of_unfavorable,
    )


def change_tables(finding: ChangeFinding, number: int) -> list[Table]:
    """Return the answers by period, the change and its parts, and in what the periods are recorded otherwise."""
    tables = [periods_table(finding, number)]
    if finding.result is not None:
        tables.append(change_table(finding, number))
    return [*tables, profile_table(finding, number)]


def periods_table(finding: ChangeFinding, number: int) -> Table:
    """Return one row a period with both groups and the gap."""
    level = confidence_text(finding.plan.confidence)
    shares = finding.decision.kind.has_good_outcome
    side, its = ("share", "Its share.") if shares else ("mean", "Its mean amount.")
    kind: Kind = "share" if shares else "amount"
    gap: Kind = "points" if shares else "difference"
    unit = ", points" if shares else ""
    names, of = finding.names, (f"protected_{side}", f"reference_{side}")
    columns = (
        ColumnSpec("period", "period", "text", "The period."),
        ColumnSpec("protected_n", group_column(names.protected), "count", "Its cases."),
        ColumnSpec(f"protected_{side}", group_column(names.protected, side), kind, its, turns=True),
        ColumnSpec("reference_n", group_column(names.others), "count", "Its cases."),
        ColumnSpec(f"reference_{side}", group_column(names.others, side), kind, its, turns=True),
        ColumnSpec("gap", f"gap{unit}", gap, "Protected group minus everyone else.", of=of, turns=True),
        ColumnSpec("gap_interval", f"{level} range", INTERVAL_OF[gap], "Its range.", turns=True),
        ColumnSpec("adjusted_p_value", "p, adjusted", "p", "By Holm's method."),
    )
    rows = []
    if finding.line is not None:
        adjusted = list(finding.line.periods["adjusted_p_value"])
        for name, answer, p_value in zip(finding.line.names, finding.line.answers, adjusted, strict=False):
            rows.append((name, *_answer(answer), p_value))
    else:
        rows = [(n, *_answer(a), "") for n, a in zip(finding.compared.names, answers_of(finding), strict=True)]
    return Table(f"change_{number}_periods", "The gap by period", columns, tuple(rows), is_turned=names.of_unfavorable)


def change_table(finding: ChangeFinding, number: int) -> Table:
    """Return the change and its parts."""
    found = sure(finding.result)
    shares = finding.decision.kind.has_good_outcome
    kind: Kind = "points" if shares else "difference"
    unit, level = "points" if shares else "after minus before", confidence_text(found.confidence)
    columns = (
        ColumnSpec("part", "part", "text", "The change, or a part of it."),
        ColumnSpec("value", unit, kind, "After minus before.", beside=found.tolerance if shares else None, turns=True),
        ColumnSpec("interval", f"{level} range", INTERVAL_OF[kind], "Its range.", turns=True),
        ColumnSpec("p_value", "p-value", "p", "Of no change."),
    )
    rows = [("change", shown(found.change), tuple(found.change_interval), shown(found.p_value))]
    if found.strata:
        rows.append(("mix", shown(found.mix), tuple(found.mix_interval), ""))
        rows.append(("rates", shown(found.rates), tuple(found.rates_interval), ""))
    return Table(
        f"change_{number}_change",
        "The change and its parts",
        columns,
        tuple(rows),
        is_turned=finding.names.of_unfavorable,
    )


def profile_table(finding: ChangeFinding, number: int) -> Table:
    """Return in what the periods are recorded otherwise."""
    found = finding.compared
    columns = (
        ColumnSpec("column", "column", "text", "The column."),
        ColumnSpec("change", "what changed", "text", "The kind of change."),
        ColumnSpec("matters", "the question depends on it", "text", "Whether the question uses it."),
        ColumnSpec("sentence", "in words", "text", "What changed."),
    )
    rows = tuple((d.column, d.change.replace("_", " "), d.matters, d.sentence) for d in found.profile)
    return Table(f"change_{number}_recording", "How the periods were recorded", columns, rows)


def _answer(answer: ControlledFairness | ControlledMeans) -> tuple[Any, ...]:
    gap = (shown(answer.difference), tuple(answer.difference_interval))
    groups = answer.protected, answer.reference
    sides = [(shown(each.n), shown(each.mean if hasattr(each, "mean") else each.ratio)) for each in groups]
    return *sides[0], *sides[1], *gap
