"""Fill an audit from what a form of a rule found: protected columns, questions, comparisons and tolerance."""

from __future__ import annotations

from fairaudit.conditions import Condition
from fairaudit.data.table import Table
from fairaudit.errors import sure
from fairaudit.measure.impact import ImpactRow
from fairaudit.measure.standardized import MeanRow
from fairaudit.plan.audit_plan import AuditPlan
from fairaudit.plan.questions import CheckPlan
from fairaudit.presets.findings import MeansFinding, PresetFinding, RatesFinding


def fill_plan(plan: AuditPlan, finding: PresetFinding, table: Table) -> AuditPlan:
    """Return a plan with the protected columns, the questions and the tolerance of a preset."""
    parts: tuple[RatesFinding | MeansFinding, ...] = (*finding.rates, *finding.means)
    singles: dict[str, ImpactRow | MeanRow] = {}
    for part in parts:
        base = _base(part)
        # A question needs people on both sides.
        if len(part.table.columns) == 1 and base is not None and len(part.table.rows) > 1:
            singles.setdefault(part.table.columns[0], base)
    crossings = dict.fromkeys(part.table.columns for part in parts if len(part.table.columns) > 1)
    where = None if finding.plan.where is None else table.condition(finding.plan.where)
    for column, values in finding.unknown_values:
        known = ~Condition.one_of(column, values, table.columns)
        where = known if where is None else where & known
    filtered = None if where is None else str(where)
    checks = []
    for place, (column, base) in enumerate(singles.items()):
        others = ~Condition.equals(column, base.values[0][1], table.columns)
        checks.append(
            CheckPlan(
                title=f"{finding.preset.title}: {column}",
                where=filtered,
                protected=str(others),
                protected_name=f"everybody but {base.name}",
                tolerance=finding.preset.tolerance,
                compare=((column,), *(crossings if place == 0 else ())),
                reference=base.name,
            )
        )
    asked = [*singles]
    for sides in finding.sides:
        if sides.column in asked:
            continue
        both = Condition.one_of(sides.column, (*sides.protected_values, *sides.reference_values), table.columns)
        checks.append(
            CheckPlan(
                title=f"{finding.preset.title}: {sides.column}",
                where=str(both) if filtered is None else str(sure(table.condition(filtered)) & both),
                protected=str(Condition.one_of(sides.column, sides.protected_values, table.columns)),
                protected_name=finding.preset.words.compared,
                tolerance=finding.preset.tolerance,
            )
        )
        asked.append(sides.column)
    protected = tuple(dict.fromkeys((*plan.protected_columns, *asked)))
    return plan.model_copy(update={"protected_columns": protected, "checks": tuple(checks) or plan.checks})


def _base(part: RatesFinding | MeansFinding) -> ImpactRow | MeanRow | None:
    """Return the group that the others are compared with in a question."""
    base = next((row for row in part.table.rows if row.is_reference), None)
    if not isinstance(base, ImpactRow) or not base.small:
        return base
    large = [row for row in part.table.rows if isinstance(row, ImpactRow) and not row.small]
    return max(large, key=lambda row: row.group.ratio, default=base)
