"""How far labels must be changed until the decisions of the model that learns from them are alike.

Labels without a gap hardly make decisions without one where features do not reveal the group: the few changed labels
lie among many others. So they are changed further than to equal shares, until the model's own gap on tuning rows is
closed.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator

from fairaudit.estimators.models import make_model, run_base_learner, scores_of

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

STEPS: Final = (0.25, 0.5, 0.75, 1.0)
"""How far labels are changed until a gap is closed, or turned around, for the first time."""

HALVINGS: Final = 3
"""How often the last of these steps is then halved."""

MOST_FITS: Final = 1 + len(STEPS) + HALVINGS
"""Models that a search fits at most."""


@dataclass(frozen=True)
class Extent:
    """One way to change labels that was tried, and how the model that learned from it did on the tuning rows."""

    # How far: 0 makes the groups' labels alike, 1 gives all of one group label 1 and all of the other label 0.
    extent: float
    # protected_share, reference_share: With label 1 among the relabelled rows.
    protected_share: float
    reference_share: float
    n_changed: int
    # gap: Protected minus reference in the share that is predicted label 1. accuracy: Of all tuning rows.
    gap: float
    accuracy: float
    # selected: The share of the tuning rows in the population that is predicted label 1.
    selected: float
    # Whether it is right more often than the same answer for everybody.
    is_useful: bool


def goals(reference_share: float, extent: float, *, raises: bool) -> tuple[float, float]:
    """Return the shares of label 1 that both groups are moved to: protected, then reference.

    Examples
    --------
    >>> goals(0.5, 0.2, raises=True)
    (0.6, 0.4)
    """
    up, down = reference_share + extent * (1 - reference_share), reference_share * (1 - extent)
    return (up, down) if raises else (down, up)


def balance(protected: Bools, reference: Bools, weights: Floats | None) -> Floats:
    """Return weights by which both groups of the population count alike, and together as much as before.

    Shapes: all (n,).
    """
    balanced = np.ones(len(protected)) if weights is None else weights.astype(np.float64)
    sums = [balanced[group].sum() for group in (protected, reference)]
    for group, total in zip((protected, reference), sums, strict=True):
        balanced[group] *= sum(sums) / 2 / total
    return balanced


def iter_extents(target: float) -> Generator[float, float, None]:
    """Yield how far to change labels next; take what gap that left.

    After a gap that is closed or turned around for the first time, the least that does so is looked for.
    """
    first = yield 0.0
    if not abs(first) > target:
        return

    def is_enough(gap: float) -> bool:
        return abs(gap) <= target or gap * first < 0

    low = 0.0
    for step in STEPS:
        if is_enough((yield step)):
            break
        low = step
    else:
        return
    high = step
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        if is_enough((yield middle)):
            high = middle
        else:
            low = middle


def choose(tried: Sequence[Extent], target: float) -> int:
    """Return the place of the most accurate model whose gap is closed, or else of the one with the smallest gap.

    One that is no better than the same answer for everybody is never chosen, unless it is the first.
    """
    usable = [i for i, one in enumerate(tried) if one.is_useful or i == 0]
    closed = [i for i in usable if abs(tried[i].gap) <= target]
    if closed:
        return min(closed, key=lambda i: (-tried[i].accuracy, tried[i].extent))
    return min(usable, key=lambda i: (abs(tried[i].gap), tried[i].extent))


def tuned(
    extent: float,
    shares: tuple[float, float],
    n_changed: int,
    decisions: ArrayLike,
    *,
    labels: NDArray[np.int64],
    protected: Bools,
    population: Bools,
    weights: Floats | None,
) -> Extent:
    """Judge the decisions of a model on the tuning rows. Shapes: `decisions` and what follows (n_tuning,)."""
    decided = np.asarray(decisions).astype(np.int64)
    counts = np.ones(len(labels)) if weights is None else weights
    right = float(np.average(decided == labels, weights=counts))
    constant = float(np.average(labels, weights=counts))
    gap, selected = group_gap(decided, protected, population, counts)
    useful = right > max(constant, 1 - constant)
    return Extent(extent, *shares, n_changed, gap, right, selected, useful)


def group_gap(decided: NDArray[np.int64], protected: Bools, population: Bools, weights: Floats) -> tuple[float, float]:
    """Return protected minus reference in the share decided 1, and that share of both."""
    inside = [group & population for group in (protected, ~protected)]
    first, second = (float(np.average(decided[group], weights=weights[group])) for group in inside)
    return first - second, float(np.average(decided[population], weights=weights[population]))


# What any model of these features can reach, before one is fitted to changed labels.

MOST_ROWS: Final = 20_000
"""Rows that the two scores learn from at most."""

ROUNDING: Final = 1e-9
"""Differences of accuracy below it are rounding."""

REACH_MODEL: Final = "logistic_regression"
"""What both scores are made of."""


@dataclass(frozen=True)
class Reach:
    """What models of some features can reach on the tuning rows, by how well features tell label and group."""

    # accuracy, gap: Of the most accurate one.
    accuracy: float
    gap: float
    # accuracy_within, gap_within: Of the most accurate one whose gap is at most the target.
    accuracy_within: float
    gap_within: float
    # The accuracy of the same answer for everybody.
    constant: float

    @property
    def is_useful(self) -> bool:
        """Whether a model within the target is right more often than the same answer for everybody."""
        return self.accuracy_within > self.constant


def reach(
    X: pd.DataFrame,
    y: NDArray[np.int64],
    protected: Bools,
    population: Bools,
    *,
    learning: NDArray[np.int64],
    tuning: NDArray[np.int64],
    target: float,
    make: Callable[[str], BaseEstimator] = make_model,
) -> Reach | None:
    """Return what a model of these features can reach; None where the rows to learn from lack a group or a label.

    Shapes: `X` (n, n_features), `y`, `protected` and `population` (n,), `learning` and `tuning` row numbers.

    Notes
    -----
    With ``s`` the probability of label 1, ``g`` that of the protected group in the population and ``p`` its share, the
    most accurate decisions with a given gap are ``s - 1/2 + m (g / p - (1 - g) / (1 - p)) >= 0`` with a multiplier
    ``m``: no other rule of the same features does better, as far as `s` and `g` are right (the Neyman-Pearson lemma).
    Both are fitted to the rows to learn from; all multipliers are tried on the tuning rows, in one pass: O(n log n).

    References
    ----------
    Menon and Williamson (2018), "The cost of fairness in binary classification".
    """
    rows = learning[:: max(1, -(-len(learning) // MOST_ROWS))]
    inside = rows[population[rows]]
    if len(np.unique(y[rows])) < 2 or len(np.unique(protected[inside])) < 2:
        return None
    s, g = (
        scores_of(_fitted(make(REACH_MODEL), X.iloc[part], labels[part]), X.iloc[tuning])
        for part, labels in ((rows, y), (inside, protected.astype(np.int64)))
    )
    share = float(protected[inside].mean())
    return _reach(s - 0.5, g / share - (1 - g) / (1 - share), y[tuning], protected[tuning], population[tuning], target)


def _fitted(model: BaseEstimator, X: pd.DataFrame, y: NDArray[np.int64]) -> BaseEstimator:
    return run_base_learner(model, "be fitted", model.fit, X, y)


def _reach(margin: Floats, tilt: Floats, y: NDArray[np.int64], protected: Bools, inside: Bools, target: float) -> Reach:
    """Follow the multiplier from 0 in the direction that narrows the gap, row by row."""
    decided = (margin >= 0).astype(np.int64)
    sizes = [int((group & inside).sum()) for group in (protected, ~protected)]
    weights = np.where(protected, 1 / max(sizes[0], 1), -1 / max(sizes[1], 1)) * inside
    constant = float(max(y.mean(), 1 - y.mean()))
    gap, accuracy = float(weights @ decided), float((decided == y).mean())
    toward = -np.sign(gap) * tilt * inside
    # The multiplier at which a row's decision turns; rows whose tilt speaks for their decision never do.
    with np.errstate(divide="ignore", invalid="ignore"):
        at = np.where(margin * toward < 0, -margin / toward, np.inf)
    order = np.argsort(at, kind="stable")[: int(np.isfinite(at).sum())]
    turned = 1 - 2 * decided[order]
    gaps = np.append(gap, gap + np.cumsum(weights[order] * turned))
    gained = np.where(decided[order] == y[order], -1, 1)
    accuracies = np.append(accuracy, accuracy + np.cumsum(gained) / len(y))
    # Decisions of equal multipliers turn together; a constant decision closes any gap.
    ends = np.append(np.append(True, np.diff(at[order]) > 0), True) if len(order) else np.array([True])
    within = np.flatnonzero(ends & (np.abs(gaps) <= target))
    if not len(within):
        return Reach(accuracy, gap, constant, 0.0, constant)
    best = within[np.argmax(accuracies[within])]
    if accuracies[best] <= constant + ROUNDING:
        return Reach(accuracy, gap, constant, 0.0, constant)
    return Reach(accuracy, gap, float(accuracies[best]), float(gaps[best]), constant)
