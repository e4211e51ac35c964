"""What the quality report finds in a table that stays in its engine: from counts by value, never from rows.

Columns with many values are not looked through value by value; ``Look.unseen`` names those of texts.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import pandas as pd

from fairaudit import conditions
from fairaudit.columns import Column
from fairaudit.conditions.evaluation import to_lower
from fairaudit.conditions.names import is_money
from fairaudit.conditions.resembling import TypingError, typing_errors
from fairaudit.data.column_facts import FEW_VALUES, ColumnFacts, Look, different_sql, fractions_sql
from fairaudit.data.kinds import WRITTEN_NUMBER
from fairaudit.data.table import Table
from fairaudit.data.unknown_codes import FAR, HIGH_CODES, LOW_CODES, OddCode
from fairaudit.data.unknown_words import unknown_meaning

LEVELS = 1_000
"""Columns with more values are not looked through value by value."""

DUPLICATE_ROWS = 1_000_000
"""Above this number of rows, repeated rows are not looked for."""

_NUMBER = re.compile(WRITTEN_NUMBER)
# As the regular expressions of the embedded database have them.
_BLANKS = re.compile(r"[\t\n\f\r ]+")


def look_in_engine(table: Table) -> Look:
    """Look at every column of a connected table.

    Notes
    -----
    One GROUP BY for each column, one statement for all columns of many values, one for repeated rows.
    """
    columns = list(table.columns.values())
    values = {column.name: table.values(column.name, limit=LEVELS + 2) for column in columns}
    # One of the values may be "missing".
    many = [column for column in columns if values[column.name]["value"].notna().sum() > LEVELS]
    wide = _facts_of_many(table, many)
    facts, codes = [], {}
    for column in columns:
        if column.name in wide:
            facts.append(wide[column.name])
            found = _number_codes_of_many(table, column) if column.kind == "number" else ()
        else:
            known = values[column.name].dropna(subset="value")
            facts.append(_facts(column, known))
            found = _codes(column, known)
        if found:
            codes[column.name] = found
    unseen = tuple(column.name for column in many if column.kind == "text")
    return Look(tuple(facts), codes, _duplicates(table), unseen)


def _facts(column: Column, known: pd.DataFrame) -> ColumnFacts:
    n, values = known["n"], known["value"]
    numeric = money = fractions = 0
    folded = len(known)
    errors: tuple[TypingError, ...] = ()
    if column.kind == "text":
        numeric = int(n[[_NUMBER.fullmatch(value) is not None for value in values]].sum())
        money = int(n[[is_money(value) for value in values]].sum())
        folded = len({to_lower(_BLANKS.sub("", value)) for value in values})
        if len(known) <= FEW_VALUES:
            errors = typing_errors(dict(zip(values, map(int, n), strict=True)))
    elif column.kind == "number":
        fractions = int(n[(values % 1 != 0).to_numpy(dtype=bool)].sum())
    return ColumnFacts(column, int(n.sum()), len(known), numeric, money, fractions, folded, errors)


def _facts_of_many(table: Table, columns: Sequence[Column]) -> dict[str, ColumnFacts]:
    """Return facts on columns with many values, all with one statement."""
    if not columns:
        return {}
    writer = table.writer
    parts = []
    for column in columns:
        not_whole = fractions_sql(writer, column.name) if column.kind == "number" else "0"
        parts += [f"count({writer.quoted(column.name)})", different_sql(writer, column.name), not_whole]
    values = iter(table.aggregate(parts))
    facts = {}
    for column in columns:
        known, distinct, fractions = (int(next(values)) for _ in range(3))
        facts[column.name] = ColumnFacts(column, known, distinct, fractions=fractions, folded=distinct)
    return facts


def _codes(column: Column, known: pd.DataFrame) -> tuple[OddCode, ...]:
    pairs = list(zip(known["value"], known["n"], strict=True))
    if column.kind == "text":
        odd = {v: int(n) for v, n in pairs if unknown_meaning(v)}
        return tuple(OddCode(text, n) for text, n in sorted(odd.items()))
    if column.kind != "number" or len(pairs) <= 3:
        return ()
    others = known.loc[~known["value"].isin([*HIGH_CODES, *LOW_CODES])].sort_values("value")
    if others.empty:
        return ()
    reached = others["n"].cumsum().searchsorted(0.99 * others["n"].sum())
    high = float(others["value"].iloc[min(int(reached), len(others) - 1)])
    return _standing_out(dict(pairs), float(others["value"].iloc[0]), high)


def _number_codes_of_many(table: Table, column: Column) -> tuple[OddCode, ...]:
    odd = conditions.Condition.one_of(column.name, [*HIGH_CODES, *LOW_CODES], table.columns)
    found = table.values(column.name, where=odd)
    if found.empty:
        return ()
    writer = table.writer
    name = writer.quoted(column.name)
    every = ", ".join(str(code) for code in (*HIGH_CODES, *LOW_CODES))
    other = writer.number(f"CASE WHEN {name} NOT IN ({every}) THEN {name} END")
    least, high = table.aggregate([f"min({other})", writer.quantile(other, 0.99)])
    if least is None:
        return ()
    return _standing_out(dict(zip(found["value"], found["n"], strict=True)), float(least), float(high))


def _standing_out(counts: dict, least: float, high: float) -> tuple[OddCode, ...]:
    """Return high codes far above nearly all other values, and low ones where all else is positive."""
    codes = [code for code in HIGH_CODES if code in counts and code >= FAR * max(high, 1)]
    codes += [code for code in LOW_CODES if code in counts and least >= 0]
    return tuple(OddCode(str(code), int(counts[code])) for code in codes)


def _duplicates(table: Table) -> int | None:
    if table.n_rows > DUPLICATE_ROWS:
        return None
    writer = table.writer
    names = ", ".join(writer.quoted(name) for name in table.columns)
    inner = f"SELECT DISTINCT {names} FROM {writer.relation}"
    return int(table.aggregate([f"count(*) - (SELECT count(*) FROM ({inner}) AS different)"])[0])
