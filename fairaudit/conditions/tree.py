"""The parts that a condition is made of, and its literals: numbers and dates, read from text and written back.

A condition is kept as its own small tree, never as the parser's: what cannot be built here cannot be asked.
Negation, conjunction and disjunction follow SQL's three-valued logic, so every rewriting below is exact.
"""

from __future__ import annotations

import datetime
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any
from typing import Literal as OneOf

import numpy as np
import pandas as pd

from fairaudit.columns import Kind
from fairaudit.errors import InputError

# Numbers and dates, read from text and written back.

# What a condition may hold: its words, its functions and its bounds.

MAX_LENGTH = 50_000
MAX_DEPTH = 20
MAX_ITEMS = 1_000
MAX_ARITHMETIC = 50

FUNCTIONS = ("lower", "upper", "trim", "length", "abs", "round", "coalesce", "extract")
EXTRACT_PARTS = ("year", "month", "day")

KEYWORDS = frozenset(
    ["and", "or", "not", "in", "between", "like", "ilike", "is", "null", "true", "false", "date", "timestamp", "from"]
)

RESERVED = frozenset(
    [
        *("select", "from", "where", "union", "with", "exists", "distinct", "any", "all", "over", "case", "when"),
        *("cast", "try_cast", "interval", "array", "struct", "glob", "similar", "escape", "collate"),
        *("insert", "update", "delete", "drop", "create", "set", "copy", "attach", "pragma"),
    ]
)

EXAMPLE = "Write for example: race <> 'White' AND age >= 25."


_DATE = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
_TIMESTAMP = re.compile(r"(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2}(:\d{2}(\.\d{1,6})?)?)", re.ASCII)
_WHOLE = re.compile(r"\d+", re.ASCII)
_LARGEST = 2**63 - 1


def read_number(text: str) -> int | float | None:
    """Read a number without a sign, None when it is none or too large."""
    if _WHOLE.fullmatch(text) and len(text) <= 19 and int(text) <= _LARGEST:
        return int(text)
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def read_date(text: str) -> datetime.date | None:
    """Read a date such as ``2014-01-31``, None when it is none."""
    if not _DATE.fullmatch(text.strip()):
        return None
    try:
        return datetime.date.fromisoformat(text.strip())
    except ValueError:
        return None


def read_timestamp(text: str) -> datetime.datetime | None:
    """Read a time stamp such as ``2014-01-31 10:30:00``, or a date as its midnight; None when it is neither."""
    day = read_date(text)
    if day is not None:
        return datetime.datetime(day.year, day.month, day.day)
    match = _TIMESTAMP.fullmatch(text.strip())
    try:
        return datetime.datetime.fromisoformat(f"{match[1]}T{match[2]}") if match else None
    except ValueError:
        return None


def write_timestamp(value: datetime.datetime) -> str:
    """Write a time stamp so that it reads back the same."""
    return value.isoformat(sep=" ")


def plain_value(value: Any) -> bool | int | float | str | datetime.date | None:
    """Return a cell of a table as a plain value, None when it is missing."""
    if value is None or value is pd.NA or value is pd.NaT or value != value:
        return None
    if isinstance(value, np.generic):
        value = pd.Timestamp(value) if isinstance(value, np.datetime64) else value.item()
    if isinstance(value, Decimal):
        value = int(value) if value == value.to_integral_value() else float(value)
    if isinstance(value, pd.Timestamp):
        value = value.tz_convert("UTC").tz_localize(None) if value.tzinfo else value
        value = value.to_pydatetime(warn=False)
    if not isinstance(value, (bool, int, float, str, datetime.date)) or value in (math.inf, -math.inf):
        raise InputError(f"A value must be a finite number, text, truth value or date, got {type(value).__name__}.")
    return value


ComparisonOperator = OneOf["=", "<>", "<", "<=", ">", ">="]
ArithmeticOperator = OneOf["+", "-", "*", "/", "%"]
Written = bool | int | float | str | datetime.date
"""What can be written down."""

OPPOSITE: dict[ComparisonOperator, ComparisonOperator] = {
    "=": "<>", "<>": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">",
}  # fmt: skip


@dataclass(frozen=True)
class ColumnName:
    """A column; its kind is None when nothing is known about it."""

    name: str
    kind: Kind | None


@dataclass(frozen=True)
class Constant:
    """A value that was written down: a number, text, truth value, date or time stamp."""

    value: Written


@dataclass(frozen=True)
class Negative:
    """A number with its sign turned."""

    value: Value


