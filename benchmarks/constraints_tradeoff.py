"""Accuracy by the limit and by the size of the tuning part, beside Zhang et al. (2021), figures 4, 5, 8 and 14 to 16.

The figures have no numbers. Logistic regression; medians over the divisions, of the held-out rows.
"""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import Any

import numpy as np

from benchmarks.common import markdown
from benchmarks.constraints_data import read
from benchmarks.constraints_runs import Kept, Run, judge, runs, search, split_of
from fairaudit.estimators.constraints import ConstrainedRows
from fairaudit.estimators.models import make_model

MODEL = "logistic_regression"
LIMITS = (0.01, 0.03, 0.05, 0.1, 0.2)
CASES = (("Adult", "demographic_parity"), ("Adult", "fdr"), ("COMPAS", "demographic_parity"), ("COMPAS", "fdr"))
LIMIT = 0.03
SIZES = (0.05, 0.1, 0.25, 0.5, 1.0)
"""Shares of the tuning part, which is a fifth of the rows, that limits are judged on."""


def by_limit(seeds: Sequence[int], kept: Kept) -> list[Run]:
    """Search at each limit, one division after the other."""
    return runs(
        ((name, MODEL, metric, limit, seed) for seed in seeds for name, metric in CASES for limit in LIMITS), kept
    )


def limit_table(found: Sequence[Run]) -> str:
    """Return accuracy and gap by limit."""
    lines = []
    for (name, metric), limit in ((case, limit) for case in CASES for limit in LIMITS):
        own = [run for run in found if (run.data, run.metrics, run.limit) == (name, metric, limit)]
        if own:
            figures = [run.before.accuracy for run in own], [run.before.gaps[0] for run in own]
            after = [run.after.accuracy for run in own], [run.after.gaps[0] for run in own]
            cells = [f"{statistics.median(each):.3f}" for each in (*figures, *after)]
            lines.append([name, metric, limit, *cells, f"{sum(run.met for run in own)} of {len(own)}"])
    head = ["data", "metric", "limit", "accuracy before", "gap before", "accuracy", "gap", "met on the tuning rows"]
    return markdown(head, lines)


def by_size(seeds: Sequence[int], kept: Kept) -> list[dict[str, Any]]:
    """Search on COMPAS with fewer and fewer tuning rows; the rows that models learn from stay the same."""
    tasks = [("size", share, seed) for seed in seeds for share in SIZES]
    return [found for task in tasks if (found := kept.get(task, lambda task=task: _sized(*task[1:]))) is not None]


def _sized(share: float, seed: int) -> dict[str, Any] | None:
    data = read("COMPAS")
    if data is None:
        return None
    specs = data.specs("demographic_parity", LIMIT)
    rows = ConstrainedRows.of(specs, data.y, data.sensitive)
    split = split_of(rows, seed)
    drawn = np.random.default_rng(seed).permutation(split.tune)
    fewer = replace(split, tune=np.sort(drawn[: max(round(share * len(drawn)), 2)]))
    fitted = search(data, make_model(MODEL, random_state=seed), specs, fewer, seed)
    judged = judge(rows.take(split.held_out), fitted.predict(data.X.iloc[split.held_out]))
    return {"share": share, "n": len(fewer.tune), "met": bool(fitted.feasible_), **asdict(judged)}


def size_table(found: Sequence[dict[str, Any]]) -> str:
    """Return accuracy and gap by the number of tuning rows."""
    lines = []
    for share in SIZES:
        own = [each for each in found if each["share"] == share]
        if own:
            cells = [[each["accuracy"] for each in own], [each["gaps"][0] for each in own]]
            lines.append([own[0]["n"], *(f"{statistics.median(each):.3f}" for each in cells)])
    return markdown(["tuning rows", "accuracy", "gap on held-out rows"], lines)
