"""Decisions that are amounts: whether the means of groups are alike, with intervals."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from functools import partial
from typing import Final

import numpy as np
import pandas as pd
from scipy import special

from fairaudit.conditions import Condition
from fairaudit.data.case_counts import as_weighted, weight_warnings
from fairaudit.data.given import OF_AMOUNTS, SaidCounts, SaidLabels, documented
from fairaudit.data.roles import AskedOf
from fairaudit.data.table import Table
from fairaudit.defaults import ENOUGH, USUAL_CONFIDENCE
from fairaudit.errors import GroupError, InputError, quote
from fairaudit.findings import REST, Message
from fairaudit.measure import weighted_means
from fairaudit.measure.bands import Part
from fairaudit.measure.comparison import check_settings, is_number, said_group
from fairaudit.measure.controlled import (
    check_both,
    check_others,
    check_weighty,
    column_list,
    no_rows,
    protected_condition,
)
from fairaudit.measure.grouping import check_group_count, group_names, place_of, plain_value
from fairaudit.measure.intervals import holm, ratio
from fairaudit.measure.not_known import find_not_known, refuse_open
from fairaudit.measure.results import ControlledMeans, GroupComparison, GroupMean, GroupRow, Interval, MeanComparison
from fairaudit.measure.verdicts import Side, side_of
from fairaudit.measure.verdicts_of_many import SidesAt, by_holm, judged, sides_by
from fairaudit.measure.weighted import Mask
from fairaudit.measure.weighted import warnings as few_units
from fairaudit.measure.weighted_means import WeighedAmounts, with_weights
from fairaudit.messages import say

# Counts, means and variances of groups: added up, and compared by Welch's method.

Moments = Mapping[str, float]
"""``n, missing, mean, variance, quarter, median, three_quarters`` of some rows."""

FIGURES: Final = ("n", "missing", "mean", "variance", "quarter", "median", "three_quarters")


def joined(parts: Sequence[Moments]) -> Moments:
    """Return the moments of several parts together; quartiles only where no more than one part has rows."""
    missing = sum(part["missing"] for part in parts)
    filled = [part for part in parts if part["n"]]
    n = sum(part["n"] for part in filled)
    if not filled:
        return dict.fromkeys(FIGURES, math.nan) | {"n": 0.0, "missing": missing}
    if len(filled) == 1:
        return dict(filled[0]) | {"missing": missing}
    mean = sum(part["n"] * part["mean"] for part in filled) / n
    squares = sum(_squares(part) + part["n"] * (part["mean"] - mean) ** 2 for part in filled)
    unknown = dict.fromkeys(("quarter", "median", "three_quarters"), math.nan)
    return {"n": n, "missing": missing, "mean": mean, "variance": squares / (n - 1), **unknown}


def _squares(part: Moments) -> float:
    """Return the sum of squared distances from the mean."""
    return (part["n"] - 1) * part["variance"] if part["n"] > 1 else 0.0


def pooled_variance(parts: Sequence[Moments]) -> float:
    """Return the variance within the parts; NaN where they have no rows to spare."""
    freedom = sum(part["n"] for part in parts) - len(parts)
    return sum(map(_squares, parts)) / freedom if freedom > 0 else math.nan


def _error(protected: Moments, reference: Moments) -> tuple[float, float]:
    """Return the standard error of the difference and its degrees of freedom; NaN where it is not known."""
    shares = [part["variance"] / part["n"] if part["n"] > 1 else math.nan for part in (protected, reference)]
    total = sum(shares)
    if not total > 0:
        return total, math.inf
    below = sum(share**2 / (part["n"] - 1) for share, part in zip(shares, (protected, reference), strict=True))
    return math.sqrt(total), total**2 / below


def welch_interval(protected: Moments, reference: Moments, confidence: float) -> Interval:
    """Return the interval of the difference of means; NaN where the spread is not known."""
    error, freedom = _error(protected, reference)
    if error == 0 and min(protected["n"], reference["n"]) < ENOUGH:
        error = math.nan
    half = 0.0 if error == 0 else float(special.stdtrit(freedom, (1 + confidence) / 2)) * error
    difference = float(protected["mean"] - reference["mean"])
    return Interval(difference - half, difference + half)


def welch_p_value(protected: Moments, reference: Moments) -> float:
    """Return the two-sided p-value of Welch's t test; NaN where the spread is not known or 0."""
    error, freedom = _error(protected, reference)
    if not error > 0:
        return math.nan
    return float(2 * special.stdtr(freedom, -abs(protected["mean"] - reference["mean"]) / error))


