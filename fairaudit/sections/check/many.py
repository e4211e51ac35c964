"""What the ranges and verdicts of many groups, or of strata, allow for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

from fairaudit.findings import Argument, Count, Message, Word
from fairaudit.measure.mean_results import MeanComparison
from fairaudit.measure.results import Comparison, GroupComparison, GroupMeans, GroupRow, StratumRow
from fairaudit.messages import say
from fairaudit.present.words import deciding_interval

Row = TypeVar("Row", GroupRow, StratumRow)


def with_deciding_ranges(rows: Sequence[Row]) -> tuple[Row, ...]:
    """Return rows with the range of each gap from which its verdict is read, so that no row is at odds with its own."""
    return tuple(replace(row, comparison=_with_deciding_range(row.comparison)) for row in rows)


def _with_deciding_range(result: Comparison | MeanComparison) -> Comparison | MeanComparison:
    return result if result.difference is None else replace(result, difference_interval=deciding_interval(result))


def say_ranges(
    rows: Sequence[GroupRow | StratumRow], *, questions: int | None = None, are_deciding: bool = False
) -> str:
    """Say by which method verdicts allow for all rows, and whether the ranges do; empty for one row.

    `questions` is how many there are, where rows say the same. Ranges `are_deciding` after :func:`with_deciding_ranges`
    but where rows depend on each other.
    """
    number = len(rows) if questions is None else questions
    if number < 2:
        return ""
    method = "bonferroni" if any(row.comparison.difference is None for row in rows) else "holm"
    allow = are_deciding and not any(getattr(row.comparison, "test", None) == "t" for row in rows)
    args: dict[str, Argument] = {"n": Count(number), "method": Word(method), "whose": Word("all" if allow else "own")}
    return say(Message("check-many-ranges", args))


def say_group_ranges(comparison: GroupComparison | GroupMeans, *, are_deciding: bool = False) -> str:
    """Say the same of groups; each of two without a reference is the rest of the other, which is one question."""
    is_one = comparison.reference is None and len(comparison.rows) == 2
    return say_ranges(comparison.rows, questions=1 if is_one else None, are_deciding=are_deciding)
