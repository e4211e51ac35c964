"""Values of a column that a condition leaves out by naming them, beside whatever else it asks for."""

from __future__ import annotations

from typing import Any

from fairaudit.conditions import tree
from fairaudit.conditions.condition import Condition
from fairaudit.conditions.printing import to_text


def values_left_out(condition: Condition, column: str) -> tuple[Any, ...]:
    """Return the values of a column that a condition leaves out, whatever else it says.

    Examples
    --------
    >>> columns = {"result": "text", "age": "number"}
    >>> values_left_out(Condition.parse("age > 18 AND (result <> 'pending' OR result IS NULL)", columns), "result")
    ('pending',)
    """
    return tuple(value for part in _parts(condition) for value in _left_out(part, column))


def without_left_out(condition: Condition, column: str) -> Condition | None:
    """Return the condition that keeps these values, too; None where it asks for nothing else.

    Examples
    --------
    >>> columns = {"result": "text", "age": "number"}
    >>> str(without_left_out(Condition.parse("age > 18 AND result <> 'pending'", columns), "result"))
    'age > 18'
    """
    kept = [part for part in _parts(condition) if not _left_out(part, column)]
    if not kept:
        return None
    return Condition.parse(to_text(tree.join(tree.And, kept)), tree.column_names(condition.tree))


def _parts(condition: Condition) -> tuple[tree.Node, ...]:
    return condition.tree.parts if isinstance(condition.tree, tree.And) else (condition.tree,)


def _left_out(node: tree.Node, column: str) -> tuple[Any, ...]:
    match node:
        case tree.Or((inner, tree.IsNull(tree.ColumnName(name), False))) if name == column:
            return _left_out(inner, column)
        case tree.Compare("<>", tree.ColumnName(name), tree.Literal(value)) if name == column:
            return (value,)
        case tree.Not(tree.Compare("=", tree.ColumnName(name), tree.Literal(value))) if name == column:
            return (value,)
        case tree.InList(tree.ColumnName(name), items, True) if name == column:
            return tuple(item.value for item in items)
    return ()
