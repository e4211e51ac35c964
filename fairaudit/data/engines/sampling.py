"""A stratified sample, drawn in the engine: only the rows that were drawn come back.

Rows are ordered by a hash of the seed, of their content and of their copy number, which distinguishes rows of equal
content. So the order that an engine keeps rows in does not matter, equal rows are drawn or not one by one, and the same
data and seed give the same rows.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from numbers import Integral

import pandas as pd

from fairaudit.columns import Column, Kind
from fairaudit.conditions import Condition
from fairaudit.conditions.printing import name_to_text
from fairaudit.data.table import Table
from fairaudit.data.writing import Dialect, SqlWriter
from fairaudit.disclosure.fields import AS_ABOVE, figure, setting
from fairaudit.errors import ConnectError, InputError

# The statement that draws a stratified sample: rows in the order of a seeded hash, as many of each stratum as asked.
#
# With h the hash, evenly spread from 0 to 1, the n smallest of a stratum of N rows are nearly always below
# (n + slack) / N. Only rows below that are ranked, so that the engine sorts few; with too little slack the statement
# would give too few rows, which the slack makes less likely than 10^-12.

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
    bounds = _whens([f"'{_bound(*pair)}'" for pair in zip(sizes, quotas, strict=True)])
    filtered = "" if where is None else f" WHERE {writer.condition(where)}"
    contents = f"SELECT {names}, {hashed(_content(writer, table.columns.values()))} AS {content}"
    contents += f" FROM {writer.relation}{filtered}"
    copies = f"SELECT *, row_number() OVER (PARTITION BY {content} ORDER BY {content}) AS {copy} FROM ({contents}) AS a"
    mixed = f"'{seed}:' || {content} || ':' || CAST({copy} AS {_TEXTS[writer.dialect]})"
    hashes = f"SELECT *, {hashed(mixed)} AS {drawn}, CASE {whose} END AS {stratum} FROM ({copies}) AS b"
    near = f"substr({drawn}, 1, {DIGITS}) <= CASE {stratum} {bounds} END"
    ranks = f"SELECT *, row_number() OVER (PARTITION BY {stratum} ORDER BY {drawn}) AS {place}"
    ranks += f" FROM ({hashes}) AS c WHERE {near}"
    return f"SELECT {names} FROM ({ranks}) AS d WHERE {place} <= CASE {stratum} {_whens(quotas)} END ORDER BY {drawn}"


def _whens(values: Sequence[object]) -> str:
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


MAX_STRATA = 200
"""More strata than this are no strata."""

MISSING = "missing"
"""What a stratum is called in which a column has no value, or a condition is neither true nor false."""

Part = str | Condition

_FIRST, _LAST = pd.Timestamp(1, 1, 1).as_unit("us"), pd.Timestamp(9999, 12, 31).as_unit("us")


@dataclass(frozen=True)
class SampledStratum:
    """One stratum of a sample."""

    labels: tuple[str, ...] = setting(
        'One for each part that makes the strata: the value of a column; a condition, its opposite, or "missing".'
    )
    n: int = figure(
        "Rows drawn, and rows that there are.", label="rows drawn", kind="count", brief="Cases of the sample."
    )
    n_population: int = figure(AS_ABOVE, label="rows there are", kind="count", brief="Cases there are.")


@dataclass(frozen=True, eq=False)
class EngineSample:
    """Rows that were drawn, and how.

    Parameters
    ----------
    table : Table
        The rows, in memory, in the order of their hashes.
    n_rows, n_population : int
        Rows drawn, and rows that there are.
    strata : tuple of SampledStratum
        In ascending order, missing last.
    seed : int
        Of the hashes.
    """

    table: Table
    n_rows: int
    n_population: int
    strata: tuple[SampledStratum, ...]
    seed: int


def draw_sample(
    table: Table,
    answer: Callable[[str], pd.DataFrame],
    n: int,
    *,
    by: Sequence[Part],
    seed: int,
    where: Condition | str | None = None,
) -> EngineSample:
    """Draw rows in the engine, in proportion from each stratum and at least one from each; `answer` runs a statement.

    Notes
    -----
    Two statements: one counts the strata, one draws. The second sorts the rows by their hash in the engine.
    """
    whole: tuple[tuple[str, object, int], ...] = (("n", n, 1), ("seed", seed, 0))
    for name, value, least in whole:
        if isinstance(value, bool) or not isinstance(value, Integral) or value < least:
            raise InputError(f"'{name}' of a sample must be a whole number of at least {least}, got {value!r}.")
    parts = [table.condition(part) if isinstance(part, Condition) else table.column(part).name for part in by]
    condition = table.condition(where)
    counts = _ends_joined(table.counts({f"k{place}": part for place, part in enumerate(parts)}, where=condition))
    sizes = [int(size) for size in counts["n"]]
    if not sum(sizes):
        raise InputError("There is no row to draw a sample from.", hint="Choose a wider filter.")
    if len(sizes) > MAX_STRATA:
        raise InputError(
            f"A sample can have {MAX_STRATA} strata, and these columns make {len(sizes):,}.",
            hint="Draw by fewer columns, or by conditions.",
        )
    quotas = allocate(sizes, min(int(n), sum(sizes)))
    values = [tuple(row) for row in counts.drop(columns="n").astype(object).itertuples(index=False)]
    members = [[_membership_sql(table, *pair) for pair in zip(parts, row, strict=True)] for row in values]
    query = drawing_sql(table, members, sizes=sizes, quotas=quotas, seed=int(seed), where=condition)
    kinds: list[Kind] = [column.kind for column in table.columns.values()]
    frame = answer(query)
    if len(frame) != sum(quotas):
        raise ConnectError("The table changed while a sample was drawn from it.", hint="Try again.")
    strata = tuple(
        SampledStratum(tuple(_label(*pair) for pair in zip(parts, row, strict=True)), quota, size)
        for row, quota, size in zip(values, quotas, sizes, strict=True)
    )
    # What values are said to be like others is said of the sample, too.
    real_values = dict(table.source.options.real_values)
    drawn = Table.from_pandas(_with_dates(frame, kinds), name=table.name, real_values=real_values)
    drawn = drawn.known_as(table.columns)
    return EngineSample(drawn, len(frame), sum(sizes), strata, int(seed))


def allocate(sizes: Sequence[int], n: int) -> tuple[int, ...]:
    """Share rows out in proportion, by largest remainder; each stratum gets at least one.

    Strata whose share is less than one row get one each, and the others share what is left.

    Examples
    --------
    >>> allocate([700, 250, 49, 1], 10)
    (6, 2, 1, 1)
    """
    if n < len(sizes):
        raise InputError(
            f"A sample of {n:,} rows cannot hold one of each of {len(sizes):,} strata.", hint="Ask for more rows."
        )
    shared, left = dict(enumerate(sizes)), n
    alone: set[int] = set()
    while small := {place for place, size in shared.items() if size * left < sum(shared.values())}:
        alone |= small
        shared = {place: size for place, size in shared.items() if place not in small}
        left = n - len(alone)
    total = sum(shared.values())
    found = {place: size * left // total for place, size in shared.items()} | dict.fromkeys(alone, 1)
    order = sorted(shared, key=lambda place: (-(shared[place] * left % total), -shared[place], place))
    for place in order[: n - sum(found.values())]:
        found[place] += 1
    return tuple(found[place] for place in range(len(sizes)))


def _ends_joined(counts: pd.DataFrame) -> pd.DataFrame:
    """Make one stratum of all days beyond those that Python knows, which come back as the first or the last one."""
    keys = [name for name in counts if name != "n"]
    moments = [name for name in keys if pd.api.types.is_datetime64_any_dtype(counts[name])]
    clipped = counts.assign(**{name: counts[name].clip(_FIRST, _LAST) for name in moments})
    if not moments or not clipped.duplicated(keys).any():
        return clipped
    return clipped.groupby(keys, dropna=False, sort=False, as_index=False)["n"].sum()


def _membership_sql(table: Table, part: Part, value: object) -> str:
    """Return SQL for "this column has this value", or "this condition has this truth"."""
    if isinstance(part, str) and isinstance(value, pd.Timestamp) and value in (_FIRST, _LAST):
        beyond = f"{name_to_text(part)} {'<=' if value == _FIRST else '>='} DATE '{value.date()}'"
        return table.writer.condition(Condition.parse(beyond, table.columns))
    if isinstance(part, str):
        return table.writer.condition(Condition.equals(part, None if pd.isna(value) else value, table.columns))
    sql = f"({table.writer.condition(part)})"
    return f"{sql} IS NULL" if pd.isna(value) else sql if value else f"NOT {sql}"


def _label(part: Part, value: object) -> str:
    if pd.isna(value):
        return MISSING
    if isinstance(part, Condition):
        return (part if value else ~part).in_words()
    if isinstance(value, pd.Timestamp):
        return str(value.date()) if value == value.normalize() else str(value)
    return str(int(value)) if isinstance(value, float) and math.isfinite(value) and value.is_integer() else str(value)


def _with_dates(frame: pd.DataFrame, kinds: Sequence[Kind]) -> pd.DataFrame:
    """Return a frame whose dates are dates, not time stamps at midnight."""
    dates = [name for name, kind in zip(frame.columns, kinds, strict=True) if kind == "date"]
    return frame.assign(**{name: frame[name].dt.date.astype(object) for name in dates})
