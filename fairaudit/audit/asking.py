"""What the answer to any question of a plan is made of, whether shares or means are compared."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal

from fairaudit.conditions import Condition
from fairaudit.data.table import Table
from fairaudit.errors import GroupError, InputError, ManyValuesError, quote
from fairaudit.findings import Argument, Count, Message, Phrase, Word
from fairaudit.measure.grouping import MAX_GROUPS
from fairaudit.messages import say
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
            named: dict[str, Argument] = {"reference": Phrase(quote(reference or ""))}
            named["has_reference"] = Word("no" if reference is None else "yes")
            given: dict[str, Any] = {"columns": columns, "reference": reference, "min_count": self.check.min_count}
            reason = say(Message("check-not-compared-groups", {"columns": _names(columns), **named}))
            found.append(self.tried(compare, columns, reason, **settings, **given))
        return tuple(each for each in found if each is not None)

    def strata(self, compare: Callable[..., Any], **settings: Any) -> Any:
        """Compare inside the strata of the plan; None where it names none, or none holds both groups."""
        if not self.check.strata:
            return None
        names = self.check.strata
        reason = say(Message("check-not-compared-strata", {"columns": _names(names)}))
        asked: dict[str, Any] = {"protected": self.protected, "strata": names, "strata_cuts": self.check.strata_cuts}
        return self.tried(compare, names, reason, remedy="bands", **settings, **asked)

    def tried(
        self,
        compare: Callable[..., Any],
        names: Sequence[str],
        reason: str,
        *,
        remedy: Literal["bands", "classes"] = "classes",
        **settings: Any,
    ) -> Any:
        """Return what a comparison finds; where it has no groups, or too many, note the reason and return None."""
        try:
            return compare(self.table, **settings)
        except GroupError:
            self.not_compared.append(reason)
        except ManyValuesError:
            # The number is a figure of the rows, and this sentence is also in documents that hide small counts.
            many: dict[str, Argument] = {
                "columns": _names(names),
                "most": Count(MAX_GROUPS),
                "several": Word("yes" if len(names) > 1 else "no"),
                "remedy": Word(remedy),
            }
            self.not_compared.append(say(Message("check-not-compared-many", many)))
        return None

    @property
    def similar_columns(self) -> dict[str, Argument]:
        """In what similar people are alike, as a message names it."""
        return {"columns": _names(self.check.similar_by)}

    @property
    def words(self) -> dict[str, Any]:
        """What any finding says of the question, once all of it was asked."""
        return {
            "where_words": None if self.where is None else self.where.in_words(),
            "protected_words": self.protected.in_words(),
            "not_compared": tuple(self.not_compared),
            "names": names_of(self.plan, self.check, self.protected),
        }


def _names(columns: Sequence[str]) -> Phrase:
    return Phrase(" and ".join(quote(column, limit=60) for column in columns))
