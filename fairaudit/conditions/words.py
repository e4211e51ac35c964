"""A condition in plain English.

Negation is carried down to the single comparisons, which is exact in three-valued logic, so no sentence has to begin
with "it is not the case that".
"""

from __future__ import annotations

import datetime

from fairaudit.columns import DAY_KINDS
from fairaudit.conditions import tree
from fairaudit.conditions.tree import write_timestamp

_MOST_ITEMS = 12
_MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
_NUMBER_WORDS = {
    "=": "is", "<>": "is not", "<": "is less than", "<=": "is at most", ">": "is more than", ">=": "is at least",
}  # fmt: skip
_DATE_WORDS = {
    "=": "is", "<>": "is not", "<": "is before", "<=": "is on or before", ">": "is after", ">=": "is on or after",
}  # fmt: skip
_TEXT_WORDS = {
    "=": "is", "<>": "is not", "<": "sorts before", "<=": "is or sorts before", ">": "sorts after",
    ">=": "is or sorts after",
}  # fmt: skip
_SIGN_WORDS = {"+": "plus", "-": "minus", "*": "times", "/": "divided by"}
_CALL_WORDS = {
    "lower": "{0} in small letters",
    "upper": "{0} in capital letters",
    "trim": "{0} without blanks around it",
    "length": "the length of {0}",
    "abs": "the size of {0} without its sign",
    "year": "the year of {0}",
    "month": "the month of {0}",
    "day": "the day of the month of {0}",
}


def to_words(node: tree.Node) -> str:
    """Return a condition in words, to stand in a sentence."""
    return _joined(pushed(node))


def pushed(node: tree.Node, negated: bool = False) -> tree.Node:
    """Return an equal condition in which only truth values are negated."""
    match node:
        case tree.And() | tree.Or():
            kind = tree.And if isinstance(node, tree.And) != negated else tree.Or
            return tree.join(kind, [pushed(part, negated) for part in node.parts])
        case tree.Not():
            return pushed(node.part, not negated)
        case _:
            return tree.negate(node) if negated else node


def _joined(node: tree.Node) -> str:
    if not isinstance(node, (tree.And, tree.Or)):
        return _single(node)
    if (kept := _kept_or_missing(node)) is not None:
        return f"{_single(kept)} (or is missing)"
    word = " and " if isinstance(node, tree.And) else " or "
    parts = [
        _joined(part) if _kept_or_missing(part) or not _is_joined(part) else f"({_joined(part)})" for part in node.parts
    ]
    return word.join(parts)


def _is_joined(node: tree.Node) -> bool:
    return isinstance(node, (tree.And, tree.Or))


def _kept_or_missing(node: tree.Node) -> tree.Compare | tree.InList | None:
    """Return what a condition says of values, where it holds of other values of a column and of missing ones."""
    if not isinstance(node, tree.Or) or len(node.parts) != 2:
        return None
    for kept, gone in (node.parts, node.parts[::-1]):
        if isinstance(gone, tree.IsNull) and not gone.negated:
            if isinstance(kept, tree.Compare) and kept.operator == "<>" and kept.left == gone.value:
                return kept
            if isinstance(kept, tree.InList) and kept.negated and kept.value == gone.value:
                return kept
    return None


def _single(node: tree.Node) -> str:
    match node:
        case tree.Compare():
            return _comparison(node)
        case tree.InList(items=(item,)):
            return _comparison(tree.Compare("<>" if node.negated else "=", node.value, item))
        case tree.InList(items=(one, other)):
            words, joint = ("is neither", "nor") if node.negated else ("is", "or")
            return f"{_value(node.value)} {words} {_value(one)} {joint} {_value(other)}"
        case tree.InList():
            words = "is none of" if node.negated else "is one of"
            return f"{_value(node.value)} {words} {_list([_value(item) for item in node.items])}"
        case tree.Between():
            return f"{_value(node.value)} is{_no(node)} between {_value(node.low)} and {_value(node.high)}"
        case tree.Like():
            return _like(node)
        case tree.IsNull():
            return f"{_value(node.value)} is{_no(node)} missing"
        case tree.Not(part=tree.Truth(value=value)):
            return f"{_value(value)} is false"
        case tree.Truth():
            return f"{_value(node.value)} is true"
        case _:
            return _joined(pushed(node))


