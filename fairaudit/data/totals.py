"""Rows of a table of counts that add other rows up, found by their sums where no word says so."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from fairaudit.columns import Column
from fairaudit.data.count_columns import figure_columns
from fairaudit.data.table import Table

_MOST_VALUES = 1_000
_MOST_NUMBERS = 60
"""Whole numbers of more values are figures: years and grades have fewer."""
_MOST_GROUPS = 200_000
_MOST_TIMES = 3
"""Rows of a whole country and of its regions hold each case of a town once more each."""
_FEWEST_OTHERS = 2
_FEWEST_SUMS = 2
_FEWEST_CASES = 20


def sums_of_others(table: Table) -> dict[str, tuple[str | None, ...]]:
    """Return by column the values whose rows hold each case of all other rows once more; None for an empty cell.

    Looked for are values of texts in a table that is read as one of counts. Within each combination of the columns
    that its values do not decide, the cases of such a value are those of all others together, or twice or three times
    as many.

    Examples
    --------
    >>> rows = {"area": ["all of it", "north", "south"] * 2, "ok": ["y"] * 3 + ["n"] * 3, "n": [30, 18, 12, 50, 26, 24]}
    >>> sums_of_others(Table.from_pandas(pd.DataFrame(rows), counts="n"))
    {'area': ('all of it',)}
    """
    if table.source.options.counts is None or table.is_connected:
        return {}
    return table.remember(("sums",), lambda: dict(_found(table)))


def _found(table: Table) -> Iterator[tuple[str, tuple[str | None, ...]]]:
    figures = figure_columns(table)
    keys = [column for column in table.columns.values() if column.name not in figures and _is_key(table, column)]
    cells = table.counts([column.name for column in keys])
    if len(cells) > _MOST_GROUPS:
        return
    names = [column.name for column in keys if cells[column.name].nunique(dropna=False) > 1]
    coded = cells[names].apply(lambda values: values.factorize(use_na_sentinel=False)[0]).assign(n=cells["n"])
    for column in keys:
        if column.kind == "text" and column.name in names and column.name not in table.source.options.derived:
            sums = [
                cells.loc[coded.index[coded[column.name] == code][0], column.name]
                for code in _codes_of_sums(coded, column.name)
            ]
            if sums:
                yield column.name, tuple(None if pd.isna(value) else str(value) for value in sums)


def _is_key(table: Table, column: Column) -> bool:
    most = _MOST_NUMBERS if column.kind == "number" else _MOST_VALUES
    return len(table.values(column.name, limit=most + 1)) <= most


def _codes_of_sums(coded: pd.DataFrame, column: str) -> Iterator[int]:
    """Return the codes of a column that hold the cases of all others, in every combination of the other columns."""
    by_code = coded.groupby(column)["n"].sum()
    rest = by_code.sum() - by_code
    for code, cases in by_code.items():
        # What holds in each combination holds in all together.
        times, left = divmod(int(cases), max(int(rest[code]), 1))
        if left or not 1 <= times <= _MOST_TIMES or cases < _FEWEST_CASES or len(by_code) <= _FEWEST_OTHERS:
            continue
        is_sum = coded[column] == code
        others = coded[~is_sum]
        free = [name for name in coded.columns.drop(["n", column]) if others.groupby(column)[name].nunique().max() > 1]
        here, there = (
            (coded[rows].groupby(free)["n"].sum() if free else pd.Series([coded.loc[rows, "n"].sum()]))
            for rows in (is_sum, ~is_sum)
        )
        if len(there) >= _FEWEST_SUMS and here.eq(times * there.reindex(here.index)).all() and len(here) == len(there):
            yield int(str(code))
