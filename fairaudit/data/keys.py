"""Columns that number the rows, or the people whom several rows are about."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from fairaudit.data.engine import quoted
from fairaudit.data.table import Table

MOST_PERIODS = 20
"""A column with more values does not tell the rows of one person apart, as a year does."""
_FEW_ROWS = 50
_UNIQUE_SHARE = 0.99
_LEAST_VALUES_A_ROW = 0.2
# By chance, no two of so many repetitions would have the same period once in 20,000 tables.
_REPEATED = 10
_NAMES = re.compile(r"(?:^|[_\W])(?:id|ids|uid|uuid|guid|no|nr|num|number|key)(?:$|[_\W])", re.IGNORECASE)


@dataclass(frozen=True)
class Key:
    """A column that numbers rows or people.

    Parameters
    ----------
    column : str
        The column.
    n : int
        Its different values.
    n_known : int
        Rows that have one.
    period : str or None
        A column with which each row has values of its own, such as the year; None where no one column does that.
    """

    column: str
    n: int
    n_known: int
    period: str | None = None

    @property
    def is_repeated(self) -> bool:
        """Whether several rows have the same value."""
        return self.n < _UNIQUE_SHARE * self.n_known


def keys_of(table: Table, columns: Sequence[str], periods: Sequence[str] = ()) -> dict[str, Key]:
    """Return which of these columns number rows or people, looking at rows that are not in a database.

    A column of whole numbers or texts does that if nearly each row has a value of its own; if one of the `periods`
    tells all rows of one value apart, as the year does; or if its name says so and few rows have the same value.
    """
    names = [name for name in columns if table.columns[name].kind in ("number", "text")]
    if table.is_connected or not names:
        return {}
    parts = []
    for name in names:
        sql = quoted(name)
        is_number = table.columns[name].kind == "number"
        parts += [f"count({sql})", f"count(DISTINCT {sql})"]
        parts.append(f"count(*) FILTER ({sql} <> trunc({sql}))" if is_number else "0")
    figures, found = iter(table.aggregate(parts)), {}
    for name in names:
        known, distinct, fractions = (next(figures) for _ in range(3))
        if known < _FEW_ROWS or fractions:
            continue
        key = Key(name, distinct, known)
        if key.is_repeated:
            key = replace(key, period=_period(table, key, periods))
            says_so = bool(_NAMES.search(name)) and distinct >= _LEAST_VALUES_A_ROW * known
            if key.period is None and not says_so:
                continue
        found[name] = key
    return found


def _period(table: Table, key: Key, periods: Sequence[str]) -> str | None:
    """Return the first column of few values of which no row has one that another row of the same key has."""
    others = [name for name in periods if name != key.column]
    if not others:
        return None
    mine = quoted(key.column)
    parts = []
    for name in map(quoted, others):
        parts += [f"count(DISTINCT {name})", f"count(DISTINCT ({mine}, {name})) FILTER ({mine} IS NOT NULL)"]
    figures = iter(table.aggregate(parts))
    for name in others:
        n_periods, pairs = next(figures), next(figures)
        is_few = 2 <= n_periods <= MOST_PERIODS
        if is_few and pairs == key.n_known and key.n_known - key.n >= _REPEATED * n_periods:
            return name
    return None
