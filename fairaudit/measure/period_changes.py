"""How far a gap changed from one period to another, what of it comes from mix and rates, and one test over many."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pandas as pd
from scipy import special

from fairaudit.measure import clusters, mean_comparison
from fairaudit.measure.comparison_results import Comparison, Interval
from fairaudit.measure.intervals import Floats, newcombe, two_sided_z
from fairaudit.measure.mean_results import MeanComparison
from fairaudit.measure.period_questions import Clusters

Answer = Comparison | MeanComparison
Part = tuple[float, Interval]


def gap_interval(answer: Answer, confidence: float, by_cluster: Clusters | None = None) -> Interval:
    """Return the interval of the gap of one period: Newcombe's, allowing for clusters, or Welch's of means."""
    if isinstance(answer, MeanComparison):
        return mean_comparison.gap_interval(answer, confidence)
    if by_cluster is not None:
        return clusters.gap_interval(answer, by_cluster.cells, confidence)
    p, r = answer.protected, answer.reference
    return Interval(*map(float, newcombe(p.positives, p.n, r.positives, r.n, confidence)))


def change_interval(
    answers: Sequence[Answer], confidence: float, by_cluster: Sequence[Clusters | None] = (None, None)
) -> Interval:
    """Put the intervals of both gaps together; periods are independent but for clusters that are in both."""
    ends = [gap_interval(a, confidence, own) for a, own in zip(answers, by_cluster, strict=True)]
    down = [a.difference - end.low for a, end in zip(answers, ends, strict=True)]
    up = [end.high - a.difference for a, end in zip(answers, ends, strict=True)]
    related = related_gaps(by_cluster)
    change = answers[1].difference - answers[0].difference
    most = math.inf if isinstance(answers[0], MeanComparison) else 2.0
    low = change - clusters.joined(down[1], up[0], related)
    high = change + clusters.joined(up[1], down[0], related)
    return Interval(low if math.isnan(low) else max(low, -most), high if math.isnan(high) else min(high, most))


def related_gaps(by_cluster: Sequence[Clusters | None]) -> float:
    """Return the correlation of the gaps of two periods, by how far both move without each cluster."""
    owns = _of_both(by_cluster)
    if owns is None:
        return 0.0
    moves = [dict(zip(own.names, clusters.gap_moves(own.cells), strict=True)) for own in owns]
    # Rows without a cluster are one together in each period, and nobody knows whether it is the same one.
    shared = [name for name in moves[0] if name in moves[1] and not pd.isna(name)]
    both = math.fsum(moves[0][name] * moves[1][name] for name in shared)
    scale = math.sqrt(math.prod(math.fsum(move**2 for move in own.values()) for own in moves))
    return min(max(both / scale, -1.0), 1.0) if scale > 0 else 0.0


def p_value_of(answers: Sequence[Answer], change: float, by_cluster: Sequence[Clusters | None] = (None, None)) -> float:
    """Return the largest p-value at which the interval of the change still holds no change."""
    if any(map(math.isnan, change_interval(answers, 0.5, by_cluster))):
        return math.nan
    low, high = 0.0, 1.0
    for _ in range(50):
        middle = (low + high) / 2
        interval = change_interval(answers, 1 - middle, by_cluster)
        low, high = (middle, high) if interval.low <= 0 <= interval.high else (low, middle)
    return (low + high) / 2 if change else 1.0


def split_change(
    periods: Sequence[pd.DataFrame], confidence: float, by_cluster: Sequence[Clusters | None] = (None, None)
) -> tuple[Part, Part]:
    """Return what of the change comes from the mix and what from the rates, each with its interval.

    A period is a frame with one row a stratum: ``n``, ``mean`` and ``variance`` of both groups, ``_p`` and ``_r``.
    """
    names = list(dict.fromkeys([*periods[0].index, *periods[1].index]))
    before, after = (period.reindex(names) for period in periods)
    place = {name: i for i, name in enumerate(names)}
    values, variances = np.zeros(2), np.zeros(2)
    moved: dict[object, Floats] = {}
    owns = _of_both(by_cluster)
    for sign, side in ((1, "p"), (-1, "r")):
        n, mean, spread = (
            np.array([frame[f"{part}_{side}"].to_numpy(dtype=float) for frame in (before, after)])
            for part in ("n", "mean", "variance")
        )
        n = np.nan_to_num(n)
        found, of_w, of_r = _slopes(n, mean)
        values += sign * found
        if owns is None:
            variances += _variance(n, _filled(spread, n), of_w, of_r)
            continue
        for period, own in enumerate(owns):
            _move(moved, own.strata, side, sign, place, n[period], mean[period], of_w[period], of_r[period])
    if owns is None:
        half = two_sided_z(confidence) * np.sqrt(variances)
    else:
        sums, groups = np.array(list(moved.values())), len(moved)
        half = np.full(2, np.nan)
        if groups > 1:
            t = float(special.stdtrit(groups - 1, (1 + confidence) / 2))
            half = t * np.sqrt(groups / (groups - 1) * (sums**2).sum(axis=0))
    mix, rates = ((float(v), Interval(float(v - h), float(v + h))) for v, h in zip(values, half, strict=True))
    return mix, rates


def _of_both(by_cluster: Sequence[Clusters | None]) -> list[Clusters] | None:
    """Return the clusters of both periods; None where rows are independent."""
    known = [own for own in by_cluster if own is not None]
    return known if len(known) == len(by_cluster) else None


def _slopes(n: Floats, mean: Floats) -> tuple[Floats, Floats, Floats]:
    """Return mix and rates of one group, and what a row of each stratum moves them by.

    Shapes: (2 periods, n_strata) -> (2,), and (2 periods, 2 parts, n_strata) by its being there, and by its outcome
    beyond the mean of its stratum.
    """
    size = n.sum(axis=1, keepdims=True)
    w = n / size
    r = np.where(n > 0, mean, np.nan)
    r = np.where(np.isnan(r), r[::-1], r)
    r = np.where(np.isnan(r), 0.0, r)
    mean_r, mean_w, apart_w, apart_r = r.mean(axis=0), w.mean(axis=0), w[1] - w[0], r[1] - r[0]
    of_w, of_r = np.zeros((2, 2, n.shape[1])), np.zeros((2, 2, n.shape[1]))
    for period, sign in ((0, -1.0), (1, 1.0)):
        own = n[period] > 0
        only = own & (n[1 - period] == 0)
        by_w = [sign * mean_r, apart_r / 2]
        # A mean that stands for both periods moves the mix twice as much, and the rates not at all.
        by_r = [np.where(only, apart_w, apart_w / 2), np.where(only, 0.0, sign * mean_w)]
        for i in range(2):
            of_w[period, i] = np.where(own, (by_w[i] - w[period] @ by_w[i]) / size[period, 0], 0.0)
            of_r[period, i] = np.divide(by_r[i], n[period], out=np.zeros(n.shape[1]), where=own)
    return np.array([apart_w @ mean_r, apart_r @ mean_w]), of_w, of_r


def _filled(variance: Floats, n: Floats) -> Floats:
    """Return variances within strata; where one row says nothing, that of the other strata of the period."""
    known = np.isfinite(variance) & (n > 1)
    weight = np.where(known, n - 1, 0.0)
    pooled = (weight * np.where(known, variance, 0.0)).sum(axis=1) / np.maximum(weight.sum(axis=1), 1)
    return np.where(np.isfinite(variance), variance, pooled[:, None])


def _variance(n: Floats, spread: Floats, of_w: Floats, of_r: Floats) -> Floats:
    """Return the variances of mix and rates of one group, whose rows are independent; shape (2,)."""
    rows = of_w**2 + of_r**2 * spread[:, None, :]
    return (n[:, None, :] * rows).sum(axis=(0, 2))


def _move(
    moved: dict[object, Floats],
    strata: pd.DataFrame,
    side: str,
    sign: int,
    place: dict[object, int],
    n: Floats,
    mean: Floats,
    of_w: Floats,
    of_r: Floats,
) -> None:
    """Add up by cluster what the rows of one group in one period move mix and rates by."""
    at = np.array([place[name] for name in strata["stratum"]], dtype=int)
    own, good = (strata[f"{name}_{side}"].to_numpy(dtype=float) for name in ("n", "positives"))
    beyond = good - own * np.where(n[at] > 0, np.nan_to_num(mean[at]), 0.0)
    moves = sign * (of_w[:, at] * own + of_r[:, at] * beyond)
    for cluster, move in zip(strata["cluster"], moves.T, strict=True):
        key = None if pd.isna(cluster) else cluster
        moved[key] = moved.get(key, 0.0) + move


def homogeneity(good: Floats, n: Floats) -> tuple[float, float, Floats]:
    """Test that a gap between two shares is the same in all periods.

    Shapes: (n_periods, 2) each. Returns Cochran's statistic, its p-value, and that of each period against the others.
    """
    share = good / n
    gap = share[:, 0] - share[:, 1]
    common = 0.0
    for _ in range(20):
        # Of both shares of a period those are taken that differ by the common gap and have the same mean.
        middle = ((good.sum(axis=1) - n[:, 0] * common) + 0.5) / (n.sum(axis=1) + 1)
        r = np.clip(middle, 0.5 / (n.sum(axis=1) + 1), 1 - 0.5 / (n.sum(axis=1) + 1))
        p = np.clip(r + common, 0.5 / (n.sum(axis=1) + 1), 1 - 0.5 / (n.sum(axis=1) + 1))
        variance = p * (1 - p) / n[:, 0] + r * (1 - r) / n[:, 1]
        new = float((gap / variance).sum() / (1 / variance).sum())
        if abs(new - common) < 1e-12:
            break
        common = new
    statistic = float(((gap - common) ** 2 / variance).sum())
    z, _ = _apart(gap, variance)
    return statistic, float(special.chdtrc(len(gap) - 1, statistic)), 2 * special.ndtr(-np.abs(z))


def homogeneity_of_means(n: Floats, mean: Floats, variance: Floats) -> tuple[float, float, Floats]:
    """Test that a gap between two means is the same in all periods; NaN where the spread of a gap is not known.

    Shapes: (n_periods, 2) each. Returns Welch's statistic, its p-value, and that of each period against the others.

    References
    ----------
    Welch (1951), "On the comparison of several mean values", with gaps in place of means.
    """
    gap, parts = mean[:, 0] - mean[:, 1], variance / n
    spread = parts.sum(axis=1)
    if not (np.isfinite(spread).all() and (spread > 0).all()):
        return math.nan, math.nan, np.full(len(gap), np.nan)
    freedom = spread**2 / (parts**2 / (n - 1)).sum(axis=1)
    weight, k = 1 / spread, len(gap)
    common = (gap * weight).sum() / weight.sum()
    # F = sum w (gap - common)^2 / (k - 1) / (1 + 2 (k - 2) / (k^2 - 1) L), L = sum (1 - w / W)^2 / freedom
    excess = ((1 - weight / weight.sum()) ** 2 / freedom).sum()
    statistic = float((weight * (gap - common) ** 2).sum() / (k - 1) / (1 + 2 * (k - 2) / (k**2 - 1) * excess))
    p_value = float(special.fdtrc(k - 1, (k**2 - 1) / (3 * excess), statistic))
    t, others = _apart(gap, spread)
    joined = (spread + others) ** 2 / (spread**2 / freedom + others**2 / (freedom.sum() - freedom))
    return statistic, p_value, 2 * special.stdtr(joined, -np.abs(t))


def _apart(gap: Floats, variance: Floats) -> tuple[Floats, Floats]:
    """Return how far each gap is from that of all others, in errors of that, and the variance of the others' gap."""
    weight = 1 / variance
    left = weight.sum() - weight
    others = ((gap * weight).sum() - gap * weight) / left
    return (gap - others) / np.sqrt(variance + 1 / left), 1 / left
