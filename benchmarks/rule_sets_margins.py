"""What smaller differences in training do about gaps on new rows of COMPAS.

In a fold of 528 test rows chance alone makes gaps: the tables say what two groups would show that are treated exactly
alike. Therefore the gap of all test rows together, each predicted by the fold that has not seen it, stands beside.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from benchmarks.common import markdown
from benchmarks.constraints_runs import Kept
from benchmarks.rule_sets_runs import SHORT, FoldRun, Setting, fold_runs, mean_sd, together

WANTED = 0.025
ALLOWED = (0.025, 0.0125, 0.005, 0.0)
COMPLEXITY = 30
CONSTRAINTS = ("equal_opportunity", "equalized_odds")


def measure(folds: Sequence[int], seed: int, kept: Kept, processes: int) -> dict[Setting, list[FoldRun]]:
    """Fit with smaller differences than wanted."""
    settings = [Setting("COMPAS", fairness, limit, COMPLEXITY) for fairness in CONSTRAINTS for limit in ALLOWED]
    return fold_runs(settings, folds, seed, kept, processes)


def by_chance(runs: Sequence[FoldRun], fairness: str, *, draws: int = 2000) -> float:
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


def as_table(found: dict[Setting, list[FoldRun]]) -> str:
    """Return one line for each way."""
    header = [
        "way", "test accuracy, %", "training gap, points", "test gap, points", "the same by chance alone",
        "gap of all test rows", f"folds within {100 * WANTED:g} points", f"within {200 * WANTED:g}", "seconds",
    ]  # fmt: skip
    return markdown(header, [_line(setting, runs) for setting, runs in found.items()])


def _line(setting: Setting, runs: Sequence[FoldRun]) -> list[object]:
    fairness = setting.fairness
    gaps = [run.test.gap(fairness) for run in runs]
    return [
        f"{SHORT[fairness]}: {setting.max_difference:g} allowed, C = {COMPLEXITY}",
        mean_sd(run.test.accuracy for run in runs),
        mean_sd(run.train.gap(fairness) for run in runs),
        mean_sd(gaps),
        f"{100 * by_chance(runs, fairness):.1f}",
        f"{100 * together(run.test for run in runs).gap(fairness):.1f}",
        f"{sum(gap <= WANTED for gap in gaps)} of {len(gaps)}",
        f"{sum(gap <= 2 * WANTED for gap in gaps)} of {len(gaps)}",
        mean_sd((run.seconds for run in runs), 1),
    ]
