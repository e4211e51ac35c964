"""The loss of equalized distributions and its optimizers."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from queue import SimpleQueue
from typing import Literal, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import OptimizeResult, minimize
from scipy.special import expit, ndtr

from fairaudit.errors import StoppedError
from fairaudit.estimators.base import check_both_labels, iter_part
from fairaudit.events import STOP, Command, Event, Finished, Progress, Started

# The loss: how far predictions are from the labels, and how far apart the groups' score distributions are.
#
# =====================  =========================  ================================================================
# Chen et al., 4.3       here                       meaning
# =====================  =========================  ================================================================
# alpha                  ``accuracy_weight``        weight of E_a; 1 - alpha is that of E_f
# Delta, c               ``bin_width``, `centres`   width and centres of the bins on 0 to 1
# sigma                  ``smoothing``              spread of the Gaussian around each score
# D_kp, D_kn             `Cell`                     rows of group k with label 1, with label 0
# norm_hist(D)           :func:`gaussians`          H(D)[c] = mean over D of exp(-(u_i - c)^2 / (2 sigma^2))
# E_f, E_a, L            `unlikeness`, `log_loss`   equations 14, 16 and 15; E_a with its sign, and as a mean
# =====================  =========================  ================================================================
#
# The place u_i of a row among the bins depends on the distance, see `Distance`: its
# score p_i, or where its logit is among those of all rows, Phi((z_i - mean z) / sd z). With S[c] = dE_f/dH[c] of the
# cell that a row is in, the derivative is
# dE_f/du_i = sum_c S[c] / n_k * g_ic (c - u_i) / sigma^2 = ((G (S c))_i - u_i (G S)_i) / (n_k sigma^2):
# one matrix of Gaussians G, rows by bins, gives the histograms and the derivative. Memory stays flat: from
# `MAX_KEPT` numbers on, G is made twice in blocks and not kept.
#
# References
# ----------
# Chen, Shahverdi, Anderson et al. (2020), "Transparency tools for fairness in AI (Luskin)", section 4.3.

# How far apart the groups' score distributions are: two measures of it, each with its slope.
#
# `Ranks` is the mean over all thresholds, weighted by how many rows have a score there, of the squared gaps in true and
# false positive rates, with F_kl the share of the rows of group k and label l below c, and f the share of all rows at
# c:
#
#     E_f = RANKS_FACTOR * sum_l sum_c f[c] * mean over pairs (j, k) of (F_jl[c] - F_kl[c])^2
#
# Logits are standardised over all rows and put on 0 to 1 by the normal distribution. So neither smaller scores nor a
# larger intercept change it, and hardly any other increasing function of the scores would.
#
# `Histogram` is equation 14 of Chen et al. (2020), on the scores themselves: with scores that differ less between all
# rows it is smaller too, so that from some weight on a search ends where all scores are nearly the same.

RANKS_FACTOR = 2.0
"""With it, a weight of accuracy of one half has gaps near half of those of a plain model on the data measured."""

TAIL = 3.0
"""How far beyond 0 and 1 the bins go, in smoothings: a Gaussian around an end is counted whole."""

EQUAL_LOGITS = 1e-9
"""Logits that differ by less than this share of their size count as equal."""

Floats = NDArray[np.float64]


class Distance(Protocol):
    """A measure of how unlike score distributions are.

    Shapes: `z`, `u`, `by_u`, `row_weights` (n,); `histograms` (2, n_groups, n_bins), `shares` (2, n_groups),
    `centres` (n_bins,).
    """

    least_smoothing: float
    """The smallest smoothing that its bins can show."""
    begins_at_zero: bool
    """Whether a search may begin where all scores are the same."""

    def centres(self, bin_width: float, smoothing: float) -> Floats:
        """Return the centres of the bins."""

    def places(self, z: Floats, row_weights: Floats | None = None) -> tuple[Floats, Callable[[Floats], Floats]]:
        """Return where each logit is among the bins, and what makes a derivative by that one by the logits."""

    def value_and_slope(
        self, histograms: Floats, shares: Floats, centres: Floats, smoothing: float
    ) -> tuple[float, Floats]:
        """Return the distance and its derivative by the histograms."""


class Histogram:
    """The squared distance between the histograms of the first group and of each other one.

    With three groups or more it matters which is the first; the order of the others does not.
    """

    least_smoothing = 0.0
    begins_at_zero = True

    def centres(self, bin_width: float, smoothing: float) -> Floats:
        """Return the paper's bins, which do not depend on the smoothing."""
        return np.arange(bin_width / 2, 1, bin_width)

    def places(self, z: Floats, row_weights: Floats | None = None) -> tuple[Floats, Callable[[Floats], Floats]]:
        """Return the scores."""
        p = expit(z)
        return p, lambda by_p: by_p * p * (1 - p)

    def value_and_slope(
        self, histograms: Floats, shares: Floats, centres: Floats, smoothing: float
    ) -> tuple[float, Floats]:
        """Return equation 14."""
        apart = histograms[:, :1] - histograms[:, 1:]
        slope = np.concatenate([2 * apart.sum(axis=1, keepdims=True), -2 * apart], axis=1)
        return float((apart**2).sum()), slope


