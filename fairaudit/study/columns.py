"""The columns that a study reads: those that models learn from, and those that define groups."""

from __future__ import annotations

from collections.abc import Iterable

import pandas as pd

from fairaudit.data.table import Table
from fairaudit.errors import InputError, near_names, quote
from fairaudit.estimators.constraints import FairnessSpec
from fairaudit.measure.controlled import column_list
from fairaudit.plan.audit_plan import AuditPlan
from fairaudit.plan.models import ModelsPlan
from fairaudit.remedies.registry import RemedyPlan, kind_of


def feature_columns(table: Table, plan: AuditPlan, models: ModelsPlan) -> tuple[str, ...]:
    """Return the columns that the models of a plan learn from, checked."""
    features = column_list(models.features, "features", table)
    if plan.decision.column in features:
        raise InputError(
            f"'features' must not hold the decision column, got {quote(plan.decision.column)}.",
            hint="A model that is given the answer learns nothing; leave the column out.",
        )
    return features


def protected_columns(table: Table, plan: AuditPlan) -> set[str]:
    """Return the columns that a plan calls protected, and those of its protected condition and groups."""
    columns = set(plan.protected_columns)
    if plan.models is not None:
        condition = table.condition(plan.models.protected)
        columns |= set(() if condition is None else condition.columns) | set(plan.models.by)
    return columns


def remedy_columns(table: Table, remedies: Iterable[RemedyPlan]) -> tuple[str, ...]:
    """Return the columns that define the groups of remedies, beside those of the study."""
    found = (column for remedy in remedies for column in kind_of(remedy).group_columns(remedy, table))
    return tuple(dict.fromkeys(found))


def spec_columns(spec: FairnessSpec, columns: Table | pd.DataFrame) -> tuple[str, ...]:
    """Return the columns that define the groups of a constraint, checked."""
    try:
        needed = spec.needed_columns(columns)
    except InputError as error:
        raise InputError(f"In the constraint '{spec}': {error.message.rstrip('.')}.", hint=error.hint) from None
    missing = next((name for name in needed if name not in columns.columns), None)
    if missing is not None:
        raise InputError(
            f"In the constraint '{spec}': there is no column {quote(missing)}.",
            hint=near_names(missing, columns.columns),
        )
    return needed
