"""A variable above a convex function, by tangents."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from fairaudit.solver import add_convex, add_row, minimise, new_model, solve


class SumOfDifferences:
    """sum_k |(F x)_k|."""

    def __init__(self, forms):
        self.forms = forms
        self.n_tangents = 0

    def value(self, values):
        return float(np.abs(self.forms @ values).sum())

    def tangent(self, values):
        self.n_tangents += 1
        return np.sign(self.forms @ values) @ self.forms, 0.0


@pytest.mark.parametrize("seed", range(4))
def test_the_least_convex_cost_is_that_of_all_choices(seed):
    rng = np.random.default_rng(seed)
    forms, gains = rng.integers(-3, 4, (6, 8)).astype(float), rng.integers(1, 6, 8).astype(float)
    function = SumOfDifferences(forms)
    best = min(
        0.5 * function.value(np.array(x)) - gains @ x for x in itertools.product((0, 1), repeat=8) if sum(x) <= 5
    )
    with new_model("convex") as model:
        items = [model.addVar(f"x{place}", vtype="B") for place in range(8)]
        cost = model.addVar("cost", lb=0.0)
        add_row(model, items, np.ones(8), at_most=5, name="few")
        add_convex(model, items, cost, function, name="differences")
        minimise(model, [*items, cost], [*-gains, 0.5])
        solved = solve(model, variables=[*items, cost])
    assert solved.status == "optimal"
    assert solved.objective == pytest.approx(best, abs=1e-6)
    assert solved.best[-1] == pytest.approx(function.value(solved.best[:-1]), abs=1e-5)
    assert function.n_tangents > 0


def test_a_bound_on_a_convex_function_is_kept():
    function = SumOfDifferences(np.array([[1.0, -1.0, 0.0], [0.0, 1.0, -1.0]]))
    with new_model("convex") as model:
        items = [model.addVar(f"x{place}", vtype="B") for place in range(3)]
        most = model.addVar("most", lb=0.0, ub=0.5)
        add_convex(model, items, most, function, name="differences")
        minimise(model, items, [-1.0, 2.0, -1.5])
        solved = solve(model, variables=items)
    # All alike, or the differences are at least 1.
    assert solved.best.tolist() == [1.0, 1.0, 1.0]
    assert solved.objective == pytest.approx(-0.5)
