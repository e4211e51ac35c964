"""The plan whose search a constrained model is picked from."""

from __future__ import annotations

from fairaudit.remedies.constrain.plan import ConstrainPlan


def search_plan(plan: ConstrainPlan) -> ConstrainPlan:
    """Return a plan that is the same for all with this search, whatever limit is picked from it."""
    return plan.model_copy(update={"scale": 1.0})
