"""What the comparisons of many groups support together: among many, some look clear by chance alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeVar

from fairaudit.measure.comparison_results import Comparison, Evidence
from fairaudit.measure.mean_results import MeanComparison

C = TypeVar("C", Comparison, MeanComparison)
E = TypeVar("E", bound=str)
EvidenceAt = Callable[[Sequence[C], float], Sequence[Evidence]]


def by_holm(comparisons: Sequence[C], evidence_at: EvidenceAt[C], *, questions: int | None = None) -> tuple[C, ...]:
    """Return comparisons with the evidence that Holm's method leaves, so that all answers hold at their confidence.

    While `open` of them are not settled, each is read at ``1 - a / open`` (``a = 1 - confidence``). `evidence_at` reads
    comparisons at a confidence; `questions` is how many there are, where comparisons say the same.

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
    found = readings_by_holm(
        lambda level: evidence_at(comparisons, level),
        len(comparisons) if questions is None else questions,
        comparisons[0].confidence,
    )
    return tuple(replace(each, evidence=evidence) for each, evidence in zip(comparisons, found, strict=True))


def readings_by_holm(reading_at: Callable[[float], Sequence[E]], questions: int, confidence: float) -> Sequence[E]:
    """Return readings, "inconclusive" or settled, at the confidence at which Holm's method leaves them all.

    `reading_at` reads all of them at one confidence; `questions` is how many there are to allow for.
    """
    unsettled = questions
    while True:
        found = reading_at(1 - (1 - confidence) / unsettled)
        still = sum(each == "inconclusive" for each in found)
        if still == 0 or still >= unsettled:
            return found
        unsettled = still


def by_bonferroni(comparisons: Sequence[C], evidence_at: EvidenceAt[C]) -> tuple[C, ...]:
    """Return comparisons with evidence that does not depend on the others, for where some of them are hidden.

    What is hidden itself stays as it is. A comparison with a hidden count is not clear.
    """
    if not comparisons:
        return ()
    level = _confidence(comparisons, len(comparisons))
    read: list[C] = []
    for each in comparisons:
        is_hidden, has_hidden = each.difference is None, None in (each.protected.n, each.reference.n)
        if is_hidden:
            read.append(each)
        elif has_hidden:
            read.append(replace(each, evidence="inconclusive"))
        else:
            read.append(replace(each, evidence=evidence_at([each], level)[0]))
    return tuple(read)


def _confidence(comparisons: Sequence[Comparison] | Sequence[MeanComparison], unsettled: int) -> float:
    return 1 - (1 - comparisons[0].confidence) / unsettled
