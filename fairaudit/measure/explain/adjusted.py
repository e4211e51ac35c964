"""The gap with the controls held equal: by one model, and cross-fitted and doubly robust as a check of it."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import special

from fairaudit.measure.explain.models import Fit, design, least_squares, logistic
from fairaudit.measure.explain.parts import Moved
from fairaudit.measure.explain.rows import Floats, Rows

FOLDS = 5
LEAST_ROWS = 50
"""A group of fewer rows, or with fewer good (or other) outcomes than folds, has no cross-fitted figure."""

RARE = 0.01
"""Where a group is expected less often than this, its people have next to no counterpart."""

LEARN_FROM = 50_000
"""Of more rows, so many are drawn for each of the models that only predict for others."""

LEARNER_RIDGE = 1e-4
"""Holds the models that only predict for others steady."""


@dataclass(frozen=True, eq=False)
class Adjusted:
    """The adjusted gap and what else its model says.

    Parameters
    ----------
    gap : Moved
        The mean difference of both predictions.
    log_ratio : Moved or None
        The logarithm of the ratio of both mean predictions; None for amounts.
    predicted : ndarray, shape (2, n_combinations)
        The predictions as protected and as the rest.
    n_columns : int
        Coefficients of the model.
    """

    gap: Moved
    log_ratio: Moved | None
    predicted: Floats
    n_columns: int


def by_model(rows: Rows) -> Adjusted:
    """Return the mean difference between what a model predicts for everybody as protected and as the rest."""
    x, _ = design(rows.controls, rows.n)
    z = np.column_stack([x, rows.protected.astype(float)])
    if not rows.is_share:
        fit = least_squares(z, rows.y, rows.n)
        value = fit.coefficients[-1]
        base = x @ fit.coefficients[:-1]
        moves = (z @ fit.bread[:, -1]) * fit.residuals
        return Adjusted(Moved(float(value), moves), None, np.array([base + value, base]), z.shape[1])
    fit = logistic(z, rows.y, rows.n)
    moves_of_beta = (z @ fit.bread) * fit.residuals[:, None]
    means, whole = [], rows.n.sum()
    predicted = np.array(
        [special.expit(np.column_stack([x, np.full(len(x), one)]) @ fit.coefficients) for one in (1, 0)]
    )
    for one, chance in zip((1.0, 0.0), predicted, strict=True):
        version = np.column_stack([x, np.full(len(x), one)])
        mean = rows.n @ chance / whole
        slope = (rows.n * chance * (1 - chance)) @ version / whole
        means.append(Moved(float(mean), (chance - mean) / whole + moves_of_beta @ slope))
    inside, outside = means
    log_ratio = None
    if inside.value > 0 and outside.value > 0:
        moved = inside.moves / inside.value - outside.moves / outside.value
        log_ratio = Moved(math.log(inside.value / outside.value), moved)
    return Adjusted(inside - outside, log_ratio, predicted, z.shape[1])


def cross_fitted(rows: Rows, random_state: int) -> tuple[Moved, tuple[int, int]] | None:
    """Return the doubly robust gap, and how many rows of both groups were left out as next to never in the other.

    With m_g the predicted outcome in a group and e the chance of being protected, both learned from the other folds:
    the mean of ``m_1 - m_0 + g (y - m_1) / e - (1 - g) (y - m_0) / (1 - e)``. None where a group is too small.
    """
    if min(rows.size(True), rows.size(False)) < LEAST_ROWS:
        return None
    if rows.is_share:
        for inside in (True, False):
            good = rows.mean(inside) * rows.size(inside)
            if min(good, rows.size(inside) - good) < FOLDS:
                return None
    counts = _folds(rows, random_state)
    if any(
        (rows.n - own)[rows.protected == inside].sum() < LEAST_ROWS / 2 for own in counts for inside in (True, False)
    ):
        return None
    x, _ = design(rows.controls, rows.n, flexible=True)
    protected = rows.protected.astype(float)
    total, kept, moves, values = 0.0, 0.0, np.zeros(len(rows.n)), []
    out = np.zeros(2)
    rng = np.random.default_rng(random_state)
    for own in counts:
        others = _drawn(rows.n - own, rng)
        present = own > 0
        used = others > 0
        of_group = logistic(x[used], protected[used], others[used], ridge=LEARNER_RIDGE)
        chance = special.expit(x[present] @ of_group.coefficients)
        model = [_learned(x, rows, others * (rows.protected == inside)) for inside in (True, False)]
        guess = [_predicted(x[present], fit, rows.is_share) for fit in model]
        g, y, n = rows.protected[present], rows.y[present], own[present]
        common = (chance >= RARE) & (chance <= 1 - RARE)
        out += [n[~common & g].sum(), n[~common & ~g].sum()]
        safe = np.clip(chance, RARE, 1 - RARE)
        value = guess[0] - guess[1] + np.where(g, (y - guess[0]) / safe, -(y - guess[1]) / (1 - safe))
        n = n * common
        total += n @ value
        kept += n.sum()
        values.append((present, n, value))
    if kept == 0:
        return None
    mean = total / kept
    # A combination may have rows in several folds: each of its rows moves the figure by the mean over them.
    for present, n, value in values:
        moves[present] += n * (value - mean) / kept
    moves = np.divide(moves, rows.n, out=np.zeros(len(moves)), where=rows.n > 0)
    return Moved(float(mean), moves), (int(out[0]), int(out[1]))


def _learned(x: Floats, rows: Rows, n: Floats) -> Fit:
    used = n > 0
    if rows.is_share:
        return logistic(x[used], rows.y[used], n[used], ridge=LEARNER_RIDGE)
    return least_squares(x[used], rows.y[used], n[used])


def _predicted(x: Floats, fit: Fit, is_share: bool) -> Floats:
    score = x @ fit.coefficients
    return special.expit(score) if is_share else score


def _drawn(n: Floats, rng: np.random.Generator) -> Floats:
    """Return the rows that models learn from: all of them, or as many as are enough, drawn at random."""
    whole = int(n.sum())
    if whole <= LEARN_FROM:
        return n
    return rng.multinomial(LEARN_FROM, n / whole).astype(float)


def _folds(rows: Rows, random_state: int) -> NDArray[np.float64]:
    """Deal the rows of each combination (with clusters, whole clusters) out to folds; shape (FOLDS, n_combinations)."""
    rng = np.random.default_rng(random_state)
    if rows.clusters is not None:
        names = np.unique(rows.clusters)
        fold = dict(zip(names.tolist(), (rng.permutation(len(names)) % FOLDS).tolist(), strict=True))
        own = np.array([fold[name] for name in rows.clusters.tolist()])
        return np.array([np.where(own == i, rows.n, 0.0) for i in range(FOLDS)])
    return rng.multinomial(rows.n.astype(np.int64), [1 / FOLDS] * FOLDS).T.astype(float)
