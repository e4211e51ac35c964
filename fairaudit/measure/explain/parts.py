"""A gap divided into what the groups' differing in the controls explains, and what is left.

Each figure comes with what each row moves it by (its influence), from which variances follow, also in clusters.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import special

from fairaudit.measure.bands import sums_by_code
from fairaudit.measure.explain.results import Reference
from fairaudit.measure.explain.rows import Control, FittedModel, Flags, Floats, Rows, design, least_squares, logistic


@dataclass(frozen=True, eq=False)
class Influence:
    """A figure and what each row moves it by, which is shape (n_combinations,)."""

    value: float
    moves: Floats

    def __add__(self, other: Influence) -> Influence:
        return Influence(self.value + other.value, self.moves + other.moves)

    def __sub__(self, other: Influence) -> Influence:
        return Influence(self.value - other.value, self.moves - other.moves)

    def times(self, factor: float) -> Influence:
        """Return a multiple of the figure."""
        return Influence(factor * self.value, factor * self.moves)


@dataclass(frozen=True, eq=False)
class GapParts:
    """A gap and its parts.

    Parameters
    ----------
    explained : Influence
        What the groups' differing in the controls explains.
    unexplained : Influence
        What is left.
    by_control : tuple of Influence
        The part of each control in `explained`.
    """

    explained: Influence
    unexplained: Influence
    by_control: tuple[Influence, ...]


def gap_of(rows: Rows, among: Flags | None = None) -> Influence:
    """Return the gap in the mean outcome, protected minus rest, among some rows."""
    n = rows.n if among is None else rows.n * among
    value, moves = 0.0, np.zeros(len(n))
    for sign, mask in ((1, rows.protected), (-1, ~rows.protected)):
        size = n[mask].sum()
        mean = (n * rows.y)[mask].sum() / size
        value += sign * mean
        moves += sign * np.where(mask & (n > 0), (rows.y - mean) / size, 0.0)
    return Influence(float(value), moves)


def crossed(controls: Sequence[Control], n_rows: int) -> NDArray[np.int64]:
    """Return the stratum of each combination by crossed controls."""
    codes = np.zeros(n_rows, dtype=np.int64)
    for control in controls:
        codes = pd.factorize(codes * len(control.levels) + control.codes)[0]
    return codes


def with_counterpart(rows: Rows, codes: Sequence[NDArray[np.int64]]) -> Flags:
    """Say which rows are, in all of some divisions, in a class that holds rows of both groups."""
    found = np.ones(len(rows.n), dtype=bool)
    for division in codes:
        # Leaving rows out may empty another class, so it is looked at again until nothing changes.
        inside = np.bincount(division, rows.n * rows.protected) > 0
        outside = np.bincount(division, rows.n * ~rows.protected) > 0
        found &= (inside & outside)[division]
    if found.all() or not found.any():
        return found
    rest = with_counterpart(rows.kept(found), [division[found] for division in codes])
    found[np.flatnonzero(found)[~rest]] = False
    return found


def of_strata(rows: Rows, reference: Reference) -> GapParts:
    """Divide a gap by the strata of all controls (Kitagawa); all rows have a counterpart.

    The part of a control is the mean of what it adds to what is explained, over all orders in which the controls can be
    taken (Shapley), so that no order matters.
    """
    classed, place = _classed(rows)
    found = _of_classed(classed, reference)
    moves = [Influence(m.value, m.moves[place]) for m in (found.explained, found.unexplained, *found.by_control)]
    return GapParts(moves[0], moves[1], tuple(moves[2:]))


def _classed(rows: Rows) -> tuple[Rows, NDArray[np.int64]]:
    """Put rows that are alike in all classes together; also return where each of them went."""
    columns = [rows.protected.astype(np.int64), pd.factorize(rows.y)[0]]
    columns += [control.codes for control in rows.controls]
    columns += [] if rows.clusters is None else [rows.clusters]
    codes = np.zeros(len(rows.n), dtype=np.int64)
    for column in columns:
        codes = pd.factorize(codes * (int(column.max()) + 1) + column)[0]
    # Codes are numbered as they first occur.
    first = np.flatnonzero(np.diff(np.maximum.accumulate(codes), prepend=-1))
    alike = rows.kept(first)
    controls = tuple(Control(control.name, control.codes, control.levels) for control in alike.controls)
    people, n = (sums_by_code(codes, counted) for counted in (rows.people, rows.n))
    return replace(alike, people=people, n=n, controls=controls), codes


def _of_classed(rows: Rows, reference: Reference) -> GapParts:
    k = len(rows.controls)
    explained = {
        chosen: _explained_by_strata(rows, crossed([rows.controls[i] for i in chosen], len(rows.n)), reference)
        for size in range(1, k + 1)
        for chosen in itertools.combinations(range(k), size)
    }
    none = Influence(0.0, np.zeros(len(rows.n)))
    parts = []
    for i in range(k):
        part = none
        for size in range(k):
            weight = math.factorial(size) * math.factorial(k - size - 1) / math.factorial(k)
            for before in itertools.combinations([j for j in range(k) if j != i], size):
                more = explained[tuple(sorted((*before, i)))]
                part = part + (more - explained.get(before, none)).times(weight)
        parts.append(part)
    whole = explained[tuple(range(k))]
    return GapParts(whole, gap_of(rows) - whole, tuple(parts))


def _explained_by_strata(rows: Rows, codes: NDArray[np.int64], reference: Reference) -> Influence:
    # E = sum_s (w_ps - w_rs) (a_s r_ps + (1 - a_s) r_rs), with w the weight of a stratum and r the share in it
    (n_p, n_r), (r_p, r_r), residuals = _in_strata(rows, codes)
    if reference == "similar":
        return gap_of(rows) - _among_similar(rows, codes, (n_p, n_r), r_p - r_r, residuals)
    w_p, w_r = n_p / n_p.sum(), n_r / n_r.sum()
    part = {
        "average": np.full(len(n_p), 0.5),
        "protected": np.ones(len(n_p)),
        "rest": np.zeros(len(n_p)),
        "pooled": n_p / (n_p + n_r),
    }[reference]
    valued = part * r_p + (1 - part) * r_r
    moves = np.where(
        rows.protected,
        (valued - w_p @ valued)[codes] / n_p.sum() + ((w_p - w_r) * part / n_p)[codes] * residuals,
        -(valued - w_r @ valued)[codes] / n_r.sum() + ((w_p - w_r) * (1 - part) / n_r)[codes] * residuals,
    )
    return Influence(float((w_p - w_r) @ valued), moves)


def _among_similar(
    rows: Rows, codes: NDArray[np.int64], sizes: tuple[Floats, Floats], gaps: Floats, residuals: Floats
) -> Influence:
    """Return the mean gap of strata as a check inside strata takes it.

    Weighed as by Mantel and Haenszel; in a sample with weights, by how many people each stratum speaks for.
    """
    n_p, n_r = sizes
    weights = n_p * n_r / (n_p + n_r) if rows.sample is None else n_p + n_r
    total = weights.sum()
    left = float(weights @ gaps / total)
    # What a row more in a stratum changes of its weight.
    changed = [(other / (n_p + n_r)) ** 2 if rows.sample is None else np.ones(len(gaps)) for other in (n_r, n_p)]
    grows = [(gaps - left) / total * change for change in changed]
    centred = [change - (size @ change) / size.sum() for change, size in zip(grows, sizes, strict=True)]
    moves = np.where(
        rows.protected,
        centred[0][codes] + (weights / total / n_p)[codes] * residuals,
        centred[1][codes] - (weights / total / n_r)[codes] * residuals,
    )
    return Influence(left, moves)


def _in_strata(rows: Rows, codes: NDArray[np.int64]) -> tuple[list[Floats], list[Floats], Floats]:
    """Return counts and means of both groups in each stratum, and what each row is from the mean of its own."""
    size = codes.max() + 1
    counts: list[Floats] = []
    shares: list[Floats] = []
    residuals: Floats = np.zeros(len(rows.n))
    for mask in (rows.protected, ~rows.protected):
        n = np.bincount(codes, rows.n * mask, size).astype(float)
        people = np.bincount(codes, rows.people * mask, size)
        mean = np.bincount(codes, rows.n * rows.y * mask, size) / n
        counts.append(n)
        shares.append(mean)
        # A stratum of one row shows no spread; it gets that of its group.
        alone, grand = people == 1, float(np.average(rows.y, weights=rows.n * mask))
        spread = np.sqrt(people / np.maximum(people - 1, 1))
        residual = np.where(alone[codes], rows.y - grand, (rows.y - mean[codes]) * spread[codes])
        residuals[mask] = residual[mask]
    return counts, shares, residuals


def of_linear_model(rows: Rows, reference: Reference) -> GapParts:
    """Divide a gap by a linear model (Oaxaca and Blinder)."""
    x, places = design(rows.controls, rows.n)
    apart, means = _apart(rows, x)
    learned, z = _learned(rows, x, reference)
    fit = least_squares(z[learned], rows.y[learned], rows.n[learned])
    beta = fit.coefficients[: x.shape[1]]
    moves_of_beta = np.zeros((len(rows.n), x.shape[1]))
    bread = fit.bread[:, : x.shape[1]]
    moves_of_beta[learned] = (z[learned] @ bread) * fit.residuals[:, None]
    explained, parts = None, []
    for columns in [np.arange(x.shape[1]), *places]:
        own = np.zeros(x.shape[1])
        own[columns] = 1.0
        value = float(apart @ (beta * own))
        score = x @ (beta * own)
        moves = _moves_of_means(rows, score, [float(mean @ (beta * own)) for mean in means])
        parts.append(Influence(value, moves + moves_of_beta @ (apart * own)))
    explained, *parts = parts
    return GapParts(explained, gap_of(rows) - explained, tuple(parts))


def of_logistic_model(rows: Rows, reference: Reference) -> GapParts:
    """Divide a gap in shares by a logistic model.

    Where the model learned from both groups, it predicts for everybody as protected and as the rest, and the mean of
    both is taken. The part of a control is its part in the linear score times the mean slope of the predictions; what
    their curve adds to all parts together is divided among them as their squares, so that no order matters.
    """
    x, places = design(rows.controls, rows.n)
    apart, _ = _apart(rows, x)
    learned, z = _learned(rows, x, reference)
    fit = logistic(z[learned], rows.y[learned], rows.n[learned])
    beta = fit.coefficients
    moves_of_beta = np.zeros((len(rows.n), z.shape[1]))
    moves_of_beta[learned] = (z[learned] @ fit.bread) * fit.residuals[:, None]
    versions = [z] if z.shape[1] == x.shape[1] else [np.column_stack([x, np.full(len(x), one)]) for one in (0.0, 1.0)]
    none = Influence(0.0, np.zeros(len(rows.n)))
    explained, slope = none, none
    for version in versions:
        chance = special.expit(version @ beta)
        steep = chance * (1 - chance)
        for values, bend, sign in ((chance, steep, (1, -1)), (steep, steep * (1 - 2 * chance), (0.5, 0.5))):
            turned = version * bend[:, None]
            moved = none
            for inside, factor in zip((True, False), sign, strict=True):
                mean = _mean(rows, values, inside)
                own = np.where(rows.protected == inside, (values - mean) / rows.size(inside), 0.0)
                moved += Influence(float(mean), own + moves_of_beta @ _mean(rows, turned, inside)).times(factor)
            if values is chance:
                explained += moved.times(1 / len(versions))
            else:
                slope += moved.times(1 / len(versions))
    scores = []
    for columns in places:
        own = np.zeros(x.shape[1])
        own[columns] = beta[columns]
        score = x @ own
        means = [float(_mean(rows, score, inside)) for inside in (True, False)]
        moves = _moves_of_means(rows, score, means) + moves_of_beta[:, columns] @ apart[columns]
        scores.append(Influence(means[0] - means[1], moves))
    # E_k = s c_k + (c_k^2 / sum c^2) (E - s sum c)
    straight = [_product(slope, score) for score in scores]
    curved = explained
    for part in straight:
        curved -= part
    squares = [_product(score, score) for score in scores]
    whole = none
    for square in squares:
        whole += square
    parts = []
    for part, square in zip(straight, squares, strict=True):
        if whole.value < 1e-18:
            parts.append(part + curved.times(1 / len(scores)))
            continue
        share = square.value / whole.value
        of_share = Influence(share, (square.moves - share * whole.moves) / whole.value)
        parts.append(part + _product(of_share, curved))
    return GapParts(explained, gap_of(rows) - explained, tuple(parts))


def _product(one: Influence, other: Influence) -> Influence:
    return Influence(one.value * other.value, one.value * other.moves + other.value * one.moves)


def _learned(rows: Rows, x: Floats, reference: Reference) -> tuple[Flags, Floats]:
    """Return the rows that coefficients are learned from and their matrix; of both groups, with the group."""
    if reference == "rest":
        return ~rows.protected, x
    if reference == "protected":
        return rows.protected, x
    return np.ones(len(x), dtype=bool), np.column_stack([x, rows.protected.astype(float)])


def _apart(rows: Rows, x: Floats) -> tuple[Floats, list[Floats]]:
    means = [_mean(rows, x, inside) for inside in (True, False)]
    return means[0] - means[1], means


def _mean(rows: Rows, values: Floats, inside: bool) -> Floats:
    mask = rows.protected == inside
    return np.average(values[mask], axis=0, weights=rows.n[mask])


def _moves_of_means(rows: Rows, values: Floats, means: Sequence[float]) -> Floats:
    """Return what each row moves the difference of both groups' means by."""
    return np.where(rows.protected, (values - means[0]) / rows.size(True), -(values - means[1]) / rows.size(False))


