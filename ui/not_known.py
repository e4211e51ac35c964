"""The caution on people who are counted although nothing is known of them, and one press that leaves them out."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from fairaudit.errors import FairauditError
from fairaudit.measure.not_known import NotKnown, decisions_not_known, groups_not_known
from fairaudit.presets.unknowns import unknown_text
from fairaudit.report.not_known_words import not_known_sentence
from fairaudit.run import outcome_of
from ui import population
from ui.frame import group_sizes
from ui.state import AuditState
from ui.text import literal, shortened

_DONE = "not_known_left_out"


def show_not_known(state: AuditState, parts: Sequence[NotKnown], *, key: str) -> None:
    """Draw what was left out last, and a caution for each part with a button that leaves its rows out.

    Parameters
    ----------
    state : AuditState
        The audit.
    parts : sequence of NotKnown
        What was found for the selected question.
    key : str
        Starts the keys of the buttons.
    """
    place_then, left_out = st.session_state.get(_DONE, (None, ""))
    if place_then == _place(state) and state.entry.undo:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f"Left out: {literal(left_out)}. The filter is now: {literal(state.check.where)}")
            st.button("Undo", key=f"{key}_leave_out_undo", on_click=population.undo, args=(state,))
    for place, part in enumerate(parts):
        st.warning(literal(not_known_sentence(part), limit=900))
        st.button(
            f"Leave these rows out: {literal(_values(part))}",
            key=f"{key}_leave_out_{place}",
            on_click=_leave_out,
            args=(state, part),
            help="Adds the condition to the filter of this question. It can be undone.",
        )


def groups_of(state: AuditState) -> tuple[NotKnown, ...]:
    """Return what is found in the columns that the protected condition names, with or without a decision."""
    check = state.check

    def find() -> tuple[NotKnown, ...]:
        table = state.table
        return groups_not_known(
            table,
            table.condition(check.protected),
            sizes=group_sizes(state)[:2],
            where=table.condition(check.where),
        )

    return _found(state, "groups_not_known", (check.where, check.protected), find)


def decisions_of(state: AuditState) -> tuple[NotKnown, ...]:
    """Return what is found in the decision column, among the rows that the filter of the selected question keeps."""
    decision, where = state.decision, state.check.where
    if decision is None or decision.amount:
        return ()

    def find() -> tuple[NotKnown, ...]:
        table = state.table
        return decisions_not_known(table, outcome_of(table, decision), where=table.condition(where))

    return _found(state, "decisions_not_known", (where, decision), find)


def _found(state: AuditState, kind: str, key: tuple, find: Callable[[], tuple[NotKnown, ...]]) -> tuple[NotKnown, ...]:
    try:
        return state.remember(kind, key, find)
    except FairauditError:
        # What is wrong with the filter or the decision is said where they are chosen.
        return ()


def _leave_out(state: AuditState, part: NotKnown) -> None:
    population.narrow(state, part.leave_out)
    st.session_state[_DONE] = _place(state), _values(part)


def _values(part: NotKnown) -> str:
    return shortened(", ".join(map(unknown_text, part.values)))


def _place(state: AuditState) -> tuple[str, int, str | None]:
    return state.data_key, state.selected, state.check.where
