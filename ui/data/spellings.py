"""The caution on values that count apart although only letter case or blanks differ, and one press that adds them."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from fairaudit import Condition
from fairaudit.errors import FairauditError, quote
from fairaudit.measure.spellings import SpelledApart, spelled_apart, spelled_apart_sentence
from ui.state import AuditState
from ui.text import literal, shortened
from ui.values import known_values


def show_spelled_apart(
    state: AuditState, condition: Condition, take: Callable[[SpelledApart], object], *, key: str
) -> None:
    """Draw a caution for each column in which a condition leaves such values apart, with a button that adds them."""
    for place, part in enumerate(_apart(state, condition)):
        st.warning(literal(spelled_apart_sentence(part, counted=True), limit=900))
        st.button(
            f"Add {literal(shortened(', '.join(map(quote, part.others))))}",
            key=f"{key}_add_{place}",
            on_click=take,
            args=(part,),
            help="Names these values, too, as if they were spelled alike. The file stays as it is.",
        )


def _apart(state: AuditState, condition: Condition) -> tuple[SpelledApart, ...]:
    where = state.check.where

    def find() -> tuple[SpelledApart, ...]:
        table = state.table
        return spelled_apart(
            table, condition, where=table.condition(where), values=lambda column: known_values(state, column)[0]
        )

    try:
        return state.remember("spelled_apart", (where, str(condition)), find)
    except FairauditError:
        # What is wrong with the filter is said where it is written.
        return ()
