"""The first look at a condition: its words, before anything is parsed.

Whatever is not a word of the language is refused here with its position, nesting is bounded before a recursive parser
sees it, and words that name columns are marked as names, so that a column called ``order`` needs no quotes.
"""

from __future__ import annotations

import re

from sqlglot.dialects.duckdb import DuckDB
from sqlglot.errors import SqlglotError
from sqlglot.tokens import Token, TokenType

from fairaudit.conditions.limits import (
    EXAMPLE,
    EXTRACT_PARTS,
    FUNCTIONS,
    KEYWORDS,
    MAX_ARITHMETIC,
    MAX_DEPTH,
    MAX_LENGTH,
    RESERVED,
)
from fairaudit.conditions.names import Names
from fairaudit.errors import ConditionError, quote

_COMPARISONS = {TokenType.EQ, TokenType.NEQ, TokenType.LT, TokenType.LTE, TokenType.GT, TokenType.GTE}
_SIGNS = {TokenType.PLUS, TokenType.DASH}
_ARITHMETIC = _SIGNS | {TokenType.STAR, TokenType.SLASH, TokenType.MOD}
_OPEN, _CLOSE = TokenType.L_PAREN, TokenType.R_PAREN
_PLAIN = _COMPARISONS | _ARITHMETIC | {_OPEN, _CLOSE, TokenType.COMMA, TokenType.STRING, TokenType.NUMBER}
_BEFORE_VALUE = _COMPARISONS | {
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


def scan(text: str, names: Names) -> list[Token]:
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


def _checked(text: str, tokens: list[Token], i: int, names: Names) -> Token:
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


def _named(text: str, tokens: list[Token], i: int, names: Names) -> Token:
    token = tokens[i]
    name = names.find(token.text)
    if name is None:
        operator, compared = _before_value(text, tokens[:i], names)
        raise names.missing(token.text, text, token.start, operator=operator, compared=compared)
    return Token(TokenType.IDENTIFIER, name, token.line, token.col, token.start, token.end, [])


def _before_value(text: str, before: list[Token], names: Names) -> tuple[str | None, str | None]:
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
        arithmetic += kind in _ARITHMETIC and not prefix
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
