"""What each step of the integer problem gains over the plain form: time to proof, nodes, and the bound at the root.

COMPAS, 5,278 rows, 11 literals (prior counts cut at the deciles; race is the group, and not among them), depth 2, for
no constraint and demographic parity. The steps, each on top of the one before but for the last form:

- plain: each cell flows to a leaf, leaves have labels;
- patterns: one flow for all cells that the same literals hold for;
- stumps: a node of the last level is one choice with both its leaves; columns that part alike are one (the flow form);
- priority: what is nearer to the root is branched on first (the flow form as it is used);
- paths: a number for each path in place of rows for each pattern (the path form as it is used);
- start: with the tree of the exact search in hand.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any
from unittest.mock import patch

import numpy as np
import pandas as pd

from benchmarks.common import markdown
from benchmarks.luskin_data import find
from fairaudit.estimators.trees.formulation import model as path_form
from fairaudit.estimators.trees.formulation.model import SCIP_SETTINGS, ScipTree, TreeKinds, add_fairness
from fairaudit.estimators.trees.formulation.nodes import Expression, SplitPatterns
from fairaudit.estimators.trees.formulation.search import iter_scip
from fairaudit.estimators.trees.problem import TreeProblem, TreeRows, TreeShape, parity_limit
from fairaudit.solver import Solved, SolveLimits, add_row, minimise, new_model, solve
from fairaudit.work import Budget

LIMITS = (None, 0.05, 0.01)


@dataclass(frozen=True)
class Step:
    """How one step did.

    Parameters
    ----------
    name : str
        See the module.
    limit : float or None
        Of demographic parity.
    seconds, cpu_s : float
        To the end, building the model included: on the clock, and of the processor.
    status : str
        "optimal" where it is proven.
    accuracy : float
        Of the best tree.
    bound : float
        What accuracy cannot be above.
    root_bound : float
        The same after the first linear programs and cuts.
    n_nodes, n_variables, n_rows : int
        Of the search tree, and of the model.
    """

    name: str
    limit: float | None
    seconds: float
    cpu_s: float
    status: str
    accuracy: float
    bound: float
    root_bound: float
    n_nodes: int
    n_variables: int
    n_rows: int


def compas_rows() -> TreeRows | None:
    """Return COMPAS as literals; None where the file is not there."""
    path = find("compas_fairml_5278.csv")
    if path is None:
        return None
    frame = pd.read_csv(path)
    priors = frame["Number_of_Priors"].to_numpy()
    cuts = np.unique(np.quantile(priors, np.arange(1, 10) / 10))
    names = ["score_factor", "Age_Above_FortyFive", "Age_Below_TwentyFive", "Female", "Misdemeanor"]
    holds = [frame[name].to_numpy() == 1 for name in names] + [priors <= cut for cut in cuts if cut < priors.max()]
    groups, targets = frame["African_American"].to_numpy(), frame["Two_yr_Recidivism"].to_numpy(dtype=float)
    return TreeRows.merge(np.column_stack(holds), groups, targets, ["Caucasian", "African-American"])


def parity_problem(rows: TreeRows, depth: int, limit: float | None) -> TreeProblem:
    """Return the problem of a tree with demographic parity."""
    bounded = None if limit is None else parity_limit(rows, "demographic_parity", limit)
    return TreeProblem(rows, max_depth=depth, limit=bounded)


class PlainForm:
    """The plain flow form: flows z[p,l] of patterns to leaves, labels b[l] and u[p,l] = z[p,l] b[l]."""

    span = 1.0

    def __init__(self, model: Any, problem: TreeProblem, patterns: SplitPatterns):
        self.model, self.problem, self.patterns = model, problem, patterns
        depth, (n_patterns, n_splits) = problem.max_depth, patterns.holds.shape
        leaves = range(2**depth, 2 ** (depth + 1))
        splits = {t: [model.addVar(f"s_{t}_{j}", vtype="B") for j in range(n_splits)] for t in range(1, 2**depth)}
        labels = {k: model.addVar(f"b_{k}", vtype="B") for k in leaves}
        z = {k: [model.addVar(f"z_{k}_{p}", lb=0, ub=1) for p in range(n_patterns)] for k in leaves}
        self.ones = {k: [model.addVar(f"u_{k}_{p}", lb=0, ub=1) for p in range(n_patterns)] for k in leaves}
        for node, part in splits.items():
            # sum_j s[t,j] = 1, all t
            add_row(model, part, np.ones(n_splits), at_least=1, at_most=1, name=f"split_{node}")
        for p in range(n_patterns):
            # sum_l z[p,l] = 1, all p
            add_row(model, [z[k][p] for k in leaves], np.ones(len(leaves)), at_least=1, at_most=1, name=f"flow_{p}")
            for node, part in splits.items():
                for side in (0, 1):
                    # sum of z[p,l] over the leaves on one side of t <= sum of s[t,j] over the splits that go there
                    below = [z[k][p] for k in leaves if _side(k, node) == side]
                    goes = np.flatnonzero(patterns.holds[p] == (side == 0))
                    add_row(model, [*below, *(part[j] for j in goes)], [*np.ones(len(below)), *-np.ones(len(goes))],
                            at_most=0, name=f"side_{node}_{side}_{p}")  # fmt: skip
            for k in leaves:
                one = self.ones[k][p]
                # u[p,l] <= z[p,l],  u[p,l] <= b[l],  z[p,l] - u[p,l] <= 1 - b[l],  all p and l
                add_row(model, [one, z[k][p]], [1, -1], at_most=0, name=f"one_{k}_{p}")
                add_row(model, [one, labels[k]], [1, -1], at_most=0, name=f"label_{k}_{p}")
                add_row(model, [z[k][p], one, labels[k]], [1, -1, 1], at_most=1, name=f"other_{k}_{p}")

    def predictions(self, weights: np.ndarray) -> Expression:
        """Return a linear form of the predictions of patterns."""
        ones = [one for part in self.ones.values() for one in part]
        return Expression(ones, np.tile(weights, len(self.ones)))


def _side(leaf: int, node: int) -> int | None:
    """Return 0 for a leaf on the left of a node, 1 on the right, None elsewhere."""
    height = leaf.bit_length() - node.bit_length()
    return None if leaf >> height != node else (leaf >> (height - 1)) & 1


def plain_model(model: Any, problem: TreeProblem, *, merged: bool) -> None:
    """Fill a model with the plain form."""
    rows = problem.rows
    patterns = SplitPatterns.of(rows)
    if not merged:
        patterns = SplitPatterns(
            rows.holds, np.zeros((rows.n_cells, 0)), np.arange(rows.n_cells), rows.weights.astype(float)
        )
    form = PlainForm(model, problem, patterns)
    add_fairness(model, problem, patterns, form)
    losses = form.predictions(patterns.summed(rows.weights * (1.0 - 2.0 * rows.targets)))
    minimise(model, losses.variables, losses.coefficients, constant=float(rows.weights @ rows.targets))
    for name, value in SCIP_SETTINGS.items():
        model.setParam(name, value)


def flow_model(model: Any, problem: TreeProblem, *, priority: bool) -> None:
    """Fill a model with the flow form, with or without branching priorities."""
    with patch.object(path_form, "MOST_PATH_COLUMNS", 0):
        build(ScipTree(model, problem, TreeKinds()))
    if not priority:
        for variable in model.getVars():
            model.chgVarBranchPriority(variable, 0)


def build(tree: ScipTree) -> ScipTree:
    """Build a model in one go."""
    for _ in tree.iter_build():
        pass
    return tree


def started_model(model: Any, problem: TreeProblem, start: TreeShape) -> None:
    """Fill a model with the path form, and a tree in hand."""
    build(ScipTree(model, problem, TreeKinds())).add_start(start)


def step(name: str, problem: TreeProblem, limit: float | None, fill: Callable[[Any], Any], time_s: float) -> Step:
    """Solve one model, once to the end of its root and once to the end."""
    ends: list[Solved] = []
    n_variables = n_rows = 0
    for nodes in (1, None):
        begun, cpu = time.monotonic(), time.process_time()
        with new_model("step", Budget(time_s)) as model:
            fill(model)
            n_variables, n_rows = model.getNVars(), model.getNConss()
            ends.append(solve(model, SolveLimits(nodes=nodes)))
        seconds, cpu_s = time.monotonic() - begun, time.process_time() - cpu
    root, end = ends
    accuracy, bound, root_bound = (1 - value / problem.rows.n_rows for value in (end.objective, end.bound, root.bound))
    return Step(name, limit, seconds, cpu_s, end.status, accuracy, bound, root_bound, end.n_nodes, n_variables, n_rows)


def steps(rows: TreeRows, limit: float | None, *, depth: int = 2, time_s: float = 60.0) -> list[Step]:
    """Return how each step did for one limit."""
    problem = parity_problem(rows, depth, limit)
    # An exact search stands in for any that ran before; its time is not counted.
    events, start = iter_scip(problem, budget=Budget(time_s)), None
    while start is None:
        try:
            next(events)
        except StopIteration as end:
            start = end.value.found.shape
    fills: Sequence[tuple[str, Callable[[Any], Any]]] = (
        ("plain", lambda model: plain_model(model, problem, merged=False)),
        ("patterns", lambda model: plain_model(model, problem, merged=True)),
        ("stumps", lambda model: flow_model(model, problem, priority=False)),
        ("priority", lambda model: flow_model(model, problem, priority=True)),
        ("paths", lambda model: build(ScipTree(model, problem, TreeKinds()))),
        ("start", lambda model: started_model(model, problem, start)),
    )
    return [step(name, problem, limit, fill, time_s) for name, fill in fills]


def table(results: Sequence[Step]) -> str:
    """Return the steps as a table."""
    header = [
        "step",
        "parity",
        "s",
        "CPU s",
        "status",
        "accuracy",
        "bound",
        "bound at root",
        "nodes",
        "variables",
        "rows",
    ]
    lines = [
        [
            one.name,
            "none" if one.limit is None else f"{one.limit:.2f}",
            *(f"{value:.2f}" for value in (one.seconds, one.cpu_s)),
            one.status,
            *(f"{value:.4f}" for value in (one.accuracy, one.bound, one.root_bound)),
            *(f"{value:,}" for value in (one.n_nodes, one.n_variables, one.n_rows)),
        ]
        for one in results
    ]
    return markdown(header, lines)


def depth_three(rows: TreeRows, limit: float | None, *, time_s: float = 60.0) -> Step:
    """Return how the search as it is used does at depth 3."""
    problem = parity_problem(rows, 3, limit)
    return step("paths, depth 3", problem, limit, lambda model: build(ScipTree(model, problem, TreeKinds())), time_s)


def main(time_s: float = 60.0) -> None:
    """Measure, and print the tables."""
    rows = compas_rows()
    if rows is None:
        sys.exit("COMPAS is not there.")
    for limit in LIMITS:
        print(table([*steps(rows, limit, time_s=time_s), depth_three(rows, limit, time_s=time_s)]), flush=True)


if __name__ == "__main__":
    main(*(float(argument) for argument in sys.argv[1:]))
