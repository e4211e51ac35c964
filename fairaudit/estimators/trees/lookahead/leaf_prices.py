"""What it costs that a row is predicted 1, beside being wrong: the price that rates have in a whole tree."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog

from fairaudit.estimators.trees.lookahead.growing_rows import GrowingRows


def row_prices(rows: GrowingRows, leaf: NDArray[np.int64], *, weight: float, margin: float) -> NDArray[np.float64]:
    """Return the price of a positive prediction for each group and label.

    ::

        minimise over v, w    sum_l d_l v_l + weight * w
        (mu_k)   subject to   sum_l G_kl v_l <= bounds_k - margin         for each form k
        (nu_k)                sum_l G_kl v_l <= w
                              0 <= v_l <= 1                               for each leaf l

    with d_l what predicting 1 in leaf l adds to the share of wrong rows. A row costs sum_k (mu_k + nu_k) G_k.

    Shapes: `leaf` (n_rows,); returns (n_strata,).
    """
    n_strata, n_forms = rows.strata.n_cells, len(rows.bounds)
    if not n_forms:
        return np.zeros(n_strata)
    numbers, places = np.unique(leaf, return_inverse=True)
    counts = np.bincount(places * n_strata + rows.strata.cells, minlength=len(numbers) * n_strata)
    counts = counts.reshape(len(numbers), n_strata)
    wrong = counts @ (1 - 2 * rows.strata.targets) / rows.n_rows
    forms = rows.forms @ counts.T
    program = linprog(
        np.r_[wrong, weight],
        A_ub=np.vstack([np.hstack([forms, np.zeros((n_forms, 1))]), np.hstack([forms, -np.ones((n_forms, 1))])]),
        b_ub=np.r_[rows.stricter(margin), np.zeros(n_forms)],
        bounds=[*[(0.0, 1.0)] * len(numbers), (None, None)] if weight else [*[(0.0, 1.0)] * len(numbers), (0.0, None)],
        method="highs",
    )
    if program.status != 0:
        return np.zeros(n_strata)
    multipliers = -program.ineqlin.marginals
    return rows.n_rows * (multipliers[:n_forms] + multipliers[n_forms:]) @ rows.forms
