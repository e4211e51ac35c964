"""Whether a gap changed between two periods, why, and whether it is the same over many."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
from scipy import special

from fairaudit.columns import ORDERED_KINDS
from fairaudit.conditions import Condition
from fairaudit.conditions.tree import read_number, read_timestamp
from fairaudit.data.case_counts import as_weighted
from fairaudit.data.engine import quoted
from fairaudit.data.given import SaidCounts, SaidLabels, as_table, documented
from fairaudit.data.table import Table
from fairaudit.defaults import USUAL_CONFIDENCE, USUAL_TOLERANCE
from fairaudit.errors import GroupError, InputError, quote, require
from fairaudit.findings import Count, Message, Phrase
from fairaudit.measure import clusters, means, weighted, weighted_means
from fairaudit.measure.comparison import check_settings
from fairaudit.measure.controlled import sides
from fairaudit.measure.intervals import Floats, combined_distance, holm, newcombe, two_sided_z
from fairaudit.measure.means import check_tolerance
from fairaudit.measure.not_known import NotKnown, together
from fairaudit.measure.period_questions import AskedPeriod, Clusters, PeriodSample, Span, ask
from fairaudit.measure.period_results import (
    ChangeVerdict,
    PeriodComparison,
    PeriodLine,
    ProfileDifference,
    compare_profiles,
)
from fairaudit.measure.results import (
    Comparison,
    ControlledFairness,
    ControlledMeans,
    Interval,
    MeanComparison,
    as_kind,
)
from fairaudit.measure.verdicts_of_many import moved_gap
from fairaudit.measure.weighted import Moves, covariances, units_and_strata
from fairaudit.messages import say

# How far a gap changed from one period to another, what of it comes from mix and rates, and one test over many.

Answer = Comparison | MeanComparison
Part = tuple[float, Interval]
Units = Clusters | PeriodSample
"""Rows of a period that depend on each other, or were drawn as a weighted sample."""


def gap_interval(answer: Answer, confidence: float, by_unit: Units | None = None) -> Interval:
    """Return the interval of the gap of one period: Newcombe's, allowing for clusters and weights, or Welch's."""
    if isinstance(answer, MeanComparison):
        if isinstance(by_unit, PeriodSample):
            return weighted_means.gap_interval(by_unit.groups, confidence)
        return means.gap_interval(answer, confidence)
    if isinstance(by_unit, Clusters):
        return clusters.gap_interval(answer, by_unit.cells, confidence)
    if by_unit is not None:
        return weighted.gap_interval(by_unit.groups, confidence)
    p, r = answer.protected, answer.reference
    return Interval(*map(float, newcombe(p.positives, p.n, r.positives, r.n, confidence)))


def change_interval(
    answers: Sequence[Answer], confidence: float, by_unit: Sequence[Units | None] = (None, None)
) -> Interval:
    """Put the intervals of both gaps together; periods are independent but for clusters that are in both."""
    ends = [gap_interval(a, confidence, own) for a, own in zip(answers, by_unit, strict=True)]
    down = [a.difference - end.low for a, end in zip(answers, ends, strict=True)]
    up = [end.high - a.difference for a, end in zip(answers, ends, strict=True)]
    related = related_gaps(by_unit)
    change = answers[1].difference - answers[0].difference
    most = math.inf if isinstance(answers[0], MeanComparison) else 2.0
    low = change - float(combined_distance(down[1], up[0], related))
    high = change + float(combined_distance(up[1], down[0], related))
    return Interval(low if math.isnan(low) else max(low, -most), high if math.isnan(high) else min(high, most))


def related_gaps(by_unit: Sequence[Units | None]) -> float:
    """Return the correlation of the gaps of two periods, by how far both move without each cluster."""
    if (samples := _samples(by_unit)) is not None:
        spread = _spread_of_both(samples, [_gap_moves(sample, place) for place, sample in enumerate(samples)])
        scale = math.sqrt(max(spread[0, 0] * spread[1, 1], 0.0))
        return min(max(float(spread[0, 1]) / scale, -1.0), 1.0) if scale > 0 else 0.0
    owns = _of_both(by_unit)
    if owns is None:
        return 0.0
    moves = [dict(zip(own.names, clusters.gap_moves(own.cells), strict=True)) for own in owns]
    # Rows without a cluster are one together in each period, and nobody knows whether it is the same one.
    shared = [name for name in moves[0] if name in moves[1] and not pd.isna(name)]
    both = math.fsum(moves[0][name] * moves[1][name] for name in shared)
    scale = math.sqrt(math.prod(math.fsum(move**2 for move in own.values()) for own in moves))
    return min(max(both / scale, -1.0), 1.0) if scale > 0 else 0.0


def p_value_of(answers: Sequence[Answer], change: float, by_unit: Sequence[Units | None] = (None, None)) -> float:
    """Return the largest p-value at which the interval of the change still holds no change."""
    if any(map(math.isnan, change_interval(answers, 0.5, by_unit))):
        return math.nan
    low, high = 0.0, 1.0
    for _ in range(50):
        middle = (low + high) / 2
        interval = change_interval(answers, 1 - middle, by_unit)
        low, high = (middle, high) if interval.low <= 0 <= interval.high else (low, middle)
    return (low + high) / 2 if change else 1.0


def split_change(
    periods: Sequence[pd.DataFrame], confidence: float, by_unit: Sequence[Units | None] = (None, None)
) -> tuple[Part, Part]:
    """Return what of the change comes from the mix and what from the rates, each with its interval.

    A period is a frame with one row a stratum: ``n``, ``mean`` and ``variance`` of both groups, ``_p`` and ``_r``.
    """
    names = list(dict.fromkeys([*periods[0].index, *periods[1].index]))
    before, after = (period.reindex(names) for period in periods)
    place = {name: i for i, name in enumerate(names)}
    values, variances = np.zeros(2), np.zeros(2)
    moved: dict[object, Floats] = {}
    owns, samples = _of_both(by_unit), _samples(by_unit)
    slopes: list[Moves] = [] if samples is None else [_no_moves(sample) for sample in samples]
    for sign, side in ((1, "p"), (-1, "r")):
        n, mean, spread = (
            np.array([frame[f"{part}_{side}"].to_numpy(dtype=float) for frame in (before, after)])
            for part in ("n", "mean", "variance")
        )
        n = np.nan_to_num(n)
        found, of_w, of_r = _slopes(n, mean)
        values += sign * found
        if samples is not None:
            for period, (sample, into) in enumerate(zip(samples, slopes, strict=True)):
                _weigh(into, sample, side, sign, place, mean[period] - sample.center, of_w[period], of_r[period])
            continue
        if owns is None:
            variances += _variance(n, _filled(spread, n), of_w, of_r)
            continue
        for period, own in enumerate(owns):
            _move(moved, own.strata, side, sign, place, n[period], mean[period], of_w[period], of_r[period])
    if samples is not None:
        half = np.full(2, np.nan)
        if (freedom := _freedom_of_both(samples)) > 0:
            t = float(special.stdtrit(freedom, (1 + confidence) / 2))
            half = t * np.sqrt(np.maximum(np.diag(_spread_of_both(samples, slopes)), 0.0))
    elif owns is None:
        half = two_sided_z(confidence) * np.sqrt(variances)
    else:
        sums, groups = np.array(list(moved.values())), len(moved)
        half = np.full(2, np.nan)
        if groups > 1:
            t = float(special.stdtrit(groups - 1, (1 + confidence) / 2))
            half = t * np.sqrt(groups / (groups - 1) * (sums**2).sum(axis=0))
    mix, rates = ((float(v), Interval(float(v - h), float(v + h))) for v, h in zip(values, half, strict=True))
    return mix, rates


def _of_both(by_unit: Sequence[Units | None]) -> list[Clusters] | None:
    """Return the clusters of both periods; None where rows are independent."""
    known = [own for own in by_unit if isinstance(own, Clusters)]
    return known if len(known) == len(by_unit) else None


def _samples(by_unit: Sequence[Units | None]) -> list[PeriodSample] | None:
    """Return the weighted samples of both periods; None where rows have no weights."""
    known = [own for own in by_unit if isinstance(own, PeriodSample)]
    return known if len(known) == len(by_unit) else None


def _spread_of_both(samples: Sequence[PeriodSample], moves: Sequence[Moves]) -> Floats:
    """Return variances and covariances of figures of two periods: of one sample, or of one for each."""
    if samples[0].table is not samples[1].table:
        parts = (covariances(own.tally, each, own.drawn) for own, each in zip(samples, moves, strict=True))
        return np.sum(list(parts), axis=0)
    levels, slopes = (np.concatenate(parts) for parts in zip(*((m.level, m.slope) for m in moves), strict=True))
    return covariances(
        pd.concat([own.tally for own in samples], ignore_index=True), Moves(levels, slopes), samples[0].drawn
    )


def _freedom_of_both(samples: Sequence[PeriodSample]) -> int:
    """Return the units of the samples that have rows in either group, less strata."""
    tallies = [own.tally for own in samples]
    if samples[0].table is samples[1].table:
        tallies = [pd.concat(tallies, ignore_index=True)]
    counts = (
        units_and_strata(tally, np.logical_or(*(side.to_numpy(dtype=bool) for side in sides(tally))), own.drawn)
        for tally, own in zip(tallies, samples, strict=False)
    )
    return sum(n_units - n_strata for n_units, n_strata in counts)


def _no_moves(sample: PeriodSample) -> Moves:
    """Return moves of two figures to be filled in."""
    return Moves(np.zeros((len(sample.tally), 2)), np.zeros((len(sample.tally), 2)))


def _gap_moves(sample: PeriodSample, figure: int) -> Moves:
    """Return how rows of one period move its gap, which is one of two figures."""
    moves = _no_moves(sample)
    for sign, mask, share in zip((1, -1), sides(sample.tally), sample.groups.values, strict=True):
        own = mask.to_numpy(dtype=bool)
        size = float(sample.tally.loc[own, "w"].sum())
        moves.slope[own, figure], moves.level[own, figure] = sign / size, -sign * share / size
    return moves


def _weigh(
    into: Moves,
    sample: PeriodSample,
    side: str,
    sign: int,
    place: dict[object, int],
    mean: Floats,
    of_w: Floats,
    of_r: Floats,
) -> None:
    """Fill in how rows of one group in one period move mix and rates."""
    own = sides(sample.tally)[0 if side == "p" else 1].to_numpy(dtype=bool)
    at = np.array([place[name] for name in sample.tally.loc[own, "stratum"]], dtype=int)
    slope = sign * of_r[:, at].T
    into.slope[own] = slope
    into.level[own] = sign * of_w[:, at].T - slope * np.nan_to_num(mean[at])[:, None]


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


def homogeneity(good: Floats, n: Floats, freedom: float = math.inf) -> tuple[float, float, Floats]:
    """Test that a gap between two shares is the same in all periods.

    Of a weighted sample `n` are the rows that shares are worth, and `freedom` its degrees of freedom. Shapes:
    (n_periods, 2) each. Returns Cochran's statistic, its p-value, and that of each period against the others.
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
    if math.isfinite(freedom):
        p_value = float(special.fdtrc(len(gap) - 1, freedom, statistic / (len(gap) - 1)))
        return statistic, p_value, 2 * special.stdtr(freedom, -np.abs(z))
    return statistic, float(special.chdtrc(len(gap) - 1, statistic)), 2 * special.ndtr(-np.abs(z))


