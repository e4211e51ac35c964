"""Intervals of changes that give few people away.

Both models are judged on the same rows, so the width of an interval says on how many of them they differ, and the
change how many more people are better off than worse off. Where few may be either, the intervals of all changes of the
remedy are hidden, but for that of the area under the ROC curve, which counts nobody.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from fairaudit.disclosure.close_figures import cells_of
from fairaudit.disclosure.hidden import HIDDEN
from fairaudit.measure.intervals import two_sided_z
from fairaudit.study.findings import RemedyFinding
from fairaudit.study.judging.paired import ADDED
from fairaudit.study.judging.results import Change, Evaluation

CELLS_OF = {
    "selection_gap": (("tp", "fp", "tn", "fn"), ("tp", "fp")),
    "tpr_gap": (("tp", "fn"), ("tp",)),
    "fpr_gap": (("fp", "tn"), ("fp",)),
}
"""The cells that the rate of a gap is a share of, and those that it counts."""
EQUAL = 1e-6


class Grown(NamedTuple):
    """A share of `n` rows that has `gained` rows more than before; `nets` are what it gained in each part of them."""

    n: int
    gained: int
    nets: tuple[int, ...]


def seen_changes(finding: RemedyFinding, changes: tuple[Change, ...], minimum: int) -> tuple[Change, ...]:
    """Return changes without their intervals where one of them may give few people away."""
    confidence = finding.after.errors.confidence
    pairs = {change.measure: (change.first, change.second) for change in changes if _has_interval(change)}
    for change in changes:
        if change.measure == "auc" or not _has_interval(change):
            continue
        if change.measure in ("fdr_gap", "for_gap"):
            # Who is in these follows from the cells that those of both error rates are about.
            few = {pairs.get(name) for name in ("tpr_gap", "fpr_gap")} != {pairs[change.measure]}
        else:
            few = gives_few_away(change, _shares(finding, change), confidence, minimum)
        if few:
            return tuple(each if each.measure == "auc" else replace(each, interval=HIDDEN) for each in changes)
    return changes


def seen_change(finding: RemedyFinding, change: Change, other: Evaluation | None, minimum: int) -> Change:
    """Return how a remedy's accuracy differs from another's, without an interval that may give few people away."""
    if not _has_interval(change):
        return change
    few = other is None or gives_few_away(
        change, [_of_all(_right(other, finding.after))], finding.after.errors.confidence, minimum
    )
    return replace(change, interval=HIDDEN) if few else change


def gives_few_away(change: Change, shares: Sequence[Grown], confidence: float, minimum: int) -> bool:
    """Say whether the interval of a change may say that a count of people under `minimum` gains or loses.

    Of two `shares`, the change is of their difference, or for balanced accuracy of their mean.
    """
    low, high = change.interval
    if abs((low + high) / 2 - change.difference) > EQUAL * (high - low):
        # An end was cut off.
        return True
    half = (high - low) / 2 * (2 if change.measure == "balanced_accuracy" else 1)
    ways = list(_differing((half / two_sided_z(confidence)) ** 2, shares))
    return not ways or any(
        _gives_few(differing, share, minimum) for way in ways for differing, share in zip(way, shares, strict=True)
    )


def _gives_few(differing: int, share: Grown, minimum: int) -> bool:
    """Say whether few gain or lose where models differ on so many rows; `nets` are known of parts of the rows."""
    if any(0 < (differing + sign * share.gained) // 2 < minimum for sign in (1, -1)):
        return True
    # So many gain, and as many lose, beside those by whom the parts grew: all who gain, where every part grew smaller.
    both = (differing - sum(map(abs, share.nets))) // 2
    return 0 < both < minimum or (both == 0 and any(0 < abs(net) < minimum for net in share.nets))


def _differing(variance: float, shares: Sequence[Grown]) -> Iterator[tuple[int, ...]]:
    """Yield on how many rows of each share models may differ; see :func:`~fairaudit.study.judging.paired`."""
    *others, last = shares
    firsts = np.arange(abs(others[0].gained), others[0].n + 1, 2) if others else np.zeros(1)
    left = variance - (_variance(firsts, others[0]) if others else 0.0)
    rows = last.n + 2 * ADDED
    found = left * rows**2 + last.gained**2 / rows - 2 * ADDED
    whole = np.round(found)
    fits = (np.abs(found - whole) < EQUAL) & (whole >= abs(last.gained)) & ((whole - last.gained) % 2 == 0)
    for first, n in zip(firsts[fits].tolist(), whole[fits].tolist(), strict=True):
        yield (int(first), int(n)) if others else (int(n),)


def _variance(differing: np.ndarray, share: Grown) -> np.ndarray:
    rows = share.n + 2 * ADDED
    return (differing + 2 * ADDED - share.gained**2 / rows) / rows**2


def _shares(finding: RemedyFinding, change: Change) -> list[Grown]:
    """Return the shares that a measure is made of."""
    if change.measure == "gap":
        sides = [
            (getattr(finding.before.fairness, side), getattr(finding.after.fairness, side))
            for side in ("protected", "reference")
        ]
        gained = [after.positives - before.positives for before, after in sides]
        return [Grown(after.n, more, (more,)) for (_, after), more in zip(sides, gained, strict=True)]
    if change.measure in CELLS_OF:
        before, after = cells_of(finding.before), cells_of(finding.after)
        cells, said = CELLS_OF[change.measure]
        grown = (after - before)[list(said)].astype(int)
        return [
            Grown(int(after.loc[group, list(cells)].sum()), int(grown.loc[group].sum()), tuple(grown.loc[group]))
            for group in (str(change.first), str(change.second))
        ]
    classes = _right(finding.before, finding.after)
    return [_of_all(classes)] if change.measure == "accuracy" else classes


def _right(before: Evaluation, after: Evaluation) -> list[Grown]:
    """Return how many of those with either label two models are right for, by group."""
    cells, grown = cells_of(after), (cells_of(after) - cells_of(before)).astype(int)
    return [
        Grown(int(cells[[right, wrong]].sum().sum()), int(grown[right].sum()), tuple(grown[right]))
        for right, wrong in (("tp", "fn"), ("tn", "fp"))
    ]


def _of_all(parts: Sequence[Grown]) -> Grown:
    return Grown(
        sum(part.n for part in parts),
        sum(part.gained for part in parts),
        tuple(net for part in parts for net in part.nets),
    )


def _has_interval(change: Change) -> bool:
    return change.interval.low is not None and bool(np.isfinite(change.interval.low))
