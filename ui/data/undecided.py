"""Values of the decision that decide nothing yet: whoever has one is left out by the filter, and taken in again."""

from __future__ import annotations

from functools import partial
from typing import Any

import streamlit as st

from fairaudit import Condition
from fairaudit.conditions.condition import values_left_out, without_left_out
from fairaudit.errors import FairauditError
from ui.check import population
from ui.state import AuditState
from ui.text import labels
from ui.values import value_label
from ui.widgets import kept, start


def choose_undecided(state: AuditState, column: str, values: list[Any], *, key: str) -> None:
    """Draw the choice of the values that the filter of the selected question leaves out; the filter follows it."""
    try:
        condition = state.table.condition(state.check.where or None)
    except FairauditError:
        # What is wrong with the filter is said where it is written.
        return
    out = () if condition is None else values_left_out(condition, column)
    # The filter holds the choice, and is changed elsewhere, too.
    st.session_state[start(key, [])] = [value for value in values if value in out]
    st.multiselect(
        "Not decided yet: leave these rows out (optional)",
        values,
        format_func=labels(values, text=value_label),
        placeholder="Such as pending or deferred",
        select_all=False,
        **kept(key, partial(_leave_out, state, column, condition)),
        help="Adds a condition on the decision to the filter of this question. Taken out here, the rows count again.",
    )


def _leave_out(state: AuditState, column: str, condition: Condition | None, values: list[Any]) -> None:
    rest = None if condition is None else without_left_out(condition, column)
    added = str(~Condition.one_of(column, values, state.table.columns)) if values else ""
    text = "" if rest is None else str(rest)
    population.change(state, population.joined(text, added) if added else text)
