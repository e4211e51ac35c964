"""Problems that are small enough to try all rule sets."""

from __future__ import annotations

import itertools

import numpy as np

from fairaudit.estimators.rules.problem import Problem, RuleColumns, RuleRows, outcome_of

FAIRNESS = [None, "equal_opportunity", "fpr", "equalized_odds", "demographic_parity", "error_rate"]


def random_problem(seed, *, fairness="equalized_odds", n_groups=2, objective="hamming", max_difference=0.1, **shape):
    """Return a problem and some columns; labels follow two of the literals, with noise that differs by group."""
    random = np.random.default_rng(seed)
    n, n_literals, n_rules = shape.get("n", 120), shape.get("n_literals", 6), shape.get("n_rules", 9)
    literals = random.random((n, n_literals)) < random.uniform(0.3, 0.8, n_literals)
    groups = random.integers(0, n_groups, n)
    noise = random.random(n) < 0.1 + 0.1 * groups
    labels = ((literals[:, 0] & literals[:, 1]) | literals[:, 2]) ^ noise
    rows = RuleRows.merge(literals, labels, groups, [f"group {place}" for place in range(n_groups)])
    every = [rule for size in (1, 2, 3) for rule in itertools.combinations(range(n_literals), size)]
    chosen = random.choice(len(every), size=min(n_rules, len(every)), replace=False)
    problem = Problem(
        rows,
        max_complexity=shape.get("max_complexity", 7),
        fairness=fairness,
        max_difference=max_difference,
        objective=objective,
    )
    return problem, RuleColumns.of([every[place] for place in chosen], rows)


def all_outcomes(problem, columns):
    """Return the outcome of each set of rules that is not too complex."""
    sets = itertools.chain.from_iterable(
        itertools.combinations(range(len(columns)), size) for size in range(len(columns) + 1)
    )
    fitting = [places for places in sets if columns.costs[list(places)].sum() <= problem.max_complexity]
    return {places: outcome_of(problem, columns, places) for places in fitting}


def least_loss(problem, columns):
    """Return the least loss of a set of rules that meets the rows of the master problem; infinite without one."""
    outcomes = all_outcomes(problem, columns).values()
    return min((o.loss(problem) for o in outcomes if o.fits_master(problem)), default=np.inf)
