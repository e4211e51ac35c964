"""Exact searches for trees on the same problems: frontiers, multipliers (the Lagrangian dual) and SCIP.

Frontiers hold the best subtrees of labels; multipliers also take numbers, DTDI and limits on columns. Each search is
given the same work and no tree to begin with. A search wins a row if its tree is the best and it proves the tightest
bound; among those that prove the same, if it takes the fewest processor seconds.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from benchmarks import trees_crime, trees_frontier
from benchmarks.common import SEED, markdown
from benchmarks.trees_frontier import LiteralData, ended
from fairaudit.estimators.trees.dual import iter_dual
from fairaudit.estimators.trees.formulation.search import iter_scip
from fairaudit.estimators.trees.frontier.search import iter_frontier
from fairaudit.estimators.trees.measures import dtdi_measure
from fairaudit.estimators.trees.problem import FoundTree, TreeProblem, didi_measure, parity_limit
from fairaudit.work import Budget

SIDE_BY_SIDE: Final = 1e-6
"""Objectives and bounds that differ by less are alike."""
N_NEIGHBORS: Final = 10

ENGINES: Final[dict[str, Callable[[TreeProblem, float], FoundTree]]] = {
    "frontier": lambda problem, work: ended(iter_frontier(problem, budget=Budget(work), seed=SEED)),
    "dual": lambda problem, work: ended(iter_dual(problem, budget=Budget(work), seed=SEED)),
    "SCIP": lambda problem, work: scip_tree(problem, work),
}


@dataclass(frozen=True)
class Result:
    """How one search did on one problem: objective, bound and processor seconds."""

    engine: str
    objective: float
    bound: float
    seconds: float

    @property
    def cell(self) -> str:
        """The result for a table, with a star where it is not proven."""
        star = "" if self.bound >= self.objective - SIDE_BY_SIDE else f" (bound {self.bound:.4f})"
        return f"{self.objective:.4f}{star}, {self.seconds:.1f} s"


def scip_tree(problem: TreeProblem, work: float) -> FoundTree:
    """Search with SCIP alone."""
    events = iter_scip(problem, budget=Budget(work), seed=SEED)
    while True:
        try:
            next(events)
        except StopIteration as end:
            return end.value.found


def problems() -> Iterator[tuple[str, TreeProblem]]:
    """Yield the problems whose data is there, each with its name."""
    for data, depth in ((trees_frontier.compas(), 3), (trees_frontier.german(), 3), (trees_frontier.adult(), 2)):
        if data is not None:
            rows = data.rows()
            plain = TreeProblem(rows, max_depth=depth)
            yield f"{data.words}, depth {depth}", plain
            yield f"{data.name}, gap at most .05", replace(plain, limit=parity_limit(rows, "demographic_parity", 0.05))
            didi = (didi_measure(rows, "classification"),)
            yield f"{data.name}, DIDI at .5", replace(plain, measures=didi, price=0.5)
    if (compas := trees_frontier.compas()) is not None:
        yield from _with_columns(compas)
    if parts := trees_crime.parts(SEED):
        part = parts[0]
        for depth in (2, 3):
            numbers = TreeProblem(part.rows, task="regression", max_depth=depth)
            yield f"Crime, amounts, {part.rows.n_rows:,} x {part.rows.n_splits}, depth {depth}", numbers
            for index in ("didi", "dtdi"):
                yield f"Crime, {index.upper()} at .5", replace(numbers, measures=(part.measure(index),), price=0.5)


def _with_columns(data: LiteralData) -> Iterator[tuple[str, TreeProblem]]:
    rows = data.rows()
    columns = tuple(range(rows.n_splits))
    yield f"{data.words}, depth 2, two columns", TreeProblem(rows, max_depth=2, columns=columns, max_features=2)
    dtdi = dtdi_measure(rows, data.holds.astype(float), data.groups, 2, N_NEIGHBORS, "classification")
    yield f"{data.name}, depth 2, DTDI at .5", TreeProblem(rows, max_depth=2, measures=(dtdi,), price=0.5)


def side_by_side(problem: TreeProblem, work: float) -> list[Result]:
    """Return how each search does that takes the problem."""
    results = []
    for engine, search in ENGINES.items():
        if engine == "frontier" and problem.task == "regression":
            continue
        start = time.process_time()
        found = search(problem, work)
        results.append(Result(engine, found.objective, found.bound, time.process_time() - start))
    return results


def winner(results: list[Result]) -> str:
    """Return the search whose tree is the best, then whose bound is the highest, then the fastest."""

    def rank(result: Result) -> tuple[float, float, float]:
        bound = -math.inf if np.isnan(result.bound) else result.bound
        return round(result.objective / SIDE_BY_SIDE), -round(max(bound, 0.0) / SIDE_BY_SIDE), result.seconds

    return min(results, key=rank).engine


def table(work: float) -> str:
    """Return one line for each problem."""
    lines = []
    for words, problem in problems():
        results = side_by_side(problem, work)
        cells = {result.engine: result.cell for result in results}
        lines.append([words, *(cells.get(engine, "") for engine in ENGINES), winner(results)])
    return markdown(["problem", *ENGINES, "wins"], lines)
