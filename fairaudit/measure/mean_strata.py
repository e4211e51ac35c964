"""Amounts inside strata: like cases compared with like, and their common difference."""

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
from fairaudit.data.given import OF_AMOUNTS, SaidCounts, SaidLabels, documented
from fairaudit.defaults import ENOUGH, USUAL_CONFIDENCE
from fairaudit.disclosure.fields import figure, setting
from fairaudit.errors import InputError, require
from fairaudit.findings import REST
from fairaudit.measure import weighted_means
from fairaudit.measure.bands import Bands, Part, counted, strata_parts, stratum_values
from fairaudit.measure.controlled import column_list
from fairaudit.measure.grouping import check_group_count
from fairaudit.measure.means import (
    FIGURES,
    Moments,
    check_means,
    compare_means,
    joined,
    pooled_variance,
    sides_at,
    weighed,
)
from fairaudit.measure.not_known import refuse_open_values
from fairaudit.measure.plain import Hideable
from fairaudit.measure.results import ControlledMeans, Interval, Stratified, StratumRow
from fairaudit.measure.verdicts import equivalence_confidence
from fairaudit.measure.verdicts_of_many import by_holm, sides_by
from fairaudit.measure.weighted import Mask
from fairaudit.measure.weighted_means import WeighedAmounts, with_weights

Cell = tuple[Moments, Moments]
"""The moments of the protected group and of the rest in one stratum."""


@dataclass(frozen=True)
class StratifiedMeans(Stratified):
    """The answer of :func:`fairaudit.measure.check_mean_strata`."""

    pooled: ControlledMeans = figure("The answer without strata.")
    columns: tuple[str, ...] = setting("The columns that make the strata.")
    strata: tuple[StratumRow, ...] = figure(
        "The strata in which both groups have rows with an amount, in ascending order."
    )
    left_out: tuple[str, ...] = figure(
        "Strata in which one of the groups has none: they cannot be compared and do not count."
    )
    common_difference: float = figure("With the strata held equal, protected minus reference.")
    common_difference_interval: Interval = figure("At the confidence of `pooled`.")
    common_equivalence_interval: Interval = figure("The same at 1 - 2a, that of two one-sided tests.")
    p_value: float = figure("Two-sided test of no common difference.")
    reversal: Hideable[bool] = figure("Whether the pooled and the common difference have opposite signs.")


