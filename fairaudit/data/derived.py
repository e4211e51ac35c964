"""One column made of several that hold one answer together: boxes of which a person may tick several."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from operator import or_
from typing import Final

from fairaudit.columns import Column, ColumnValues
from fairaudit.conditions import Condition
from fairaudit.data.answers import Answering, Answers
from fairaudit.data.labels import code_sql, text_literal
from fairaudit.data.writing import ReadColumn, SqlWriter
from fairaudit.errors import InputError, near_names, quote

SEVERAL: Final = "several"
"""The value of a row with several boxes ticked."""
ONLY: Final = " only"
"""Follows the name of the one box that is ticked: who ticked another as well is in no such group."""

YES: Final = frozenset(
    ("yes", "y", "true", "t", "1", "x", "ja", "j", "oui", "si", "sí", "sì", "sim", "tak", "ano", "igen", "kyllä")
)
NO: Final = frozenset(
    ("no", "n", "false", "f", "0", "nein", "non", "nee", "não", "nej", "nei", "nie", "ne", "ei", "nem")
)
_SEPARATED = re.compile(r"[\W_]+")


@dataclass(frozen=True)
class Boxes:
    """The columns that one is made of.

    Parameters
    ----------
    name : str
        The column that is made.
    columns : tuple of Column
        Those it is made of.
    ticked : tuple of pairs, or None
        For columns of yes and no, what each box is called, and the values that say yes, none for a box that nobody
        ticked; None where each column holds a value.
    """

    name: str
    columns: tuple[Column, ...]
    ticked: tuple[tuple[str, tuple[object, ...]], ...] | None

    def sql(self, writer: SqlWriter, read: Mapping[str, str]) -> str:
        """Return SQL for the value: the one box that is ticked, that several are, or NULL; `read` is by column."""
        if self.ticked is not None:
            pairs = zip(self.columns, self.ticked, strict=True)
            tests = {label: _is_ticked(writer, column, read[column.name], yes) for column, (label, yes) in pairs}
            n = " + ".join(f"CASE WHEN {test} THEN 1 ELSE 0 END" for test in tests.values())
            whens = " ".join(f"WHEN {test} THEN {text_literal(writer, label + ONLY)}" for label, test in tests.items())
            return writer.by_code_point(f"CASE WHEN {n} > 1 THEN {text_literal(writer, SEVERAL)} {whens} END")
        texts = [code_sql(writer, column, read[column.name]) for column in self.columns]
        first = f"coalesce({', '.join(texts)})"
        other = " OR ".join(f"{text} <> {first}" for text in texts)
        ends = f"WHEN {other} THEN {text_literal(writer, SEVERAL)} ELSE {first} || {text_literal(writer, ONLY)}"
        return writer.by_code_point(f"CASE WHEN {first} IS NULL THEN NULL {ends} END")


def _is_ticked(writer: SqlWriter, column: Column, sql: str, yes: Sequence[object]) -> str:
    if column.kind == "boolean":
        return sql
    if not yes:
        return "1 = 0"
    values = [str(value) if column.kind == "number" else text_literal(writer, str(value)) for value in yes]
    return f"{sql} IN ({', '.join(values)})"


def boxes_of(answers: Answering, columns: Mapping[str, Column], derived: ColumnValues) -> tuple[Boxes, ...]:
    """Return what columns are made of, checked against a table."""
    found: list[Boxes] = []
    for name, sources in derived:
        if name in columns or name in [each.name for each in found]:
            raise InputError(
                f"There is a column {quote(name)} already.", hint="Give the column that is made a new name."
            )
        if len(sources) < 2:
            raise InputError(f"Column {quote(name)} must be made of at least two columns, got {len(sources)}.")
        for source in sources:
            if source not in columns:
                raise InputError(
                    f"Column {quote(name)} must be made of columns of the table, got {quote(source)}.",
                    hint=near_names(source, columns),
                )
            if columns[source].is_day:
                raise InputError(f"Column {quote(name)} cannot be made of days, which {quote(source)} holds.")
        of = tuple(columns[source] for source in sources)
        held = [_held(answers, column) for column in of]
        _refuse_unknown_codes(name, of, held)
        ticks = [_yes_of(values) for values in held]
        boxes = [yes for yes in ticks if yes is not None]
        of_yes_and_no = [column for column in of if column.kind == "boolean"]
        if of_yes_and_no and len(boxes) < len(of):
            other = next(column.name for column, yes in zip(of, ticks, strict=True) if yes is None)
            raise InputError(
                f"Column {quote(name)} must be made of columns of yes and no, or of columns of values, but some are of "
                f"yes and no, and {quote(other)} is not.",
                hint="Leave that column out.",
            )
        ticked = tuple(zip(box_names(sources), boxes, strict=True)) if len(boxes) == len(of) else None
        found.append(Boxes(name, of, ticked))
    return tuple(found)


def box_names(names: Sequence[str]) -> tuple[str, ...]:
    """Return what columns of yes and no are called without the words that all begin with.

    Examples
    --------
    >>> box_names(["race_white", "race_black", "race_native_american"])
    ('white', 'black', 'native american')
    """
    words = [[word for word in _SEPARATED.split(name) if word] for name in names]
    n = 0
    while all(len(each) > n + 1 for each in words) and len({each[n].lower() for each in words}) == 1:
        n += 1
    labels = tuple(" ".join(each[n:]) for each in words)
    return labels if len(set(labels)) == len(labels) else tuple(names)


def _held(answers: Answering, column: Column) -> dict[object, int]:
    """Return values of a column, and in how many rows each stands; True alone for a column of yes and no."""
    if column.kind == "boolean":
        return {True: 0}
    name, writer = answers.writer.quoted(column.name), answers.writer
    query = (
        f"SELECT {name} AS k, count(*) AS n\nFROM {writer.source([column.name])}\nWHERE {name} IS NOT NULL"
        f"\nGROUP BY 1 ORDER BY 2 DESC, {writer.order(['1'])} LIMIT {len(YES) + len(NO)}"
    )
    found = answers.frame(query, ["k", "n"], [column.kind, "number"])
    return dict(zip(found["k"].tolist(), found["n"].tolist(), strict=True))


def _refuse_unknown_codes(name: str, columns: Sequence[Column], held: Sequence[Mapping[object, int]]) -> None:
    """Refuse columns that share two codes, such as 1 and 2, of which one may say yes and the other no."""
    codes = sorted({_text(value) for values in held for value in values})
    said = [_says(code) for code in codes]
    are_codes = all(code.lstrip("-").isdigit() for code in codes)
    are_letters = all(len(code) == 1 for code in codes) and any(said)
    if len(codes) != 2 or None not in said or not (are_codes or are_letters):
        return
    first, *rest = (sum(values.values()) for values in held)
    if all(column.name[-1:].isdigit() for column in columns) and all(n < 0.5 * first for n in rest):
        # A second and third answer, of which most people give none.
        return
    yes, no = reversed(codes) if said[0] == "no" or said[1] == "yes" else codes
    listed = ", ".join(quote(column.name) for column in columns)
    raise InputError(
        f"Column {quote(name)} cannot be made of {listed} before it is known what their codes {quote(codes[0])} and "
        f"{quote(codes[1])} stand for.",
        hint=f"Say it for each column, such as: --labels {quote(f'{columns[0].name}:{yes}=yes,{no}=no')}",
    )


def _yes_of(values: Mapping[object, int]) -> tuple[object, ...] | None:
    """Return the values that say yes, none for a box that nobody ticked; None for a column of other values."""
    said = {value: _says(value) for value in values}
    yes = tuple(value for value, says in said.items() if says == "yes")
    # Two values that may say yes, such as x and y, are values.
    return yes if None not in said.values() and len(yes) <= 1 and len(said) <= len(yes) + 1 else None


def _text(value: object) -> str:
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value).strip()


def _says(value: object) -> str | None:
    text = _text(value).lower()
    return "yes" if text in YES else "no" if text in NO else None


def write_derived(answers: Answers, columns: Sequence[Column], derived: ColumnValues) -> tuple[Column, ...]:
    """Add columns made of several others to those that are held or read in place, and return them all."""
    boxes = boxes_of(answers, {column.name: column for column in columns}, derived)
    read = {column.name: answers.writer.quoted(column.name) for column in columns}
    made = [ReadColumn(each.name, each.sql(answers.writer, read)) for each in boxes]
    answers.reread([*(ReadColumn(name, sql) for name, sql in read.items()), *made], None)
    return (*columns, *columns_made(boxes))


def columns_made(boxes: Iterable[Boxes]) -> tuple[Column, ...]:
    """Return the columns that are made."""
    return tuple(Column(each.name, "text") for each in boxes)


def read_with_derived(writer: SqlWriter, boxes: Sequence[Boxes]) -> SqlWriter:
    """Return how the engine of a connected table reads its columns with those that are made of several."""
    read = {each.name: each.sql for each in writer.columns}
    made = tuple(ReadColumn(each.name, each.sql(writer, read)) for each in boxes)
    return replace(writer, columns=(*writer.columns, *made))


def any_of_these(
    answers: Answering, columns: Mapping[str, Column], made: tuple[str, tuple[str, ...]], values: Sequence[str]
) -> Condition:
    """Return the condition of a row in which one of some boxes is ticked, alone or with others.

    `made` is the column that was made and those that it is made of, and `values` are values of it. An empty box says
    that no further one is ticked: the condition is unknown only where all are empty.
    """
    [boxes] = boxes_of(answers, {name: column for name, column in columns.items() if name != made[0]}, (made,))
    wanted = {value.removesuffix(ONLY) for value in values if value != SEVERAL}
    parts = []
    if boxes.ticked is not None:
        pairs = zip(boxes.columns, boxes.ticked, strict=True)
        parts = [
            Condition.one_of(column.name, yes, columns) for column, (label, yes) in pairs if yes and label in wanted
        ]
    elif wanted:
        for column in boxes.columns:
            held: list[object] = [float(text) for text in wanted] if column.kind == "number" else [*wanted]
            parts.append(Condition.one_of(column.name, sorted(held, key=str), columns))
    filled = (part & ~Condition.one_of(part.columns[0], [None], columns) for part in parts)
    return reduce(or_, filled, Condition.one_of(made[0], list(values), columns))
