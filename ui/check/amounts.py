"""What is asked and shown of amounts alone: their tolerance, and similar people."""

from __future__ import annotations

import streamlit as st

from fairaudit.audit.result import CheckFinding
from fairaudit.findings import Count, Message
from fairaudit.measure.similar import MOST_ROWS, N_NEIGHBORS
from fairaudit.messages import say
from fairaudit.present import verdicts
from fairaudit.sections.check import tables
from ui.check.open_cases import show_open_cases
from ui.check.tabs import say_similar_not_compared
from ui.check.verdict import ask_of_check, choose_confidence
from ui.look import beside
from ui.result import show_table
from ui.state import AuditState
from ui.text import literal, stated
from ui.values import known_values

_DIFFERENCE = ("difference", "difference_interval", "reading")


def show_settings(state: AuditState) -> None:
    """Draw the tolerance in one line with its reason, and the confidence of the selected question."""
    left, right = beside("check_settings", (3, 2), small=True)
    tolerance = ask_of_check(state, "amount_tolerance", left)
    with right, st.expander("Confidence", key="check_confidence_fold"):
        confidence = choose_confidence(state)
    state.change_check(amount_tolerance=tolerance, confidence=confidence)
    show_open_cases(state)


def show_similar(state: AuditState, finding: CheckFinding) -> None:
    """Draw the choice of what makes people similar, and what similar people get."""
    about = [Message("check-similar-about", {"n": Count(N_NEIGHBORS)})]
    if finding.result.n_population > MOST_ROWS:
        about.append(Message("check-similar-drawn", {"most": Count(MOST_ROWS)}))
    st.caption(literal(say(about)))
    columns = [name for name in state.present_table.columns if _can_say_who_is_similar(state, name)]
    key = f"check_similar_{state.selected}"
    ask_of_check(
        state,
        "similar_by",
        key=key,
        options=columns,
        on_change=lambda: state.change_check(similar_by=tuple(st.session_state[key])),
    )
    if finding.similar is None:
        if not state.check.similar_by:
            st.info(stated("check-similar-choose"))
        say_similar_not_compared(finding)
        return
    st.markdown(f"**{literal(verdicts.similar_sentence(finding), limit=1200)}**")
    st.markdown(literal(verdicts.similar_details(finding), limit=900))
    show_table(tables.similar_table(finding.similar, state.selected + 1, tables.figures_of(finding)))


def _can_say_who_is_similar(state: AuditState, column: str) -> bool:
    if column == state.present_decision.column:
        return False
    if column in state.check.similar_by or state.present_table.columns[column].kind == "number":
        return True
    values, more = known_values(state, column)
    return bool(values) and not more