def _worth(samples: Sequence[PeriodSample]) -> tuple[Floats, Floats]:
    """Return the rows, drawn one by one, that shares of a weighted sample are worth, and degrees of freedom.

    Rows are such that they give the variance of the gap, which allows for clusters that hold rows of both groups.
    Shapes: (n_periods, 2) each.
    """
    n = np.array([own.groups.shares.n for own in samples])
    return n / _shared(samples)[:, None], np.array([own.groups.freedom for own in samples], dtype=float)


def _shared(samples: Sequence[PeriodSample]) -> Floats:
    """Return how the variances of gaps stand to the sums of those of both groups; shape (n_periods,)."""
    apart = np.array([np.trace(own.groups.spread) for own in samples])
    together = apart - 2 * np.array([own.groups.spread[0, 1] for own in samples])
    return np.divide(together, apart, out=np.ones(len(samples)), where=(apart > 0) & (together > 0))


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


MOST_PERIODS = 200
_WITH_DOTS = re.compile(r"([0-9]{1,2})\.([0-9]{1,2})\.([0-9]{4})")
_MONTH = re.compile(r"[12][0-9]{3}-(0[1-9]|1[0-2])")
BEFORE, AFTER = "before", "after"


@documented()
def compare_periods(
    table_before: object,
    table_after: object = None,
    *,
    decision: str,
    favorable: object = None,
    protected: Condition | str,
    where: Condition | str | None = None,
    confidence: float = USUAL_CONFIDENCE,
    date: str | None = None,
    cuts: Sequence[object] = (),
    strata: str | Sequence[str] = (),
    tolerance: float | None = None,
    cluster: str | None = None,
    weights: str | None = None,
    design_strata: str | None = None,
    design_clusters: str | None = None,
    counts: SaidCounts = None,
    labels: SaidLabels = None,
) -> PeriodComparison | PeriodLine:
    """Ask the same question of two tables, or of the periods of one, and say whether the gap changed.

    ``change = gap after - gap before``. A changed recording is not a changed treatment: look at ``profile`` first. More
    than two periods have one test over all.

    Parameters
    ----------
    table_before, table_after : Table, path, or frame of pandas, polars, Arrow or DuckDB
        The data of the earlier and of the later period, with no person in both; or one table, with `date` and `cuts`.
    favorable : value, list of values or Condition, optional
        What counts as the good outcome in it; without it the decision is an amount, and means are compared.
    date : str, optional
        The column of dates, months or numbers that one table is cut by. Dates that a frame holds as texts are made
        dates first, such as by ``pandas.to_datetime``; a file's are read as dates.
    cuts : sequence of values
        Where each later period begins, such as ``["2024-01-01"]``.
    strata : str or sequence of str
        The columns whose values make the mix that the change is split by.
    tolerance : float, optional
        The largest gap, and the largest change, that still counts as alike; without it 0.05, or of amounts a tenth of
        the standard deviation of those of the earlier period.
    cluster : str, optional
        A column whose values hold rows that depend on each other, also where they are in both periods: all intervals
        then allow for that. Not for amounts.
    weights, design_strata, design_clusters : str, optional
        The columns of the sampling weights, the strata and the first clusters of both tables, which are taken for two
        samples; all shares are then weighted, and intervals allow for how rows were drawn.

    Returns
    -------
    PeriodComparison or PeriodLine
        Both answers, the change with its interval, what comes from mix and from rates, and the verdict; of more than
        two periods, the answer in each and one test.

    Raises
    ------
    InputError
        If neither a second table nor `date` with `cuts` is given, or both; or a column, value, condition or setting
        does not fit one of the tables, which it names.
    GroupError
        If a group has no row with a decision in one of them.

    Notes
    -----
    Kitagawa's split: with w the share of a group's rows in a stratum and r its share of good outcomes there, mix is the
    sum of ``(w_after - w_before) (r_before + r_after) / 2`` and rates that of ``(r_after - r_before) (w_before +
    w_after) / 2``, each for the protected group minus the rest; of amounts, r is their mean. In a stratum that a group
    has in one period only, r of that period is taken for both. The interval of the change puts those of both gaps
    together; the parts have theirs by the delta method. Two GROUP BY, and two a column for the profile.

    References
    ----------
    Kitagawa (1955); Newcombe (1998); Zou and Donner (2008) on putting intervals together.

    Examples
    --------
    >>> men = [("M", "yes")] * 50 + [("M", "no")] * 50
    >>> before = pd.DataFrame(men + [("F", "yes")] * 30 + [("F", "no")] * 70, columns=["sex", "loan"])
    >>> after = pd.DataFrame(men + [("F", "yes")] * 40 + [("F", "no")] * 60, columns=["sex", "loan"])
    >>> found = compare_periods(before, after, decision="loan", favorable="yes", protected="sex = 'F'")
    >>> round(found.change, 3), found.verdict
    (0.1, 'gap_may_not_have_changed')
    """
    is_cut = date is not None and len(cuts) > 0
    if is_cut == (table_after is not None) or (date is None) != (len(cuts) == 0):
        raise InputError(
            "Give the table of the later period, or 'date' and 'cuts' that divide one table.",
            hint='Such as: compare_periods(table, date="day", cuts=["2024-01-01"], ...).',
        )
    tables = [
        as_weighted(
            table,
            decision=decision,
            weights=weights,
            design_strata=design_strata,
            design_clusters=design_clusters,
            counts=counts,
            labels=labels,
        )
        for table in (table_before, table_after)
        if table is not None
    ]
    asked: dict[str, Any] = {
        "decision": decision,
        "favorable": favorable,
        "protected": protected,
        "where": where,
        "tolerance": tolerance,
        "confidence": confidence,
    }
    if date is None:
        spans = (Span(BEFORE, tables[0]), Span(AFTER, tables[1]))
        return compare_two(spans, **asked, strata=strata, cluster=cluster)
    periods, known = spans_of(tables[0], date, cuts), {"cut_by": date, "cuts": tuple(cuts)}
    if len(periods) == 2:
        two = compare_two((periods[0], periods[1]), **asked, strata=strata, cluster=cluster, cut_by=date)
        return replace(two, **known)  # type: ignore[arg-type]
    for name, given in (("strata", strata), ("cluster", cluster)):
        if given:
            raise InputError(f"{name!r} needs two periods, got {len(periods)}.", hint="Give one cut, or leave it out.")
    return replace(compare_spans(periods, **asked, cut_by=date), **known)  # type: ignore[arg-type]


