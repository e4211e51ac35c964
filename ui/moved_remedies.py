"""What becomes of the remedies of an audit where another table is brought: they stay where all they rest on does."""

from __future__ import annotations

from typing import Any, Final, Protocol

from fairaudit.findings import Count, Message
from fairaudit.messages import say
from fairaudit.plan import OutcomePlan, ScorePlan
from fairaudit.plan.models import ModelsPlan
from fairaudit.remedies.registry import REMEDIES
from ui.entries import RemedyEntry, Wanted

ASKED_AGAIN: Final = "Say again on the page Remedies whether a decision may use the group."
METHODS: Final = {kind.method for kind in REMEDIES}


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

    Whether the decision may use the group is a question of law, which is asked again of other decisions.
    """
    if basis(state) == before:
        return ()
    n, was_asked, state.wanted = len(state.remedies), state.wanted != Wanted(), Wanted()
    state.remedies.clear()
    state.shown.clear()
    # Limits that do not fit are said, and kept to be put right.
    for place in [name for name in state.drafts if str(name).partition(" of ")[0] in METHODS - {"constrain"}]:
        del state.drafts[place]
    if not n:
        return (ASKED_AGAIN,) if was_asked else ()
    return (
        say(Message("moved-remedies", {"n": Count(n)})),
        *((ASKED_AGAIN,) if was_asked else ()),
    )
