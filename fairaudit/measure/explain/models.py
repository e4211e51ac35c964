"""Least squares and logistic regression on counted rows, with what each row moves the coefficients by."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import special

from fairaudit.measure.explain.rows import Control, Floats

MOST_STEPS = 60
RIDGE = 1e-9
"""Times the rows: holds coefficients finite where the outcome is separated, and moves no figure that is shown."""


@dataclass(frozen=True, eq=False)
class Fit:
    """A fitted model.

    Parameters
    ----------
    coefficients : ndarray, shape (n_columns,)
        The coefficients.
    bread : ndarray, shape (n_columns, n_columns)
        The inverse of the (observed) information.
    residuals : ndarray, shape (n_rows,)
        Outcome minus prediction.
    """

    coefficients: Floats
    bread: Floats
    residuals: Floats


def design(
    controls: tuple[Control, ...], n: Floats, *, flexible: bool = False
) -> tuple[Floats, list[NDArray[np.int64]]]:
    """Return the matrix of the controls with a column of ones first, and the columns of each control.

    The most frequent class is left out. Numbers are standardised, a missing one is the mean, with a column that says
    so; `flexible` also gives them their classes.
    """
    parts: list[Floats] = [np.ones((len(n), 1))]
    places, at = [], 1
    for control in controls:
        part = _columns(control, n, flexible)
        parts.append(part)
        places.append(np.arange(at, at + part.shape[1]))
        at += part.shape[1]
    return np.hstack(parts), places


def _columns(control: Control, n: Floats, flexible: bool) -> Floats:
    found = []
    if control.numbers is not None:
        missing = ~np.isfinite(control.numbers)
        weights = np.where(missing, 0.0, n)
        mean = np.average(np.where(missing, 0.0, control.numbers), weights=weights)
        away = np.where(missing, 0.0, control.numbers - mean)
        spread = np.sqrt(np.average(away**2, weights=weights))
        found.append((away / (spread or 1.0))[:, None])
        if missing.any():
            found.append(missing.astype(float)[:, None])
        if not flexible:
            return np.hstack(found)
    size = np.bincount(control.codes, n, len(control.levels))
    others = [code for code in range(len(control.levels)) if size[code] and code != int(np.argmax(size))]
    found.append((control.codes[:, None] == np.array(others, dtype=np.int64)).astype(float))
    return np.hstack(found)


def least_squares(x: Floats, y: Floats, n: Floats) -> Fit:
    """Fit a linear model by least squares; columns that say the same share their coefficient."""
    bread = np.asarray(np.linalg.pinv(x.T @ (x * n[:, None]), rcond=1e-12, hermitian=True), dtype=float)
    coefficients = bread @ (x.T @ (n * y))
    return Fit(coefficients, bread, y - x @ coefficients)


def logistic(x: Floats, y: Floats, n: Floats, ridge: float = RIDGE) -> Fit:
    """Fit a logistic model by Newton's method."""
    penalty = ridge * n.sum()
    coefficients = np.zeros(x.shape[1])
    share = min(max(np.average(y, weights=n), 1e-6), 1 - 1e-6)
    coefficients[0] = np.log(share / (1 - share))
    loss = _loss(x @ coefficients, y, n) + penalty / 2 * coefficients @ coefficients
    for _ in range(MOST_STEPS):
        chance = special.expit(x @ coefficients)
        slope = x.T @ (n * (y - chance)) - penalty * coefficients
        bend = x.T @ (x * (n * chance * (1 - chance))[:, None]) + penalty * np.eye(x.shape[1])
        step = np.linalg.solve(bend, slope)
        part = 1.0
        while True:
            moved = coefficients + part * step
            new = _loss(x @ moved, y, n) + penalty / 2 * moved @ moved
            if new <= loss or part < 1e-4:
                break
            part /= 2
        done = abs(loss - new) <= 1e-12 * (abs(loss) + 1e-12)
        coefficients, loss = moved, new
        if done:
            break
    chance = special.expit(x @ coefficients)
    bend = x.T @ (x * (n * chance * (1 - chance))[:, None]) + penalty * np.eye(x.shape[1])
    return Fit(coefficients, np.linalg.inv(bend), y - chance)


def _loss(score: Floats, y: Floats, n: Floats) -> float:
    # log(1 + exp(-s)) for y = 1, log(1 + exp(s)) for y = 0
    return float(n @ (np.logaddexp(0.0, score) - y * score))


def variance_of(moves: Floats, n: Floats, clusters: NDArray[np.int64] | None, n_columns: int = 1) -> float:
    """Return the variance of a figure from what each row moves it by, robust and allowing for clusters."""
    total = n.sum()
    if clusters is None:
        return float(n @ moves**2 * total / max(total - n_columns, 1.0))
    sums = np.bincount(clusters, n * moves)
    groups = len(np.unique(clusters))
    return float(sums @ sums * groups / max(groups - 1, 1) * (total - 1) / max(total - n_columns, 1.0))


def correlation_with(control: Control, protected: NDArray[np.bool_], n: Floats) -> float:
    """Return how strongly a control goes with the group: the root of what its classes explain of that."""
    size = np.bincount(control.codes, n)
    share = np.divide(np.bincount(control.codes, n * protected), size, out=np.zeros(len(size)), where=size > 0)
    whole = np.average(protected, weights=n)
    return float(np.sqrt((size @ (share - whole) ** 2) / (n.sum() * whole * (1 - whole))))
