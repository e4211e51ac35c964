"""What remedies are called: the name in the plan, or the settings in words."""

from __future__ import annotations

from fairaudit.plan.parts import Part
from fairaudit.remedies.registry import kind_of


def remedy_name(remedy: Part, *, amount: bool = False) -> str:
    """Return what a remedy is called; `amount` says whether the decision is an amount."""
    kind = kind_of(remedy)
    return remedy.name or (kind.on_amounts if amount else kind).name(remedy)
