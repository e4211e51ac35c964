"""Which kinds of values may stand together."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from dataclasses import replace

from fairaudit.columns import DAY_KINDS, HELD, Kind
from fairaudit.conditions import tree
from fairaudit.conditions.literals import read_date, read_number, read_timestamp
from fairaudit.conditions.names import value_text
from fairaudit.errors import quote


class KindMismatch(Exception):
    """Values of different kinds stand together; the caller adds the position.

    `text_column` is the column of texts that is compared with a number, if that is what is wrong.
    """

    def __init__(self, message: str, hint: str | None = None, *, text_column: str | None = None):
        self.message = message
        self.hint = hint
        self.text_column = text_column
        super().__init__(message)


def same_kind(values: Sequence[tree.Value]) -> tuple[tree.Value, ...]:
    """Check that values can be compared, and read texts as dates where they stand beside dates."""
    kinds = [tree.kind_of(value) for value in values]
    leading = next((k for v, k in zip(values, kinds, strict=True) if k and not isinstance(v, tree.Literal)), None)
    leading = leading or next((kind for kind in kinds if kind), None)
    if leading is None:
        return tuple(values)
    dates = [kind for kind in kinds if kind is not None and kind in DAY_KINDS]
    asked = leading if leading in DAY_KINDS or not dates else dates[0]
    if dates:
        values = [_as_date(value, asked) for value in values]
    for value in values:
        kind = tree.kind_of(value)
        if kind is not None and kind != asked and not (kind in DAY_KINDS and asked in DAY_KINDS):
            raise _mismatch(values, value, asked)
    return tuple(take_kind(value, asked) for value in values)


def take_kind(value: tree.Value, kind: Kind) -> tree.Value:
    """Return the value; a column of unknown kind takes the kind that its use asks for, except among dates."""
    if isinstance(value, tree.ColumnName) and value.kind is None and kind in ("number", "boolean"):
        return replace(value, kind=kind)
    return value


def describe(value: tree.Value) -> str:
    """Say what a value is, for a message."""
    kind = "unknown" if (held := tree.kind_of(value)) is None else HELD[held]
    match value:
        case tree.ColumnName():
            return f"column {quote(value.name)} holds {kind}"
        case tree.Literal(value=str()):
            return f"{quote(value.value, limit=30)} is text"
        case tree.Literal(value=datetime.date()):
            return f"{value.value} is a date"
        case tree.Literal(value=bool()):
            return f"{str(value.value).upper()} is a truth value"
        case tree.Literal():
            return f"{value.value} is a number"
        case _:
            return f"what is computed here is {kind}"


def _as_date(value: tree.Value, kind: Kind) -> tree.Value:
    if not (isinstance(value, tree.Literal) and isinstance(value.value, str)):
        return value
    read = read_date(value.value) or (read_timestamp(value.value) if kind == "timestamp" else None)
    if read is None:
        form = "DATE '2014-01-31'" if kind == "date" else "TIMESTAMP '2014-01-31 10:30:00'"
        raise KindMismatch(
            f"{quote(value.value, limit=30)} is not a {_DATE_WORDS[kind]}",
            f"Write the year first, then the month and the day: {form}.",
        )
    return tree.Literal(read)


_DATE_WORDS = {"date": "date", "timestamp": "date or time stamp"}


def _mismatch(values: Sequence[tree.Value], odd: tree.Value, leading: Kind) -> KindMismatch:
    first = next(value for value in values if tree.kind_of(value) == leading)
    message = describe(first)
    message = f"{message[0].upper()}{message[1:]}, but {describe(odd)}"
    if not isinstance(odd, tree.Literal):
        return KindMismatch(message)
    if leading == "text":
        quotes = f"Write {value_text(_plain(odd.value))} between single quotes"
        if isinstance(odd.value, bool) or not isinstance(odd.value, int | float):
            return KindMismatch(message, f"{quotes}.")
        hint = f"{quotes} to find that text; where the column should hold numbers, say how the file writes them."
        return KindMismatch(message, hint, text_column=first.name if isinstance(first, tree.ColumnName) else None)
    digits = _plain(odd.value).strip()
    if leading == "number" and read_number(digits.removeprefix("-")) is not None:
        return KindMismatch(message, f"Write {digits} without quotes.")
    if leading == "boolean":
        return KindMismatch(message, "Write TRUE or FALSE.")
    if leading in DAY_KINDS:
        return KindMismatch(message, "Write DATE '2014-01-31'.")
    return KindMismatch(message)


def _plain(value: object) -> str:
    return str(value).upper() if isinstance(value, bool) else str(value)
