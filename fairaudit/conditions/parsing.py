"""From text to a tree: sqlglot parses, and each node is taken over one by one or refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn

from sqlglot import exp
from sqlglot.dialects.duckdb import DuckDB
from sqlglot.errors import ParseError
from sqlglot.tokens import Token

from fairaudit.columns import DAY_KINDS
from fairaudit.conditions import tree
from fairaudit.conditions.guard import scan
from fairaudit.conditions.kinds import KindMismatch, describe, same_kind, take_kind
from fairaudit.conditions.limits import EXAMPLE, EXTRACT_PARTS, MAX_ITEMS
from fairaudit.conditions.literals import read_date, read_number, read_timestamp
from fairaudit.conditions.names import Names
from fairaudit.errors import ConditionError, quote

_COMPARISONS: dict[type[exp.Expr], tree.ComparisonOperator] = {
    exp.EQ: "=",
    exp.NEQ: "<>",
    exp.LT: "<",
    exp.LTE: "<=",
    exp.GT: ">",
    exp.GTE: ">=",
}
_CONDITIONS = {*_COMPARISONS, exp.And, exp.Or, exp.Not, exp.In, exp.Between, exp.Is, exp.Like, exp.ILike}
_ARITHMETIC: dict[type[exp.Expr], tree.ArithmeticOperator] = {
    exp.Add: "+",
    exp.Sub: "-",
    exp.Mul: "*",
    exp.Div: "/",
    exp.Mod: "%",
}
_TEXT_FUNCTIONS: dict[type[exp.Expr], str] = {
    exp.Lower: "lower",
    exp.Upper: "upper",
    exp.Trim: "trim",
    exp.Length: "length",
}
_DATES: dict[exp.DType, Callable] = {
    exp.DataType.Type.DATE: read_date,
    exp.DataType.Type.TIMESTAMP: read_timestamp,
    exp.DataType.Type.TIMESTAMPNTZ: read_timestamp,
}


def parse(text: str, names: Names) -> tree.Node:
    """Read a condition."""
    tokens = scan(text, names)
    try:
        found = DuckDB().parser().parse_into(exp.Condition, tokens, text)
    except ParseError as error:
        raise _unreadable(text, tokens, error) from None
    except (RecursionError, ValueError):
        raise ConditionError("The condition cannot be read.", text=text, hint=EXAMPLE) from None
    if len(found) != 1 or found[0] is None:
        raise ConditionError("The condition cannot be read.", text=text, hint=EXAMPLE)
    return _Reader(text, tokens, names).condition(found[0])


class _Reader:
    def __init__(self, text: str, tokens: list[Token], names: Names):
        self.text = text
        self.names = names
        self.starts: dict[str, int] = {}
        for token in reversed(tokens):
            self.starts[token.text] = token.start

    def refuse(self, message: str, node: exp.Expr, hint: str | None = None) -> NoReturn:
        raise ConditionError(message, text=self.text, position=self.position(node), hint=hint)

    def position(self, node: exp.Expr) -> int:
        """Where a node begins: sqlglot notes it for names, and for literals the first equal word is taken."""
        starts = [0]
        for part in node.find_all(exp.Identifier, exp.Literal):
            start = part.meta.get("start") if isinstance(part, exp.Identifier) else self.starts.get(part.this)
            if start is not None:
                starts.append(start)
        return min(starts[1:], default=0)

    def condition(self, node: exp.Expr) -> tree.Node:
        kind = type(node)
        if kind is exp.Paren:
            return self.condition(node.this)
        if kind in (exp.And, exp.Or):
            parts = [self.condition(part) for part in _chain(node)]
            return tree.join(tree.And if kind is exp.And else tree.Or, parts)
        if kind is exp.Not:
            return tree.negate(self.condition(node.this))
        if kind in _COMPARISONS:
            return self.comparison(node)
        if kind is exp.In:
            return self.in_list(node)
        if kind is exp.Between:
            return self.between(node)
        if kind in (exp.Like, exp.ILike):
            return self.like(node)
        if kind is exp.Is:
            return self.is_null(node)
        if kind is exp.Null:
            self.refuse("NULL alone is not a condition", node, "Write column IS NULL.")
        value = self.value(node)
        if tree.kind_of(value) not in ("boolean", None):
            self.refuse("This is a value, not a condition", node, f"Compare it with something. {EXAMPLE}")
        return tree.Truth(take_kind(value, "boolean"))

    def comparison(self, node: exp.Expr) -> tree.Node:
        operator = _COMPARISONS[type(node)]
        if isinstance(node.this, exp.Null) or isinstance(node.expression, exp.Null):
            form = "IS NOT NULL" if operator == "<>" else "IS NULL"
            self.refuse("Nothing equals NULL", node, f"Write column {form}.")
        left, right = self.alike(node, self.value(node.this), self.value(node.expression))
        if tree.kind_of(left) == "boolean" and operator not in ("=", "<>"):
            self.refuse(f"True and false cannot be compared with {operator}", node, "Use = or <>.")
        return tree.Compare(operator, left, right)

    def in_list(self, node: exp.Expr) -> tree.Node:
        items = node.args.get("expressions")
        if not items or _others(node, "this", "expressions"):
            self.refuse("IN needs a list of values between parentheses", node, "Write column IN ('a', 'b').")
        if len(items) > MAX_ITEMS:
            self.refuse(f"A list can have {MAX_ITEMS:,} values, this one has {len(items):,}", node)
        values = []
        for item in items:
            if isinstance(item, exp.Null):
                self.refuse("NULL in a list matches nothing", node, "Add OR column IS NULL.")
            value = self.value(item)
            if not isinstance(value, tree.Literal):
                self.refuse("A list can hold only values", item, "Compare columns with = and OR.")
            values.append(value)
        value, *found = self.alike(node, self.value(node.this), *values)
        return tree.InList(value, tuple(item for item in found if isinstance(item, tree.Literal)))

    def between(self, node: exp.Expr) -> tree.Node:
        if _others(node, "this", "low", "high"):
            self.refuse("This form of BETWEEN is not allowed", node)
        parts = [self.value(node.args[part]) for part in ("this", "low", "high")]
        value, low, high = self.alike(node, *parts)
        if tree.kind_of(value) == "boolean":
            self.refuse("True and false have no order for BETWEEN", node, "Use = or <>.")
        return tree.Between(value, low, high)

    def like(self, node: exp.Expr) -> tree.Node:
        pattern = node.expression
        while isinstance(pattern, exp.Paren):
            pattern = pattern.this
        plain = isinstance(pattern, exp.Literal) and pattern.is_string
        if not plain or _others(node, "this", "expression", "negate"):
            self.refuse("LIKE needs a pattern between single quotes", node, "Write column LIKE 'A%'.")
        value = self.text_value(node, self.value(node.this), "LIKE")
        like = tree.Like(value, pattern.this, isinstance(node, exp.ILike))
        return tree.negate(like) if node.args.get("negate") else like

    def is_null(self, node: exp.Expr) -> tree.Node:
        if not isinstance(node.expression, exp.Null):
            self.refuse("IS is followed by NULL or NOT NULL", node, "Before a value, write = or <>, such as = TRUE.")
        return tree.IsNull(self.value(node.this))

    def value(self, node: exp.Expr) -> tree.Value:
        kind = type(node)
        if kind is exp.Paren:
            return self.value(node.this)
        if kind is exp.Column and isinstance(node.this, exp.Identifier) and not _others(node, "this"):
            if not node.this.quoted:
                # Every column was marked as a name before: this is a word such as IN, in a place where none can be.
                self.refuse(f"{node.name.upper()} is not expected here", node, EXAMPLE)
            return tree.ColumnName(node.name, self.names.kind(node.name))
        if isinstance(node, exp.Literal) and kind is exp.Literal:
            return tree.Literal(node.this if node.is_string else self.number(node))
        if kind is exp.Boolean:
            return tree.Literal(bool(node.this))
        if isinstance(node, exp.Cast) and kind is exp.Cast:
            return self.date(node)
        if kind is exp.Neg:
            return negative(self.numeric(node, self.value(node.this), "a sign"))
        if kind in _ARITHMETIC:
            operator = _ARITHMETIC[kind]
            left, right = (self.numeric(node, self.value(part), operator) for part in (node.this, node.expression))
            return tree.Arithmetic(operator, left, right)
        if kind in _CONDITIONS:
            hint = f"Join conditions with AND or OR. {EXAMPLE}"
            self.refuse("A condition stands where a value is needed", node, hint)
        if kind is exp.Null:
            self.refuse("NULL is not allowed here", node, "Write column IS NULL.")
        return self.call(node)

    def call(self, node: exp.Expr) -> tree.Value:
        kind = type(node)
        if kind in _TEXT_FUNCTIONS and not _others(node, "this"):
            name = _TEXT_FUNCTIONS[kind]
            return tree.Call(name, (self.text_value(node, self.value(node.this), name),))
        if kind is exp.Abs and not _others(node, "this"):
            return tree.Call("abs", (self.numeric(node, self.value(node.this), "abs"),))
        if kind is exp.Round and not _others(node, "this", "decimals"):
            return self.round(node)
        if kind is exp.Coalesce and not _others(node, "this", "expressions", "is_nvl", "is_null"):
            return tree.Call("coalesce", self.alike(node, *map(self.value, (node.this, *node.expressions))))
        if kind is exp.Extract and not _others(node, "this", "expression"):
            part = node.this.name.lower()
            if part not in EXTRACT_PARTS:
                self.refuse("extract gives year, month or day", node, "Write extract(year from column).")
            value = self.value(node.expression)
            if tree.kind_of(value) not in (*DAY_KINDS, None):
                self.refuse("extract needs a date", node)
            return tree.Call(part, (value,))
        return self.refuse("This is not allowed in a condition", node, EXAMPLE)

    def round(self, node: exp.Expr) -> tree.Value:
        value = self.numeric(node, self.value(node.this), "round")
        if node.args.get("decimals") is None:
            return tree.Call("round", (value,))
        decimals = self.value(node.args["decimals"])
        number = decimals.value if isinstance(decimals, tree.Literal) else None
        if not isinstance(number, int) or isinstance(number, bool) or not -15 <= number <= 15:
            self.refuse("The decimals of round must be a whole number from -15 to 15", node)
        return tree.Call("round", (value, decimals))

    def number(self, node: exp.Literal) -> int | float:
        number = read_number(node.this)
        if number is None:
            self.refuse(f"The number {quote(node.this, limit=30)} cannot be read", node)
        return number

    def date(self, node: exp.Cast) -> tree.Literal:
        read = _DATES.get(node.to.this)
        inner = node.this
        if read is None or not (isinstance(inner, exp.Literal) and inner.is_string):
            self.refuse("Only dates are written like this", node, "Write DATE '2014-01-31'.")
        value = read(inner.this)
        if value is None:
            self.refuse(f"{quote(inner.this, limit=30)} is not a date", inner, "Write DATE '2014-01-31'.")
        return tree.Literal(value)

    def alike(self, node: exp.Expr, *values: tree.Value) -> tuple[tree.Value, ...]:
        try:
            return same_kind(values)
        except KindMismatch as error:
            is_money = error.text_column is not None and self.names.holds_money(error.text_column)
            self.refuse(error.message, node, _MONEY if is_money else error.hint)

    def numeric(self, node: exp.Expr, value: tree.Value, what: str) -> tree.Value:
        if tree.kind_of(value) not in ("number", None):
            self.refuse(f"{what} needs numbers; {describe(value)}", node)
        return take_kind(value, "number")

    def text_value(self, node: exp.Expr, value: tree.Value, what: str) -> tree.Value:
        if tree.kind_of(value) not in ("text", None):
            self.refuse(f"{what} needs text; {describe(value)}", node)
        return take_kind(value, "text")


def negative(value: tree.Value) -> tree.Value:
    """Turn the sign of a value; of a literal at once."""
    match value:
        case tree.Literal(value=int() | float() as number):
            return tree.Literal(-number or abs(number))
    return value.value if isinstance(value, tree.Negative) else tree.Negative(value)


def _chain(node: exp.Expr) -> list[exp.Expr]:
    """Return the parts of a AND b AND c, which the parser nests to the left."""
    kind, parts = type(node), []
    while type(node) is kind:
        parts.append(node.expression)
        node = node.this
    return [node, *reversed(parts)]


def _others(node: exp.Expr, *known: str) -> bool:
    return any(value for name, value in node.args.items() if name not in known)


def _unreadable(text: str, tokens: list[Token], error: ParseError) -> ConditionError:
    place = (error.errors[0].get("line"), error.errors[0].get("col")) if error.errors else None
    position = next((token.start for token in tokens if (token.line, token.col) == place), None)
    if position is not None and position == tokens[-1].start and tokens[-1].token_type.name not in _VALUES:
        return ConditionError("The condition ends too early", text=text, position=len(text), hint=EXAMPLE)
    return ConditionError("The condition cannot be read here", text=text, position=position or 0, hint=EXAMPLE)


_MONEY = (
    "Most of its values have a sign or a code of money, such as € or EUR, so the column is read as text. Take these "
    "out in the file and open it again: then it holds numbers."
)
_VALUES = ("IDENTIFIER", "NUMBER", "STRING", "R_PAREN", "TRUE", "FALSE", "NULL")
