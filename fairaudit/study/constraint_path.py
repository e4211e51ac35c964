"""The path of a search for constraints: drawn while it goes on, and the limits that its models can be picked by."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pandas as pd

from fairaudit.events import Incumbent
from fairaudit.remedies.constraints.fits import choose_fit, frontier_of


def search_path(found: Sequence[Incumbent]) -> pd.DataFrame:
    """Return what a search has tried so far, as ``ConstrainDetails.path`` has it at the end.

    Parameters
    ----------
    found : sequence of Incumbent
        In their order.

    Returns
    -------
    DataFrame
        ``fit, multiplier, accuracy, ratio, met, frontier, picked``; `picked` marks the best so far.
    """
    names = ["fit", "multiplier", "accuracy", "ratio", "met"]
    frame = pd.DataFrame([[each.figures[name] for name in names] for each in found], columns=names)
    frame = frame.astype({"fit": int, "met": bool})
    best = max((place for place, each in enumerate(found) if each.best), default=-1)
    frontier = np.isin(np.arange(len(frame)), frontier_of(list(frame.itertuples())))
    return frame.assign(frontier=frontier, picked=np.arange(len(frame)) == best)


def scales(path: pd.DataFrame, *, current: float = 1.0) -> tuple[float, ...]:
    """Return how many times what is allowed can be accepted, each of which picks another model of a search.

    Parameters
    ----------
    path : DataFrame
        As ``ConstrainDetails.path``.
    current : float
        What is accepted now; it stands for the model that it picks.

    Returns
    -------
    tuple of float
        Ascending, one for each model that no other beats, as small as a number of few digits can be.
    """
    ratios = path.loc[path["frontier"] & np.isfinite(path["ratio"]), "ratio"]
    picked: dict[int, float] = {}
    # 1 is what was asked for: it stands for its model, too.
    for scale in (current, 1.0, *sorted(map(_rounded_up, ratios))):
        picked.setdefault(pick(path, scale), scale)
    return tuple(sorted(picked.values()))


def pick(path: pd.DataFrame, scale: float) -> int:
    """Return which fit of a search is picked where gaps may be so many times what is allowed.

    Parameters
    ----------
    path : DataFrame
        As ``ConstrainDetails.path``.
    scale : float
        How many times what is allowed.

    Returns
    -------
    int
        Its place in `path`, see :func:`fairaudit.remedies.constraints.fits.choose_fit`.
    """
    return choose_fit(list(path.itertuples()), scale)


def _rounded_up(ratio: float) -> float:
    """Return the next number of three digits; of two decimals from 1 on."""
    if ratio <= 0:
        return 0.001
    power = 10.0 ** max(2, 2 - math.floor(math.log10(ratio)))
    return math.ceil(round(ratio * power, 6)) / power
