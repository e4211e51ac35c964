"""Values that a condition leaves apart from those it names, though case, blanks or typing errors alone differ."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from fairaudit.conditions import Condition
from fairaudit.conditions.correcting import is_rare, other_spellings, resembling_values
from fairaudit.data.table import COMMON_VALUES, Table
from fairaudit.errors import quote
from fairaudit.findings import Argument, Count, Message, Phrase
from fairaudit.measure.comparison import said_rows
from fairaudit.messages import say

_MOST_NAMED = 5


@dataclass(frozen=True)
class LeftApart:
    """Values of one column that may mean the same as values that a condition names.

    Parameters
    ----------
    column : str
        The column.
    others : mapping of str to str
        Those that the condition leaves apart, the most frequent first, each with the value that it names.
    n : int
        Rows with one of the others.
    """

    column: str
    others: Mapping[str, str]
    n: int


def spelled_apart(
    table: Table,
    condition: Condition,
    *,
    where: Condition | None = None,
    values: Callable[[str], Sequence[object]] | None = None,
) -> tuple[LeftApart, ...]:
    """Find what a condition leaves apart, though letter case or blanks alone differ, among rows that a filter keeps.

    Notes
    -----
    Values come from `values`, else from :meth:`~fairaudit.data.table.Table.common_values`. Only where some differ by
    letter case or blanks alone, one more GROUP BY a column counts the rows that have them.
    """
    found = []
    for column, others in other_spellings(condition, values or table.common_values).items():
        counts = _counts(table, column, where)
        left = {value: others[value] for value in counts if value in others}
        if left:
            found.append(LeftApart(column, left, sum(counts[value] for value in left)))
    return tuple(found)


def resembling(
    table: Table,
    condition: Condition,
    *,
    where: Condition | None = None,
    values: Callable[[str], Sequence[object]] | None = None,
) -> tuple[LeftApart, ...]:
    """Find like :func:`spelled_apart`, one by one, what may be typing errors: at most half as frequent as the value."""
    found = []
    for column, others in resembling_values(condition, values or table.common_values).items():
        counts = _counts(table, column, where)
        for value, n in counts.items():
            if value in others and is_rare(n, counts.get(others[value], 0)):
                found.append(LeftApart(column, {value: others[value]}, n))
    return tuple(found)


def _counts(table: Table, column: str, where: Condition | None) -> dict[object, int]:
    counts = table.values(column, where=where, limit=COMMON_VALUES)
    return {value: int(n) for value, n in zip(counts["value"], counts["n"], strict=True)}


def apart_warnings(table: Table, asked: Iterable[Condition], *, where: Condition | None) -> tuple[str, ...]:
    """Return a sentence for each column in which conditions leave values apart, without counts, which may be small.

    They name values that one person may have, so they declare nothing (:class:`~fairaudit.disclosure.fields.Remark`).
    """
    found = (part for condition in asked for part in spelled_apart(table, condition, where=where))
    return tuple(dict.fromkeys(spelled_apart_sentence(part, counted=False) for part in found))


def spelled_apart_sentence(part: LeftApart, *, counted: bool) -> str:
    """Return which rows count apart from which values; with their number only where `counted`."""
    args: dict[str, Argument] = {
        "values": Phrase(_listed(tuple(part.others))),
        "column": Phrase(quote(part.column)),
        "named": Phrase(_listed(tuple(dict.fromkeys(part.others.values())))),
    }
    rows: dict[str, Argument] = {"n": Count(part.n), "rows": said_rows(part.n)}
    return say(Message("doubt-apart-rows", args | rows) if counted else Message("doubt-apart", args))


def resembling_question(part: LeftApart) -> str:
    """Ask whether a value is another one with a typing error."""
    [(value, named)] = part.others.items()
    texts = {name: Phrase(quote(text, limit=40)) for name, text in (("value", value), ("named", named))}
    return say(Message("doubt-resembles", {**texts, "rows": said_rows(part.n)}))


def _listed(values: Sequence[str]) -> str:
    texts = [quote(value, limit=40) for value in values[:_MOST_NAMED]]
    if len(values) > _MOST_NAMED:
        texts.append(f"{len(values) - _MOST_NAMED} more")
    return " or ".join([", ".join(texts[:-1]), texts[-1]]) if len(texts) > 1 else texts[0]
