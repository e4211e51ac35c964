"""Warnings before a remedy where similar cases say otherwise than the gap that it is to make smaller."""

from __future__ import annotations

import streamlit as st

from fairaudit.messages import say
from fairaudit.sections.check import say_remedy_caution
from ui.check.questions import finding_of
from ui.state import AuditState
from ui.text import literal


def warn_of_strata(state: AuditState) -> None:
    """Warn where similar cases of a question say otherwise than all rows together."""
    for entry in state.checks:
        if entry.plan.strata and (said := say_remedy_caution(finding_of(state, entry))) is not None:
            st.warning(literal(say(said), limit=600))
