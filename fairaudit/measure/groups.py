"""Every group of a column, or of a crossing of columns, against the rest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import numpy as np
import pandas as pd

from fairaudit.conditions import Condition
from fairaudit.data.case_counts import as_weighted
from fairaudit.data.given import SaidCounts, SaidLabels, documented
from fairaudit.data.roles import AskedOf
from fairaudit.data.table import Table
from fairaudit.defaults import ENOUGH, USUAL_CONFIDENCE, USUAL_TOLERANCE
from fairaudit.errors import GroupError, InputError, quote
from fairaudit.findings import REST
from fairaudit.measure import clusters, weighted
from fairaudit.measure.bands import proposed_cuts, quantile_bins
from fairaudit.measure.comparison import check_settings, compare_many, sides_at
from fairaudit.measure.controlled import (
    TALLY,
    AskedQuestion,
    check_weighty,
    column_list,
    last_key,
    protected_condition,
    sum_by,
)
from fairaudit.measure.grouping import check_group_count, group_names, place_of, plain_value, value_text
from fairaudit.measure.intervals import holm
from fairaudit.measure.not_known import find_not_known, refuse_open
from fairaudit.measure.results import Comparison, GroupComparison, GroupRow, StratumRow
from fairaudit.measure.strata import read_together, stratum_rows, weighted_strata
from fairaudit.measure.verdicts_of_many import SidesAt, by_holm, sides_by


@documented()
def check_groups(
    table: object,
    *,
    decision: str,
    favorable: object,
    by: str | Sequence[str],
    where: Condition | str | None = None,
    reference: object = None,
    tolerance: float = USUAL_TOLERANCE,
    confidence: float = USUAL_CONFIDENCE,
    min_count: int = ENOUGH,
    cluster: str | None = None,
    weights: str | None = None,
    design_strata: str | None = None,
    design_clusters: str | None = None,
    counts: SaidCounts = None,
    labels: SaidLabels = None,
) -> GroupComparison:
    """Compare each value of a column, or each crossing of several, with all other known rows or with one of them.

    For each group: ``share(group) - share(rest)``, with p-values and verdicts adjusted by Holm's method for the number
    of questions: one a group, and one in all where there are two groups without a reference. Intervals are not.
    `cluster`, `weights`, `design_strata` and `design_clusters` are those of
    :func:`fairaudit.check_controlled_fairness`.

    Parameters
    ----------
    reference : value, optional
        The group that all others are compared with; without it each is compared with all others together.
    min_count : int
        Groups with fewer rows are small.
    cluster : str, optional
        A column whose values hold rows that depend on each other; intervals and verdicts then allow for that.

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

    Examples
    --------
    >>> data = pd.DataFrame({"area": list("aabbcc"), "loan": ["yes", "no", "yes", "yes", "no", "no"]})
    >>> result = check_groups(data, decision="loan", favorable="yes", by="area")
    >>> [(row.name, row.comparison.difference) for row in result.rows]
    [('a', 0.0), ('b', 0.75), ('c', -0.75)]
    """
    check_settings(tolerance, confidence)
    if isinstance(min_count, bool) or not isinstance(min_count, int) or min_count < 1:
        raise InputError(f"'min_count' must be an int of at least 1, got {min_count!r}.")
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
    names = column_list(by, "by", question.table)
    if len(names) == 1:
        reference = question.table.columns[names[0]].labelled(reference)
    check_weighty(question.table, dict(zip(names, names, strict=True)), group_names, question.where)
    full = question.tally([*names, *question.clustered_by(cluster)])
    keys = list(range(len(names)))
    tally = sum_by(full, keys)
    known = tally[keys].notna().all(axis=1)
    groups, unknown = tally[known].reset_index(drop=True), int(tally.loc[~known, ["n", "undecided"]].to_numpy().sum())
    check_group_count(len(groups), names)
    called = group_names(groups[keys]) if len(groups) else []
    if len(groups) < 2:
        found = f"only the group {quote(called[0])}" if called else "no group"
        raise GroupError(
            f"{', '.join(map(quote, names))} has {found} among the rows looked at ({unknown:,} unknown).",
            uncounted=f"{', '.join(map(quote, names))} has {found} among the rows looked at.",
            hint="Choose another column or a wider filter.",
        )
    base = None if reference is None else place_of(reference, called)
    # Of two groups, each is the rest of the other: that is one question, asked twice.
    questions = 1 if base is None and len(groups) == 2 else None
    comparisons = _compare(groups, called, base, tolerance, confidence)
    read: SidesAt[Comparison] = sides_at
    if question.drawn is not None:
        known_of, pairs = _pairs(full, groups[keys], base)
        samples = [weighted.sampled_shares(known_of, *pair, question.drawn) for pair in pairs]
        comparisons = tuple(map(weighted.with_weights, comparisons, samples))
        read = sides_by([partial(weighted.gap_interval, each) for each in samples])
    elif cluster is not None:
        cells = _cells(full, groups[keys], base)
        comparisons = tuple(map(clusters.allowing_for_clusters, comparisons, cells))
        pairs_of = zip(comparisons, cells, strict=True)
        read = sides_by([partial(clusters.gap_interval, each, own) for each, own in pairs_of])
    comparisons = by_holm(comparisons, read, questions=questions)
    p_values = [c.p_value for c in comparisons]
    adjusted = p_values if questions == 1 else holm(p_values)
    values = [tuple(zip(names, map(plain_value, row), strict=True)) for row in groups[keys].itertuples(index=False)]
    shown = [i for i in range(len(groups)) if i != base]
    rows = tuple(
        GroupRow(values[i], comparison, float(p), comparison.protected.n < min_count)
        for i, comparison, p in zip(shown, comparisons, adjusted, strict=True)
    )
    return GroupComparison(
        columns=names,
        reference=None if base is None else called[base],
        rows=rows,
        unknown=unknown,
        undecided=int(groups["undecided"].sum()),
        min_count=min_count,
        where=None if question.where is None else str(question.where),
        worst_pair=_worst_pair(groups, called, min_count),
        not_known=refuse_open(find_not_known(question.table, question.outcome, where=question.where, columns=names)),
        asked=AskedOf(question.outcome.column, question.outcome, names),
    )


def _compare(
    groups: pd.DataFrame, labels: list[str], base: int | None, tolerance: float, confidence: float
) -> tuple[Comparison, ...]:
    if base is None:
        mine, other, names = groups, groups[TALLY].sum() - groups[TALLY], [(label, REST) for label in labels]
    else:
        mine = groups.drop(index=base)
        other = pd.DataFrame([groups.loc[base, TALLY]] * len(mine))
        names = [(label, labels[base]) for i, label in enumerate(labels) if i != base]
    undecided = list(zip(mine["undecided"].tolist(), other["undecided"].tolist(), strict=True))
    return compare_many(
        mine["positives"].tolist(),
        mine["n"].tolist(),
        other["positives"].tolist(),
        other["n"].tolist(),
        names=names,
        undecided=undecided,
        tolerance=tolerance,
        confidence=confidence,
    )


def _pairs(
    full: pd.DataFrame, groups: pd.DataFrame, base: int | None
) -> tuple[pd.DataFrame, list[tuple[pd.Series, pd.Series]]]:
    """Return the counts of all groups, and which are of each that is compared and of what it is compared with."""
    keys = list(groups)
    known = full[full[keys].notna().all(axis=1)].reset_index(drop=True)
    place = known.merge(groups.assign(place=range(len(groups))), on=keys, how="left", validate="many_to_one")["place"]
    shown = [i for i in range(len(groups)) if i != base]
    return known, [(place == i, place != i if base is None else place == base) for i in shown]


def _cells(full: pd.DataFrame, groups: pd.DataFrame, base: int | None) -> list[clusters.Cells]:
    """Return the counts by cluster of each group that is compared and of what it is compared with."""
    known, pairs = _pairs(full, groups, base)
    return [clusters.by_cluster(known, last_key(known), *pair)[0] for pair in pairs]


def _worst_pair(groups: pd.DataFrame, labels: list[str], min_count: int) -> tuple[str, str] | None:
    large = groups.index[groups["n"] >= min_count]
    if len(large) < 2:
        return None
    share_of = ("wy", "w") if "w" in groups else ("positives", "n")
    shares = groups.loc[large, share_of[0]] / groups.loc[large, share_of[1]]
    ordered = shares.sort_values(ascending=False, kind="stable").index
    return labels[ordered[0]], labels[ordered[-1]]


# How the gap changes across the values of any column.

MOST_VALUES = 30
"""Of a column of text, this many of the most frequent values are shown; the others are put together."""

N_BINS = 8
"""Ranges of about equal size for numbers and dates with more values."""


def gap_by_value(
    table: object,
    *,
    decision: str,
    favorable: object,
    protected: Condition | str,
    column: str,
    where: Condition | str | None = None,
    tolerance: float = USUAL_TOLERANCE,
    confidence: float = USUAL_CONFIDENCE,
    n_bins: int = N_BINS,
    weights: str | None = None,
    design_strata: str | None = None,
    design_clusters: str | None = None,
) -> tuple[StratumRow, ...]:
    """Compare the protected group with the rest inside each value, or range of values, of a column.

    This is for looking around: with many values some gaps are large by luck. To control for a column use
    :func:`fairaudit.check_strata`.

    Examples
    --------
    >>> data = pd.DataFrame({"sex": list("FMFM"), "area": list("aabb"), "loan": [1, 1, 0, 1]})
    >>> rows = gap_by_value(data, decision="loan", favorable=1, protected="sex = 'F'", column="area")
    >>> [(row.name, row.difference) for row in rows]
    [('a', 0.0), ('b', -1.0)]
    """
    check_settings(tolerance, confidence)
    if isinstance(n_bins, bool) or not isinstance(n_bins, int) or n_bins < 2:
        raise InputError(f"'n_bins' must be an int of at least 2, got {n_bins!r}.")
    table = as_weighted(
        table, decision=decision, weights=weights, design_strata=design_strata, design_clusters=design_clusters
    )
    question = AskedQuestion.read_weighted(table, decision=decision, favorable=favorable, where=where, cluster=None)
    condition = protected_condition(question.table, protected)
    column_list([column], "column", question.table)
    tally = question.tally([condition, column])
    ordered = question.table.columns[column].is_ordered
    places, names = _ranges(tally, n_bins) if ordered else _values(tally)
    binned = sum_by(tally.assign(place=places), [0, "place", *question.drawn_by]).rename(columns={"place": 1})
    rows = stratum_rows(sum_by(binned, [0, 1]), [column], condition.in_words(), tolerance, confidence)
    if question.drawn is None:
        rows = read_together(rows)
    else:
        rows, _ = weighted_strata(rows, binned, [column], question.drawn)
    return tuple(replace(row, values=((column, names[row.values[0][1]]),)) for row in rows)


def cuts_of_ranges(table: Table, column: str, *, where: Condition | str | None = None) -> tuple[float, ...]:
    """Return round numbers that cut a column into the ranges of :func:`gap_by_value`.

    One of more values than are read for this is cut near its quartiles.

    Examples
    --------
    >>> cuts_of_ranges(Table.from_pandas(pd.DataFrame({"age": range(20, 60)})), "age")
    (25, 30, 35, 40, 45, 50, 55)
    """
    return proposed_cuts(table, column, where=where, n_bins=N_BINS, slack=0)


def _ranges(tally: pd.DataFrame, n_bins: int) -> tuple[pd.Series, list[object]]:
    sizes = (tally["n"] + tally["undecided"]).groupby(tally[1]).sum()
    values = list(sizes.index)
    if len(values) > n_bins:
        bins = quantile_bins(sizes.to_numpy(), n_bins)
        names: list[object] = []
        for place in range(bins[-1] + 1 if len(bins) else 0):
            inside = [value for value, b in zip(values, bins, strict=True) if b == place]
            low, high = value_text(inside[0]), value_text(inside[-1])
            names.append(low if low == high else f"{low} to {high}")
    else:
        bins, names = np.arange(len(values)), values
    return _placed(tally[1], dict(zip(values, bins.tolist(), strict=True))), [*names, None]


def _values(tally: pd.DataFrame) -> tuple[pd.Series, list[object]]:
    sizes = (tally["n"] + tally["undecided"]).groupby(tally[1]).sum()
    frequent = sizes.sort_values(ascending=False, kind="stable").index[:MOST_VALUES]
    kept = sorted(frequent)
    place = {value: kept.index(value) if value in set(kept) else len(kept) for value in sizes.index}
    others = len(sizes) - len(kept)
    return _placed(tally[1], place), [*kept, *([f"{others:,} other values"] if others else []), None]


def _placed(column: pd.Series, place: dict[object, int]) -> pd.Series:
    return column.map(place).astype("float64").fillna(max(place.values(), default=-1) + 1).astype("int64")
