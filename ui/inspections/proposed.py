"""Which columns are plainly meant by "was looked at" and "was found": by their names and what they hold."""

from __future__ import annotations

import re
from typing import Final

from ui.state import AuditState
from ui.values import known_values

MOST_VALUES: Final = 12
"""A column of texts with more values than this does not say yes or no to a find."""

NAMES: Final = {
    "acted": (
        "looked_at", "was_searched", "searched", "search_conducted", "inspected", "was_inspected", "audited", "flagged",
        "frisked", "checked",
    ),
    "found": (
        "found", "was_found", "something_found", "contraband_found", "contraband", "hit", "is_hit", "violation_found",
        "violation", "violations", "arrest_made", "arrested", "finding", "search_outcome", "search_result",
        "inspection_outcome", "inspection_result", "outcome_of_inspection", "result_of_inspection",
    ),
}  # fmt: skip
"""What such columns are called, the plainest first."""


def proposed_column(state: AuditState, role: str) -> str | None:
    """Return the column that is plainly meant; None where there is none.

    Of "searched" beside "bag_searched", it is not plain which is meant.
    """
    plain = {column: plain_name(column) for column in state.table.columns}
    for name in NAMES[role]:
        fitting = [column for column, called in plain.items() if called == name or called.endswith(f"_{name}")]
        if fitting and name in map(plain.get, fitting) and _says_yes_or_no(state, fitting[0]):
            return fitting[0] if len(fitting) == 1 else None
    return None


def plain_name(column: str) -> str:
    """Return a name in small letters, its words joined by one line each.

    Examples
    --------
    >>> plain_name("Contraband Found"), plain_name("arrestMade"), plain_name("outcome of the inspection")
    ('contraband_found', 'arrest_made', 'outcome_of_inspection')
    """
    words = re.findall(r"[a-z]+|[0-9]+", re.sub(r"([a-z])([A-Z])", r"\1 \2", column).lower())
    return "_".join(word for word in words if word != "the")


def _says_yes_or_no(state: AuditState, column: str) -> bool:
    """Say whether a column holds few values; numbers, two: with more they count cases, which only a person can say."""
    kind = state.table.columns[column].kind
    if kind not in ("boolean", "number", "text"):
        return False
    known, many = known_values(state, column)
    return bool(known) and not many and len(known) <= (2 if kind == "number" else MOST_VALUES)
