"""From a tree back to text, and to SQL.

Both are printed from the tree. Names in SQL are always quoted and literals are written by sqlglot for the engine that
is asked, so nothing that a person typed is pasted into a query.
"""

from __future__ import annotations

import datetime
import re

from sqlglot import exp
from sqlglot.errors import ErrorLevel

from fairaudit.conditions import tree
from fairaudit.conditions.engines.postgres import to_postgres
from fairaudit.conditions.engines.printer import compared_apart
from fairaudit.conditions.engines.spark import to_spark
from fairaudit.conditions.engines.sqlite import to_sqlite
from fairaudit.conditions.names import value_text
from fairaudit.conditions.tree import EXTRACT_PARTS, KEYWORDS, write_timestamp

_PLAIN_NAME = re.compile(r"[^\W\d]\w*")
_STRENGTH = {"+": 1, "-": 1, "*": 2, "/": 2, "%": 2}
_COMPARISONS = {"=": exp.EQ, "<>": exp.NEQ, "<": exp.LT, "<=": exp.LTE, ">": exp.GT, ">=": exp.GTE}
_ARITHMETIC = {"+": exp.Add, "-": exp.Sub, "*": exp.Mul, "/": exp.Div, "%": exp.Mod}
_ENGINES = {"postgres": to_postgres, "spark": to_spark, "sqlite": to_sqlite}
_NAN = exp.cast(exp.Literal.string("NaN"), "double")


def to_text(node: tree.Node) -> str:
    """Return the one text that stands for a condition; it reads back as the same tree."""
    match node:
        case tree.And() | tree.Or():
            word = " AND " if isinstance(node, tree.And) else " OR "
            return word.join(_grouped(part, to_text) for part in node.parts)
        case tree.Not():
            return f"NOT {_grouped(node.part, to_text)}"
        case tree.Compare():
            return f"{value_to_text(node.left)} {node.operator} {value_to_text(node.right)}"
        case tree.InList():
            items = ", ".join(map(value_to_text, node.items))
            return f"{value_to_text(node.value)}{_no(node)} IN ({items})"
        case tree.Between():
            value, low, high = map(value_to_text, (node.value, node.low, node.high))
            return f"{value}{_no(node)} BETWEEN {low} AND {high}"
        case tree.Like():
            word = "ILIKE" if node.ignore_case else "LIKE"
            return f"{value_to_text(node.value)}{_no(node)} {word} {value_text(node.pattern)}"
        case tree.IsNull():
            return f"{value_to_text(node.value)} IS{_no(node)} NULL"
        case tree.Truth():
            return value_to_text(node.value)


def value_to_text(value: tree.Value) -> str:
    """Return the text that stands for a value."""
    match value:
        case tree.ColumnName():
            return name_to_text(value.name)
        case tree.Constant():
            return _literal_text(value.value)
        case tree.Negative():
            inner = value_to_text(value.value)
            return f"-({inner})" if isinstance(value.value, tree.Arithmetic) else f"-{inner}"
        case tree.Arithmetic():
            left, right = value_to_text(value.left), value_to_text(value.right)
            strength = _STRENGTH[value.operator]
            if _strength(value.left) < strength:
                left = f"({left})"
            if _strength(value.right) <= strength or right.startswith("-"):
                right = f"({right})"
            return f"{left} {value.operator} {right}"
        case tree.Call():
            arguments = ", ".join(map(value_to_text, value.arguments))
            extract = value.name in EXTRACT_PARTS
            return f"extract({value.name} from {arguments})" if extract else f"{value.name}({arguments})"


def name_to_text(name: str) -> str:
    """Return a column name as a condition spells it, between double quotes where that is needed."""
    if _PLAIN_NAME.fullmatch(name) and name.isascii() and name.lower() not in KEYWORDS:
        return name
    return '"' + name.replace('"', '""') + '"'


def to_sql(node: tree.Node, dialect: str) -> str:
    """Return a condition as a truth-valued SQL expression; engines that tables stay in have printers of their own."""
    if dialect in _ENGINES:
        return _ENGINES[dialect](node)
    match node:
        case tree.And() | tree.Or():
            word = " AND " if isinstance(node, tree.And) else " OR "
            return word.join(_grouped(part, lambda inner: to_sql(inner, dialect)) for part in node.parts)
        case tree.Not():
            return f"NOT {_grouped(node.part, lambda inner: to_sql(inner, dialect))}"
        case tree.Compare():
            return _write(_COMPARISONS[node.operator](this=_sql(node.left), expression=_sql(node.right)), dialect)
        case tree.InList():
            items = ", ".join(_write(_sql(item), dialect) for item in node.items)
            return f"{_write(_sql(node.value), dialect)}{_no(node)} IN ({items})"
        case tree.Between():
            value, low, high = (_write(_sql(part), dialect) for part in (node.value, node.low, node.high))
            if compared_apart(node):
                return f"{'NOT ' if node.negated else ''}({value} >= {low} AND {value} <= {high})"
            return f"{value}{_no(node)} BETWEEN {low} AND {high}"
        case tree.Like():
            kind = exp.ILike if node.ignore_case else exp.Like
            found = kind(this=_sql(node.value), expression=exp.Literal.string(node.pattern))
            return f"{'NOT ' if node.negated else ''}{_write(found, dialect)}"
        case tree.IsNull():
            return f"{_write(_sql(node.value), dialect)} IS{_no(node)} NULL"
        case tree.Truth():
            return _write(_sql(node.value), dialect)