# From the moments of two groups to a verdict with its uncertainty, for decisions that are amounts.

TOLERATED_DEVIATIONS: Final = 0.1
"""The tolerance without another: this share of the standard deviation of all amounts looked at."""


def compare_means(
    protected: Moments,
    reference: Moments,
    *,
    names: tuple[str, str],
    tolerance: float | None = None,
    confidence: float,
) -> MeanComparison:
    """Compare two groups on their mean amount; see :func:`check_means`."""
    tolerance = tolerance_of(tolerance, [protected, reference])
    groups = tuple(_group(part, name, confidence) for part, name in zip((protected, reference), names, strict=True))
    difference = float(protected["mean"] - reference["mean"])
    interval = welch_interval(protected, reference, confidence)
    inner = welch_interval(protected, reference, 2 * confidence - 1) if confidence > 0.5 else interval
    pooled = math.sqrt(pooled_variance([protected, reference]))
    both_positive = protected["mean"] > 0 and reference["mean"] > 0
    compared = MeanComparison(
        protected=groups[0],
        reference=groups[1],
        difference=difference,
        difference_interval=interval,
        equivalence_interval=inner,
        standardized_difference=float(ratio(difference, pooled)),
        ratio=protected["mean"] / reference["mean"] if both_positive else math.nan,
        p_value=welch_p_value(protected, reference),
        tolerance=tolerance,
        confidence=confidence,
        within_tolerance=bool(abs(difference) <= tolerance),
        verdict="too_few_to_tell",
        warnings=_warnings(groups),
    )
    return judged(compared, side_of(interval, inner, tolerance))


def sides_at(comparisons: Sequence[MeanComparison], confidence: float) -> list[Side]:
    """Say where comparisons lie with another confidence."""
    found = []
    for each in comparisons:
        outer, inner = (gap_interval(each, level) for level in (confidence, max(2 * confidence - 1, 0.0)))
        found.append(side_of(outer, inner, each.tolerance))
    return found


def gap_interval(comparison: MeanComparison, confidence: float) -> Interval:
    """Return Welch's interval of a gap between means, from the figures of both groups."""
    protected, reference = (
        {"n": group.n, "mean": group.mean, "variance": group.deviation**2}
        for group in (comparison.protected, comparison.reference)
    )
    return welch_interval(protected, reference, confidence)


def tolerance_of(tolerance: float | None, parts: Sequence[Moments]) -> float:
    """Return a tolerance; without one, a share of the standard deviation of all parts together, as a round figure."""
    if tolerance is not None:
        return float(tolerance)
    variance = joined(parts)["variance"]
    return proposed_tolerance(math.sqrt(variance)) if variance > 0 else 0.0


def proposed_tolerance(deviation: float) -> float:
    """Return the tolerance that is proposed for amounts: a tenth of their standard deviation, rounded to one digit.

    One digit is the same on all cases and on those that are set aside, and what a person might have said.

    Examples
    --------
    >>> proposed_tolerance(12_159.0), proposed_tolerance(11_935.97), proposed_tolerance(0.0372)
    (1000.0, 1000.0, 0.004)
    """
    return float(f"{TOLERATED_DEVIATIONS * deviation:.1g}")


def _group(part: Moments, name: str, confidence: float) -> GroupMean:
    n = int(part["n"])
    deviation = math.sqrt(part["variance"]) if n > 1 else math.nan
    half = float(special.stdtrit(n - 1, (1 + confidence) / 2)) * deviation / math.sqrt(n) if n > 1 else math.nan
    interval = Interval(part["mean"] - half, part["mean"] + half)
    low, middle, high = (float(part[name]) for name in ("quarter", "median", "three_quarters"))
    return GroupMean(name, n, float(part["mean"]), deviation, interval, low, middle, high, int(part["missing"]))


def _warnings(groups: Sequence[GroupMean]) -> tuple[str, ...]:
    """Say where few amounts pull a mean; the median is what one person has, so this declares nothing."""
    pulled = [group for group in groups if group.deviation > 0 and abs(group.mean - group.median) > group.deviation]
    return tuple(say(Message("doubt-extremes", {"group": said_group(group.name)})) for group in pulled)


