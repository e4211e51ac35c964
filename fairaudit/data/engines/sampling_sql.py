"""The statement that draws a stratified sample: rows in the order of a seeded hash, as many of each stratum as asked.

With h the hash, evenly spread from 0 to 1, the n smallest of a stratum of N rows are nearly always below
(n + slack) / N. Only rows below that are ranked, so that the engine sorts few; with too little slack the statement
would give too few rows, which the slack makes less likely than 10^-12.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from fairaudit.columns import Column
from fairaudit.conditions import Condition
from fairaudit.data.table import Table
from fairaudit.data.writing import Dialect, SqlWriter

DIGITS = 12
"""Hexadecimal digits of a hash that are compared with a bound."""

_TEXTS: dict[Dialect, str] = {"duckdb": "VARCHAR", "postgres": "text", "sqlite": "TEXT", "spark": "STRING"}
# Hashes are digits: compared by code, which is faster than by a language.
_HASHES: dict[Dialect, str] = {"postgres": 'md5({}) COLLATE "C"'}


def drawing_sql(
    table: Table,
    members: Sequence[Sequence[str]],
    *,
    sizes: Sequence[int],
    quotas: Sequence[int],
    seed: int,
    where: Condition | None,
) -> str:
    """Return the statement."""
    writer = table.writer
    names = ", ".join(map(writer.quoted, table.columns))
    content, copy, drawn, stratum, place = map(writer.quoted, _free_names(table.columns))
    hashed = _HASHES.get(writer.dialect, "md5({})").format
    whose = " ".join(f"WHEN {' AND '.join(met) or '1 = 1'} THEN {number}" for number, met in enumerate(members))
    bounds = _cases([f"'{_bound(*pair)}'" for pair in zip(sizes, quotas, strict=True)])
    filtered = "" if where is None else f" WHERE {writer.condition(where)}"
    contents = f"SELECT {names}, {hashed(_content(writer, table.columns.values()))} AS {content}"
    contents += f" FROM {writer.relation}{filtered}"
    copies = f"SELECT *, row_number() OVER (PARTITION BY {content} ORDER BY {content}) AS {copy} FROM ({contents}) AS a"
    mixed = f"'{seed}:' || {content} || ':' || CAST({copy} AS {_TEXTS[writer.dialect]})"
    hashes = f"SELECT *, {hashed(mixed)} AS {drawn}, CASE {whose} END AS {stratum} FROM ({copies}) AS b"
    near = f"substr({drawn}, 1, {DIGITS}) <= CASE {stratum} {bounds} END"
    ranks = f"SELECT *, row_number() OVER (PARTITION BY {stratum} ORDER BY {drawn}) AS {place}"
    ranks += f" FROM ({hashes}) AS c WHERE {near}"
    return f"SELECT {names} FROM ({ranks}) AS d WHERE {place} <= CASE {stratum} {_cases(quotas)} END ORDER BY {drawn}"


def _cases(values: Sequence[object]) -> str:
    return " ".join(f"WHEN {number} THEN {value}" for number, value in enumerate(values))


def _bound(size: int, quota: int) -> str:
    """Return what hashes of the rows to draw do not exceed, in hexadecimal digits."""
    most = quota + 8 * math.sqrt(quota) + 40
    top = 16**DIGITS - 1
    return f"{top if most >= size else int(top * most / size):0{DIGITS}x}"


def _content(writer: SqlWriter, columns: Iterable[Column]) -> str:
    """Return one text that differs wherever rows differ: a text with its length before it, missing as a letter."""
    parts = []
    for column in columns:
        name = writer.quoted(column.name)
        text = f"CAST({name} AS {_TEXTS[writer.dialect]})"
        if column.kind == "text":
            text = f"CAST(length({name}) AS {_TEXTS[writer.dialect]}) || ':' || {name}"
        elif column.kind == "number" and writer.dialect == "sqlite":
            # A cast would show 15 digits only.
            text = f"CASE typeof({name}) WHEN 'real' THEN printf('%!.17g', {name}) ELSE {text} END"
        parts.append(f"coalesce({text}, 'n')")
    return " || ';' || ".join(parts)


def _free_names(taken: Iterable[str]) -> list[str]:
    """Return five names that no column has, in any letter case."""
    prefix, folded = "drawn", {name.casefold() for name in taken}
    while any(name.startswith(prefix) for name in folded):
        prefix += "_"
    return [f"{prefix}_{number}" for number in range(5)]
