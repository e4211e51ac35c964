"""People whose group or decision is not known, but who have a value that says so and are counted by it.

A missing value is in neither group. A text such as "Decline to state" is a value like others: it does not meet
``race = 'Black'``, so who has it stands in the rest, and it meets ``race <> 'White'``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import islice
from typing import Any, Literal

import pandas as pd

from fairaudit.conditions import Condition, tree
from fairaudit.data.roles import Outcome
from fairaudit.data.table import COMMON_VALUES, Table
from fairaudit.data.unknown_words import ended_undecided, is_no_decision, is_no_group
from fairaudit.disclosure.fields import figure, setting
from fairaudit.errors import ConditionError

Counted = Literal["group", "good", "not_good"]
Side = Literal["protected", "reference"]

# So many values, and so long ones, fit into one condition.
_MOST_VALUES = 100
_LONGEST_VALUE = 100


@dataclass(frozen=True)
class NotKnown:
    """Values of a column that say that something is not known, and where rows with them are counted.

    Parameters
    ----------
    column : str
        The column.
    values : tuple of str
        As they are in the table, in ascending order.
    counted : {"group", "good", "not_good"}
        What the column says: the group, or a decision that is counted as the good outcome or not.
    n : int or None
        Rows with one of the values that are counted; None in an exported copy that hides small counts.
    n_protected, n_reference : int or None
        Those in the protected group and in the rest; None where this is hidden, or where nobody is protected yet.
    groups : tuple of {"protected", "reference"}
        Which of both hold such rows; empty where this is not stated.
    leave_out : str
        The condition that leaves out these rows and no others that are counted, for the filter.
    """

    column: str = setting()
    values: tuple[str, ...] = setting()
    counted: Counted = setting()
    n: int | None = figure()
    n_protected: int | None = figure()
    n_reference: int | None = figure()
    groups: tuple[Side, ...] = figure()
    leave_out: str = figure()


def groups_not_known(
    table: Table,
    protected: Condition,
    *,
    sizes: tuple[int, int],
    where: Condition | None = None,
    decision: Condition | None = None,
) -> tuple[NotKnown, ...]:
    """Find rows that a condition puts into a group although their value says that the group is not known.

    Notes
    -----
    Values come from :meth:`~fairaudit.data.table.Table.common_values`: the 100 most frequent that say that the group is
    not known, of at most 100 signs. Only where there are some, one more GROUP BY counts the rows that have them.
    """
    found = []
    for column in protected.columns:
        texts = _texts(table, column, is_no_group)
        if not texts:
            continue
        by = {"protected": protected} | ({} if decision is None else {"decided": decision})
        counts = _counts(table, column, by, where, texts)
        counts = counts[counts["protected"].notna()]
        elsewhere = set(counts.loc[_is(counts["protected"], False), "value"])
        named = _named(protected, column, texts)
        part = _not_known(table, column, "group", counts[~counts["value"].isin(named - elsewhere)])
        if part is None:
            continue
        whole = any(n == size > 0 for n, size in zip((part.n_protected, part.n_reference), sizes, strict=True))
        if not (whole and named.issuperset(part.values)):
            found.append(part)
    return tuple(found)


def decisions_not_known(
    table: Table, outcome: Outcome, *, where: Condition | None = None, protected: Condition | None = None
) -> tuple[NotKnown, ...]:
    """Find rows that count as decided although their value says that the decision is not known, or not made.

    Values such as "withdrawn", which may also be a decision, make parts of their own. They are found only where good
    and other outcomes are left without them.

    Notes
    -----
    As for :func:`groups_not_known`.
    """
    if table.column(outcome.column).kind != "text":
        return ()
    texts = _texts(table, outcome.column, is_no_decision)
    ended = _texts(table, outcome.column, ended_undecided)
    others = {v for v in table.common_values(outcome.column) if isinstance(v, str)} - {*texts, *ended}
    if len(others) < 2 or others <= _named(outcome.condition, outcome.column, others):
        ended = []
    texts = sorted({*texts, *ended} - _named(outcome.condition, outcome.column, {*texts, *ended}))
    if not texts:
        return ()
    by = {"decided": outcome.condition} | ({} if protected is None else {"protected": protected})
    counts = _counts(table, outcome.column, by, where, texts)
    if protected is not None:
        counts = counts[counts["protected"].notna()]
    has_ended = counts["value"].isin(ended)
    sides: tuple[tuple[Counted, bool], ...] = (("good", True), ("not_good", False))
    parts = (
        _not_known(table, outcome.column, counted, counts[_is(counts["decided"], answer) & these])
        for these in (~has_ended, has_ended)
        for counted, answer in sides
    )
    return tuple(part for part in parts if part is not None)


def leaving_out(column: str, values: Iterable[str], columns: Any, *, missing: bool) -> str:
    """Return the condition that leaves out rows with some values."""
    leave_out = ~Condition.one_of(column, values, columns)
    if missing:
        # A filter drops rows for which it is unknown, and these are counted as what they are.
        leave_out |= Condition.one_of(column, [None], columns)
    return str(leave_out)


def _texts(table: Table, column: str, says_so: Callable[[str], bool]) -> list[str]:
    if table.column(column).kind != "text":
        return []
    values = (v for v in table.common_values(column) if isinstance(v, str))
    said = (v for v in values if len(v) <= _LONGEST_VALUE and "\0" not in v and says_so(v))
    return sorted(islice(said, _MOST_VALUES))


def _counts(
    table: Table, column: str, conditions: dict[str, Condition], where: Condition | None, texts: list[str]
) -> pd.DataFrame:
    """Count rows with one of the texts in a column, by it and conditions, without those that have no decision."""
    these = Condition.one_of(column, texts, table.columns)
    by: dict[str, str | Condition] = {"value": column, **conditions}
    try:
        counts = table.counts(by, where=these if where is None else where & these)
    except ConditionError:
        # Together they are longer or deeper than a condition may be.
        counts = table.counts(by, where=where)
        counts = counts[counts["value"].isin(texts)]
    return counts[counts["decided"].notna()] if "decided" in counts else counts


def _not_known(table: Table, column: str, counted: Counted, counts: pd.DataFrame) -> NotKnown | None:
    if counts.empty:
        return None
    values = tuple(sorted(set(counts["value"])))
    n_protected = n_reference = None
    groups: list[Side] = []
    if "protected" in counts:
        n_protected, n_reference = (
            int(counts.loc[_is(counts["protected"], side), "n"].sum()) for side in (True, False)
        )
        if n_protected:
            groups.append("protected")
        if n_reference:
            groups.append("reference")
    common = table.common_values(column)
    leave_out = leaving_out(column, values, table.columns, missing=None in common or len(common) >= COMMON_VALUES)
    return NotKnown(column, values, counted, int(counts["n"].sum()), n_protected, n_reference, tuple(groups), leave_out)


def _is(answers: pd.Series, answer: bool) -> pd.Series:
    return answers.eq(answer).fillna(False).astype(bool)


def _named(condition: Condition, column: str, texts: Iterable[str]) -> set[str]:
    """Return those of some texts that a condition compares a column with, whatever their case where it is changed."""
    named: set[str] = set()
    for node in tree.walk(condition.tree):
        if isinstance(node, tree.Compare | tree.InList) and column in tree.column_names(node):
            parts = [*tree.walk(node), *getattr(node, "items", ())]
            literals = {part.value for part in parts if isinstance(part, tree.Literal) and isinstance(part.value, str)}
            folds = any(isinstance(part, tree.Call) and part.name in ("lower", "upper") for part in parts)
            folded = {text.casefold() for text in literals} if folds else set()
            named |= {text for text in texts if text in literals or text.casefold() in folded}
    return named
