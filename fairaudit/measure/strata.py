"""The same question inside strata: like cases compared with like, and their common odds ratio."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import pandas as pd
from scipy import special

from fairaudit.conditions import Condition
from fairaudit.data.case_counts import as_weighted
from fairaudit.data.given import SaidCounts, SaidLabels, documented
from fairaudit.defaults import USUAL_CONFIDENCE, USUAL_TOLERANCE
from fairaudit.findings import REST
from fairaudit.measure import clusters, weighted
from fairaudit.measure.bands import Bands, Part, strata_parts, stratum_values
from fairaudit.measure.comparison import check_settings, compare_many, sides_at
from fairaudit.measure.controlled import (
    AskedQuestion,
    column_list,
    controlled_from_tally,
    last_key,
    protected_condition,
    sides,
    split,
    sum_by,
)
from fairaudit.measure.grouping import check_group_count
from fairaudit.measure.intervals import FISHER_BELOW, Floats, two_sided_z, wilson_to
from fairaudit.measure.not_known import refuse_open_values
from fairaudit.measure.results import (
    Comparison,
    ControlledFairness,
    Interval,
    StratifiedFairness,
    StratumRow,
)
from fairaudit.measure.verdicts import equivalence_confidence
from fairaudit.measure.verdicts_of_many import SidesAt, by_holm, sides_by
from fairaudit.measure.weighted import CommonGap, Drawn, Mask, Sampled

UNDEFINED = Interval(float("nan"), float("nan"))


@documented()
def check_strata(
    table: object,
    *,
    decision: str,
    favorable: object,
    protected: Condition | str,
    strata: str | Sequence[str],
    where: Condition | str | None = None,
    tolerance: float = USUAL_TOLERANCE,
    confidence: float = USUAL_CONFIDENCE,
    cluster: str | None = None,
    strata_cuts: Mapping[str, Sequence[float]] | None = None,
    weights: str | None = None,
    design_strata: str | None = None,
    design_clusters: str | None = None,
    counts: SaidCounts = None,
    labels: SaidLabels = None,
) -> StratifiedFairness:
    """Compare the protected group with the rest inside each value of one or more columns, and over all together.

    Parameters
    ----------
    strata : str or sequence of str
        The columns to control for; several are crossed. Rows without a value form a stratum "missing".
    tolerance, confidence : float
        See :func:`fairaudit.check_controlled_fairness`.
    cluster : str, optional
        See there, too. The common odds ratio and the Cochran-Mantel-Haenszel test do not allow for it.
    strata_cuts : mapping of str to sequence of float, optional
        For columns of numbers among `strata`, the cuts between bands, ascending, at most 19: each band is a stratum,
        and not each value. A band is from one cut on and below the next.
    weights, design_strata, design_clusters : str, optional
        See :func:`fairaudit.check_controlled_fairness`. The common gap is then standardised, see below; the common odds
        ratio and the Cochran-Mantel-Haenszel test are not defined, and NaN.

    Returns
    -------
    StratifiedFairness
        The pooled answer, one row a stratum, Mantel-Haenszel's common odds ratio and common gap with their intervals,
        the Cochran-Mantel-Haenszel test, and whether the direction of the gap is reversed. Strata in which a group is
        empty are named in ``left_out``.

    Raises
    ------
    InputError
        If a column, value, condition or setting does not fit, or there would be more than 1,000 strata.
    GroupError
        If no row meets the filter, or a group has no row with a decision.

    Notes
    -----
    With ``n1, n0`` rows and ``p1, p0`` shares in a stratum of ``n`` rows, the common gap is ``sum(w (p1 - p0)) /
    sum(w)``, ``w = n1 n0 / n``, with Sato's variance; the odds ratio has the interval of Robins, Breslow and
    Greenland. The common gap and the logarithm of the common odds ratio always have the same sign. ``reversal`` is
    True when that sign is the opposite of the pooled gap's. The verdict on a stratum allows for all of them, by Holm's
    method; its intervals and p-value do not. One odds ratio for all strata is a summary: read the
    strata where they differ.

    With `weights`, the common gap is ``sum(W (p1 - p0)) / sum(W)`` where ``W`` is the weight of a stratum among all who
    are compared, with a linearised variance, which allows for ``W`` being estimated, and the quantile of t. The part of
    a cell of ``n`` rows in it is multiplied by ``n / (n - 1)``; a cell in which all or none have the good outcome has
    the variance of two more rows of each kind.

    References
    ----------
    Mantel and Haenszel (1959); Robins, Breslow and Greenland (1986); Sato (1989); Bickel, Hammel and O'Connell (1975).

    Examples
    --------
    >>> cells = [("a", "F", "yes", 9), ("a", "F", "no", 1), ("a", "M", "yes", 80), ("a", "M", "no", 20),
    ...          ("b", "F", "yes", 20), ("b", "F", "no", 80), ("b", "M", "yes", 1), ("b", "M", "no", 9)]
    >>> data = pd.DataFrame([cell[:3] for cell in cells for _ in range(cell[3])], columns=["area", "sex", "loan"])
    >>> result = check_strata(data, decision="loan", favorable="yes", protected="sex = 'F'", strata="area")
    >>> [round(row.difference, 3) for row in result.strata], round(result.pooled.difference, 3), result.reversal
    ([0.1, 0.1], -0.473, True)
    """
    check_settings(tolerance, confidence)
    table = as_weighted(
        table,
        decision=decision,
        weights=weights,
        design_strata=design_strata,
        design_clusters=design_clusters,
        counts=counts,
        labels=labels,
    )
    question = AskedQuestion.read_weighted(table, decision=decision, favorable=favorable, where=where, cluster=cluster)
    condition = protected_condition(question.table, protected)
    names = column_list(strata, "strata", question.table)
    parts = strata_parts(question.table, names, strata_cuts)
    by: list[Part] = [condition, *parts]
    if question.drawn is not None:
        full = question.tally(by)
        tally, in_units = sum_by(full, list(range(len(by)))), sum_by(full, [0, *question.drawn_by])
        pooled = controlled_from_tally(in_units, question, condition, tolerance, confidence)
    elif cluster is None:
        tally = question.tally(by)
        pooled = controlled_from_tally(sum_by(tally, [0]), question, condition, tolerance, confidence)
    else:
        full = question.tally([*by, question.table.column(cluster).name])
        tally, in_clusters = sum_by(full, list(range(len(by)))), sum_by(full, [0, len(by)])
        pooled = controlled_from_tally(in_clusters, question, condition, tolerance, confidence, cluster)
    refuse_open_values(question.table, names, where=question.where, decision=question.outcome.condition)
    keys = tally[list(range(1, len(names) + 1))]
    check_group_count(len(keys.drop_duplicates()), names)
    rows = stratum_rows(tally, parts, pooled.protected.name, tolerance, confidence)
    compared = tuple(row for row in rows if row.comparison.protected.n and row.comparison.reference.n)
    left_out = tuple(row.name for row in rows if not (row.comparison.protected.n and row.comparison.reference.n))
    found = together(pooled, names, compared, left_out)
    if question.drawn is not None:
        return _weighted(found, full, parts, question.drawn)
    if cluster is not None:
        return _allowing_for_clusters(found, full, parts)
    return replace(found, strata=read_together(found.strata))


def _weighted(
    found: StratifiedFairness, full: pd.DataFrame, parts: Sequence[str | Bands], drawn: Drawn
) -> StratifiedFairness:
    """Return an answer on the people that a sample speaks for: the gap standardised by all who are compared."""
    rows, common = weighted_strata(found.strata, full, parts, drawn)
    confidence, undefined = found.pooled.confidence, math.nan
    difference = common.gap.difference
    return replace(
        found,
        strata=rows,
        common_odds_ratio=undefined,
        common_odds_ratio_interval=UNDEFINED,
        cmh_statistic=undefined,
        cmh_p_value=undefined,
        cmh_statistic_uncorrected=undefined,
        cmh_p_value_uncorrected=undefined,
        common_difference=difference,
        common_difference_interval=common.interval(confidence),
        common_equivalence_interval=common.interval(equivalence_confidence(confidence)),
        reversal=found.pooled.difference * difference < 0,
    )


@dataclass(frozen=True)
class WeightedCommonGap:
    """The gap of a weighted sample with strata held equal.

    Parameters
    ----------
    gap : CommonGap
        The gap and its variance.
    cells : ndarray, shape (n_strata, 4)
        Good outcomes and rows of both groups that their shares are worth.
    parts : ndarray, shape (n_strata,)
        The part of each stratum in the weight of all who are compared.
    """

    gap: CommonGap
    cells: Floats
    parts: Floats

    @classmethod
    def of(
        cls, counts: pd.DataFrame, strata: Sequence[tuple[Mask, Mask]], samples: Sequence[Sampled], drawn: Drawn
    ) -> WeightedCommonGap:
        """Return the gap of strata, given as masks of counts and as what is known of their groups."""
        if not strata:
            return cls(CommonGap(math.nan, math.nan, 0), np.zeros((0, 4)), np.zeros(0))
        shares = [each.shares for each in samples]
        cells = np.array([np.column_stack([each.value * each.n, each.n]).ravel() for each in shares])
        sizes = weighted.stratum_weights(counts, strata)
        return cls(weighted.common_share_gap(counts, strata, samples, drawn), cells, sizes / sizes.sum())

    def interval(self, confidence: float) -> Interval:
        """Return the interval of the gap."""
        gap = self.gap
        if gap.freedom < 1 or not math.isfinite(gap.variance):
            return UNDEFINED
        t = float(special.stdtrit(gap.freedom, (1 + confidence) / 2))
        half = t * math.sqrt(max(gap.variance, 0.0))
        return _with_sparse_ends(self.cells, self.parts, gap.difference, half, t)


def weighted_strata(
    rows: Sequence[StratumRow], full: pd.DataFrame, columns: Sequence[str | Bands], drawn: Drawn
) -> tuple[tuple[StratumRow, ...], WeightedCommonGap]:
    """Return strata, whose counts by group, stratum and sample are given, as those of the people they speak for.

    Strata with rows of one group only are left out.
    """
    keys = list(range(1, len(columns) + 1))
    full = full.reset_index(drop=True)
    places = {stratum_values(columns, key): part.index for key, part in full.groupby(keys, dropna=False, sort=False)}
    inside, outside = (mask.to_numpy(dtype=bool) for mask in sides(full))
    shown, samples, held = [], [], []
    for row in rows:
        here = np.zeros(len(full), dtype=bool)
        here[places[row.values]] = True
        pair = (here & inside, here & outside)
        if all(full.loc[mask, "w"].sum() > 0 for mask in pair):
            sampled = weighted.sampled_shares(full, *pair, drawn)
            shown.append(replace(row, comparison=weighted.with_weights(row.shares, sampled)))
            samples.append(sampled)
            held.append(pair)
    read = read_together(shown, sides_by([partial(weighted.gap_interval, each) for each in samples]))
    return read, WeightedCommonGap.of(full, held, samples, drawn)


def _allowing_for_clusters(
    found: StratifiedFairness, full: pd.DataFrame, columns: Sequence[str | Bands]
) -> StratifiedFairness:
    """Return an answer whose gaps have intervals that allow for the clusters of a tally, which are its last key."""
    keys, last = list(range(1, len(columns) + 1)), last_key(full)
    full = full.assign(**{"cluster": pd.factorize(full[last], use_na_sentinel=False)[0]})
    parts = {stratum_values(columns, key): part for key, part in full.groupby(keys, dropna=False, sort=False)}
    rows, cells, names = [], [], []
    for row in found.strata:
        part = parts[row.values]
        own, codes = clusters.by_cluster(part, "cluster", *sides(part))
        rows.append(replace(row, comparison=clusters.allowing_for_clusters(row.shares, own)))
        cells.append(own)
        names.append(codes)
    confidence = found.pooled.confidence
    wide, narrow = (
        clusters.common_gap_interval(cells, names, found.common_difference, level)
        for level in (confidence, equivalence_confidence(confidence))
    )
    gaps = [partial(clusters.gap_interval, row.shares, own) for row, own in zip(rows, cells, strict=True)]
    read = read_together(rows, sides_by(gaps))
    return replace(found, strata=read, common_difference_interval=wide, common_equivalence_interval=narrow)


def read_together(rows: Sequence[StratumRow], read: SidesAt[Comparison] = sides_at) -> tuple[StratumRow, ...]:
    """Return strata whose verdicts allow for all of them, by Holm's method."""
    found = by_holm([row.shares for row in rows], read)
    return tuple(replace(row, comparison=comparison) for row, comparison in zip(rows, found, strict=True))


