"""A rule set: the outcome is predicted where at least one rule holds."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from fairaudit.conditions import Condition, tree
from fairaudit.conditions.printing import value_to_text
from fairaudit.data.formulas import neutralised
from fairaudit.errors import ConditionError, InputError
from fairaudit.estimators.rules.literals import (
    COMPARISONS,
    SIGNS,
    Literal,
    as_frame,
    checked_conjunction,
    distinct,
    numbered,
    together_in_words,
)

# Rules read from text, which is simple comparisons joined by AND, and written as a table.

EXAMPLE: Final = "Write for example: prior_offences > 3 AND age <= 25."
_KINDS: Final = {sign: kind for kind, sign in SIGNS.items()}
_TURNED: Final[dict[tree.ComparisonOperator, tree.ComparisonOperator]] = {
    "=": "=", "<>": "<>", "<": ">", "<=": ">=", ">": "<", ">=": "<=",
}  # fmt: skip


def literals_of(text: str, columns: Any) -> tuple[Literal, ...]:
    """Read the literals of one rule.

    Examples
    --------
    >>> [str(literal) for literal in literals_of("age BETWEEN 20 AND 25 AND sex IN ('f')", ["age", "sex"])]
    ['age >= 20', 'age <= 25', "sex = 'f'"]
    """
    return tuple(_literals(Condition.parse(text, columns).tree, text))


def rules_of(texts: Sequence[str], columns: Any) -> list[tuple[Literal, ...]]:
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


def _cell(value: Any) -> Any:
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

    Parameters
    ----------
    literals : tuple of Literal
        The literals; only those in use are kept, in the order of first use.
    rules : tuple of tuple of int
        The literals of each rule, as indices into `literals`.
    outcome : str
        What is predicted, for sentences.

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

    literals: tuple[Literal, ...] = ()
    rules: tuple[tuple[int, ...], ...] = ()
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
    def of_conditions(cls, texts: Sequence[str], columns: Any, *, outcome: str = "the outcome") -> Self:
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

    def coverage(self, X: Any) -> NDArray[np.bool_]:
        """Return which rules hold for each row.

        Shapes: `X` (n, n_features); returns (n, n_rules).
        """
        frame = as_frame(X)
        held = [literal.holds(frame) for literal in self.literals]
        covered = [np.logical_and.reduce([held[place] for place in rule]) for rule in self.rules]
        return np.array(covered, dtype=bool).reshape(len(self.rules), len(frame)).T

    def predict(self, X: Any) -> NDArray[np.int64]:
        """Return 1 where at least one rule holds.

        Shapes: `X` (n, n_features); returns (n,).
        """
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
