"""Values that count apart although letter case, blanks or a typing error alone differ, and one press that adds them."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from fairaudit import Condition
from fairaudit.errors import FairauditError, quote
from fairaudit.measure.spellings import (
    LeftApart,
    resembling,
    resembling_question,
    spelled_apart,
    spelled_apart_sentence,
)
from ui.state import AuditState
from ui.text import literal, shortened
from ui.values import known_values

_MOST_ASKED = 3


def show_spelled_apart(
    state: AuditState, condition: Condition, take: Callable[[LeftApart], object], *, key: str
) -> None:
    """Draw a caution on spellings that a condition leaves apart, and ask about typing errors; buttons add them."""
    apart, resembling_ones = _left(state, condition)
    for place, part in enumerate(apart):
        st.warning(literal(spelled_apart_sentence(part, counted=True), limit=900))
        _offer(part, take, "as if they were spelled alike", key=f"{key}_add_{place}")
    for place, part in enumerate(resembling_ones[:_MOST_ASKED]):
        st.info(literal(resembling_question(part)))
        _offer(part, take, "as if there were no typing error", key=f"{key}_near_{place}")


def _offer(part: LeftApart, take: Callable[[LeftApart], object], how: str, *, key: str) -> None:
    st.button(
        f"Add {literal(shortened(', '.join(map(quote, part.others))))}",
        key=key,
        on_click=take,
        args=(part,),
        help=f"Names what is added, too, {how}. The file stays as it is.",
    )


def _left(state: AuditState, condition: Condition) -> tuple[tuple[LeftApart, ...], tuple[LeftApart, ...]]:
    where = state.check.where

    def find() -> tuple[tuple[LeftApart, ...], tuple[LeftApart, ...]]:
        table, kept = state.table, state.table.condition(where)

        def values(column: str) -> list:
            return known_values(state, column)[0]

        return (
            spelled_apart(table, condition, where=kept, values=values),
            resembling(table, condition, where=kept, values=values),
        )

    try:
        return state.remember("spelled_apart", (where, str(condition)), find)
    except FairauditError:
        # What is wrong with the filter is said where it is written.
        return (), ()