def check_tolerance(tolerance: object) -> None:
    """Refuse a tolerance that is neither None nor a finite number of at least 0."""
    if tolerance is not None and not (is_number(tolerance) and tolerance >= 0):
        raise InputError(
            f"'tolerance' must be a number of at least 0 or None, got {tolerance!r}.",
            hint="It is in the unit of the amount.",
        )


LARGEST: Final = 1e150
"""Means and variances up to this can be squared and added up in double precision."""


@documented(OF_AMOUNTS)
def check_means(
    table: object,
    *,
    decision: str,
    protected: Condition | str,
    where: Condition | str | None = None,
    tolerance: float | None = None,
    confidence: float = USUAL_CONFIDENCE,
    weights: str | None = None,
    design_strata: str | None = None,
    design_clusters: str | None = None,
    counts: SaidCounts = None,
    labels: SaidLabels = None,
) -> ControlledMeans:
    """Compare the mean amount of a protected group with that of the rest of a filtered population.

    Among the rows that meet `where`: ``mean(protected) - mean(not protected)``. For a decision with a good outcome use
    :func:`fairaudit.check_controlled_fairness`.

    Returns
    -------
    ControlledMeans
        Both groups, the difference and its interval, and the verdict.

    Raises
    ------
    InputError
        If a column, value, condition or setting does not fit.
    GroupError
        If no row meets the filter, or there are fewer than two groups with rows to compare.

    Notes
    -----
    One GROUP BY over the data. ``verdict`` is ``no_gap_above_tolerance`` when Welch's interval at ``1 - 2a``
    (``a = 1 - confidence``) lies inside plus or minus the tolerance, ``clear_gap`` when the one at ``1 - a`` lies
    wholly outside, ``gap_size_unclear`` when that leaves out zero, otherwise ``too_few_to_tell``. With `weights`, those
    of :func:`fairaudit.check_controlled_fairness`, means and quartiles are weighted, and variances linearised.

    References
    ----------
    Welch (1947); Schuirmann (1987) for the two one-sided tests.

    Examples
    --------
    >>> data = pd.DataFrame({"sex": list("FFFMMM"), "pay": [20, 22, 24, 30, 32, 34]})
    >>> result = check_means(data, decision="pay", protected="sex = 'F'", tolerance=1)
    >>> result.difference, result.protected.mean, result.verdict
    (-10.0, 22.0, 'clear_gap')
    """
    check_settings(0.0, confidence)
    check_tolerance(tolerance)
    table = as_weighted(
        table,
        decision=decision,
        weights=weights,
        design_strata=design_strata,
        design_clusters=design_clusters,
        counts=counts,
        labels=labels,
    )
    condition, within = protected_condition(table, protected), table.condition(where)
    amounts = None if table.design is None else weighed(table, decision, {"protected": condition}, within)
    moments = finite_moments(table, decision, {"protected": condition}, within) if amounts is None else amounts.counts
    states = _states(moments["protected"])
    if amounts is None:
        parts = {state: _row(moments, mask) for state, mask in states.items()}
    else:
        own = _states(amounts.quartiles["protected"])
        parts = {state: amounts.with_quartiles(amounts.moments(mask), own[state]) for state, mask in states.items()}
    unknown = int(parts[None]["n"] + parts[None]["missing"])
    population = unknown + int(sum(parts[inside][name] for inside in (True, False) for name in ("n", "missing")))
    check_others(condition.in_words(), int(parts[True]["n"] + parts[True]["missing"]), population)
    with_amount = [(int(parts[inside]["n"]), int(parts[inside]["missing"])) for inside in (True, False)]
    check_both(condition, with_amount, unknown, "an amount")
    both = joined([parts[True], parts[False]]) if amounts is None else amounts.moments(states[True] | states[False])
    compared = compare_means(
        parts[True],
        parts[False],
        names=(condition.in_words(), REST),
        tolerance=tolerance_of(tolerance, [both]),
        confidence=confidence,
    )
    if amounts is not None:
        found = amounts.sampled(states[True].to_numpy(dtype=bool), states[False].to_numpy(dtype=bool))
        compared = with_weights(compared, found, [parts[True], parts[False]])
        compared = replace(compared, warnings=compared.warnings + few_units(found, amounts.drawn.design))
    sizes = (compared.protected.n, compared.reference.n)
    compared = replace(compared, warnings=compared.warnings + weight_warnings(table))
    return ControlledMeans(
        **{field.name: getattr(compared, field.name) for field in fields(MeanComparison)},
        decision=decision,
        protected_condition=str(condition),
        where=None if within is None else str(within),
        n_population=population,
        n_filtered_out=table.n_rows - population,
        unknown=unknown,
        undecided=int(parts[True]["missing"] + parts[False]["missing"]),
        design=table.design,
        didi=float(sum(abs(parts[inside]["mean"] - both["mean"]) for inside in (True, False))),
        not_known=refuse_open(find_not_known(table, decision, where=within, protected=condition, sizes=sizes)),
    )


