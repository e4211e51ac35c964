"""Which remedies go with a decision that is an amount, and which with one that has a good outcome."""

from __future__ import annotations

from fairaudit.plan.parts import Part
from fairaudit.remedies.registry import REMEDIES, kind_of


def refuse_for_amounts(remedy: Part) -> None:
    """Refuse what cannot be done where the decision is an amount."""
    kind = kind_of(remedy)
    if kind.on_amounts is None:
        others = " and ".join(f'"{other.method}"' for other in REMEDIES if other.on_amounts is not None)
        raise ValueError(
            f'holds a remedy with method = "{remedy.method}", which needs a decision with a good outcome; where the '
            f"decision is an amount, {others} can be tried"
        )
    kind.on_amounts.check(remedy)


def refuse_for_outcomes(remedy: Part) -> None:
    """Refuse what cannot be done where the decision has a good outcome."""
    kind_of(remedy).check(remedy)


def goes_with(remedy: Part, *, amount: bool) -> bool:
    """Say whether a remedy can be tried on a decision of a kind."""
    try:
        (refuse_for_amounts if amount else refuse_for_outcomes)(remedy)
    except ValueError:
        return False
    return True
