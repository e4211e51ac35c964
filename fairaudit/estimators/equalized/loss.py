"""The loss: how far predictions are from the labels, and how far apart the groups' score distributions are.

=====================  =========================  ================================================================
Chen et al., 4.3       here                       meaning
=====================  =========================  ================================================================
alpha                  ``accuracy_weight``        weight of E_a; 1 - alpha is that of E_f
Delta, c               ``bin_width``, `centres`   width and centres of the bins on 0 to 1
sigma                  ``smoothing``              spread of the Gaussian around each score
D_kp, D_kn             `Cell`                     rows of group k with label 1, with label 0
norm_hist(D)           :func:`gaussians`          H(D)[c] = mean over D of exp(-(p_i - c)^2 / (2 sigma^2))
E_f, E_a, L            `unlikeness`, `log_loss`   equations 14, 16 and 15; E_a with its sign, and as a mean
=====================  =========================  ================================================================

With p = sigmoid(X w), and D[c] = 2 (H_1 - H_k)[c] with the sign of the side that a row is on, the derivative is
dE_f/dp_i = sum_c D[c] / n_k * g_ic (c - p_i) / sigma^2 = ((G (D c))_i - p_i (G D)_i) / (n_k sigma^2):
one matrix of Gaussians G, rows by bins, gives the histograms and the derivative. Memory stays flat: from
`MAX_KEPT` numbers on, G is made twice in blocks and not kept.

References
----------
Chen, Shahverdi, Anderson et al. (2020), "Transparency tools for fairness in AI (Luskin)", section 4.3.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from fairaudit.estimators.base import check_both_labels

BLOCK = 512
"""Rows whose Gaussians fit a processor's cache."""

MAX_KEPT = 20_000_000
"""Gaussians that are kept between the histograms and the derivative; 8 bytes each."""

SMALLEST_EXPONENT = -700.0
"""Below it exp gives subnormal numbers, which are slow; above 1e-304 it changes nothing."""

NULL_DIRECTION = 1e-10
"""Directions with less than this share of the largest second moment are left out of the search."""


@dataclass(frozen=True)
class Cell:
    """The rows of one group with one label, which lie side by side.

    Parameters
    ----------
    group, label : int
        The group's code, and 0 or 1.
    start, stop : int
        The first row and the one after the last.
    """

    group: int
    label: int
    start: int
    stop: int

    @property
    def n(self) -> int:
        """The number of rows."""
        return self.stop - self.start


