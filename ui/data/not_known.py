"""What may not be known of groups and decisions, and the caution on cases that ended undecided but count as decided."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise, takewhile

import streamlit as st

from fairaudit.errors import FairauditError, quote, require
from fairaudit.findings import Message, Phrase
from fairaudit.measure.not_known import NotKnown, groups_not_known, totals_not_known
from fairaudit.messages import say
from fairaudit.present.cases import not_known_sentence
from fairaudit.presets.fitting import unknown_text
from fairaudit.sections.check.answering import outcome_not_known
from ui.check import population
from ui.frame import group_sizes
from ui.state import AuditState
from ui.text import condition_words, literal, shortened

_DONE = "not_known_left_out"
_MOST_NAMED = 5


def show_ended_cases(state: AuditState, parts: Sequence[NotKnown], *, key: str) -> None:
    """Draw a caution for each part with a button that leaves its rows out, and below it what was left out."""
    for place, part in enumerate(parts):
        st.warning(literal(not_known_sentence(part), limit=900))
        quoted = shortened(" or ".join(quote(unknown_text(value)) for value in part.values))
        st.button(
            f"Leave out the rows with {literal(quoted)} in {literal(part.column, limit=40)}",
            key=f"{key}_leave_out_{place}",
            on_click=_leave_out,
            args=(state, part),
            help="Adds the condition to the filter of this question. It can be undone.",
        )
    if left_out := _left_out(state):
        _show_left_out(state, left_out, key=key)


def _show_left_out(state: AuditState, left_out: Sequence[NotKnown], *, key: str) -> None:
    named = [
        f"{shortened(', '.join(map(unknown_text, part.values)))} in column {quote(part.column)}"
        for part in left_out[:_MOST_NAMED]
    ]
    if len(left_out) > _MOST_NAMED:
        named.append(f"{len(left_out) - _MOST_NAMED} more before")
    several = len(left_out) > 1
    with st.container(horizontal=True, vertical_alignment="center"):
        out = Message("groups-left-out-last" if several else "groups-left-out", {"what": Phrase("; ".join(named))})
        now = Message(
            "groups-filter-now", {"filter": Phrase(condition_words(state.present_table, state.check.where or ""))}
        )
        st.markdown(literal(say((out, now)), limit=900))
        label = "Undo the last" if several else "Undo"
        st.button(label, key=f"{key}_leave_out_undo", on_click=population.undo, args=(state,))


def groups_of(state: AuditState) -> tuple[NotKnown, ...]:
    """Return what is found in the columns that the protected condition names, with or without a decision."""
    check = state.check

    def find() -> tuple[NotKnown, ...]:
        table = state.present_table
        return groups_not_known(
            table,
            require(table.condition(check.protected)),
            sizes=group_sizes(state)[:2],
            where=table.condition(check.where),
        )

    return _found(state, "groups_not_known", (check.where, check.protected), find)


def decisions_of(state: AuditState) -> tuple[NotKnown, ...]:
    """Return what is found in the decision column, among the rows that the filter of the selected question keeps."""
    decision, where = state.decision, state.check.where
    if decision is None:
        return ()

    def find() -> tuple[NotKnown, ...]:
        return outcome_not_known(state.present_table, decision, state.present_table.condition(where))

    return _found(state, "decisions_not_known", (where, decision), find)


def totals_of(state: AuditState) -> tuple[NotKnown, ...]:
    """Return the rows that add others up, in any column of texts but the decision; none of a database."""
    table, where = state.present_table, state.check.where
    decided = None if state.decision is None else state.decision.column

    def find() -> tuple[NotKnown, ...]:
        apart = () if decided is None else (decided,)
        return totals_not_known(table, apart=apart, where=table.condition(where))

    return _found(state, "totals", (where, decided), find)


def _found(state: AuditState, kind: str, key: tuple, find: Callable[[], tuple[NotKnown, ...]]) -> tuple[NotKnown, ...]:
    try:
        return state.remember(kind, key, find)
    except FairauditError:
        # What is wrong with the filter or the decision is said where they are chosen.
        return ()


def _leave_out(state: AuditState, part: NotKnown) -> None:
    before = state.check.where or ""
    population.narrow(state, part.leave_out)
    st.session_state.setdefault(_DONE, {})[state.data_key, before, state.check.where] = part


def _left_out(state: AuditState) -> tuple[NotKnown, ...]:
    """Return what was left out by the last changes of the filter, the last first, up to a change of another kind."""
    filters = [*state.entry.undo, state.check.where or ""]
    steps = [st.session_state.get(_DONE, {}).get((state.data_key, *step)) for step in pairwise(filters)]
    return tuple(takewhile(lambda part: part is not None, reversed(steps)))
