"""From text to a tree: sqlglot parses, and each node is taken over one by one or refused."""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NoReturn

from sqlglot import exp
from sqlglot.dialects.duckdb import DuckDB
from sqlglot.errors import ParseError, SqlglotError
from sqlglot.tokens import Token, TokenType

from fairaudit.columns import DAY_KINDS, HELD, Column, Kind
from fairaudit.conditions import tree
from fairaudit.conditions.names import ColumnNames, value_text
from fairaudit.conditions.tree import (
    EXAMPLE,
    EXTRACT_PARTS,
    FUNCTIONS,
    KEYWORDS,
    MAX_ARITHMETIC,
    MAX_DEPTH,
    MAX_ITEMS,
    MAX_LENGTH,
    RESERVED,
    read_date,
    read_number,
    read_timestamp,
)
from fairaudit.errors import ConditionError, quote

# The first look at a condition: its words, before anything is parsed.
#
# Whatever is not a word of the language is refused here with its position, nesting is bounded before a recursive parser
# sees it, and words that name columns are marked as names, so that a column called ``order`` needs no quotes.

_COMPARISON_TOKENS = {TokenType.EQ, TokenType.NEQ, TokenType.LT, TokenType.LTE, TokenType.GT, TokenType.GTE}
_SIGNS = {TokenType.PLUS, TokenType.DASH}
_ARITHMETIC_TOKENS = _SIGNS | {TokenType.STAR, TokenType.SLASH, TokenType.MOD}
_OPEN, _CLOSE = TokenType.L_PAREN, TokenType.R_PAREN
_PLAIN = _COMPARISON_TOKENS | _ARITHMETIC_TOKENS | {_OPEN, _CLOSE, TokenType.COMMA, TokenType.STRING, TokenType.NUMBER}
_BEFORE_VALUE = _COMPARISON_TOKENS | {
    TokenType.LIKE, TokenType.ILIKE, TokenType.IN, TokenType.BETWEEN, TokenType.IS,
}  # fmt: skip
_SPELLINGS = {"=", "==", "<>", "!=", "<", "<=", ">", ">=", "+", "-", "*", "/", "%", "(", ")", ","}
_VALUE_ENDS = {TokenType.IDENTIFIER, TokenType.NUMBER, TokenType.STRING, _CLOSE}
_BEFORE_NOT = {_OPEN, TokenType.AND, TokenType.OR, TokenType.NOT}
_AFTER_NOT = {TokenType.IN, TokenType.LIKE, TokenType.ILIKE, TokenType.BETWEEN, TokenType.NULL}
_NUMBER = re.compile(r"\d+(\.\d*)?([eE][+-]?\d+)?")

_REFUSALS = {
    ";": ("A condition is one expression without ';'", None),
    "::": ("'::' is not allowed", None),
    "&&": ("'&&' is not allowed", "Write AND."),
    "||": ("'||' is not allowed", "Write OR between conditions; texts cannot be joined."),
    "!": ("'!' is not allowed", "Write NOT, or <> for 'is not'."),
    ".": ("'.' is not allowed here", "Put a column name with a dot between double quotes, and write 0.5, not .5."),
    "`": ("'`' is not allowed", "Put column names between double quotes."),
    "?": ("Parameters are not allowed", "Write the value itself."),
    "$": ("Parameters are not allowed", "Write the value itself."),
    "@": ("Parameters are not allowed", "Write the value itself."),
    ":": ("':' is not allowed", None),
}


def scan(text: str, names: ColumnNames) -> list[Token]:
    """Split a condition into words and refuse what is not of the language."""
    if len(text) > MAX_LENGTH:
        raise ConditionError(
            f"A condition can have {MAX_LENGTH:,} characters, this one has {len(text):,}", text=text, position=0
        )
    for position, character in enumerate(text):
        if character == "\0" or "\ud800" <= character <= "\udfff":
            raise ConditionError("A character that cannot be read is in the condition", text=text, position=position)
    try:
        tokens = DuckDB().tokenize(text)
    except SqlglotError:
        raise _open_quote(text) from None
    if not tokens:
        raise ConditionError("The condition is empty.", text=text, hint=EXAMPLE)
    _check_gaps(text, tokens)
    tokens = [_checked(text, tokens, i, names) for i in range(len(tokens))]
    _check_nesting(text, tokens)
    return tokens


