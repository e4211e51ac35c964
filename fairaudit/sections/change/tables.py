"""Whether a gap changed, as tables: the periods, the change, and how the periods were recorded."""

from __future__ import annotations

from functools import partial

from fairaudit.audit.result import ChangeFinding
from fairaudit.disclosure.fields import Field, field_named
from fairaudit.errors import require
from fairaudit.findings import Message
from fairaudit.measure.period_results import PeriodComparison, ProfileDifference
from fairaudit.measure.quantity import UNITS
from fairaudit.messages import say
from fairaudit.present import naming
from fairaudit.present.blocks import TableBlock
from fairaudit.present.field_tables import Column, column_table, declared_by, record_table
from fairaudit.present.numbers import confidence_text
from fairaudit.sections.change.reading import Answer, answers_of
from fairaudit.sections.change.saying import group_column


def change_tables(finding: ChangeFinding, number: int) -> list[TableBlock]:
    """Return the answers by period, the change and its parts, and in what the periods are recorded otherwise."""
    tables = [periods_table(finding, number)]
    if finding.result is not None:
        tables.append(change_table(finding, number))
    return [*tables, profile_table(finding, number)]


def periods_table(finding: ChangeFinding, number: int) -> TableBlock:
    """Return one row a period with both groups and the gap."""
    level = confidence_text(finding.plan.confidence)
    unit = UNITS[finding.decision.kind.quantity]
    side, its, kind, gap = unit.name, f"Its {unit.meaning}.", unit.figure, unit.gap
    names, of = finding.names, (f"protected_{side}", f"reference_{side}")
    group = partial(Field, kind=kind, meaning=its, turns=True)
    difference = Field(
        "gap", naming.gap_head(names, gap), gap, "Protected group minus everyone else.", of=of, turns=True
    )
    ends = Field("gap_interval", f"{level} range", unit.gap_interval, "Its range.", turns=True)
    held: tuple[Column[tuple[str, Answer, object]], ...] = (
        (Field("period", "period", "text", "The period."), lambda each: each[0]),
        (Field("protected_n", group_column(names.protected), "count", "Its cases."), lambda each: each[1].protected.n),
        (group(of[0], group_column(names.protected, side)), lambda each: each[1].protected.value),
        (Field("reference_n", group_column(names.others), "count", "Its cases."), lambda each: each[1].reference.n),
        (group(of[1], group_column(names.others, side)), lambda each: each[1].reference.value),
        (difference, lambda each: each[1].difference),
        (ends, lambda each: each[1].difference_interval),
        (Field("adjusted_p_value", "p, adjusted", "p", "By Holm's method."), lambda each: each[2]),
    )
    adjusted = ("", "") if finding.line is None else finding.line.periods["adjusted_p_value"]
    periods = zip(finding.compared.names, answers_of(finding), adjusted, strict=False)
    title = "The gap by period"
    return column_table(f"change_{number}_periods", title, periods, held, is_turned=names.of_unfavorable)


def change_table(finding: ChangeFinding, number: int) -> TableBlock:
    """Return the change and its parts."""
    found = require(finding.result)
    unit = UNITS[finding.decision.kind.quantity]
    head = say(Message("column-change", {"unit": unit.gap_unit}))
    level = confidence_text(found.confidence)
    value = Field("value", head, unit.gap, "After minus before.", beside=found.tolerance, turns=True)
    ends = Field("interval", f"{level} range", unit.gap_interval, "Its range.", turns=True)
    held: tuple[Column[str], ...] = (
        (
            Field("part", "part", "text", "The change, or a part of it."),
            lambda name: field_named(PeriodComparison, name).label,
        ),
        (value, lambda name: getattr(found, name)),
        (ends, lambda name: getattr(found, f"{name}_interval")),
        (Field("p_value", "p-value", "p", "Of no change."), lambda name: found.p_value if name == "change" else ""),
    )
    names = ("change", "mix", "rates") if found.strata else ("change",)
    key, title = f"change_{number}_change", "The change and its parts"
    return column_table(key, title, names, held, is_turned=finding.names.of_unfavorable)


def profile_table(finding: ChangeFinding, number: int) -> TableBlock:
    """Return in what the periods are recorded otherwise."""
    key, title = f"change_{number}_recording", "How the periods were recorded"
    cells = {"change": lambda each: each.change.replace("_", " ")}
    return record_table(key, title, finding.compared.profile, declared_by(ProfileDifference), cells=cells)
