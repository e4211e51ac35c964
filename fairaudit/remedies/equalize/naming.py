"""What equalized distributions are called: their settings in words."""

from __future__ import annotations

from fairaudit.remedies.equalize.plan import EqualizePlan


def equalize_name(plan: EqualizePlan) -> str:
    """Return the name of such a remedy."""
    return f"One score for all groups (weight of accuracy {plan.accuracy_weight:g})"
