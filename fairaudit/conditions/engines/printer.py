"""What engines have in common: conditions as text, every value in parentheses where it could be misread."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from typing import ClassVar

from fairaudit.conditions import tree
from fairaudit.conditions.literals import write_timestamp
from fairaudit.conditions.texts import to_lower

_DATES = {"date", "timestamp"}


class Printer:
    """Prints the tree of a condition; an engine's own printer says what differs."""

    quote_mark: ClassVar[str] = '"'

    def condition(self, node: tree.Node) -> str:
        """Return a truth-valued expression."""
        match node:
            case tree.And() | tree.Or():
                word = " AND " if isinstance(node, tree.And) else " OR "
                return word.join(map(self.grouped, node.parts))
            case tree.Not():
                return f"NOT {self.grouped(node.part)}"
            case tree.Compare():
                return self.compare(node.operator, *self.alike(node.left, node.right))
            case tree.InList():
                return self.in_list(node)
            case tree.Between():
                value, low, high = self.alike(node.value, node.low, node.high)
                texts = [self.value(part) for part in (value, low, high)]
                return f"{texts[0]}{no(node)} BETWEEN {texts[1]} AND {texts[2]}"
            case tree.Like():
                return self.like(node)
            case tree.IsNull():
                return f"{self.value(node.value)} IS{no(node)} NULL"
            case tree.Truth():
                return self.value(node.value)

    def grouped(self, part: tree.Node) -> str:
        """Return a condition that may stand beside others."""
        made = self.condition(part)
        return f"({made})" if isinstance(part, (tree.And, tree.Or)) else made

    def alike(self, *values: tree.Value) -> tuple[tree.Value, ...]:
        """Return values that are compared; an engine may need them changed."""
        return values

    def same(self, *values: tree.Value) -> tuple[tree.Value, ...]:
        """Return values of which one is taken; an engine may need them changed."""
        return values

    def compare(self, operator: str, left: tree.Value, right: tree.Value) -> str:
        """Return a comparison."""
        return f"{self.value(left)} {operator} {self.value(right)}"

    def in_list(self, node: tree.InList) -> str:
        """Return a test for being one of a list."""
        value, *items = self.alike(node.value, *node.items)
        return f"{self.value(value)}{no(node)} IN ({', '.join(map(self.value, items))})"

    def like(self, node: tree.Like) -> str:
        """Return a test for a pattern; whatever the case, small letters are compared with small letters."""
        value = tree.Call("lower", (node.value,)) if node.ignore_case else node.value
        pattern = to_lower(node.pattern) if node.ignore_case else node.pattern
        return self.matches(self.value(value), pattern, no(node))

    def matches(self, value: str, pattern: str, negated: str) -> str:
        """Return a test of a text for a pattern, capital letters told from small ones."""
        return f"{value}{negated} LIKE {self.text(pattern)}{self.no_escape()}"

    def no_escape(self) -> str:
        """Return what keeps a backslash in a pattern from meaning anything."""
        return ""

    def value(self, value: tree.Value) -> str:
        """Return a value."""
        match value:
            case tree.ColumnName():
                return self.name(value.name)
            case tree.Literal():
                return self.literal(value.value)
            case tree.Negative():
                return f"(-{self.double(value.value)})"
            case tree.Arithmetic():
                return self.arithmetic(value)
            case tree.Call(name="coalesce"):
                return f"coalesce({', '.join(map(self.value, self.same(*value.arguments)))})"
            case tree.Call(name="abs"):
                return f"abs({self.double(value.arguments[0])})"
            case tree.Call(name="round"):
                decimals = value.arguments[1].value if len(value.arguments) > 1 else 0
                return self.rounded(self.double(value.arguments[0]), decimals)
            case tree.Call(name="year" | "month" | "day"):
                return self.date_part(value.name, value.arguments[0])
            case tree.Call():
                return self.text_call(value.name, self.value(value.arguments[0]))

    def name(self, name: str) -> str:
        """Return the name of a column."""
        return self.quote_mark + name.replace(self.quote_mark, self.quote_mark * 2) + self.quote_mark

    def literal(self, value: object) -> str:
        """Return a value that was written down."""
        if isinstance(value, bool):
            return "TRUE" if value else "FALSE"
        if isinstance(value, datetime.datetime):
            return f"TIMESTAMP '{write_timestamp(value)}'"
        if isinstance(value, datetime.date):
            return f"DATE '{value.isoformat()}'"
        if isinstance(value, str):
            return self.text(value)
        return self.whole(value) if isinstance(value, int) else self.real(value)

    def text(self, value: str) -> str:
        """Return a text between quotes."""
        return "'" + value.replace("'", "''") + "'"

    def whole(self, value: int) -> str:
        """Return a whole number of eight bytes."""
        return f"({value})" if value < 0 else str(value)

    def real(self, value: float) -> str:
        """Return a number in double precision."""
        raise NotImplementedError

    def double(self, value: tree.Value) -> str:
        """Return a number in double precision."""
        raise NotImplementedError

    def arithmetic(self, value: tree.Arithmetic) -> str:
        """Return arithmetic in double precision, missing where there is no number."""
        raise NotImplementedError

    def rounded(self, number: str, decimals: int) -> str:
        """Return a number rounded, halves away from zero."""
        raise NotImplementedError

    def date_part(self, part: str, value: tree.Value) -> str:
        """Return the year, month or day of the month."""
        raise NotImplementedError

    def text_call(self, name: str, text: str) -> str:
        """Return lower, upper, trim or length of a text."""
        raise NotImplementedError


def no(node: tree.Node) -> str:
    """Return the word that negates."""
    return " NOT" if node.negated else ""


def is_double(value: tree.Value) -> bool:
    """Say whether a number is of double precision whatever the columns hold."""
    match value:
        case tree.Negative() | tree.Arithmetic() | tree.Call(name="abs" | "round"):
            return True
        case tree.Literal():
            return isinstance(value.value, float)
    return False


def without_columns(values: Sequence[tree.Value]) -> bool:
    """Say whether values rest on no column at all."""
    return not any(isinstance(part, tree.ColumnName) for value in values for part in tree.walk(value))