def compare_two(
    spans: tuple[Span, Span],
    *,
    decision: str,
    favorable: object,
    protected: Condition | str,
    where: Condition | str | None = None,
    strata: str | Sequence[str] = (),
    tolerance: float | None = None,
    confidence: float = USUAL_CONFIDENCE,
    cluster: str | None = None,
    cut_by: str | None = None,
) -> PeriodComparison:
    """Compare two periods; `cut_by` is the column that they were cut by."""
    _check(favorable, tolerance, confidence)
    chosen = (strata,) if isinstance(strata, str) else tuple(strata or ())
    asked = [
        ask(
            span,
            decision=decision,
            favorable=favorable,
            protected=protected,
            where=where,
            strata=chosen,
            tolerance=tolerance,
            confidence=confidence,
            cluster=cluster,
        )
        for span in spans
    ]
    answers, units = [a.answer for a in asked], [a.sample or a.clusters for a in asked]
    names = (spans[0].name, spans[1].name)
    change = answers[1].difference - answers[0].difference
    outer, inner = (change_interval(answers, level, units) for level in (confidence, max(2 * confidence - 1, 0.0)))
    if chosen:
        mix, rates = split_change([a.strata for a in asked], confidence, units)
    else:
        mix, rates = (0.0, Interval(0.0, 0.0)), (change, outer)
    return PeriodComparison(
        names=names,
        before=answers[0],
        after=answers[1],
        change=change,
        change_interval=outer,
        equivalence_interval=inner,
        p_value=p_value_of(answers, change, units),
        strata=chosen,
        mix=mix[0],
        mix_interval=mix[1],
        rates=rates[0],
        rates_interval=rates[1],
        tolerance=answers[0].tolerance,
        confidence=confidence,
        cluster=cluster if answers[0].design is None else answers[0].design.clusters,
        verdict=_verdict(answers[0], answers[1], outer, inner),
        profile=_profile(spans, asked, decision, cut_by),
        warnings=_warnings(names, asked),
        not_known=_not_known(asked),
    )


