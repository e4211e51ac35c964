"""Whether a gap changed, as tables: the periods, the change, and how the periods were recorded."""

from __future__ import annotations

from fairaudit.audit.result import ChangeFinding
from fairaudit.disclosure.fields import Field, field_named
from fairaudit.errors import require
from fairaudit.findings import Message
from fairaudit.measure.period_results import PeriodComparison, ProfileDifference
from fairaudit.measure.quantity import UNITS
from fairaudit.measure.results import ControlledFairness, ControlledMeans
from fairaudit.messages import say
from fairaudit.present import naming
from fairaudit.present.blocks import TableBlock
from fairaudit.present.field_tables import declared_by, record_table
from fairaudit.present.numbers import confidence_text, shown
from fairaudit.sections.change.reading import answers_of
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
    columns = (
        Field("period", "period", "text", "The period."),
        Field("protected_n", group_column(names.protected), "count", "Its cases."),
        Field(f"protected_{side}", group_column(names.protected, side), kind, its, turns=True),
        Field("reference_n", group_column(names.others), "count", "Its cases."),
        Field(f"reference_{side}", group_column(names.others, side), kind, its, turns=True),
        Field("gap", naming.gap_head(names, gap), gap, "Protected group minus everyone else.", of=of, turns=True),
        Field("gap_interval", f"{level} range", unit.gap_interval, "Its range.", turns=True),
        Field("adjusted_p_value", "p, adjusted", "p", "By Holm's method."),
    )
    rows = []
    if finding.line is not None:
        adjusted = list(finding.line.periods["adjusted_p_value"])
        for name, answer, p_value in zip(finding.line.names, finding.line.answers, adjusted, strict=False):
            rows.append((name, *_answer(answer), p_value))
    else:
        rows = [(n, *_answer(a), "") for n, a in zip(finding.compared.names, answers_of(finding), strict=True)]
    return TableBlock(
        f"change_{number}_periods", "The gap by period", columns, tuple(rows), is_turned=names.of_unfavorable
    )


def change_table(finding: ChangeFinding, number: int) -> TableBlock:
    """Return the change and its parts."""
    found = require(finding.result)
    unit = UNITS[finding.decision.kind.quantity]
    head = say(Message("column-change", {"unit": unit.gap_unit}))
    level = confidence_text(found.confidence)
    columns = (
        Field("part", "part", "text", "The change, or a part of it."),
        Field("value", head, unit.gap, "After minus before.", beside=found.tolerance, turns=True),
        Field("interval", f"{level} range", unit.gap_interval, "Its range.", turns=True),
        Field("p_value", "p-value", "p", "Of no change."),
    )
    rows = [_part(found, "change", shown(found.p_value))]
    if found.strata:
        rows += [_part(found, "mix", ""), _part(found, "rates", "")]
    return TableBlock(
        f"change_{number}_change",
        "The change and its parts",
        columns,
        tuple(rows),
        is_turned=finding.names.of_unfavorable,
    )


def _part(found: PeriodComparison, name: str, p_value: object) -> tuple[object, ...]:
    interval = tuple(getattr(found, f"{name}_interval"))
    return (field_named(PeriodComparison, name).label, shown(getattr(found, name)), interval, p_value)


def profile_table(finding: ChangeFinding, number: int) -> TableBlock:
    """Return in what the periods are recorded otherwise."""
    key, title = f"change_{number}_recording", "How the periods were recorded"
    cells = {"change": lambda each: each.change.replace("_", " ")}
    return record_table(key, title, finding.compared.profile, declared_by(ProfileDifference), cells=cells)


def _answer(answer: ControlledFairness | ControlledMeans) -> tuple[object, ...]:
    gap = (shown(answer.difference), tuple(answer.difference_interval))
    groups = answer.protected, answer.reference
    sides = [(shown(each.n), shown(each.mean if hasattr(each, "mean") else each.ratio)) for each in groups]
    return *sides[0], *sides[1], *gap
