"""The zero-one objective beside Hamming loss, as in section 5.1 of the paper: its table 13 and figure 3.

The paper solves both over the same rules; here each is a fit of its own, with rules generated for it.
"""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.common import markdown
from benchmarks.constraints_runs import Kept
from benchmarks.rule_sets_folds import EPSILON
from benchmarks.rule_sets_runs import FoldRun, Setting, fold_runs, mean_sd

COMPLEXITY = {"COMPAS": 15, "Adult": 40, "Default": 15}
OBJECTIVES = ("hamming", "zero_one")
SECONDS = 60.0
"""For each fit."""

PAPER = {
    ("COMPAS", "hamming"): "65.2, 64.7; 6 s",
    ("COMPAS", "zero_one"): "65.4, 63.6; 24 s",
    ("Adult", "hamming"): "81.2, 81.4; 31 s",
    ("Adult", "zero_one"): "81.2, 80.8; 573 s",
    ("Default", "hamming"): "77.9, 77.9; 3 s",
    ("Default", "zero_one"): "77.9, 77.9; 511 s",
}
"""Table 13, equal opportunity .025: training and test accuracy in percent, and the integer program's seconds."""


def measure(folds: Sequence[int], seed: int, kept: Kept, processes: int) -> dict[Setting, list[FoldRun]]:
    """Fit both objectives: all folds of COMPAS, the first one of the others."""
    found = {}
    for name, complexity in COMPLEXITY.items():
        settings = [
            Setting(name, fairness, EPSILON, complexity, objective, time_limit=SECONDS)
            for fairness in ("equal_opportunity", "equalized_odds")
            for objective in OBJECTIVES
        ]
        found |= fold_runs(settings, folds if name == "COMPAS" else folds[:1], seed, kept, processes)
    return found


def as_table(found: dict[Setting, list[FoldRun]]) -> str:
    """Return one line for each data set, constraint and objective."""
    lines = []
    for setting, runs in found.items():
        paper = PAPER[setting.data, setting.objective] if setting.fairness == "equal_opportunity" else ""
        lines.append(
            [
                setting.data,
                setting.words,
                setting.objective,
                mean_sd(run.train.accuracy for run in runs),
                mean_sd(run.test.accuracy for run in runs),
                mean_sd(run.train.gap(setting.fairness) for run in runs),
                mean_sd(run.test.gap(setting.fairness) for run in runs),
                f"{sum(run.status == 'optimal' for run in runs)} of {len(runs)}",
                mean_sd((run.gap for run in runs), 100, "{:.2f}"),
                mean_sd((run.seconds for run in runs), 1),
                paper,
            ]
        )
    header = [
        "data", "setting", "objective", "training accuracy, %", "test accuracy, %", "training gap, points",
        "test gap, points", "proven optimal", "to the bound, %", "seconds", "paper's training, test; integer program",
    ]  # fmt: skip
    return markdown(header, lines)
