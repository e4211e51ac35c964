"""What a column of the present table holds, asked once for all widgets."""

from __future__ import annotations

import math
from numbers import Real
from typing import Any

from fairaudit.errors import FairauditError
from ui.state import AuditState

MOST = 200
GROUPED_FROM = 10_000
"""Numbers below it stand as they are: they may be years or codes."""
_ALL = 10_000
"""Of a column with more values, it is not looked which of them a filter keeps."""


def known_values(state: AuditState, column: str) -> tuple[list, bool]:
    """Return at most ``MOST`` values that can be chosen, the most frequent first, and whether the column has more."""
    values = [v.item() if hasattr(v, "item") else v for v in state.table.common_values(column) if v is not None]
    known = [v for v in values if not isinstance(v, float) or math.isfinite(v)]
    return known[:MOST], len(values) > MOST


def value_label(value: Any) -> str:
    """Write a value that is chosen for people: a number without an empty decimal, from 10,000 on with its thousands.

    Examples
    --------
    >>> value_label(38100.0), value_label(2020), value_label(2.5), value_label(True), value_label("12000")
    ('38,100', '2020', '2.5', 'True', '12000')
    """
    if not isinstance(value, Real) or isinstance(value, bool):
        return str(value)
    return f"{value:,.15g}" if abs(value) >= GROUPED_FROM else f"{value:.15g}"


def values_left(state: AuditState, column: str, known: list) -> list:
    """Return those of some values of a column of texts or numbers that the filter of the selected question keeps."""
    table, where = state.table, state.check.where
    if not where:
        return known
    try:
        kept = state.remember("values_left", (where, column), lambda: table.values(column, where=where, limit=_ALL))
    except FairauditError:
        # What is wrong with the filter is said where it is written.
        return known
    if len(kept) == _ALL:
        return known
    left = set(kept["value"].dropna())
    return [value for value in known if value in left]


def number_range(state: AuditState, column: str) -> tuple[float, float] | None:
    """Return the smallest and the largest number of a column; None where it has none, or endless ones."""
    ends = state.remember("range", column, lambda: state.table.column_range(column))
    if any(end is None or not math.isfinite(end) for end in ends):
        return None
    return float(ends[0]), float(ends[1])
