"""Solutions that are proposed while a model is solved."""

from __future__ import annotations

import numpy as np
import pytest

from fairaudit.solver import add_proposals, add_row, minimise, new_model, solve


def proposed(model, propose):
    """Solve a knapsack that nothing but proposals finds solutions of, at the root only."""
    items = [model.addVar(f"x{place}", vtype="B") for place in range(6)]
    total = model.addVar("total", lb=0.0)
    weights = [5.0, 7, 11, 13, 17, 19]
    add_row(model, items, weights, at_most=30, name="weight")
    add_row(model, [*items, total], [*weights, -1.0], at_least=0, at_most=0, name="total")
    minimise(model, items, [-4.0, -7, -9, -13, -15, -18])
    for name in ("presolving/maxrounds", "separating/maxroundsroot"):
        model.setParam(name, 0)
    add_proposals(model, items, lambda values: propose(values, items, total), name="whole_items")
    return solve(model, variables=items)


def test_proposals_are_asked_for_what_the_relaxation_says_and_taken():
    asked = []

    def propose(values, items, total):
        asked.append(values)
        whole = np.floor(values + 1e-9)
        return [*items, total], np.append(whole, whole @ [5.0, 7, 11, 13, 17, 19])

    with new_model("proposed") as model:
        solved = proposed(model, propose)
    assert asked and all(((values > -1e-6) & (values < 1 + 1e-6)).all() for values in asked)
    assert solved.status == "optimal"


@pytest.mark.parametrize("wrong", [None, 1.0])
def test_proposals_that_break_a_row_or_are_none_change_nothing(wrong):
    def propose(values, items, total):
        return None if wrong is None else (items, np.ones(len(items)))

    with new_model("none") as model, new_model("proposed") as other:
        without = proposed(model, lambda *_: None)
        solved = proposed(other, propose)
    assert solved.objective == without.objective == -28.0
