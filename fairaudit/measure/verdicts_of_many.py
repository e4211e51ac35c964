"""The verdicts on many groups together: among many, some look clear by chance alone."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeVar

from fairaudit.measure.comparison_results import Comparison
from fairaudit.measure.intervals import holm
from fairaudit.measure.likely import gap_is_likely, is_exact
from fairaudit.measure.mean_results import MeanComparison
from fairaudit.measure.verdicts import Side, verdict_by

C = TypeVar("C", Comparison, MeanComparison)
J = TypeVar("J", bound=Comparison | MeanComparison)
S = TypeVar("S", bound=str)
SidesAt = Callable[[Sequence[C], float], Sequence[Side]]


def judged(comparison: J, side: Side, *, sure: bool = True) -> J:
    """Return a comparison with its verdict.

    `sure` is whether its p-value also stands among all comparisons that it is one of. A gap that is beyond the
    tolerance at a confidence for all of them needs that only where rows are so few that the test is Fisher's.
    """
    likely = gap_is_likely(comparison) and (sure or (side == "beyond" and not is_exact(comparison)))
    return replace(comparison, verdict=verdict_by(side, likely=likely, comparable=_is_comparable(comparison)))


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
