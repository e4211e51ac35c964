"""Shares and means of a weighted sample, and how far they may be from those of the people it speaks for.

Symbols: ``w`` weights, ``y`` what is looked at, ``m = sum(w y) / sum(w)`` the share or mean of a group (Hajek's). A
row moves it by about ``z = w (y - m) / sum(w)``, and rows outside of the group by 0. In a stratum ``h`` of the sample
``n_h`` units were drawn, clusters or else rows. With ``z_i`` added up within a unit and ``z`` without index their mean
in the stratum, the variance is ``sum_h n_h / (n_h - 1) sum_i (z_i - z)^2``. All units that were drawn count, also those
without a row of the group.

References: Taylor linearisation as in Lumley, "Complex Surveys" (2010), chapter 2 and appendix; Hajek (1971).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy import special

from fairaudit.columns import SurveyDesign
from fairaudit.data.table import Table
from fairaudit.errors import GroupError, InputError, quote
from fairaudit.findings import Count, Message, Phrase
from fairaudit.measure.clusters import FEW_CLUSTERS, SomeComparison, joined
from fairaudit.measure.limits import FOUR_FIFTHS
from fairaudit.measure.results import Comparison, Interval
from fairaudit.measure.verdicts import Side, side_of
from fairaudit.measure.verdicts_of_many import judged
from fairaudit.measure.weighted_shares import NEARLY, variance_without_spread
from fairaudit.messages import say

Floats = NDArray[np.float64]

STRATUM: Final = "design stratum"
CLUSTER: Final = "design cluster"
"""The columns of counts by which the sample was drawn."""
SUMS: Final = ("w", "wy", "w2", "w2y", "w2yy")
"""Sums over rows that counts of a weighted sample hold: of w, w y, w^2, w^2 y and w^2 y^2."""
FEW_ROWS: Final = 1.5
"""A cell that is worth fewer rows of equal weight does not show its own spread."""


def asked_design(table: Table, cluster: str | None) -> Table:
    """Return a table whose clusters are those that a question names; refuse two kinds of clusters."""
    design = table.design
    if design is None or cluster is None or design.clusters == cluster:
        return table
    if design.clusters is not None:
        raise InputError(
            f"'cluster' must be the column that was sampled first, {quote(design.clusters)}, got {quote(cluster)}.",
            hint="Leave it out, or name the same column.",
        )
    return table.with_design(replace(design, clusters=cluster))


# What was drawn.


@dataclass(frozen=True)
class Drawn:
    """How many units were drawn, in all of a table.

    Parameters
    ----------
    design : SurveyDesign
        The columns.
    n_units : pandas.Series
        Units by stratum, in ascending order with missing last; one entry where there are no strata.
    """

    design: SurveyDesign
    n_units: pd.Series

    @classmethod
    def of(cls, table: Table) -> Drawn | None:
        """Return what was drawn for a table; None where it has no weights."""
        design = table.design
        if design is None:
            return None
        parts = drawn_by(design)
        counts = table.weighted_counts(parts)
        counts = counts if STRATUM in parts else counts.assign(**{STRATUM: 0})
        by = counts.groupby(STRATUM, dropna=False, sort=True)["n"]
        return cls(design, by.size() if design.clusters is not None else by.sum())

    @property
    def keys(self) -> list[str]:
        """The columns of counts that say from where a row was drawn."""
        return list(drawn_by(self.design))

    def strata_of(self, counts: pd.DataFrame) -> NDArray[np.int64]:
        """Return the place of each row's stratum in `n_units`."""
        if self.design.strata is None:
            return np.zeros(len(counts), dtype=np.int64)
        strata = self.n_units.index
        places = strata.get_indexer(pd.Index(counts[STRATUM])).astype(np.int64)
        if (missing := np.flatnonzero(strata.isna())).size:
            places[places < 0] = missing[0]
        return places

    def units_of(self, counts: pd.DataFrame) -> NDArray[np.int64] | None:
        """Return the cluster of each row of counts, within its stratum; None where rows were drawn."""
        if self.design.clusters is None:
            return None
        clusters = pd.factorize(counts[CLUSTER], use_na_sentinel=False)[0]
        strata = self.strata_of(counts)
        return np.unique(strata * (len(clusters) + 1) + clusters, return_inverse=True)[1].astype(np.int64)


def drawn_by(design: SurveyDesign) -> dict[str, str]:
    """Return the columns by which counts tell from where a row was drawn, by name."""
    named = {STRATUM: design.strata, CLUSTER: design.clusters}
    return {name: column for name, column in named.items() if column is not None}


# How figures move with what was drawn.


@dataclass(frozen=True)
class Moves:
    """How far figures move with each row: by ``w (level + slope y)``, the same coefficients for all rows of a count.

    Shapes: `level`, `slope` (n_counts, n_figures).
    """

    level: Floats
    slope: Floats


