"""Literals that all must hold: what is left of them, and how they are said together.

Literals of one column may say the same twice (at most 3 and at most 5) or contradict each other (at most 3 and above
5). Both follow from the values alone, whatever the rows.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Sequence
from typing import Final

from fairaudit.conditions.words import name_in_words
from fairaudit.errors import InputError
from fairaudit.estimators.rules.literals import EXACT_IN_FLOAT, Literal, LiteralKind, Value, as_moment

_TESTS: Final = {
    "equals": operator.eq,
    "not_equals": operator.ne,
    "at_most": operator.le,
    "above": operator.gt,
    "below": operator.lt,
    "at_least": operator.ge,
    "among": lambda value, values: value in values,
    "not_among": lambda value, values: value not in values,
}
UPPER: Final[tuple[LiteralKind, ...]] = ("at_most", "below")
LOWER: Final[tuple[LiteralKind, ...]] = ("above", "at_least")
_LISTS: Final[tuple[LiteralKind, ...]] = ("equals", "among")
_EXCLUSIONS: Final[tuple[LiteralKind, ...]] = ("not_equals", "not_among")


def simplified(literals: Iterable[Literal]) -> tuple[Literal, ...] | None:
    """Leave out literals that follow from the others.

    Examples
    --------
    >>> [str(part) for part in simplified([Literal("x", "at_most", 5), Literal("x", "at_most", 3)])]
    ['x <= 3']
    """
    kept = tuple(dict.fromkeys(literals))
    by_column: dict[str, list[Literal]] = {}
    for literal in kept:
        by_column.setdefault(literal.column, []).append(literal)
    for own in by_column.values():
        if _contradictory(own):
            return None
        for literal in tuple(own):
            if any(_implies(other, literal) for other in own if other is not literal):
                own.remove(literal)
    return tuple(literal for literal in kept if any(literal is other for other in by_column[literal.column]))


def distinct(rules: Iterable[Iterable[Literal]]) -> list[tuple[Literal, ...]]:
    """Simplify rules, and leave out duplicates and those that no row can meet."""
    left: dict[frozenset[Literal], tuple[Literal, ...]] = {}
    for rule in map(simplified, rules):
        if rule is not None:
            left.setdefault(frozenset(rule), rule)
    return list(left.values())


def numbered(rules: Iterable[Iterable[Literal]]) -> tuple[tuple[Literal, ...], tuple[tuple[int, ...], ...]]:
    """Write rules as indices of literals."""
    places: dict[Literal, int] = {}
    indices = tuple(tuple(places.setdefault(literal, len(places)) for literal in rule) for rule in rules)
    return tuple(places), indices


def together_in_words(literals: Sequence[Literal]) -> str:
    """Say literals that all must hold, each column once.

    Examples
    --------
    >>> together_in_words([Literal("age", "above", 20), Literal("job", "equals", "no"), Literal("age", "at_most", 25)])
    'age is more than 20 and at most 25 and job is no'
    """
    by_column: dict[str, list[Literal]] = {}
    for literal in literals:
        by_column.setdefault(literal.column, []).append(literal)
    return " and ".join(_column_in_words(own) for own in by_column.values())


def _column_in_words(literals: list[Literal]) -> str:
    order = {kind: place for place, kind in enumerate(("above", "at_least", "at_most", "below"))}
    own = sorted(_joined_exclusions(literals), key=lambda literal: order.get(literal.kind, len(order)))
    words = [literal.words() for literal in own]
    subject = f"{name_in_words(own[0].column)} is "
    if any(isinstance(literal.value, str) and literal.kind in UPPER + LOWER for literal in own):
        # "sorts before M" does not go on from "is".
        return " and ".join(words)
    return subject + " and ".join(each.removeprefix(subject) for each in words)


def _joined_exclusions(literals: list[Literal]) -> list[Literal]:
    """Return "not a" and "not b" as "neither a nor b"."""
    excluding = [literal for literal in literals if literal.kind in _EXCLUSIONS]
    if len(excluding) < 2:
        return literals
    values = tuple(value for literal in excluding for value in literal.values)
    joined = Literal(excluding[0].column, "not_among", values)
    return [joined if literal is excluding[0] else literal for literal in literals if literal not in excluding[1:]]


def _satisfies(value: Value, literal: Literal) -> bool:
    """Say whether a value meets a literal of its own column that compares."""
    if isinstance(literal.value, tuple):
        return _TESTS[literal.kind](as_moment(value), [as_moment(other) for other in literal.value])
    return _TESTS[literal.kind](as_moment(value), as_moment(literal.values[0]))


def _comparable(one: Literal, other: Literal) -> bool:
    """Say whether the order of two values is the order that rows see: it is not where double precision rounds."""
    numbers = [v for v in (*one.values, *other.values) if isinstance(v, (int, float)) and not isinstance(v, bool)]
    return len({type(v) for v in numbers}) < 2 or max(map(abs, numbers)) < EXACT_IN_FLOAT


def _contradictory(own: list[Literal]) -> bool:
    compared = [literal for literal in own if literal.kind not in ("missing", "not_missing")]
    if any(literal.kind == "missing" for literal in own) and len(own) > 1:
        return True
    for one in compared:
        others = [other for other in compared if other is not one and _comparable(one, other)]
        if one.kind in _LISTS and not any(all(_satisfies(v, o) for o in others) for v in one.values):
            return True
        if one.kind in LOWER and any(other.kind in UPPER and not _overlap(one, other) for other in others):
            return True
    return False


def _overlap(lower: Literal, upper: Literal) -> bool:
    """Say whether a value may lie between two bounds."""
    low, high = as_moment(lower.values[0]), as_moment(upper.values[0])
    return low < high or (low == high and lower.kind == "at_least" and upper.kind == "at_most")


def _implies(one: Literal, other: Literal) -> bool:
    """Say whether a row that meets one literal of a column meets the other."""
    if other.kind in ("missing", "not_missing") or one.kind in ("missing", "not_missing"):
        return other.kind == "not_missing" and one.kind != "missing"
    if not _comparable(one, other):
        return False
    if one.kind in _LISTS:
        return all(_satisfies(value, other) for value in one.values)
    if other.kind in _EXCLUSIONS:
        return not any(_satisfies(value, one) for value in other.values)
    for side in (UPPER, LOWER):
        if one.kind in side and other.kind in side:
            # A bound lies within another of its side where its own value does, or where both are the same bound.
            strict = one.kind in ("below", "above") and as_moment(one.values[0]) == as_moment(other.values[0])
            return strict or _satisfies(one.values[0], other)
    return False


def checked_conjunction(literals: Iterable[Literal], name: str) -> tuple[Literal, ...]:
    """Return literals that a person put together, without those that follow from others."""
    literals = tuple(literals)
    if not literals:
        raise InputError(f"{name} has no condition, so it would hold for everyone.", hint="Leave the rule out.")
    left = simplified(literals)
    if left is None:
        words = " and ".join(literal.words() for literal in literals)
        raise InputError(f"{name} can never hold: {words}.", hint="Change or leave out a part.")
    return left
