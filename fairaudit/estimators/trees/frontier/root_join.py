"""Pairs of points on the two sides of the root, that may together make a tree that is allowed and better.

The form of a tree is the sum of those of both sides. Where a form must be in a range, the points of one side are sorted
into cells as wide as the range, so that what fits to a point of the other side is in two cells that are next to each
other; and within a cell by excess, so that what is cheap enough comes first. Two forms make four cells.
"""

from __future__ import annotations

import itertools
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from fairaudit.estimators.trees.dual.terms import Terms
from fairaudit.estimators.trees.frontier.enumeration import (
    ROUNDING,
    Enumeration,
    Pairs,
    Places,
    Points,
    chunks,
    places_within,
)
from fairaudit.measure.limits import SLACK

Floats = NDArray[np.float64]

MOST_BANDS: Final = 2
"""Forms by which points are sorted into cells."""
MOST_CELLS: Final = 1000
"""Cells in the direction of one form."""
PARALLEL: Final = 0.9
"""Forms with such a cosine, or one above, say the same."""
WIDE: Final = 0.5
"""A range of such a share of what the points span, or a larger one, is of no use."""


@dataclass(frozen=True, eq=False)
class Band:
    """A form that must be in a range.

    Parameters
    ----------
    values : ndarray of float, shape (n,)
        The form of each point.
    low, high : float
        The range of the sum of two.
    """

    values: Floats
    low: float
    high: float

    @property
    def width(self) -> float:
        """The width of a cell: a little more than that of the range."""
        spread = float(self.values.max() - self.values.min())
        return max((self.high - self.low) * 1.001, spread / MOST_CELLS) + 4 * ROUNDING

    def cells(self, places: Places) -> Places:
        """Return the cells of points."""
        return np.floor((self.values[places] - self.values.min()) / self.width).astype(np.int64)

    def first_cells(self, places: Places) -> Places:
        """Return the first of the two cells whose points may fit to points of the other side."""
        lowest = self.low - ROUNDING - self.values[places]
        return np.floor((lowest - self.values.min()) / self.width).astype(np.int64)


def narrow_bands(terms: Terms, values: Floats, left: float) -> list[Band]:
    """Return the forms with the narrowest ranges for what the points come to.

    Shapes: `values` (n, n_forms).
    """
    if not len(values) or terms.kinds is None:
        return []
    kinds = terms.kinds
    problem, limit = terms.problem, terms.limit
    most = np.inf if problem.max_measure is None else problem.max_measure
    if problem.price and not problem.limit_price:
        most = min(most, left / problem.price)
    low, high = np.full(terms.n_forms, -np.inf), np.full(terms.n_forms, np.inf)
    low[: limit.start], high[: limit.start] = -most - SLACK, most + SLACK
    high[limit] = terms.bounds + SLACK
    for place, form in enumerate(kinds.forms[limit]):
        # A form that is the opposite of another is bounded from below, too.
        opposite = np.abs(kinds.forms[limit] + form).max(axis=1) < 1e-12 * np.abs(form).max()
        low[limit.start + place] = -terms.bounds[opposite].min(initial=np.inf) - SLACK
    spread = values.max(axis=0) - values.min(axis=0)
    share = np.where(spread > 0, (high - low) / np.maximum(spread, 1e-12), np.inf)
    chosen: list[int] = []
    for place in np.argsort(share, kind="stable").tolist():
        alike = [abs(_cosine(kinds.forms[place], kinds.forms[other])) for other in chosen]
        if share[place] < WIDE and max(alike, default=0.0) < PARALLEL and len(chosen) < MOST_BANDS:
            chosen.append(place)
    return [Band(values[:, place], float(low[place]), float(high[place])) for place in chosen]


def _cosine(one: Floats, other: Floats) -> float:
    return float(one @ other / max(float(np.linalg.norm(one) * np.linalg.norm(other)), 1e-300))


def root_pairs(
    enumeration: Enumeration, below: Points, bands: Sequence[Band], slack: float
) -> Generator[Pairs, None, None]:
    """Iterate over the pairs below the root, in chunks."""
    owners, choices, extra = enumeration.splits(0)
    held, missed = (children[owners, choices] for children in enumeration.sets.children[0])
    for place in np.argsort(extra, kind="stable").tolist():
        room = slack - extra[place] + ROUNDING
        one, other = (np.arange(*below.first[[side[place], side[place] + 1]]) for side in (held, missed))
        one, other = one[below.excess[one] <= room], other[below.excess[other] <= room]
        if not len(one) or not len(other):
            continue
        for left, right in _fitting(below, one, other, bands, room):
            excess = below.excess[left] + below.excess[right]
            near = excess <= room
            left, right = left[near], right[near]
            same = np.zeros(len(left), dtype=np.int64)
            yield Pairs(same, np.full(len(left), choices[place]), left, right, excess[near] + extra[place])


def _fitting(
    below: Points, one: Places, other: Places, bands: Sequence[Band], room: float
) -> Generator[tuple[Places, Places], None, None]:
    """Iterate over the pairs that are in cells that may fit, and cheap enough."""
    cells, firsts, counts = np.zeros(len(other), dtype=np.int64), [], []
    for band in bands:
        of_band = band.cells(other)
        counts.append(int(of_band.max()) + 1)
        firsts.append(band.first_cells(one))
        cells = cells * counts[-1] + of_band
    order = np.lexsort((below.excess[other], cells))
    other, cells = other[order], cells[order]
    # A stretch of 1 for each cell, in which an excess of `span` would be at the end.
    span = 2 * room + 4 * ROUNDING
    line = cells + below.excess[other] / span
    left = np.clip((room - below.excess[one]) / span, 0.0, 0.999)
    for steps in itertools.product((0, 1), repeat=len(bands)):
        cell, inside = np.zeros(len(one), dtype=np.int64), np.ones(len(one), dtype=bool)
        for step, first, count in zip(steps, firsts, counts, strict=True):
            inside &= (first + step >= 0) & (first + step < count)
            cell = cell * count + first + step
        begun = np.searchsorted(line, cell[inside], side="left")
        lengths = np.searchsorted(line, cell[inside] + left[inside] + ROUNDING, side="right") - begun
        here = one[inside]
        for start, end in chunks(lengths):
            part = lengths[start:end]
            yield np.repeat(here[start:end], part), other[np.repeat(begun[start:end], part) + places_within(part)]
