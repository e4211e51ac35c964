"""Choosing who was looked at and where something was found; what plainly says so is proposed."""

from __future__ import annotations

import re
from typing import Any, Final

import streamlit as st

from fairaudit import Condition
from fairaudit.data.table import COMMON_VALUES
from fairaudit.errors import FairauditError, quote
from fairaudit.findings import Phrase
from fairaudit.plan.fields import form_of
from fairaudit.plan.outcomes import OutcomePlan
from fairaudit.plan.questions import InspectionPlan
from ui.state import AuditState
from ui.text import labels, literal, stated
from ui.values import known_values
from ui.widgets import ask, start_choice

# Which columns are plainly meant by "was looked at" and "was found": by their names and what they hold.

MOST_VALUES: Final = 12
"""A column of texts with more values than this does not say yes or no to a find."""

NAMES: Final = {
    "acted": (
        "looked_at", "was_searched", "searched", "search_conducted", "inspected", "was_inspected", "audited", "flagged",
        "frisked", "checked",
    ),
    "found": (
        "found", "was_found", "something_found", "contraband_found", "contraband", "hit", "is_hit", "violation_found",
        "violation", "violations", "arrest_made", "arrested", "finding", "search_outcome", "search_result",
        "inspection_outcome", "inspection_result", "outcome_of_inspection", "result_of_inspection",
    ),
}  # fmt: skip
"""What such columns are called, the plainest first."""


def proposed_column(state: AuditState, role: str) -> str | None:
    """Return the column that is plainly meant; None where there is none.

    Of "searched" beside "bag_searched", it is not plain which is meant.
    """
    plain = {column: plain_name(column) for column in state.present_table.columns}
    for name in NAMES[role]:
        fitting = [column for column, called in plain.items() if called == name or called.endswith(f"_{name}")]
        if fitting and name in map(plain.get, fitting) and _says_yes_or_no(state, fitting[0]):
            return fitting[0] if len(fitting) == 1 else None
    return None


def plain_name(column: str) -> str:
    """Return a name in small letters, its words joined by one line each.

    Examples
    --------
    >>> plain_name("Contraband Found"), plain_name("arrestMade"), plain_name("outcome of the inspection")
    ('contraband_found', 'arrest_made', 'outcome_of_inspection')
    """
    words = re.findall(r"[a-z]+|[0-9]+", re.sub(r"([a-z])([A-Z])", r"\1 \2", column).lower())
    return "_".join(word for word in words if word != "the")


def _says_yes_or_no(state: AuditState, column: str) -> bool:
    """Say whether a column holds few values; numbers, two: with more they count cases, which only a person can say."""
    kind = state.present_table.columns[column].kind
    if kind not in ("boolean", "number", "text"):
        return False
    known, many = known_values(state, column)
    return bool(known) and not many and len(known) <= (2 if kind == "number" else MOST_VALUES)


# Choosing who was looked at and where something was found; what is said on Data is there on the page, and back.


_FEW_ROWS, _MANY_ROWS = 20, 1000
"""Of fewer rows, counts can all differ; of so many, they do not."""
_MORE_THAN_CODES = 10
"""One or two different numbers from here on are counts; below, codes such as 0 and 1."""


def choose_roles(state: AuditState, page: str) -> None:
    """Draw both choices side by side and keep them."""
    for role, place in zip(NAMES, st.columns(2), strict=True):
        with place:
            choose_role(state, role, page)


def choose_role(state: AuditState, role: str, page: str) -> None:
    """Draw the choice of a column and its values, and keep the condition; empty while it is not said."""
    present = getattr(state, role)
    column_now, values_now = read_role(state, present)
    first = column_now if present else proposed_column(state, role)
    columns = list(state.present_table.columns)
    key = f"{page}_{role}_{state.data_key}"
    column = ask(InspectionPlan, role, key=f"{key}_column", first=first, options=columns)
    if column is None:
        if present and column_now is None:
            st.caption(stated("searches-role-now", condition=Phrase(present), limit=300))
        else:
            setattr(state, role, "")
        return
    same = column == column_now
    counted = same and is_counted(state, present)
    setattr(state, role, _condition(state, role, key, column, values_now if same else (), counted=counted))


