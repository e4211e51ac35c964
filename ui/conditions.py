"""Conditions as people read them."""

from __future__ import annotations

from fairaudit.data import Table
from fairaudit.errors import FairauditError


def condition_words(table: Table, text: str) -> str:
    """Return a condition in words, such as "race is Black", or as it is written where the table cannot read it."""
    try:
        return table.condition(text).in_words()
    except FairauditError:
        return text
