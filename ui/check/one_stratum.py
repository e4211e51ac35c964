"""One press that asks about a stratum alone that the average hides."""

from __future__ import annotations

from typing import Any

import streamlit as st

from fairaudit.findings import Message, Phrase
from fairaudit.measure.bands import stratum_filter
from fairaudit.measure.within import strata_apart
from fairaudit.messages import say
from ui.check.population import joined, narrow, undo
from ui.state import AuditState, get_state
from ui.text import literal, shortened


def show_one_stratum(finding: Any) -> None:
    """Offer the first stratum that the average of all hides, or the way back from it."""
    state, strata = get_state(), finding.strata
    if apart := strata_apart(strata):
        added = stratum_filter(apart[0].values, finding.plan.strata_cuts)
        st.button(
            f"Check only {literal(shortened(apart[0].name))}",
            key="check_only_stratum",
            on_click=narrow,
            args=(state, added),
            help=literal(f"Adds {added} to the filter of this question. It can be undone.", limit=300),
        )
    elif len(strata.strata) == 1 and _was_narrowed(
        state, stratum_filter(strata.strata[0].values, finding.plan.strata_cuts)
    ):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(
                literal(say(Message("groups-filter-now", {"filter": Phrase(state.check.where or "")})), limit=400)
            )
            st.button("Undo", key="check_only_stratum_undo", on_click=undo, args=(state,))


def _was_narrowed(state: AuditState, added: str) -> bool:
    """Say whether the last change of the filter added this condition."""
    before = state.entry.undo
    return bool(before) and state.check.where == joined(before[-1] or None, added)
