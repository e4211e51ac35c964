"""Literals, the conditions that rules are made of, and rule sets: their words, their parsing, and what they cover."""

from __future__ import annotations

import csv
import datetime
import io
import json
import math
import operator
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, Self, get_args
from typing import Literal as OneOf

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from fairaudit.columns import DAY_KINDS
from fairaudit.conditions import Condition, tree
from fairaudit.conditions.printing import value_to_text
from fairaudit.conditions.spreadsheet import SpreadsheetLine, spreadsheet_csv
from fairaudit.conditions.tree import MAX_ITEMS, plain_value
from fairaudit.conditions.words import name_in_words
from fairaudit.data.formulas import neutralised
from fairaudit.errors import ConditionError, InputError, quote
from fairaudit.measure.grouping import as_pandas

if TYPE_CHECKING:
    from fairaudit.estimators.parameters import Features

# Literals: the smallest parts of a rule, such as "age is at most 25".
#
# A literal compares one column with a value and is false where the column is missing; ``missing`` and ``not_missing``
# ask just that. What a literal means, how it is printed and how it is said are those of conditions, so that a rule and
# the condition that it is printed as select the same rows.

LiteralKind = OneOf[
    "equals", "not_equals", "at_most", "above", "below", "at_least", "missing", "not_missing", "among", "not_among"
]
"""What a literal asks."""

Value = bool | int | float | str | datetime.date
"""What a column is compared with."""

OPPOSITE: Final[dict[LiteralKind, LiteralKind]] = {
    "equals": "not_equals", "not_equals": "equals", "at_most": "above", "above": "at_most", "below": "at_least",
    "at_least": "below", "missing": "not_missing", "not_missing": "missing", "among": "not_among", "not_among": "among",
}  # fmt: skip
"""The kind that holds for the rows with a value for which a kind does not."""

SIGNS: Final[dict[LiteralKind, tree.ComparisonOperator]] = {
    "equals": "=", "not_equals": "<>", "at_most": "<=", "above": ">", "below": "<", "at_least": ">=",
}  # fmt: skip
"""How conditions write the kinds that compare with one value."""

COMPARISONS: Final[dict[LiteralKind, str]] = {
    "equals": "is", "not_equals": "is not", "at_most": "is at most", "above": "is more than", "below": "is less than",
    "at_least": "is at least", "missing": "is missing", "not_missing": "is not missing", "among": "is one of",
    "not_among": "is none of",
}  # fmt: skip
"""The kinds in words."""

EXACT_IN_FLOAT: Final = 2**53
"""Whole numbers below this are the same as a whole number and in double precision."""


