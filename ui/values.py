"""What a column of the present table holds, asked once for all widgets."""

from __future__ import annotations

import math

from ui.state import AuditState

MOST = 200


def known_values(state: AuditState, column: str) -> tuple[list, bool]:
    """Return at most ``MOST`` values that can be chosen, the most frequent first, and whether the column has more."""
    values = [v.item() if hasattr(v, "item") else v for v in state.table.common_values(column) if v is not None]
    known = [v for v in values if not isinstance(v, float) or math.isfinite(v)]
    return known[:MOST], len(values) > MOST


def number_range(state: AuditState, column: str) -> tuple[float, float] | None:
    """Return the smallest and the largest number of a column; None where it has none, or endless ones."""
    ends = state.remember("range", column, lambda: state.table.column_range(column))
    if any(end is None or not math.isfinite(end) for end in ends):
        return None
    return float(ends[0]), float(ends[1])
