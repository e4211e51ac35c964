"""What becomes of the remedies of an audit where another table is brought: they stay where all they rest on does."""

from __future__ import annotations

from typing import Any, Protocol

from fairaudit.plan import OutcomePlan, ScorePlan
from fairaudit.plan.models import ModelsPlan
from ui.entries import RemedyEntry, Wanted


class Trying(Protocol):
    """The part of a session's audit that is about remedies: see :class:`ui.state.AuditState`."""

    decision: OutcomePlan | None
    score: ScorePlan | None
    models: ModelsPlan | None
    remedies: list[RemedyEntry]
    drafts: dict[str, Any]
    shown: dict[str, str]
    wanted: Wanted


def basis(state: Trying) -> tuple[object, ...]:
    """Return what remedies rest on: the decision, the score, and who is protected."""
    models = state.models
    return state.decision, state.score, None if models is None else (models.protected, models.where, models.by)


def leave_remedies(state: Trying, before: tuple[object, ...]) -> tuple[str, ...]:
    """Leave out all remedies where what they rest on is not as `before`, and return a sentence that says so.

    Whether the decision may use the group is a question of law, which is asked anew of other decisions.
    """
    if basis(state) == before:
        return ()
    n, state.wanted = len(state.remedies), Wanted()
    state.remedies.clear()
    state.drafts.clear()
    state.shown.clear()
    if not n:
        return ()
    which = "The remedy of the audit before was" if n == 1 else f"The {n:,} remedies of the audit before were"
    return (f"{which} made for another decision, another score or other groups.",)
