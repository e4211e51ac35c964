"""How the gap changes across the values of any column."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pandas as pd

from fairaudit.conditions import Condition
from fairaudit.errors import InputError
from fairaudit.measure.bins import quantile_bins
from fairaudit.measure.comparison import check_settings
from fairaudit.measure.controlled import protected_condition
from fairaudit.measure.grouping import value_text
from fairaudit.measure.results import StratumRow
from fairaudit.measure.strata import stratum_rows
from fairaudit.measure.tally import Question, column_list, sum_by

MOST_VALUES = 30
"""Of a column of text, this many of the most frequent values are shown; the others are put together."""


def gap_by_value(
    table: Any,
    *,
    decision: str,
    favorable: Any,
    protected: Condition | str,
    column: str,
    where: Condition | str | None = None,
    tolerance: float = 0.05,
    confidence: float = 0.95,
    n_bins: int = 8,
) -> tuple[StratumRow, ...]:
    """Compare the protected group with the rest inside each value, or range of values, of a column.

    This is for looking around: with many values some gaps are large by luck. To control for a column use
    :func:`fairaudit.check_strata`.

    Parameters
    ----------
    table : Table or DataFrame
        The data.
    decision : str
        The decision column.
    favorable : value, list of values or Condition
        What counts as the good outcome in it.
    protected : Condition or str
        Who is protected.
    column : str
        Any column. Numbers and dates with more than `n_bins` values are put into ranges that hold about equally many
        rows; of other columns the 30 most frequent values are shown and the others put together.
    where : Condition or str, optional
        Which rows are looked at.
    tolerance, confidence : float
        See :func:`fairaudit.check_controlled_fairness`.
    n_bins : int
        The most ranges, at least 2.

    Returns
    -------
    tuple of StratumRow
        In ascending order, missing last. Where a group is empty its share and the gap are NaN.

    Raises
    ------
    InputError
        If a column, value, condition or setting does not fit.
    GroupError
        If no row meets the filter or none has a decision.

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
    question = Question.read(table, decision=decision, favorable=favorable, where=where)
    condition = protected_condition(question, protected)
    column_list([column], "column", question.table)
    tally = question.tally([condition, column])
    ordered = question.table.columns[column].kind in ("number", "date", "timestamp")
    places, names = _ranges(tally, n_bins) if ordered else _values(tally)
    binned = sum_by(tally.assign(place=places), [0, "place"]).rename(columns={"place": 1})
    rows = stratum_rows(binned, [column], condition.in_words(), tolerance, confidence)
    return tuple(replace(row, values=((column, names[row.values[0][1]]),)) for row in rows)


def _ranges(tally: pd.DataFrame, n_bins: int) -> tuple[pd.Series, list[Any]]:
    sizes = (tally["n"] + tally["undecided"]).groupby(tally[1]).sum()
    values = list(sizes.index)
    if len(values) > n_bins:
        bins = quantile_bins(sizes.to_numpy(), n_bins)
        names = []
        for place in range(bins[-1] + 1 if len(bins) else 0):
            inside = [value for value, b in zip(values, bins, strict=True) if b == place]
            low, high = value_text(inside[0]), value_text(inside[-1])
            names.append(low if low == high else f"{low} to {high}")
    else:
        bins, names = range(len(values)), values
    place = dict(zip(values, bins, strict=True))
    return _placed(tally[1], place), [*names, None]


def _values(tally: pd.DataFrame) -> tuple[pd.Series, list[Any]]:
    sizes = (tally["n"] + tally["undecided"]).groupby(tally[1]).sum()
    frequent = sizes.sort_values(ascending=False, kind="stable").index[:MOST_VALUES]
    kept = sorted(frequent)
    place = {value: kept.index(value) if value in set(kept) else len(kept) for value in sizes.index}
    others = len(sizes) - len(kept)
    return _placed(tally[1], place), [*kept, *([f"{others:,} other values"] if others else []), None]


def _placed(column: pd.Series, place: dict[Any, int]) -> pd.Series:
    return column.map(place).astype("float64").fillna(max(place.values(), default=-1) + 1).astype("int64")
