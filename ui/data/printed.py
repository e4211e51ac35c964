"""How numbers of cases are printed that are rounded or hidden: asked once they are said to be such numbers."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from fairaudit.columns import Counts, HiddenCells, PartialReading, count_columns
from fairaudit.data.printed_counts import unsaid_reading
from fairaudit.errors import quote
from fairaudit.findings import Argument, Count, Message, Phrase, Word
from fairaudit.messages import say
from fairaudit.present.naming import listed
from ui.asking import Press, Question
from ui.state import AuditState
from ui.text import literal

Take = Callable[[int, HiddenCells], None]
_SAID = "counts_said"
_MOST = 1_000_000


def proposed(state: AuditState, counts: Counts) -> PartialReading | None:
    """Return how numbers of cases seem to be rounded and hidden; None where they are plain numbers."""
    columns = count_columns(counts)
    return state.remember(
        "printed", (state.data_key, columns), lambda: unsaid_reading(state.present_table, columns, None, ())
    )


def without_number(state: AuditState, counts: Counts) -> tuple[tuple[str, ...], int]:
    """Return which columns of counts have cells without a number, and how many rows have such."""
    table, names = state.present_table, count_columns(counts)

    def find() -> tuple[tuple[str, ...], int]:
        missing = [f"{table.writer.quoted(name)} IS NULL" for name in names]
        each = [f"sum(CASE WHEN {one} THEN 1 ELSE 0 END)" for one in (*missing, " OR ".join(missing))]
        *found, n = table.aggregate(each)
        return tuple(name for name, cells in zip(names, found, strict=True) if cells), int(n or 0)

    return state.remember("without_number", (state.data_key, names), find)


def said_counts(state: AuditState) -> Counts | None:
    """Return the columns that a person has said count cases, of which it is still asked how they are printed."""
    key, counts = state.drafts.get(_SAID, ("", None))
    return counts if key == state.data_key else None


def say_they_count(state: AuditState, counts: Counts | None) -> None:
    """Keep that these columns count cases, or that it is asked anew."""
    state.drafts[_SAID] = (state.data_key, counts)


def ask(state: AuditState, reading: PartialReading, take: Take) -> Question:
    """Ask what hidden cells stand for, and to what the others were rounded; `take` gets it."""
    named = [quote(text) if text else "an empty cell" for text, _ in reading.hidden]
    args: dict[str, Argument] = {
        "hidden": Word("yes" if named else "no"),
        "cells": Phrase(listed(named)),
        "rounded": Word("yes" if reading.rounded_to > 1 else "no"),
        "base": Count(reading.rounded_to),
    }

    def take_fields() -> None:
        take(*_said(state, reading))

    presses = [Press(Message("data-printed-use", args), "data_printed_use", take_fields)]
    if not reading.hidden:
        presses.append(Press(Message("data-printed-exact"), "data_printed_exact", lambda: take(1, ())))
    presses.append(Press(Message("data-undo"), "data_printed_back", lambda: _back(state)))
    return Question(
        Message("data-ask-printed", args),
        Message("data-lead-printed", args),
        tuple(presses),
        (lambda: _draw(state, reading)) if reading.hidden else None,
    )


def _back(state: AuditState) -> None:
    say_they_count(state, None)
    st.rerun()


def _keys(state: AuditState, place: int) -> tuple[str, str]:
    return f"data_hidden_low_{place}_{state.data_key}", f"data_hidden_high_{place}_{state.data_key}"


def _rounding_key(state: AuditState) -> str:
    return f"data_rounded_to_{state.data_key}"


def _draw(state: AuditState, reading: PartialReading) -> None:
    """Draw for each hidden cell the numbers that it may stand for, and to what the others were rounded."""
    for place, (text, ends) in enumerate(reading.hidden):
        shown = literal(text, limit=40) if text else "an empty cell"
        columns = st.columns(2)
        for column, label, key, end in zip(
            columns, ("data-printed-from", "data-printed-to"), _keys(state, place), ends, strict=True
        ):
            column.number_input(say(Message(label, {"cell": Phrase(shown)})), 0, _MOST, end, key=key)
    st.number_input(say(Message("data-printed-rounded")), 1, _MOST, reading.rounded_to, key=_rounding_key(state))


def _said(state: AuditState, reading: PartialReading) -> tuple[int, HiddenCells]:
    """Return what the fields say."""
    if not reading.hidden:
        return reading.rounded_to, ()
    hidden = tuple(
        (text, (int(st.session_state[low]), int(st.session_state[high])))
        for place, (text, _) in enumerate(reading.hidden)
        for low, high in (_keys(state, place),)
    )
    return int(st.session_state[_rounding_key(state)]), hidden
