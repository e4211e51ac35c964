"""One constraint at a time: statistical parity beside Zhang et al. (2021), table 4, and predictive parity."""

from __future__ import annotations

import statistics
from collections.abc import Sequence

from benchmarks.common import markdown
from benchmarks.constraints_runs import SHORT, Kept, Run, runs, spread
from benchmarks.luskin_targets import Target

LIMIT = 0.03

TABLE_4 = {
    ("COMPAS", "logistic_regression"): 1.2,
    ("COMPAS", "random_forest"): 0.8,
    ("COMPAS", "mlp"): 1.2,
    ("Adult", "logistic_regression"): 2.1,
    ("Adult", "random_forest"): 1.9,
    ("Adult", "mlp"): 1.7,
    ("Bank", "logistic_regression"): 0.1,
    ("Bank", "random_forest"): 0.3,
}
"""Points of accuracy lost in the paper, on held-out rows, a mean of 10 divisions."""

WITH_DURATION = ("Bank with duration", "logistic_regression"), ("Bank with duration", "random_forest")

PREDICTIVE = ("for_", "fdr")

WITHIN = 0.8
"""Share of the divisions in which the held-out gap is to be within the limit and its sampling error."""


def parity(seeds: Sequence[int], models: Sequence[str], kept: Kept) -> list[Run]:
    """Search for statistical parity in every cell of the table, one division after the other."""
    cells = [cell for cell in (*TABLE_4, *WITH_DURATION) if cell[1] in models]
    return runs(((name, model, "demographic_parity", LIMIT, seed) for seed in seeds for name, model in cells), kept)


def predictive(seeds: Sequence[int], kept: Kept) -> list[Run]:
    """Search for alike false omission rates, false discovery rates, and both, with logistic regression."""
    cells = [(name, metrics) for name in ("Adult", "COMPAS") for metrics in (*PREDICTIVE, " ".join(PREDICTIVE))]
    return runs(
        ((name, "logistic_regression", metrics, LIMIT, seed) for seed in seeds for name, metrics in cells), kept
    )


def parity_table(found: Sequence[Run]) -> str:
    """Return what was lost, beside the paper."""
    lines = []
    for (name, model), cell in _cells(found, "data", "model").items():
        lost = [run.lost for run in cell]
        paper = TABLE_4.get((name, model), TABLE_4.get((name.split(" with ")[0], model)))
        lines.append(
            [
                name,
                SHORT[model],
                spread((run.before.accuracy for run in cell), "{:.1f}", 100),
                f"{statistics.mean(lost):.2f} ({min(lost):.2f} to {max(lost):.2f})",
                f"{paper:.1f}",
                spread(run.before.gaps[0] for run in cell),
                spread(run.after.gaps[0] for run in cell),
                f"{sum(run.within for run in cell)} of {len(cell)}",
                f"{statistics.median(run.after.errors[0] for run in cell):.3f}",
                f"{sum(run.within_error for run in cell)} of {len(cell)}",
                f"{sum(run.within_both_errors for run in cell)} of {len(cell)}",
                f"{sum(run.met for run in cell)} of {len(cell)}",
                spread((run.n_fits for run in cell), "{:.0f}"),
                spread((run.seconds for run in cell), "{:.1f}"),
            ]
        )
    header = [
        "data", "model", "accuracy before, %", "points lost, mean", "paper", "gap before", "gap after", "within .03",
        "sampling error", "within .03 and its error", "and that of the tuning rows", "met on the tuning rows",
        "fits", "seconds",
    ]  # fmt: skip
    return markdown(header, lines)


def predictive_table(found: Sequence[Run]) -> str:
    """Return the gaps on tuning and held-out rows; `gap` of two metrics is the larger one."""
    lines = []
    for (name, metrics), cell in _cells(found, "data", "metrics").items():
        lines.append(
            [
                name,
                metrics.upper().replace(" ", " and "),
                spread(max(run.before.gaps) for run in cell),
                spread(max(run.chosen.gaps) for run in cell),
                f"{sum(run.met for run in cell)} of {len(cell)}",
                spread(max(run.after.gaps) for run in cell),
                f"{sum(run.within for run in cell)} of {len(cell)}",
                f"{statistics.median(max(run.after.errors) for run in cell):.3f}",
                f"{sum(run.within_error for run in cell)} of {len(cell)}",
                f"{sum(run.within_both_errors for run in cell)} of {len(cell)}",
                spread((run.before.accuracy for run in cell), "{:.1f}", 100),
                spread((run.after.accuracy for run in cell), "{:.1f}", 100),
                spread((run.n_fits for run in cell), "{:.0f}"),
                spread((run.seconds for run in cell), "{:.1f}"),
            ]
        )
    header = [
        "data", "metric", "gap before", "gap after, tuning rows", "met there", "gap after, held-out", "within .03",
        "sampling error", "within .03 and its error", "and that of the tuning rows", "accuracy before, %",
        "accuracy after, %", "fits", "seconds",
    ]  # fmt: skip
    return markdown(header, lines)


def parity_targets(found: Sequence[Run]) -> list[Target]:
    """Return what was to be reached in the cells of the paper."""
    targets = []
    for (name, model), cell in _cells(found, "data", "model").items():
        if (name, model) in TABLE_4:
            words = f"{name}, {SHORT[model]}, SP .03"
            lost = statistics.mean(run.lost for run in cell)
            within = statistics.mean(run.within_error for run in cell)
            targets += [
                Target(f"{words}: mean points of accuracy lost", lost, most=TABLE_4[name, model]),
                Target(f"{words}: share of divisions within .03 and its sampling error", within, least=WITHIN),
            ]
    return targets


def predictive_targets(found: Sequence[Run]) -> list[Target]:
    """Return in how many divisions a model was found, or its gap stated: each metric by itself."""
    return [
        Target(
            f"{name}, {metrics.upper()} .03: share of divisions in which it is met on the tuning rows",
            statistics.mean(run.met for run in cell),
            least=WITHIN,
        )
        for (name, metrics), cell in _cells(found, "data", "metrics").items()
        if metrics in PREDICTIVE
    ]


def _cells(found: Sequence[Run], *names: str) -> dict[tuple[str, ...], list[Run]]:
    cells: dict[tuple[str, ...], list[Run]] = {}
    for run in found:
        cells.setdefault(tuple(getattr(run, name) for name in names), []).append(run)
    return cells
