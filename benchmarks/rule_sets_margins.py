"""What smaller differences in training, or differences chosen by cross-validation, do about gaps on new rows of COMPAS.

In a fold of 528 test rows chance alone makes gaps: the tables say what two groups would show that are treated exactly
alike. Therefore the gap of all test rows together, each predicted by the fold that has not seen it, stands beside.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from benchmarks.common import markdown
from benchmarks.constraints_runs import Kept
from benchmarks.rule_sets_data import read
from benchmarks.rule_sets_runs import SHORT, FoldRun, Judged, Setting, fold_runs, mean_sd, side_by_side, together
from fairaudit.estimators.rules import RuleSetSearch

WANTED = 0.025
ALLOWED = (0.025, 0.0125, 0.005, 0.0)
COMPLEXITIES = (10, 15, 20, 30)
COMPLEXITY = 30
SEARCH_S = 60.0
"""Seconds for one search, cross-validation included."""

CONSTRAINTS = ("equal_opportunity", "equalized_odds")


@dataclass(frozen=True)
class SearchRun:
    """One search on the training rows of one fold.

    Parameters
    ----------
    fold : int
        From 0.
    train, test : Judged
        The predictions.
    max_complexity, max_difference : float
        What was chosen.
    expected : float
        The gap across the inner folds with which it was chosen.
    within : bool
        Whether that is within the target.
    seconds : float
        By the clock.
    """

    fold: int
    train: Judged
    test: Judged
    max_complexity: int
    max_difference: float
    expected: float
    within: bool
    seconds: float


def smaller(folds: Sequence[int], seed: int, kept: Kept, processes: int) -> dict[Setting, list[FoldRun]]:
    """Fit with smaller differences than wanted."""
    settings = [Setting("COMPAS", fairness, limit, COMPLEXITY) for fairness in CONSTRAINTS for limit in ALLOWED]
    return fold_runs(settings, folds, seed, kept, processes)


def searched(folds: Sequence[int], seed: int, kept: Kept, processes: int) -> dict[tuple[str, float], list[SearchRun]]:
    """Search with the wanted difference as the target, and with twice that."""
    found = {}
    for fairness in CONSTRAINTS:
        for target in (WANTED, 2 * WANTED):
            tasks = [(fairness, target, fold, seed) for fold in folds]
            values = side_by_side([("search", *task) for task in tasks], _search, tasks, kept, processes)
            if values:
                found[fairness, target] = [_read(value) for value in values]
    return found


def _search(fairness: str, target: float, fold: int, seed: int) -> dict[str, Any] | None:
    data = read("COMPAS")
    if data is None:
        return None
    train, test = data.folds(seed)[fold]
    model = RuleSetSearch(
        COMPLEXITIES,
        target_difference=target,
        fairness=fairness,
        use_sensitive=True,
        time_limit=SEARCH_S,
        random_state=seed,
    )
    start = time.perf_counter()
    model.fit(data.X.iloc[train], data.y[train], sensitive_features=data.sensitive.iloc[train])
    seconds = time.perf_counter() - start
    chosen = model.results_[model.results_["chosen"]].iloc[0]
    run = SearchRun(
        fold=fold,
        train=Judged.of(data, train, model.predict(data.X.iloc[train])),
        test=Judged.of(data, test, model.predict(data.X.iloc[test])),
        max_complexity=int(model.best_params_["max_complexity"]),
        max_difference=float(model.best_params_["max_difference"]),
        expected=float(chosen["gap"]),
        within=bool(model.within_target_),
        seconds=seconds,
    )
    return asdict(run)


def _read(value: dict[str, Any]) -> SearchRun:
    parts = {part: Judged(tuple(map(tuple, value[part]["counts"]))) for part in ("train", "test")}
    return SearchRun(**{**value, **parts})


def by_chance(runs: Sequence[FoldRun | SearchRun], fairness: str, *, draws: int = 2000) -> float:
    """Return the mean gap in a test fold if both groups had the same rates: those of all test rows together."""
    pooled = np.sum(together(run.test for run in runs).counts, axis=0)
    rates = pooled[0] / (pooled[0] + pooled[3]), pooled[1] / (pooled[1] + pooled[2])
    random, means = np.random.default_rng(0), []
    for run in runs:
        gaps = np.zeros(draws)
        for place, rate in enumerate(rates[: 1 if fairness == "equal_opportunity" else 2]):
            sizes = [round(tp + fn if place == 0 else fp + tn) for tp, fp, tn, fn in run.test.counts]
            first, second = (random.binomial(n, rate, draws) / n for n in sizes)
            gaps = np.maximum(gaps, abs(first - second))
        means.append(gaps.mean())
    return float(np.mean(means))


def as_table(fixed: dict[Setting, list[FoldRun]], chosen: dict[tuple[str, float], list[SearchRun]]) -> str:
    """Return one line for each way."""
    lines = [
        _line(
            f"{SHORT[setting.fairness]}: {setting.max_difference:g} allowed, C = {COMPLEXITY}", setting.fairness, runs
        )
        for setting, runs in fixed.items()
    ]
    for (fairness, target), runs in chosen.items():
        allowed = " ".join(sorted({f"{run.max_difference:g}" for run in runs}))
        expected = f"{100 * statistics.fmean(run.expected for run in runs):.1f}"
        lines.append(
            [*_line(f"{SHORT[fairness]}: RuleSetSearch, target {target:g}", fairness, runs), allowed, expected]
        )
    width = max(map(len, lines))
    header = [
        "way", "test accuracy, %", "training gap, points", "test gap, points", "the same by chance alone",
        "gap of all test rows", f"folds within {100 * WANTED:g} points", f"within {200 * WANTED:g}", "seconds",
        "allowed, as chosen", "gap in the inner folds",
    ]  # fmt: skip
    return markdown(header[:width], [line + [""] * (width - len(line)) for line in lines])


def _line(words: str, fairness: str, runs: Sequence[FoldRun | SearchRun]) -> list[object]:
    gaps = [run.test.gap(fairness) for run in runs]
    return [
        words,
        mean_sd(run.test.accuracy for run in runs),
        mean_sd(run.train.gap(fairness) for run in runs),
        mean_sd(gaps),
        f"{100 * by_chance(runs, fairness):.1f}",
        f"{100 * together(run.test for run in runs).gap(fairness):.1f}",
        f"{sum(gap <= WANTED for gap in gaps)} of {len(gaps)}",
        f"{sum(gap <= 2 * WANTED for gap in gaps)} of {len(gaps)}",
        mean_sd((run.seconds for run in runs), 1),
    ]
