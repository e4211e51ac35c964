"""Time and memory against the number of rows: made data with 60 literals, each size in a process of its own."""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from benchmarks.common import SEED, in_fresh_process, markdown, peak_mb, say
from benchmarks.luskin_targets import Target

MODULE = "benchmarks.rule_sets_scale"
N_ROWS = (1_000, 10_000, 100_000, 1_000_000)
N_NUMBERS, N_CUTS, N_FLAGS = 5, 5, 5
"""Five numbers with five cuts and five flags: with negations 60 literals, and up to 248,832 different rows."""

EPSILON = 0.025
FIT_S, MOST_MB, LINEAR = 300.0, 4000.0, 2.0
"""Targets: seconds and megabytes of a fit on a million rows, and how much longer a round takes for each cell there
than on a hundredth of the rows."""


def make_rows(n_rows: int) -> tuple[pd.DataFrame, NDArray[np.int64], NDArray[np.str_]]:
    """Return made rows of two groups; the label follows three rules, and is turned around for one row in six."""
    random = np.random.default_rng(SEED)
    columns = {f"amount {i}": random.integers(N_CUTS + 1, size=n_rows) for i in range(N_NUMBERS)}
    columns |= {f"flag {i}": random.random(n_rows) < 0.2 + 0.15 * i for i in range(N_FLAGS)}
    group = np.where(random.random(n_rows) < 0.25 + 0.3 * columns["flag 2"], "b", "a")
    truth = (columns["amount 0"] > 3) & columns["flag 4"]
    truth |= (columns["amount 1"] < 2) & (columns["amount 2"] > 2) & columns["flag 2"]
    truth |= (columns["amount 3"] > 4) & ~columns["flag 1"]
    y = truth ^ (random.random(n_rows) < np.where(group == "b", 0.2, 0.15))
    return pd.DataFrame(columns), y.astype(np.int64), group


def worker(n_rows: int) -> dict[str, Any]:
    """Make the rows and fit."""
    from fairaudit.estimators.rules.binarizer import Binarizer
    from fairaudit.estimators.rules.classifier import RuleSetClassifier
    from fairaudit.events import Incumbent

    X, y, group = make_rows(n_rows)
    made = peak_mb()
    cuts = {f"amount {i}": [cut + 0.5 for cut in range(N_CUTS)] for i in range(N_NUMBERS)}
    model = RuleSetClassifier(max_difference=EPSILON, binarizer=Binarizer(cuts=cuts), random_state=0)
    start, processor, ends = time.perf_counter(), time.process_time(), []
    for event in model.iter_fit(X, y, sensitive_features=group):
        if isinstance(event, Incumbent) and event.what == "round":
            ends.append(time.perf_counter())
    first = model.path_[0].round
    return {
        "seconds": time.perf_counter() - start,
        "processor_s": time.process_time() - processor,
        "rounds": len(model.path_) + 1 - first,
        "round_s": float(np.median(np.diff([start, *ends][1:]))) if len(ends) > 1 else ends[0] - start,
        "before_s": ends[0] - start,
        "n_literals": len(model.literals_),
        "n_cells": model.problem_.rows.n_cells,
        "n_columns": model.n_columns_,
        "status": model.status_,
        "gap": (model.best_objective_ - model.bound_) / max(model.best_objective_, 1),
        "fairness_gap": model.fairness_gap_,
        "accuracy": float((model.predict(X) == y).mean()),
        "made_mb": made,
        "peak_mb": peak_mb(),
    }


def measure(sizes: Sequence[int] = N_ROWS) -> dict[int, dict[str, Any]]:
    """Fit in a fresh process for each number of rows."""
    return {n_rows: in_fresh_process(MODULE, str(n_rows)) for n_rows in sizes}


def as_table(found: dict[int, dict[str, Any]]) -> str:
    """Return one line for each number of rows."""
    lines = []
    for n_rows, one in found.items():
        lines.append(
            [
                f"{n_rows:,}",
                one["n_literals"],
                f"{one['n_cells']:,}",
                f"{one['seconds']:.1f}",
                f"{one['processor_s']:.1f}",
                f"{one['before_s']:.1f}",
                one["rounds"],
                f"{one['round_s']:.2f}",
                f"{1e6 * one['round_s'] / one['n_cells']:.1f}",
                f"{one['n_columns']:,}",
                one["status"],
                f"{100 * one['gap']:.2f}",
                f"{one['fairness_gap']:.4f}",
                f"{100 * one['accuracy']:.1f}",
                f"{one['made_mb']:.0f}",
                f"{one['peak_mb']:.0f}",
            ]
        )
    header = [
        "rows", "literals", "cells after merging", "seconds", "of the processor", "to the end of the first round",
        "rounds", "median s a round", "µs a round and cell", "rules", "status", "to the bound, %", "training gap",
        "training accuracy, %", "MB before", "peak MB",
    ]  # fmt: skip
    return markdown(header, lines)


def targets(found: dict[int, dict[str, Any]]) -> list[Target]:
    """Return whether the largest size is within time and memory, and whether rounds are near linear in cells."""
    most = max(found)
    goals = [
        Target(f"{most:,} rows: seconds of a fit", found[most]["seconds"], most=FIT_S),
        Target(f"{most:,} rows: peak memory, MB", found[most]["peak_mb"], most=MOST_MB),
        Target(f"{most:,} rows: largest training gap", found[most]["fairness_gap"], most=EPSILON + 1e-9),
    ]
    less = [n_rows for n_rows in found if n_rows <= most // 100]
    if less:
        few, many = (found[n]["round_s"] / found[n]["n_cells"] for n in (max(less), most))
        goals.append(Target(f"A round for each cell, times that of {max(less):,} rows", many / few, most=LINEAR))
    return goals


def main() -> None:
    """Run a worker."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--worker", type=int, metavar="ROWS", required=True, help=argparse.SUPPRESS)
    say(json.dumps(worker(parser.parse_args().worker)))


if __name__ == "__main__":
    main()
