"""Means of a weighted sample: Welch's comparison of two of them, with linearised variances."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy import special

from fairaudit.conditions import Condition
from fairaudit.data.table import Table
from fairaudit.defaults import ENOUGH
from fairaudit.errors import InputError, quote, require
from fairaudit.measure.bands import Part, counted
from fairaudit.measure.intervals import ratio
from fairaudit.measure.results import GroupMean, Interval, MeanComparison
from fairaudit.measure.verdicts_of_many import judged_by
from fairaudit.measure.weighted import (
    FEW_ROWS,
    NEARLY,
    CommonGap,
    Drawn,
    Mask,
    Sampled,
    drawn_by,
    sampled,
    standardised,
    stratum_weights,
)

LARGEST = 1e150
"""Sums up to this can be added up and squared in double precision."""


@dataclass(frozen=True)
class WeighedAmounts:
    """The amounts of a weighted sample by groups.

    Parameters
    ----------
    counts : pandas.DataFrame
        Sums by group and by what was drawn, of amounts less `center`.
    quartiles : pandas.DataFrame
        By group.
    center : float
        What was taken from each amount.
    drawn : Drawn
        How the sample was drawn.
    """

    counts: pd.DataFrame
    quartiles: pd.DataFrame
    center: float
    drawn: Drawn

    @classmethod
    def of(cls, table: Table, column: str, by: Mapping[str, Part], where: Condition | None) -> WeighedAmounts:
        """Ask a table, which has weights, with three queries."""
        drawn = require(Drawn.of(table))
        ask = partial(table.weighted_moments, column, where=where)
        whole = ask({}).iloc[0] if table.n_rows else None
        center = 0.0 if whole is None or not whole["w"] > 0 else float(whole["wy"] / whole["w"])
        _check_finite([center], column)
        counts = counted(partial(ask, center=center), {**by, **drawn_by(drawn.design)})
        _check_finite(counts[["wyy", "w2yy"]].to_numpy(dtype=float), column)
        quartiles = counted(partial(table.weighted_quartiles, column, where=where), by)
        return cls(counts, quartiles, center, drawn)

    def moments(self, mask: ArrayLike) -> dict[str, float]:
        """Return rows, rows without an amount, mean and variance of some counts; quartiles are not known."""
        own = self.counts[np.asarray(mask, dtype=bool)]
        n, w = float(own["n"].sum()), float(own["w"].sum())
        found = {"n": n, "missing": float(own["missing"].sum()), "w": w, "mean": math.nan, "variance": math.nan}
        if w > 0:
            mean = float(own["wy"].sum()) / w
            spread = max(float(own["wyy"].sum()) / w - mean**2, 0.0)
            found |= {"mean": self.center + mean, "variance": spread * n / (n - 1) if n > 1 else math.nan}
        return found | dict.fromkeys(("quarter", "median", "three_quarters"), math.nan)

    def with_quartiles(self, moments: dict[str, float], mask: ArrayLike) -> dict[str, float]:
        """Return moments of one group with its quartiles."""
        own = self.quartiles[np.asarray(mask, dtype=bool)]
        if len(own) != 1:
            return moments
        return moments | {name: float(own[name].iloc[0]) for name in ("quarter", "median", "three_quarters")}

    def sampled(self, protected: Mask, reference: Mask) -> Sampled:
        """Return the means of two groups, less the center."""
        return sampled(self.counts, protected, reference, self.drawn)


def _check_finite(figures: ArrayLike, column: str) -> None:
    found = np.asarray(figures, dtype=float)
    if not np.isfinite(found).all() or (np.abs(found) > LARGEST).any():
        raise InputError(
            f"Column {quote(column)} must hold finite amounts whose squares can be added up, got infinite or larger "
            "ones among the rows looked at.",
            hint="Correct these amounts, or leave the rows out with a filter.",
        )


def with_weights(comparison: MeanComparison, found: Sampled, spreads: Sequence[Mapping[str, float]]) -> MeanComparison:
    """Return a comparison of weighted means whose intervals, test and verdict are those of the sample.

    `spreads` are the moments of both groups, of which the variance among people is taken by weight.
    """
    confidence = comparison.confidence
    error, freedom = error_of_gap(found)
    difference = comparison.difference
    weights = sum(part["w"] for part in spreads)
    pooled = sum(part["w"] * part["variance"] for part in spreads) / weights if weights > 0 else math.nan
    sides = (comparison.protected, comparison.reference)
    weighted = replace(
        comparison,
        protected=_group(sides[0], found, 0, confidence),
        reference=_group(sides[1], found, 1, confidence),
        standardized_difference=float(ratio(difference, math.sqrt(pooled))) if pooled >= 0 else math.nan,
        p_value=float(2 * special.stdtr(freedom, -abs(difference) / error)) if error > 0 and freedom > 0 else math.nan,
        within_tolerance=bool(abs(difference) <= comparison.tolerance + NEARLY * max(1.0, comparison.tolerance)),
    )
    return judged_by(weighted, partial(gap_interval, found))


def _group(side: GroupMean, found: Sampled, place: int, confidence: float) -> GroupMean:
    freedom, variance = found.freedom[place], float(found.spread[place, place])
    if freedom < 1 or not variance >= 0:
        return replace(side, interval=Interval(math.nan, math.nan))
    half = float(special.stdtrit(freedom, (1 + confidence) / 2)) * math.sqrt(variance)
    return replace(side, interval=Interval(side.mean - half, side.mean + half))


def error_of_gap(found: Sampled) -> tuple[float, float]:
    """Return the standard error of a gap between means, and Welch's degrees of freedom; NaN where not known."""
    own = [float(found.spread[place, place]) for place in (0, 1)]
    variance = own[0] + own[1] - 2 * float(found.spread[0, 1])
    if min(found.freedom) < 1 or not variance >= 0:
        return math.nan, math.nan
    below = sum(each**2 / freedom for each, freedom in zip(own, found.freedom, strict=True))
    return math.sqrt(variance), (own[0] + own[1]) ** 2 / below if below > 0 else math.inf


