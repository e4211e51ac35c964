"""The path of a search for constraints: drawn while it goes on, and the limits that its models can be picked by."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from fairaudit.estimators.constraints.constrained_rows import STEPS, choose_fit, frontier_of
from fairaudit.events import Incumbent

COARSE = (0.25, 0.5, 1.0, 2.0, 5.0, 20.0, 100.0)
"""How many times what is allowed a person may choose between where small counts are hidden; `STEPS` otherwise."""


def search_path(found: Sequence[Incumbent]) -> pd.DataFrame:
    """Return what a search has tried so far, as ``ConstrainDetails.path`` has it at the end.

    Columns: fit, multiplier, threshold, accuracy, ratio, met, frontier, picked.
    """
    names = ["fit", "multiplier", "threshold", "accuracy", "ratio", "met"]
    frame = pd.DataFrame([[each.figures[name] for name in names] for each in found], columns=names)
    frame = frame.astype({"fit": int, "met": bool})
    best = max((place for place, each in enumerate(found) if each.best), default=-1)
    frontier = np.isin(np.arange(len(frame)), frontier_of(list(frame.itertuples())))
    return frame.assign(frontier=frontier, picked=np.arange(len(frame)) == best)


def scales(path: pd.DataFrame, *, current: float = 1.0, coarse: bool = False) -> tuple[float, ...]:
    """Return the multiples of the allowed gap that each pick another model of a search."""
    least = path["ratio"].min()
    picked: dict[int, float] = {}
    # 1 is what was asked for: it stands for its model, too.
    for scale in (current, 1.0, *(COARSE if coarse else STEPS)):
        if scale in (current, 1.0) or scale >= least:
            picked.setdefault(pick(path, scale), scale)
    return tuple(sorted(picked.values()))


def pick(path: pd.DataFrame, scale: float) -> int:
    """Return the fit of a search for gaps of at most so many times what is allowed."""
    return choose_fit(list(path.itertuples()), scale)


def drawn_fits(path: pd.DataFrame) -> pd.DataFrame:
    """Return the fits whose accuracy and largest gap are defined."""
    return path[np.isfinite(path[["accuracy", "ratio"]].to_numpy(dtype=float)).all(axis=1)].astype(
        {"met": bool, "frontier": bool, "picked": bool}
    )


def own_fits(path: pd.DataFrame) -> pd.DataFrame:
    """Return the fits as their models predict themselves, and the one that is the model whatever its threshold."""
    return drawn_fits(path[~path.duplicated("fit") | path["picked"].astype(bool)])


def frontier_fits(path: pd.DataFrame) -> pd.DataFrame:
    """Return the fits that no other beats in both, each place once, the smallest gap first."""
    known = drawn_fits(path)
    return known[known["frontier"]].drop_duplicates(["ratio", "accuracy"]).sort_values("ratio", kind="stable")
