"""A plain model that a page builds on: fitted once for all that is tried on it."""

from __future__ import annotations

from typing import Literal

import streamlit as st

from fairaudit.remedies.plain.plan import PlainPlan
from fairaudit.study.rows import Study
from fairaudit.study.trying import Candidate, plan_key
from ui.remedies.trying import show_fits, start_fit
from ui.state import AuditState


def open_plain(
    state: AuditState,
    study: Study,
    model: str,
    *,
    purpose: str,
    label: str,
    key: str,
    kind: Literal["primary", "secondary"] = "secondary",
) -> Candidate | None:
    """Return a plain model that is fitted to the present rows, to its end; until it is, draw how it comes to be."""
    plan = PlainPlan(model=model)
    study_key, known = state.known
    found = known.get(plan_key(plan)) if study_key == state.study_key else None
    running = show_fits(state, "plain")
    if found is None and not running:
        st.caption(purpose)
        if st.button(label, type=kind, key=key):
            start_fit(state, study, plan, keep=False)
            st.rerun()
    return found
