"""The columns that constraints name."""

from __future__ import annotations

from fairaudit.data.table import Table
from fairaudit.estimators.constraints import read_specs
from fairaudit.remedies.constrain.plan import ConstrainPlan
from fairaudit.study.columns import spec_columns


def named_columns(plan: ConstrainPlan, table: Table) -> tuple[str, ...]:
    """Return the columns that define the groups of the constraints, checked."""
    return tuple(column for spec in read_specs(plan.constraints) for column in spec_columns(spec, table))