def stratum_rows(
    tally: pd.DataFrame, columns: Sequence[str | Bands], protected_name: str, tolerance: float, confidence: float
) -> tuple[StratumRow, ...]:
    """Compare the groups inside each stratum."""
    keys = list(range(1, len(columns) + 1))
    values, cells, unknown = [], [], []
    ordered = tally.sort_values(keys, kind="stable", na_position="last")
    for key, part in ordered.groupby(keys, dropna=False, sort=False):
        inside, outside, neither = split(part)
        values.append(stratum_values(columns, key))
        cells.append((inside, outside))
        unknown.append(neither["n"] + neither["undecided"])
    comparisons = compare_many(
        [p["positives"] for p, _ in cells],
        [p["n"] for p, _ in cells],
        [r["positives"] for _, r in cells],
        [r["n"] for _, r in cells],
        names=[(protected_name, REST)] * len(cells),
        undecided=[(p["undecided"], r["undecided"]) for p, r in cells],
        tolerance=tolerance,
        confidence=confidence,
    )
    return tuple(StratumRow(*row) for row in zip(values, comparisons, unknown, strict=True))


def common_difference(cells: Floats, confidence: float) -> tuple[float, Interval]:
    """Return Mantel-Haenszel's common difference of two shares with Sato's interval.

    Where, over all strata, fewer than 5 of one kind are expected in a group, Sato's variance is too small, or none at
    all; there, the interval reaches as far as Newcombe's for strata, by Yan and Su, too.

    Shapes: `cells` (n_strata, 4).

    References
    ----------
    Sato (1989), "On the variance estimator for the Mantel-Haenszel risk difference"; Yan and Su (2010), "Stratified
    Wilson and Newcombe confidence intervals for multiple binomial proportions".
    """
    if not len(cells):
        return float("nan"), UNDEFINED
    a, n1, b, n0 = cells.T
    n = n1 + n0
    weight = (n1 * n0 / n).sum()
    difference = float(((a * n0 - b * n1) / n).sum() / weight)
    p = ((n1**2 * b - n0**2 * a + n1 * n0 * (n0 - n1) / 2) / n**2).sum()
    q = ((a * (n0 - b) + b * (n1 - a)) / (2 * n)).sum()
    spread = two_sided_z(confidence) * float(np.sqrt(max(difference * p + q, 0.0))) / weight
    return difference, _with_sparse_ends(cells, n1 * n0 / n, difference, spread, two_sided_z(confidence))