def covariances(counts: pd.DataFrame, moves: Moves, drawn: Drawn) -> Floats:
    """Return the variances and covariances of figures, from counts with :data:`SUMS`. Shape (n_figures, n_figures).

    In a stratum of which one unit alone was drawn, its distance from the mean of all strata stands for the unknown
    spread, as is usual.
    """
    w, wy, w2, w2y, w2yy = (counts[name].to_numpy(dtype=float)[:, None] for name in SUMS)
    level, slope = moves.level, moves.slope
    totals = w * level + wy * slope
    strata, units = drawn.strata_of(counts), drawn.units_of(counts)
    n_units = drawn.n_units.to_numpy(dtype=float)
    sums = np.zeros((len(n_units), totals.shape[1]))
    np.add.at(sums, strata, totals)
    found = np.zeros((totals.shape[1],) * 2)
    factor = np.where(n_units > 1, n_units / np.maximum(n_units - 1, 1), 1.0)
    if units is None:
        scale = factor[strata][:, None]
        found += (level * w2 * scale).T @ level + (slope * w2yy * scale).T @ slope
        mixed = (level * w2y * scale).T @ slope
        found += mixed + mixed.T
    else:
        by_unit = np.zeros((units.max(initial=-1) + 1, totals.shape[1]))
        np.add.at(by_unit, units, totals)
        own = np.zeros(len(by_unit), dtype=np.int64)
        own[units] = strata
        found += (by_unit * factor[own][:, None]).T @ by_unit
    center = np.where(n_units > 1, factor / n_units, 0.0)[:, None]
    return found - (sums * center).T @ sums


def units_and_strata(counts: pd.DataFrame, mask: NDArray[np.bool_], drawn: Drawn) -> tuple[int, int]:
    """Return how many units a group has rows in, and how many strata."""
    own = counts[mask & (counts["n"] > 0).to_numpy()]
    units = drawn.units_of(own)
    n_units = int(own["n"].sum()) if units is None else len(np.unique(units))
    return n_units, len(np.unique(drawn.strata_of(own)))


# What is known of two groups.


@dataclass(frozen=True)
class Sampled:
    """Shares or means of two groups, the protected one first.

    Parameters
    ----------
    values : tuple of float
        Weighted.
    spread : ndarray, shape (2, 2)
        Variances and covariance.
    n_like : tuple of float
        The rows of equal weight that a share without any variance is worth.
    units, strata : tuple of int
        How many units and strata of the sample each group has rows in.
    """

    values: tuple[float, float]
    spread: Floats
    n_like: tuple[float, float]
    units: tuple[int, int]
    strata: tuple[int, int]

    @property
    def freedom(self) -> tuple[int, int]:
        """The degrees of freedom: units less strata."""
        return self.units[0] - self.strata[0], self.units[1] - self.strata[1]


def sampled(counts: pd.DataFrame, protected: ArrayLike, reference: ArrayLike, drawn: Drawn) -> Sampled:
    """Return the shares or means of two groups, given as masks of counts with :data:`SUMS`."""
    masks = [np.asarray(mask, dtype=bool) for mask in (protected, reference)]
    level, slope = np.zeros((len(counts), 2)), np.zeros((len(counts), 2))
    values: list[float] = []
    n_like: list[float] = []
    for place, mask in enumerate(masks):
        w, wy, w2 = (float(counts.loc[mask, name].sum()) for name in ("w", "wy", "w2"))
        value = wy / w if w > 0 else math.nan
        if w > 0:
            slope[mask, place], level[mask, place] = 1 / w, -value / w
        values.append(value)
        n_like.append(w**2 / w2 if w2 > 0 else math.nan)
    spread = covariances(counts, Moves(level, slope), drawn)
    (units_p, strata_p), (units_r, strata_r) = (units_and_strata(counts, mask, drawn) for mask in masks)
    if drawn.design.clusters is not None:
        n_like = [min(each, own) for each, own in zip(n_like, (units_p, units_r), strict=True)]
    return Sampled((values[0], values[1]), spread, (n_like[0], n_like[1]), (units_p, units_r), (strata_p, strata_r))


def sampled_shares(counts: pd.DataFrame, protected: ArrayLike, reference: ArrayLike, drawn: Drawn) -> Sampled:
    """Return the shares of two groups, none of which rounding has moved below 0 or above 1."""
    found = sampled(counts, protected, reference, drawn)
    p, r = (float(np.clip(value, 0.0, 1.0)) for value in found.values)
    return replace(found, values=(p, r))


Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class CommonGap:
    """A gap with strata held equal, its variance, and the degrees of freedom of that; NaN where not known."""

    difference: float
    variance: float
    freedom: float


