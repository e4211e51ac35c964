"""Column names as they come, made unique, non-empty and printable."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from fairaudit.data.limits import Limits
from fairaudit.disclosure.said import remarks
from fairaudit.errors import InputError, LimitError, near_names, quote
from fairaudit.findings import Count, Message, Phrase


def clean_names(names: Iterable[str], limits: Limits) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return names that can stand in one table, and notes on what was changed.

    Blanks around a name go, control characters become blanks, an empty name becomes ``column_N``, and a name that is
    already taken (letter case does not count) gets a suffix.

    Examples
    --------
    >>> clean_names(["age", "", "Age"], Limits())[0]
    ('age', 'column_2', 'Age_2')
    """
    found = [_printable(name) for name in names]
    check_width(len(found), limits)
    for position, name in enumerate(found, start=1):
        if len(name) > limits.max_name:
            raise LimitError(
                f"The name of column {position} has {len(name):,} characters; at most {limits.max_name:,} are read.",
                hint="Shorten the name in the first line of the file.",
            )
    wanted = [name or f"column_{position}" for position, name in enumerate(found, start=1)]
    taken = {name.casefold() for name in wanted}
    seen: set[str] = set()
    result: list[str] = []
    repeated: list[str] = []
    for name in wanted:
        if name.casefold() in seen:
            repeated.append(name)
            name = _free(name, taken)
            taken.add(name.casefold())
        seen.add(name.casefold())
        result.append(name)
    return tuple(result), _notes(found, repeated)


def joined_names(rows: Sequence[Sequence[str]], *, is_filled: bool = False) -> list[str]:
    """Return one name a column from rows of names, of which the upper ones stand for the columns to their right, too.

    Examples
    --------
    >>> joined_names([["id", "Women", "", "Men", ""], ["", "n", "granted", "n", "granted"]])
    ['id', 'Women n', 'Women granted', 'Men n', 'Men granted']
    """
    width = max(map(len, rows))
    filled = [[*row, *[""] * (width - len(row))] for row in rows]
    if not is_filled:
        for row, below in pairwise(filled):
            for place in range(1, width):
                if not row[place].strip() and below[place].strip():
                    row[place] = row[place - 1]
    columns = zip(*filled, strict=True)
    return [" ".join(dict.fromkeys(part for each in column if (part := each.strip()))) for column in columns]


def check_width(n_columns: int, limits: Limits) -> None:
    """Refuse a table with too many columns."""
    if n_columns > limits.max_columns:
        raise LimitError(
            f"The table has {n_columns:,} columns; at most {limits.max_columns:,} are read.",
            hint="Keep the columns that the audit needs.",
        )


def _printable(name: str) -> str:
    text = "".join(" " if ord(c) < 32 or 127 <= ord(c) < 160 or c in "\u2028\u2029" else c for c in str(name))
    return text.strip("\ufeff").strip()


def _free(name: str, taken: set[str]) -> str:
    number = 2
    while f"{name}_{number}".casefold() in taken:
        number += 1
    return f"{name}_{number}"


def _notes(found: list[str], repeated: list[str]) -> tuple[str, ...]:
    notes = []
    empty = found.count("")
    if empty:
        name = Phrase(f"'column_{found.index('') + 1}'")
        notes.append(Message("read-nameless", {"n": Count(empty), "name": name}))
    if repeated:
        shown = ", ".join(quote(name, limit=40) for name in list(dict.fromkeys(repeated))[:5])
        notes.append(Message("read-same-names", {"names": Phrase(shown)}))
    return remarks(notes, "setting")


MOST_SHOWN = 20
"""Rows of a file that are shown as they stand in it."""
_MOST_CELLS, _LONGEST_CELL = 50, 60


def shown_cells(cells: Sequence[str]) -> tuple[str, ...]:
    """Return the cells of a row as they are shown: many and long ones are cut."""
    return tuple(cell[:_LONGEST_CELL] for cell in cells[:_MOST_CELLS])


def check_filled(columns: Sequence[str], names: Sequence[str], option: str = "filled_down") -> tuple[str, ...]:
    """Refuse columns that are to be filled downward, or left empty, and that are not there."""
    for name in columns:
        if name not in names:
            raise InputError(
                f"{option!r} must name columns of the table, got {quote(name)}.", hint=near_names(name, names)
            )
    return tuple(columns)
