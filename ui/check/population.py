"""The filter: a builder that writes the text, the text itself, and what was probably meant by it."""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable
from contextlib import suppress
from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from fairaudit import Condition, Table
from fairaudit.conditions.correcting import (
    amounts_out_of_order,
    corrected,
    dates_out_of_order,
    with_near_values,
)
from fairaudit.errors import ConnectError, FairauditError, StoppedError
from fairaudit.findings import Count, Message, Phrase, Word
from fairaudit.messages import say
from ui.frame import show_error
from ui.state import AuditState
from ui.text import condition_words, labels, literal, stated
from ui.values import known_values, number_range
from ui.widgets import kept, start

# A condition put together from controls, for people who do not write SQL.

_TEXT = ("is one of", "is none of", "is missing", "is not missing")
_NUMBER = ("is at least", "is more than", "is at most", "is less than", "is between", *_TEXT)
_SIGNS = {"is at least": ">=", "is more than": ">", "is at most": "<=", "is less than": "<"}


def build_condition(
    state: AuditState, key: str, *, columns: list[str] | None = None, only: bool = False
) -> Condition | None:
    """Draw column, operator and values, and return the condition they make, or None while incomplete."""
    table = state.present_table
    first = [c for c in columns or [] if c in table.columns]
    names = first if only else first + [c for c in table.columns if c not in first]
    left, middle, right = st.columns([3, 2, 4], vertical_alignment="bottom")
    column = left.selectbox(
        "Column", names, index=None, format_func=labels(names), placeholder="Choose", key=f"{key}_column"
    )
    if column is None:
        return None
    kind = table.columns[column].kind
    operators = _NUMBER if table.columns[column].is_ordered else _TEXT
    operator = middle.selectbox("is", operators, key=f"{key}_operator_{kind}", required=True)
    with right:
        return _with_values(state, table, column, kind, operator, key)


def clear_condition(key: str) -> None:
    """Begin anew with the next condition, before the controls are drawn again."""
    st.session_state[f"{key}_column"] = None


def _with_values(state: AuditState, table: Table, column: str, kind: str, operator: str, key: str) -> Condition | None:
    name = '"' + column.replace('"', '""') + '"'
    if operator in {"is missing", "is not missing"}:
        negation = "NOT " if operator == "is not missing" else ""
        return table.condition(f"{name} IS {negation}NULL")
    if operator in {"is one of", "is none of"}:
        known, _ = known_values(state, column)
        chosen = st.multiselect("Values", known, format_func=labels(known), key=f"{key}_values_{column}")
        if not chosen:
            return None
        condition = Condition.one_of(column, chosen, table.columns)
        return condition if operator == "is one of" else ~condition
    if operator == "is between":
        low = _value(state, column, kind, f"{key}_low_{column}", "From", 0)
        high = _value(state, column, kind, f"{key}_high_{column}", "to", 1)
        return None if low is None or high is None else table.condition(f"{name} BETWEEN {low} AND {high}")
    value = _value(state, column, kind, f"{key}_value_{column}", "Value", None)
    return None if value is None else table.condition(f"{name} {_SIGNS[operator]} {value}")


def _value(state: AuditState, column: str, kind: str, key: str, label: str, end: int | None) -> str | None:
    """Draw one number or date and return it as a literal of the condition language."""
    if kind == "number":
        ends = None if end is None else number_range(state, column)
        value = st.number_input(label, value=None if end is None or ends is None else ends[end], key=key)
        return None if value is None else f"{value:.15g}"
    day = st.date_input(label, value=None, min_value=datetime.date(1, 1, 1), key=key)
    return None if day is None else f"DATE '{day.isoformat()}'"


# What a person probably meant, where a condition cannot be read or names a value that is not there.


def offer_correction(state: AuditState, text: str, take: Callable[[str], None], *, key: str) -> None:
    """Offer what was meant by a text that cannot be read."""
    values, days = partial(_known, state), state.present_table.source.options.dates
    _offer(corrected(text, state.present_table.columns, values, days), take, key=key)


