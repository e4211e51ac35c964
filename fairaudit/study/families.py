"""Families of columns that say together of which groups a person is: race-1 to race-5, or race_white and race_black."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import pandas as pd

from fairaudit.data.derived import SEVERAL, boxes_of
from fairaudit.data.table import Table
from fairaudit.errors import InputError
from fairaudit.study.columns import says_group

_NUMBERED = re.compile(r"(.*?)[\W_]*\d+$")
_WORDS = re.compile(r"[\W_]+")
MOST_VALUES = 60
"""A column with more values holds no boxes that a person may tick."""


@dataclass(frozen=True)
class Family:
    """Columns of one stem, and the column that may be made of them.

    Parameters
    ----------
    name : str
        What to call the column that is made.
    columns : tuple of str
        Those that it is made of.
    n_several : int
        Rows with several boxes ticked.
    """

    name: str
    columns: tuple[str, ...]
    n_several: int


def find_families(table: Table) -> tuple[Family, ...]:
    """Return the columns of one stem in which some rows have several boxes ticked; none of a database.

    The stem says that they hold the sex, origin or other such group of people. Columns whose names end in numbers
    share some values, or all are of yes and no. Where nobody ticked two boxes, their groups are apart.
    """
    if table.is_connected:
        return ()
    taken = {name for _, columns in table.source.options.derived for name in columns}
    named = [name for name, column in table.columns.items() if name not in taken and not column.is_day]
    found = []
    for stem, columns in {**_stems(named, _words_before), **_stems(named, _before_number)}.items():
        n = _several(table, columns) if len(columns) > 1 and says_group(stem) else 0
        if n:
            found.append(Family(_free(stem, table), tuple(columns), n))
    return tuple(found)


def boxes_named(table: Table, named: set[str]) -> tuple[Family, ...]:
    """Return the boxes that a person may tick several of, where a column that is named is one of them."""
    said = tuple(Family(name, columns, 0) for name, columns in table.source.options.derived)
    families = said if any(named.intersection(each.columns) for each in said) else find_families(table)
    return tuple(each for each in families if named.intersection(each.columns))


def _stems(names: Sequence[str], stem_of: Callable[[str], str | None]) -> dict[str, list[str]]:
    stems: dict[str, list[str]] = {}
    for name in names:
        stem = stem_of(name)
        if stem:
            stems.setdefault(stem, []).append(name)
    return stems


def _before_number(name: str) -> str | None:
    found = _NUMBERED.fullmatch(name)
    return None if found is None else found[1].strip(" _-.") or None


def _words_before(name: str) -> str | None:
    words = [word for word in _WORDS.split(name) if word]
    return words[0] if len(words) > 1 and not words[-1].isdigit() else None


def _several(table: Table, columns: Sequence[str]) -> int:
    """Return in how many rows several boxes are ticked; 0 where the columns are no boxes of one question."""
    values = [table.values(name, limit=MOST_VALUES + 1) for name in columns]
    if any(len(each) > MOST_VALUES for each in values):
        return 0
    if len({table.columns[name].kind for name in columns}) > 1:
        return 0
    try:
        [boxes] = boxes_of(table._answers, table.columns, ((_free("boxes", table), tuple(columns)),))
    except InputError:
        # What their codes stand for is to be said first.
        return 0
    if boxes.ticked is None and not _is_filled_in_turn(table, columns, values):
        return 0
    writer = table.writer
    sql = boxes.sql(writer, {name: writer.quoted(name) for name in columns})
    return int(table.aggregate([f"count(CASE WHEN {sql} = '{SEVERAL}' THEN 1 END)"])[0])


def _is_filled_in_turn(table: Table, columns: Sequence[str], values: Sequence[pd.DataFrame]) -> bool:
    """Say whether numbered columns share values, and those after the first are mostly empty, as most tick one box."""
    if not all(_before_number(name) for name in columns):
        return False
    known = [set(each["value"].dropna()) for each in values]
    first, rest = known[0], known[1:]
    parts = [f"count({table.writer.quoted(name)})" for name in columns]
    n_first, *n_rest = table.aggregate(parts)
    shares = all(not each or first & each for each in rest)
    return shares and all(n < 0.5 * n_first for n in n_rest)


def _free(stem: str, table: Table) -> str:
    """Return a name for the column that is made, which no column has."""
    name = stem if stem not in table.columns else f"{stem} together"
    while name in table.columns:
        name += "_"
    return name
