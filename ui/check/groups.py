"""Who is protected: picked from a column, or written as a condition."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from typing import Any
from zlib import crc32

import streamlit as st

from fairaudit import Condition
from fairaudit.conditions.correcting import with_spellings
from fairaudit.errors import FairauditError
from fairaudit.measure.spellings import LeftApart
from fairaudit.messages import say
from fairaudit.sections.detectable import say_seen_before
from ui.check.corrections import offer_correction, offer_known_values, warn_of_order
from ui.conditions import condition_words
from ui.data.not_known import groups_of, show_not_known
from ui.data.spellings import show_spelled_apart
from ui.frame import group_sizes, show_error, undecided_text
from ui.state import AuditState
from ui.text import labels, literal
from ui.values import MOST, known_values
from ui.widgets import kept, settled, start, start_choice

PICK, WRITE = "Pick values", "Write a condition"
ALL_BUT = "Everyone but these"


def show_protected(state: AuditState) -> bool:
    """Draw the choice of the protected group and the three counts it makes; return whether there is a comparison."""
    how = st.segmented_control(
        "How do you want to say it?",
        [PICK, WRITE],
        required=True,
        key=start("groups_how", PICK if _picks_show(state) else WRITE),
    )
    text = _picked(state) if how == PICK else _written(state)
    if text is not None:
        _take(state, text)
    elif state.check.protected:
        _say_kept(state, condition_words(state.table, state.check.protected))
    if not state.check.protected or not _counts(state):
        return False
    condition = state.table.condition(state.check.protected)
    show_spelled_apart(state, condition, partial(_protect_too, state), key="groups_spelled")
    show_not_known(state, groups_of(state), kinds=("group",), key="groups")
    _show_words(state)
    return True


def _picks_show(state: AuditState) -> bool:
    """Whether the group that is protected can be shown as values of a column that are picked."""
    if state.entry.protected_typed is not None:
        return False
    if not state.check.protected:
        return True
    column, values = picks(state)
    return column is not None and set(values) <= set(known_values(state, column)[0])


def picks(state: AuditState) -> tuple[str | None, tuple[Any, ...]]:
    """Return the column and the values that are protected, or the rest; none where that was not said so."""
    try:
        condition = state.table.condition(state.check.protected or None)
    except FairauditError:
        return None, ()
    return (condition and (condition.listed or (~condition).listed)) or (None, ())


def _all_but(state: AuditState) -> bool:
    """Whether those are protected who have none of the values that are picked."""
    present, _ = picks(state)
    return present is not None and state.table.condition(state.check.protected).listed is None


def _picked(state: AuditState) -> str | None:
    first = [c for c in state.protected_columns if c in state.table.columns]
    columns = first + [c for c in state.table.columns if c not in first]
    left, right = st.columns(2)
    present, values = picks(state)
    key = start_choice("groups_protected_column", present or next(iter(first), None), columns)
    column = left.selectbox(
        "Column",
        columns,
        index=settled(key),
        format_func=labels(columns),
        placeholder="Choose a column",
        key=key,
    )
    if column is None:
        st.caption("Choose the column that tells the groups apart, such as sex or race.")
        return None
    known, more = known_values(state, column)
    if more:
        st.caption(
            f"The column has more than {MOST} values; the most frequent are listed. A condition can name others."
        )
    chosen = right.multiselect(
        "Protected values",
        known,
        format_func=labels(known),
        placeholder="Choose one or more",
        select_all=False,
        key=start_choice(f"groups_protected_values_{column}", values if column == present else (), known),
    )
    all_but = column == present and _all_but(state)
    # Of two values, everyone but the one is the other.
    turned = (len(known) > 2 or more or all_but) and right.checkbox(
        ALL_BUT,
        key=start(f"groups_protected_all_but_{column}", all_but),
        help="Protects every other value of the column; the values that are picked are the rest.",
    )
    if not chosen:
        st.caption(
            "Choose the value or values of the protected group. Everyone else with a value in this column is the rest."
        )
        return None
    condition = Condition.one_of(column, chosen, state.table.columns)
    return str(~condition if turned else condition)


def _written(state: AuditState) -> str | None:
    typed = state.entry.protected_typed
    first = state.check.protected if typed is None else typed
    text = st.text_input(
        "Protected: rows where",
        **kept(start("groups_protected_text", first), partial(_note, state)),
        placeholder="such as: race <> 'White'",
        help="Written like the filter. Rows for which it is unknown are in neither group; how many is shown below.",
    )
    text = text.strip()
    if not text:
        _use(state, text)
    return text or None


def _note(state: AuditState, text: str) -> None:
    """Take what was just written, where it can be read; else keep it, to be corrected."""
    text = text.strip()
    state.entry.protected_typed = text
    with suppress(FairauditError):
        state.table.condition(text or None)
        _use(state, text)


def _use(state: AuditState, text: str) -> bool:
    """Protect the rows that meet a condition, and return whether it is another one."""
    state.entry.protected_typed = None
    if text == state.check.protected:
        return False
    state.change_check(protected=text)
    return True


def _take(state: AuditState, text: str) -> None:
    try:
        condition = state.table.condition(text)
    except FairauditError as error:
        show_error(error)
        offer_correction(state, text, partial(_take_meant, state), key="groups_protected_meant")
        if text != state.check.protected:
            _say_kept(state, state.check.protected)
        return
    if _use(state, text):
        # The sidebar was drawn before, with the groups that were.
        st.rerun()
    st.markdown(f"Protected: rows where {literal(condition.in_words())}.")


def _take_meant(state: AuditState, text: str) -> None:
    _use(state, text)
    # Where values are picked there is no such widget, and a value kept for it would later be taken for what is written.
    if "groups_protected_text" in st.session_state:
        st.session_state["groups_protected_text"] = text


def _protect_too(state: AuditState, part: LeftApart) -> None:
    """Name other spellings, too, in the condition and among the values that are picked."""
    condition = state.table.condition(state.check.protected)
    _take_meant(state, str(with_spellings(condition, {part.column: part.others})))
    column, values = picks(state)
    if column is not None and (place := f"groups_protected_values_{column}") in st.session_state:
        st.session_state[place] = list(values)


def _say_kept(state: AuditState, kept: str) -> None:
    """Say which protected group holds, as it was picked or as it was written."""
    try:
        state.table.condition(state.check.protected or None)
    except FairauditError as error:
        show_error(error)
        return
    st.caption(f"Still in use: {literal(kept)}." if kept else "No group is protected yet.")


def _show_words(state: AuditState) -> None:
    left, right = st.columns(2)
    # The key holds what the words are about: with another group or filter they start empty.
    about = f"{state.selected}_{crc32(f'{state.data_key} {state.check.where} {state.check.protected}'.encode()):x}"
    left.text_input(
        "The protected group in words (optional)",
        max_chars=80,
        placeholder="such as: women",
        **kept(
            start(f"groups_name_{about}", state.check.protected_name or ""),
            lambda name: state.change_check(protected_name=name.strip() or None),
        ),
        help="Used in the sentences instead of the condition.",
    )
    right.text_input(
        "All others in words (optional)",
        max_chars=80,
        placeholder="such as: men",
        **kept(
            start(f"groups_others_{about}", state.check.others_name or ""),
            lambda name: state.change_check(others_name=name.strip() or None),
        ),
        help="Without it, they are called everyone else.",
    )
    st.text_input(
        "Title of this question (optional)",
        max_chars=120,
        placeholder="such as: Are women admitted alike?",
        **kept(
            start(f"groups_title_{about}", state.check.title or ""),
            lambda title: state.change_check(title=title.strip() or None),
        ),
    )


def _counts(state: AuditState) -> bool:
    try:
        protected, reference, unknown, *undecided = group_sizes(state)
    except FairauditError:
        st.caption("The groups are counted as soon as the filter and the condition fit the data.")
        return False
    columns = st.columns(3)
    columns[0].metric("Protected", f"{protected:,}")
    columns[1].metric("The rest", f"{reference:,}")
    columns[2].metric("Unknown, in neither", f"{unknown:,}", help="The condition cannot be answered for these rows.")
    if left_out := undecided_text(state):
        st.caption(f"{left_out}.")
    condition = state.table.condition(state.check.protected)
    warn_of_order(state, condition)
    if not (protected or reference or unknown):
        # That no row meets the filter is said where it is written.
        return False
    for name, n in (("protected group", protected), ("rest", reference)):
        if n == 0:
            said = f"The {name} is empty in this population."
            if not (reference or unknown):
                words = literal(condition.in_words(), limit=120)
                said = f"In all {protected:,} rows, {words}: there is nobody to compare with."
            st.error(f"{said} Choose another group, or a wider filter.")
            offer_known_values(state, condition, partial(_take_meant, state), key=f"groups_protected_meant_{len(name)}")
        elif n < 30:
            st.warning(f"The {name} has only {n} rows. Expect a wide interval.")
    if not (protected and reference):
        return False
    shares = state.decision is None or state.decision.kind.has_good_outcome
    decided = [n - without for n, without in zip((protected, reference), undecided, strict=True)]
    if min(decided) > 0:
        seen = say_seen_before(*decided, confidence=state.check.confidence, of_shares=shares)
        st.caption(literal(say(seen)))
    return True
