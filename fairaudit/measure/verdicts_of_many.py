"""The verdicts on many groups together: among many, some look clear by chance alone."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Literal, TypeAlias, TypeVar

from fairaudit.measure.intervals import holm
from fairaudit.measure.results import Comparison, MeanComparison
from fairaudit.measure.verdicts import Side, equivalence_confidence, side_of, verdict_by

if TYPE_CHECKING:
    from fairaudit.measure.results import Comparison, Interval, MeanComparison


# Whether there is a gap at all: whether chance alone is an unlikely reason for one.

Moved = Literal["gap_smaller", "gap_larger", "gap_turned_around", "gap_changed"]
Resized = Literal["gap_smaller", "gap_larger", "gap_changed"]


def leaves_out_zero(result: Comparison | MeanComparison) -> bool:
    """Return whether the interval of a gap leaves out zero."""
    low, high = result.difference_interval
    return None not in (low, high) and math.isfinite(low) and math.isfinite(high) and (low > 0 or high < 0)


def is_exact(result: Comparison | MeanComparison) -> bool:
    """Return whether rows are so few that the test is Fisher's."""
    return getattr(result, "test", None) == "fisher" and result.p_value is not None


def gap_is_likely(result: Comparison | MeanComparison) -> bool:
    """Return whether the interval of the gap leaves out zero, however the gap stands to the tolerance.

    Where rows are so few that the test is Fisher's, that must agree: the interval leaves out zero for 0 of 2 beside 2
    of 2, which happens by chance in one case of three.
    """
    return leaves_out_zero(result) and not (is_exact(result) and result.p_value > 1 - result.confidence)


def moved_gap(before: Comparison | MeanComparison, after: Comparison | MeanComparison) -> Moved:
    """Return what became of a gap whose change is more than chance.

    Where the gap points the other way, that change is of no size: it turned around where both gaps are likely, it is
    smaller or larger where all sizes of one that fit are below the other, and else it changed.
    """
    if is_turned(before, after):
        return "gap_turned_around"
    return resized_gap(before, after)


def is_turned(before: Comparison | MeanComparison, after: Comparison | MeanComparison) -> bool:
    """Return whether a gap points the other way than before, and both are likely."""
    return before.difference * after.difference < 0 and gap_is_likely(before) and gap_is_likely(after)


def resized_gap(before: Comparison | MeanComparison, after: Comparison | MeanComparison) -> Resized:
    """Return what became of the size of a gap whose change is more than chance, whichever way it points."""
    if before.difference * after.difference >= 0:
        return "gap_smaller" if abs(after.difference) < abs(before.difference) else "gap_larger"
    if _largest(after) <= abs(before.difference):
        return "gap_smaller"
    return "gap_larger" if _largest(before) <= abs(after.difference) else "gap_changed"


def resized_widest(changes: Sequence[tuple[float, Interval]]) -> Resized:
    """Return what became of the size of the widest of some gaps, by each before and the interval of its change.

    It is smaller where none that fits is as large as the widest was, larger where all that fit of one are larger.

    Examples
    --------
    >>> resized_widest([(0.24, (-0.32, -0.16))]), resized_widest([(0.24, (-0.49, -0.20))])
    ('gap_smaller', 'gap_changed')
    """
    widest = max(abs(before) for before, _ in changes)
    sizes = [_sizes(before, change) for before, change in changes]
    if max(most for _, most in sizes) < widest:
        return "gap_smaller"
    return "gap_larger" if max(least for least, _ in sizes) > widest else "gap_changed"


def _sizes(before: float, change: Interval) -> tuple[float, float]:
    """Return the smallest and the largest size of a gap that fits after a change; any where no interval is known."""
    low, high = (before + end for end in change)
    if not (math.isfinite(low) and math.isfinite(high)):
        return 0.0, math.inf
    ends = (abs(low), abs(high))
    return 0.0 if low <= 0 <= high else min(ends), max(ends)


def _largest(answer: Comparison | MeanComparison) -> float:
    """Return the largest size of a gap that fits the data; any where that is hidden."""
    low, high = answer.difference_interval
    return math.inf if None in (low, high) else max(abs(low), abs(high))


C = TypeVar("C", Comparison, MeanComparison)
J = TypeVar("J", bound=Comparison | MeanComparison)
S = TypeVar("S", bound=str)
SidesAt = Callable[[Sequence[C], float], Sequence[Side]]
GapAt: TypeAlias = "Callable[[float], Interval]"
"""The interval of a gap at a confidence."""


