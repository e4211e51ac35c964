"""What becomes of a filter and a protected group where another table is brought: they stay where they fit, else go.

Both name values of the table that they were written for. On another table they may mean nothing, or leave nobody; so
the page says what became of them, and one press takes that back.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from fairaudit.conditions.correcting import lacking_values
from fairaudit.data import Table
from fairaudit.errors import ConditionError, ConnectError, FairauditError, StoppedError, quote
from fairaudit.plan import CheckPlan

MOST_VALUES = 200
"""Of a column with more values, it is not looked whether those of a filter are among them."""


@dataclass(frozen=True)
class Moved:
    """A condition of a question about the table before, why it was left out (empty: still in use), and its words."""

    part: Literal["where", "protected"]
    condition: str
    why: str = ""
    words: str = ""

    def is_so(self, plan: CheckPlan) -> bool:
        """Whether that is still so, as the question is now."""
        now = getattr(plan, self.part)
        return not now if self.why else now == self.condition


def misfit(table: Table, text: str) -> str:
    """Return why a condition means nothing on a table; empty where it fits, or a database does not answer."""
    try:
        condition = table.condition(text)
        lacking = lacking_values(condition, lambda name: _all_values(table, name))
        if lacking:
            name, value = lacking[0]
            return f"No row of this table has the value {quote(str(value))} in the column {quote(name)}."
        if not table.count(condition):
            return "No row of this table meets it."
    except (ConnectError, StoppedError):
        return ""
    except ConditionError as error:
        return f"{error.plain.rstrip('.')}."
    except FairauditError as error:
        return error.message
    return ""


def _all_values(table: Table, column: str) -> Sequence[Any] | None:
    values = table.common_values(column)
    return values if len(values) <= MOST_VALUES else None
