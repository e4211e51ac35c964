"""The common gap of strata some of which are hidden: rounded until what is hidden stays open.

In full precision it would be one more equation between hidden counts. Of the tables of people that prove what stays
open, only those count that have the same common gap and the same interval, both rounded; if these prove it as well, the
rounded figures may be shown. Else they are rounded further, and if nothing helps, hidden.
"""

from __future__ import annotations

import math

import numpy as np

from fairaudit.audit.result import CheckFinding
from fairaudit.disclosure.counts import Counts
from fairaudit.errors import LimitError
from fairaudit.measure.intervals import two_sided_z
from fairaudit.measure.results import Interval
from fairaudit.measure.strata import common_difference

STEPS = (0.001, 0.002, 0.005, 0.01, 0.02)
"""In what steps a share is rounded."""

Shown = tuple[float, Interval]


def equivalence_of(shown: Shown, confidence: float) -> Interval:
    """Return the interval of two one-sided tests that goes with a gap and its interval: it says nothing more."""
    value, ends = shown
    share = two_sided_z(max(2 * confidence - 1, 0.0)) / two_sided_z(confidence)
    low, high = (value + share * (end - value) for end in ends)
    return Interval(low, high)


def shown_common_gap(finding: CheckFinding, path: tuple, counts: Counts) -> Shown | None:
    """Return the common gap of strata and its interval as they may be shown; None where they may not.

    They read as what is true: where they stand to nothing and to the tolerance, the interval of tests included.

    `path` is where the strata stand.
    """
    strata, limit = finding.strata, finding.plan.tolerance
    if strata is None or finding.plan.cluster is not None or not counts.ledger.searches:
        return None
    sides = [counts.cells((*path, i, side)) for i in range(len(strata.strata)) for side in ("protected", "reference")]
    numbers = np.array([number for cells in sides for number in (cells.good, cells.n)]).reshape(-1, 4)
    if not len(numbers) or (numbers < 0).any():
        return None
    confidence = strata.pooled.confidence
    true = common_difference(counts.ledger.searches[0].values[numbers], confidence)
    if not all(map(math.isfinite, _ends(true))):
        return None
    for step in STEPS:
        said = _rounded(true, step)
        if _reading(said, limit, confidence) != _reading(true, limit, confidence):
            continue
        try:
            before = [search.proofs for search in counts.ledger.searches]
            agreeing = (
                search.stays_open_among(
                    (
                        _rounded(common_difference((search.values + search.rows @ change)[numbers], confidence), step)
                        == said
                        for change in search.changes
                    ),
                    counts.hidden,
                )
                for search in counts.ledger.searches
            )
            if all(agreeing):
                return said
        except LimitError:
            return None
        for search, proofs in zip(counts.ledger.searches, before, strict=True):
            search.proofs = proofs
    return None


def _ends(found: Shown) -> tuple[float, float, float]:
    return found[0], *found[1]


def _rounded(found: Shown, step: float) -> Shown:
    value, low, high = (round(round(each / step) * step, 4) if math.isfinite(each) else each for each in _ends(found))
    return value, Interval(low, high)


def _reading(found: Shown, limit: float, confidence: float) -> tuple[float, ...]:
    """Return how a gap and its intervals stand to nothing and to what is tolerated."""
    ends = (*_ends(found), *equivalence_of(found, confidence))
    return tuple(float(np.sign(each - at)) for each in ends for at in (-limit, 0.0, limit))
