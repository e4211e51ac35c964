"""A plain model that a page builds on: fitted once for all that is tried on it."""

from __future__ import annotations

import streamlit as st

from fairaudit.remedies.plain.plan import PlainPlan
from fairaudit.study.rows import Study
from fairaudit.study.trying import Candidate, plan_key
from ui.remedies.trying import show_fits, start_fit
from ui.state import AuditState


def known_plain(state: AuditState, model: str) -> Candidate | None:
    """Return a plain model that is fitted to the present rows, to its end; None where there is none."""
    study_key, known = state.known
    return known.get(plan_key(PlainPlan(model=model))) if study_key == state.study_key else None


def open_plain(state: AuditState, study: Study, model: str, *, purpose: str, label: str, key: str) -> Candidate | None:
    """Return a plain model that is fitted to the present rows, to its end; until it is, draw how it comes to be."""
    found = known_plain(state, model)
    running = show_fits(state, "plain")
    if found is None and not running:
        st.caption(purpose)
        if st.button(label, key=key):
            start_fit(state, study, PlainPlan(model=model), keep=False)
            st.rerun()
    return found
