"""Fifty groups and up to 100,000 made rows: seconds, fits, where the search stands, and memory.

Each number of rows is measured in a process of its own, whose memory before the search is measured apart.
"""

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

MODULE = "benchmarks.constraints_scale"
N_GROUPS, N_NUMBERS, LIMIT = 50, 8, 0.05
N_ROWS = (50_000, 100_000)

LINEAR = 2.2
"""Target: what twice the rows may add, in times of what the rows added."""


def make_rows(n_rows: int) -> tuple[pd.DataFrame, NDArray[np.int64]]:
    """Return made rows in fifty districts of equal size, whose shares of positive labels differ."""
    random = np.random.default_rng(SEED)
    district = random.integers(N_GROUPS, size=n_rows)
    columns: dict[str, Any] = {f"amount {i}": random.normal(size=n_rows) for i in range(N_NUMBERS)}
    logit = columns["amount 0"] + 0.5 * columns["amount 1"] + random.normal(scale=0.4, size=N_GROUPS)[district]
    columns["kind"] = np.array(["plain", "fine", "rare"])[random.integers(3, size=n_rows)]
    columns["district"] = np.array([f"district {i:02}" for i in range(N_GROUPS)])[district]
    y = (random.random(n_rows) < 1 / (1 + np.exp(-logit))).astype(np.int64)
    return pd.DataFrame(columns), y


def worker(n_rows: int, search_rows: bool) -> dict[str, Any]:
    """Make the rows and search, or only make them."""
    from fairaudit.estimators.constraints import FairnessSpec
    from fairaudit.estimators.constraints.classifier import ConstrainedClassifier
    from fairaudit.estimators.models import make_model

    X, y = make_rows(n_rows)
    made = peak_mb()
    model = ConstrainedClassifier(
        make_model("logistic_regression"), FairnessSpec("demographic_parity", "district", LIMIT), random_state=0
    )
    start = time.process_time()
    if search_rows:
        model.fit(X, y, sensitive_features=X[["district"]])
    else:
        make_model("logistic_regression").fit(X, y)
        return {"seconds": time.process_time() - start, "made_mb": made, "peak_mb": peak_mb()}
    seconds = time.process_time() - start
    first, chosen = model.history_[0], model.history_[model.chosen_]
    return {
        "seconds": seconds,
        "made_mb": made,
        "peak_mb": peak_mb(),
        "n_fits": model.n_fits_,
        "status": model.status_,
        "before": float(np.abs(first.gaps).max()),
        "after": float(np.abs(chosen.gaps).max()),
        "over": int((np.abs(chosen.gaps) > LIMIT).sum()),
        "n_constraints": len(model.constraints_),
        "accuracy_before": first.accuracy,
        "accuracy_after": chosen.accuracy,
    }


def measure(sizes: Sequence[int] = N_ROWS) -> dict[int, dict[str, Any]]:
    """Search in a fresh process for each number of rows, and fit one plain model in another."""
    found = {}
    for n_rows in sizes:
        found[n_rows] = in_fresh_process(MODULE, "search", str(n_rows))
        found[n_rows]["plain"] = in_fresh_process(MODULE, "plain", str(n_rows))
    return found


def as_table(found: dict[int, dict[str, Any]]) -> str:
    """Return one line for each number of rows; gaps and accuracies are of the rows that multipliers are chosen on."""
    lines = []
    for n_rows, one in found.items():
        lines.append(
            [
                f"{n_rows:,}",
                f"{one['seconds']:.1f}",
                one["n_fits"],
                f"{one['plain']['seconds']:.1f}",
                one["status"],
                f"{one['before']:.3f}",
                f"{one['after']:.3f}",
                f"{one['over']} of {one['n_constraints']:,}",
                f"{100 * one['accuracy_before']:.1f}",
                f"{100 * one['accuracy_after']:.1f}",
                f"{one['made_mb']:.0f}",
                f"{one['plain']['peak_mb']:.0f}",
                f"{one['peak_mb']:.0f}",
            ]
        )
    header = [
        "rows", "seconds", "fits", "one plain fit, s", "status", "largest gap before", "after", "pairs over the limit",
        "accuracy before, %", "after, %", "MB before", "peak MB, one plain fit", "peak MB",
    ]  # fmt: skip
    return markdown(header, lines)


def targets(found: dict[int, dict[str, Any]]) -> list[Target]:
    """Return whether memory is linear in the rows: what the search adds to the rows at either size."""
    few, many = (found[n_rows]["peak_mb"] - found[n_rows]["made_mb"] for n_rows in sorted(found))
    return [Target("Memory added by the search at twice the rows, times", many / few, most=LINEAR)]


def main() -> None:
    """Run a worker."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--worker", nargs=2, metavar=("WHAT", "ROWS"), required=True, help=argparse.SUPPRESS)
    what, n_rows = parser.parse_args().worker
    say(json.dumps(worker(int(n_rows), what == "search")))


if __name__ == "__main__":
    main()
