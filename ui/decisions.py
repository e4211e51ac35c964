"""What the decision is called where a row has none."""

from __future__ import annotations

from fairaudit.plan.naming import row_noun
from ui.data.flagged import sounds_true
from ui.state import AuditState


def decision_noun(state: AuditState) -> str:
    """Return "decision", "amount" or, where a prediction is held against it or its name says so, "outcome"."""
    decision = state.decision
    if decision.kind.has_good_outcome and sounds_true(decision.column):
        return "outcome"
    return row_noun(state.plan(fingerprint=False))
