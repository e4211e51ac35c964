"""The loss: how far predictions are from the labels, and how far apart the groups' score distributions are.

=====================  =========================  ================================================================
Chen et al., 4.3       here                       meaning
=====================  =========================  ================================================================
alpha                  ``accuracy_weight``        weight of E_a; 1 - alpha is that of E_f
Delta, c               ``bin_width``, `centres`   width and centres of the bins on 0 to 1
sigma                  ``smoothing``              spread of the Gaussian around each score
D_kp, D_kn             `Cell`                     rows of group k with label 1, with label 0
norm_hist(D)           :func:`gaussians`          H(D)[c] = mean over D of exp(-(u_i - c)^2 / (2 sigma^2))
E_f, E_a, L            `unlikeness`, `log_loss`   equations 14, 16 and 15; E_a with its sign, and as a mean
=====================  =========================  ================================================================

The place u_i of a row among the bins depends on the distance, see :mod:`fairaudit.estimators.equalized.distances`: its
score p_i, or where its logit is among those of all rows, Phi((z_i - mean z) / sd z). With S[c] = dE_f/dH[c] of the cell
that a row is in, the derivative is
dE_f/du_i = sum_c S[c] / n_k * g_ic (c - u_i) / sigma^2 = ((G (S c))_i - u_i (G S)_i) / (n_k sigma^2):
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
from fairaudit.estimators.equalized.distances import DISTANCES, Distance

BLOCK = 512
"""Rows whose Gaussians fit a processor's cache."""

MAX_KEPT = 20_000_000
"""Gaussians that are kept between the histograms and the derivative; 8 bytes each."""

SMALLEST_EXPONENT = -700.0
"""Below it exp gives subnormal numbers, which are slow; above 1e-304 it changes nothing."""

COLLAPSED = 0.25
"""Scores whose standard deviation is less than this share of a plain model's have collapsed."""

NOTHING = 1e-6
"""Where a plain model's scores are spread no wider than this, the features say nothing of the label."""

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
    distance : Distance
        How unlike spreads are measured.
    """

    X: NDArray[np.float64]
    y: NDArray[np.float64]
    cells: tuple[Cell, ...]
    centres: NDArray[np.float64]
    smoothing: float
    accuracy_weight: float
    distance: Distance

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
        distance: str,
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
        smoothing = bin_width if smoothing is None else smoothing
        return cls(
            X=np.column_stack([X[order], np.ones(len(y))]),
            y=y[order].astype(np.float64),
            cells=tuple(Cell(*place, start, stop) for place, start, stop in zip(places, starts, stops, strict=True)),
            centres=DISTANCES[distance].centres(bin_width, smoothing),
            smoothing=smoothing,
            accuracy_weight=accuracy_weight,
            distance=DISTANCES[distance],
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
            u, by_logits = self.distance.places(z)
            apart, by_u = self.unlikeness(u)
            value += (1 - alpha) * apart
            by_z += (1 - alpha) * by_logits(by_u)
        return value, self.X.T @ by_z

    def unlikeness(self, u: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        """Return E_f, how far apart the groups' score distributions are, and its derivative by the rows' places.

        Shapes: `u` (n,); returns `derivative` (n,).
        """
        kept = len(u) * len(self.centres) <= MAX_KEPT
        matrix = np.empty((len(u) if kept else BLOCK, len(self.centres)))
        ones = np.ones(BLOCK)
        histograms = np.zeros((2, self.n_groups, len(self.centres)))
        shares = np.zeros((2, self.n_groups))
        for cell in self.cells:
            for rows in _blocks(cell):
                block = matrix[rows] if kept else matrix[: rows.stop - rows.start]
                histograms[cell.label, cell.group] += ones[: len(block)] @ self._gaussians(u[rows], block)
            histograms[cell.label, cell.group] /= cell.n
            shares[cell.label, cell.group] = cell.n / len(u)

        apart, slope = self.distance.value_and_slope(histograms, shares, self.centres, self.smoothing)
        derivative = np.empty_like(u)
        for cell in self.cells:
            by_bin = slope[cell.label, cell.group]
            columns = np.column_stack([by_bin * self.centres, by_bin])
            for rows in [slice(cell.start, cell.stop)] if kept else _blocks(cell):
                block = matrix[rows] if kept else self._gaussians(u[rows], matrix[: rows.stop - rows.start])
                pulled, pushed = (block @ columns).T
                derivative[rows] = (pulled - u[rows] * pushed) / (cell.n * self.smoothing**2)
        return apart, derivative

    def least_squares(self) -> NDArray[np.float64]:
        """Return weights near those of plain logistic regression: the least-squares line through the labels.

        Shapes: returns (n_weights,).
        """
        turned, turn = self.whitened()
        # a logistic curve has the slope 1/4 at one half
        return turn @ (turned.X.T @ (4 * self.y - 2)) / len(self.y)

    def has_collapsed(self, weights: NDArray[np.float64]) -> bool:
        """Say whether scores are spread far less over all rows than accuracy alone would spread them.

        Shapes: `weights` (n_weights,).
        """
        plain = (self.X @ self.least_squares()).std() / 4
        return bool(expit(self.X @ weights).std() < COLLAPSED * plain and plain > NOTHING)

    def _gaussians(self, u: NDArray[np.float64], out: NDArray[np.float64]) -> NDArray[np.float64]:
        return gaussians(u, self.centres, self.smoothing, out)


def gaussians(
    u: NDArray[np.float64], centres: NDArray[np.float64], smoothing: float, out: NDArray[np.float64] | None = None
) -> NDArray[np.float64]:
    """Return how much each place counts in each bin.

    Shapes: `u` (n,), `centres` (n_bins,), `out` (n, n_bins); returns (n, n_bins).
    """
    found = np.subtract(u[:, None], centres, out=out)
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