def _write(made: exp.Expr, dialect: str) -> str:
    return made.sql(dialect=dialect, identify=True, comments=False, unsupported_level=ErrorLevel.IGNORE)


def _no(node: tree.Negatable) -> str:
    return " NOT" if node.negated else ""


def _grouped(part: tree.Node, write) -> str:
    return f"({write(part)})" if isinstance(part, (tree.And, tree.Or)) else write(part)


def _strength(value: tree.Value) -> int:
    return _STRENGTH[value.operator] if isinstance(value, tree.Arithmetic) else 3


def _literal_text(value: object) -> str:
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, datetime.datetime):
        return f"TIMESTAMP '{write_timestamp(value)}'"
    if isinstance(value, datetime.date):
        return f"DATE '{value.isoformat()}'"
    return value_text(value) if isinstance(value, str) else repr(value)


def _sql(value: tree.Value) -> exp.Expr:
    match value:
        case tree.ColumnName():
            return exp.column(exp.to_identifier(value.name, quoted=True))
        case tree.Constant():
            return _literal_sql(value.value)
        case tree.Negative():
            return exp.Neg(this=exp.paren(_double(value.value)))
        case tree.Arithmetic():
            return _arithmetic(value)
        case tree.Call(name="year" | "month" | "day"):
            return exp.Extract(this=exp.var(value.name.upper()), expression=_sql(value.arguments[0]))
        case tree.Call(name="coalesce"):
            first, *others = map(_sql, value.arguments)
            return exp.Coalesce(this=first, expressions=others)
        case tree.Call(name="abs"):
            return exp.Abs(this=_double(value.arguments[0]))
        case tree.Call(name="round"):
            decimals = _sql(value.arguments[1]) if len(value.arguments) > 1 else None
            return exp.Round(this=_double(value.arguments[0]), decimals=decimals)
        case tree.Call():
            return _TEXT_CALLS[value.name](this=_sql(value.arguments[0]))


_TEXT_CALLS = {"lower": exp.Lower, "upper": exp.Upper, "trim": exp.Trim, "length": exp.Length}


def _arithmetic(value: tree.Arithmetic) -> exp.Expr:
    """Return arithmetic in double precision, with a missing value where there is no number."""
    sides = [value.left, value.right]
    plain = sum(isinstance(side, tree.Constant) for side in sides) == 1
    left, right = (_sql(side) if plain and isinstance(side, tree.Constant) else _operand(side) for side in sides)
    if value.operator in "/%" and (
        not plain or isinstance(value.left, tree.Constant) or value.right == tree.Constant(0)
    ):
        right = exp.Nullif(this=right, expression=exp.Literal.number(0))
    made = _ARITHMETIC[value.operator](this=left, expression=right)
    if value.operator == "/":
        made.set("typed", False)
        made.set("safe", False)
    return exp.Nullif(this=made, expression=_NAN.copy()) if _may_be_undefined(value) else made


def _may_be_undefined(value: tree.Arithmetic) -> bool:
    # Infinite values make inf - inf, 0 * inf, inf / inf and inf % x undefined.
    literals = [side.value for side in (value.left, value.right) if isinstance(side, tree.Constant)]
    return value.operator == "%" or not literals or (value.operator == "*" and 0 in literals)


def _operand(value: tree.Value) -> exp.Expr:
    made = _double(value)
    return exp.paren(made) if isinstance(made, exp.Binary) else made


def _double(value: tree.Value) -> exp.Expr:
    made = _sql(value)
    exact = isinstance(value, (tree.Negative, tree.Arithmetic)) or (
        isinstance(value, tree.Call) and value.name in ("abs", "round")
    )
    return made if exact else exp.cast(made, "double")


def _literal_sql(value: tree.Written) -> exp.Expr:
    if isinstance(value, bool):
        return exp.Boolean(this=value)
    if isinstance(value, datetime.datetime):
        return exp.cast(exp.Literal.string(write_timestamp(value)), "timestamp")
    if isinstance(value, datetime.date):
        return exp.cast(exp.Literal.string(value.isoformat()), "date")
    if isinstance(value, str):
        return exp.Literal.string(value)
    digits = repr(abs(value)).removesuffix(".0")
    # An exponent makes the literal a double, not a decimal that could change the comparison.
    number = exp.Literal.number(digits if isinstance(value, int) or "e" in digits else f"{digits}e0")
    return exp.Neg(this=number) if value < 0 else number