def _with_sparse_ends(cells: Floats, weight: Floats, difference: float, half: float, z: float) -> Interval:
    """Return an interval by its half width, with the ends of Newcombe's for strata where cells are sparse."""
    low, high = difference - half, difference + half
    if _is_sparse(cells):
        ends = _stratified_newcombe(cells, weight, difference, z)
        low, high = min(low, ends.low), max(high, ends.high)
    return Interval(max(low, -1.0), min(high, 1.0))


def _is_sparse(cells: Floats) -> bool:
    """Say where fewer than 5 of one kind are expected in one group, over all strata."""
    a, n1, b, n0 = cells.T
    good = (a + b) / (n1 + n0)
    return bool(min(((side * share).sum()) for side in (n1, n0) for share in (good, 1 - good)) < FISHER_BELOW)


def _stratified_newcombe(cells: Floats, weight: Floats, difference: float, z: float) -> Interval:
    """Return Newcombe's interval of a difference over strata with weights, to a quantile of z or t."""
    a, n1, b, n0 = cells.T
    weight = weight / weight.sum()
    sides = []
    for positives, n in ((a, n1), (b, n0)):
        share = (positives + 2) / (n + 4)  # as Agresti and Coull have it: a variance of 0 says nothing
        spread = share * (1 - share) / n
        each = z * np.sqrt((weight**2 * spread).sum()) / (weight * np.sqrt(spread)).sum()
        low, high = wilson_to(positives / n, n, each)
        sides.append(((weight * positives / n).sum(), (weight * low).sum(), (weight * high).sum()))
    (p, low_p, high_p), (r, low_r, high_r) = sides
    least = difference - math.hypot(p - low_p, high_r - r)
    most = difference + math.hypot(high_p - p, r - low_r)
    return Interval(max(least, -1.0), min(most, 1.0))


