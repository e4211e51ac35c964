"""The plan that a tree is compared with, and the one whose search its model can be picked from."""

from __future__ import annotations

from fairaudit.remedies.trees.plan import TreesPlan


def without_constraint(plan: TreesPlan) -> TreesPlan:
    """Return the plan with the same settings in which nothing must be alike and nothing is priced."""
    names = ("name", "max_difference", "margin", "discrimination", "fairness_weight", "choose_weight",
             "max_discrimination", "n_neighbors", "amount_difference")  # fmt: skip
    return plan.model_copy(update={name: TreesPlan.model_fields[name].default for name in names} | {"constraint": None})


def search_plan(plan: TreesPlan) -> TreesPlan:
    """Return a plan that is the same for all with this search: without a limit, it does not matter which."""
    return without_constraint(plan) if plan.is_free else plan
