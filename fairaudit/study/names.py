"""What remedies are called: the name in the plan, or the settings in words; and which do the same."""

from __future__ import annotations

from fairaudit.plan.parts import Part
from fairaudit.remedies.registry import kind_of


def remedy_name(remedy: Part, *, amount: bool = False) -> str:
    """Return what a remedy is called; `amount` says whether the decision is an amount."""
    kind = kind_of(remedy)
    return remedy.name or (kind.on_amounts if amount else kind).name(remedy)


def plan_key(remedy: Part) -> str:
    """Return a text that is the same for remedies that do the same, whatever they are called.

    Examples
    --------
    >>> from fairaudit.remedies.plain.plan import PlainPlan
    >>> plan_key(PlainPlan(name="a", model="svm")) == plan_key(PlainPlan(model="svm"))
    True
    """
    return remedy.model_dump_json(exclude={"name"})