def offer_known_values(
    state: AuditState, condition: Condition, take: Callable[[str], None], *, is_odd: bool = True, key: str
) -> None:
    """Offer a condition that names texts which its columns lack with the nearest values that they have.

    Where it is not `is_odd`, as some rows meet it and others do not, columns are left alone that have more values than
    are known.
    """

    def values(column: str) -> list:
        known, more = known_values(state, column)
        return known if is_odd or not more else []

    found = with_near_values(condition, values)
    _offer(None if found is None else str(found), take, key=key)


def warn_of_order(state: AuditState, condition: Condition) -> None:
    """Warn where a condition does not follow the calendar, or the size of amounts, as these are texts."""
    for name, value in dates_out_of_order(condition, partial(_known, state)).items():
        st.warning(_said("check-days-as-texts", "check-days-as-texts-mend", name, value))
    for name, value in amounts_out_of_order(condition, partial(_known, state)).items():
        st.warning(_said("check-amounts-as-texts", "check-amounts-as-texts-mend", name, value))


def _said(key: str, mend: str, name: str, value: str) -> str:
    shown = {"column": Phrase(name), "value": Phrase(str(value))}
    return literal(say((Message(key, shown), Message(mend))), limit=600)


def _known(state: AuditState, column: str) -> list:
    return known_values(state, column)[0]


def _offer(meant: str | None, take: Callable[[str], None], *, key: str) -> None:
    if meant is not None:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(stated("page-meant", value=Phrase(meant)))
            st.button("Use that", key=key, on_click=take, args=(meant,))


# The filter: a builder that writes the text, and the text itself.

_TEXT_KEY, _ADDED, _BUILDER = "groups_where", "groups_added", "groups_build"
_OR = re.compile(r"\bor\b", re.IGNORECASE)


def show_population(state: AuditState) -> None:
    """Draw the filter's text, what it leaves, and the builder."""
    if _ADDED in st.session_state:
        _write(state, joined(state.check.where, st.session_state.pop(_ADDED)))
        clear_condition(_BUILDER)
    typed = state.entry.where_typed
    text = st.text_input(
        "Filter (empty: every row)",
        **kept(start(_TEXT_KEY, (state.check.where or "") if typed is None else typed), partial(_note, state)),
        placeholder="such as: age BETWEEN 25 AND 60",
        help="Compare columns with values, joined by AND, OR, NOT. Texts stand in single quotes, names with blanks in "
        "double quotes.",
    )
    _take(state, text)
    with st.expander("Build the filter step by step"):
        controls = st.container()
        buttons = st.container(horizontal=True)
        # It stands still and is always there: who presses it has just left the field above, and what is drawn anew in
        # that moment must not take it away from under the hand.
        pressed = buttons.button("Add to the filter", key="groups_add")
        before = "nothing was changed"
        if state.entry.undo:
            before = condition_words(state.present_table, state.entry.undo[-1]) if state.entry.undo[-1] else "every row"
        buttons.button(
            "Undo",
            key="groups_undo",
            disabled=not state.entry.undo,
            on_click=undo,
            args=(state,),
            help=f"Takes the last change of the filter back. Before it: {literal(before)}.",
        )
        buttons.button(
            "Clear the filter",
            key="groups_clear",
            disabled=not state.check.where,
            on_click=change,
            args=(state, ""),
        )
        added = _built(state, controls)
    if pressed and added is not None:
        # The text was drawn before, and can be written anew only before that.
        st.session_state[_ADDED] = str(added)
        st.rerun()


def _note(state: AuditState, text: str) -> None:
    """Take what was just written, where some row at hand meets it; else keep it until it is taken or corrected."""
    text = text.strip()
    state.entry.where_typed = text
    with suppress(FairauditError):
        condition = state.present_table.condition(text or None)
        if not state.present_table.is_connected and state.remember(
            "count", text, lambda: state.present_table.count(condition)
        ):
            _use(state, text)


