"""Small random problems for searches, with every measure and limit, and all trees of depth 1 or 2 tried on them."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
from scipy import sparse
from scipy.optimize import linprog

from fairaudit.estimators.trees.measures import dtdi_measure
from fairaudit.estimators.trees.problem import (
    NO_SPLIT,
    TreeProblem,
    TreeRows,
    TreeShape,
    didi_measure,
    parity_limit,
    reachable_leaves,
)

KINDS = ("free", "priced", "both", "dtdi", "nothing between groups", "bounded", "limited")


def fair_problem(
    seed: int, task: str, kind: str, *, n: int = 40, n_splits: int = 4, n_groups: int = 2, max_depth: int = 2, **asked
) -> TreeProblem:
    """Return a problem whose labels lean on the group and the first splits."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 4, (n, 3)).astype(float)
    groups = np.r_[np.arange(n_groups), rng.integers(0, n_groups, n - n_groups)]
    columns = [X[:, j] <= t for j in range(3) for t in range(3)]
    holds = np.column_stack([columns[j] for j in rng.permutation(len(columns))[:n_splits]])
    score = X[:, 0] - 0.5 * X[:, 1] + groups + rng.normal(0, 1, n)
    targets = (score > np.median(score)).astype(float) if task == "classification" else np.round(score / 3, 1)
    rows = TreeRows.merge(holds, groups, targets, list("abcd")[:n_groups])
    didi, dtdi = didi_measure(rows, task), dtdi_measure(rows, X, groups, n_groups, 3, task)
    parity = parity_limit(rows, "demographic_parity", 0.1)
    settings = {
        "free": {},
        "priced": {"measures": (didi,), "price": 0.3},
        "both": {"measures": (didi, dtdi), "price": 0.2, "split_price": 0.01},
        "dtdi": {"measures": (dtdi,), "price": 0.8, "min_leaf_size": 5},
        "nothing between groups": {"measures": (didi,), "max_measure": 0.0},
        "bounded": {"measures": (didi, dtdi), "max_measure": 0.1, "price": 0.05},
        "limited": {"limit": parity, "limit_price": 0.1, "measures": (dtdi,), "price": 0.1},
    }[kind]
    return TreeProblem(rows, task=task, max_depth=max_depth, **{**settings, **asked})


def every_structure(problem: TreeProblem):
    """Yield the splits of every tree, values being 0; below a node that does not split none splits."""
    depth, options = problem.max_depth, (NO_SPLIT, *range(problem.rows.n_splits))
    for splits in itertools.product(options, repeat=2**depth - 1):
        nodes = range(2, len(splits) + 1)
        if all(splits[node - 1] == NO_SPLIT or splits[node // 2 - 1] != NO_SPLIT for node in nodes):
            yield TreeShape(splits, (0.0,) * 2**depth)


def every_labeling(shape: TreeShape):
    """Yield the tree with all labels of the leaves that rows can come to."""
    reachable = reachable_leaves(shape)
    reached_from = np.searchsorted(reachable, np.arange(len(shape.values)), side="right") - 1
    for labels in itertools.product((0.0, 1.0), repeat=len(reachable)):
        yield shape.with_values(np.array(labels)[reached_from])


def best_labels_by_force(problem: TreeProblem, shape: TreeShape) -> float:
    """Return the least objective of any allowed labels."""
    return min(
        (problem.objective(tree) for tree in every_labeling(shape) if problem.allows(tree)), default=float("inf")
    )


def best_numbers_by_one_program(problem: TreeProblem, shape: TreeShape) -> float:
    """Return the least objective of any allowed numbers: one linear program with a row for each cell and form."""
    rows, reachable = problem.rows, reachable_leaves(shape)
    leaf = np.searchsorted(reachable, shape.leaves(rows.holds))
    if not replace(problem, limit=None, max_measure=None).allows(shape):
        return float("inf")
    inside = sparse.csr_array((np.ones(rows.n_cells), (np.arange(rows.n_cells), leaf)))
    inside.resize((rows.n_cells, len(reachable)))
    forms = [measure.scale * (measure.forms @ inside).toarray() for measure in problem.measures]
    n_v, n_t, n_m = len(reachable), rows.n_cells, sum(map(len, forms))
    total = n_v + n_t + n_m + 1
    costs = np.r_[np.zeros(n_v), problem.weights, np.full(n_m, problem.price), problem.limit_price]
    lhs, rhs = [], []

    def add(part, place, sign, side):
        row = np.zeros(total)
        row[:n_v] = part
        if place is not None:
            row[place] = sign
        lhs.append(row)
        rhs.append(side)

    for i, (place, y) in enumerate(zip(leaf, rows.targets, strict=True)):
        add(np.eye(n_v)[place], n_v + i, -1.0, y)
        add(-np.eye(n_v)[place], n_v + i, -1.0, -y)
    place = n_v + n_t
    for part in forms:
        first = place
        for form in part:
            add(form, place, -1.0, 0.0)
            add(-form, place, -1.0, 0.0)
            place += 1
        if problem.max_measure is not None:
            row = np.zeros(total)
            row[first:place] = 1.0
            lhs.append(row)
            rhs.append(problem.max_measure)
    if problem.limit is not None:
        for form, bound in zip((problem.limit.forms @ inside).toarray(), problem.limit.bounds, strict=True):
            add(form, None, 0.0, bound)
            add(form, total - 1, -1.0, 0.0)
    boxes = [(rows.targets.min(), rows.targets.max())] * n_v + [(0, None)] * (n_t + n_m)
    boxes.append((None, None) if problem.limit_price else (0, None))
    result = linprog(costs, A_ub=np.array(lhs), b_ub=np.array(rhs), bounds=boxes, method="highs")
    return float(result.fun) + problem.split_price * shape.n_splits if result.status == 0 else float("inf")


def best_by_force(problem: TreeProblem) -> float:
    """Return the least objective of any allowed tree."""
    best = best_labels_by_force if problem.task == "classification" else best_numbers_by_one_program
    return min(best(problem, shape) for shape in every_structure(problem))