def compare_spans(
    spans: Sequence[Span],
    *,
    decision: str,
    favorable: object,
    protected: Condition | str,
    where: Condition | str | None = None,
    tolerance: float | None = None,
    confidence: float = USUAL_CONFIDENCE,
    cut_by: str | None = None,
) -> PeriodLine:
    """Ask the same question in two or more periods, with one test over all that the gap is the same.

    One test keeps its error however many periods there are. Which period stands out is tested by Holm's method.

    Notes
    -----
    Cochran's test: ``Q = sum v_t^-1 (gap_t - gap)^2`` with one degree of freedom less than periods, and gap the mean
    weighted by ``v_t^-1``. The variances take the shares that the common gap gives, so that a period in which they
    happen to look small does not count too much. Of amounts it is Welch's test, which allows for variances that are
    not known.
    """
    _check(favorable, tolerance, confidence)
    if not 2 <= len(spans) <= MOST_PERIODS:
        raise InputError(f"There must be from 2 to {MOST_PERIODS} periods, got {len(spans)}.")
    asked = [
        ask(
            span,
            decision=decision,
            favorable=favorable,
            protected=protected,
            where=where,
            tolerance=tolerance,
            confidence=confidence,
        )
        for span in spans
    ]
    answers = [a.answer for a in asked]
    both, samples = [(a.protected, a.reference) for a in answers], _samples([a.sample for a in asked])
    n = np.array([[side.n for side in pair] for pair in both], dtype=float)
    if favorable is None:
        averages, deviations = (
            np.array([[getattr(s, f) for s in pair] for pair in both]) for f in ("mean", "deviation")
        )
        if samples is None:
            statistic, p_value, alone = homogeneity_of_means(n, averages, deviations**2)
        else:
            units = np.array([own.groups.freedom for own in samples], dtype=float) + 1
            errors = np.array([np.diag(own.groups.spread) for own in samples]) * _shared(samples)[:, None]
            statistic, p_value, alone = homogeneity_of_means(units, averages, errors * units)
    else:
        compared = [as_kind(Comparison, answer) for answer in answers]
        if samples is not None:
            worth, freedom = _worth(samples)
            shares = np.array([own.groups.values for own in samples])
            statistic, p_value, alone = homogeneity(shares * worth, worth, float(max(freedom.min(), 1)))
        else:
            good = np.array([[side.positives for side in (a.protected, a.reference)] for a in compared], dtype=float)
            statistic, p_value, alone = homogeneity(good, n)
    names = tuple(span.name for span in spans)
    frame = pd.DataFrame(
        {
            "period": names,
            "gap": [a.difference for a in answers],
            "gap_low": [a.difference_interval.low for a in answers],
            "gap_high": [a.difference_interval.high for a in answers],
            "adjusted_p_value": holm(alone),
        }
    )
    unknown = (say(Message("doubt-no-spread")),)
    return PeriodLine(
        names=names,
        answers=tuple(answers),
        statistic=statistic,
        p_value=p_value,
        confidence=confidence,
        changed=p_value < 1 - confidence,
        periods=frame,
        profile=_profile((spans[0], spans[-1]), (asked[0], asked[-1]), decision, cut_by),
        warnings=_warnings(names, asked) + unknown * (p_value != p_value),
        not_known=_not_known(asked),
    )


