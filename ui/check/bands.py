"""Columns of numbers that strata are made of, cut into bands: how cuts are proposed, and how a person changes them."""

from __future__ import annotations

import streamlit as st

from fairaudit.errors import FairauditError
from fairaudit.measure.bands import FEW_WHOLE_NUMBERS, checked_cuts, proposed_cuts, read_cuts
from fairaudit.measure.grouping import value_text
from ui.errors import show_error
from ui.state import AuditState
from ui.text import literal
from ui.values import known_values
from ui.widgets import kept, start


def strata_key(state: AuditState) -> str:
    """Return the key of the widget that says which columns strata are made of."""
    return f"check_strata_{state.selected}"


def take_strata(state: AuditState, chosen: tuple[str, ...]) -> None:
    """Compare inside these columns; those that are new may be proposed bands when the page is drawn."""
    before = state.check
    new = [name for name in chosen if name not in before.strata]
    cuts = {name: own for name, own in before.strata_cuts.items() if name in chosen}
    state.change_check(strata=chosen, strata_cuts=cuts)
    typed = state.entry.cuts_typed
    state.entry.cuts_typed = {name: text for name, text in typed.items() if name in chosen}
    st.session_state[_wanted(state)] = new


def suggest_bands(state: AuditState) -> None:
    """Cut columns of numbers into bands where they were just chosen and have many values."""
    for column in st.session_state.pop(_wanted(state), ()):
        if state.table.columns[column].kind != "number":
            continue
        values, more = known_values(state, column)
        if not more and len(values) <= FEW_WHOLE_NUMBERS:
            continue
        try:
            cuts = proposed_cuts(state.table, column, where=state.check.where)
        except FairauditError:
            # What is wrong with the filter is said where the question is answered.
            continue
        if cuts:
            set_bands(state, column, cuts)


def set_bands(state: AuditState, column: str, cuts: tuple[float, ...]) -> None:
    """Cut a column at these numbers, without any into its values, and write them into its field."""
    _cut(state, column, cuts)
    st.session_state[_key(state, column)] = _text(cuts)


def show_bands(state: AuditState) -> None:
    """Draw for each column of numbers that strata are made of where it is cut."""
    columns = [name for name in state.check.strata if state.table.columns[name].kind == "number"]
    if not columns:
        return
    for place, column in zip(st.columns(max(2, len(columns))), columns, strict=False):
        with place:
            _show_field(state, column)
    st.caption("A band is from one of these numbers on and below the next. Empty a field to compare inside each value.")


def _show_field(state: AuditState, column: str) -> None:
    typed = state.entry.cuts_typed.get(column)
    first = _text(state.check.strata_cuts.get(column, ())) if typed is None else typed
    text = st.text_input(
        f"Bands of {literal(column, limit=60)}",
        **kept(
            start(_key(state, column), first),
            lambda written: _take(state, column, written),
        ),
        placeholder="Each value; or such as 30, 45, 60",
    )
    try:
        _read(column, text)
    except FairauditError as error:
        show_error(error)


def _take(state: AuditState, column: str, text: str) -> None:
    """Cut a column where a person says; what cannot be read is kept, to be corrected, and changes nothing."""
    try:
        cuts = _read(column, text)
    except FairauditError:
        state.entry.cuts_typed[column] = text
        return
    _cut(state, column, cuts)


def _read(column: str, text: str) -> tuple[float, ...]:
    if not text.strip():
        return ()
    return checked_cuts({column: read_cuts(text)}, (column,), name="The field")[column]


def _cut(state: AuditState, column: str, cuts: tuple[float, ...]) -> None:
    state.entry.cuts_typed.pop(column, None)
    others = {name: own for name, own in state.check.strata_cuts.items() if name != column}
    state.change_check(strata_cuts={**others, column: cuts} if cuts else others)


def _text(cuts: tuple[float, ...]) -> str:
    return ", ".join(map(value_text, cuts))


def _wanted(state: AuditState) -> str:
    return f"check_bands_wanted_{state.selected}"


def _key(state: AuditState, column: str) -> str:
    return f"check_bands_{state.selected}_{list(state.table.columns).index(column)}"