def gap_interval(found: Sampled, confidence: float) -> Interval:
    """Return the interval of the gap between two means; NaN where it is not known."""
    error, freedom = error_of_gap(found)
    # Amounts that are all alike say nothing where they are few; where they are many, that they are alike.
    if not error > 0 and not (error == 0 and min(found.units) >= ENOUGH):
        return Interval(math.nan, math.nan)
    half = float(special.stdtrit(freedom, (1 + confidence) / 2)) * error if error else 0.0
    difference = found.values[0] - found.values[1]
    return Interval(difference - half, difference + half)


def common_mean_gap(
    counts: pd.DataFrame, strata: Sequence[tuple[Mask, Mask]], samples: Sequence[Sampled], drawn: Drawn
) -> CommonGap:
    """Return the gap of means over strata, with what few rows of a cell do not show of its spread.

    A cell of one row takes the spread within the other cells of its group, and degrees of freedom are put together as
    Satterthwaite does. Few rows, of which no cell shows a spread, say nothing.
    """
    sizes = stratum_weights(counts, strata)
    shown, n = np.array([np.diag(each.spread) for each in samples]), np.array([each.n_like for each in samples])
    variances, lent, below = np.zeros(n.shape), 0.0, 0.0
    for place, alone in enumerate((n < FEW_ROWS).T):
        v, rows = shown[:, place], n[:, place]
        spare = float((rows[~alone] - 1).sum())
        variances[~alone, place] = (v * rows)[~alone] / (rows[~alone] - 1)
        if alone.any():
            pooled = float((v * rows**2)[~alone].sum()) / spare if spare > 0 else math.nan
            variances[alone, place] = pooled / rows[alone]
            borrowed = float(((sizes / sizes.sum()) ** 2 * variances[:, place])[alone].sum())
            lent += borrowed
            below += borrowed**2 / spare if borrowed > 0 else 0.0
    found = standardised(counts, strata, samples, drawn, variances)
    size = max(value**2 for each in samples for value in each.values)
    if not (shown > NEARLY * size).any() and sum(sum(each.units) for each in samples) < ENOUGH:
        return replace(found, variance=math.nan)
    below += (found.variance - lent) ** 2 / found.freedom if found.freedom > 0 else math.nan
    return replace(found, freedom=found.variance**2 / below if below > 0 else found.freedom)