def period_columns(table: Table, decision: str) -> tuple[str, ...]:
    """Return the columns that a table can be cut by into periods: never that of the decision."""
    return tuple(
        name
        for name, column in table.columns.items()
        if name != decision and (column.is_ordered or (not table.is_connected and holds_months(table, name)))
    )


def holds_months(table: Table, column: str) -> bool:
    """Say whether a column of texts holds months such as 2024-01 alone, which are in order as texts.

    Examples
    --------
    >>> holds_months(as_table(pd.DataFrame({"month": ["2024-01", "2023-12", None]})), "month")
    True
    """
    if table.column(column).kind != "text":
        return False
    known = [str(value) for value in table.common_values(column) if value is not None]
    return bool(known) and all(map(_MONTH.fullmatch, known))


def spans_of(table: object, column: str, cuts: Sequence[object]) -> tuple[Span, ...]:
    """Cut a table by a column of dates, months or numbers: each span is from one cut on and below the next.

    Examples
    --------
    >>> table = pd.DataFrame({"year": [2023, 2024, 2025]})
    >>> [span.name for span in spans_of(table, "year", [2024, 2025])]
    ['before 2024', 'from 2024 to before 2025', 'from 2025']
    """
    table = as_table(table)
    kind = table.column(column).kind
    is_month = holds_months(table, column)
    if kind not in ORDERED_KINDS and not is_month:
        raise InputError(
            f"Periods are cut by a column of dates, months or numbers; {quote(column)} holds {kind} values.",
            hint="Texts of dates in a frame become dates by pandas.to_datetime. Or choose another column, or give the "
            "later period as a second table.",
        )
    texts = [str(cut) for cut in cuts]
    if kind != "number" and table.source.options.dates in (None, "day first"):
        texts = [year_first(text) for text in texts]
    if not texts:
        raise InputError("Name at least one cut between the periods, got none.", hint="Such as 2024-01-01.")
    read: Callable[[str], object] = _MONTH.fullmatch if is_month else read_timestamp
    read, what = (read_number, "a number") if kind == "number" else (read, "a day such as 2024-01-01")
    what = "a month such as 2024-01" if is_month else what
    # A month begins with its first day.
    days = kind != "number" and not is_month
    begins = [f"{text}-01" if days and _MONTH.fullmatch(text) else text for text in texts]
    for text, begin in zip(texts, begins, strict=True):
        # What is no number or day would be read as a condition.
        if read(begin.removeprefix("-")) is None:
            raise InputError(f"Each cut of column {quote(column)} must be {what}, got {quote(text)}.")
    if len(set(begins)) < len(begins):
        raise InputError(f"The cuts must differ, got {', '.join(texts)}.")
    name = quoted(column)
    values = texts if kind == "number" else [f"'{begin}'" for begin in begins]
    ends = [*zip([None, *values], [*values, None], strict=True)]
    spans = []
    for (low, high), (low_text, high_text) in zip(ends, zip([None, *texts], [*texts, None], strict=True), strict=True):
        parts = [f"{name} >= {low}"] * (low is not None) + [f"{name} < {high}"] * (high is not None)
        words = f"before {high_text}" if low is None else f"from {low_text}"
        words += f" to before {high_text}" if low is not None and high is not None else ""
        spans.append(Span(words, table, table.condition(" AND ".join(parts))))
    for span in spans:
        if not table.occurs(require(span.where)):
            message = f"No row of column {quote(column)} is {span.name}."
            raise GroupError(message, uncounted=message, hint="Give the cuts in ascending order, within the data.")
    return tuple(spans)