@dataclass(frozen=True)
class Literal:
    """One comparison of a column with a value.

    Raises
    ------
    InputError
        If the kind is not known, or the value does not fit it.

    Examples
    --------
    >>> literal = Literal("age", "at_most", 25)
    >>> literal.words(), str(literal.negated())
    ('age is at most 25', 'age > 25')
    >>> literal.holds(pd.DataFrame({"age": [20.0, 30.0, None]}))
    array([ True, False, False])
    """

    column: str
    # "equals", "not_equals", "at_most", "above", "below", "at_least", "missing", "not_missing", "among" or "not_among".
    # With one value, the last two become "equals" and "not_equals".
    kind: LiteralKind
    # What the column is compared with: nothing for "missing" and "not_missing", a tuple for the last two kinds.
    value: Value | tuple[Value, ...] | None = None

    def __post_init__(self):
        if not isinstance(self.column, str):
            raise InputError(f"'column' must be a text, got {type(self.column).__name__}.")
        if self.kind not in get_args(LiteralKind):
            raise InputError(f"'kind' must be one of {', '.join(get_args(LiteralKind))}, got {self.kind!r}.")
        if self.kind in ("missing", "not_missing"):
            if self.value is not None:
                raise InputError(f"A literal of the kind {self.kind!r} takes no value.")
            return
        if self.kind not in ("among", "not_among"):
            object.__setattr__(self, "value", _checked(self.kind, self.value))
            return
        if not isinstance(self.value, tuple) or not 1 <= len(self.value) <= MAX_ITEMS:
            raise InputError(
                f"A literal of the kind {self.kind!r} takes a tuple of 1 to {MAX_ITEMS:,} values, got "
                f"{len(self.value) if isinstance(self.value, tuple) else type(self.value).__name__}."
            )
        values = tuple(dict.fromkeys(_checked(self.kind, value) for value in self.value))
        kinds = {tree.literal_kind(value) for value in values}
        if len(kinds) > 1 and not kinds <= DAY_KINDS:
            raise InputError(f"The values that {quote(self.column)} is compared with must be of one kind.")
        object.__setattr__(self, "value", values)
        if len(values) == 1:
            object.__setattr__(self, "kind", "equals" if self.kind == "among" else "not_equals")
            object.__setattr__(self, "value", values[0])

    @property
    def values(self) -> tuple[Value, ...]:
        """All that the column is compared with."""
        if isinstance(self.value, tuple):
            return self.value
        return () if self.value is None else (self.value,)

    @cached_property
    def node(self) -> tree.Node:
        """The literal as a part of a condition."""
        if self.kind in ("missing", "not_missing"):
            return tree.IsNull(tree.ColumnName(self.column, None), negated=self.kind == "not_missing")
        column = tree.ColumnName(self.column, tree.literal_kind(self.values[0]))
        if self.kind in SIGNS:
            return tree.Compare(SIGNS[self.kind], column, tree.Constant(self.values[0]))
        return tree.InList(column, tuple(map(tree.Constant, self.values)), negated=self.kind == "not_among")

    def holds(self, frame: pd.DataFrame) -> NDArray[np.bool_]:
        """Return whether the literal holds for each row. Shapes: returns (n,)."""
        return Condition(self.node).mask(frame)

    def negated(self) -> Literal:
        """Return the literal that holds for the other rows in which the column has a value."""
        return Literal(self.column, OPPOSITE[self.kind], self.value)

    def to_condition_text(self) -> str:
        """Return the literal as a condition writes it."""
        return Condition(self.node).text

    def words(self) -> str:
        """Return the literal in plain English."""
        return Condition(self.node).in_words()

    def __str__(self) -> str:
        return self.to_condition_text()


def as_frame(X: Features) -> pd.DataFrame:
    """Return features as a frame whose column names are texts.

    Shapes: `X` (n, n_features); returns a frame of x0, x1, ....
    """
    X = as_pandas(X)
    if not isinstance(X, pd.DataFrame):
        values = np.asarray(X)
        if values.ndim != 2:
            raise InputError(f"'X' must have two dimensions, got {values.ndim}.")
        return pd.DataFrame(values, columns=[f"x{i}" for i in range(values.shape[1])])
    if all(isinstance(name, str) for name in X.columns):
        return X
    return X.set_axis([str(name) for name in X.columns], axis=1)


def as_moment(value: Value) -> Any:
    """Return a date as its midnight, so that it can be compared with time stamps; any other value as it is."""
    if isinstance(value, datetime.date) and not isinstance(value, datetime.datetime):
        return datetime.datetime(value.year, value.month, value.day)
    return value


def _checked(kind: LiteralKind, value: object) -> Value:
    value = plain_value(value)
    if value is None:
        raise InputError(f"A literal of the kind {kind!r} takes a value.", hint="For missing values, use 'missing'.")
    if isinstance(value, bool):
        if kind in ("at_most", "above", "below", "at_least"):
            raise InputError(f"A literal of the kind {kind!r} needs an order, which true and false do not have.")
        return value
    # One number has one spelling: 25.0 is written 25, and what 64 bits cannot hold is in double precision.
    if isinstance(value, float) and value.is_integer() and abs(value) < EXACT_IN_FLOAT:
        return int(value)
    if isinstance(value, int) and not -(2**63) < value < 2**63:
        value = float(value)
        if not math.isfinite(value):
            raise InputError("A number is too large to compare with.")
    return value


# Literals that all must hold: what is left of them, and how they are said together.
#
# Literals of one column may say the same twice (at most 3 and at most 5) or contradict each other (at most 3 and above
# 5). Both follow from the values alone, whatever the rows.

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