def spelled(text: str, token: Token) -> str:
    """Return a word as it stands in the text."""
    return text[token.start : token.end + 1]


def _open_quote(text: str) -> ConditionError:
    opened: int | None = None
    for position, character in enumerate(text):
        if opened is None and character in "'\"":
            opened = position
        elif opened is not None and character == text[opened]:
            opened = None
    hint = "Inside quotes, write the quote character twice." if opened is not None else EXAMPLE
    message = "A quote is not closed" if opened is not None else "The condition cannot be read"
    return ConditionError(message, text=text, position=opened or 0, hint=hint)


def _check_gaps(text: str, tokens: list[Token]) -> None:
    end = 0
    for token in tokens:
        _check_gap(text, end, token.start)
        end = token.end + 1
    _check_gap(text, end, len(text))


def _check_gap(text: str, start: int, end: int) -> None:
    gap = text[start:end]
    if gap.strip():
        position = start + len(gap) - len(gap.lstrip())
        raise ConditionError("Comments are not allowed", text=text, position=position)


def _checked(text: str, tokens: list[Token], i: int, names: ColumnNames) -> Token:
    token = tokens[i]
    raw = spelled(text, token)
    following = tokens[i + 1] if i + 1 < len(tokens) else None
    if token.token_type is TokenType.IDENTIFIER and raw.startswith('"'):
        return _named(text, tokens, i, names)
    if token.token_type is TokenType.STRING and raw.startswith("'"):
        if following is not None and following.token_type is TokenType.STRING:
            hint = "Write a quote in a text as ''."
            raise ConditionError("Two texts follow each other", text=text, position=following.start, hint=hint)
        return token
    if token.token_type is TokenType.NUMBER and _NUMBER.fullmatch(token.text):
        return token
    if token.token_type in _PLAIN and raw in _SPELLINGS:
        return token
    if not (raw[:1].isidentifier() or token.token_type is TokenType.VAR):
        raise _refusal(text, token)
    word = raw.lower()
    if following is not None and following.token_type is _OPEN and word not in KEYWORDS:
        if word in FUNCTIONS:
            return token
        raise ConditionError(
            f"The function {quote(raw)} is not allowed",
            text=text,
            position=token.start,
            hint=f"There are: {', '.join(FUNCTIONS)}.",
        )
    if word in KEYWORDS and not (word in ("date", "timestamp") and not _is_text(following)):
        return token
    if word in EXTRACT_PARTS and i >= 2 and _words(text, tokens[i - 2 : i]) == "extract (":
        return token
    if word in RESERVED and names.find(raw) is None:
        message = f"{word.upper()} is not allowed in a condition"
        raise ConditionError(message, text=text, position=token.start, hint=EXAMPLE)
    return _named(text, tokens, i, names)


def _named(text: str, tokens: list[Token], i: int, names: ColumnNames) -> Token:
    token = tokens[i]
    name = names.find(token.text)
    if name is None:
        operator, compared = _before_value(text, tokens[:i], names)
        raise names.missing(token.text, text, token.start, operator=operator, compared=compared)
    return Token(TokenType.IDENTIFIER, name, token.line, token.col, token.start, token.end, [])


def _before_value(text: str, before: list[Token], names: ColumnNames) -> tuple[str | None, str | None]:
    """Return the operator that stands before a word, and the column before that; None for each that is not there."""
    place = len(before) - 1
    if place >= 0 and before[place].token_type in (TokenType.COMMA, _OPEN):
        # A list of values stands between parentheses after IN.
        place = next((k for k in range(place, -1, -1) if before[k].token_type is _OPEN), 0) - 1
    if place > 0 and before[place].token_type is TokenType.NOT and before[place - 1].token_type is TokenType.IS:
        place -= 1
    if place < 0 or before[place].token_type not in _BEFORE_VALUE:
        return None, None
    of = place - 1 - (place > 1 and before[place - 1].token_type is TokenType.NOT)
    return spelled(text, before[place]).lower(), names.find(before[of].text) if of >= 0 else None


