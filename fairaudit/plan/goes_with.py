"""Which remedies go with which kind of decision."""

from __future__ import annotations

from fairaudit.outcomes.kind import OutcomeKind
from fairaudit.remedies.registry import REMEDIES, RemedyPlan, kind_on


def refuse(remedy: RemedyPlan, outcome: OutcomeKind) -> None:
    """Refuse a remedy that cannot be tried on decisions of a kind."""
    kind = kind_on(remedy, outcome)
    if kind is None:
        others = " and ".join(f'"{other.method}"' for other in REMEDIES if outcome.on(other) is not None)
        raise ValueError(
            f'holds a remedy with method = "{remedy.method}", which needs a favourable result; where the '
            f"decision is {outcome.a_noun}, {others} can be tried"
        )
    kind.check(remedy)


def goes_with(remedy: RemedyPlan, outcome: OutcomeKind) -> bool:
    """Say whether a remedy can be tried on decisions of a kind."""
    try:
        refuse(remedy, outcome)
    except ValueError:
        return False
    return True