class Ranks:
    """The mean over all thresholds of the squared gaps in true and false positive rates."""

    least_smoothing = 0.001
    begins_at_zero = False

    def centres(self, bin_width: float, smoothing: float) -> Floats:
        """Return bins no wider than the smoothing, from below 0 to above 1."""
        width = min(bin_width, smoothing)
        return np.arange(-TAIL * smoothing, 1 + TAIL * smoothing + width / 2, width)

    def places(self, z: Floats, row_weights: Floats | None = None) -> tuple[Floats, Callable[[Floats], Floats]]:
        """Return where each logit is in a normal distribution with the mean and spread of all."""
        middle, spread = _mean(z, row_weights), _spread(z, row_weights)
        if not spread > EQUAL_LOGITS * abs(middle):
            return np.full_like(z, 0.5), np.zeros_like
        s = (z - middle) / spread
        density = np.exp(-0.5 * s**2) / np.sqrt(2 * np.pi)

        def by_logits(by_u: Floats) -> Floats:
            by_s = by_u * density
            if row_weights is None:
                return (by_s - by_s.mean() - s * np.mean(by_s * s)) / spread
            return (by_s - row_weights / row_weights.sum() * (by_s.sum() + s * (by_s @ s))) / spread

        return ndtr(s), by_logits

    def value_and_slope(
        self, histograms: Floats, shares: Floats, centres: Floats, smoothing: float
    ) -> tuple[float, Floats]:
        """Return the mean squared gap, by histograms whose cumulated sums are the shares below each threshold."""
        whole = (centres[1] - centres[0]) / (smoothing * np.sqrt(2 * np.pi))
        masses = whole * histograms
        # half of a bin is below its centre
        below = np.cumsum(masses, axis=2) - masses / 2
        apart = below - below.mean(axis=1, keepdims=True)
        # the mean over pairs of groups of (F_j - F_k)^2
        pairs = 2 / (below.shape[1] - 1)
        squared = pairs * (apart**2).sum(axis=(0, 1))
        everyone = np.einsum("lk,lkc->c", shares, masses)
        by_below = 2 * pairs * everyone * apart
        by_mass = np.cumsum(by_below[..., ::-1], axis=2)[..., ::-1] - by_below / 2 + shares[..., None] * squared
        return float(RANKS_FACTOR * everyone @ squared), RANKS_FACTOR * whole * by_mass


HISTOGRAM, RANKS = "histogram", "ranks"

DISTANCES: dict[str, Distance] = {RANKS: Ranks(), HISTOGRAM: Histogram()}
"""The measures by their names; the first is the default."""


ROWS_A_BLOCK = 512
"""Rows whose Gaussians fit a processor's cache."""

MAX_KEPT = 20_000_000
"""Gaussians that are kept between the histograms and the derivative; 8 bytes each."""