def _states(protected: pd.Series) -> dict[bool | None, pd.Series]:
    """Return which counts are of people inside the group, outside, and in neither."""
    return {
        True: protected.fillna(False).astype(bool),
        False: ~protected.fillna(True).astype(bool),
        None: protected.isna(),
    }


def weighed(table: Table, decision: str, by: Mapping[str, Part], where: Condition | None) -> WeighedAmounts:
    """Return the amounts of a table with weights; refuse one without rows."""
    amounts = WeighedAmounts.of(table, decision, by, where)
    if not len(amounts.counts) or not amounts.counts[["n", "missing"]].to_numpy().sum():
        raise no_rows(table, where)
    return amounts


@documented(OF_AMOUNTS)
def check_group_means(
    table: object,
    *,
    decision: str,
    by: str | Sequence[str],
    where: Condition | str | None = None,
    reference: object = None,
    tolerance: float | None = None,
    confidence: float = USUAL_CONFIDENCE,
    min_count: int = ENOUGH,
    weights: str | None = None,
    design_strata: str | None = None,
    design_clusters: str | None = None,
    counts: SaidCounts = None,
    labels: SaidLabels = None,
) -> GroupComparison:
    """Compare the mean amount of each value of a column, or crossing of several, with all other known rows or one.

    Parameters
    ----------
    reference : value, optional
        The group that all others are compared with; without it each is compared with all others together.
    min_count : int
        Groups with fewer rows are small.

    Returns
    -------
    GroupComparison
        A row a group, and the pair that is furthest apart.

    Raises
    ------
    InputError
        If a column, value, condition or setting does not fit.
    GroupError
        If no row meets the filter, or there are fewer than two groups with rows to compare.

    Notes
    -----
    The quartiles of "the rest" are not known from those of its parts: they are NaN there.

    Examples
    --------
    >>> data = pd.DataFrame({"area": list("aabbcc"), "pay": [1, 2, 3, 4, 5, 6]})
    >>> result = check_group_means(data, decision="pay", by="area", reference="a")
    >>> [(row.name, row.comparison.difference) for row in result.rows]
    [('b', 2.0), ('c', 4.0)]
    """
    check_settings(0.0, confidence)
    check_tolerance(tolerance)
    table = as_weighted(
        table,
        decision=decision,
        weights=weights,
        design_strata=design_strata,
        design_clusters=design_clusters,
        counts=counts,
        labels=labels,
    )
    names = column_list(by, "by", table)
    within = table.condition(where)
    parts: dict[str, str | Condition] = {str(place): name for place, name in enumerate(names)}
    keys = list(parts)
    check_weighty(table, parts, group_names, within)
    amounts = None if table.design is None else weighed(table, decision, parts, within)
    moments = finite_moments(table, decision, parts, within) if amounts is None else _by_group(amounts, keys)
    known = moments[keys].notna().all(axis=1)
    groups = moments[known].reset_index(drop=True)
    unknown = moments.loc[~known, ["n", "missing"]].sum()
    check_group_count(len(groups), names)
    called = group_names(groups[keys]) if len(groups) else []
    if len(groups) < 2:
        raise GroupError(
            f"{', '.join(map(quote, names))} has {len(groups)} groups among the rows looked at; 2 are needed.",
            hint="Choose another column or a wider filter.",
        )
    base = None if reference is None else place_of(reference, called)
    figures = groups[list(FIGURES)].astype(float).to_dict("records")
    shown = [place for place in range(len(groups)) if place != base]
    pairs = [] if amounts is None else _pairs(amounts, groups[keys], base)
    if amounts is None:
        others = [
            figures[base] if base is not None else joined(figures[:place] + figures[place + 1 :]) for place in shown
        ]
        whole: Sequence[Moments] = figures
    else:
        others = [figures[base] if base is not None else amounts.moments(pair[1]) for pair in pairs]
        whole = [amounts.moments(amounts.counts[keys].notna().all(axis=1))]
    compared = [
        compare_means(
            figures[place],
            other,
            names=(called[place], REST if base is None else called[base]),
            tolerance=tolerance_of(tolerance, whole),
            confidence=confidence,
        )
        for place, other in zip(shown, others, strict=True)
    ]
    questions = 1 if base is None and len(groups) == 2 else None
    reading: SidesAt[MeanComparison] = sides_at
    if amounts is not None:
        samples = [amounts.sampled(*pair) for pair in pairs]
        spreads = [[amounts.moments(mask) for mask in pair] for pair in pairs]
        compared = list(map(with_weights, compared, samples, spreads))
        reading = sides_by([partial(weighted_means.gap_interval, each) for each in samples])
    read = by_holm(compared, reading, questions=questions)
    p_values = [each.p_value for each in read]
    adjusted = p_values if questions == 1 else holm(p_values)
    made = tuple(
        GroupRow(tuple(zip(names, map(plain_value, groups.loc[place, keys]), strict=True)), each, float(p), small=small)
        for place, each, p in zip(shown, read, adjusted, strict=True)
        for small in [each.protected.n < min_count]
    )
    return GroupComparison(
        columns=names,
        reference=None if base is None else called[base],
        rows=made,
        unknown=int(unknown["n"] + unknown["missing"]),
        undecided=int(groups["missing"].sum()),
        min_count=min_count,
        where=None if within is None else str(within),
        worst_pair=_worst_pair(groups, called, min_count),
        not_known=refuse_open(find_not_known(table, decision, where=within, columns=names)),
        asked=AskedOf(decision, by=names),
    )