def common_odds_ratio(cells: Floats, confidence: float) -> tuple[float, Interval]:
    """Return Mantel-Haenszel's common odds ratio with the interval of Robins, Breslow and Greenland.

    Shapes: `cells` (n_strata, 4).

    References
    ----------
    Robins, Breslow and Greenland (1986), "Estimators of the Mantel-Haenszel variance consistent in both sparse data and
    large-strata limiting models".
    """
    a, n1, b, n0 = cells.T
    n = n1 + n0
    # r, s: the products of agreeing and of opposing cells; p, q: the shares of those cells
    r, s = a * (n0 - b) / n, b * (n1 - a) / n
    p, q = (a + n0 - b) / n, (b + n1 - a) / n
    top, bottom = float(r.sum()), float(s.sum())
    if bottom == 0:
        return float("nan"), UNDEFINED
    if top == 0:
        return 0.0, UNDEFINED
    variance = (p * r).sum() / top**2 + (p * s + q * r).sum() / (top * bottom) + (q * s).sum() / bottom**2
    odds_ratio, spread = top / bottom, two_sided_z(confidence) * np.sqrt(variance / 2)
    low, high = (math.exp(math.log(odds_ratio) + side * spread) for side in (-1, 1))
    return odds_ratio, Interval(low, high)


