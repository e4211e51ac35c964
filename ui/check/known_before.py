"""Columns that may have been filled in after the decision: not proposed, and warned of where a person takes one."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from fairaudit.errors import FairauditError, quote
from fairaudit.measure.known_before import follows_decision
from fairaudit.plan.roles import outcome_of
from ui.data.flagged import EARLIER, FOUND, REOFFENDING
from ui.inspections.proposed import plain_name
from ui.inspections.roles import read_role
from ui.state import AuditState
from ui.text import literal

LATER = REOFFENDING | FOUND | {
    "after", "later", "afterwards", "subsequent", "subsequently", "outcome", "outcomes", "result", "results", "appeal",
    "appeals", "appealed", "followup",
}  # fmt: skip
"""In the name of a column, they say that it came after the decision, unless one of the next does, too."""
ROLES = {"prediction": "the prediction", "score": "the score"}
ONLY_IF_KNOWN = "Take it only if it was known before the decision: else like is not compared with like."


def outcomes_of(state: AuditState) -> dict[str, str]:
    """Return the columns that the audit knows as an outcome or as made from one, with what each is in words."""
    found, _ = read_role(state, state.found)
    known = {} if found is None else {found: "what was found"}
    for role, words in ROLES.items():
        if (plan := getattr(state, role)) is not None:
            known[plan.column] = words
    return known | ({} if state.decision is None else {state.decision.column: "the decision"})


def sounds_later(column: str) -> bool:
    """Say whether the name of a column says that it came after the decision.

    Examples
    --------
    >>> sounds_later("fraud_found"), sounds_later("resultOfAppeal"), sounds_later("prior results")
    (True, True, False)
    """
    words = plain_name(column).split("_")
    return not LATER.isdisjoint(words) and EARLIER.isdisjoint(words)


def follows(state: AuditState, column: str) -> bool:
    """Say whether the rows of the selected question show that a column follows from the decision."""
    decision, where = state.decision, state.check.where
    # In a database, looking at a column may take long.
    if state.table.is_connected or not decision.kind.has_good_outcome:
        return False

    def find() -> bool:
        good = outcome_of(state.table, decision).condition
        return follows_decision(state.table, column, good=good, where=where)

    try:
        return state.remember("follows", (decision, where, column), find)
    except FairauditError:
        # What is wrong with the filter is said where the question is answered.
        return False


def last_outcomes(state: AuditState, columns: Sequence[str]) -> list[str]:
    """Return columns with those that the audit knows as outcomes last."""
    known = outcomes_of(state)
    return sorted(columns, key=lambda name: name in known)


def warn_of_outcomes(state: AuditState, chosen: Sequence[str]) -> None:
    """Draw a warning for each column that was chosen although it may not have been known before the decision."""
    known = outcomes_of(state)
    for column in chosen:
        if column in known:
            said = f"In this audit {quote(column)} is {known[column]}."
        elif follows(state, column):
            said = f"{quote(column)} seems to come after the decision, as it is filled in by how that went."
        else:
            continue
        st.warning(literal(f"{said} {ONLY_IF_KNOWN}"))
