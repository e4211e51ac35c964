"""What is found when something is opened: the columns that can be used, how they are read, and what is left out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fairaudit.columns import Column, Kind
from fairaudit.data.writing import ReadColumn
from fairaudit.disclosure.fields import Remark
from fairaudit.disclosure.said import remark
from fairaudit.errors import ConnectError, quote
from fairaudit.findings import Message, Phrase


@dataclass(frozen=True)
class Description:
    """What is found when something is opened.

    Parameters
    ----------
    columns : tuple of Column
        Names and kinds of the columns that can be used.
    read : tuple of ReadColumn
        How each of them is read.
    notes : tuple of str
        What is left out or changed, in plain sentences.
    """

    columns: tuple[Column, ...]
    read: tuple[ReadColumn, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True)
class FoundColumn:
    """A column as an engine describes it.

    Parameters
    ----------
    name : str
        Its name.
    read : tuple of str and Kind, optional
        The expression that reads it and what that holds; None where it cannot be used.
    type_name : str
        The engine's word for its type, stated where it cannot be used.
    note : str, optional
        A sentence on how it is read, or on why it is left out.
    """

    name: str
    read: tuple[str, Kind] | None
    type_name: str
    note: str | None = None


def describe(found: Sequence[FoundColumn]) -> Description:
    """Return the columns that can be used."""
    names = [column.name for column in found]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise ConnectError(
            f"What is read has two columns named {quote(twice)}.",
            hint="Give each a name of its own: SELECT a AS first, ...",
        )
    used = [(column.name, *column.read) for column in found if column.read is not None]
    if not used:
        raise ConnectError(
            "What is read has no column of numbers, texts, dates or truth values.",
            hint="Choose another table or columns.",
        )
    return Description(
        columns=tuple(Column(name, kind) for name, _, kind in used),
        read=tuple(ReadColumn(name, sql) for name, sql, _ in used),
        notes=tuple(note for column in found if (note := _note(column)) is not None),
    )


def _note(column: FoundColumn) -> str | None:
    if column.note is not None or column.read is not None:
        return column.note and Remark(column.note, "setting")
    args = {"column": Phrase(quote(column.name)), "type": Phrase(column.type_name)}
    return remark(Message("read-type", args), "setting")