def _take(state: AuditState, text: str) -> None:
    text = text.strip()
    take = partial(change, state)
    try:
        condition = state.present_table.condition(text or None)
        n_left = _counted(state, text, condition)
    except FairauditError as error:
        show_error(error)
        offer_correction(state, text, take, key="groups_where_meant")
        _say_kept(state, text)
        return
    # One that no row meets is not put in use; it may have been before, with another table.
    if (n_left or text == state.check.where) and _use(state, text):
        # The sidebar was drawn before, with the filter that was.
        st.rerun()
    n_rows = state.present_table.n_rows
    of = Word("cases" if state.present_table.partial_counts is None else "rows")
    if condition is None:
        st.markdown(stated("groups-row-all", n=Count(n_rows), of=of))
        return
    st.markdown(stated("groups-rows-left", n=Count(n_left), total=Count(n_rows), of=of))
    if n_left == 0:
        is_used = text == state.check.where
        st.warning(say(Message("groups-filter-none" if is_used else "groups-filter-unused")))
    elif n_left == n_rows:
        st.warning("Every row meets the filter: it leaves nobody out.")
    offer_known_values(state, condition, take, is_odd=n_left in (0, n_rows), key="groups_where_meant")
    _say_kept(state, text)
    warn_of_order(state, condition)


def _say_kept(state: AuditState, text: str) -> None:
    """Say which filter holds, where that is not the one that is written."""
    in_use = state.check.where
    if (in_use or "") != text:
        said = Message("page-in-use", {"what": Phrase(in_use)}) if in_use else Message("page-in-use-all")
        st.caption(literal(say(said), limit=1000))


def _use(state: AuditState, text: str) -> bool:
    """Use a filter that was written, and return whether it is another one."""
    state.entry.where_typed = None
    if (text or None) == state.check.where:
        return False
    state.entry.undo.append(state.check.where or "")
    state.change_check(where=text or None)
    return True


def _counted(state: AuditState, text: str, condition: Condition | None) -> int:
    """Return how many rows meet a filter; where the database does not answer, say that a new filter is not in use."""

    def count() -> int:
        return state.remember("count", text, lambda: state.present_table.count(condition))

    kept = state.check.where
    try:
        with state.asking.raised():
            return count()
    except (ConnectError, StoppedError):
        if (text or None) != kept:
            st.warning(say(Message("groups-filter-uncounted")))
            _say_kept(state, text)
    # The page ends here, with what went wrong, unless the database answers after all.
    return count()


def _built(state: AuditState, controls: DeltaGenerator) -> Condition | None:
    """Draw the builder in its place, and below the buttons what it makes."""
    try:
        with controls:
            condition = build_condition(state, _BUILDER)
        said = "Choose a column and its values." if condition is None else f"Would add: {literal(condition.in_words())}"
        st.caption(said)
        return condition
    except FairauditError as error:
        show_error(error)
        return None


def joined(present: str | None, added: str) -> str:
    """Return a filter with one more condition, as text."""
    if not present:
        return added
    return " AND ".join(f"({text})" if _OR.search(text) else text for text in (present, added))


def change(state: AuditState, text: str) -> None:
    """Put another filter in the place of that of the selected question; on any page, before it is drawn."""
    state.entry.undo.append(state.check.where or "")
    _set(state, text)


def narrow(state: AuditState, added: str) -> None:
    """Add a condition to the filter of the selected question; on any page, before it is drawn."""
    change(state, joined(state.check.where, added))


def undo(state: AuditState) -> None:
    """Take the last change of the filter back; on any page, before it is drawn."""
    _set(state, state.entry.undo.pop())


def _set(state: AuditState, text: str) -> None:
    state.change_check(where=text or None)
    _write(state, text)
    state.entry.where_typed = None


def _write(state: AuditState, text: str) -> None:
    """Write a filter in its field; it is taken from there."""
    state.entry.where_typed = text
    # On another page there is no such widget, and a value kept for it would later be taken for what a person wrote.
    if _TEXT_KEY in st.session_state:
        st.session_state[_TEXT_KEY] = text
