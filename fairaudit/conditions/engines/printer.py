"""What engines have in common: conditions as text, every value in parentheses where it could be misread."""

from __future__ import annotations

import datetime
from abc import ABC, abstractmethod
from typing import ClassVar

from fairaudit.conditions import tree
from fairaudit.conditions.evaluation import to_lower
from fairaudit.conditions.tree import write_timestamp

EXACT = 2**53
"""Double precision can distinguish whole numbers below this one."""


class Printer(ABC):
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
                return self.apart(node) if compared_apart(node) else self.between(node)
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
        return f"{self.ordered(left, right)} {operator} {self.value(right)}"

    def ordered(self, value: tree.Value, *others: tree.Value) -> str:
        """Return a value that others are compared with, in the order of code points if it is a text."""
        return self.value(value)

    def between(self, node: tree.Between) -> str:
        """Return a test for lying in a range."""
        value, low, high = self.alike(node.value, node.low, node.high)
        return f"{self.ordered(value, low, high)}{no(node)} BETWEEN {self.value(low)} AND {self.value(high)}"

    def apart(self, node: tree.Between) -> str:
        """Return a test for lying in a range, each end made alike by itself."""
        ends = ((">=", node.low), ("<=", node.high))
        found = " AND ".join(self.compare(sign, *self.alike(node.value, end)) for sign, end in ends)
        return f"{'NOT ' if node.negated else ''}({found})"

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
        """Return a test of a text for a pattern, which distinguishes capital from small letters."""
        return f"{value}{negated} LIKE {self.text(pattern)}{self.no_escape()}"

    def no_escape(self) -> str:
        """Return what keeps a backslash in a pattern from meaning anything."""
        return ""

    def value(self, value: tree.Value) -> str:
        """Return a value."""
        match value:
            case tree.ColumnName():
                return self.name(value.name)
            case tree.Constant():
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
                return self.rounded(self.double(value.arguments[0]), tree.decimals_of(value))
            case tree.Call(name="year" | "month" | "day"):
                return self.date_part(value.name, value.arguments[0])
            case tree.Call():
                return self.text_call(value.name, self.value(value.arguments[0]))

    def name(self, name: str) -> str:
        """Return the name of a column."""
        return self.quote_mark + name.replace(self.quote_mark, self.quote_mark * 2) + self.quote_mark

    def literal(self, value: tree.Written) -> str:
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

    @abstractmethod
    def real(self, value: float) -> str:
        """Return a number in double precision."""

    @abstractmethod
    def double(self, value: tree.Value) -> str:
        """Return a number in double precision."""

    @abstractmethod
    def arithmetic(self, value: tree.Arithmetic) -> str:
        """Return arithmetic in double precision, missing where there is no number."""

    @abstractmethod
    def rounded(self, number: str, decimals: int) -> str:
        """Return a number rounded, halves away from zero."""

    @abstractmethod
    def date_part(self, part: str, value: tree.Value) -> str:
        """Return the year, month or day of the month."""

    @abstractmethod
    def text_call(self, name: str, text: str) -> str:
        """Return lower, upper, trim or length of a text."""


def no(node: tree.Negatable) -> str:
    """Return the word that negates."""
    return " NOT" if node.negated else ""


def is_double(value: tree.Value) -> bool:
    """Say whether a number is of double precision whatever the columns hold."""
    match value:
        case tree.Negative() | tree.Arithmetic() | tree.Call(name="abs" | "round"):
            return True
        case tree.Constant():
            return isinstance(value.value, float)
    return False


def without_columns(value: tree.Value) -> bool:
    """Say whether a value rests on no column at all."""
    return not any(isinstance(part, tree.ColumnName) for part in tree.walk(value))


def compared_apart(node: tree.Between) -> bool:
    """Say whether the ends of a range must be compared one by one.

    In BETWEEN, some databases make all three numbers double precision as soon as one of them is. That changes the
    comparison with the other end where whole numbers are beyond those that double precision can distinguish.
    """
    if is_double(node.value) or _is_small(node.value):
        return False
    return any(
        not is_double(one) and not _is_small(one) and (is_double(other) or is_open(other))
        for one, other in ((node.low, node.high), (node.high, node.low))
    )


def is_large(value: tree.Value) -> bool:
    """Say whether a whole number that was written down is beyond those that double precision can distinguish."""
    return isinstance(value, tree.Constant) and isinstance(value.value, int) and abs(value.value) >= EXACT


def is_open(value: tree.Value) -> bool:
    """Say whether the columns decide if a number is of double precision."""
    plain = isinstance(value, tree.ColumnName) or (isinstance(value, tree.Call) and value.name == "coalesce")
    return plain and tree.kind_of(value) in ("number", None)


def _is_small(value: tree.Value) -> bool:
    """Say whether a value is the same in double precision: a whole number that is small, or no number at all."""
    return not is_double(value) and not is_large(value) and not is_open(value)