# A rule set: the outcome is predicted where at least one rule holds.

# Rules read from text, which is simple comparisons joined by AND, and written as a table.

EXAMPLE: Final = "Write for example: prior_offences > 3 AND age <= 25."
_KINDS: Final = {sign: kind for kind, sign in SIGNS.items()}
_TURNED: Final[dict[tree.ComparisonOperator, tree.ComparisonOperator]] = {
    "=": "=", "<>": "<>", "<": ">", "<=": ">=", ">": "<", ">=": "<=",
}  # fmt: skip


def literals_of(text: str, columns: object) -> tuple[Literal, ...]:
    """Read the literals of one rule.

    Examples
    --------
    >>> [str(literal) for literal in literals_of("age BETWEEN 20 AND 25 AND sex IN ('f')", ["age", "sex"])]
    ['age >= 20', 'age <= 25', "sex = 'f'"]
    """
    return tuple(_literals(Condition.parse(text, columns).tree, text))


def rules_of(texts: Sequence[str], columns: object) -> list[tuple[Literal, ...]]:
    """Read rules, one from each text."""
    if isinstance(texts, str):
        raise InputError("Rules are given as a list of texts, got one text.", hint=f"{EXAMPLE} One text a rule.")
    rules = []
    for number, text in enumerate(texts, 1):
        try:
            rules.append(checked_conjunction(literals_of(text, columns), f"Rule {number}"))
        except ConditionError as error:
            numbered = ConditionError(f"Rule {number}: {error.message}", text=error.text, hint=error.hint)
            numbered.position = error.position
            raise numbered from None
    return rules


def rules_csv(rules: Iterable[tuple[Literal, ...]]) -> str:
    """Write rules as a table, see :meth:`~fairaudit.estimators.rules.RuleSet.to_csv`."""
    stream = io.StringIO(newline="")
    writer = csv.writer(stream, quoting=csv.QUOTE_NONNUMERIC)
    writer.writerow(["rule", "literal", "column", "comparison", "value"])
    for number, rule in enumerate(rules, 1):
        for part, literal in enumerate(rule, 1):
            writer.writerow(
                [number, part, neutralised(literal.column), COMPARISONS[literal.kind], _cell(literal.value)]
            )
    return stream.getvalue()


def _cell(value: object) -> object:
    if isinstance(value, tuple):
        return neutralised(", ".join(value_to_text(tree.Constant(part)) for part in value))
    if value is None:
        return ""
    plain_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return value if plain_number else neutralised(str(value).lower() if isinstance(value, bool) else str(value))


def _literals(node: tree.Node, text: str) -> list[Literal]:
    match node:
        case tree.And():
            return [literal for part in node.parts for literal in _literals(part, text)]
        case tree.Not(part=tree.Or(parts=parts)):
            return [literal for part in parts for literal in _literals(tree.negate(part), text)]
        case tree.Compare(left=tree.ColumnName(name=name), right=tree.Constant(value=value)):
            return [Literal(name, _KINDS[node.operator], value)]
        case tree.Compare(left=tree.Constant(value=value), right=tree.ColumnName(name=name)):
            return [Literal(name, _KINDS[_TURNED[node.operator]], value)]
        case tree.InList(value=tree.ColumnName(name=name)):
            return [Literal(name, "not_among" if node.negated else "among", tuple(item.value for item in node.items))]
        case tree.Between(
            value=tree.ColumnName(name=name), low=tree.Constant() as low, high=tree.Constant() as high, negated=False
        ):
            return [Literal(name, "at_least", low.value), Literal(name, "at_most", high.value)]
        case tree.IsNull(value=tree.ColumnName(name=name)):
            return [Literal(name, "not_missing" if node.negated else "missing")]
        case tree.Truth(value=tree.ColumnName(name=name)):
            return [Literal(name, "equals", True)]
        case tree.Not(part=tree.Truth(value=tree.ColumnName(name=name))):
            return [Literal(name, "equals", False)]
    raise _refusal(node, text)


