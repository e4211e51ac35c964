"""The columns that make the strata of a question, as rows of a study have them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Self

import pandas as pd

from fairaudit.conditions import Condition
from fairaudit.data.table import Table
from fairaudit.errors import ConditionError
from fairaudit.plan.audit_plan import AuditPlan
from fairaudit.plan.questions import CheckPlan


@dataclass(frozen=True, eq=False)
class StrataRows:
    """The columns that make the strata of a question, of all rows of a study.

    Parameters
    ----------
    columns : DataFrame, shape (n, n_columns)
        Their values.
    cuts : mapping of str to sequence of float
        For those that are cut into bands, where.
    """

    columns: pd.DataFrame
    cuts: Mapping[str, Sequence[float]]

    @classmethod
    def of(cls, rows: pd.DataFrame, question: CheckPlan | None) -> Self | None:
        """Take the columns of a question; None where there is none."""
        return None if question is None else cls(rows[list(question.strata)], question.strata_cuts)


def question_inside(table: Table, plan: AuditPlan, protected: Condition, where: Condition | None) -> CheckPlan | None:
    """Return the first question about these groups that has strata; None where there is none, or not in this table."""
    for check in plan.checks:
        if check.strata and plan.decision.column not in check.strata and set(check.strata) <= set(table.columns):
            with suppress(ConditionError):
                asked = (table.condition(check.protected), table.condition(check.where))
                if tuple(map(str, asked)) == tuple(map(str, (protected, where))):
                    return check
    return None
