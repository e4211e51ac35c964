"""All rules of tiny problems, and the relaxation over them written row by row from the definitions."""

from __future__ import annotations

import itertools

import numpy as np
from scipy.optimize import linprog

from fairaudit.estimators.rules.problem import RATES, Problem, RuleColumns, RuleRows
from fairaudit.events import STOP

KINDS = [
    (fairness, objective, n_groups)
    for objective in ("hamming", "zero_one")
    for fairness in (None, *RATES)
    for n_groups in (2, 3, 4)
]


def tiny_problem(seed, fairness, objective, n_groups, *, n_rows=60, n_literals=5):
    """Return a problem with some literals, contraries of three, and labels that follow four of them."""
    random = np.random.default_rng(seed)
    literals = random.random((n_rows, n_literals)) < 0.5
    labels = (literals[:, 0] & literals[:, 1]) | (literals[:, 2] & literals[:, 3])
    rows = RuleRows.merge(
        np.hstack([literals, ~literals[:, :3]]),
        labels ^ (random.random(n_rows) < 0.2),
        random.integers(0, n_groups, n_rows),
        [f"group {place}" for place in range(n_groups)],
    )
    return Problem(
        rows,
        max_complexity=int(random.integers(4, 10)),
        fairness=fairness,
        max_difference=float(random.choice([0.0, 0.02, 0.1])),
        objective=objective,
        max_rule_length=int(random.integers(2, 4)),
    )


def every_rule(problem):
    """Return all rules that are short enough."""
    literals = range(problem.rows.n_literals)
    sizes = range(1, min(problem.longest, problem.rows.n_literals) + 1)
    return RuleColumns.of(
        itertools.chain.from_iterable(itertools.combinations(literals, n) for n in sizes), problem.rows
    )


def relaxation(problem, columns):
    """Return the value of the relaxation, with a zeta for each cell; None where it has no solution."""
    rows, n_rules, n_cells, most = problem.rows, len(columns), problem.rows.n_cells, problem.max_complexity
    hamming = problem.objective == "hamming"
    covers, n_levels = columns.covers.astype(float), len(problem.rates)
    size = n_rules + n_cells + n_levels
    above, sides = [], []

    def add(taken, zeta, side, level=None):
        row = np.zeros(size)
        row[:n_rules], row[n_rules : n_rules + n_cells] = taken, zeta
        if level is not None:
            row[n_rules + n_cells + level[0]] = level[1]
        above.append(row)
        sides.append(side)

    for cell, unit in enumerate(np.eye(n_cells)):
        if rows.labels[cell]:
            add(-covers[:, cell], -unit, -1)
            add(2 * covers[:, cell], most * unit, most)
        elif not hamming:
            add(covers[:, cell], -most / 2 * unit, 0)
            add(-covers[:, cell], unit, 0)
    add(columns.costs, 0, most)
    for place, rate in enumerate(problem.rates):
        for group in np.flatnonzero(rate.defined):
            inside = np.where(rows.groups == group, rows.weights, 0)
            missed, hit = rate.missed[group, group], rate.hit[group, group]
            zeta = inside * np.where(rows.labels, missed, 0 if hamming else hit)
            taken = covers @ (inside * ~rows.labels * hit) if hamming else np.zeros(n_rules)
            add(taken, zeta, problem.max_difference - rate.constant[group], (place, -1))
            add(-taken, -zeta, rate.constant[group], (place, 1))
    losses = np.zeros(size)
    losses[n_rules : n_rules + n_cells] = rows.weights * (rows.labels | (not hamming))
    if hamming:
        losses[:n_rules] = covers @ (rows.weights * ~rows.labels)
    bounds = [(0, None)] * n_rules + [(0, 1)] * n_cells + [(None, None)] * n_levels
    result = linprog(losses, A_ub=np.array(above), b_ub=sides, bounds=bounds, method="highs")
    return result.fun if result.status == 0 else None


def run(events, *, stop_at=None):
    """Run a generator of events, sending STOP at the event with this number; return its events and its result."""
    seen, command = [], None
    while True:
        try:
            seen.append(events.send(command))
        except StopIteration as end:
            return seen, end.value
        command = STOP if len(seen) == stop_at else None
