"""Limits on gaps that hold on new people with a stated confidence.

A search chooses by rows that it has seen, so that limits met there are missed on others. Here candidates are put in an
order that does not look at the certifying rows, strictest first, and on these rows the hypothesis "the gap exceeds its
limit" is tested in that order, each time at what is left of the error that is allowed; a hypothesis that is rejected
hands its error on to the next one. So the chance that any candidate is certified whose true gap exceeds its limit is at
most 1 - confidence, over the draw of the certifying rows, whatever model and search the candidates come from.

References
----------
Wiens (2003), "A fixed sequence Bonferroni procedure for testing multiple endpoints". Angelopoulos, Bates, Candès,
Jordan and Lei (2021), "Learn then test". Thomas and others (2019), "Preventing undesirable behavior of intelligent
machines". Farrington and Manning (1990), and Miettinen and Nurminen (1985), for the test of a difference of rates.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from fairaudit.errors import InputError

Floats = NDArray[np.float64]

STARTS: Final = ((0.0, 0.6), (0.3, 0.4))
"""Where along the candidates tests begin, as parts of their number, and the part of the allowed error that each gets. A
second start keeps one bad first candidate from ending it all."""

POWER: Final = 0.8
"""The chance of success that the number of rows needed is for."""

HALVINGS: Final = 60
"""Halvings that find the most likely rates at the limit: as many as a float can tell apart."""


@dataclass(frozen=True, eq=False)
class Comparison:
    """Two groups whose rates must be alike: ``|rate of first - ratio * rate of second| <= limit``.

    With `is_floor` only ``rate of first - ratio * rate of second >= -limit`` is asked: with a `ratio` of 0.8 and a
    limit of 0, that the first group has at least four fifths of the second group's rate.
    """

    # first, second: The names of the groups.
    first: str
    second: str
    # (n_candidates, 2) Rows with the event and all rows that the rate is a share of, of the first and the second group.
    hits: Floats
    sizes: Floats
    limit: float
    ratio: float = 1.0
    is_floor: bool = False

    @property
    def gaps(self) -> Floats:
        """The first rate minus `ratio` times the second; NaN where undefined. Shapes: returns (n_candidates,)."""
        with np.errstate(invalid="ignore", divide="ignore"):
            rates = self.hits / self.sizes
        return rates[:, 0] - self.ratio * rates[:, 1]

    def statistics(self) -> Floats:
        """Return the score statistic of "beyond the limit", at the side that is nearer to it.

        The further below 0, the clearer the gap is within the limit; infinite where a rate is undefined.

        Shapes: returns (n_candidates,).
        """
        below = score_statistic(-self.limit, self.ratio, self.hits, self.sizes)
        if self.is_floor:
            return -below
        return np.maximum(-below, score_statistic(self.limit, self.ratio, self.hits, self.sizes))


def score_statistic(difference: float, ratio: float, hits: ArrayLike, sizes: ArrayLike) -> Floats:
    """Return the score statistic of ``first rate - ratio * second rate = difference``; see Farrington and Manning.

    Parameters
    ----------
    difference : float
        The difference under the hypothesis, from -1 to 1.
    ratio : float
        What the second rate is multiplied by: above 0.
    hits, sizes : array_like of float, shape (m, 2)
        Rows with the event, and all rows, of the two groups.

    Returns
    -------
    ndarray of float, shape (m,)
        Below 0 where the difference seen is smaller; minus infinity on the one side and infinity on the other where
        the rates under the hypothesis leave no room for chance. NaN where a group has no rows.
    """
    hits, sizes = np.asarray(hits, dtype=np.float64), np.asarray(sizes, dtype=np.float64)
    misses = sizes - hits
    low = np.full(len(hits), max(0.0, -difference / ratio))
    high = np.full(len(hits), min(1.0, (1.0 - difference) / ratio))
    with np.errstate(invalid="ignore", divide="ignore"):
        for _ in range(HALVINGS):
            # The likelihood is concave along the line of rates that have the difference: its slope has one root.
            second = (low + high) / 2
            first = difference + ratio * second
            slope = (
                ratio * (_over(hits[:, 0], first) - _over(misses[:, 0], 1 - first))
                + _over(hits[:, 1], second)
                - _over(misses[:, 1], 1 - second)
            )
            low, high = np.where(slope > 0, second, low), np.where(slope > 0, high, second)
        second = (low + high) / 2
        first = np.clip(difference + ratio * second, 0.0, 1.0)
        n = sizes.sum(axis=1)
        variance = first * (1 - first) / sizes[:, 0] + ratio**2 * second * (1 - second) / sizes[:, 1]
        # Miettinen and Nurminen's factor, which keeps the size of the test in small samples.
        variance *= n / np.maximum(n - 1, 1)
        seen = hits[:, 0] / sizes[:, 0] - ratio * hits[:, 1] / sizes[:, 1] - difference
        return seen / np.sqrt(variance)


def _over(n: Floats, rate: Floats) -> Floats:
    return np.where(n > 0, n / np.maximum(rate, 1e-300), 0.0)


def gap_p_values(comparisons: Sequence[Comparison], statistics: Floats | None = None) -> Floats:
    """Return the p-value of "some gap is beyond its limit" of each candidate: the largest of its comparisons.

    Shapes: returns (n_candidates,).
    """
    found = np.stack([each.statistics() for each in comparisons]) if statistics is None else statistics
    return stats.norm.cdf(np.where(np.isnan(found), np.inf, found)).max(axis=0)


def certified_in_order(p_values: ArrayLike, confidence: float) -> NDArray[np.bool_]:
    """Say which candidates, in the order in which they are tested, are certified.

    Examples
    --------
    >>> certified_in_order([0.01, 0.03, 0.5, 0.01], 0.9).tolist()
    [True, True, False, False]
    """
    p_values = np.asarray(p_values, dtype=np.float64)
    allowed = np.zeros(len(p_values))
    for place, part in STARTS:
        if len(p_values):
            allowed[min(math.floor(place * len(p_values)), len(p_values) - 1)] += part * (1 - confidence)
    certified = np.zeros(len(p_values), dtype=bool)
    handed_on = 0.0
    for i, p in enumerate(p_values):
        error = allowed[i] + handed_on
        certified[i] = error > 0 and p <= error
        handed_on = error if certified[i] else 0.0
    return certified


@dataclass(frozen=True)
class Certificate:
    """Whether limits hold on new people, as rows say that no candidate has learned from or was ordered by."""

    # The chance with which limits hold on new people, at least; above 0, below 1.
    confidence: float
    # Rows that it was tested on, and that nothing was learned from.
    n_rows: int
    # Candidates that were tested, and how many of them were certified.
    n_candidates: int
    n_certified: int
    # The p-value of the chosen candidate; 1 where there is none.
    p_value: float
    # Its largest gap on these rows, as a multiple of what is allowed; NaN where undefined.
    ratio: float
    # Of the candidate nearest to being certified: certifying rows with which it would be, with a power of 80 %; None
    # where its gap on these rows is not within the limit, or where one is certified.
    n_needed: int | None

    @property
    def is_certified(self) -> bool:
        """Whether any candidate is certified."""
        return self.n_certified > 0


def certify(
    comparisons: Sequence[Comparison],
    accuracies: ArrayLike,
    *,
    confidence: float,
    n_rows: int,
    order: Sequence[int] | None = None,
) -> tuple[int, Certificate]:
    """Choose the most accurate candidate whose limits hold on new people; without one, the nearest to it.

    Parameters
    ----------
    comparisons : sequence of Comparison
        What must hold, counted on the certifying rows; each with the same candidates.
    accuracies : array_like of float, shape (n_candidates,)
        By which certified candidates are chosen; they may be those on the certifying rows.
    confidence : float
        Above 0, below 1.
    n_rows : int
        Certifying rows.
    order : sequence of int, optional
        The candidates in the order of their tests, strictest first; it must not depend on the certifying rows. By
        default as they are.

    Returns
    -------
    place : int
        Of the chosen candidate.
    certificate : Certificate

    Raises
    ------
    InputError
        If there is nothing to compare, or no candidate.
    """
    accuracies = np.asarray(accuracies, dtype=np.float64)
    if not comparisons or not len(accuracies):
        raise InputError("A limit can be certified only where groups are compared, and there is a candidate.")
    order = range(len(accuracies)) if order is None else order
    places = np.asarray(order, dtype=np.int64)
    statistics = np.stack([each.statistics() for each in comparisons])
    p_values = gap_p_values(comparisons, statistics)
    certified = np.zeros(len(accuracies), dtype=bool)
    certified[places] = certified_in_order(p_values[places], confidence)
    if certified.any():
        place = int(max(np.flatnonzero(certified), key=lambda i: (accuracies[i], -p_values[i])))
    else:
        place = int(min(places, key=lambda i: (p_values[i], -accuracies[i])))
    ratios = np.array([_ratio(each, place) for each in comparisons])
    return place, Certificate(
        confidence=confidence,
        n_rows=n_rows,
        n_candidates=len(places),
        n_certified=int(certified.sum()),
        p_value=float(p_values[place]),
        ratio=float(ratios.max()),
        n_needed=None if certified.any() else _rows_needed(statistics[:, place], n_rows, confidence),
    )


def _ratio(comparison: Comparison, place: int) -> float:
    """Return a gap as a multiple of its limit; of a floor of ratio, how far it is missed, 1 at the floor."""
    gap = float(comparison.gaps[place])
    if comparison.is_floor:
        gap = max(-gap, 0.0)
    if comparison.limit == 0:
        return math.nan if math.isnan(gap) else (1.0 + gap if gap else 0.0)
    return abs(gap) / comparison.limit


def _rows_needed(statistics: Floats, n_rows: int, confidence: float) -> int | None:
    """Return how many certifying rows would reject all hypotheses if rates stay as they are: z grows as their root."""
    nearest = float(np.where(np.isnan(statistics), np.inf, statistics).max())
    if nearest >= 0:
        return None
    error = max(part for _, part in STARTS) * (1 - confidence)
    needed = stats.norm.isf(error) + stats.norm.ppf(POWER)
    return math.ceil(n_rows * max(needed / -nearest, 1.0) ** 2)
