"""The question whether rows of one person, of which each year has one, are compared as they are."""

from __future__ import annotations

from contextlib import suppress

import streamlit as st

from fairaudit import Condition
from fairaudit.data.roles import MOST_PERIODS, Key, keys_of
from fairaudit.errors import FairauditError
from fairaudit.findings import Argument, Message, Phrase
from fairaudit.messages import say
from ui.check.population import change, narrow
from ui.data import counts
from ui.state import AuditState
from ui.text import literal
from ui.values import known_values, value_label
from ui.widgets import start_choice

ALL, ONE = "all", "one"
_SAID = {ONE: "data-several-one", ALL: "data-several-all"}
_ANSWER = "several_rows"
_MOST_ROWS = 2_000_000


def is_open(state: AuditState) -> bool:
    """Say whether the same person stands in several rows, and nobody has said what is compared."""
    key = _key(state)
    return key is not None and _answer(state, key) is None


def ask_what_is_compared(state: AuditState) -> None:
    """Ask whether all rows of a person are compared, or those of the last period; the answer is in the saved audit."""
    key = _key(state)
    if key is None:
        return
    args: dict[str, Argument] = {"column": Phrase(key.column), "period": Phrase(key.period or "")}
    args["value"] = Phrase(value_label(_last(state, key)))
    options = [ONE, ALL]
    widget = f"data_several_{state.data_key}"
    st.radio(
        literal(say(Message("data-several-rows", args)), limit=200),
        options,
        index=None,
        format_func=lambda option: literal(say(Message(_SAID[option], args)), limit=120),
        horizontal=True,
        key=start_choice(widget, _answer(state, key), options),
        on_change=lambda: _take(state, key, st.session_state[widget]),
    )


def _key(state: AuditState) -> Key | None:
    """Return the first column whose values stand in several rows, which another column tells apart."""
    table = state.table
    if table is None or table.is_connected or table.n_rows > _MOST_ROWS or counts.counts_cases(state):
        return None
    return state.remember("several_rows", "", lambda: _find(state))


def _find(state: AuditState) -> Key | None:
    few, many = [], []
    for column in state.table.columns.values():
        if column.kind not in ("text", "number", "date"):
            continue
        values, more = known_values(state, column.name)
        (few if not more and 2 <= len(values) <= MOST_PERIODS else many).append(column.name)
    found = keys_of(state.table, many, few)
    return next((key for key in found.values() if key.is_repeated and key.period is not None), None)


def _last(state: AuditState, key: Key) -> object:
    values, _ = known_values(state, key.period)
    return max(values)


def _only_last(state: AuditState, key: Key) -> str:
    return str(Condition.equals(key.period, _last(state, key), state.table))


def _answer(state: AuditState, key: Key) -> str | None:
    """Return what was said, also by a saved audit; a filter of the period says it too."""
    where = None
    with suppress(FairauditError):
        where = state.table.condition(state.check.where or None)
    if where is not None and key.period in where.columns:
        return ONE
    if state.check.cluster == key.column or state.drafts.get(_ANSWER) == (state.data_key, ALL):
        return ALL
    return None


def _take(state: AuditState, key: Key, answer: str | None) -> None:
    """Narrow all questions to the last period, or have their ranges allow for the rows of one person."""
    state.drafts[_ANSWER] = (state.data_key, answer)
    only, selected = _only_last(state, key), state.selected
    # The ranges of amounts cannot allow for that.
    cluster = key.column if state.decision is None or state.decision.kind.has_good_outcome else None
    for place in range(len(state.checks)):
        state.selected, before = place, state.checks[place].plan
        if answer == ONE:
            narrow(state, only)
            state.change_check(cluster=None if before.cluster == key.column else before.cluster)
        else:
            change(state, "" if before.where in (None, only) else before.where.removesuffix(f" AND {only}"))
            state.change_check(cluster=cluster)
    state.selected = selected