def _refusal(node: tree.Node, text: str) -> ConditionError:
    match node:
        case tree.Or() | tree.Not(part=tree.And()) | tree.Between(negated=True):
            message = "Inside a rule, OR is not allowed"
            hint = "Write a rule for each part, or IN for values of one column: race IN ('a', 'b')."
        case tree.Like():
            message, hint = "LIKE is not allowed in a rule", "List the values: city IN ('Bern', 'Basel')."
        case _:
            message, hint = "A rule compares columns with values", EXAMPLE
    return ConditionError(f"{message}, got {Condition(node).text}.", text=text, hint=hint)


@dataclass(frozen=True)
class RuleSet:
    """Rules, at least one of which must hold; each is made of literals, all of which must hold.

    What follows from the rest of a rule is left out, as "at most 5" beside "at most 3". So are rules that are there
    already and rules that no row can meet. Predictions are the same; the complexity may be lower than was given.

    Raises
    ------
    InputError
        If a rule has no literal, or one that is not there.

    Examples
    --------
    >>> rules = RuleSet.of_conditions(["priors > 3 AND age <= 25"], ["priors", "age"], outcome="repeat offence")
    >>> print(rules.to_text())
    Predict repeat offence if priors is more than 3 and age is at most 25.
    >>> rules.complexity
    3
    """

    # The literals; only those in use are kept, in the order of first use.
    literals: tuple[Literal, ...] = ()
    # The literals of each rule, as indices into `literals`.
    rules: tuple[tuple[int, ...], ...] = ()
    # What is predicted, for sentences.
    outcome: str = "the outcome"

    def __post_init__(self):
        for number, rule in enumerate(self.rules, 1):
            if not len(rule):
                raise InputError(f"Rule {number} has no literal, so it would hold for everyone.", hint="Leave it out.")
            wrong = next((place for place in rule if not 0 <= place < len(self.literals)), None)
            if wrong is not None:
                raise InputError(f"Rule {number} names the literal {wrong}, and there are {len(self.literals)}.")
        literals, rules = numbered(distinct([self.literals[place] for place in rule] for rule in self.rules))
        object.__setattr__(self, "literals", literals)
        object.__setattr__(self, "rules", rules)

    @classmethod
    def of(cls, rules: Iterable[Iterable[Literal]], *, outcome: str = "the outcome") -> Self:
        """Return the set of rules that are given by their literals."""
        return cls(*numbered(rules), outcome)

    @classmethod
    def of_conditions(cls, texts: Sequence[str], columns: object, *, outcome: str = "the outcome") -> Self:
        """Read rules from text, one for each rule."""
        return cls.of(rules_of(texts, columns), outcome=outcome)

    @property
    def complexity(self) -> int:
        """The sum over rules of 1 + literals."""
        return sum(1 + len(rule) for rule in self.rules)

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns that rules use, in the order of first use."""
        return tuple(dict.fromkeys(literal.column for literal in self.literals))

    def literals_of(self, rule: int) -> tuple[Literal, ...]:
        """Return the literals of a rule."""
        if not 0 <= rule < len(self.rules):
            there = f"There are {len(self.rules)}, counted from 0." if self.rules else "There is none."
            raise InputError(f"There is no rule {rule!r}.", hint=there)
        return tuple(self.literals[place] for place in self.rules[rule])

    def coverage(self, X: Features) -> NDArray[np.bool_]:
        """Return which rules hold for each row. Shapes: `X` (n, n_features); returns (n, n_rules)."""
        frame = as_frame(X)
        held = [literal.holds(frame) for literal in self.literals]
        covered = [np.logical_and.reduce([held[place] for place in rule]) for rule in self.rules]
        return np.array(covered, dtype=bool).reshape(len(self.rules), len(frame)).T

    def predict(self, X: Features) -> NDArray[np.int64]:
        """Return 1 where at least one rule holds. Shapes: `X` (n, n_features); returns (n,)."""
        return np.any(self.coverage(X), axis=1).astype(np.int64)

    def conditions(self) -> tuple[str, ...]:
        """Return each rule as the text of a condition."""
        return tuple(" AND ".join(self.literals[place].to_condition_text() for place in rule) for rule in self.rules)

    def sentences(self) -> tuple[str, ...]:
        """Return each rule as a sentence of its own."""
        return tuple(f"Predict {self.outcome} if {words}." for words in self.words())

    def words(self) -> tuple[str, ...]:
        """Return what each rule asks, to stand in a sentence."""
        return tuple(together_in_words(self.literals_of(rule)) for rule in range(len(self.rules)))

    def to_text(self) -> str:
        """Return the whole set as one sentence, a rule a line."""
        if not self.rules:
            return f"No rule: {self.outcome} is predicted for nobody."
        first, *others = self.words()
        return ",\n".join([f"Predict {self.outcome} if {first}", *(f"or if {words}" for words in others)]) + "."

    def to_csv(self) -> str:
        """Return a table with one line for each literal of each rule."""
        return rules_csv(self._all())

    def to_spreadsheet(self) -> str:
        """Return a row for each rule as CSV, which an office can run in a spreadsheet.

        Bounds stand in columns of their own. The formula of a rule, written after ``=`` beside a person, is TRUE where
        the rule holds; its head says which columns stand in A, B and so on. It is empty where a spreadsheet has no such
        comparison.
        """
        lines = zip(self.words(), self.conditions(), strict=True)
        return spreadsheet_csv("rule", [SpreadsheetLine(number, words, condition, self.outcome)
                                        for number, (words, condition) in enumerate(lines, 1)])  # fmt: skip

    def to_dict(self) -> dict[str, Any]:
        """Return the rules as values that JSON holds: what is predicted, and where, a condition a rule."""
        return {"predicts": self.outcome, "where": list(self.conditions()), "complexity": self.complexity}

    def to_json(self) -> str:
        """Return `to_dict` as JSON."""
        return json.dumps(self.to_dict(), indent=2, ensure_ascii=False)

    def to_graph(self) -> str:
        """Return the rules as a graph in the language of Graphviz: from each rule to what is predicted.

        Examples
        --------
        >>> print(RuleSet.of_conditions(["age <= 25"], ["age"]).to_graph())
        digraph rules {
          node [shape=box];
          outcome [label="the outcome"];
          r1 [label="age is at most 25"];
          r1 -> outcome;
        }
        """
        lines = ["digraph rules {", "  node [shape=box];"]
        lines.append(f"  outcome [label={json.dumps(self.outcome, ensure_ascii=False)}];")
        for number, words in enumerate(self.words(), 1):
            lines += [f"  r{number} [label={json.dumps(words, ensure_ascii=False)}];", f"  r{number} -> outcome;"]
        return "\n".join([*lines, "}"])

    def drop(self, rule: int) -> Self:
        """Return the set without a rule."""
        self.literals_of(rule)
        return replace(self, rules=tuple(other for place, other in enumerate(self.rules) if place != rule))

    def with_rule(self, literals: Iterable[Literal]) -> Self:
        """Return the set with one more rule."""
        return self.of([*self._all(), checked_conjunction(literals, "The new rule")], outcome=self.outcome)

    def with_literal(self, rule: int, literal: Literal) -> Self:
        """Return the set with one more literal in a rule."""
        return self._changed(rule, (*self.literals_of(rule), literal))

    def without_literal(self, rule: int, literal: Literal) -> Self:
        """Return the set with one literal less in a rule."""
        own = self.literals_of(rule)
        if literal not in own:
            raise InputError(f"Rule {rule + 1} does not ask that {literal.words()}.")
        return self._changed(rule, tuple(other for other in own if other != literal))

    def __str__(self) -> str:
        return self.to_text()

    def _all(self) -> list[tuple[Literal, ...]]:
        return [self.literals_of(rule) for rule in range(len(self.rules))]

    def _changed(self, rule: int, literals: tuple[Literal, ...]) -> Self:
        rules = self._all()
        rules[rule] = checked_conjunction(literals, f"Rule {rule + 1}")
        return self.of(rules, outcome=self.outcome)
