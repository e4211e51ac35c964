"""How rule sets of several settings do on rows that they were not made from."""

from __future__ import annotations

import warnings
from collections.abc import Generator, Iterator
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from joblib import Parallel, delayed, effective_n_jobs
from numpy.typing import NDArray

from fairaudit.estimators.rules.generation import iter_generate
from fairaudit.estimators.rules.grid import iter_grid
from fairaudit.estimators.rules.parity import group_rates, largest_gap
from fairaudit.estimators.rules.problem import SLACK, Problem, RuleColumns
from fairaudit.estimators.rules.reading import read_rows
from fairaudit.estimators.rules.stages import TOTAL, Clock, drained, iter_stage
from fairaudit.estimators.splitting import divide
from fairaudit.events import STOP, Command, Event, Progress
from fairaudit.measure.grouping import Grouping

GENERATION = 0.4
"""Share of a fold's time for generating rules; choosing among them takes the rest."""

KEPT = 400
"""Rules of each generation, those with the least reduced costs, that rule sets of other settings are made of."""

MADE = 40
"""Steps of a fold, of `TOTAL`, when the rules are there."""


@dataclass(frozen=True, eq=False)
class Study:
    """Rows to divide into folds, and what is asked of the rule sets.

    Parameters
    ----------
    X : DataFrame, shape (n, n_features)
        The features.
    labels : ndarray of int, shape (n,)
        0 or 1.
    grouping : Grouping
        The groups.
    settings : tuple of (int, float)
        Complexities and differences that are allowed: those to judge.
    fairness, objective : str
        See :class:`~fairaudit.estimators.rules.problem.Problem`.
    max_rule_length : int or None
        Literals of a rule, at most.
    binarizer : Binarizer or None
        A copy is fitted in each fold.
    use_sensitive : bool
        Whether rules may use columns that tell the groups.
    time_limit, pricing_time_limit : float
        Seconds for a fold, and for one proof in it.
    """

    X: pd.DataFrame
    labels: NDArray[np.int64]
    grouping: Grouping
    settings: tuple[tuple[int, float], ...]
    fairness: str
    objective: str
    max_rule_length: int | None
    binarizer: Any
    use_sensitive: bool
    time_limit: float
    pricing_time_limit: float


@dataclass(frozen=True, eq=False)
class JudgedFold:
    """Predictions for the rows of a fold.

    Parameters
    ----------
    rows : ndarray of int, shape (n_fold,)
        The rows.
    predicted : ndarray of bool, shape (n_settings, n_fold)
        What the rule set of each setting predicts; it has not seen these rows.
    complexity : ndarray of int, shape (n_settings,)
        How complex each rule set is.
    """

    rows: NDArray[np.int64]
    predicted: NDArray[np.bool_]
    complexity: NDArray[np.int64]


