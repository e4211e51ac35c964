"""Who is protected: picked from a column, or written as a condition."""

from __future__ import annotations

from zlib import crc32

import streamlit as st

from fairaudit import Condition
from fairaudit.errors import FairauditError
from fairaudit.present.detectable_words import differences_seen_before, gaps_seen_before
from ui.data.not_known import groups_of, show_not_known
from ui.frame import group_sizes, show_error, undecided_text
from ui.state import AuditState
from ui.text import labels, literal
from ui.values import MOST, known_values
from ui.widgets import start

PICK, WRITE = "Pick values", "Write a condition"


def show_protected(state: AuditState) -> bool:
    """Draw the choice of the protected group and the three counts it makes; return whether there is a comparison."""
    how = st.segmented_control(
        "How do you want to say it?",
        [PICK, WRITE],
        required=True,
        key=start("groups_how", WRITE if state.check.protected else PICK),
    )
    text = _picked(state) if how == PICK else _written(state)
    if text is not None:
        _take(state, text)
    elif state.check.protected:
        _say_kept(state)
    if not state.check.protected or not _counts(state):
        return False
    show_not_known(state, groups_of(state), kinds=("group",), key="groups")
    _show_words(state)
    return True


def _picked(state: AuditState) -> str | None:
    first = [c for c in state.protected_columns if c in state.table.columns]
    columns = first + [c for c in state.table.columns if c not in first]
    left, right = st.columns(2)
    column = left.selectbox(
        "Column", columns, index=0 if first else None, format_func=labels(columns), key="groups_protected_column"
    )
    if column is None:
        st.caption("Choose the column that tells the groups apart, such as sex or race.")
        return None
    known, more = known_values(state, column)
    if more:
        st.caption(f"The column has more than {MOST} values; the most frequent are listed. A condition can name any.")
    chosen = right.multiselect(
        "Protected values", known, format_func=labels(known), key=f"groups_protected_values_{column}"
    )
    if not chosen:
        st.caption(
            "Choose the value or values of the protected group. Everyone else with a value in this column is the rest."
        )
        return None
    return str(Condition.one_of(column, chosen, state.table.columns))


def _written(state: AuditState) -> str | None:
    text = st.text_input(
        "Protected: rows where",
        key=start("groups_protected_text", state.check.protected),
        placeholder="such as: race <> 'White'",
        help="The same language as the filter. Rows where the answer is unknown are in neither group, and counted.",
    )
    text = text.strip()
    if not text and state.check.protected:
        state.change_check(protected="")
    return text or None


def _take(state: AuditState, text: str) -> None:
    try:
        condition = state.table.condition(text)
    except FairauditError as error:
        show_error(error)
        if text != state.check.protected:
            _say_kept(state)
        return
    if text != state.check.protected:
        state.change_check(protected=text)
        # The sidebar was drawn before, with the groups that were.
        st.rerun()
    st.markdown(f"Protected: rows where {literal(condition.in_words())}.")


def _say_kept(state: AuditState) -> None:
    kept = state.check.protected
    try:
        state.table.condition(kept)
    except FairauditError as error:
        show_error(error)
        return
    st.caption(f"Still in use: {literal(kept)}." if kept else "No group is protected yet.")


def _show_words(state: AuditState) -> None:
    left, right = st.columns(2)
    # The key holds what the words are about: with another group or filter they start empty.
    about = f"{state.selected}_{crc32(f'{state.data_key} {state.check.where} {state.check.protected}'.encode()):x}"
    name = left.text_input(
        "The protected group in words (optional)",
        max_chars=80,
        placeholder="such as: women",
        key=start(f"groups_name_{about}", state.check.protected_name or ""),
        help="Used in the sentences instead of the condition.",
    )
    title = right.text_input(
        "Title of this question (optional)",
        max_chars=120,
        placeholder="such as: Are women admitted alike?",
        key=start(f"groups_title_{about}", state.check.title or ""),
    )
    state.change_check(protected_name=name.strip() or None, title=title.strip() or None)


def _counts(state: AuditState) -> bool:
    try:
        protected, reference, unknown, _ = group_sizes(state)
    except FairauditError:
        st.caption("The groups are counted as soon as the filter and the condition fit the data.")
        return False
    columns = st.columns(3)
    columns[0].metric("Protected", f"{protected:,}")
    columns[1].metric("The rest", f"{reference:,}")
    columns[2].metric("Unknown, in neither", f"{unknown:,}", help="The condition cannot be answered for these rows.")
    if undecided := undecided_text(state):
        st.caption(f"{undecided}.")
    for name, n in (("protected group", protected), ("rest", reference)):
        if n == 0:
            st.error(f"The {name} is empty in this population. Change the condition or loosen the filter.")
        elif n < 30:
            st.warning(f"The {name} has only {n} rows. Expect a wide interval.")
    if not (protected and reference):
        return False
    shares = state.decision is None or state.decision.kind.has_good_outcome
    seen_before = gaps_seen_before if shares else differences_seen_before
    st.caption(literal(seen_before(protected, reference, tolerance=state.check.tolerance), limit=600))
    return True
