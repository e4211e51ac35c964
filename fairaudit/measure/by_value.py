"""How the gap changes across the values of any column."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from fairaudit.conditions import Condition
from fairaudit.data.table import Table
from fairaudit.defaults import USUAL_CONFIDENCE, USUAL_TOLERANCE
from fairaudit.errors import InputError
from fairaudit.measure.bands import proposed_cuts
from fairaudit.measure.bins import quantile_bins
from fairaudit.measure.comparison import check_settings
from fairaudit.measure.controlled import protected_condition
from fairaudit.measure.grouping import value_text
from fairaudit.measure.results import StratumRow
from fairaudit.measure.strata import read_together, stratum_rows
from fairaudit.measure.tally import Question, column_list, sum_by

MOST_VALUES = 30
"""Of a column of text, this many of the most frequent values are shown; the others are put together."""

N_BINS = 8
"""Numbers and dates with more values are put into so many ranges of about equal size."""


def gap_by_value(
    table: Any,
    *,
    decision: str,
    favorable: Any,
    protected: Condition | str,
    column: str,
    where: Condition | str | None = None,
    tolerance: float = USUAL_TOLERANCE,
    confidence: float = USUAL_CONFIDENCE,
    n_bins: int = N_BINS,
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
    question = Question.read(table, decision=decision, favorable=favorable, where=where)
    condition = protected_condition(question.table, protected)
    column_list([column], "column", question.table)
    tally = question.tally([condition, column])
    ordered = question.table.columns[column].is_ordered
    places, names = _ranges(tally, n_bins) if ordered else _values(tally)
    binned = sum_by(tally.assign(place=places), [0, "place"]).rename(columns={"place": 1})
    rows = read_together(stratum_rows(binned, [column], condition.in_words(), tolerance, confidence))
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


def _ranges(tally: pd.DataFrame, n_bins: int) -> tuple[pd.Series, list[Any]]:
    sizes = (tally["n"] + tally["undecided"]).groupby(tally[1]).sum()
    values = list(sizes.index)
    if len(values) > n_bins:
        bins = quantile_bins(sizes.to_numpy(), n_bins)
        names: list[Any] = []
        for place in range(bins[-1] + 1 if len(bins) else 0):
            inside = [value for value, b in zip(values, bins, strict=True) if b == place]
            low, high = value_text(inside[0]), value_text(inside[-1])
            names.append(low if low == high else f"{low} to {high}")
    else:
        bins, names = np.arange(len(values)), values
    return _placed(tally[1], dict(zip(values, bins.tolist(), strict=True))), [*names, None]


def _values(tally: pd.DataFrame) -> tuple[pd.Series, list[Any]]:
    sizes = (tally["n"] + tally["undecided"]).groupby(tally[1]).sum()
    frequent = sizes.sort_values(ascending=False, kind="stable").index[:MOST_VALUES]
    kept = sorted(frequent)
    place = {value: kept.index(value) if value in set(kept) else len(kept) for value in sizes.index}
    others = len(sizes) - len(kept)
    return _placed(tally[1], place), [*kept, *([f"{others:,} other values"] if others else []), None]


def _placed(column: pd.Series, place: dict[Any, int]) -> pd.Series:
    return column.map(place).astype("float64").fillna(max(place.values(), default=-1) + 1).astype("int64")
