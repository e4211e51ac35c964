"""The columns that a study reads: those that models learn from, and those that define groups."""

from __future__ import annotations

from collections.abc import Iterable

import pandas as pd

from fairaudit.data.table import Table, as_table
from fairaudit.errors import InputError, near_names, quote
from fairaudit.estimators.constraints import FairnessSpec
from fairaudit.estimators.leakage import columns_without_use
from fairaudit.measure.tally import column_list
from fairaudit.plan.audit_plan import AuditPlan
from fairaudit.plan.models import ModelsPlan
from fairaudit.remedies.registry import RemedyPlan, kind_of


def features_left_out(table: Table | pd.DataFrame, plan: AuditPlan) -> dict[str, str]:
    """Return the columns that models had better not learn from, and why; a person may take them all the same.

    They are the decision, the prediction and the score; the columns of the protected condition, of the groups and those
    that the plan calls protected; and columns without use, such as row numbers.
    """
    table = as_table(table)
    reasons: dict[str, str] = columns_without_use(table)
    reasons |= dict.fromkeys(protected_columns(table, plan), "it may say who is protected")
    for part, what in ((plan.prediction, "a prediction"), (plan.score, "a score"), (plan.decision, "the decision")):
        if part is not None:
            reasons[part.column] = f"it is {what}"
    return {name: reasons[name] for name in table.columns if name in reasons}


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
