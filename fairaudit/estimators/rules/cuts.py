"""Where numbers and dates are cut, so that a person can read the cut.

Any number from the largest value below a cut up to, but not including, the next value divides the rows alike. The
roundest of them is taken: between 37,250 and 37,338 that is 37,300.
"""

from __future__ import annotations

import datetime
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from fairaudit.measure.bins import roundest_number

_UNITS: Final = ("Y", "M", "D", "h", "m", "s")


def quantile_cuts(values: NDArray[Any], n_bins: int, *, min_count: int = 1, spread: bool = True) -> tuple[Any, ...]:
    """Return readable cuts that divide values into parts of about equal size.

    Shapes: `values` (n,).

    Notes
    -----
    O(n log n).

    Examples
    --------
    >>> quantile_cuts(np.array([12.25, 13.5, 29.75, 40.125]), 2)
    (20.0,)
    """
    is_date = values.dtype.kind == "M"
    distinct, counts = np.unique(values.astype(np.int64) if is_date else values, return_counts=True)
    if len(distinct) <= n_bins:
        places = np.arange(len(distinct) - 1)
    else:
        places = _quantile_places(distinct, counts, n_bins)
        if spread:
            places = np.union1d(places, _spread(distinct, counts, n_bins, n_bins - 1 - len(places), min_count))
    if is_date:
        distinct = distinct.astype(values.dtype)
        moments = (_readable_moment(distinct[place], distinct[place + 1]) for place in places)
        return tuple(moment for moment in moments if moment is not None)
    return tuple(roundest_number(distinct[place].item(), distinct[place + 1].item()) for place in places)


def _quantile_places(distinct: NDArray[Any], counts: NDArray[np.int64], n_bins: int) -> NDArray[np.int64]:
    """Return the places of the largest values within each quantile; the largest of all divides nothing."""
    values = np.repeat(distinct, counts)
    shares = np.arange(1, n_bins) / n_bins
    with np.errstate(over="ignore", invalid="ignore"):
        quantiles = np.quantile(values, shares)
    # Halfway between two huge numbers of different sign lies nothing that can be computed.
    quantiles = np.where(np.isfinite(quantiles), quantiles, np.quantile(values, shares, method="lower"))
    places = np.unique(np.searchsorted(distinct, quantiles, side="right") - 1)
    return places[(places >= 0) & (places < len(distinct) - 1)]


def _spread(
    distinct: NDArray[Any], counts: NDArray[np.int64], n_bins: int, n_cuts: int, min_count: int
) -> NDArray[np.int64]:
    """Return the places of cuts at quantiles of the values that are not so frequent as to fill a part alone."""
    rare = np.flatnonzero(counts < counts.sum() / n_bins)
    n_rare = int(counts[rare].sum())
    n_cuts = min(n_cuts, n_rare // min_count - 1)
    if n_cuts < 1:
        return np.zeros(0, dtype=np.int64)
    ends = np.arange(1, n_cuts + 1) * n_rare / (n_cuts + 1)
    places = rare[np.searchsorted(np.cumsum(counts[rare]), ends)]
    return places[places < len(distinct) - 1]


def _readable_moment(low: np.datetime64, high: np.datetime64) -> datetime.datetime | None:
    """Return the start of a year, month, day, ... that is at least `low` and less than `high`."""
    last = high - np.timedelta64(1, "us")
    starts = (last.astype(f"datetime64[{unit}]").astype("datetime64[us]") for unit in _UNITS)
    start = next((start for start in starts if start >= low), low)
    moment = start.item()
    # Years after 9999 cannot be written.
    return moment if isinstance(moment, datetime.datetime) else None