def standardised(
    counts: pd.DataFrame, strata: Sequence[tuple[Mask, Mask]], samples: Sequence[Sampled], drawn: Drawn
) -> tuple[CommonGap, Floats]:
    """Return the gap over strata, as rows show it, and the part of each stratum in all weights.

    Strata are given as masks of counts and as what is known of their groups. With the weight ``W_s`` of all who are
    compared in a stratum and ``W`` in all, the gap is ``d = sum_s W_s d_s / W``. A row moves it by what it moves the
    gap of its stratum, times ``W_s / W``, and by ``w (d_s - d) / W``.
    """
    w, wy = (counts[name].to_numpy(dtype=float) for name in ("w", "wy"))
    sizes = np.array([w[a | b].sum() for a, b in strata])
    gaps = np.array([each.values[0] - each.values[1] for each in samples])
    difference = float(sizes @ gaps / sizes.sum())
    level, slope = np.zeros((len(counts), 1)), np.zeros((len(counts), 1))
    for size, gap, pair in zip(sizes, gaps, strata, strict=True):
        for sign, mask in zip((1.0, -1.0), pair, strict=True):
            share = wy[mask].sum() / w[mask].sum()
            factor = sign * size / sizes.sum() / w[mask].sum()
            slope[mask, 0] = factor
            level[mask, 0] = (gap - difference) / sizes.sum() - factor * share
    either = (np.logical_or.reduce([pair[place] for pair in strata]) for place in (0, 1))
    counted = [units_and_strata(counts, mask, drawn) for mask in either]
    variance = float(covariances(counts, Moves(level, slope), drawn)[0, 0])
    return CommonGap(difference, variance, min(units - own for units, own in counted)), sizes / sizes.sum()


def common_share_gap(
    counts: pd.DataFrame, strata: Sequence[tuple[Mask, Mask]], samples: Sequence[Sampled], drawn: Drawn
) -> CommonGap:
    """Return the gap of shares over strata, with what few rows of a cell do not show of its spread."""
    found, sizes = standardised(counts, strata, samples, drawn)
    variance = found.variance
    for size, cell in zip(sizes, samples, strict=True):
        for place in (0, 1):
            shown = float(cell.spread[place, place])
            variance += float(size) ** 2 * max(_expected_variance(cell, place) - shown, 0.0)
    return replace(found, variance=variance)


def _expected_variance(cell: Sampled, place: int) -> float:
    shown, n = float(cell.spread[place, place]), cell.n_like[place]
    if n < FEW_ROWS or not _varies(cell, place):
        return float(variance_without_spread(cell.values[place], n))
    return shown * n / (n - 1)


def check_weighty(counts: pd.DataFrame, mask: ArrayLike, name: str, weights: str) -> None:
    """Refuse a group whose rows all weigh nothing."""
    own = counts[np.asarray(mask, dtype=bool)]
    if own["n"].sum() > 0 and not own["w"].sum() > 0:
        raise GroupError(
            f"All {int(own['n'].sum()):,} rows of {name} have the weight 0 in column {quote(weights)}.",
            uncounted=f"All rows of {name} have the weight 0 in column {quote(weights)}.",
            hint="Choose another group, or other weights.",
        )


def with_weights(comparison: SomeComparison, found: Sampled) -> SomeComparison:
    """Return a comparison whose shares, intervals, test and verdict are those of the people that a sample speaks for.

    Notes
    -----
    A share has Wilson's interval with the rows that would give its variance if they were drawn one by one, at most its
    own, and the quantile of t. The interval of the gap puts two of these together as Newcombe's does, less their
    covariance. The ratio is on the log scale, the test that of t; a share of 0 or 1, which has no variance, is given
    that of two more rows of each kind.

    References
    ----------
    Korn and Graubard (1998) and Franco and others (2019) on intervals of shares in samples; Zou and Donner (2008) on
    putting intervals together.
    """
    p, r = found.values
    freedom = min(found.freedom)
    confidence = comparison.confidence
    outer, inner = (gap_interval(comparison, found, level) for level in (confidence, max(2 * confidence - 1, 0.0)))
    difference = 0.0 if abs(p - r) < NEARLY else p - r
    error = _error_of_gap(found)
    t = difference / error if error > 0 else math.nan
    groups = [
        replace(side, ratio=share, interval=share_interval(side.n, found, place, confidence))
        for place, (side, share) in enumerate(
            zip((comparison.protected, comparison.reference), found.values, strict=True)
        )
    ]
    both = math.isfinite(p) and math.isfinite(r)
    weighted = replace(
        comparison,
        protected=groups[0],
        reference=groups[1],
        difference=difference,
        difference_interval=outer,
        equivalence_interval=inner,
        impact_ratio=p / r if both and r > 0 else math.nan,
        impact_ratio_interval=_ratio_interval(found, freedom, confidence),
        four_fifths=None if not both or p == r == 0 else min(p, r) >= FOUR_FIFTHS * max(p, r) - NEARLY,
        z=t,
        p_value=float(2 * special.stdtr(freedom, -abs(t))) if freedom > 0 and math.isfinite(t) else math.nan,
        test="t",
        within_tolerance=bool(abs(difference) <= comparison.tolerance + NEARLY),
    )
    return judged(weighted, side_of(outer, inner, comparison.tolerance))


