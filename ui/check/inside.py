"""Columns inside whose values the groups may be compared, offered beside the answer until one is chosen."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import streamlit as st

from fairaudit.measure.bins import FEW_WHOLE_NUMBERS
from ui.check.bands import strata_key, take_strata
from ui.state import AuditState
from ui.text import literal
from ui.values import known_values

OFFERED = 4
"""So many columns are offered at most; all of them stand under "By stratum"."""
_KINDS = (("text", "boolean"), ("number",))


def offer_inside(state: AuditState) -> None:
    """Offer to compare like with like, one press a column, until a column is chosen."""
    # In a database, looking at every column may take long.
    if state.check.strata or state.table.is_connected:
        return
    used = _used(state)
    columns = state.remember("inside", sorted(used), lambda: list(islice(_few_values(state, used), OFFERED)))
    if not columns:
        return
    with st.container(horizontal=True, vertical_alignment="center", key="check_inside"):
        st.markdown("Compare like with like, inside each:", width="content")
        for column in columns:
            st.button(
                literal(column, limit=40),
                key=f"check_inside_{column}",
                on_click=_compare_inside,
                args=(state, column),
                help="Compares the two groups inside each value of this column. Choose what may rightly matter, such "
                "as the department that decides: inside, a gap can vanish or turn around.",
            )


def _compare_inside(state: AuditState, column: str) -> None:
    st.session_state[strata_key(state)] = [column]
    take_strata(state, (column,))


def _used(state: AuditState) -> set[str]:
    """Return the columns that the question is about: inside their values there is nothing to compare."""
    check = state.check
    roles = {role.column for role in (state.decision, state.prediction, state.score) if role is not None}
    conditions = [state.table.condition(text) for text in (check.protected, check.where) if text]
    asked = {name for condition in conditions for name in condition.columns}
    return roles | asked | {*state.protected_columns} | {name for names in check.compare for name in names}


def _few_values(state: AuditState, used: set[str]) -> Iterator[str]:
    """Yield the columns with some values, but not many: texts before numbers."""
    columns = state.table.columns.values()
    for column in (c.name for kinds in _KINDS for c in columns if c.kind in kinds and c.name not in used):
        values, more = known_values(state, column)
        if not more and 2 <= len(values) <= FEW_WHOLE_NUMBERS:
            yield column