SMALLEST_EXPONENT = -700.0
"""Below it exp gives subnormal numbers, which are slow; above 1e-304 it changes nothing."""

COLLAPSED = 0.25
"""Scores whose standard deviation is less than this share of a plain model's have collapsed."""

LEAST_SPREAD = 1e-6
"""Where a plain model's scores are spread no wider than this, the features say nothing of the label."""

NULL_DIRECTION = 1e-10
"""Directions with less than this share of the largest second moment are left out of the search."""


def _mean(values: Floats, row_weights: Floats | None) -> float:
    return float(values.mean() if row_weights is None else row_weights @ values / row_weights.sum())


def _spread(values: Floats, row_weights: Floats | None) -> float:
    if row_weights is None:
        return float(values.std())
    return math.sqrt(_mean((values - _mean(values, row_weights)) ** 2, row_weights))


@dataclass(frozen=True)
class Cell:
    """The rows of one group with one label, which lie side by side."""

    # The group's code, and 0 or 1.
    group: int
    label: int
    # The first row, and the one after the last.
    start: int
    stop: int
    # How many rows there are, or the sum of their weights.
    n: float


@dataclass(frozen=True, eq=False)
class DistributionLoss:
    """The loss of a logistic model as a function of its weights, on given rows."""

    # (n, n_weights) Features and a last column of ones; rows sorted by cell.
    X: NDArray[np.float64]
    # (n,) Labels 0 and 1, in the same order.
    y: NDArray[np.float64]
    # By label, then by group.
    cells: tuple[Cell, ...]
    # (n_bins,) Centres of the bins.
    centres: NDArray[np.float64]
    # Spread of the Gaussian, above 0.
    smoothing: float
    accuracy_weight: float
    # How unlike spreads are measured.
    distance: Distance
    # (n,) How much each row counts, in the order of `y`; None where each counts once.
    row_weights: NDArray[np.float64] | None = None

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
        row_weights: NDArray[np.float64] | None = None,
    ) -> DistributionLoss:
        """Sort the rows by group and label; those with the code `len(names)` are in no group, and count as rows only.

        Shapes: `X` (n, n_features), `y` (n,), `codes` (n,), `row_weights` (n,).
        """
        counts = np.bincount(2 * codes + y, minlength=2 * len(names) + 2).reshape(-1, 2)
        if len(names) > 1:
            check_both_labels(names, counts[:-1], task="the model learns from")
        order = np.lexsort((codes, y))
        # Sorted by label, then by group; no cell of a group is empty, for there are two classes.
        stops = np.cumsum(counts.T).tolist()
        starts = [0, *stops[:-1]]
        places = [(group, label) for label in (0, 1) for group in range(len(names) + 1)]
        smoothing = bin_width if smoothing is None else smoothing
        sizes = counts.T.ravel().astype(np.float64).tolist()
        if row_weights is not None:
            row_weights = row_weights[order]
            sizes = [float(row_weights[start:stop].sum()) for start, stop in zip(starts, stops, strict=True)]
        return cls(
            X=np.column_stack([X[order], np.ones(len(y))]),
            y=y[order].astype(np.float64),
            cells=tuple(
                Cell(*place, start, stop, n)
                for place, start, stop, n in zip(places, starts, stops, sizes, strict=True)
                if place[0] < len(names)
            ),
            centres=DISTANCES[distance].centres(bin_width, smoothing),
            smoothing=smoothing,
            accuracy_weight=accuracy_weight,
            distance=DISTANCES[distance],
            row_weights=row_weights,
        )

    @property
    def n(self) -> float:
        """How many rows there are, or the sum of their weights."""
        return len(self.y) if self.row_weights is None else float(self.row_weights.sum())

    def _counted(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return what rows come to by how much they count. Shapes: `values` (n, ...)."""
        if self.row_weights is None:
            return values
        return (values.T * self.row_weights).T

    def whitened(self) -> tuple[DistributionLoss, NDArray[np.float64]]:
        """Return the same loss over coordinates whose second moment is the unit matrix, where descent is quicker.

        Shapes: returns `basis` (n_weights, n_coordinates).
        """
        size, axes = np.linalg.eigh(self.X.T @ self._counted(self.X) / self.n)
        kept = size > NULL_DIRECTION * size[-1]
        basis = axes[:, kept] / np.sqrt(size[kept])
        return replace(self, X=self.X @ basis), basis

    def value(self, weights: NDArray[np.float64]) -> float:
        """Return the loss L. Shapes: `weights` (n_weights,)."""
        return self.value_and_gradient(weights)[0]

    def value_and_gradient(self, weights: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        """Return L = alpha E_a + (1 - alpha) E_f and its derivative by the weights.

        Shapes: `weights` (n_weights,); returns `gradient` (n_weights,).
        """
        z = self.X @ weights
        p = expit(z)
        alpha = self.accuracy_weight
        value = alpha * log_loss(z, self.y, self.row_weights)
        by_z = (alpha / self.n) * self._counted(p - self.y)
        if alpha < 1 and self.n_groups > 1:
            u, by_logits = self.distance.places(z, self.row_weights)
            apart, by_u = self.unlikeness(u)
            value += (1 - alpha) * apart
            by_z += (1 - alpha) * by_logits(by_u)
        return value, self.X.T @ by_z

    def unlikeness(self, u: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        """Return E_f, how far apart the groups' score distributions are, and its derivative by the rows' places.

        Shapes: `u` (n,); returns `derivative` (n,).
        """
        kept = len(u) * len(self.centres) <= MAX_KEPT
        matrix = np.empty((len(u) if kept else ROWS_A_BLOCK, len(self.centres)))
        counts = np.ones(len(u)) if self.row_weights is None else self.row_weights
        n_compared = sum(cell.n for cell in self.cells)
        histograms = np.zeros((2, self.n_groups, len(self.centres)))
        shares = np.zeros((2, self.n_groups))
        for cell in self.cells:
            for rows in _blocks(cell):
                block = matrix[rows] if kept else matrix[: rows.stop - rows.start]
                histograms[cell.label, cell.group] += counts[rows] @ self._gaussians(u[rows], block)
            histograms[cell.label, cell.group] /= cell.n
            shares[cell.label, cell.group] = cell.n / n_compared

        apart, slope = self.distance.value_and_slope(histograms, shares, self.centres, self.smoothing)
        derivative = np.zeros_like(u)
        for cell in self.cells:
            by_bin = slope[cell.label, cell.group]
            columns = np.column_stack([by_bin * self.centres, by_bin])
            for rows in [slice(cell.start, cell.stop)] if kept else _blocks(cell):
                block = matrix[rows] if kept else self._gaussians(u[rows], matrix[: rows.stop - rows.start])
                pulled, pushed = (block @ columns).T
                derivative[rows] = (pulled - u[rows] * pushed) / (cell.n * self.smoothing**2)
        return apart, self._counted(derivative)

    def least_squares(self) -> NDArray[np.float64]:
        """Return weights near those of plain logistic regression: the least-squares line through the labels.

        Shapes: returns (n_weights,).
        """
        whitened_loss, basis = self.whitened()
        # a logistic curve has the slope 1/4 at one half
        return basis @ (whitened_loss.X.T @ self._counted(4 * self.y - 2)) / self.n

    def has_collapsed(self, weights: NDArray[np.float64]) -> bool:
        """Say whether scores are spread far less over all rows than accuracy alone would spread them.

        Shapes: `weights` (n_weights,).
        """
        plain = _spread(self.X @ self.least_squares(), self.row_weights) / 4
        return _spread(expit(self.X @ weights), self.row_weights) < COLLAPSED * plain and plain > LEAST_SPREAD

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


def log_loss(z: NDArray[np.float64], y: NDArray[np.float64], row_weights: NDArray[np.float64] | None = None) -> float:
    """Return E_a, the mean logistic loss. Shapes: `z` (n,), `y` (n,), `row_weights` (n,)."""
    return _mean(np.logaddexp(0.0, z) - y * z, row_weights)


def _blocks(cell: Cell) -> list[slice]:
    return [slice(start, min(start + ROWS_A_BLOCK, cell.stop)) for start in range(cell.start, cell.stop, ROWS_A_BLOCK)]


# Two ways to lower the loss: L-BFGS, and gradient descent with momentum as in Chen et al. (2020), section 4.3.
#
# The loss is not convex. Either ends in an optimum near where it began, which need not be the lowest. With histograms,
# a search from zero may stay where all scores are nearly the same; from plain logistic regression it comes from the
# other side. With few rows the ends differ most and a search costs least: up to `FEW_ROWS`, L-BFGS is begun at both,
# and the lower end kept. Ranks of equal scores say nothing, so there the first search begins at the line of least
# squares.

Report = TypeVar("Report")
Result = TypeVar("Result")


def iter_reports(
    work: Callable[[Callable[[Report], None]], Result],
) -> Generator[Report, bool | None, Result]:
    """Yield what work reports through a callback; it runs in a thread of its own, in turns with the caller.

    Examples
    --------
    >>> list(iter_reports(lambda report: [report(n) for n in (1, 2, 3)]))
    [1, 2, 3]
    """
    reports: SimpleQueue = SimpleQueue()
    orders: SimpleQueue = SimpleQueue()

    def report(value: Report) -> None:
        reports.put((True, value))
        if orders.get():
            raise StopIteration

    def run() -> None:
        outcome: tuple[Result | None, BaseException | None]
        try:
            outcome = work(report), None
        except BaseException as error:  # noqa: BLE001 - raised again where the work was asked for
            outcome = None, error
        reports.put((False, outcome))

    thread = threading.Thread(target=run, name="fairaudit-steps", daemon=True)
    thread.start()
    try:
        while True:
            more, value = reports.get()
            if not more:
                result, error = value
                if error is not None:
                    raise error
                return result
            orders.put((yield value) is True)
    finally:
        orders.put(True)
        thread.join()


TASK = "Bringing the distributions together"

FEW_ROWS = 2000
"""Up to this many rows a second search is worth its time; above, the ends differed in the fourth decimal."""

ALIKE_DIGITS = 7
"""Decimals of losses that are compared: L-BFGS is no more exact."""

LBFGS_OPTIONS = {"ftol": 1e-8, "gtol": 1e-5, "maxcor": 20}
"""When L-BFGS ends, and how many steps it remembers. Tolerances a tenth as large took longer and were no better."""


@dataclass(frozen=True, eq=False)
class Minimum:
    """Where a search ended."""

    # (n_weights,) The best that were seen; the intercept last.
    weights: NDArray[np.float64]
    loss: float
    # The loss at the beginning and after each step.
    curve: tuple[float, ...]
    status: Literal["finished", "stopped"]
    # Whether it ended because no further step was worth taking.
    settled: bool

    @property
    def n_iter(self) -> int:
        """Steps taken."""
        return len(self.curve) - 1


def with_fitted_scale(loss: DistributionLoss, weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return weights whose scores have the same order, or the opposite one, and are as accurate as those can be.

    Shapes: `weights` (n_weights,).
    """
    along = np.column_stack([loss.X @ weights, np.ones(len(loss.y))])
    alone = replace(loss, X=along, accuracy_weight=1.0)
    scale, shift = minimize(alone.value_and_gradient, [1.0, 0.0], jac=True, method="L-BFGS-B", options=LBFGS_OPTIONS).x
    fitted = scale * weights
    fitted[-1] += shift
    return fitted


Search = Generator[Event, Command | None, None]
Part = Generator[Event, Command | None, tuple[Minimum, bool]]


def iter_lbfgs(loss: DistributionLoss, *, start: NDArray[np.float64] | None = None, max_iter: int = 2000) -> Search:
    """Lower the loss by L-BFGS over whitened coordinates. Shapes: `start` (n_weights,)."""
    whitened_loss, basis = loss.whitened()
    first = np.zeros(basis.shape[1]) if start is None else np.asarray(np.linalg.lstsq(basis, start)[0], dtype=float)

    def descend(report: Callable[[tuple[float, NDArray[np.float64]]], None]) -> OptimizeResult:
        # scipy passes this under its name, and ends when StopIteration is raised
        def callback(intermediate_result: OptimizeResult) -> None:
            report((float(intermediate_result.fun), np.array(intermediate_result.x)))

        options = LBFGS_OPTIONS | {"maxiter": max_iter, "maxfun": 10 * max_iter}
        return minimize(
            whitened_loss.value_and_gradient, first, jac=True, method="L-BFGS-B", callback=callback, options=options
        )

    x, curve = first, [whitened_loss.value(first)]
    yield Started(TASK, max_iter)
    stopped = (yield Progress(TASK, 0, max_iter)) is STOP
    settled = False
    if not stopped:
        with closing(iter_reports(descend)) as reports:
            try:
                value, x = next(reports)
                while True:
                    curve.append(value)
                    if len(curve) <= max_iter:
                        stopped = (yield Progress(TASK, len(curve) - 1, max_iter)) is STOP
                    if stopped:
                        break
                    value, x = reports.send(None)
            except StopIteration as end:
                settled = len(curve) <= max_iter and end.value.status != 1
    yield Finished(Minimum(basis @ x, curve[-1], tuple(curve), "stopped" if stopped else "finished", settled))


def iter_momentum(
    loss: DistributionLoss,
    *,
    start: NDArray[np.float64] | None = None,
    max_iter: int = 2000,
    learning_rate: float = 1.0,
    momentum: float = 0.9,
) -> Search:
    """Lower the loss by gradient descent with momentum, all steps of it; the best weights seen are kept.

    Shapes: `start` (n_weights,).
    """
    weights = np.zeros(loss.X.shape[1]) if start is None else start.copy()
    step = np.zeros_like(weights)
    value, gradient = loss.value_and_gradient(weights)
    best, curve, stopped = (value, weights), [value], False
    yield Started(TASK, max_iter)
    for done in range(max_iter):
        stopped = (yield Progress(TASK, done, max_iter)) is STOP
        if stopped:
            break
        step = momentum * step - learning_rate * gradient
        weights = weights + step
        value, gradient = loss.value_and_gradient(weights)
        curve.append(value)
        if value < best[0]:
            best = value, weights
    yield Finished(Minimum(best[1], best[0], tuple(curve), "stopped" if stopped else "finished", settled=not stopped))


def iter_lowest(
    loss: DistributionLoss,
    search: Callable[..., Search],
    *,
    from_plain: bool,
    starts: Sequence[NDArray[np.float64]] = (),
    max_iter: int = 2000,
) -> Search:
    """Search from several points, and keep the lowest end. Shapes: `starts` (n_weights,)."""
    from_plain = from_plain and 0 < loss.accuracy_weight < 1 and loss.n_groups > 1
    n_before = 3 if from_plain else 1
    total = (n_before + len(starts)) * max_iter

    def part(number: int, target: DistributionLoss, start: NDArray[np.float64] | None) -> Part:
        events = search(target, start=start, max_iter=max_iter)
        return iter_part(events, start=number * max_iter, end=(number + 1) * max_iter, total=total)

    yield Started(TASK, total)
    first = None if loss.distance.begins_at_zero else loss.least_squares()
    minimum, stopped = yield from part(0, loss, first)
    if stopped and minimum.n_iter == 0:
        raise StoppedError("The fit was stopped before its first step was complete.")
    found = [minimum]
    if from_plain and not stopped:
        plain, stopped = yield from part(1, replace(loss, accuracy_weight=1.0), None)
        starts = [plain.weights, *starts]
    for number, start in enumerate(starts, n_before - from_plain):
        if stopped:
            break
        minimum, stopped = yield from part(number, loss, start)
        found.append(minimum)
    # Ends may differ by rounding alone. Then the first is taken, so that each machine takes the same.
    lowest = min(found, key=lambda minimum: round(minimum.loss, ALIKE_DIGITS))
    yield Finished(replace(lowest, status="stopped" if stopped else "finished"))
