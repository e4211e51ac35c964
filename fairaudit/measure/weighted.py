"""Shares and means of a weighted sample, and how far they may be from those of the people it speaks for.

Symbols: ``w`` weights, ``y`` what is looked at, ``m = sum(w y) / sum(w)`` the share or mean of a group (Hajek's). A
row moves it by about ``z = w (y - m) / sum(w)``, and rows outside of the group by 0. In a stratum ``h`` of the sample
``n_h`` units were drawn, clusters or else rows. With ``z_i`` added up within a unit and ``z`` without index their mean
in the stratum, the variance is ``sum_h n_h / (n_h - 1) sum_i (z_i - z)^2``. All units that were drawn count, also those
without a row of the group; rows without a weight above 0 are no part of a sample.

References: Taylor linearisation as in Lumley, "Complex Surveys" (2010), chapter 2 and appendix; Hajek (1971).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from fairaudit.columns import SurveyDesign
from fairaudit.data.table import Table
from fairaudit.errors import InputError, quote
from fairaudit.measure.clusters import FEW_CLUSTERS, SomeComparison, few_clusters, ratio_interval
from fairaudit.measure.limits import FOUR_FIFTHS
from fairaudit.measure.results import Interval
from fairaudit.measure.verdicts_of_many import judged_by
from fairaudit.measure.weighted_shares import NEARLY, Places, WeightedShares, rows_worth

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]

STRATUM: Final = "design stratum"
CLUSTER: Final = "design cluster"
"""The columns of counts by which the sample was drawn."""
SUMS: Final = ("w", "wy", "w2", "w2y", "w2yy")
"""Sums over rows that counts of a weighted sample hold: of w, w y, w^2, w^2 y and w^2 y^2."""
FEW_ROWS: Final = 1.5
"""A cell that is worth fewer rows of equal weight does not show its own spread."""
PAIR: Final[tuple[Places, Places]] = (np.array([0]), np.array([1]))
"""The places of the protected group and of the other in shares of a pair."""


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
        counts = table.counts(parts)
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


def units_and_strata(counts: pd.DataFrame, mask: Mask, drawn: Drawn) -> tuple[int, int]:
    """Return how many units a group has rows in, and how many strata."""
    n, units = counts["n"].to_numpy(), drawn.units_of(counts)
    own = mask & (n > 0)
    n_units = int(n[own].sum()) if units is None else len(np.unique(units[own]))
    return n_units, len(np.unique(drawn.strata_of(counts)[own]))


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
    n : tuple of int
        Rows.
    kish : tuple of float
        The rows of equal weight that the weights of each group are worth.
    units, strata : tuple of int
        How many units and strata of the sample each group has rows in.
    """

    values: tuple[float, float]
    spread: Floats
    n: tuple[int, int]
    kish: tuple[float, float]
    units: tuple[int, int]
    strata: tuple[int, int]

    @property
    def freedom(self) -> tuple[int, int]:
        """The degrees of freedom: units less strata."""
        return self.units[0] - self.strata[0], self.units[1] - self.strata[1]

    @property
    def n_like(self) -> tuple[float, float]:
        """The rows of equal weight that a share without any variance is worth: at most the units."""
        return min(self.kish[0], self.units[0]), min(self.kish[1], self.units[1])

    @property
    def shares(self) -> WeightedShares:
        """The shares of both groups, and how sure they are."""
        value, freedom = np.array(self.values), np.array(self.freedom, dtype=float)
        n, kish, units = (np.array(each, dtype=float) for each in (self.n, self.kish, self.units))
        worth = rows_worth(value, np.diag(self.spread), n, kish, units)
        return WeightedShares(value, worth, self.spread, freedom)


def sampled(counts: pd.DataFrame, protected: ArrayLike, reference: ArrayLike, drawn: Drawn) -> Sampled:
    """Return the shares or means of two groups, given as masks of counts with :data:`SUMS`."""
    masks = [np.asarray(mask, dtype=bool) for mask in (protected, reference)]
    level, slope = np.zeros((len(counts), 2)), np.zeros((len(counts), 2))
    sums = counts[["w", "wy", "w2", "n"]].to_numpy(dtype=float)
    values: list[float] = []
    kish: list[float] = []
    n: list[int] = []
    for place, mask in enumerate(masks):
        w, wy, w2, rows = map(float, sums[mask].sum(axis=0))
        value = wy / w if w > 0 else math.nan
        if w > 0:
            slope[mask, place], level[mask, place] = 1 / w, -value / w
        values.append(value)
        kish.append(w**2 / w2 if w2 > 0 else math.nan)
        n.append(round(rows))
    spread = covariances(counts, Moves(level, slope), drawn)
    (units_p, strata_p), (units_r, strata_r) = (units_and_strata(counts, mask, drawn) for mask in masks)
    return Sampled(
        (values[0], values[1]), spread, (n[0], n[1]), (kish[0], kish[1]), (units_p, units_r), (strata_p, strata_r)
    )


def sampled_shares(counts: pd.DataFrame, protected: ArrayLike, reference: ArrayLike, drawn: Drawn) -> Sampled:
    """Return the shares of two groups, none of which rounding has moved below 0 or above 1."""
    found = sampled(counts, protected, reference, drawn)
    p, r = (float(np.clip(value, 0.0, 1.0)) for value in found.values)
    return replace(found, values=(p, r))


@dataclass(frozen=True)
class CommonGap:
    """A gap with strata held equal, its variance, and the degrees of freedom of that; NaN where not known."""

    difference: float
    variance: float
    freedom: float


