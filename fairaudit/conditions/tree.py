"""The parts that a condition is made of.

A condition is kept as its own small tree, never as the parser's: what cannot be built here cannot be asked.
Negation, conjunction and disjunction follow SQL's three-valued logic, so every rewriting below is exact.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal as OneOf

from fairaudit.columns import Kind

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
