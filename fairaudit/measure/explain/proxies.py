"""How well each column stands in for the protected group, and what the gap is among people alike in it."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any
from zlib import crc32

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import special

from fairaudit.columns import Column
from fairaudit.conditions import Condition
from fairaudit.data.case_counts import as_weighted
from fairaudit.data.code_columns import place_kind
from fairaudit.data.given import SaidCounts, SaidLabels, documented
from fairaudit.data.roles import is_identifier
from fairaudit.data.table import Table
from fairaudit.defaults import USUAL_CONFIDENCE
from fairaudit.disclosure.fields import column, columns, figure, setting
from fairaudit.errors import GroupError, InputError, quote, require
from fairaudit.findings.result import Result
from fairaudit.measure.bands import quantile_bins, sums_by_code
from fairaudit.measure.comparison import check_settings, check_whole
from fairaudit.measure.controlled import column_list, protected_condition
from fairaudit.measure.explain.explaining import Estimating, divide
from fairaudit.measure.explain.parts import gap_of
from fairaudit.measure.explain.results import Estimate
from fairaudit.measure.explain.rows import Control, Floats, Rows, read_rows
from fairaudit.measure.grouping import MISSING
from fairaudit.measure.intervals import holm, newcombe
from fairaudit.measure.plain import Plain
from fairaudit.measure.results import Interval
from fairaudit.measure.weighted import asked_design

BANDS = 20
"""Bands of about equal size that numbers with more values are put into."""

LEAST_JUDGED = 10
"""People of either group in the half that judges, without whom nothing is said of a column."""

PROXIES = columns(
    column=column(str, "The column.", "column"),
    holds=column(
        str,
        "zip_codes, places or codes, by its name and the shape of its texts; empty for all else.",
        "holds",
        "text",
        "Zip codes, names of places or other codes, as its name and texts say.",
    ),
    revealed=column(
        float,
        "How much of the group it tells beyond chance: the share of the protected group that its values point to, "
        "minus that of everyone else, on the half of the rows that judges (Youden's index).",
        "revealed beyond chance",
        "share",
        "0% is guessing, 100% is knowing the group of everybody.",
    ),
    revealed_low=column(
        float,
        "Low end of its interval.",
        "its range",
        "share_interval",
        "Its likely range, of this column alone.",
    ),
    revealed_high=column(float, "High end of its interval."),
    p_value=column(
        float,
        "Of the column being independent of the group, allowing for all columns (Holm).",
        "p, all columns",
        "p",
        "That it has nothing to do with the group, allowing for all columns (Holm).",
    ),
    is_proxy=column(
        bool,
        "Whether it goes with the group, allowing for all columns, and its range is above chance.",
        "stands in",
        "text",
        "yes: more than chance, allowing for all columns.",
    ),
    gap=column(
        float,
        "The gap among people who are alike in it; numbers with many values in fifths.",
        "gap among people alike in it",
        "points",
        "The gap without what the column stands for.",
        turns=True,
    ),
    gap_low=column(
        float, "Low end of its interval.", "range of that gap", "points_interval", "Its likely range.", turns=True
    ),
    gap_high=column(float, "High end of its interval."),
    compared=column(
        float,
        "The share of all people who have a counterpart in the other group, alike in it.",
        "with a counterpart",
        "share",
        "People for whom somebody of the other group is alike in the column.",
    ),
)


@dataclass(frozen=True, eq=False)
class Proxies(Plain, Result):
    """The answer of :func:`fairaudit.find_proxies`."""

    decision: str = setting("The decision column.")
    favorable: str | None = setting("The condition of the good outcome; None for an amount.")
    protected_condition: str = setting("Who is protected.")
    where: str | None = setting("The filter.")
    confidence: float = setting("Of the intervals, and of what is said of all columns together.")
    gap: Estimate = figure("The gap between both groups, whoever is alike.", label="gap")
    by_column: pd.DataFrame = figure(
        "One row a column, first what tells most.", PROXIES, label="How well each column stands in for the group"
    )

    @property
    def found(self) -> tuple[str, ...]:
        """The columns that tell more than chance, allowing for all of them."""
        return tuple(self.by_column.loc[self.by_column["is_proxy"].astype(bool), "column"])


@documented()
def find_proxies(
    table: object,
    *,
    decision: str,
    favorable: object = None,
    protected: Condition | str,
    columns: str | Sequence[str] | None = None,
    where: Condition | str | None = None,
    confidence: float = USUAL_CONFIDENCE,
    cluster: str | None = None,
    random_state: int = 0,
    weights: str | None = None,
    design_strata: str | None = None,
    design_clusters: str | None = None,
    counts: SaidCounts = None,
    labels: SaidLabels = None,
) -> Proxies:
    """Measure how well each column stands in for the protected group.

    Who may not use the group can still decide by a column that stands for it, such as a zip code. That a column does is
    no fault in itself: it may rightly count. For several columns together use :func:`fairaudit.explain_gap`.

    Parameters
    ----------
    favorable : value, list of values or Condition, optional
        What counts as the good outcome in it; without it the decision is an amount.
    protected : Condition or str
        Who is protected. A row where this is unknown is left out.
    columns : str or sequence of str, optional
        The columns to look at; without it all but the decision and those that say who is protected.
    cluster : str, optional
        A column whose values hold rows that depend on each other: they are kept in one half, and ranges allow for it.
    random_state : int
        Divides the rows into halves.
    weights, design_strata, design_clusters : str, optional
        The columns of the sampling weights, the strata and the first clusters of a survey.

    Returns
    -------
    Proxies
        A row a column: how much it tells beyond chance, and the gap among people who are alike in it.

    Raises
    ------
    InputError
        If a column, value, condition or setting does not fit.
    GroupError
        If a group has no rows.

    Notes
    -----
    One half of the rows, drawn at random, learns which values the protected group has more often than everyone else;
    the other half judges: ``revealed = P(such a value | protected) - P(such a value | others)``, twice the balanced
    accuracy less 1. It is 0 for a column that says nothing, also for one with many values, and on average at most what
    the best rule by the column reaches. Numbers with many values are put into 20 bands; a missing value is a value.
    Ranges are Newcombe's. A column stands in where its range is above 0 and all rows show, allowing for all columns,
    that it goes with the group: by Pearson's statistic, with the mean and variance that it has where groups are dealt
    at random. With clusters or weights range and test follow from how rows of the half that judges were drawn.
    The gap is that of people alike in the column, as :func:`fairaudit.explain_gap` has it with ``reference="similar"``.
    Columns that name rows, or hold one value, are left out. One query a column; time grows with its values.

    References
    ----------
    Youden (1950), "Index for rating diagnostic tests"; Powers (2011), "Evaluation: from precision, recall and F-measure
    to ROC, informedness, markedness and correlation"; Haldane (1940), "The mean and variance of chi-squared, when used
    as a test of homogeneity, when expectations are small"; Holm (1979), "A simple sequentially rejective multiple test
    procedure".

    Examples
    --------
    >>> data = pd.DataFrame({"sex": ["F", "M"] * 200, "zip": (["10115", "10117", "10115", "10119"] * 100),
    ...                      "loan": ["yes", "no", "yes", "yes"] * 100})
    >>> found = find_proxies(data, decision="loan", favorable="yes", protected="sex = 'F'")
    >>> found.by_column[["column", "holds", "revealed", "is_proxy"]].to_dict("records")
    [{'column': 'zip', 'holds': 'zip_codes', 'revealed': 1.0, 'is_proxy': True}]
    """
    check_settings(0.0, confidence)
    check_whole("random_state", random_state, 0)
    table = as_weighted(
        table,
        decision=decision,
        weights=weights,
        design_strata=design_strata,
        design_clusters=design_clusters,
        counts=counts,
        labels=labels,
    )
    table = asked_design(table, cluster)
    cluster = cluster if table.design is None else table.design.clusters
    condition, within = protected_condition(table, protected), table.condition(where)
    if columns is None:
        names = proxy_columns(table, {decision, cluster, *condition.columns})
    else:
        names = column_list(columns, "columns", table) if columns else ()
        if decision in names:
            raise InputError(f"'columns' must not hold the decision, got {quote(decision)}.", hint="Leave it out.")
    asked: dict[str, Any] = {
        "decision": decision,
        "favorable": favorable,
        "protected": condition,
        "where": within,
        "cluster": cluster,
    }
    # What is compared is known without a column, and refused where it cannot be.
    rows, _, _, good = read_rows(table, **asked, controls=(), is_checked=False)
    records = [_record(table, name, asked, confidence, random_state) for name in names]
    frame = pd.DataFrame([each for each in records if each is not None], columns=list(PROXIES))
    frame["p_value"] = holm(frame["p_value"].astype(float))
    frame["is_proxy"] = (frame["p_value"] < 1 - confidence) & (frame["revealed_low"] > 0)
    frame = frame.sort_values("revealed", ascending=False, kind="stable", na_position="last", ignore_index=True)
    return Proxies(
        decision=decision,
        favorable=good,
        protected_condition=str(condition),
        where=None if within is None else str(within),
        confidence=confidence,
        gap=Estimating(rows, confidence).part(gap_of(rows)),
        by_column=frame,
    )


def proxy_columns(table: Table, left_out: Collection[str | None]) -> tuple[str, ...]:
    """Return the columns of a table but those left out, and those that say how rows were drawn."""
    design = table.design
    drawn = () if design is None else (design.weights, design.strata, design.clusters)
    return tuple(name for name in table.columns if name not in left_out and name not in drawn)


def _record(
    table: Table, name: str, asked: dict[str, Any], confidence: float, random_state: int
) -> tuple[object, ...] | None:
    """Return what is found of a column; None of one that says nothing of other people."""
    try:
        rows, *_ = read_rows(table, **asked, controls=name, is_checked=False)
    except InputError:
        # Too many combinations, or endless numbers: nobody can be alike in such a column.
        return None
    [control], declared = rows.controls, table.columns[name]
    if np.ptp(_values(control, rows)) == 0 or _names_rows(declared, control, rows):
        return None
    if control.numbers is not None and place_kind(declared, ()) is not None:
        # Numbers that are codes are near to no other ones.
        control = _by_value(control)
        rows = replace(rows, controls=(control,))
    codes = _values(control, rows)
    revealed, p_value = _told(codes, rows, confidence, np.random.default_rng([random_state, crc32(name.encode())]))
    try:
        divided = divide(rows, "strata", "similar", confidence)
        gap, compared = divided.unexplained, float(rows.n[divided.common].sum() / rows.n.sum())
    except GroupError:
        gap, compared = Estimate(math.nan, Interval(math.nan, math.nan)), 0.0
    holds = place_kind(declared, control.levels) or ""
    return (name, holds, revealed.value, *revealed.interval, p_value, False, gap.value, *gap.interval, compared)


def _values(control: Control, rows: Rows) -> NDArray[np.int64]:
    """Return the value of each combination as a code; numbers with many values are put into bands."""
    if control.numbers is None:
        return control.codes
    known = np.isfinite(control.numbers)
    place = np.unique(control.numbers[known], return_inverse=True)[1]
    bins = quantile_bins(sums_by_code(place, rows.n[known]), BANDS)
    codes = np.full(len(known), bins.max() + 1)
    codes[known] = bins[place]
    return np.unique(codes, return_inverse=True)[1].astype(np.int64)


def _by_value(control: Control) -> Control:
    """Return a control in which each number is a class of its own."""
    values, codes = np.unique(require(control.numbers), return_inverse=True)
    levels = tuple(MISSING if math.isnan(value) else f"{value:g}" for value in values.tolist())
    return Control(control.name, codes.astype(np.int64), levels)


def _names_rows(declared: Column, control: Control, rows: Rows) -> bool:
    numbers = control.numbers
    if numbers is None:
        known = rows.people[control.codes < len(control.levels) - (control.levels[-1:] == (MISSING,))]
        return is_identifier(declared, int(known.sum()), len(control.levels), fractions=0, half_span=None)
    finite = np.isfinite(numbers)
    own, n = numbers[finite], int(rows.people[finite].sum())
    fractions, half = int((own != np.trunc(own)).sum()), float(own.max() / 2 - own.min() / 2)
    return is_identifier(declared, n, len(np.unique(own)), fractions=fractions, half_span=half)


def _told(codes: NDArray[np.int64], rows: Rows, confidence: float, rng: np.random.Generator) -> tuple[Estimate, float]:
    """Return how much a column tells beyond chance, with its range, and the one-sided p-value of nothing."""
    order = np.lexsort((rows.weights, rows.y, codes, rows.protected))
    judging = np.zeros(len(codes))
    if rows.clusters is None:
        # Each person falls into either half by the toss of a coin.
        judging[order] = rng.binomial(rows.people[order].astype(np.int64), 0.5)
    else:
        ids = np.unique(rows.clusters)
        first = np.isin(rows.clusters, rng.permutation(ids)[: len(ids) // 2])
        judging[first] = rows.people[first]
    learning, size = (rows.people - judging) * rows.weights, int(codes.max()) + 1
    sides = (rows.protected, ~rows.protected)
    inside, outside = (sums_by_code(codes, learning * side, size) for side in sides)
    points = inside * outside.sum() > outside * inside.sum()
    judged = replace(_part(rows, judging), y=points[codes][judging > 0].astype(float), is_share=True)
    sizes = [int(judged.people[judged.protected == side].sum()) for side in (True, False)]
    if min(sizes) < LEAST_JUDGED or min(inside.sum(), outside.sum()) == 0 or not _has_units(judged):
        return Estimate(math.nan, Interval(math.nan, math.nan)), math.nan
    estimating, moved = Estimating(judged, confidence), gap_of(judged)
    if judged.clusters is None and judged.sample is None:
        hit = [judged.n_good(side) for side in (True, False)]
        low, high = newcombe(hit[0], sizes[0], hit[1], sizes[1], confidence)
        found = Estimate(moved.value, Interval(float(low), float(high)))
        return found, independence_p_value(*(sums_by_code(codes, rows.people * s, size) for s in sides))
    half = estimating.p_value(moved.value, estimating.error(moved)) / 2
    one_sided = half if moved.value > 0 else 1 - half
    return estimating(moved), one_sided if math.isfinite(one_sided) else 1.0


def independence_p_value(inside: Floats, outside: Floats) -> float:
    """Return the p-value of two groups having the same shares of all values, also where most values are rare.

    Shapes: (n_values,) each, counts of people. The statistic is Pearson's, and its distribution that gamma which has
    its mean and variance where the groups are dealt at random among all people.

    References
    ----------
    Haldane (1940), for mean and variance.

    Examples
    --------
    >>> print(f"{independence_p_value(np.array([30.0, 20.0, 10.0]), np.array([20.0, 30.0, 10.0])):.3f}")
    0.136
    """
    counts = np.array([inside, outside])
    counts = counts[:, counts.sum(axis=0) > 0]
    n, sums, totals = counts.sum(), counts.sum(axis=1), counts.sum(axis=0)
    n_values = len(totals)
    if n_values < 2 or n < 4 or not sums.all():
        return 1.0
    found = n * (float((counts**2 / np.outer(sums, totals)).sum()) - 1)
    mean = n / (n - 1) * (n_values - 1)
    spread, rare = [], []
    for each in (sums, totals):
        spread.append((len(each) - 1) * (n - len(each)) / (n - 1))
        rare.append((n * float((1 / each).sum()) - len(each) ** 2) / (n - 2))
    variance = 2 * n / (n - 3) * (spread[0] - rare[0]) * (spread[1] - rare[1]) + n**2 / (n - 1) * rare[0] * rare[1]
    if not variance > 0:
        return 1.0
    return float(special.gammaincc(mean**2 / variance, found * mean / variance))


def _has_units(rows: Rows) -> bool:
    return rows.clusters is None or all(
        len(np.unique(rows.clusters[rows.protected == side])) > 1 for side in (True, False)
    )


def _part(rows: Rows, people: Floats) -> Rows:
    """Return some people of each combination, weighted as they were."""
    kept = people > 0
    part = rows.kept(kept)
    n = people[kept] * part.weights
    sample = part.sample
    if sample is not None:
        counts = sample.counts.assign(n=people[kept], w=n, w2=n**2 / people[kept])
        sample = replace(sample, counts=counts)
    return replace(part, people=people[kept], n=n, sample=sample)