def standardised(
    counts: pd.DataFrame,
    strata: Sequence[tuple[Mask, Mask]],
    samples: Sequence[Sampled],
    drawn: Drawn,
    variances: Floats,
) -> CommonGap:
    """Return the gap over strata, given as masks of counts and as what is known of their groups.

    With the weight ``W_s`` of all who are compared in a stratum and ``W`` in all, the gap is ``d = sum_s a_s d_s``,
    ``a_s = W_s / W``. A row moves it by what it moves the gap of its stratum, times ``a_s``, and by ``w (d_s - d) /
    W``. Cells of few rows show less spread than their shares or means have, and gaps of strata differ more than the
    true ones do; with the variance ``v`` that the figure of each cell has by `variances`, and ``u`` as it shows, the
    variance is that of all moves, and ``sum_s a_s^2 (v_s - u_s) - var(a_s) v_s`` over both groups. Without the second
    part it is at most too large, and what is taken away is never more than the part of ``d_s - d``. Shapes:
    `variances` (n_strata, 2).
    """
    w, wy = (counts[name].to_numpy(dtype=float) for name in ("w", "wy"))
    sizes = stratum_weights(counts, strata)
    parts = sizes / sizes.sum()
    gaps = np.array([each.values[0] - each.values[1] for each in samples])
    difference = float(parts @ gaps)
    # The columns: all that moves the gap, and what does within strata.
    level, slope = np.zeros((len(counts), 2)), np.zeros((len(counts), 2))
    either = tuple(np.logical_or.reduce([pair[place] for pair in strata]) for place in (0, 1))
    for part, gap, pair in zip(parts, gaps, strata, strict=True):
        for sign, mask in zip((1.0, -1.0), pair, strict=True):
            factor = sign * part / w[mask].sum()
            slope[mask] = factor
            level[mask] = -factor * wy[mask].sum() / w[mask].sum()
            level[mask, 0] += (gap - difference) / sizes.sum()
    # A row moves a_s by w (1 in s, else 0, - a_s) / W.
    of_parts = (np.column_stack([a | b for a, b in strata]) - np.outer(either[0] | either[1], parts)) / sizes.sum()
    var_parts = np.diag(covariances(counts, Moves(of_parts, np.zeros_like(of_parts)), drawn))
    noise = float(var_parts @ variances.sum(axis=1))
    variance, within = np.diag(covariances(counts, Moves(level, slope), drawn))
    shown = np.array([np.diag(each.spread) for each in samples])
    variance = np.maximum(variance - noise, within) + parts**2 @ (variances - shown).sum(axis=1)
    counted = [units_and_strata(counts, mask, drawn) for mask in either]
    return CommonGap(difference, float(variance), min(units - own for units, own in counted))


def stratum_weights(counts: pd.DataFrame, strata: Sequence[tuple[Mask, Mask]]) -> Floats:
    """Return the weight of all who are compared in each stratum."""
    w = counts["w"].to_numpy(dtype=float)
    return np.array([w[a | b].sum() for a, b in strata])


def common_share_gap(
    counts: pd.DataFrame, strata: Sequence[tuple[Mask, Mask]], samples: Sequence[Sampled], drawn: Drawn
) -> CommonGap:
    """Return the gap of shares over strata.

    The variance of a cell is by its rows less one; cells of one row are put together, and have that of a row
    of their group: at most too much, by how far shares of strata differ.

    References
    ----------
    Cochran (1977), "Sampling techniques", sections 2.6 and 5A.12, on strata of which one unit was drawn.
    """
    w, wy = (counts[name].to_numpy(dtype=float) for name in ("w", "wy"))
    variances = np.zeros((len(samples), 2))
    for place in (0, 1):
        mask = np.logical_or.reduce([pair[place] for pair in strata])
        share = wy[mask].sum() / w[mask].sum()
        for cell, each in zip(variances, samples, strict=True):
            shown, n = each.spread[place, place], each.n_like[place]
            cell[place] = shown * n / (n - 1) if n >= FEW_ROWS else max(share * (1 - share) / n, shown)
    return standardised(counts, strata, samples, drawn, variances)


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
    shares, freedom, confidence = found.shares, min(found.freedom), comparison.confidence
    difference = 0.0 if abs(p - r) < NEARLY else p - r
    error = float(shares.errors(*PAIR)[0])
    is_known = error > 0 and not p == r in (0, 1)
    groups = [
        replace(side, ratio=share, interval=Interval(float(low), float(high)))
        for side, share, low, high in zip(
            (comparison.protected, comparison.reference), found.values, *shares.intervals(confidence), strict=True
        )
    ]
    both = math.isfinite(p) and math.isfinite(r)
    weighted = replace(
        comparison,
        protected=groups[0],
        reference=groups[1],
        difference=difference,
        impact_ratio=p / r if both and r > 0 else math.nan,
        impact_ratio_interval=ratio_interval(found.values, found.spread, freedom, confidence),
        four_fifths=None if not both or p == r == 0 else min(p, r) >= FOUR_FIFTHS * max(p, r) - NEARLY,
        z=difference / error if is_known else math.nan,
        p_value=float(shares.p_values(*PAIR)[0]) if is_known and freedom > 0 else math.nan,
        test="t",
        within_tolerance=bool(abs(difference) <= comparison.tolerance + NEARLY),
    )
    return judged_by(weighted, partial(gap_interval, found))


def gap_interval(found: Sampled, confidence: float) -> Interval:
    """Return the interval of the gap, protected minus reference; NaN where a group has no spare units."""
    (low,), (high,) = found.shares.gaps(*PAIR, confidence)
    return Interval(float(low), float(high))


def warnings(found: Sampled, design: SurveyDesign) -> tuple[str, ...]:
    """Say in a plain sentence where clusters are too few."""
    if design.clusters is None or min(found.freedom) + 1 >= FEW_CLUSTERS:
        return ()
    return few_clusters(min(found.units), design.clusters)
