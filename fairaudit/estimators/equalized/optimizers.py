"""Two ways to lower the loss: L-BFGS, and gradient descent with momentum as in Chen et al. (2020), section 4.3.

The loss is not convex. Either ends in an optimum near where it began, which need not be the lowest. With histograms, a
search from zero may stay where all scores are nearly the same; from plain logistic regression it comes from the other
side. With few rows the ends differ most and a search costs least: up to `FEW_ROWS`, L-BFGS is begun at both, and the
lower end kept. Ranks of equal scores say nothing, so there the first search begins at the line of least squares.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from queue import SimpleQueue
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from fairaudit.errors import StoppedError
from fairaudit.estimators.base import iter_part
from fairaudit.estimators.equalized.loss import DistributionLoss
from fairaudit.events import STOP, Command, Event, Finished, Progress, Started

# From work that reports through a callback to a generator that can be stopped after any report.

Report = TypeVar("Report")
Result = TypeVar("Result")


def iter_reports(
    work: Callable[[Callable[[Report], None]], Result],
) -> Generator[Report, bool | None, Result]:
    """Run work in a thread of its own, one report at a time: between two of them either it runs or the caller.

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


WHAT = "Bringing the distributions together"

FEW_ROWS = 2000
"""Up to so many rows a second search is worth its time; above, the ends differed in the fourth decimal."""

ALIKE_DIGITS = 7
"""Losses that are the same up to so many digits are alike; L-BFGS ends are no more exact."""

LBFGS_OPTIONS = {"ftol": 1e-8, "gtol": 1e-5, "maxcor": 20}
"""When L-BFGS ends, and how many steps it remembers. Ends ten times as exact took longer and were no better."""


@dataclass(frozen=True, eq=False)
class Minimum:
    """Where a search ended.

    Parameters
    ----------
    weights : ndarray of float, shape (n_weights,)
        The best that were seen; the intercept last.
    loss : float
        The loss there.
    curve : tuple of float
        The loss at the beginning and after each step.
    status : {"finished", "stopped"}
        Whether a caller stopped it.
    settled : bool
        Whether it ended because no further step was worth taking.
    """

    weights: NDArray[np.float64]
    loss: float
    curve: tuple[float, ...]
    status: str
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
Part = Generator[Event, Command | None, tuple[Any, bool]]


def iter_lbfgs(loss: DistributionLoss, *, start: NDArray[np.float64] | None = None, max_iter: int = 2000) -> Search:
    """Lower the loss by L-BFGS over whitened coordinates.

    Shapes: `start` (n_weights,).
    """
    turned, turn = loss.whitened()
    first = np.zeros(turn.shape[1]) if start is None else np.asarray(np.linalg.lstsq(turn, start)[0], dtype=float)

    def descend(report: Callable[[tuple[float, NDArray[np.float64]]], None]) -> Any:
        # scipy passes this under its name, and ends when StopIteration is raised
        def callback(intermediate_result: Any) -> None:
            report((float(intermediate_result.fun), np.array(intermediate_result.x)))

        options = LBFGS_OPTIONS | {"maxiter": max_iter, "maxfun": 10 * max_iter}
        return minimize(
            turned.value_and_gradient, first, jac=True, method="L-BFGS-B", callback=callback, options=options
        )

    x, curve = first, [turned.value(first)]
    yield Started(WHAT, max_iter)
    stopped = (yield Progress(WHAT, 0, max_iter)) is STOP
    settled = False
    if not stopped:
        with closing(iter_reports(descend)) as reports:
            try:
                value, x = next(reports)
                while True:
                    curve.append(value)
                    if len(curve) <= max_iter:
                        stopped = (yield Progress(WHAT, len(curve) - 1, max_iter)) is STOP
                    if stopped:
                        break
                    value, x = reports.send(None)
            except StopIteration as end:
                settled = len(curve) <= max_iter and end.value.status != 1
    yield Finished(Minimum(turn @ x, curve[-1], tuple(curve), "stopped" if stopped else "finished", settled))


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
    yield Started(WHAT, max_iter)
    for done in range(max_iter):
        stopped = (yield Progress(WHAT, done, max_iter)) is STOP
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
    """Search from several points, and keep the lowest end.

    Shapes: `starts` (n_weights,).
    """
    from_plain = from_plain and 0 < loss.accuracy_weight < 1 and loss.n_groups > 1
    n_before = 3 if from_plain else 1
    total = (n_before + len(starts)) * max_iter

    def part(number: int, target: DistributionLoss, start: NDArray[np.float64] | None) -> Part:
        events = search(target, start=start, max_iter=max_iter)
        return iter_part(events, start=number * max_iter, end=(number + 1) * max_iter, total=total)

    yield Started(WHAT, total)
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
