"""Values that a condition leaves apart from those it names, although only letter case or blanks differ."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from fairaudit.conditions import Condition
from fairaudit.conditions.correcting import other_spellings
from fairaudit.data.table import COMMON_VALUES, Table
from fairaudit.errors import quote

_MOST_NAMED = 5
_WHY = "although only letter case or blanks differ"


@dataclass(frozen=True)
class SpelledApart:
    """Values of one column that differ from values that a condition names by letter case or blanks only.

    Parameters
    ----------
    column : str
        The column.
    named : tuple of str
        The values that the condition names.
    others : tuple of str
        Those that it leaves apart, the most frequent first.
    n : int
        Rows with one of the others.
    """

    column: str
    named: tuple[str, ...]
    others: tuple[str, ...]
    n: int


def spelled_apart(
    table: Table,
    condition: Condition,
    *,
    where: Condition | None = None,
    values: Callable[[str], Sequence[Any]] | None = None,
) -> tuple[SpelledApart, ...]:
    """Find what a condition leaves apart among the rows that a filter keeps.

    Notes
    -----
    Values come from `values`, else from :meth:`~fairaudit.data.table.Table.common_values`. Only where some differ by
    letter case or blanks alone, one more GROUP BY a column counts the rows that have them.
    """
    found = []
    for column, others in other_spellings(condition, values or table.common_values).items():
        counts = table.values(column, where=where, limit=COMMON_VALUES)
        counts = counts[counts["value"].isin(others)]
        if not counts.empty:
            left = tuple(counts["value"])
            named = tuple(dict.fromkeys(others[value] for value in left))
            found.append(SpelledApart(column, named, left, int(counts["n"].sum())))
    return tuple(found)


def apart_warnings(table: Table, asked: Iterable[Condition], *, where: Condition | None) -> tuple[str, ...]:
    """Return a sentence for each column in which conditions leave values apart, without counts, which may be small."""
    found = (part for condition in asked for part in spelled_apart(table, condition, where=where))
    return tuple(dict.fromkeys(spelled_apart_sentence(part, counted=False) for part in found))


def spelled_apart_sentence(part: SpelledApart, *, counted: bool) -> str:
    """Return which rows count apart from which values; with their number only where `counted`."""
    rows = "Rows" if not counted else f"{part.n:,} row{'' if part.n == 1 else 's'}"
    verb = "counts" if counted and part.n == 1 else "count"
    return (
        f"{rows} with {_listed(part.others)} in column {quote(part.column)} {verb} apart from {_listed(part.named)}, "
        f"{_WHY}. If they mean the same, name them, too."
    )


def without_apart(warnings: Iterable[str]) -> tuple[str, ...]:
    """Return warnings without those of :func:`apart_warnings`: they name values that one person may have."""
    return tuple(text for text in warnings if _WHY not in text)


def _listed(values: Sequence[str]) -> str:
    texts = [quote(value, limit=40) for value in values[:_MOST_NAMED]]
    if len(values) > _MOST_NAMED:
        texts.append(f"{len(values) - _MOST_NAMED} more")
    return " or ".join([", ".join(texts[:-1]), texts[-1]]) if len(texts) > 1 else texts[0]