def _by_group(amounts: WeighedAmounts, keys: list[str]) -> pd.DataFrame:
    """Return one row a group with its figures; groups without a value are kept."""
    places = amounts.counts.groupby(keys, dropna=False, sort=False).ngroup()
    groups = amounts.counts[keys][~places.duplicated()].reset_index(drop=True)
    own = groups.merge(amounts.quartiles.assign(row=range(len(amounts.quartiles))), on=keys, how="left")["row"]
    figures = [
        amounts.with_quartiles(amounts.moments(places == place), np.arange(len(amounts.quartiles)) == own[place])
        for place in range(len(groups))
    ]
    return groups.join(pd.DataFrame(figures))


def _pairs(amounts: WeighedAmounts, groups: pd.DataFrame, base: int | None) -> list[tuple[Mask, Mask]]:
    """Return which counts are of each group that is compared, and of what it is compared with."""
    keys = list(groups)
    place = amounts.counts[keys].merge(groups.assign(place=range(len(groups))), on=keys, how="left")["place"]
    shown = [i for i in range(len(groups)) if i != base]
    rest = place.notna()
    return [
        (
            (place == i).to_numpy(dtype=bool),
            ((rest & (place != i)) if base is None else place == base).to_numpy(dtype=bool),
        )
        for i in shown
    ]


def finite_moments(
    table: Table, decision: str, by: dict[str, str | Condition], where: Condition | None
) -> pd.DataFrame:
    """Return the moments of an amount; refuse a table without rows, and amounts that cannot be added up."""
    moments = table.moments(decision, by, where=where)
    if not len(moments) or not moments[["n", "missing"]].to_numpy().sum():
        raise no_rows(table, where)
    check_finite(moments, decision)
    return moments


def check_finite(moments: pd.DataFrame, column: str) -> None:
    """Refuse amounts that cannot be added up."""
    figures = moments.loc[moments["n"] > 0, ["mean", "variance"]].fillna(0.0).to_numpy(dtype=float)
    # Of one infinite amount the mean is infinite; of two with opposite signs it is not a number.
    is_missing = moments.loc[moments["n"] > 0, "mean"].isna().any()
    if is_missing or (np.abs(figures) > LARGEST).any():
        raise InputError(
            f"Column {quote(column)} must hold finite amounts whose squares can be added up, got infinite or larger "
            "ones among the rows looked at.",
            hint="Correct these amounts, or leave the rows out with a filter.",
        )


def _row(moments: pd.DataFrame, mask: pd.Series) -> Moments:
    return joined(moments.loc[mask, list(FIGURES)].astype(float).to_dict("records"))


def _worst_pair(groups: pd.DataFrame, labels: list[str], min_count: int) -> tuple[str, str] | None:
    large = groups.index[groups["n"] >= min_count]
    if len(large) < 2:
        return None
    ordered = groups.loc[large, "mean"].sort_values(ascending=False, kind="stable").index
    return labels[ordered[0]], labels[ordered[-1]]