def _is_text(token: Token | None) -> bool:
    return token is not None and token.token_type is TokenType.STRING


def _words(text: str, tokens: list[Token]) -> str:
    return " ".join(spelled(text, token).lower() for token in tokens)


def _refusal(text: str, token: Token) -> ConditionError:
    raw = spelled(text, token)
    message, hint = _REFUSALS.get(raw[:2]) or _REFUSALS.get(raw[:1]) or (f"{quote(raw, limit=20)} is not allowed", None)
    return ConditionError(message, text=text, position=token.start, hint=hint or EXAMPLE)


def _check_nesting(text: str, tokens: list[Token]) -> None:
    """Bound what makes a parser recurse: parentheses, and NOTs and signs before a value."""
    opened: list[tuple[int, int]] = []
    betweens = [0]
    prefixes = arithmetic = 0
    previous: Token | None = None
    end_of_between = False
    for i, token in enumerate(tokens):
        kind = token.token_type
        if kind is TokenType.NOT and not _may_negate(previous, tokens[i + 1 : i + 2], end_of_between):
            raise ConditionError("NOT is not allowed here", text=text, position=token.start, hint=EXAMPLE)
        enclosing = opened[-1][1] if opened else 0
        prefix = kind is TokenType.NOT or (kind in _SIGNS and not _ends_value(previous))
        prefixes = prefixes + 1 if prefix else (prefixes if kind is _OPEN else enclosing)
        arithmetic += kind in _ARITHMETIC_TOKENS and not prefix
        end_of_between = kind is TokenType.AND and betweens[-1] > 0
        if kind is TokenType.BETWEEN:
            betweens[-1] += 1
        elif end_of_between:
            betweens[-1] -= 1
        elif kind is _OPEN:
            opened.append((token.start, prefixes))
            betweens.append(0)
        elif kind is _CLOSE:
            if not opened:
                raise ConditionError("A ')' has no '('", text=text, position=token.start)
            opened.pop()
            betweens.pop()
        if max(len(opened), prefixes) > MAX_DEPTH:
            raise ConditionError(f"The condition is nested more than {MAX_DEPTH} deep", text=text, position=token.start)
        if arithmetic > MAX_ARITHMETIC:
            raise ConditionError(
                f"A condition can have {MAX_ARITHMETIC} arithmetic signs", text=text, position=token.start
            )
        previous = token
    if opened:
        raise ConditionError("A '(' is not closed", text=text, position=opened[-1][0])


def _may_negate(previous: Token | None, following: list[Token], end_of_between: bool) -> bool:
    if following and following[0].token_type in _AFTER_NOT:
        return True
    return previous is None or (previous.token_type in _BEFORE_NOT and not end_of_between)


def _ends_value(token: Token | None) -> bool:
    return token is not None and token.token_type in _VALUE_ENDS


# Which kinds of values may stand together.


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
    leading = next((k for v, k in zip(values, kinds, strict=True) if k and not isinstance(v, tree.Constant)), None)
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
        case tree.Constant(value=str()):
            return f"{quote(value.value, limit=30)} is text"
        case tree.Constant(value=datetime.date()):
            return f"{value.value} is a date"
        case tree.Constant(value=bool()):
            return f"{str(value.value).upper()} is a truth value"
        case tree.Constant():
            return f"{value.value} is a number"
        case _:
            return f"what is computed here is {kind}"


def _as_date(value: tree.Value, kind: Kind) -> tree.Value:
    if not (isinstance(value, tree.Constant) and isinstance(value.value, str)):
        return value
    read = read_date(value.value) or (read_timestamp(value.value) if kind == "timestamp" else None)
    if read is None:
        form = "DATE '2014-01-31'" if kind == "date" else "TIMESTAMP '2014-01-31 10:30:00'"
        raise KindMismatch(
            f"{quote(value.value, limit=30)} is not a {_DATE_WORDS[kind]}",
            f"Write the year first, then the month and the day: {form}.",
        )
    return tree.Constant(read)