def read_role(state: AuditState, text: str) -> tuple[str | None, tuple]:
    """Return the column and the values that a choice was made of; None where it was written otherwise."""
    if not text:
        return None, ()
    if text in state.present_table.columns:
        return text, (True,) if state.present_table.columns[text].kind == "boolean" else ()
    try:
        listed = Condition.parse(text, state.present_table.columns).listed
    except FairauditError:
        return None, ()
    return (None, ()) if listed is None else listed


def is_counted(state: AuditState, text: str) -> bool:
    """Say whether a choice names a column that counts cases."""
    return text in state.present_table.columns and state.present_table.columns[text].kind == "number"


def offer_as_decision(state: AuditState) -> None:
    """Draw the press that takes being looked at as the decision, where that is said and no decision is."""
    column, looked = read_role(state, state.acted)
    if state.decision is not None or column is None or is_counted(state, state.acted):
        return
    known, _ = known_values(state, column)
    others = [value for value in known if value not in looked]
    if others and not state.present_table.columns[column].is_day:
        st.button(
            f"Take {literal(quote(column, limit=60))} as decision",
            key="data_looked_at_decides",
            on_click=_take_as_decision,
            args=(state, column, others),
        )


def offer_every_row(state: AuditState, page: str) -> None:
    """Draw the press that says of a table of looked-at cases alone that each of them was looked at."""
    column, _ = read_role(state, state.found)
    if state.acted or column is None or is_counted(state, state.found):
        return
    known, many = known_values(state, column)
    if not many:
        st.button(
            "Every row was looked at",
            key=f"{page}_every_row",
            on_click=_take_every_row,
            args=(state, page, column, known),
            help="Then finds can be compared, but not who is looked at more often.",
        )


def _take_every_row(state: AuditState, page: str, column: str, known: list) -> None:
    state.acted = str(Condition.one_of(column, known, state.present_table.columns))
    # The choice starts again from what was taken.
    key = f"{page}_acted_{state.data_key}"
    for place in (f"{key}_column", f"{key}_values_{column}"):
        st.session_state.pop(place, None)


def _take_as_decision(state: AuditState, column: str, others: list) -> None:
    state.decision = OutcomePlan(column=column, favorable=tuple(others), meaning="not looked at")
    # What stood in the fields of the decision gives way.
    for key in [key for key in st.session_state if str(key).startswith(f"data_decision_{state.data_key}_")]:
        del st.session_state[key]


def _is_identifier(state: AuditState, column: str) -> bool:
    """Say whether whole numbers differ in every row and lie close together, or are more than counts would be."""
    n_rows, values = state.present_table.n_rows, list[Any](state.present_table.common_values(column))
    if n_rows < _FEW_ROWS or len(values) < min(n_rows, COMMON_VALUES) or any(value is None for value in values):
        return False
    low, high = min(values), max(values)
    return all(value == int(value) for value in values) and (n_rows >= _MANY_ROWS or high - low < 2 * n_rows)


def _condition(state: AuditState, role: str, key: str, column: str, values_now: tuple, *, counted: bool = False) -> str:
    """Draw what is said of a column, and return it; `counted` of a column that was taken for counts before."""
    known, many = known_values(state, column)
    if not known:
        st.caption(stated("searches-role-empty", column=Phrase(column), limit=200))
        return ""
    numbers = state.present_table.columns[column].kind == "number"
    if numbers and (counted or many or len(known) > 2 or min(known) >= _MORE_THAN_CODES):
        if _is_identifier(state, column):
            st.caption(stated("searches-role-identifier"))
            return ""
        st.caption(stated("searches-role-counts"))
        return column
    chosen = st.multiselect(
        f"{form_of(InspectionPlan, role).label}, if it is",
        known,
        format_func=labels(known),
        placeholder="Such as yes",
        key=start_choice(f"{key}_values_{column}", list(values_now), known),
    )
    if not chosen:
        return ""
    return str(Condition.one_of(column, chosen, state.present_table.columns))