# The gap with the controls held equal: by one model, and cross-fitted and doubly robust as a check of it.

FOLDS = 5
LEAST_ROWS = 50
"""A group of fewer rows, or with fewer good (or other) outcomes than folds, has no cross-fitted figure."""

RARE = 0.01
"""Where a group is expected less often than this, its people have next to no counterpart."""

LEARN_FROM = 50_000
"""Most rows of each model that only predicts for others; of more, a sample."""

LEARNER_RIDGE = 1e-4
"""Holds the models that only predict for others steady."""


@dataclass(frozen=True, eq=False)
class Adjusted:
    """The adjusted gap and what else its model says.

    Parameters
    ----------
    gap : Influence
        The mean difference of both predictions.
    log_ratio : Influence or None
        The logarithm of the ratio of both mean predictions; None for amounts.
    predicted : ndarray, shape (2, n_combinations)
        The predictions as protected and as the rest.
    n_columns : int
        Coefficients of the model.
    """

    gap: Influence
    log_ratio: Influence | None
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
        return Adjusted(Influence(float(value), moves), None, np.array([base + value, base]), z.shape[1])
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
        means.append(Influence(float(mean), (chance - mean) / whole + moves_of_beta @ slope))
    inside, outside = means
    log_ratio = None
    if inside.value > 0 and outside.value > 0:
        moved = inside.moves / inside.value - outside.moves / outside.value
        log_ratio = Influence(math.log(inside.value / outside.value), moved)
    return Adjusted(inside - outside, log_ratio, predicted, z.shape[1])