def judged(comparison: J, side: Side, *, sure: bool = True) -> J:
    """Return a comparison with its verdict.

    `sure` is whether its p-value also stands among all comparisons that it is one of. A gap that is beyond the
    tolerance at a confidence for all of them needs that only where rows are so few that the test is Fisher's.
    """
    likely = gap_is_likely(comparison) and (sure or (side == "beyond" and not is_exact(comparison)))
    return replace(comparison, verdict=verdict_by(side, likely=likely, comparable=_is_comparable(comparison)))


def judged_by(comparison: J, gap_at: GapAt) -> J:
    """Return a comparison with these intervals of its gap, and the verdict that they give."""
    outer, inner = _intervals(gap_at, comparison.confidence)
    changed = replace(comparison, difference_interval=outer, equivalence_interval=inner)
    return judged(changed, side_of(outer, inner, comparison.tolerance))


def sides_by(gaps_at: Sequence[GapAt]) -> SidesAt[C]:
    """Return what says where comparisons lie at a confidence, by the intervals of their gaps."""
    return partial(_sides, gaps_at)


def _sides(gaps_at: Sequence[GapAt], comparisons: Sequence[C], confidence: float) -> list[Side]:
    return [
        side_of(*_intervals(gap_at, confidence), each.tolerance)
        for each, gap_at in zip(comparisons, gaps_at, strict=True)
    ]


def _intervals(gap_at: GapAt, confidence: float) -> tuple[Interval, Interval]:
    return gap_at(confidence), gap_at(equivalence_confidence(confidence))


def by_holm(comparisons: Sequence[C], sides_at: SidesAt[C], *, questions: int | None = None) -> tuple[C, ...]:
    """Return comparisons with the verdicts that Holm's method leaves, so that all hold at their confidence.

    While `open` of them are not settled, each is read at ``1 - a / open`` (``a = 1 - confidence``). `sides_at` reads
    comparisons at a confidence; `questions` is how many there are, where comparisons say the same. P-values are
    adjusted by Holm's method, too.

    Notes
    -----
    A group has a gap beyond the tolerance or has none: of the two claims that can be made of it one is false at most,
    so there are as many false claims as groups to allow for, and Holm's method holds for both together.

    References
    ----------
    Holm (1979); Shaffer (1986) on claims of which some exclude others.
    """
    if not comparisons:
        return ()
    confidence = comparisons[0].confidence
    sides = readings_by_holm(
        lambda level: sides_at(comparisons, level), len(comparisons) if questions is None else questions, confidence
    )
    p_values = [each.p_value for each in comparisons]
    adjusted = p_values if questions == 1 else holm(p_values)
    return tuple(
        judged(each, side, sure=p_value < 1 - confidence)
        for each, side, p_value in zip(comparisons, sides, adjusted, strict=True)
    )


def readings_by_holm(reading_at: Callable[[float], Sequence[S]], questions: int, confidence: float) -> Sequence[S]:
    """Return readings, "open" or settled, at the confidence at which Holm's method leaves them all.

    `reading_at` reads all of them at one confidence; `questions` is how many there are to allow for.
    """
    unsettled = questions
    while True:
        found = reading_at(1 - (1 - confidence) / unsettled)
        still = sum(each == "open" for each in found)
        if still == 0 or still >= unsettled:
            return found
        unsettled = still


def by_bonferroni(comparisons: Sequence[C], sides_at: SidesAt[C]) -> tuple[C, ...]:
    """Return comparisons with verdicts that do not depend on the others, for where some of them are hidden.

    What is hidden itself stays as it is. A comparison with a hidden count is not clear.
    """
    if not comparisons:
        return ()
    error = (1 - comparisons[0].confidence) / len(comparisons)
    read: list[C] = []
    for each in comparisons:
        is_hidden, has_hidden = each.difference is None, None in (each.protected.n, each.reference.n)
        if is_hidden:
            read.append(each)
            continue
        side: Side = "open" if has_hidden else sides_at([each], 1 - error)[0]
        read.append(judged(each, side, sure=each.p_value is not None and each.p_value < error))
    return tuple(read)


def _is_comparable(comparison: Comparison | MeanComparison) -> bool:
    return math.isfinite(comparison.difference) and not comparison.has_one_decision
