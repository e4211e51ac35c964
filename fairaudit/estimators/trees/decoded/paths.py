"""The way to a node: which splits hold and which do not, as a condition and in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fairaudit.conditions import Condition, tree
from fairaudit.estimators.rules.literals import Literal
from fairaudit.estimators.trees.decoded.linear import LinearSplit

Split = Literal | LinearSplit


@dataclass(frozen=True)
class Step:
    """One step down.

    Parameters
    ----------
    split : Literal or LinearSplit
        The split of the node that is left.
    is_left : bool
        Whether it holds.
    """

    split: Split
    is_left: bool

    def words(self) -> str:
        """Return the step in plain English."""
        if self.is_left:
            return self.split.words()
        return self.split.opposite_words() if isinstance(self.split, LinearSplit) else self.split.negated().words()

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that are asked for."""
        return self.split.columns if isinstance(self.split, LinearSplit) else (self.split.column,)


def path_in_words(steps: Sequence[Step]) -> str:
    """Return the way to a node in plain English.

    Examples
    --------
    >>> path_in_words([Step(Literal("age", "at_most", 40), True), Step(Literal("age", "at_most", 25), False)])
    'age is at most 40 and age is more than 25'
    """
    kept = [step for place, step in enumerate(steps) if not any(_implies(later, step) for later in steps[place + 1 :])]
    return " and ".join(step.words() for step in kept) or "all rows"


def path_condition(steps: Sequence[Step]) -> Condition:
    """Return the way to a node as a condition that selects the same rows."""
    if not steps:
        return Condition.parse("TRUE", ())
    known = {column for step in steps for column in step.columns if _needs_value(step)}
    return Condition(tree.join(tree.And, [_node(step, known) for step in steps]))


def _needs_value(step: Step) -> bool:
    """Say whether rows that take the step have a value in its columns."""
    is_missing = isinstance(step.split, Literal) and step.split.kind == "missing"
    return step.is_left != is_missing


def _node(step: Step, known: set[str]) -> tree.Node:
    if step.is_left:
        return step.split.node
    opposite = tree.negate(step.split.node)
    lacking = [column for column in step.columns if column not in known]
    if not lacking or (isinstance(step.split, Literal) and step.split.kind == "missing"):
        return opposite
    return tree.join(tree.Or, [opposite, *(tree.IsNull(tree.ColumnName(column, None)) for column in lacking)])


def _implies(later: Step, step: Step) -> bool:
    """Say whether a later step in the same direction asks for all that a step asks for, by cuts of one column."""
    one, two = later.split, step.split
    if not (isinstance(one, Literal) and isinstance(two, Literal)) or one.column != two.column:
        return False
    return one.kind == two.kind == "at_most" and later.is_left == step.is_left
