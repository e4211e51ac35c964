"""How likely a constraint is to hold on another table, by what trees predicted for rows that were held out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from fairaudit.estimators.trees.lookahead.growing_rows import GrowingRows
from fairaudit.measure.limits import SLACK

Floats = NDArray[np.float64]

N_DRAWS: Final = 800
"""Tables that are drawn."""


@dataclass(frozen=True, eq=False)
class HeldOut:
    """What a tree predicted for rows that it was not grown on.

    Parameters
    ----------
    sizes, positives : ndarray of float, shape (n_strata,)
        Rows of each group and label, see ``GrowingRows.strata``, and positive predictions among them.
    only : float, optional
        The label of all leaves, where they have the same: then nothing is left to chance.
    """

    sizes: Floats
    positives: Floats
    only: float | None = None


FEWEST_IN_GROUP: Final = 10
"""With fewer rows of a group in a new table, chance decides about its rates, whatever the tree."""


@dataclass(frozen=True)
class Chance:
    """How likely a constraint is to hold on a new table.

    Parameters
    ----------
    of_all : float
        For all groups.
    of_counted : float
        For those with at least `FEWEST_IN_GROUP` rows in a new table; 1 where no two have that.
    """

    of_all: float = 1.0
    of_counted: float = 1.0


def chance_of_keeping(rows: GrowingRows, folds: list[HeldOut], seed: int) -> Chance:
    """Return the share of new tables, each as large as what one fold held out, on which a constraint would hold.

    A table is drawn as follows: a tree is one of the folds'; its rate q_s of positive predictions in stratum s is drawn
    from ``Beta(k_s + p_s, n_s - k_s + 1 - p_s)``, where it predicted k_s of n_s held-out rows positive and all trees
    together a share p_s; and then rows of each stratum, and positive predictions among them from ``Binomial(q_s)``. So
    trees that differ, rates that are known from few rows, and small groups in the new table all count.
    """
    if not len(rows.bounds) or not folds:
        return Chance()
    random = np.random.default_rng(seed)
    sizes, positives = np.array([fold.sizes for fold in folds]), np.array([fold.positives for fold in folds])
    shares = (positives.sum(axis=0) + 0.5) / (sizes.sum(axis=0) + 1)
    trees = np.arange(N_DRAWS) % len(folds)
    rates = random.beta(positives[trees] + shares, sizes[trees] - positives[trees] + 1 - shares)
    for place, fold in enumerate(folds):
        if fold.only is not None:
            rates[trees == place] = fold.only
    usual = sizes.mean(axis=0)
    drawn = random.multinomial(round(usual.sum()), usual / usual.sum(), size=N_DRAWS)
    held = _held(rows, drawn, random.binomial(drawn, rates))
    fewest = np.minimum(usual @ (rows.forms > 0).T, usual @ (rows.forms < 0).T)
    return Chance(float(held.all(axis=1).mean()), float(held[:, fewest >= FEWEST_IN_GROUP].all(axis=1).mean()))


def _held(rows: GrowingRows, sizes: NDArray[np.int64], positives: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Say for each table whether each form keeps its bound, shape (n_tables, n_forms)."""
    # A form is share * mean prediction in some strata - mean prediction in others, see `parity_limit`.
    one, other = (rows.forms > 0).astype(float), (rows.forms < 0).astype(float)
    share = np.maximum(rows.forms, 0.0) @ rows.strata.weights
    n_one, n_other = sizes @ one.T, sizes @ other.T
    gaps = share * (positives @ one.T) / np.maximum(n_one, 1) - (positives @ other.T) / np.maximum(n_other, 1)
    return (gaps <= rows.bounds + SLACK) | (n_one == 0) | (n_other == 0)
