"""What the comparisons of many groups support together: among many, some look clear by chance alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from fairaudit.measure.comparison_results import Comparison, Evidence
from fairaudit.measure.mean_results import MeanComparison

Comparisons = Sequence[Comparison] | Sequence[MeanComparison]
EvidenceAt = Callable[[Comparisons, float], Sequence[Evidence]]


def by_holm(comparisons: Comparisons, evidence_at: EvidenceAt, *, questions: int | None = None) -> tuple:
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
    unsettled = len(comparisons) if questions is None else questions
    while True:
        found = evidence_at(comparisons, _confidence(comparisons, unsettled))
        still = found.count("inconclusive")
        if still == 0 or still >= unsettled:
            return tuple(replace(each, evidence=evidence) for each, evidence in zip(comparisons, found, strict=True))
        unsettled = still


def by_bonferroni(comparisons: Comparisons, evidence_at: EvidenceAt) -> tuple:
    """Return comparisons with evidence that does not depend on the others, for where some of them are hidden.

    What is hidden itself stays as it is. A comparison with a hidden count is not clear.
    """
    level = _confidence(comparisons, len(comparisons))
    read = []
    for each in comparisons:
        if each.difference is None:
            read.append(each)
        elif None in (each.protected.n, each.reference.n):
            read.append(replace(each, evidence="inconclusive"))
        else:
            read.append(replace(each, evidence=evidence_at([each], level)[0]))
    return tuple(read)


def _confidence(comparisons: Comparisons, unsettled: int) -> float:
    return 1 - (1 - comparisons[0].confidence) / unsettled
