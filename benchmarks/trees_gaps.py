"""The smallest gap for accuracy lost, in one pass with its whole curve, beside eight halvings of a limit on the gap.

Dutch census 2001 (``dutch.csv``) and law school (``law_school_clean.csv``) are those of Le Quy and others (2022), "A
survey on datasets for fairness-aware machine learning"; three quarters of the rows, drawn with seed 0. Tables not in
``../shared/data`` are left out.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

import numpy as np
import pandas as pd

from benchmarks.common import markdown
from benchmarks.luskin_data import find
from benchmarks.trees_frontier import LiteralData, adult, binarized, ended
from fairaudit.estimators.trees.frontier.gap_curve import GapCurve, GapSearchEnd, iter_gap_curve, iter_halvings
from fairaudit.estimators.trees.problem import TreeProblem, parity_limit
from fairaudit.events import Searching
from fairaudit.work import Budget

DRAWN: Final = 0.75
DEPTH: Final = 3
CONSTRAINT: Final = "demographic_parity"


def dutch() -> LiteralData | None:
    """Return the Dutch census: a prestigious occupation, by sex."""
    path = find("dutch.csv")
    if path is None:
        return None
    table = pd.read_csv(path).sample(frac=DRAWN, random_state=0)
    good, men = table.pop("occupation") == 1, table.pop("sex") == "male"
    return binarized("Dutch census", table.astype(str), good, men)


def law() -> LiteralData | None:
    """Return law school: whether the bar is passed, by sex."""
    path = find("law_school_clean.csv")
    if path is None:
        return None
    table = pd.read_csv(path).sample(frac=DRAWN, random_state=0).drop(columns="race")
    return binarized("Law school", table, table.pop("pass_bar") == 1, table.pop("male") == 1)


TABLES: Final[tuple[tuple[Callable[[], LiteralData | None], float], ...]] = ((dutch, 0.01), (law, 0.002), (adult, 0.01))
"""With the accuracy that may be lost."""


def _halved(problem: TreeProblem, max_loss: float, budget: Budget) -> Searching[GapSearchEnd]:
    curve = GapCurve(problem, max_loss, budget)
    yield from iter_halvings(curve)
    return curve.end()


def table(seconds: float) -> str:
    """Return one line for each table and way."""
    lines = []
    for read, max_loss in TABLES:
        data = read()
        if data is None:
            continue
        for name, way in (("one pass", iter_gap_curve), ("eight halvings", _halved)):
            start = time.process_time()
            rows = data.rows()
            problem = TreeProblem(rows, max_depth=DEPTH, limit=parity_limit(rows, CONSTRAINT, 1.0))
            end = ended(way(problem, max_loss, budget=Budget(seconds)))
            used = time.process_time() - start
            proven = np.mean([point.gap - point.bound <= 2e-4 for point in end.curve])
            lines.append(
                [data.words, f"{1 - end.least_loss:.4f}", f"{100 * max_loss:g}", name, f"{end.found.objective:.4f}",
                 f"{end.found.bound:.4f}", end.found.status, f"{len(end.curve)}, {100 * proven:.0f} %", f"{used:.1f}"]
            )  # fmt: skip
    header = [
        "data",
        "accuracy, free",
        "points lost",
        "way",
        "gap",
        "none below",
        "status",
        "curve: points, proven",
        "s",
    ]
    return markdown(header, lines)
