"""How near a unit of work is to a second: searches on made rows, their processor seconds beside the work they counted.

Run it from the folder of the project on a machine that does nothing else::

    OMP_NUM_THREADS=1 python -m benchmarks.work_rates

The rates of `fairaudit.work` and `fairaudit.solver.solving` were set so that most of these come out between half a
second and two. They are the same on each machine and only say how long a limit takes: changing them changes what
searches that end at their limit find.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd

from benchmarks.common import SEED, markdown, say
from fairaudit.estimators.rules.classifier import RuleSetClassifier
from fairaudit.estimators.trees.lookahead_tree import LookaheadTreeClassifier
from fairaudit.estimators.trees.optimal_tree import OptimalTreeClassifier, OptimalTreeRegressor
from fairaudit.work import Budget

WORK = 20.0
"""Seconds of work for each search."""


def rows(n: int) -> tuple[pd.DataFrame, np.ndarray, np.ndarray]:
    """Return features, scores and groups."""
    random = np.random.default_rng(SEED)
    X = pd.DataFrame(random.normal(size=(n, 6)), columns=[f"number {place}" for place in range(6)])
    X["kind"] = np.array(list("abcdefgh"))[random.integers(8, size=n)]
    group = random.integers(2, size=n)
    score = X["number 0"] + 0.5 * X["number 1"] * X["number 2"] + 0.4 * group + random.normal(size=n)
    return X, score.to_numpy(), group


def searches() -> dict[str, tuple[Callable[[], Any], bool]]:
    """Return what is measured: an estimator, and whether it predicts numbers."""
    fair = {"constraint": "demographic_parity", "max_difference": 0.02, "time_limit": WORK, "random_state": 0}
    return {
        "frontier, depth 3": (lambda: OptimalTreeClassifier(3, **fair), False),
        "frontier, depth 5": (lambda: OptimalTreeClassifier(5, **fair), False),
        "SCIP, depth 2": (lambda: OptimalTreeClassifier(2, **fair, method="scip"), False),
        "SCIP, linear splits": (lambda: OptimalTreeClassifier(2, **fair, branching="linear"), False),
        "DTDI, depth 2": (
            lambda: OptimalTreeClassifier(2, discrimination="dtdi", fairness_weight=0.2, time_limit=WORK), False
        ),
        "numbers, depth 2": (lambda: OptimalTreeRegressor(2, **fair), True),
        "numbers, depth 3": (lambda: OptimalTreeRegressor(3, **fair), True),
        "looking ahead, depth 5": (
            lambda: LookaheadTreeClassifier(5, constraint="demographic_parity", time_limit=WORK, random_state=0), False
        ),
        "rules, Hamming": (lambda: RuleSetClassifier(10, max_difference=0.05, time_limit=WORK, random_state=0), False),
        "rules, 0-1": (
            lambda: RuleSetClassifier(10, max_difference=0.05, objective="zero_one", time_limit=WORK, random_state=0),
            False,
        ),
    }  # fmt: skip


def measured(make: Callable[[], Any], numbers: bool, n: int) -> tuple[float, float, str]:
    """Return work, processor seconds and how the search ended."""
    X, score, group = rows(n)
    y = score if numbers else score > np.median(score)
    spent: list[Budget] = []
    begin = Budget.__init__

    def noted(self: Budget, *args: Any, **more: Any) -> None:
        begin(self, *args, **more)
        spent.append(self)

    Budget.__init__ = noted  # type: ignore[method-assign]
    start = time.process_time()
    try:
        fitted = make().fit(X, y, sensitive_features=group)
    finally:
        Budget.__init__ = begin  # type: ignore[method-assign]
    # The first budget is that of the whole search.
    return spent[0].spent, time.process_time() - start, fitted.status_


def main() -> None:
    """Measure and print."""
    lines = []
    for n in (1_000, 20_000):
        for name, (make, numbers) in searches().items():
            work, seconds, status = measured(make, numbers, n)
            lines.append((name, f"{n:,}", f"{work:.1f}", f"{seconds:.1f}", f"{seconds / max(work, 1e-9):.2f}", status))
            print(f"{name}: {seconds:.1f} s", file=sys.stderr)
    say(markdown(("search", "rows", "work", "processor seconds", "seconds a unit", "ended"), lines))


if __name__ == "__main__":
    main()
