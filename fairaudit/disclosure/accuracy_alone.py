"""How often a model is right in all, where its other figures are hidden.

It is one number: right predictions of both outcomes in one sum. It is shown only where true and false positives keep
values half the minimum apart or more, also beside the figures of all other models, as if all cut one score.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from fairaudit.disclosure.close_figures import cells_of
from fairaudit.study.judging.results import Evaluation, Measured

Cells = tuple[int, int, int, int]
"""True and false positives, true and false negatives."""


def with_accuracy(model: Evaluation, seen: Evaluation, models: Iterable[Evaluation], minimum: int) -> Evaluation:
    """Return what is seen of a model with its accuracy, where that leaves its counts open beside other `models`."""
    tp, fp, tn, fn = _totals(model)
    if min(tp + tn, fp + fn) < minimum:
        return seen
    # True less false positives are known: the true ones lie between those of models that say yes less, or more often.
    known, least, most = tp - fp, max(0, tp - fp), min(tp + fn, fp + tn + tp - fp)
    for other in map(_totals, models):
        if other[:2] == (tp, fp):
            continue
        if other[0] <= tp and other[1] <= fp:
            least = max(least, other[0], other[1] + known)
        if other[0] >= tp and other[1] >= fp:
            most = min(most, other[0], other[1] + known)
    if most - least < (minimum + 1) // 2:
        return seen
    return _with_measure(seen, model.measure("accuracy"))


def _with_measure(seen: Evaluation, found: Measured) -> Evaluation:
    return replace(seen, measures=tuple(found if each.measure == found.measure else each for each in seen.measures))


def _totals(model: Evaluation) -> Cells:
    cells = cells_of(model).sum()
    return int(cells["tp"]), int(cells["fp"]), int(cells["tn"]), int(cells["fn"])
