"""What becomes of a filter where another table is brought: it stays where it fits, else it goes.

A filter names values of the table that it was written for. On another table it may mean nothing, or leave nobody; so
the page says what became of it, and one press takes that back.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from fairaudit.conditions.correcting import lacking_values
from fairaudit.data import Table
from fairaudit.errors import ConnectError, FairauditError, StoppedError, quote

MOST_VALUES = 200
"""Of a column with more values, it is not looked whether those of a filter are among them."""


@dataclass(frozen=True)
class MovedFilter:
    """A filter of the table before, and why it was left out; empty where it is in use on this table, too."""

    where: str
    why: str = ""

    def is_so(self, where: str | None) -> bool:
        """Whether that is still so, where this filter is in use now."""
        return not where if self.why else where == self.where


def misfit(table: Table, where: str) -> str:
    """Return why a filter means nothing on a table; empty where it fits, or where a database does not answer."""
    try:
        condition = table.condition(where)
        lacking = lacking_values(condition, lambda name: _all_values(table, name))
        if lacking:
            name, value = lacking[0]
            return f"No row of this table has the value {quote(str(value))} in the column {quote(name)}."
        if not table.count(condition):
            return "No row of this table meets it."
    except (ConnectError, StoppedError):
        return ""
    except FairauditError as error:
        return error.message
    return ""


def _all_values(table: Table, column: str) -> Sequence[Any] | None:
    values = table.common_values(column)
    return values if len(values) <= MOST_VALUES else None
