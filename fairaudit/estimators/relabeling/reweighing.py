"""Weights that lead a model to the relabelled shares: labels without a gap do not make decisions without one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

LARGEST = 3.0
"""The most that the logarithm of the ratio of weights may be, in either direction."""


class GapReweighing:
    """Weigh the relabelled protected rows anew by the gap that a model's decisions show while it is being fitted.

    A model that only sees that the gap of the labels is closed will close most of it: the few changed labels look like
    noise to it. So after each round the protected rows with label 1 count more, and those with label 0 less, as long as
    the model's own decisions (a probability of at least 0.5) on all rows it may look at leave the protected group
    behind, and the other way round. Neither labels nor any other row change, and the group keeps its total weight.

    Parameters
    ----------
    table : DataFrame or ndarray, shape (n_judged, n_features)
        The rows of the population whose decisions are watched; never held-out ones.
    protected : ndarray of bool, shape (n_judged,)
        Who of them is protected.
    labels : ndarray of int, shape (n,)
        The labels that the model is fitted to, 0 or 1.
    moved : ndarray of bool, shape (n,)
        The protected rows of the population among those that the model is fitted to.
    step : float
        How far the logarithm of the ratio of weights moves for a gap of 1.

    Attributes
    ----------
    gap : float
        The gap of the decisions after the last round; NaN before the first.
    ratio : float
        The weight of a protected row with label 1 over one with label 0 in that round.

    Notes
    -----
    With ``g`` the gap after a round, ``r <- clip(r - step * g, -3, 3)``; rows with label 1 weigh ``exp(r / 2)``, those
    with label 0 ``exp(-r / 2)``, both times what keeps their sum. Chen et al. (2020) fit plainly.
    """

    def __init__(
        self,
        table: Any,
        protected: NDArray[np.bool_],
        *,
        labels: NDArray[np.int64],
        moved: NDArray[np.bool_],
        step: float,
    ):
        self.table = table
        self.protected = protected
        self.labels = labels
        self.moved = moved
        self.step = step
        self.log_ratio = 0.0
        self.gap, self.ratio = np.nan, 1.0

    def prepare(self, transform: Callable[[Any], NDArray[np.float64]]) -> None:
        """Prepare the watched rows as the model's own."""
        self.table = transform(self.table)

    def __call__(self, model: Any) -> NDArray[np.float64] | None:
        """Return the weights of all rows for the next round.

        Shapes: returns (n,).
        """
        decisions = model.predict_proba(self.table)[:, 1] >= 0.5
        self.gap = float(decisions[self.protected].mean() - decisions[~self.protected].mean())
        self.ratio = float(np.exp(self.log_ratio))
        moved_labels = self.labels[self.moved]
        if len(np.unique(moved_labels)) < 2:
            return None
        self.log_ratio = float(np.clip(self.log_ratio - self.step * self.gap, -LARGEST, LARGEST))
        sides = np.exp(np.where(moved_labels == 1, 0.5, -0.5) * self.log_ratio)
        weights = np.ones(len(self.labels))
        weights[self.moved] = sides / sides.mean()
        return weights
