"""What a person has said of a table's values: those that are read as missing, and those whose rows are left out."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from fairaudit.columns import HELD, SAID_OF_VALUES, Column, ColumnValues, ReadOptions
from fairaudit.conditions import Condition
from fairaudit.data.writing import ReadColumn, SqlWriter
from fairaudit.disclosure.said import remarks
from fairaudit.errors import InputError, near_names, quote
from fairaudit.findings import Message, Phrase
from fairaudit.messages import say

_MOST_NAMED = 5


def says_values(options: ReadOptions) -> bool:
    """Return whether options say anything of values."""
    return any(getattr(options, name) for name in SAID_OF_VALUES)


@dataclass(frozen=True)
class SaidValues:
    """What is said of values, checked against the columns of a table."""

    columns: tuple[Column, ...]
    not_known: tuple[tuple[str, Condition], ...]
    left_out: tuple[Condition, ...]

    @classmethod
    def of(cls, columns: Iterable[Column], options: ReadOptions) -> SaidValues:
        """Check what is said against columns that still hold the codes of labels."""
        options = _with_codes(options)
        named = {column.name: column for column in columns}
        for option in SAID_OF_VALUES:
            _check_columns(option, getattr(options, option), named)
        not_known = _conditions(options.not_known, named)
        left_out = [each for _, each in _conditions(options.left_out, named)]
        # An empty text stands for no value at all.
        left_out += [Condition.one_of(name, [None], named) for name, texts in options.left_out if "" in texts]
        return cls(tuple(named.values()), not_known, tuple(left_out))

    @property
    def kept(self) -> Condition | None:
        """The rows that are not left out; None where all stay."""
        kept: Condition | None = None
        for each in self.left_out:
            [column] = each.columns
            nothing = Condition.one_of(column, [None], self._kinds)
            rest = ~nothing if each == nothing else ~each | nothing
            kept = rest if kept is None else kept & rest
        return kept

    @property
    def _kinds(self) -> dict[str, Column]:
        return {column.name: column for column in self.columns}

    def read(self, writer: SqlWriter) -> tuple[ReadColumn, ...]:
        """Return each column as it is read from the table as it was."""
        said = dict(self.not_known)
        return tuple(
            ReadColumn(name, f"CASE WHEN {writer.condition(said[name])} THEN NULL ELSE {writer.quoted(name)} END")
            if name in said
            else ReadColumn(name, writer.quoted(name))
            for name in self._kinds
        )


def _with_codes(options: ReadOptions) -> ReadOptions:
    """Return options in which what is said of labels is said of their codes, too: it comes before the labels."""
    codes = {column: dict[str, list[str]]() for column, _ in options.labels}
    for column, pairs in options.labels:
        for code, label in pairs:
            codes[column].setdefault(label, []).append(code)

    def both(said: ColumnValues) -> ColumnValues:
        return tuple(
            (column, (*values, *(code for value in values for code in codes.get(column, {}).get(value, ()))))
            for column, values in said
        )

    return replace(options, not_known=both(options.not_known), left_out=both(options.left_out))


def said_writer(writer: SqlWriter, columns: Iterable[Column], options: ReadOptions) -> SqlWriter:
    """Return how questions are written for a table of an engine once something is said of its values."""
    if not says_values(options):
        return writer
    said = SaidValues.of(columns, options)
    kept = "" if said.kept is None else writer.condition(said.kept)
    return SqlWriter(writer.dialect, writer.relation, said.read(writer), kept=kept)


def notes_of(options: ReadOptions) -> tuple[str, ...]:
    """Say which values are read as missing, and whose rows are left out."""
    said = [
        Message(key, {"column": Phrase(quote(column, limit=40)), "values": Phrase(named_values(values))})
        for key, of in (("read-not-known", options.not_known), ("read-left-out", options.left_out))
        for column, values in of
    ]
    return remarks(said, "setting")


def named_values(values: Sequence[object]) -> str:
    """Return values, quoted; of many, the first ones."""
    more = ", …" if len(values) > _MOST_NAMED else ""
    named = (quote(str(value), limit=40) if value != "" else say(Message("read-no-value")) for value in values)
    return ", ".join(itertools.islice(named, _MOST_NAMED)) + more


def _check_columns(option: str, said: ColumnValues, columns: dict[str, Column]) -> None:
    for name, _ in said:
        if name not in columns:
            raise InputError(
                f"{option!r} must name columns of the table, got {quote(name)}.", hint=near_names(name, columns)
            )
        if columns[name].kind not in ("text", "number"):
            raise InputError(
                f"{option!r} must name columns of texts or numbers, got {quote(name)}, which holds "
                f"{HELD[columns[name].kind]}."
            )


def _conditions(said: ColumnValues, columns: dict[str, Column]) -> tuple[tuple[str, Condition], ...]:
    """Return by column the rows that have one of the values; a text is no value of a column of numbers."""
    found = []
    for name, texts in said:
        values: list[object] = [text for text in texts if text]
        if columns[name].kind == "number":
            values = [number for number in map(_number, texts) if math.isfinite(number)]
        if values:
            found.append((name, Condition.one_of(name, values, columns)))
    return tuple(found)


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return math.nan