@documented(OF_AMOUNTS)
def check_mean_strata(
    table: object,
    *,
    decision: str,
    protected: Condition | str,
    strata: str | Sequence[str],
    where: Condition | str | None = None,
    tolerance: float | None = None,
    confidence: float = USUAL_CONFIDENCE,
    strata_cuts: Mapping[str, Sequence[float]] | None = None,
    weights: str | None = None,
    design_strata: str | None = None,
    design_clusters: str | None = None,
    counts: SaidCounts = None,
    labels: SaidLabels = None,
) -> StratifiedMeans:
    """Compare the mean amounts of two groups inside each value of one or more columns, and over all together.

    Columns of numbers can be cut into bands by `strata_cuts`, see :func:`fairaudit.check_strata`.

    Parameters
    ----------
    strata : str or sequence of str
        The columns whose values (crossed) make the strata.
    strata_cuts : mapping of str to sequence of float, optional
        For columns of numbers among `strata`, the cuts between bands, ascending, at most 19.

    Returns
    -------
    StratifiedMeans
        The answer without strata, a row a stratum, and the common difference.

    Raises
    ------
    InputError
        If a column, value, condition or setting does not fit.
    GroupError
        If no row meets the filter, or there are fewer than two groups with rows to compare.

    Notes
    -----
    With ``n1, n0`` rows and means ``m1, m0`` in a stratum, the common difference is ``sum(w (m1 - m0)) / sum(w)``,
    ``w = n1 n0 / (n1 + n0)``: the coefficient of the group in a least-squares fit with one constant a stratum, and the
    weights of Mantel and Haenszel. Its variance, ``sum(w^2 (v1 / n1 + v0 / n0)) / sum(w)^2``, allows for spreads that
    differ between cells; its degrees of freedom are Satterthwaite's. A cell of one row takes the variance within the
    other cells of its group. The verdict on a stratum allows for all of them, by Holm's method. With `weights`, those
    of :func:`fairaudit.check_controlled_fairness`, ``w`` is the weight of all who are compared in a stratum, and the
    variance is linearised, with the part of a cell of ``n`` rows multiplied by ``n / (n - 1)``.

    References
    ----------
    Angrist (1998), "Estimating the labor market impact of voluntary military service", on the weights; Satterthwaite
    (1946); Welch (1947).

    Examples
    --------
    >>> data = pd.DataFrame({"area": list("aaaabbbb"), "sex": list("FFMMFFMM"), "pay": [1, 3, 4, 6, 11, 13, 14, 16]})
    >>> result = check_mean_strata(data, decision="pay", protected="sex = 'F'", strata="area")
    >>> result.common_difference, [row.difference for row in result.strata]
    (-3.0, [-3.0, -3.0])
    """
    table = as_weighted(
        table,
        decision=decision,
        weights=weights,
        design_strata=design_strata,
        design_clusters=design_clusters,
        counts=counts,
        labels=labels,
    )
    names = column_list(strata, "strata", table)
    if decision in names:
        raise InputError(
            "'strata' must not name the decision: inside one amount all amounts are alike.",
            hint="Choose a column that may rightly matter, such as the grade.",
        )
    parts = strata_parts(table, names, strata_cuts)
    pooled = check_means(
        table, decision=decision, protected=protected, where=where, tolerance=tolerance, confidence=confidence
    )
    refuse_open_values(table, names, where=table.condition(where))
    condition = table.condition(protected)
    keys = [str(place) for place in range(len(names))]
    by: dict[str, Part] = {"protected": require(condition), **dict(zip(keys, parts, strict=True))}
    if table.design is not None:
        amounts = weighed(table, decision, by, table.condition(where))
        return _weighted(pooled, names, amounts, keys, parts)
    moments = counted(partial(table.moments, decision, where=table.condition(where)), by)
    check_group_count(len(moments[keys].drop_duplicates()), names)
    rows, cells, left_out = [], [], []
    for key, part in moments.sort_values(keys, kind="stable", na_position="last").groupby(
        keys, dropna=False, sort=False
    ):
        inside, outside, neither = (_cell(part, state) for state in (True, False, None))
        values = stratum_values(parts, key)
        compared = compare_means(
            inside,
            outside,
            names=(pooled.protected.name, REST),
            tolerance=pooled.tolerance,
            confidence=confidence,
        )
        row = StratumRow(values, compared, int(neither["n"] + neither["missing"]))
        if inside["n"] and outside["n"]:
            rows.append(row)
            cells.append((inside, outside))
        else:
            left_out.append(row.name)
    read = by_holm([row.means for row in rows], sides_at)
    rows = [replace(row, comparison=comparison) for row, comparison in zip(rows, read, strict=True)]
    difference, interval, p_value = common_mean_difference(cells, confidence)
    narrow = common_mean_difference(cells, equivalence_confidence(confidence))[1]
    reversal = bool(pooled.difference * difference < 0)
    return StratifiedMeans(pooled, names, tuple(rows), tuple(left_out), difference, interval, narrow, p_value, reversal)


