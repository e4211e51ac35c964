"""Intervals that allow for many rows of one officer, school or judge: cluster-robust variances of shares.

Symbols, for the clusters ``g`` of two groups ``a`` and ``b``: ``y`` good outcomes, ``n`` rows, ``p`` the share of all,
``G`` how many clusters a group has rows in.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import fields, replace
from functools import partial
from typing import Final, TypeVar

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import special

from fairaudit.errors import quote
from fairaudit.findings import Count, Message, Phrase
from fairaudit.measure.intervals import difference_ends, wilson_to
from fairaudit.measure.results import Comparison, GroupRatio, Interval
from fairaudit.measure.verdicts_of_many import judged_by
from fairaudit.messages import say

SomeComparison = TypeVar("SomeComparison", bound=Comparison)

FEW_CLUSTERS: Final = 20
"""With fewer clusters, intervals hold less often than they say."""
Cells = NDArray[np.float64]
"""Good outcomes and rows of one group, then of the other, by cluster; shape (n_clusters, 4)."""


def by_cluster(tally: pd.DataFrame, column: Hashable, a: pd.Series, b: pd.Series) -> tuple[Cells, NDArray[np.int64]]:
    """Return the counts of two groups, given as masks, by cluster, and which it is; rows without one are one together.

    Shapes: (n_clusters, 4), (n_clusters,).
    """
    codes, values = pd.factorize(tally[column], use_na_sentinel=False)
    cells = np.zeros((len(values), 4))
    for place, mask in ((0, a.to_numpy(dtype=bool)), (2, b.to_numpy(dtype=bool))):
        for i, name in enumerate(("positives", "n")):
            np.add.at(cells[:, place + i], codes[mask], tally[name].to_numpy(dtype=float)[mask])
    present = (cells[:, [1, 3]] > 0).any(axis=1)
    return cells[present], np.asarray(values)[present]


def freedom_of(cells: Cells) -> int:
    """Return the degrees of freedom of a comparison: one less than the clusters of the group that is in fewer."""
    return int((cells[:, [1, 3]] > 0).sum(axis=0).min()) - 1


def covariances(cells: Cells) -> NDArray[np.float64]:
    """Return variances and covariance of both shares; NaN for fewer than two clusters. Shape (2, 2).

    The jackknife: ``(G - 1) / G sum_g (p_a(g) - p_a) (p_b(g) - p_b)``, where ``p_a(g)`` is the share without cluster
    ``g``; for the covariance ``G`` is the geometric mean of both groups' factors.
    """
    left = _moved(cells)
    clusters = (cells[:, [1, 3]] > 0).sum(axis=0).astype(float)
    factor = np.sqrt(np.where(clusters > 1, (clusters - 1) / np.maximum(clusters, 1), np.nan))
    return left.T @ left * np.outer(factor, factor)


def _moved(cells: Cells) -> NDArray[np.float64]:
    """Return how far either share moves without each cluster, shape (n_clusters, 2): (y_g - p n_g) / (n - n_g)."""
    y, n = cells[:, [0, 2]], cells[:, [1, 3]]
    others = n.sum(axis=0) - n
    return (y - y.sum(axis=0) / n.sum(axis=0) * n) / np.where(others > 0, others, n.sum(axis=0))


def gap_moves(cells: Cells) -> NDArray[np.float64]:
    """Return how far the gap moves without each cluster; shape (n_clusters,)."""
    left = _moved(cells)
    return left[:, 0] - left[:, 1]


def allowing_for_clusters(comparison: SomeComparison, cells: Cells) -> SomeComparison:
    """Return a comparison whose intervals, test and verdict allow for clusters.

    Notes
    -----
    A share has Wilson's interval with the rows that would give its cluster-robust variance, and the quantile of t with
    one degree of freedom less than it has clusters. The interval of the gap puts two of these together, as Newcombe's
    does, less their covariance. The ratio is on the log scale, the test that of t.

    References
    ----------
    Dean and Pagano (2015) on Wilson's interval in clusters; Zou and Donner (2008) on putting intervals together;
    Cameron and Miller (2015) on the jackknife where clusters are few or of unequal size.
    """
    groups = [
        replace(side, interval=share_interval(side, cells, i, comparison.confidence))
        for i, side in enumerate((comparison.protected, comparison.reference))
    ]
    spread = covariances(cells)
    variance = float(spread[0, 0] + spread[1, 1] - 2 * spread[0, 1])
    t = comparison.difference / math.sqrt(variance) if variance > 0 else math.nan
    freedom = freedom_of(cells)
    p_value = float(2 * special.stdtr(freedom, -abs(t))) if freedom > 0 and math.isfinite(t) else math.nan
    allowed = replace(
        comparison,
        protected=groups[0],
        reference=groups[1],
        impact_ratio_interval=ratio_interval(
            (comparison.protected.ratio, comparison.reference.ratio), spread, freedom, comparison.confidence
        ),
        z=t,
        p_value=p_value,
        test="t",
    )
    allowed = judged_by(allowed, partial(gap_interval, comparison, cells))
    _require_new_intervals(comparison, allowed)
    return allowed


def _require_new_intervals(comparison: Comparison, allowed: Comparison) -> None:
    """Refuse to leave an interval of independent rows beside those that allow for clusters."""
    for each in fields(comparison):
        before = getattr(comparison, each.name)
        if isinstance(before, Interval) and getattr(allowed, each.name) is before:
            raise TypeError(f"{type(comparison).__name__}.{each.name} does not allow for clusters")


def design_effect(comparison: Comparison) -> float:
    """Return how many times the variance of a gap is that of independent rows; NaN where there is no test.

    Above 1 where rows of one group are alike in clusters, below 1 where clusters hold rows of both, as pairs do.
    """
    sides = (comparison.protected, comparison.reference)
    independent = sum(side.ratio * (1 - side.ratio) / side.n for side in sides)
    if not (independent > 0 and math.isfinite(comparison.z) and comparison.z != 0):
        return math.nan
    return (comparison.difference / comparison.z) ** 2 / independent


def share_interval(side: GroupRatio, cells: Cells, place: int, confidence: float) -> Interval:
    """Return the interval of the share of the first group (place 0) or the other (1); NaN with one cluster."""
    freedom = int((cells[:, 2 * place + 1] > 0).sum()) - 1
    if freedom < 1:
        return Interval(math.nan, math.nan)
    share, variance = side.ratio, float(covariances(cells)[place, place])
    # The rows that would have this variance if they were independent; without any variance, one a cluster.
    n = share * (1 - share) / variance if variance > 0 else freedom + 1
    t = float(special.stdtrit(freedom, (1 + confidence) / 2))
    return Interval(*map(float, wilson_to(share, n, t)))


def gap_interval(comparison: Comparison, cells: Cells, confidence: float) -> Interval:
    """Return the interval of the gap, protected minus reference; NaN where a group is in fewer than two clusters."""
    if freedom_of(cells) < 1:
        return Interval(math.nan, math.nan)
    p, r = comparison.protected, comparison.reference
    of_p, of_r = (share_interval(side, cells, place, confidence) for place, side in enumerate((p, r)))
    spread = covariances(cells)
    scale = math.sqrt(spread[0, 0] * spread[1, 1])
    related = float(np.clip(spread[0, 1] / scale, -1, 1)) if scale > 0 else 0.0
    low, high = map(float, difference_ends(p.ratio, of_p, r.ratio, of_r, related))
    return Interval(max(low, -1.0), min(high, 1.0))


def common_gap_interval(
    strata: Sequence[Cells], clusters: Sequence[NDArray[np.int64]], difference: float, confidence: float
) -> Interval:
    """Return the interval of Mantel-Haenszel's common gap, from the counts and the clusters (from 0) of each stratum.

    With the weights of the strata as given, the variance is ``(G - 1) / G sum_g (sum_s w_s (r_gsa - r_gsb))^2 / (sum_s
    w_s)^2``, where ``r_gsa`` is how far the share in a stratum moves without a cluster and ``w_s = n_sa n_sb / n_s``.
    """
    if not strata:
        return Interval(math.nan, math.nan)
    whole, names = 0.0, np.concatenate(clusters)
    sums = np.zeros(names.max() + 1)
    for cells, own in zip(strata, clusters, strict=True):
        n, left = cells[:, [1, 3]], _moved(cells)
        weight = n.sum(axis=0).prod() / n.sum()
        np.add.at(sums, own, weight * (left[:, 0] - left[:, 1]))
        whole += weight
    cells = np.concatenate(strata)
    freedom = min(len(np.unique(names[cells[:, i] > 0])) for i in (1, 3)) - 1
    if freedom < 1:
        return Interval(math.nan, math.nan)
    present = len(np.unique(names))
    error = math.sqrt((present - 1) / present * (sums**2).sum()) / whole
    half = float(special.stdtrit(freedom, (1 + confidence) / 2)) * error
    return Interval(float(max(difference - half, -1.0)), float(min(difference + half, 1.0)))


def warnings(cells: Cells, column: str) -> tuple[str, ...]:
    """Say in plain sentences where clusters are too few."""
    n = freedom_of(cells) + 1
    return few_clusters(n, column) if n < FEW_CLUSTERS else ()


def few_clusters(n: int, column: str) -> tuple[str, ...]:
    """Say that a group is in so few clusters."""
    if n < 2:
        return (say(Message("doubt-one-cluster", {"column": Phrase(quote(column))})),)
    return (say(Message("doubt-few-clusters", {"column": Phrase(quote(column)), "n": Count(n)})),)


def ratio_interval(
    shares: tuple[float, float], spread: NDArray[np.float64], freedom: float, confidence: float
) -> Interval:
    """Return the interval of the ratio of two shares, on the log scale, from their variances and covariance."""
    p, r = shares
    if not (p > 0 and r > 0 and freedom > 0):
        return Interval(math.nan, math.nan)
    variance = float(spread[0, 0] / p**2 + spread[1, 1] / r**2 - 2 * spread[0, 1] / (p * r))
    if not variance > 0:
        return Interval(math.nan, math.nan)
    half = float(special.stdtrit(freedom, (1 + confidence) / 2)) * math.sqrt(variance)
    return Interval(p / r * math.exp(-half), p / r * math.exp(half))