@dataclass(frozen=True)
class Arithmetic:
    """Two numbers joined by an operator; division by zero gives a missing value."""

    operator: ArithmeticOperator
    left: Value
    right: Value


@dataclass(frozen=True)
class Call:
    """One of the functions of `FUNCTIONS`; ``year``, ``month`` and ``day`` stand for ``extract``."""

    name: str
    arguments: tuple[Value, ...]


@dataclass(frozen=True)
class Compare:
    """Two values compared."""

    operator: ComparisonOperator
    left: Value
    right: Value


@dataclass(frozen=True)
class InList:
    """A value that is (not) one of a list of literals."""

    value: Value
    items: tuple[Constant, ...]
    negated: bool = False


@dataclass(frozen=True)
class Between:
    """A value that is (not) between two others, both ends included."""

    value: Value
    low: Value
    high: Value
    negated: bool = False


@dataclass(frozen=True)
class Like:
    """A text that does (not) match a pattern, where ``%`` is any text and ``_`` any character."""

    value: Value
    pattern: str
    ignore_case: bool = False
    negated: bool = False


@dataclass(frozen=True)
class IsNull:
    """A value that is (not) missing; never unknown."""

    value: Value
    negated: bool = False


@dataclass(frozen=True)
class Truth:
    """A truth value used as a condition."""

    value: Value


@dataclass(frozen=True)
class Not:
    """The opposite of a truth value or of a group; what has an opposite of its own is never wrapped."""

    part: Truth | And | Or


@dataclass(frozen=True)
class And:
    """Two or more conditions, all of which hold."""

    parts: tuple[Node, ...]


@dataclass(frozen=True)
class Or:
    """Two or more conditions, at least one of which holds."""

    parts: tuple[Node, ...]


Value = ColumnName | Constant | Negative | Arithmetic | Call
Negatable = InList | Between | Like | IsNull
Node = Compare | InList | Between | Like | IsNull | Truth | Not | And | Or


def negate(node: Node) -> Node:
    """Return the opposite of a condition: true where it is false, unknown where it is unknown."""
    match node:
        case Compare():
            return replace(node, operator=OPPOSITE[node.operator])
        case InList() | Between() | Like() | IsNull():
            return replace(node, negated=not node.negated)
        case Not():
            return node.part
        case _:
            return Not(node)


def join(kind: type[And] | type[Or], parts: list[Node]) -> Node:
    """Join conditions into one group, taking in groups of the same sort."""
    flat: list[Node] = []
    for part in parts:
        flat.extend(part.parts if isinstance(part, kind) else (part,))
    return flat[0] if len(flat) == 1 else kind(tuple(flat))


def children(node: Node | Value) -> tuple[Node | Value, ...]:
    """Return the parts of a node, from left to right."""
    match node:
        case Arithmetic() | Compare():
            return (node.left, node.right)
        case Between():
            return (node.value, node.low, node.high)
        case Negative() | InList() | Like() | IsNull() | Truth():
            return (node.value,)
        case Call():
            return node.arguments
        case Not():
            return (node.part,)
        case And() | Or():
            return node.parts
        case _:
            return ()


def walk(node: Node | Value) -> Iterator[Node | Value]:
    """Yield a node and everything below it, from left to right."""
    waiting = [node]
    while waiting:
        here = waiting.pop()
        yield here
        waiting.extend(reversed(children(here)))


def column_names(node: Node | Value) -> dict[str, Kind | None]:
    """Return the columns of a condition and their kinds, in the order of first use."""
    return {part.name: part.kind for part in walk(node) if isinstance(part, ColumnName)}


def decimals_of(call: Call) -> int:
    """Return to how many decimals ``round`` rounds."""
    match call.arguments:
        case (_, Constant(value=int(decimals))):
            return decimals
        case _:
            return 0


def kind_of(value: Value) -> Kind | None:
    """Return the kind of a value, None when it rests on columns of unknown kind."""
    match value:
        case ColumnName():
            return value.kind
        case Constant():
            return literal_kind(value.value)
        case Call(name="lower" | "upper" | "trim"):
            return "text"
        case Call(name="coalesce"):
            return next((kind for kind in map(kind_of, value.arguments) if kind is not None), None)
        case _:
            return "number"


def literal_kind(value: object) -> Kind:
    """Return the kind of a value that was written down."""
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, (int, float)):
        return "number"
    if isinstance(value, datetime.datetime):
        return "timestamp"
    return "date" if isinstance(value, datetime.date) else "text"
