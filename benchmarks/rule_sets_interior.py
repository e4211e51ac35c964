"""The relaxation over rules by the interior point method of this project, and by that of HiGHS, in whole searches.

Column generation runs to its end on the Hamming form: on Adult, on 60,000 made rows of 40 literals, and on made law
students, nearly all of them different. Everything but the solver of the relaxation is the same. HiGHS (Huangfu and
Hall, 2018, and Schork and Gondzio, 2020, for its interior point method) is used through `highspy`, which is installed
for this script alone.
"""

from __future__ import annotations

import argparse
import json
import math
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import sparse

from benchmarks.common import SEED, in_fresh_process, markdown, say
from fairaudit.estimators.rules import rounds
from fairaudit.estimators.rules.generation import iter_generate
from fairaudit.estimators.rules.interior import (
    FEASIBLE,
    LOOSE,
    LOOSEST,
    PRECISION,
    SHARE_DIGITS,
    Central,
    Interior,
    MasterSolution,
    Prices,
    _CentralProgram,
)
from fairaudit.estimators.rules.problem import Problem, RuleRows
from fairaudit.work import Budget

MODULE = "benchmarks.rule_sets_interior"
SOLVERS = ("ours", "HiGHS interior point", "HiGHS interior point, to the end", "HiGHS simplex", "no central rounds")
TABLES = ("Adult", "60,000 x 40", "law students")
MOST_S = 300.0
"""Processor seconds of a search, at most."""
MOST_WORK = 150.0
"""Work of a search, at most: the relaxation of law students is not solved."""


class HighsInterior(Interior):
    """The same relaxation, solved by HiGHS without crossover, or by its simplex method."""

    method, is_loose = "ipm", True

    def solve(
        self,
        covers: Any,
        costs: Any,
        tallies: Any,
        *,
        bound: float | None = None,
        proven: Prices | None = None,
        shares: Any = None,
        budget: Budget | None = None,
    ) -> Central | None:
        """Solve over some rules; see `Interior.solve`."""
        import highspy

        program = _CentralProgram(self, covers[:, self.master.positive], costs, tallies)
        n_cells, n_rules = program.covers.shape
        n_levels, n_few = len(program.level_costs), len(program.sides)
        missed = sparse.csr_matrix(program.by_group[:, program.groups] * program.n)
        rows = sparse.bmat(
            [
                [sparse.csr_matrix(program.covers), sparse.eye(n_cells), sparse.csr_matrix((n_cells, n_levels))],
                [sparse.csr_matrix(program.by_rule), missed, sparse.csr_matrix(program.by_level)],
            ],
            format="csc",
        )
        model = highspy.HighsLp()
        n = rows.shape[1]
        model.num_col_, model.num_row_ = n, rows.shape[0]
        model.col_cost_ = np.concatenate([program.losses, program.n, program.level_costs])
        model.col_lower_, model.col_upper_ = np.zeros(n), np.full(n, highspy.kHighsInf)
        model.row_lower_ = np.concatenate([np.ones(n_cells), np.full(n_few, -highspy.kHighsInf)])
        model.row_upper_ = np.concatenate([np.full(n_cells, highspy.kHighsInf), program.sides])
        model.a_matrix_.format_ = highspy.MatrixFormat.kColwise
        model.a_matrix_.start_, model.a_matrix_.index_ = rows.indptr, rows.indices
        model.a_matrix_.value_ = rows.data
        highs = highspy.Highs()
        highs.setOptionValue("output_flag", False)
        highs.setOptionValue("threads", 1)
        highs.setOptionValue("solver", self.method)
        highs.setOptionValue("run_crossover", "off")
        far = PRECISION
        if self.is_loose and bound is not None and self.value is not None:
            far = max(PRECISION, min(LOOSE * (self.value - bound) / max(abs(self.value), 1.0), LOOSEST))
        highs.setOptionValue("ipm_optimality_tolerance", far)
        highs.setOptionValue("primal_feasibility_tolerance", FEASIBLE)
        highs.setOptionValue("dual_feasibility_tolerance", FEASIBLE)
        highs.passModel(model)
        highs.run()
        found = highs.getSolution()
        if not found.dual_valid or not found.value_valid:
            return None
        values, duals = np.array(found.col_value), np.array(found.row_dual)
        y, p = np.maximum(duals[:n_cells], 0.0), np.maximum(-duals[n_cells:], 0.0)
        bounds, prices = program.duals(y, p)
        value = float(model.col_cost_ @ values)
        type(self).value = value
        excess = float(values[-1]) if n_levels else 0.0
        return Central(
            MasterSolution(round(value, SHARE_DIGITS), values[:n_rules].round(SHARE_DIGITS), bounds, excess), prices
        )

    value: float | None = None


