"""Columns that may have been filled in after the decision: not proposed, and warned of where a person takes one."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from fairaudit.errors import FairauditError
from fairaudit.findings import Message, Phrase
from fairaudit.messages import say
from fairaudit.study.following import ROLES, columns_that_follow
from ui.inspections.roles import read_role
from ui.state import AuditState
from ui.text import literal


def outcomes_of(state: AuditState) -> dict[str, str]:
    """Return the columns that the audit knows as an outcome or as made from one, with what each is in words."""
    found, _ = read_role(state, state.found)
    known = {} if found is None else {found: "what was found"}
    for role, words in ROLES.items():
        if (plan := getattr(state, role)) is not None:
            known[plan.column] = words
    return known


def following(state: AuditState, columns: Sequence[str]) -> dict[str, str]:
    """Return which columns seem to follow from the decision, the prediction or the score, and from which of these."""
    plan, where = state.plan(fingerprint=False), state.check.where
    roles = (plan.decision, plan.prediction, plan.score)

    # Each column is looked at once, whichever list it is in.
    known: dict[str, str | None] = state.remember("follows", (roles, where), dict)
    try:
        new = [column for column in columns if column not in known]
        known |= dict.fromkeys(new) | columns_that_follow(state.table, plan, new, where=where)
    except FairauditError:
        # What is wrong with the filter is said where the question is answered.
        return {}
    return {column: what for column in columns if (what := known.get(column)) is not None}


def last_outcomes(state: AuditState, columns: Sequence[str]) -> list[str]:
    """Return columns with those that the audit knows as outcomes last."""
    known = outcomes_of(state)
    return sorted(columns, key=lambda name: name in known)


def warn_of_outcomes(state: AuditState, chosen: Sequence[str]) -> None:
    """Draw a warning for each column that was chosen although it may not have been known before the decision."""
    known, follow = outcomes_of(state), following(state, chosen)
    for column in chosen:
        key = "check-is-outcome" if column in known else "check-follows" if column in follow else None
        if key is not None:
            args = {"column": Phrase(column), "what": Phrase(known.get(column) or follow[column])}
            st.warning(literal(say((Message(key, args), Message("check-only-if-known"))), limit=600))