def year_first(text: str) -> str:
    """Return a day that is written with dots, the day before the month, with the year first; any other text as it is.

    Examples
    --------
    >>> year_first("31.12.2024"), year_first("2024-12-31")
    ('2024-12-31', '2024-12-31')
    """
    found = _WITH_DOTS.fullmatch(text.strip())
    return f"{found[3]}-{found[2]:0>2}-{found[1]:0>2}" if found else text


def _check(favorable: object, tolerance: float | None, confidence: float) -> None:
    """Refuse settings that do not fit a decision with a good outcome, or an amount."""
    if favorable is None:
        check_settings(0.0, confidence)
        check_tolerance(tolerance)
    else:
        check_settings(USUAL_TOLERANCE if tolerance is None else tolerance, confidence)


def _verdict(
    before: ControlledFairness | ControlledMeans,
    after: ControlledFairness | ControlledMeans,
    outer: Interval,
    inner: Interval,
) -> ChangeVerdict:
    if before.has_one_decision and after.has_one_decision:
        return "nothing_to_compare"
    if not (outer.low > 0 or outer.high < 0):
        is_same = -before.tolerance <= inner.low and inner.high <= before.tolerance
        return "gap_unchanged" if is_same else "gap_may_not_have_changed"
    return moved_gap(before, after)


def _warnings(names: Sequence[str], asked: Sequence[AskedPeriod]) -> tuple[str, ...]:
    said = []
    for name, answer in ((Phrase(name), a.answer) for name, a in zip(names, asked, strict=True)):
        if answer.undecided:
            said.append(Message("doubt-period-open", {"period": name, "n": Count(answer.undecided)}))
        said += [Message("doubt-period", {"period": name, "text": Phrase(text)}) for text in answer.warnings]
    return tuple(map(say, said))


def _not_known(asked: Sequence[AskedPeriod]) -> tuple[NotKnown, ...]:
    return together([(a.span.table, a.answer.not_known) for a in asked])


def _profile(
    spans: Sequence[Span], asked: Sequence[AskedPeriod], decision: str, cut_by: str | None
) -> tuple[ProfileDifference, ...]:
    return compare_profiles(
        spans[0].table,
        spans[1].table,
        set(asked[0].columns) - {cut_by},
        decision=decision,
        where=(spans[0].where, spans[1].where),
        ignored=() if cut_by is None else (cut_by,),
    )