_DATE_WORDS = {"date": "date", "timestamp": "date or time stamp"}


def _mismatch(values: Sequence[tree.Value], odd: tree.Value, leading: Kind) -> KindMismatch:
    first = next(value for value in values if tree.kind_of(value) == leading)
    message = describe(first)
    message = f"{message[0].upper()}{message[1:]}, but {describe(odd)}"
    if not isinstance(odd, tree.Constant):
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


def parse(text: str, names: ColumnNames) -> tree.Node:
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
    def __init__(self, text: str, tokens: list[Token], names: ColumnNames):
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
        left, right = self.value(node.this), self.value(node.expression)
        if operator in ("=", "<>"):
            left, right = self.labelled(left, right)
        else:
            self.check_order(node, left, right)
        left, right = self.alike(node, left, right)
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
            if not isinstance(value, tree.Constant):
                self.refuse("A list can hold only values", item, "Compare columns with = and OR.")
            values.append(value)
        value, *found = self.alike(node, *self.labelled(self.value(node.this), *values))
        return tree.InList(value, tuple(item for item in found if isinstance(item, tree.Constant)))

    def between(self, node: exp.Expr) -> tree.Node:
        if _others(node, "this", "low", "high"):
            self.refuse("This form of BETWEEN is not allowed", node)
        parts = [self.value(node.args[part]) for part in ("this", "low", "high")]
        self.check_order(node, *parts)
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
            return tree.Constant(node.this if node.is_string else self.number(node))
        if kind is exp.Boolean:
            return tree.Constant(bool(node.this))
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
        number = decimals.value if isinstance(decimals, tree.Constant) else None
        if not isinstance(number, int) or isinstance(number, bool) or not -15 <= number <= 15:
            self.refuse("The decimals of round must be a whole number from -15 to 15", node)
        return tree.Call("round", (value, decimals))

    def number(self, node: exp.Literal) -> int | float:
        number = read_number(node.this)
        if number is None:
            self.refuse(f"The number {quote(node.this, limit=30)} cannot be read", node)
        return number

    def date(self, node: exp.Cast) -> tree.Constant:
        read = _DATES.get(node.to.this)
        inner = node.this
        if read is None or not (isinstance(inner, exp.Literal) and inner.is_string):
            self.refuse("Only dates are written like this", node, "Write DATE '2014-01-31'.")
        value = read(inner.this)
        if value is None:
            self.refuse(f"{quote(inner.this, limit=30)} is not a date", inner, "Write DATE '2014-01-31'.")
        return tree.Constant(value)

    def alike(self, node: exp.Expr, *values: tree.Value) -> tuple[tree.Value, ...]:
        try:
            return same_kind(values)
        except KindMismatch as error:
            is_money = error.text_column is not None and self.names.holds_money(error.text_column)
            self.refuse(error.message, node, _MONEY if is_money else error.hint)

    def labelled(self, *values: tree.Value) -> tuple[tree.Value, ...]:
        """Return the labels of codes that are compared with a column which has labels."""
        columns = [found for value in values if (found := self.column_with_labels(value)) is not None]
        if len(columns) != 1:
            return values
        read = (tree.Constant(columns[0].labelled(v.value)) if isinstance(v, tree.Constant) else v for v in values)
        return tuple(read)

    def check_order(self, node: exp.Expr, *values: tree.Value) -> None:
        """Refuse to put codes with labels in order."""
        for value in values:
            if (column := self.column_with_labels(value)) is not None:
                labels = ", ".join(value_text(label) for _, label in column.labels[:2])
                self.refuse(
                    f"The codes of column {quote(column.name)} have labels, which are in no order",
                    node,
                    f"List those that you mean: IN ({labels}).",
                )

    def column_with_labels(self, value: tree.Value) -> Column | None:
        return self.names.labelled(value.name) if isinstance(value, tree.ColumnName) else None

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
        case tree.Constant(value=int() | float() as number):
            return tree.Constant(-number or abs(number))
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
