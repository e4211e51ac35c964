"""Splits and leaves that a search made up, in the columns of the table.

Searches weigh numbers that were scaled from 0 to 1, and name sets of levels by the splits that ask for one of them.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from fairaudit.estimators.rules.literals import Literal
from fairaudit.estimators.trees.decoded.linear import LinearForm, LinearSplit
from fairaudit.estimators.trees.reading import Points

SMALLEST = 1e-7
"""Weights of scaled numbers that are smaller are left out."""


def subset_split(splits: Sequence[Literal], columns: Sequence[int]) -> Literal:
    """Return the split that holds where one of some splits does, which ask for one level each.

    Examples
    --------
    >>> subset_split([Literal("job", "equals", "cook"), Literal("job", "equals", "clerk")], (0, 1)).words()
    'job is either cook or clerk'
    """
    levels = tuple(value for column in columns for value in splits[column].values)
    return Literal(splits[columns[0]].column, "among", levels)


def linear_split(points: Points, weights: Sequence[float], threshold: float) -> LinearSplit:
    """Return a split on scaled numbers in the units of the table."""
    form = linear_form(points, weights, 0.0)
    scaled = points.values @ np.asarray(weights, dtype=np.float64)
    sums = _sums(points, form) - form.constant
    left, right = sums[scaled <= threshold], sums[scaled > threshold]
    at = threshold - form.constant
    if len(left) and len(right) and left.max() < right.min():
        at = float(left.max() + right.min()) / 2
    return LinearSplit(form.columns, form.weights, float(at))


def linear_form(points: Points, weights: Sequence[float], constant: float) -> LinearForm:
    """Return a weighted sum of scaled numbers in the units of the table."""
    scaled = np.asarray(weights, dtype=np.float64)
    kept = np.flatnonzero(np.abs(scaled) > SMALLEST)
    own = scaled[kept] / points.spread[kept]
    total = constant - float(own @ points.lowest[kept])
    return LinearForm(tuple(points.columns[place] for place in kept), tuple(own.tolist()), total)


def _sums(points: Points, form: LinearForm) -> NDArray[np.float64]:
    """Return a weighted sum for the rows that were learned from."""
    places = [points.columns.index(column) for column in form.columns]
    numbers = points.values[:, places] * points.spread[places] + points.lowest[places]
    return numbers @ np.array(form.weights) + form.constant
