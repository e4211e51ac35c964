"""Rule sets that are chosen within floors under sums of the covered rows."""

from __future__ import annotations

import numpy as np
import pytest
from small_problems import all_outcomes, random_problem

from fairaudit.estimators.floors import Floors
from fairaudit.estimators.rules.problem import RuleColumns, covered_sums
from fairaudit.estimators.rules.search import choose


@pytest.mark.parametrize("fairness", ["equal_opportunity", "demographic_parity"])
def test_rules_are_chosen_within_floors_where_there_are_such(fairness):
    n_changed = 0
    for seed in range(4):
        problem, columns = random_problem(seed, fairness=fairness, max_difference=0.2, n=300)
        totals = problem.rows.totals
        weights = np.zeros((2, 4))
        for group in (0, 1):
            # The share of covered rows of each group.
            weights[group, 2 * group : 2 * group + 2] = 1 / totals[group].sum()
        floors = Floors(weights, np.full(2, 0.8))
        outcomes = all_outcomes(problem, columns)
        within = {
            places: outcome for places, outcome in outcomes.items()
            if outcome.meets(problem) and (floors.missing(covered_sums(problem, columns, places)) <= 1e-9).all()
        }  # fmt: skip
        chosen = choose(problem, columns, list(outcomes)[::5], floors=floors)
        made = RuleColumns.of(chosen.rules, problem.rows)
        missing = floors.missing(covered_sums(problem, made, range(len(made)))).max()
        tried = [places for places in [*list(outcomes)[::5], ()] if places in within]
        if tried:
            assert chosen.outcome.meets(problem) and missing <= 1e-9, seed
            assert chosen.outcome.errors <= min(within[places].errors for places in tried), seed
            n_changed += chosen.rules != choose(problem, columns, list(outcomes)[::5]).rules
    assert n_changed, "somewhere the floors matter"
