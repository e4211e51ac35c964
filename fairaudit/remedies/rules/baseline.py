"""The plan that a rule set is compared with, and the one whose search its model can be picked from."""

from __future__ import annotations

from fairaudit.remedies.rules.plan import RulesPlan


def without_constraint(plan: RulesPlan) -> RulesPlan:
    """Return the plan with the same settings that asks for nothing to be alike."""
    free = {"name": None, "fairness": None, "margin": 0.0, "rules": ()}
    return plan.model_copy(update=free | {"max_difference": RulesPlan.model_fields["max_difference"].default})


def search_plan(plan: RulesPlan) -> RulesPlan:
    """Return a plan that is the same for all with this search: without a limit, it does not matter which."""
    return without_constraint(plan) if plan.fairness is None and not plan.rules else plan