def _comparison(node: tree.Compare) -> str:
    kinds = {tree.kind_of(node.left), tree.kind_of(node.right)}
    words = _DATE_WORDS if kinds & DAY_KINDS else _TEXT_WORDS if "text" in kinds else _NUMBER_WORDS
    return f"{_value(node.left)} {words[node.operator]} {_value(node.right)}"


def _like(node: tree.Like) -> str:
    pattern = node.pattern
    inner = pattern.strip("%")
    note = " (capital or small letters)" if node.ignore_case else ""
    value = _value(node.value)
    plain = inner and "%" not in inner and "_" not in inner
    if plain and inner == pattern:
        return f"{value} is{_no(node)} {_text(inner)}{note}"
    before, after = pattern.startswith("%"), pattern.endswith("%")
    if plain:
        verbs = ("contains", "contain") if before and after else ("ends with", "end with")
        verbs = ("starts with", "start with") if not before else verbs
        return f"{value} {f'does not {verbs[1]}' if node.negated else verbs[0]} {_text(inner)}{note}"
    verb = "does not match" if node.negated else "matches"
    return f"{value} {verb} the pattern “{pattern}”{note}"


def _no(node: tree.Between | tree.Like | tree.IsNull) -> str:
    return " not" if node.negated else ""


def _list(items: list[str]) -> str:
    if len(items) > _MOST_ITEMS:
        items = [*items[: _MOST_ITEMS - 2], f"{len(items) - _MOST_ITEMS + 2:,} more values"]
    return f"{', '.join(items[:-1])} or {items[-1]}"


def _value(value: tree.Value) -> str:
    match value:
        case tree.ColumnName():
            return name_in_words(value.name)
        case tree.Constant():
            return _literal(value.value)
        case tree.Negative():
            return f"minus {_part(value.value)}"
        case tree.Arithmetic(operator="%"):
            return f"the remainder of {_part(value.left)} divided by {_part(value.right)}"
        case tree.Arithmetic():
            return f"{_part(value.left)} {_SIGN_WORDS[value.operator]} {_part(value.right)}"
        case tree.Call(name="coalesce"):
            first, *others = map(_value, value.arguments)
            return f"{first} (where missing, {', else '.join(others)})" if others else first
        case tree.Call(name="round"):
            first, *decimals = map(_value, value.arguments)
            return f"{first} rounded to {decimals[0]} decimals" if decimals else f"{first} rounded"
        case tree.Call():
            return _CALL_WORDS[value.name].format(_part(value.arguments[0]))


def _part(value: tree.Value) -> str:
    return f"({_value(value)})" if isinstance(value, (tree.Arithmetic, tree.Negative)) else _value(value)


def name_in_words(name: str) -> str:
    """Return a column name as it stands in a sentence: as it is, or between quotes where it would not be seen."""
    return name if name == name.strip() and name and name.isprintable() else f"“{name}”"


def _literal(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime.datetime):
        return write_timestamp(value)
    if isinstance(value, datetime.date):
        return f"{value.day} {_MONTHS[value.month - 1]} {value.year}"
    return _text(value) if isinstance(value, str) else repr(value).removesuffix(".0")


def _text(value: str) -> str:
    """Return a text as it is, or between quotes where it could be taken for a part of the sentence."""
    words = value.lower().split()
    plain = value.isprintable() and value == value.strip() and value != ""
    if plain and not set(value) & set(",()“”") and not set(words) & {"and", "or", "not", "is", "missing"}:
        return value
    return f"“{value}”"
