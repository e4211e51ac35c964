"""Warnings before a remedy where strata say otherwise than the gap that it is to make smaller."""

from __future__ import annotations

import streamlit as st

from fairaudit.present.strata_words import may_widen, remedy_caution
from ui.check.questions import finding_of
from ui.state import AuditState
from ui.text import literal


def warn_of_strata(state: AuditState) -> None:
    """Warn in full where strata of a question say otherwise than all rows together, or where that is not shown."""
    kind = state.decision.kind
    for entry in state.checks:
        if entry.plan.strata:
            finding = finding_of(state, entry)
            said = kind.reversal_warning(finding)
            if text := f"{said} {may_widen(kind.gap)}" if said else remedy_caution(finding, kind.gap):
                st.warning(literal(text, limit=1200))


def show_strata_lines(state: AuditState) -> None:
    """Say in short what the strata of a question mean for a remedy, where they mean anything."""
    for entry in state.checks:
        if entry.plan.strata and (said := remedy_caution(finding_of(state, entry), state.decision.kind.gap)):
            st.warning(literal(said, limit=900))
