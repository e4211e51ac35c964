"""What the ranges and verdicts of many groups, or of strata, allow for."""

from __future__ import annotations

from collections.abc import Sequence

from fairaudit.findings import Count, Message, Word
from fairaudit.measure.results import GroupComparison, GroupMeans, GroupRow, StratumRow
from fairaudit.messages import say


def say_ranges(rows: Sequence[GroupRow | StratumRow], *, questions: int | None = None) -> str:
    """Say that ranges are those of each row by itself, and by which method verdicts allow for all; empty for one.

    `questions` is how many there are, where rows say the same.
    """
    number = len(rows) if questions is None else questions
    if number < 2:
        return ""
    method = "bonferroni" if any(row.comparison.difference is None for row in rows) else "holm"
    return say(Message("check-many-ranges", {"n": Count(number), "method": Word(method)}))


def say_group_ranges(comparison: GroupComparison | GroupMeans) -> str:
    """Say the same of groups; each of two without a reference is the rest of the other, which is one question."""
    is_one = comparison.reference is None and len(comparison.rows) == 2
    return say_ranges(comparison.rows, questions=1 if is_one else None)
