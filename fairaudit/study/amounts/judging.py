"""Make and judge models of an amount on the held-out rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import stats

from fairaudit.measure.results import Interval
from fairaudit.remedies.plans import RemedyPlan
from fairaudit.study.amounts.findings import AmountChange, AmountEvaluation, AmountRemedyFinding
from fairaudit.study.amounts.rows import AmountStudy
from fairaudit.study.fitting import Candidate
from fairaudit.study.judging.changes import ADDED, UNDEFINED, beside_decisions, mean_variance, normal_interval
from fairaudit.study.judging.results import BesideDecisions
from fairaudit.study.similar import SimilarRows

# How errors and differences of mean amounts change from one model to another on the same rows, with intervals.

Floats = NDArray[np.float64]
ROUNDING = 1e-9
"""Moves that differ by less, in standard deviations of the amounts, are the same."""

Sides = tuple[NDArray[np.bool_], NDArray[np.bool_]]


def amount_changes(
    y: Floats, sides: Sides, before: Floats, after: Floats, confidence: float
) -> tuple[AmountChange, ...]:
    """Compare two models of an amount row by row; `sides` are the protected group and the rest.

    Shapes: `y`, `before`, `after` and each of `sides` (n,).

    Notes
    -----
    Each figure is a ratio ``sum(t) / sum(b)`` over rows, or a difference of two, and its interval a normal
    approximation: a row moves the change by ``(t_after - t_before - change b) / sum(b)``, and the squares of these add
    up to the variance. `ADDED` rows are included that move up, and as many that move down, by as much as rows do that
    move otherwise than the median of their group: by the root mean square of that. Where none does, it is that of the
    moves, and where no row moves, the standard deviation of the amounts.

    The mean prediction and the mean error of a group move by the same amount, so the differences of both change alike.

    Examples
    --------
    >>> rows = np.arange(80)
    >>> y, women = 100.0 * (rows % 10), rows % 4 == 0
    >>> mae, r2, gap, error_gap = amount_changes(y, (women, ~women), y - 60 * women, y + 20 * women, 0.95)
    >>> print(f"{gap.before:.0f} to {gap.after:.0f}: {gap.interval.low:.1f} to {gap.interval.high:.1f}")
    -127 to -47: 68.3 to 91.7
    """
    step = _step([(after - before)[side] for side in sides], y)
    error, error_after, spread = before - y, after - y, (y - y.mean()) ** 2
    mae = _variance(np.abs, error, error_after, np.ones(len(y)), step)
    loss = _variance(np.square, error, error_after, spread, step)
    one, other = (_variance(np.positive, before[side], after[side], np.ones(side.sum()), step) for side in sides)
    first, last, actual = (float(each[sides[0]].mean() - each[sides[1]].mean()) for each in (before, after, y))
    figures = (
        ("mae", np.abs(error).mean(), np.abs(error_after).mean(), mae),
        ("r2", 1 - _ratio(error**2, spread), 1 - _ratio(error_after**2, spread), loss),
        ("gap", first, last, one + other),
        ("error_gap", first - actual, last - actual, one + other),
    )
    return tuple(_change(name, was, is_now, variance, confidence) for name, was, is_now, variance in figures)


def _step(moves: list[Floats], y: Floats) -> float:
    """Return how far a row moves otherwise than most of its group, where it does; `moves` are those of each group."""
    for sizes in ([own - np.median(own) for own in moves], moves):
        size = np.abs(np.concatenate(sizes))
        if (differs := size > ROUNDING * y.std()).any():
            return float(np.sqrt((size[differs] ** 2).mean()))
    return float(y.std())


def _change(measure: str, before: float, after: float, variance: float, confidence: float) -> AmountChange:
    difference = float(after - before)
    interval = UNDEFINED if np.isnan(difference) else normal_interval(difference, variance, confidence)
    return AmountChange(measure, float(before), float(after), difference, interval)


def _variance(part: Callable[[Floats], Floats], before: Floats, after: Floats, whole: Floats, step: float) -> float:
    """Return the variance of the change of a ratio; `part` makes its numerator of predictions or errors.

    Shapes: `before`, `after`, `whole` (n,).
    """
    top = part(after) - part(before)
    moved = top - _ratio(top, whole) * whole
    stepped = [((part(before + sign * step) - part(before)) ** 2).mean() for sign in (-1, 1)]
    with np.errstate(divide="ignore", invalid="ignore"):
        squares = (moved**2).sum() * len(moved) / max(len(moved) - 1, 1)
        return float((squares + ADDED * sum(stepped)) / whole.sum() ** 2)


def _ratio(top: Floats, whole: Floats) -> float:
    """Return a ratio of sums; NaN where the second is 0."""
    return float(top.sum() / whole.sum()) if whole.any() else float("nan")


REPLICATES: Final = 1_000
"""Draws behind an interval."""

MOST_DRAWN: Final = 4_000_000
"""Rows that are held at once while drawing."""

INDEX_COLUMNS: Final = ("index", "part", "before", "after", "n", "sampled")
GROUP_COLUMNS: Final = ("group", "n", "actual", "predicted", "error", "error_low", "error_high", "mae")


def evaluate(study: AmountStudy, name: str, prediction: NDArray[np.float64]) -> AmountEvaluation:
    """Judge one model.

    Shapes: `prediction` (n_held_out,).
    """
    drawn = _drawn(study, prediction)
    y = study.y[study.split.held_out]
    mae, r2 = (float(value) for value in _measured(y, prediction, np.arange(len(y))[None, :])[0])
    return AmountEvaluation(
        name=name,
        n=len(prediction),
        mae=mae,
        mae_interval=_ends(drawn[:, 0], study.models.confidence),
        r2=r2,
        r2_interval=_ends(drawn[:, 1], study.models.confidence),
        predicted=study.judge.means(prediction),
        groups=group_table(study, prediction),
    )


def changes(study: AmountStudy, before: NDArray[np.float64], after: NDArray[np.float64]) -> tuple[AmountChange, ...]:
    """Compare two models on the same held-out rows.

    Shapes: `before` (n_held_out,), `after` (n_held_out,).
    """
    judge = study.judge
    sides = (judge.population & judge.protected, judge.population & ~judge.protected)
    return amount_changes(study.y[study.split.held_out], sides, before, after, study.models.confidence)


def beside_amounts(study: AmountStudy, prediction: NDArray[np.float64]) -> BesideDecisions | None:
    """Compare a model with the amounts of the held-out rows.

    Shapes: `prediction` (n_held_out,).
    """
    judge = study.judge
    sides = (judge.population & judge.protected, judge.population & ~judge.protected)
    y = study.y[study.split.held_out]
    return beside_decisions(y, prediction, sides, study.models.confidence, mean_variance)


def group_table(study: AmountStudy, prediction: NDArray[np.float64]) -> pd.DataFrame:
    """Return by group how far a model is from the amounts on held-out rows.

    Shapes: `prediction` (n_held_out,).
    """
    held = study.split.held_out
    y, groups = study.y[held], study.groups[held]
    rows = []
    for name in study.judged_groups:
        own = groups == name
        n = int(own.sum())
        if not n:
            rows.append((name, 0, *[np.nan] * 6))
            continue
        error = prediction[own] - y[own]
        mean = float(error.mean())
        half = np.nan
        if n > 1:
            half = stats.t.ppf(0.5 + study.models.confidence / 2, n - 1) * error.std(ddof=1) / np.sqrt(n)
        rows.append(
            (name, n, y[own].mean(), prediction[own].mean(), mean, mean - half, mean + half, np.abs(error).mean())
        )
    return pd.DataFrame(rows, columns=list(GROUP_COLUMNS))


def index_table(
    before: NDArray[np.float64], after: NDArray[np.float64], similar: Mapping[str, SimilarRows]
) -> pd.DataFrame:
    """Return both indices of predictions on all parts of the rows.

    Shapes: `before` (n,), `after` (n,).
    """
    rows = []
    for index in ("didi", "dtdi"):
        for part, people in similar.items():
            values = [getattr(people, index)(each[people.rows], task="regression") for each in (before, after)]
            rows.append((index, part, *values, len(people.rows), people.sampled))
    return pd.DataFrame(rows, columns=list(INDEX_COLUMNS))


def _drawn(study: AmountStudy, prediction: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the mean absolute error and R2 on held-out rows drawn again, shape (REPLICATES, 2)."""
    n, y = len(prediction), study.y[study.split.held_out]
    random = np.random.default_rng(study.seed)
    at_once = max(1, min(REPLICATES, MOST_DRAWN // n))
    found = [
        _measured(y, prediction, random.integers(n, size=(min(at_once, REPLICATES - done), n)))
        for done in range(0, REPLICATES, at_once)
    ]
    return np.concatenate(found)


def _measured(y: NDArray[np.float64], prediction: NDArray[np.float64], rows: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the mean absolute error and R2 for each line of row numbers."""
    error, drawn = prediction - y, y[rows]
    spread = ((drawn - drawn.mean(axis=1, keepdims=True)) ** 2).sum(axis=1)
    r2 = 1 - (error**2)[rows].sum(axis=1) / np.where(spread > 0, spread, np.nan)
    return np.column_stack([np.abs(error)[rows].mean(axis=1), r2])


def _ends(draws: NDArray[np.float64], confidence: float) -> Interval:
    known = draws[np.isfinite(draws)]
    if len(known) < REPLICATES / 2:
        return Interval(np.nan, np.nan)
    low, high = np.quantile(known, [(1 - confidence) / 2, (1 + confidence) / 2])
    return Interval(float(low), float(high))


def amount_judged(
    study: AmountStudy,
    remedy: RemedyPlan,
    names: tuple[str, str],
    predicted: tuple[NDArray[np.float64], NDArray[np.float64]],
    similar: Mapping[str, SimilarRows],
    warnings: tuple[str, ...],
) -> AmountRemedyFinding:
    """Judge the models before and after, in this order in each pair; the finding has no details.

    Shapes: each of `predicted` (n_rows,).
    """
    held = study.split.held_out
    before, after = (values[held] for values in predicted)
    return AmountRemedyFinding(
        name=names[1],
        plan=remedy,
        before=evaluate(study, names[0], before),
        after=evaluate(study, names[1], after),
        changes=changes(study, before, after),
        indices=index_table(*predicted, similar),
        details=None,
        uses_protected_features=False,
        warnings=warnings,
        predictions_differ=not np.array_equal(before, after),
        beside_decisions=beside_amounts(study, after),
    )


def amount_candidate(
    study: AmountStudy,
    finding: AmountRemedyFinding,
    model: Any,
    predicted: NDArray[np.float64],
    before: NDArray[np.float64] | None = None,
) -> Candidate:
    """Return what is kept of a remedy that was tried, and what is predicted with and without it.

    Shapes: `predicted` (n_rows,), `before` (n_rows,).
    """
    held = study.split.held_out
    return Candidate(finding, model, predicted[held], None, before=None if before is None else before[held])