def cochran_mantel_haenszel(cells: Floats, *, correction: bool) -> tuple[float, float]:
    """Test whether the groups are alike in all strata.

    Shapes: `cells` (n_strata, 4).
    """
    a, n1, b, n0 = cells.T
    n, good = n1 + n0, a + b
    if not (good * (n - good)).any():
        return float("nan"), float("nan")
    distance = abs((a - n1 * good / n).sum())
    if correction:
        distance = max(distance - 0.5, 0.0)
    statistic = float(distance**2 / (n1 * n0 * good * (n - good) / (n**2 * (n - 1))).sum())
    return statistic, float(special.chdtrc(1, statistic))


def together(
    pooled: ControlledFairness,
    columns: tuple[str, ...],
    strata: tuple[StratumRow, ...],
    left_out: tuple[str, ...],
) -> StratifiedFairness:
    """Return what strata say together, over all rows of them."""
    sides = [(found.protected, found.reference) for found in (row.shares for row in strata)]
    cells = np.array([[p.positives, p.n, r.positives, r.n] for p, r in sides], dtype=float).reshape(-1, 4)
    odds_ratio, odds_interval = common_odds_ratio(cells, pooled.confidence)
    difference, interval = common_difference(cells, pooled.confidence)
    narrow = common_difference(cells, equivalence_confidence(pooled.confidence))[1]
    corrected, uncorrected = (cochran_mantel_haenszel(cells, correction=yes) for yes in (True, False))
    return StratifiedFairness(
        pooled=pooled,
        columns=columns,
        strata=strata,
        left_out=left_out,
        common_odds_ratio=odds_ratio,
        common_odds_ratio_interval=odds_interval,
        cmh_statistic=corrected[0],
        cmh_p_value=corrected[1],
        cmh_statistic_uncorrected=uncorrected[0],
        cmh_p_value_uncorrected=uncorrected[1],
        common_difference=difference,
        common_difference_interval=interval,
        common_equivalence_interval=narrow,
        reversal=pooled.difference * difference < 0,
    )