def solver_of(name: str) -> type[Interior]:
    """Return what solves the relaxation."""
    if name in ("ours", "no central rounds"):
        return Interior
    simplex = name == "HiGHS simplex"
    members = {"method": "simplex" if simplex else "ipm", "is_loose": name == "HiGHS interior point"}
    return type("Solver", (HighsInterior,), members)


def adult() -> RuleRows | None:
    """Return Adult as rows of literals, None where the file is missing."""
    from benchmarks.rule_sets_data import read
    from fairaudit.estimators.rules.binarizer import Binarizer

    data = read("Adult")
    if data is None:
        return None
    X = data.X.drop(columns=[data.sensitive.name], errors="ignore")
    held = np.asarray(Binarizer().fit(X).transform(X), dtype=bool)
    return RuleRows.merge(held, data.y == 1, data.in_second.astype(np.int64), ["first", "second"])


def made() -> RuleRows:
    """Return 60,000 rows of 40 literals; the label follows three rules, and is turned around for one row in six."""
    random = np.random.default_rng(SEED)
    held = random.random((60_000, 40)) < random.uniform(0.2, 0.8, 40)
    groups = (random.random(60_000) < 0.25 + 0.3 * held[:, 2]).astype(np.int64)
    truth = held[:, 0] & held[:, 5] | held[:, 1] & held[:, 7] & held[:, 2] | held[:, 3] & held[:, 9] & held[:, 11]
    labels = truth ^ (random.random(60_000) < np.where(groups == 1, 0.2, 0.15))
    return RuleRows.merge(held, labels, groups, ["first", "second"])


def law_students() -> RuleRows:
    """Return 20,798 made law students as rows of literals."""
    from benchmarks.rule_sets_lengths import law_students as students
    from fairaudit.estimators.rules.binarizer import Binarizer

    X, y, group = students()
    held = np.asarray(Binarizer().fit(X).transform(X), dtype=bool)
    return RuleRows.merge(held, y == 1, (group == "b").astype(np.int64), ["a", "b"])


READERS: dict[str, Callable[[], RuleRows | None]] = {
    "Adult": adult, "60,000 x 40": made, "law students": law_students,
}  # fmt: skip


def worker(table: str, solver: str, longest: int) -> dict[str, Any]:
    """Run one search to its end, or to the limit."""
    rows = READERS[table]()
    if rows is None:
        return {}
    taken = [0, 0.0]
    kind = solver_of(solver)

    class Timed(kind):  # type: ignore[misc,valid-type]
        def solve(self, *arguments: Any, **options: Any) -> Central | None:
            start = time.process_time()
            solved: Central | None = super().solve(*arguments, **options)
            taken[0] += 1
            taken[1] += time.process_time() - start
            return solved

    rounds.Interior = Timed  # type: ignore[misc]
    if solver == "no central rounds":
        rounds.FEWEST_CELLS = 10**9  # type: ignore[misc]
    problem = Problem(rows, max_complexity=20, fairness="equalized_odds", max_difference=0.05, max_rule_length=longest)
    start = time.process_time()
    events, generated, is_cut = iter_generate(problem, budget=Budget(MOST_WORK), pricing_limit=math.inf), None, False
    while generated is None:
        try:
            next(events)
        except StopIteration as end:
            generated = end.value
            break
        if time.process_time() - start > MOST_S:
            is_cut = True
            break
    seconds = time.process_time() - start
    value = math.nan if generated is None else generated.lp_value
    bound = math.nan if generated is None else generated.bound
    n_rounds = 0 if generated is None else generated.n_rounds
    return {
        "cells": rows.n_cells, "seconds": seconds, "solves": taken[0], "solver_s": taken[1],
        "rounds": n_rounds, "value": value, "bound": bound, "cut": is_cut,
    }  # fmt: skip


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", nargs="*", default=list(TABLES), choices=TABLES)
    parser.add_argument("--solvers", nargs="*", default=list(SOLVERS), choices=SOLVERS)
    parser.add_argument("--longest", type=int, default=3, help="literals of a rule, at most")
    parser.add_argument("--worker", nargs=3, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.worker:
        table, solver, longest = asked.worker
        say(json.dumps(worker(table, solver, int(longest))))
        return
    lines = []
    for table in asked.tables:
        for solver in asked.solvers:
            found = in_fresh_process(MODULE, table, solver, str(asked.longest))
            if not found:
                say(f"{table}: the file is missing")
                continue
            end = f"cut at {MOST_S:,.0f} s" if found["cut"] else f"{found['value']:,.3f} / {found['bound']:,.3f}"
            shown = [table, f"{found['cells']:,}", solver, found["rounds"], found["solves"]]
            lines.append([*shown, f"{found['solver_s']:.1f}", f"{found['seconds']:.1f}", end])
            say(str(lines[-1]))
    heads = ["table", "cells", "solver", "rounds", "central solves", "their s", "processor s", "value / bound"]
    say(markdown(heads, lines))


if __name__ == "__main__":
    main()
