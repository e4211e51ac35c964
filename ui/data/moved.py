"""What became of filters and protected groups when another table was brought, and the press that takes it back."""

from __future__ import annotations

import streamlit as st

from fairaudit.errors import FairauditError
from fairaudit.findings import Count, Message, Phrase, Word
from fairaudit.messages import say
from ui.moved_conditions import Moved
from ui.state import AuditState
from ui.text import literal


def show_former(state: AuditState) -> None:
    """Say in one line what did not fit the table, with the audit before to be saved, and which filters stay."""
    dropped, moved = _dropped(state), list(enumerate(_said(state)))
    left_out = [(place, each) for place, each in moved if each.why]
    if dropped or left_out or state.replaced is not None:
        with st.container(horizontal=True, vertical_alignment="center", key="data_former"):
            if n := len(dropped) + len(left_out):
                st.markdown(say(Message("data-former", {"n": Count(n)})), width="content")
                with st.popover(say(Message("data-former-which")), type="tertiary"):
                    if dropped:
                        st.markdown(literal(" ".join(dropped), limit=900))
                    for place, each in left_out:
                        _show_moved(state, each, place)
            if state.replaced is not None:
                _offer_replaced(state)
    for place, each in moved:
        if not each.why:
            _show_moved(state, each, place)


def _dropped(state: AuditState) -> tuple[str, ...]:
    """Return which choices did not fit the table, until the decision and the group are chosen anew."""
    now = (state.decision, state.prediction, state.score, state.protected_columns, state.check.protected)
    before = st.session_state.setdefault(f"data_dropped_{state.data_key}", now)
    chosen = now != before and state.decision is not None and bool(state.check.protected)
    return () if state.data_awaited or chosen else tuple(state.dropped)


def _offer_replaced(state: AuditState) -> None:
    """Draw the press that saves the audit before, which was not saved."""
    name = state.replaced.data.source or state.replaced.data.name or ""
    named = {"name": Phrase(name), "named": Word("yes" if name else "no")}
    st.download_button(
        say(Message("data-former-save")),
        data=state.replaced.to_toml(),
        file_name="audit_before.toml",
        mime="application/toml",
        on_click=_forget_replaced,
        args=(state,),
        key="data_replaced_save",
        help=literal(say(Message("data-former-save-help", named)), limit=300),
    )


def _show_moved(state: AuditState, moved: Moved, place: int) -> None:
    """Draw what became of a condition, and the press that takes it back."""
    with st.container(horizontal=True, vertical_alignment="center", key=f"data_moved_{place}"):
        st.markdown(literal(_sentence(state, moved), limit=900))
        if _can_turn_back(state, moved):
            label = "Put it back" if moved.why else "Look at every row"
            st.button(label, key=f"data_moved_back_{place}", on_click=_turn_back, args=(state, moved))


def _forget_replaced(state: AuditState) -> None:
    state.replaced = None


def _sentence(state: AuditState, moved: Moved) -> str:
    what = {"condition": Phrase(moved.words)}
    if moved.part == "protected":
        return f"{say(Message('data-moved-group', what))} {moved.why}"
    if moved.why:
        return f"{say(Message('data-moved-filter', what))} {moved.why} {say(Message('data-moved-all'))}"
    try:
        n_left = state.remember("count", moved.condition, lambda: state.table.count(moved.condition))
    except FairauditError:
        return say(Message("data-moved-used", what))
    return say(Message("data-moved-kept", {**what, "n": Count(n_left), "total": Count(state.table.n_rows)}))


def _said(state: AuditState) -> list[Moved]:
    """Return what became of the conditions, as long as nobody has changed them since."""
    return list(dict.fromkeys(moved for entry in state.checks for moved in entry.moved if moved.is_so(entry.plan)))


def _can_turn_back(state: AuditState, moved: Moved) -> bool:
    """Say whether a condition could be used on the table that is there: it lacks no column."""
    try:
        state.table.condition(moved.condition)
    except FairauditError:
        return False
    return True


def _turn_back(state: AuditState, moved: Moved) -> None:
    """Put a condition back that was left out, or leave out a filter that was kept."""
    for entry in state.checks:
        if moved not in entry.moved or not moved.is_so(entry.plan):
            continue
        before = entry.plan
        change = {moved.part: moved.condition if moved.why else None}
        entry.plan = before.model_copy(update=change)
        if moved.part == "protected":
            continue
        entry.undo.append(before.where or "")
        state.errors = [e.model_copy(update=change) if e.where == before.where else e for e in state.errors]
        asked = (before.protected, before.where)
        if state.models is not None and (state.models.protected, state.models.where) == asked:
            state.models = state.models.model_copy(update=change)
