"""Columns inside whose values the groups may be compared, offered below the answer, with the one that is chosen."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import streamlit as st

from fairaudit.measure.bins import FEW_WHOLE_NUMBERS
from ui.check.bands import strata_key, take_strata
from ui.check.known_before import follows, outcomes_of, sounds_later
from ui.check.tabs import open_strata
from ui.state import AuditState
from ui.text import literal
from ui.values import known_values

OFFERED = 4
"""So many columns are offered at most; all of them stand under "By stratum"."""
_KINDS = (("text", "boolean"), ("number",))


def offer_inside(state: AuditState) -> None:
    """Offer to compare like with like, one press a column; what is chosen is marked, and a press takes it away.

    Where other columns are chosen under "By stratum", nothing is offered.
    """
    # In a database, looking at every column may take long.
    if state.table.is_connected:
        return
    used = _used(state)
    about = (sorted(used), state.decision, state.check.where)
    columns = state.remember("inside", about, lambda: list(islice(_few_values(state, used), OFFERED)))
    if not columns or not {*state.check.strata} <= {*columns}:
        return
    with st.container(horizontal=True, vertical_alignment="center", key="check_inside"):
        st.markdown("To compare like with like, choose what was known before:", width="content")
        for column in columns:
            st.button(
                literal(column, limit=40),
                key=f"check_inside_{column}",
                icon=":material/check:" if column in state.check.strata else None,
                on_click=_press,
                args=(state, column),
                help="Compares the two groups inside each value of this column, or no longer does. Choose what may "
                "rightly matter and was known before the decision, such as the department that decides: what came "
                "after it does not make cases alike. Several columns at once are chosen under By stratum.",
            )


def _press(state: AuditState, column: str) -> None:
    """Compare inside a column and show its strata or, where that is so, no longer compare inside it."""
    strata = state.check.strata
    if column in strata:
        chosen = tuple(name for name in strata if name != column)
    else:
        chosen = (column,)
        open_strata()
    st.session_state[strata_key(state)] = list(chosen)
    take_strata(state, chosen)


def _used(state: AuditState) -> set[str]:
    """Return the columns that the question is about: inside their values there is nothing to compare."""
    check = state.check
    conditions = [state.table.condition(text) for text in (check.protected, check.where) if text]
    asked = {name for condition in conditions for name in condition.columns}
    return (
        {*outcomes_of(state)} | asked | {*state.protected_columns} | {name for names in check.compare for name in names}
    )


def _few_values(state: AuditState, used: set[str]) -> Iterator[str]:
    """Yield columns with some values, but not many, that do not seem to come later: texts before numbers."""
    columns = state.table.columns.values()
    for column in (c.name for kinds in _KINDS for c in columns if c.kind in kinds and c.name not in used):
        values, more = known_values(state, column)
        if not more and 2 <= len(values) <= FEW_WHOLE_NUMBERS and not (sounds_later(column) or follows(state, column)):
            yield column
