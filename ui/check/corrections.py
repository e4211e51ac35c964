"""What a person probably meant, where a condition cannot be read or names a value that is not there."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import streamlit as st

from fairaudit import Condition
from fairaudit.conditions.correcting import (
    amounts_out_of_order,
    corrected,
    dates_out_of_order,
    with_near_values,
)
from fairaudit.findings import Message, Phrase
from fairaudit.messages import say
from ui.state import AuditState
from ui.text import literal
from ui.values import known_values


def offer_correction(state: AuditState, text: str, take: Callable[[str], object], *, key: str) -> None:
    """Offer what was meant by a text that cannot be read."""
    values, days = partial(_known, state), state.table.source.options.dates
    _offer(corrected(text, state.table.columns, values, days), take, key=key)


def offer_known_values(
    state: AuditState, condition: Condition, take: Callable[[str], object], *, is_odd: bool = True, key: str
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


def _offer(meant: str | None, take: Callable[[str], object], *, key: str) -> None:
    if meant is not None:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(literal(say(Message("page-meant", {"value": Phrase(meant)}))))
            st.button("Use that", key=key, on_click=take, args=(meant,))
