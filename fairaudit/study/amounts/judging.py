"""Judge models of an amount on the held-out rows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import stats

from fairaudit.measure.results import Interval
from fairaudit.study.amounts.changes import amount_changes
from fairaudit.study.amounts.findings import AmountChange, AmountEvaluation
from fairaudit.study.amounts.rows import AmountStudy
from fairaudit.study.judging.paired import beside_decisions, mean_variance
from fairaudit.study.judging.results import BesideDecisions
from fairaudit.study.similar import SimilarRows

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