def sides_at(samples: Sequence[Sampled], comparisons: Sequence[Comparison], confidence: float) -> list[Side]:
    """Say where comparisons lie with another confidence."""
    inner = max(2 * confidence - 1, 0.0)
    return [
        side_of(gap_interval(each, own, confidence), gap_interval(each, own, inner), each.tolerance)
        for each, own in zip(comparisons, samples, strict=True)
    ]


def effective_rows(n: int, found: Sampled, place: int) -> float:
    """Return the rows, drawn one by one, that a share of `n` rows is worth: ``p (1 - p) / v``, at most `n`."""
    share, variance = found.values[place], float(found.spread[place, place])
    worth = share * (1 - share) / variance if variance > 0 else found.n_like[place]
    return min(worth, float(n))


def share_interval(n: int, found: Sampled, place: int, confidence: float) -> Interval:
    """Return the interval of the share of the first group (place 0) or the other (1); NaN without spare units."""
    share, freedom = found.values[place], found.freedom[place]
    if freedom < 1 or not math.isfinite(share):
        return Interval(math.nan, math.nan)
    worth = effective_rows(n, found, place)
    t = float(special.stdtrit(freedom, (1 + confidence) / 2))
    center = (share + t**2 / (2 * worth)) / (1 + t**2 / worth)
    half = t * math.sqrt(share * (1 - share) / worth + t**2 / (4 * worth**2)) / (1 + t**2 / worth)
    return Interval(min(max(center - half, 0.0), share), max(min(center + half, 1.0), share))


def gap_interval(comparison: Comparison, found: Sampled, confidence: float) -> Interval:
    """Return the interval of the gap, protected minus reference; NaN where a group has no spare units."""
    if min(found.freedom) < 1:
        return Interval(math.nan, math.nan)
    p, r = found.values
    sides = (comparison.protected, comparison.reference)
    (low_p, high_p), (low_r, high_r) = (share_interval(g.n, found, i, confidence) for i, g in enumerate(sides))
    scale = math.sqrt(max(found.spread[0, 0] * found.spread[1, 1], 0.0))
    related = float(np.clip(found.spread[0, 1] / scale, -1, 1)) if scale > 0 else 0.0
    low = p - r - joined(p - low_p, high_r - r, related)
    high = p - r + joined(high_p - p, r - low_r, related)
    return Interval(max(low, -1.0), min(high, 1.0))


def _varies(found: Sampled, place: int) -> bool:
    share = found.values[place]
    return bool(found.spread[place, place] > 0 and NEARLY < share < 1 - NEARLY)


def _error_of_gap(found: Sampled) -> float:
    spread = found.spread.copy()
    for place in (0, 1):
        if not _varies(found, place):
            spread[place, place] = variance_without_spread(found.values[place], found.n_like[place])
    if all(share in (0, 1) for share in found.values) and found.values[0] == found.values[1]:
        return math.nan
    variance = float(spread[0, 0] + spread[1, 1] - 2 * spread[0, 1])
    return math.sqrt(variance) if variance > 0 else math.nan


def _ratio_interval(found: Sampled, freedom: int, confidence: float) -> Interval:
    p, r = found.values
    if not (p > 0 and r > 0 and freedom > 0):
        return Interval(math.nan, math.nan)
    spread = found.spread
    variance = float(spread[0, 0] / p**2 + spread[1, 1] / r**2 - 2 * spread[0, 1] / (p * r))
    if not variance > 0:
        return Interval(math.nan, math.nan)
    half = float(special.stdtrit(freedom, (1 + confidence) / 2)) * math.sqrt(variance)
    return Interval(p / r * math.exp(-half), p / r * math.exp(half))


def warnings(found: Sampled, design: SurveyDesign) -> tuple[str, ...]:
    """Say in a plain sentence where clusters are too few."""
    if design.clusters is None or min(found.freedom) + 1 >= FEW_CLUSTERS:
        return ()
    column, n = Phrase(quote(design.clusters)), min(found.units)
    if n < 2:
        return (say(Message("doubt-one-cluster", {"column": column})),)
    return (say(Message("doubt-few-clusters", {"column": column, "n": Count(n)})),)
