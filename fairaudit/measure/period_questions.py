"""The same question in one period: its answer, and its counts or moments by stratum and by cluster."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from fairaudit.conditions import Condition
from fairaudit.data.case_counts import as_weighted
from fairaudit.data.table import Table
from fairaudit.defaults import USUAL_TOLERANCE
from fairaudit.errors import FairauditError, GroupError, InputError, OpenValuesError
from fairaudit.measure.clusters import Cells, by_cluster
from fairaudit.measure.controlled import (
    AskedQuestion,
    column_list,
    controlled_from_tally,
    protected_condition,
    sides,
    sum_by,
)
from fairaudit.measure.grouping import check_group_count
from fairaudit.measure.intervals import Floats
from fairaudit.measure.means import check_means
from fairaudit.measure.not_known import refuse_open_values
from fairaudit.measure.results import ControlledFairness, ControlledMeans
from fairaudit.measure.weighted import Drawn, Sampled, sampled_shares
from fairaudit.measure.weighted_means import WeighedAmounts


@dataclass(frozen=True)
class Span:
    """A period: a table, and which of its rows.

    Parameters
    ----------
    name : str
        What it is called.
    table : Table
        The data.
    where : Condition, optional
        Which rows; None for all.
    """

    name: str
    table: Table
    where: Condition | None = None


@dataclass(frozen=True, eq=False)
class Clusters:
    """The rows of a period by cluster.

    Parameters
    ----------
    cells : ndarray, shape (n_clusters, 4)
        Good outcomes and rows of both groups.
    names : ndarray, shape (n_clusters,)
        Which cluster it is.
    strata : DataFrame
        One row a cluster and stratum: ``cluster``, ``stratum``, and ``n_p, positives_p, n_r, positives_r``.
    """

    cells: Cells
    names: NDArray[np.generic]
    strata: pd.DataFrame


@dataclass(frozen=True, eq=False)
class PeriodSample:
    """The rows of a period of a weighted sample.

    Parameters
    ----------
    table : Table
        The data; two periods of one table are of one sample.
    tally : DataFrame
        Counts and sums of weights by group, which is column 0, and by ``stratum`` of the mix.
    drawn : Drawn
        What was drawn for the table.
    groups : Sampled
        The shares of both groups, or their means less `center`.
    center : float
        What was taken from each amount.
    """

    table: Table
    tally: pd.DataFrame
    drawn: Drawn
    groups: Sampled
    center: float = 0.0


@dataclass(frozen=True, eq=False)
class AskedPeriod:
    """A question, answered in one period.

    Parameters
    ----------
    span : Span
        The period.
    answer : ControlledFairness or ControlledMeans
        The answer.
    columns : frozenset of str
        What the question depends on.
    strata : DataFrame
        One row a stratum, which is the index: ``n``, ``mean`` and ``variance`` of both groups, with ``_p`` and ``_r``.
    clusters : Clusters or None
        The same by cluster, where rows depend on each other.
    sample : PeriodSample or None
        The rows, where they have sampling weights.
    """

    span: Span
    answer: ControlledFairness | ControlledMeans
    columns: frozenset[str]
    strata: pd.DataFrame
    clusters: Clusters | None
    sample: PeriodSample | None


def ask(
    span: Span,
    *,
    decision: str,
    favorable: object,
    protected: Condition | str,
    where: Condition | str | None,
    strata: Sequence[str] = (),
    tolerance: float | None,
    confidence: float,
    cluster: str | None = None,
) -> AskedPeriod:
    """Ask a question in one period; without `favorable` of an amount. An error names the period."""
    try:
        within = span.table.condition(where)
        if span.where is not None:
            within = span.where if within is None else within & span.where
        names = column_list(strata, "strata", span.table) if strata else ()
        way = _ask_means if favorable is None else _ask_shares
        answer, condition, found, clusters, sample = way(
            span.table, decision, favorable, protected, within, names, tolerance, confidence, cluster
        )
        if names:
            refuse_open_values(span.table, names, where=within)
            check_group_count(len(found), names)
    except FairauditError as error:
        raise _in_period(span, error) from None
    columns = {decision, *condition.columns, *names, *(() if within is None else within.columns)}
    if cluster is not None:
        columns.add(cluster)
    if span.table.design is not None:
        columns.update(span.table.design.columns)
    return AskedPeriod(span, answer, frozenset(columns), found, clusters, sample)


def _ask_shares(
    table: Table,
    decision: str,
    favorable: object,
    protected: Condition | str,
    where: Condition | None,
    strata: tuple[str, ...],
    tolerance: float | None,
    confidence: float,
    cluster: str | None,
) -> tuple[ControlledFairness, Condition, pd.DataFrame, Clusters | None, PeriodSample | None]:
    of, table = table, as_weighted(table, decision=decision)
    question = AskedQuestion.read_weighted(table, decision=decision, favorable=favorable, where=where, cluster=cluster)
    condition = protected_condition(table, protected)
    clustered = question.clustered_by(cluster)
    by: list[str | Condition] = [condition, *strata, *clustered]
    tally = question.tally(by)
    last = len(by) - 1
    tolerance = USUAL_TOLERANCE if tolerance is None else tolerance
    keys = [0, *([last] if clustered else []), *question.drawn_by]
    answer = controlled_from_tally(sum_by(tally, keys), question, condition, tolerance, confidence, cluster)
    tally = tally.assign(stratum=_strata(tally, list(range(1, len(strata) + 1))))
    if (drawn := question.drawn) is not None:
        weighed = tally.assign(n=tally["w"], positives=tally["wy"])
        found = of_shares(_by_side(weighed, "stratum"))
        return (
            answer,
            condition,
            found,
            None,
            PeriodSample(of, tally, drawn, sampled_shares(tally, *sides(tally), drawn)),
        )
    found = of_shares(_by_side(tally, "stratum"))
    if cluster is None:
        return answer, condition, found, None, None
    cells, names = by_cluster(tally, last, *sides(tally))
    of_clusters = _by_side(tally.rename(columns={last: "cluster"}), ["cluster", "stratum"]).reset_index()
    return answer, condition, found, Clusters(cells, names, of_clusters), None


def _ask_means(
    table: Table,
    decision: str,
    _: object,
    protected: Condition | str,
    where: Condition | None,
    strata: tuple[str, ...],
    tolerance: float | None,
    confidence: float,
    cluster: str | None,
) -> tuple[ControlledMeans, Condition, pd.DataFrame, None, PeriodSample | None]:
    if cluster is not None:
        raise InputError(
            "'cluster' must be None for a decision that is an amount, got a column.",
            hint="Leave it out, or compare a favourable result.",
        )
    answer = check_means(
        table, decision=decision, protected=protected, where=where, tolerance=tolerance, confidence=confidence
    )
    condition = protected_condition(table, protected)
    keys = {str(place): name for place, name in enumerate(strata, start=1)}
    if table.design is not None:
        amounts = WeighedAmounts.of(table, decision, {"0": condition, **keys}, where)
        counts = amounts.counts.rename(columns={"0": 0})
        tally = counts.assign(stratum=_strata(counts, list(keys)))
        both = (side.to_numpy(dtype=bool) for side in sides(tally))
        sample = PeriodSample(table, tally, amounts.drawn, amounts.sampled(*both), amounts.center)
        return answer, condition, _weighted_means(tally, amounts.center), None, sample
    moments = table.moments(decision, {"0": condition, **keys}, where=where).rename(columns={"0": 0})
    moments = moments[moments["n"] > 0].assign(stratum=lambda frame: _strata(frame, list(keys)))
    parts = [
        moments[mask].set_index("stratum")[["n", "mean", "variance"]].add_suffix(suffix)
        for mask, suffix in zip(sides(moments), ("_p", "_r"), strict=True)
    ]
    return answer, condition, _of_both(parts), None, None


def _weighted_means(tally: pd.DataFrame, center: float) -> pd.DataFrame:
    """Return what rows of both groups count for, and their mean amounts, by stratum."""
    parts = []
    for mask, suffix in zip(sides(tally), ("_p", "_r"), strict=True):
        sums = tally[mask & (tally["w"] > 0)].groupby("stratum", sort=False)[["w", "wy"]].sum()
        means = sums.assign(n=sums["w"], mean=center + sums["wy"] / sums["w"], variance=np.nan)
        parts.append(means[["n", "mean", "variance"]].add_suffix(suffix))
    return _of_both(parts)


def _of_both(parts: Sequence[pd.DataFrame]) -> pd.DataFrame:
    """Put the moments of both groups beside each other; a stratum that one of them lacks has no rows of it."""
    found = parts[0].join(parts[1], how="outer").astype(float)
    return found.fillna({"n_p": 0.0, "n_r": 0.0})


def of_shares(counts: pd.DataFrame) -> pd.DataFrame:
    """Return means and variances of both groups by stratum, from ``n_p, positives_p, n_r, positives_r``."""
    found: dict[str, Floats] = {}
    for side in ("p", "r"):
        n, good = (counts[f"{name}_{side}"].to_numpy(dtype=float) for name in ("n", "positives"))
        mean = np.divide(good, n, out=np.full(n.shape, np.nan), where=n > 0)
        # One row says nothing of how much they vary: the most that shares can.
        variance = np.where(n > 1, mean * (1 - mean) * n / np.maximum(n - 1, 1), 0.25)
        found |= {f"n_{side}": n, f"mean_{side}": mean, f"variance_{side}": variance}
    return pd.DataFrame(found, index=counts.index)


def _strata(frame: pd.DataFrame, keys: list[object]) -> pd.Series:
    """Return the values of the strata of each row as tuples, with None for what is missing."""
    values = [frame[key].astype(object).where(frame[key].notna(), None) for key in keys]
    names = list(zip(*values, strict=True)) if values else [()] * len(frame)
    return pd.Series(names, index=frame.index, dtype=object)


def _by_side(tally: pd.DataFrame, by: str | list[str]) -> pd.DataFrame:
    """Add rows and good outcomes up for each group, with ``_p`` and ``_r``."""
    masks = dict(zip(("p", "r"), sides(tally), strict=True))
    parts = {
        f"{name}_{side}": tally[name].where(mask, 0) for side, mask in masks.items() for name in ("n", "positives")
    }
    keys = tally[[by] if isinstance(by, str) else by]
    return keys.assign(**parts)[masks["p"] | masks["r"]].groupby(by, sort=False, dropna=False).sum()


def _in_period(span: Span, error: FairauditError) -> FairauditError:
    """Return an error that says in which period the question cannot be asked."""
    where = f"In the period “{span.name}”: "
    if isinstance(error, OpenValuesError):
        # What values mean is said of their column, not of a period.
        return error
    if isinstance(error, GroupError):
        return GroupError(where + error.message, uncounted=where + error.uncounted, hint=error.hint)
    return InputError(where + error.message, hint=error.hint)
