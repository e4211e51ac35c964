"""A condition put together from controls, for people who do not write SQL."""

from __future__ import annotations

import datetime

import streamlit as st

from fairaudit import Condition, Table
from ui.state import AuditState
from ui.text import labels
from ui.values import known_values, number_range

_TEXT = ("is one of", "is none of", "is missing", "is not missing")
_NUMBER = ("is at least", "is more than", "is at most", "is less than", "is between", *_TEXT)
_SIGNS = {"is at least": ">=", "is more than": ">", "is at most": "<=", "is less than": "<"}


def build_condition(
    state: AuditState, key: str, *, columns: list[str] | None = None, only: bool = False
) -> Condition | None:
    """Draw column, operator and values, and return the condition they make, or None while incomplete."""
    table = state.table
    first = [c for c in columns or [] if c in table.columns]
    names = first if only else first + [c for c in table.columns if c not in first]
    left, middle, right = st.columns([3, 2, 4], vertical_alignment="bottom")
    column = left.selectbox(
        "Column", names, index=None, format_func=labels(names), placeholder="Choose", key=f"{key}_column"
    )
    if column is None:
        return None
    kind = table.columns[column].kind
    operators = _NUMBER if table.columns[column].is_ordered else _TEXT
    operator = middle.selectbox("is", operators, key=f"{key}_operator_{kind}", required=True)
    with right:
        return _with_values(state, table, column, kind, operator, key)


def clear_condition(key: str) -> None:
    """Begin anew with the next condition, before the controls are drawn again."""
    st.session_state[f"{key}_column"] = None


def _with_values(state: AuditState, table: Table, column: str, kind: str, operator: str, key: str) -> Condition | None:
    name = '"' + column.replace('"', '""') + '"'
    if operator in {"is missing", "is not missing"}:
        negation = "NOT " if operator == "is not missing" else ""
        return table.condition(f"{name} IS {negation}NULL")
    if operator in {"is one of", "is none of"}:
        known, _ = known_values(state, column)
        chosen = st.multiselect("Values", known, format_func=labels(known), key=f"{key}_values_{column}")
        if not chosen:
            return None
        condition = Condition.one_of(column, chosen, table.columns)
        return condition if operator == "is one of" else ~condition
    if operator == "is between":
        low = _value(state, column, kind, f"{key}_low_{column}", "From", 0)
        high = _value(state, column, kind, f"{key}_high_{column}", "to", 1)
        return None if low is None or high is None else table.condition(f"{name} BETWEEN {low} AND {high}")
    value = _value(state, column, kind, f"{key}_value_{column}", "Value", None)
    return None if value is None else table.condition(f"{name} {_SIGNS[operator]} {value}")


def _value(state: AuditState, column: str, kind: str, key: str, label: str, end: int | None) -> str | None:
    """Draw one number or date and return it as a literal of the condition language."""
    if kind == "number":
        ends = None if end is None else number_range(state, column)
        value = st.number_input(label, value=None if ends is None else ends[end], key=key)
        return None if value is None else f"{value:.15g}"
    value = st.date_input(label, value=None, min_value=datetime.date(1, 1, 1), key=key)
    return None if value is None else f"DATE '{value.isoformat()}'"
