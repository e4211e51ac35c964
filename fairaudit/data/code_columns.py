"""Columns whose few whole numbers, or short texts, may be codes: what they stand for is to be asked."""

from __future__ import annotations

import re
from collections.abc import Iterable

from fairaudit.columns import Column, code_text
from fairaudit.data.case_counts import is_count_name
from fairaudit.data.table import Table

MOST_CODES = 12
"""A column with more different values holds numbers or names."""
FEWEST_CODES = 3
"""With two values, taking codes for numbers changes nothing."""
LONGEST_CODE = 3
"""Characters of a text that may be a code."""

_SAID_ORDERED = """
age ages year years yr month months week weeks day days hour hours minute minutes time times date quarter
score scores rating ratings rank ranks ranking grade grades level levels star stars point points decile deciles
quintile percentile quantile band bands step steps size scale
count counts number num no n nr total sum amount price cost pay wage salary income rent rate
children child kids dependents persons people members rooms bedrooms cars floors visits calls applications
offence offences offense offenses prior priors arrests convictions charges incidents absences credits credit
alter jahr jahre monat monate tage stunden anzahl note noten stufe punkte kinder
"""
_ORDERED = frozenset(_SAID_ORDERED.split())
_WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")


def sounds_ordered(name: str) -> bool:
    """Say whether a column's name says that its numbers have an order: a count, an age, a grade.

    Examples
    --------
    >>> [name for name in ("age", "priors_count", "NumRooms", "region", "derived_race") if sounds_ordered(name)]
    ['age', 'priors_count', 'NumRooms']
    """
    return is_count_name(name) or any(word.lower() in _ORDERED for word in _WORDS.findall(name))


def may_be_codes(table: Table, column: Column, *, distinct: int, fractions: int) -> bool:
    """Say whether a column of numbers may hold codes, which nobody has said yet."""
    few = FEWEST_CODES <= distinct <= MOST_CODES
    said = column.name in table.source.options.numbers
    return column.kind == "number" and few and not fractions and not said and not sounds_ordered(column.name)


def codes_in(table: Table, names: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Return, of some columns, those that hold few whole numbers or short texts, with these, in order.

    A column of numbers that are said to be such is none, and neither is one whose codes have labels.
    """
    found: dict[str, tuple[str, ...]] = {}
    for name in names:
        column = table.columns[name]
        if column.labels or column.kind not in ("number", "text") or name in table.source.options.numbers:
            continue
        values = [value for value in table.common_values(name) if value is not None]
        if not 2 <= len(values) <= MOST_CODES:
            continue
        codes = [code_text(value) for value in values]
        if column.kind == "number":
            if not all(float(value).is_integer() for value in values) or sounds_ordered(name):
                continue
            codes.sort(key=float)
        elif max(map(len, codes)) > LONGEST_CODE:
            continue
        else:
            codes.sort()
        found[name] = tuple(codes)
    return found
