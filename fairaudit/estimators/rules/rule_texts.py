"""Rules read from text, which is simple comparisons joined by AND, and written as a table."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Any, Final

from fairaudit.conditions import Condition, tree
from fairaudit.conditions.printing import value_to_text
from fairaudit.data.formulas import neutralised
from fairaudit.errors import ConditionError, InputError
from fairaudit.estimators.rules.conjunctions import checked_conjunction
from fairaudit.estimators.rules.literals import COMPARISONS, SIGNS, Literal

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
        return neutralised(", ".join(value_to_text(tree.Literal(part)) for part in value))
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
        case tree.Compare(left=tree.ColumnName(name=name), right=tree.Literal(value=value)):
            return [Literal(name, _KINDS[node.operator], value)]
        case tree.Compare(left=tree.Literal(value=value), right=tree.ColumnName(name=name)):
            return [Literal(name, _KINDS[_TURNED[node.operator]], value)]
        case tree.InList(value=tree.ColumnName(name=name)):
            return [Literal(name, "not_among" if node.negated else "among", tuple(item.value for item in node.items))]
        case tree.Between(
            value=tree.ColumnName(name=name), low=tree.Literal() as low, high=tree.Literal() as high, negated=False
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
