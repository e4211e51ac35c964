"""What constraints require of each candidate, counted on rows that no candidate was learned or chosen from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations
from typing import Final

import numpy as np
from numpy.typing import NDArray

from fairaudit.errors import InputError, quote, require
from fairaudit.estimators.certified import Comparison, LeastRate, MeanComparison, Requirement
from fairaudit.estimators.common_cut import are_whole
from fairaudit.estimators.constraints.constrained_rows import ConstrainedRows
from fairaudit.estimators.constraints.metrics import ErrorCost
from fairaudit.estimators.constraints.spec import FairnessSpec

Floats = NDArray[np.float64]
Truths = NDArray[np.bool_]
Labels = NDArray[np.int64]

EVENTS: Final[dict[str, tuple[Callable[[Labels, Labels], Truths], Callable[[Labels, Labels], Truths]]]] = {
    "sp": (lambda y, h: np.ones(h.shape, dtype=bool), lambda y, h: h == 1),
    "mr": (lambda y, h: np.ones(h.shape, dtype=bool), lambda y, h: h != y),
    "accuracy": (lambda y, h: np.ones(h.shape, dtype=bool), lambda y, h: h == y),
    "fpr": (lambda y, h: (y == 0) & (h == h), lambda y, h: h == 1),
    "tnr": (lambda y, h: (y == 0) & (h == h), lambda y, h: h == 0),
    "fnr": (lambda y, h: (y == 1) & (h == h), lambda y, h: h == 0),
    "tpr": (lambda y, h: (y == 1) & (h == h), lambda y, h: h == 1),
    "for": (lambda y, h: h == 0, lambda y, h: y == 1),
    "npv": (lambda y, h: h == 0, lambda y, h: y == 0),
    "fdr": (lambda y, h: h == 1, lambda y, h: y == 0),
    "ppv": (lambda y, h: h == 1, lambda y, h: y == 1),
}
"""By metric, from labels (n,) and predictions (n_candidates, n), the rows that it is a share of and those it counts."""


def check_certifiable(specs: Sequence[FairnessSpec]) -> None:
    """Refuse to certify where there is no limit, or one on something that is no rate and no cost."""
    if not specs:
        raise InputError("'certify_fraction' needs constraints: without 'specs' there is no limit to certify.")
    for spec in specs:
        if spec.measure.name not in EVENTS and not isinstance(spec.measure.coefficients, ErrorCost):
            raise InputError(
                f"A limit on the metric {quote(spec.measure.name)} cannot be certified, as it is no share of rows.",
                hint="Set 'certify_fraction' to 0, or take a metric of this package.",
            )


def requirements_of(rows: ConstrainedRows, predictions: Labels) -> list[Requirement]:
    """Count what constraints require of candidates.

    Whole counts stand for so many rows each; of others a group has Kish's effective number of rows.

    Shapes: `predictions` (n_candidates, n), 0 or 1.
    """
    found: list[Requirement] = []
    for spec, names, members in zip(rows.specs, rows.names, rows.members, strict=True):
        if spec.floor is not None:
            for name, group in zip(names[:-1], members[:-1], strict=True):
                hits, sizes = _counted(rows, spec, group, predictions)
                found.append(LeastRate(name, hits, sizes, spec.floor))
            continue
        limit = require(spec.max_difference)
        for first, second in combinations(range(len(names)), 2):
            both = names[first], names[second]
            overlap = bool(len(np.intersect1d(members[first], members[second], assume_unique=True)))
            if spec.measure.name not in EVENTS:
                values, counts = zip(
                    *(_costs(rows, spec, members[i], predictions) for i in (first, second)), strict=True
                )
                found.append(MeanComparison.of(both, values, counts, limit, overlap=overlap))
                continue
            counted = [_counted(rows, spec, members[i], predictions) for i in (first, second)]
            hits, sizes = (np.stack(each, axis=1) for each in zip(*counted, strict=True))
            found.append(Comparison(*both, hits, sizes, limit, overlap=overlap))
    return found


def _counted(
    rows: ConstrainedRows, spec: FairnessSpec, group: NDArray[np.int64], predictions: Labels
) -> tuple[Floats, Floats]:
    """Return the events and the rows that they are a share of in a group, both (n_candidates,)."""
    among, event = EVENTS[spec.measure.name]
    y, h = rows.y[group], predictions[:, group]
    base = among(y, h)
    hit = base & event(y, h)
    counts = rows.counted(group)
    if counts is None:
        return hit.sum(axis=1).astype(np.float64), base.sum(axis=1).astype(np.float64)
    hits, sizes = hit @ counts, base @ counts
    if are_whole(require(rows.counts)):
        return hits, sizes
    with np.errstate(invalid="ignore", divide="ignore"):
        shrink = np.nan_to_num(sizes / (base @ counts**2))
    return hits * shrink, sizes * shrink


def _costs(
    rows: ConstrainedRows, spec: FairnessSpec, group: NDArray[np.int64], predictions: Labels
) -> tuple[Floats, Floats]:
    """Return what errors cost, (n_candidates, n_group), and how much each row counts, (n_group,)."""
    cost = spec.measure.coefficients
    y, h = rows.y[group], predictions[:, group]
    values = np.where(h == y, 0.0, np.where(y == 1, cost.c_fn, cost.c_fp))
    counts = rows.counted(group)
    return values, np.ones(len(group)) if counts is None else counts