def _weighted(
    pooled: ControlledMeans,
    names: tuple[str, ...],
    amounts: WeighedAmounts,
    keys: list[str],
    parts: Sequence[str | Bands],
) -> StratifiedMeans:
    """Return an answer on the people that a sample speaks for: the gap standardised by all who are compared."""
    counts = amounts.counts
    check_group_count(len(counts[keys].drop_duplicates()), names)
    rows, samples, spreads, left_out, held = [], [], [], [], []
    ordered = counts.sort_values(keys, kind="stable", na_position="last")
    for key, part in ordered.groupby(keys, dropna=False, sort=False):
        here = counts.index.isin(part.index)
        masks = {state: here & _state(counts, state) for state in (True, False, None)}
        values = stratum_values(parts, key)
        own = _same_stratum(amounts.quartiles, part.iloc[0], keys)
        moments = {
            state: amounts.with_quartiles(amounts.moments(mask), own & _state(amounts.quartiles, state))
            for state, mask in masks.items()
        }
        row = StratumRow(
            values,
            compare_means(
                moments[True],
                moments[False],
                names=(pooled.protected.name, REST),
                tolerance=pooled.tolerance,
                confidence=pooled.confidence,
            ),
            int(moments[None]["n"] + moments[None]["missing"]),
        )
        if moments[True]["w"] > 0 and moments[False]["w"] > 0:
            pair = (masks[True], masks[False])
            rows.append(row)
            held.append(pair)
            samples.append(amounts.sampled(*pair))
            spreads.append((moments[True], moments[False]))
        else:
            left_out.append(row.name)
    compared = list(map(with_weights, [row.means for row in rows], samples, spreads))
    read = by_holm(compared, sides_by([partial(weighted_means.gap_interval, each) for each in samples]))
    rows = [replace(row, comparison=comparison) for row, comparison in zip(rows, read, strict=True)]
    undefined = Interval(math.nan, math.nan)
    if not held:
        return StratifiedMeans(pooled, names, (), tuple(left_out), math.nan, undefined, undefined, math.nan, False)
    common = weighted_means.common_mean_gap(counts, held, samples, amounts.drawn)
    difference, freedom = common.difference, common.freedom
    error = math.sqrt(common.variance) if common.variance > 0 and freedom > 0 else math.nan
    wide, narrow = (
        Interval(*(difference + side * error * float(special.stdtrit(freedom, (1 + level) / 2)) for side in (-1, 1)))
        for level in (pooled.confidence, equivalence_confidence(pooled.confidence))
    )
    p_value = float(2 * special.stdtr(freedom, -abs(difference) / error)) if error > 0 else math.nan
    reversal = bool(pooled.difference * difference < 0)
    return StratifiedMeans(pooled, names, tuple(rows), tuple(left_out), difference, wide, narrow, p_value, reversal)


def _state(counts: pd.DataFrame, state: bool | None) -> Mask:
    known = counts["protected"]
    return np.asarray(known.isna() if state is None else (known == state).fillna(False), dtype=bool)


def _same_stratum(counts: pd.DataFrame, row: pd.Series, keys: list[str]) -> Mask:
    same = np.ones(len(counts), dtype=bool)
    for key in keys:
        same &= np.asarray(counts[key].isna() if pd.isna(row[key]) else (counts[key] == row[key]).fillna(False), bool)
    return same


def common_mean_difference(cells: Sequence[Cell], confidence: float) -> tuple[float, Interval, float]:
    """Return the difference of means with the strata held equal, its interval and p-value."""
    undefined = Interval(math.nan, math.nan)
    if not cells:
        return math.nan, undefined, math.nan
    weights = [p["n"] * r["n"] / (p["n"] + r["n"]) for p, r in cells]
    total = sum(weights)
    difference = sum(w * (p["mean"] - r["mean"]) for w, (p, r) in zip(weights, cells, strict=True)) / total
    # variance = sum_cells a; Satterthwaite: freedom = variance^2 / sum_cells (a^2 / their own degrees of freedom)
    variance = spread = 0.0
    for side in (0, 1):
        parts = [cell[side] for cell in cells]
        spare = sum(part["n"] - 1 for part in parts)
        borrowed = 0.0
        for weight, part in zip(weights, parts, strict=True):
            share = (weight / total) ** 2 / part["n"]
            if part["n"] > 1:
                variance += share * part["variance"]
                spread += (share * part["variance"]) ** 2 / (part["n"] - 1)
            else:
                borrowed += share * pooled_variance(parts)
        if borrowed:
            variance += borrowed
            spread += borrowed**2 / spare if spare else math.nan
    if math.isnan(variance) or (variance == 0 and sum(p["n"] + r["n"] for p, r in cells) < ENOUGH):
        return float(difference), undefined, math.nan
    error = math.sqrt(variance)
    freedom = variance**2 / spread if spread > 0 else math.inf
    half = float(special.stdtrit(freedom, (1 + confidence) / 2)) * error if error else 0.0
    p_value = float(2 * special.stdtr(freedom, -abs(difference) / error)) if error else math.nan
    return float(difference), Interval(difference - half, difference + half), p_value


def _cell(part: pd.DataFrame, state: bool | None) -> Moments:
    known = part["protected"]
    mask = known.isna() if state is None else (known == state).fillna(False).astype(bool)
    return joined(part.loc[mask, list(FIGURES)].astype(float).to_dict("records"))
