"""What the quality report wants to know of each column."""

from __future__ import annotations

from dataclasses import dataclass

from fairaudit.columns import Column
from fairaudit.conditions.resembling import TypingError
from fairaudit.data.unknown_codes import OddCode
from fairaudit.data.writing import SqlWriter

FEW_VALUES = 200
"""Texts with more values are not looked through for typing errors: they make no groups by single values."""


@dataclass(frozen=True)
class ColumnFacts:
    """Counts about one column.

    Parameters
    ----------
    column : Column
        Its name and kind.
    known : int
        Rows with a value.
    distinct : int
        Different values.
    numeric : int
        Of a text: rows whose text is a number.
    money : int
        Of a text: rows whose text is an amount with a sign or a code of money.
    fractions : int
        Of a number: rows whose number is not whole.
    folded : int
        Of a text: different values, letter case and blanks aside.
    typing_errors : tuple of TypingError
        Of a text with at most :data:`FEW_VALUES` values: those that may be a more frequent one with a typing error.
    """

    column: Column
    known: int
    distinct: int
    numeric: int = 0
    money: int = 0
    fractions: int = 0
    folded: int = 0
    typing_errors: tuple[TypingError, ...] = ()


@dataclass(frozen=True)
class Look:
    """What was found in a table.

    Parameters
    ----------
    facts : tuple of ColumnFacts
        One for each column, in order.
    codes : dict of str to tuple of OddCode
        Values that often stand for "unknown", by column.
    duplicates : int or None
        Repeated rows; None where they were not looked for.
    unseen : tuple of str
        Text columns of many values that were not looked through, as the rows stay in an engine.
    """

    facts: tuple[ColumnFacts, ...]
    codes: dict[str, tuple[OddCode, ...]]
    duplicates: int | None
    unseen: tuple[str, ...]


def different_sql(writer: SqlWriter, name: str) -> str:
    """Return an aggregate that counts the different values of a column in an engine."""
    column = writer.quoted(name)
    inner = f"SELECT DISTINCT {column} FROM {writer.source([name])} WHERE {column} IS NOT NULL"
    return f"(SELECT count(*) FROM ({inner}) AS different)"


def fractions_sql(writer: SqlWriter, name: str) -> str:
    """Return an aggregate that counts the numbers of a column that are not whole, in an engine."""
    number = writer.number(writer.quoted(name))
    return f"count(CASE WHEN {number} <> round({number}) THEN 1 END)"