def cross_fitted(rows: Rows, random_state: int) -> tuple[Influence, tuple[int, int]] | None:
    """Return the doubly robust gap, and how many rows of both groups were left out as next to never in the other.

    With m_g the predicted outcome in a group and e the chance of being protected, both learned from the other folds:
    the mean of ``m_1 - m_0 + g (y - m_1) / e - (1 - g) (y - m_0) / (1 - e)``. None where a group is too small.
    """
    if min(map(rows.n_people, (True, False))) < LEAST_ROWS:
        return None
    if rows.is_share:
        for inside in (True, False):
            good = rows.n_good(inside)
            if min(good, rows.n_people(inside) - good) < FOLDS:
                return None
    folds = _folds(rows, random_state)
    if any(
        (rows.people - own)[rows.protected == inside].sum() < LEAST_ROWS / 2
        for own in folds
        for inside in (True, False)
    ):
        return None
    x, _ = design(rows.controls, rows.n, flexible=True)
    protected = rows.protected.astype(float)
    total, kept, moves, values = 0.0, 0.0, np.zeros(len(rows.n)), []
    out = np.zeros(2)
    rng = np.random.default_rng(random_state)
    for own in folds:
        others = _drawn((rows.people - own) * rows.weights, rng)
        present = own > 0
        used = others > 0
        of_group = logistic(x[used], protected[used], others[used], ridge=LEARNER_RIDGE)
        chance = special.expit(x[present] @ of_group.coefficients)
        model = [_learn_from(x, rows, others * (rows.protected == inside)) for inside in (True, False)]
        guess = [_predicted(x[present], fit, rows.is_share) for fit in model]
        g, y, n = rows.protected[present], rows.y[present], (own * rows.weights)[present]
        common = (chance >= RARE) & (chance <= 1 - RARE)
        out += [own[present][~common & side].sum() for side in (g, ~g)]
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
    return Influence(float(mean), moves), (int(out[0]), int(out[1]))


def _learn_from(x: Floats, rows: Rows, n: Floats) -> FittedModel:
    used = n > 0
    if rows.is_share:
        return logistic(x[used], rows.y[used], n[used], ridge=LEARNER_RIDGE)
    return least_squares(x[used], rows.y[used], n[used])


def _predicted(x: Floats, fit: FittedModel, is_share: bool) -> Floats:
    score = x @ fit.coefficients
    return special.expit(score) if is_share else score


def _drawn(n: Floats, rng: np.random.Generator) -> Floats:
    """Return the rows that models learn from: all of them, or as many as are enough, drawn at random."""
    whole = n.sum()
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
        return np.array([np.where(own == i, rows.people, 0.0) for i in range(FOLDS)])
    return rng.multinomial(rows.people.astype(np.int64), [1 / FOLDS] * FOLDS).T.astype(float)
