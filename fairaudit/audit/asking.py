"""What the answer to any question of a plan is made of, whether shares or means are compared."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from fairaudit.conditions import Condition
from fairaudit.data.table import Table
from fairaudit.errors import GroupError, InputError, ManyValuesError, quote
from fairaudit.measure.grouping import MAX_GROUPS
from fairaudit.plan.audit_plan import AuditPlan
from fairaudit.plan.naming import names_of
from fairaudit.plan.questions import CheckPlan


class Question:
    """A question of a plan, read for a table, and what of it the rows do not allow.

    Parameters
    ----------
    table : Table
        The data.
    plan : AuditPlan
        The audit.
    check : CheckPlan
        The question.
    """

    def __init__(self, table: Table, plan: AuditPlan, check: CheckPlan):
        self.table = table
        self.plan = plan
        self.check = check
        protected = self.table.condition(check.protected)
        if protected is None:
            raise InputError(
                "'protected' of a check is empty.", hint="Write a condition that says who is in the protected group."
            )
        self.protected: Condition = protected
        self.where = self.table.condition(check.where)
        self.not_compared: list[str] = []

    @property
    def own_columns(self) -> tuple[str, ...]:
        """The columns that make groups of their own, beside those of the protected condition."""
        names = dict.fromkeys(name for columns in self.check.compare for name in columns)
        return tuple(name for name in names if name not in self.protected.columns)

    def groups(self, compare: Callable[..., Any], **settings: Any) -> tuple[Any, ...]:
        """Compare the groups of each entry of the plan, the first with its reference."""
        found = []
        for position, columns in enumerate(self.check.compare):
            reference = self.check.reference if position == 0 else None
            few = "fewer than two groups" + (f", or no {quote(reference)}," if reference is not None else "")
            given: dict[str, Any] = {"columns": columns, "reference": reference, "min_count": self.check.min_count}
            reason = f"{_names(columns)}: there are {few} among the rows looked at."
            found.append(self.tried(compare, columns, reason, **settings, **given))
        return tuple(each for each in found if each is not None)

    def strata(self, compare: Callable[..., Any], **settings: Any) -> Any:
        """Compare inside the strata of the plan; None where it names none, or none holds both groups."""
        if not self.check.strata:
            return None
        names = self.check.strata
        reason = f"Inside {_names(names)}: no stratum holds both groups."
        asked: dict[str, Any] = {"protected": self.protected, "strata": names, "strata_cuts": self.check.strata_cuts}
        return self.tried(compare, names, reason, remedy="cut numbers into bands", **settings, **asked)

    def tried(
        self,
        compare: Callable[..., Any],
        names: Sequence[str],
        reason: str,
        *,
        remedy: str = "put the values into classes first",
        **settings: Any,
    ) -> Any:
        """Return what a comparison finds; where it has no groups, or too many, note the reason and return None."""
        try:
            return compare(self.table, **settings)
        except GroupError:
            self.not_compared.append(reason)
        except ManyValuesError:
            # The number is a figure of the rows, and this sentence is also in documents that hide small counts.
            together = " together" if len(names) > 1 else ""
            self.not_compared.append(
                f"{_names(names)}: there are more than {MAX_GROUPS:,} different values{together}. Choose columns with "
                f"fewer, or {remedy}."
            )
        return None

    @property
    def similar_words(self) -> str:
        """Who is compared with whom among similar people."""
        return f"People similar in {_names(self.check.similar_by)}"

    @property
    def words(self) -> dict[str, Any]:
        """What any finding says of the question, once all of it was asked."""
        return {
            "where_words": None if self.where is None else self.where.in_words(),
            "protected_words": self.protected.in_words(),
            "not_compared": tuple(self.not_compared),
            "names": names_of(self.plan, self.check, self.protected),
        }


def _names(columns: Sequence[str]) -> str:
    return " and ".join(quote(column, limit=60) for column in columns)