def iter_folds(
    study: Study, n_folds: int, *, n_jobs: int | None, seed: int
) -> Generator[Event, Command | None, list[JudgedFold]]:
    """Judge the settings on folds that are as alike in groups and labels as can be."""
    strata = 2 * study.grouping.codes + study.labels
    parts = [part for part in divide(strata, (1 / n_folds,) * n_folds, random_state=seed) if len(part)]
    side_by_side = None
    if effective_n_jobs(n_jobs) > 1:
        tasks = (delayed(_judge)(study, part, seed) for part in parts)
        side_by_side = Parallel(n_jobs=n_jobs, return_as="generator")(tasks)
    folds: list[JudgedFold] = []
    with nullcontext() if side_by_side is None else _closing(side_by_side):
        for number, part in enumerate(parts):
            start, end = (TOTAL * done // len(parts) for done in (number, number + 1))
            if (yield Progress(f"Fold {number + 1} of {len(parts)}", start, TOTAL)) is STOP:
                break
            if side_by_side is not None:
                folds.append(next(side_by_side))
                continue
            fold, stopped = yield from iter_stage(iter_judge(study, part, seed), start=start, end=end)
            if stopped:
                break
            folds.append(fold)
    return folds


def iter_judge(study: Study, test: NDArray[np.int64], seed: int) -> Generator[Event, Command | None, JudgedFold | None]:
    """Make rules from the rows outside of a fold, for all settings together, and predict the fold."""
    clock = Clock(study.time_limit)
    train = np.setdiff1d(np.arange(len(study.labels)), test)
    reading = read_rows(
        study.X.iloc[train],
        study.labels[train],
        replace(study.grouping, codes=study.grouping.codes[train]),
        binarizer=study.binarizer,
        use_sensitive=study.use_sensitive,
    )
    problem = Problem(
        reading.rows,
        max(complexity for complexity, _ in study.settings),
        fairness=study.fairness,
        objective=study.objective,
        **({} if study.max_rule_length is None else {"max_rule_length": study.max_rule_length}),
    )
    pool, stopped = yield from _iter_pool(problem, study, Clock(GENERATION * clock.left_s), seed)
    if stopped:
        return None
    events = iter_grid(problem, pool, study.settings, time_limit=clock.left_s, random_state=seed)
    points, stopped = yield from iter_stage(events, start=MADE, end=TOTAL)
    if stopped:
        return None
    rule_sets = [reading.rule_set(point.rules) for point in points]
    rows = study.X.iloc[test]
    return JudgedFold(
        rows=test,
        predicted=np.array([rule_set.predict(rows) for rule_set in rule_sets], dtype=bool),
        complexity=np.array([rule_set.complexity for rule_set in rule_sets]),
    )


def judged(study: Study, folds: list[JudgedFold], target: float) -> pd.DataFrame:
    """Return how each setting does on the folds.

    Columns: max_complexity, max_difference, complexity, accuracy, gap, fold_gap, within_target.
    """
    rows = np.concatenate([fold.rows for fold in folds])
    predicted = np.hstack([fold.predicted for fold in folds])
    table = pd.DataFrame(study.settings, columns=["max_complexity", "max_difference"])
    table["complexity"] = np.mean([fold.complexity for fold in folds], axis=0)
    table["accuracy"] = (predicted == study.labels[rows].astype(bool)).mean(axis=1)
    table["gap"] = [_gap(study, rows, made) for made in predicted]
    gaps = [[_gap(study, fold.rows, made) for made in fold.predicted] for fold in folds]
    table["fold_gap"] = np.mean(gaps, axis=0)
    table["within_target"] = table["gap"] <= target + SLACK
    return table


@contextmanager
def _closing(made: Generator[JudgedFold, None, None]) -> Iterator[None]:
    """Give up the folds that are not there yet; joblib would warn of it."""
    try:
        yield
    finally:
        # Filters are shared by all threads, so that another one may have put its own back meanwhile.
        with warnings.catch_warnings(), suppress(UserWarning):
            warnings.filterwarnings("ignore", ".*input task iterator", UserWarning)
            made.close()


def _judge(study: Study, test: NDArray[np.int64], seed: int) -> JudgedFold | None:
    return drained(iter_judge(study, test, seed))


def _iter_pool(
    problem: Problem, study: Study, clock: Clock, seed: int
) -> Generator[Event, Command | None, tuple[RuleColumns | None, bool]]:
    """Generate rules at the corners of the settings, each time going on from what is there; return the best of each."""
    complexities, differences = (sorted(set(values)) for values in zip(*study.settings, strict=True))
    corners = list(
        dict.fromkeys(
            (complexity, difference)
            for complexity in (complexities[-1], complexities[0])
            for difference in (differences[0], differences[-1])
        )
    )
    pool, best = None, RuleColumns.of([], problem.rows)
    for number, (complexity, difference) in enumerate(corners):
        events = iter_generate(
            replace(problem, max_complexity=complexity, max_difference=difference),
            time_limit=clock.left_s / (len(corners) - number),
            pricing_time_limit=study.pricing_time_limit,
            start=pool,
            random_state=seed,
        )
        start, end = (MADE * done // len(corners) for done in (number, number + 1))
        made, stopped = yield from iter_stage(events, start=start, end=end)
        if stopped:
            return None, True
        pool = made.columns
        order = np.argsort(made.reduced_costs, kind="stable")[:KEPT]
        best = best.joined(pool.take(np.union1d(order, np.array(made.rounded, dtype=np.int64))))
    return best, False


def _gap(study: Study, rows: NDArray[np.int64], predicted: NDArray[np.bool_]) -> float:
    labels, groups = study.labels[rows].astype(bool), study.grouping.codes[rows]
    n_groups = study.grouping.n_groups
    totals = np.bincount(2 * groups + labels, minlength=2 * n_groups).reshape(-1, 2)
    missed = np.bincount(groups[labels & ~predicted], minlength=n_groups)
    hits = np.bincount(groups[~labels & predicted], minlength=n_groups)
    return largest_gap(group_rates(study.fairness, totals), missed, hits)
