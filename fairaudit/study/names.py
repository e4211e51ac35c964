"""What remedies are called: the name in the plan, or the settings in words; and which do the same."""

from __future__ import annotations

from fairaudit.outcomes import SHARES, OutcomeKind
from fairaudit.remedies.registry import RemedyPlan, kind_tried


def remedy_name(remedy: RemedyPlan, outcome: OutcomeKind = SHARES) -> str:
    """Return what a remedy is called where it is tried on decisions of a kind."""
    wish = ", no group worse off" if getattr(remedy, "no_group_worse_off", False) else ""
    return remedy.name or f"{kind_tried(remedy, outcome).name(remedy)}{wish}"


def plan_key(remedy: RemedyPlan) -> str:
    """Return a text that is the same for remedies that do the same, whatever they are called.

    Examples
    --------
    >>> from fairaudit.remedies.plain.plan import PlainPlan
    >>> plan_key(PlainPlan(name="a", model="svm")) == plan_key(PlainPlan(model="svm"))
    True
    """
    return remedy.model_dump_json(exclude={"name"})
