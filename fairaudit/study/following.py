"""Which columns follow from the decision, the prediction or the score, so that they are not proposed for anything."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import pandas as pd

from fairaudit.conditions import Condition
from fairaudit.data.table import Table
from fairaudit.defaults import ENOUGH
from fairaudit.measure.comparable import follows_decision
from fairaudit.plan.audit_plan import AuditPlan
from fairaudit.plan.roles import outcome_of
from fairaudit.study.column_names import came_later, is_another

FOLLOWS: Final = "it seems to follow from {}"
"""Why such a column is not proposed."""
MOST_CLASSES: Final = 50
"""Of a role with more values, no column is looked for that puts them into classes."""
ROLES: Final = {"decision": "the decision", "prediction": "the prediction", "score": "the score"}


def columns_that_follow(
    table: Table,
    plan: AuditPlan,
    columns: Iterable[str],
    *,
    good: Condition | None = None,
    where: Condition | str | None = None,
) -> dict[str, str]:
    """Return which columns seem to follow from the decision, the prediction or the score, and from which of these.

    One does that goes with the decision alone (:func:`follows_decision`), that puts a prediction or a score into
    classes, or whose name says that it came later or is another of the same kind. Of a connected table, names alone are
    read, as looking at each column may take long. The favourable result is `good` where the table holds it otherwise.
    """
    parts = _parts(plan)
    if good is None and plan.decision.kind.has_good_outcome and not table.is_connected:
        good = outcome_of(table, plan.decision).condition
    found = {}
    for column in columns:
        what = follows_by_name(plan, column)
        if what is None and column not in parts.values() and not table.is_connected:
            what = next(iter(_by_rows(table, parts, column, good, where)), None)
        if what is not None:
            found[column] = what
    return found


def follows_by_name(plan: AuditPlan, column: str) -> str | None:
    """Return from what a column follows by its name: another of a role, or one that came after the decision."""
    parts = _parts(plan)
    if column in parts.values():
        return None
    another = [what for what, name in parts.items() if is_another(column, name)]
    return next(iter(another), ROLES["decision"] if came_later(column) else None)


def _parts(plan: AuditPlan) -> dict[str, str]:
    return {ROLES[role]: part.column for role in ROLES if (part := getattr(plan, role)) is not None}


def _by_rows(
    table: Table, parts: dict[str, str], column: str, good: Condition | None, where: Condition | str | None
) -> list[str]:
    if good is not None and follows_decision(table, column, good=good, where=where):
        return [ROLES["decision"]]
    named = [what for what, name in parts.items() if what != ROLES["decision"] and name in table.columns]
    return [what for what in named if _puts_into_classes(table, column, parts[what], where)]


def _puts_into_classes(table: Table, column: str, role: str, where: Condition | str | None) -> bool:
    """Say whether each value of a role, which has many rows, has one value of a column, which has fewer values."""
    counted = table.counts({"role": role, "value": column}, where=where).dropna(subset="role")
    n_roles = counted["role"].nunique()
    n_values = len(pd.unique(counted["value"]))
    enough = counted["n"].sum() >= ENOUGH * n_roles
    return bool(len(counted) == n_roles <= MOST_CLASSES and n_values > 1 and enough)