@dataclass(frozen=True, eq=False)
class DistributionLoss:
    """The loss of a logistic model as a function of its weights, on given rows.

    The first group is compared with each of the others. With three groups or more it therefore matters which is the
    first; the order of the others does not matter.

    Parameters
    ----------
    X : ndarray of float, shape (n, n_weights)
        Features and a last column of ones; rows sorted by cell.
    y : ndarray of float, shape (n,)
        Labels 0 and 1, in the same order.
    cells : tuple of Cell
        All of them; the first group's is the first for either label.
    centres : ndarray of float, shape (n_bins,)
        Centres of the bins.
    smoothing : float
        Spread of the Gaussian, above 0.
    accuracy_weight : float
        Between 0 and 1.
    """

    X: NDArray[np.float64]
    y: NDArray[np.float64]
    cells: tuple[Cell, ...]
    centres: NDArray[np.float64]
    smoothing: float
    accuracy_weight: float

    @property
    def n_groups(self) -> int:
        """The number of groups."""
        return len(self.cells) // 2

    @classmethod
    def of(
        cls,
        X: NDArray[np.float64],
        y: NDArray[np.int64],
        codes: NDArray[np.int64],
        names: Sequence[object],
        *,
        accuracy_weight: float,
        bin_width: float = 0.02,
        smoothing: float | None = None,
    ) -> DistributionLoss:
        """Sort the rows by group and label.

        Shapes: `X` (n, n_features), `y` (n,), `codes` (n,).
        """
        counts = np.bincount(2 * codes + y, minlength=2 * len(names)).reshape(-1, 2)
        if len(names) > 1:
            check_both_labels(names, counts, task="the model learns from")
        order = np.lexsort((codes, y))
        # Sorted by label, then by group; no cell is empty, for there are two classes.
        stops = np.cumsum(counts.T).tolist()
        starts = [0, *stops[:-1]]
        places = [(group, label) for label in (0, 1) for group in range(len(names))]
        return cls(
            X=np.column_stack([X[order], np.ones(len(y))]),
            y=y[order].astype(np.float64),
            cells=tuple(Cell(*place, start, stop) for place, start, stop in zip(places, starts, stops, strict=True)),
            centres=np.arange(bin_width / 2, 1, bin_width),
            smoothing=bin_width if smoothing is None else smoothing,
            accuracy_weight=accuracy_weight,
        )

    def whitened(self) -> tuple[DistributionLoss, NDArray[np.float64]]:
        """Return the same loss over coordinates whose second moment is the unit matrix, where descent is quicker.

        Shapes: returns `turn` (n_weights, n_coordinates).
        """
        size, axes = np.linalg.eigh(self.X.T @ self.X / len(self.X))
        kept = size > NULL_DIRECTION * size[-1]
        turn = axes[:, kept] / np.sqrt(size[kept])
        return replace(self, X=self.X @ turn), turn

    def value(self, weights: NDArray[np.float64]) -> float:
        """Return the loss L.

        Shapes: `weights` (n_weights,).
        """
        return self.value_and_gradient(weights)[0]

    def value_and_gradient(self, weights: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        """Return L = alpha E_a + (1 - alpha) E_f and its derivative by the weights.

        Shapes: `weights` (n_weights,); returns `gradient` (n_weights,).
        """
        z = self.X @ weights
        p = expit(z)
        alpha = self.accuracy_weight
        value = alpha * log_loss(z, self.y)
        by_z = (alpha / len(z)) * (p - self.y)
        if alpha < 1 and self.n_groups > 1:
            apart, by_p = self.unlikeness(p)
            value += (1 - alpha) * apart
            by_z += (1 - alpha) * by_p * p * (1 - p)
        return value, self.X.T @ by_z

    def unlikeness(self, p: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        """Return E_f, how far apart the groups' score distributions are, and its derivative by the scores.

        Shapes: `p` (n,); returns `derivative` (n,).
        """
        kept = len(p) * len(self.centres) <= MAX_KEPT
        matrix = np.empty((len(p) if kept else BLOCK, len(self.centres)))
        ones = np.ones(BLOCK)
        histograms = np.zeros((2, self.n_groups, len(self.centres)))
        for cell in self.cells:
            for rows in _blocks(cell):
                block = matrix[rows] if kept else matrix[: rows.stop - rows.start]
                histograms[cell.label, cell.group] += ones[: len(block)] @ self._gaussians(p[rows], block)
            histograms[cell.label, cell.group] /= cell.n

        apart = histograms[:, :1] - histograms[:, 1:]
        slope = np.concatenate([2 * apart.sum(axis=1, keepdims=True), -2 * apart], axis=1)
        derivative = np.empty_like(p)
        for cell in self.cells:
            by_bin = slope[cell.label, cell.group]
            columns = np.column_stack([by_bin * self.centres, by_bin])
            for rows in [slice(cell.start, cell.stop)] if kept else _blocks(cell):
                block = matrix[rows] if kept else self._gaussians(p[rows], matrix[: rows.stop - rows.start])
                pulled, pushed = (block @ columns).T
                derivative[rows] = (pulled - p[rows] * pushed) / (cell.n * self.smoothing**2)
        return float((apart**2).sum()), derivative

    def _gaussians(self, p: NDArray[np.float64], out: NDArray[np.float64]) -> NDArray[np.float64]:
        return gaussians(p, self.centres, self.smoothing, out)


def gaussians(
    p: NDArray[np.float64], centres: NDArray[np.float64], smoothing: float, out: NDArray[np.float64] | None = None
) -> NDArray[np.float64]:
    """Return how much each score counts in each bin.

    Shapes: `p` (n,), `centres` (n_bins,), `out` (n, n_bins); returns (n, n_bins).
    """
    found = np.subtract(p[:, None], centres, out=out)
    found *= found
    found *= -0.5 / smoothing**2
    if found.size and -0.5 / smoothing**2 < SMALLEST_EXPONENT:
        np.maximum(found, SMALLEST_EXPONENT, out=found)
    return np.exp(found, out=found)


def log_loss(z: NDArray[np.float64], y: NDArray[np.float64]) -> float:
    """Return E_a, the mean logistic loss.

    Shapes: `z` (n,), `y` (n,).
    """
    return float(np.mean(np.logaddexp(0.0, z) - y * z))


def _blocks(cell: Cell) -> list[slice]:
    return [slice(start, min(start + BLOCK, cell.stop)) for start in range(cell.start, cell.stop, BLOCK)]
