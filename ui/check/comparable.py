"""What makes two cases comparable: columns are proposed, those on which decisions depend most first."""

from __future__ import annotations

import streamlit as st

from fairaudit.errors import FairauditError
from fairaudit.findings import Argument, Message, Phrase
from fairaudit.findings.names import Names
from fairaudit.measure.bands import proposed_cuts
from fairaudit.measure.bins import FEW_WHOLE_NUMBERS
from fairaudit.measure.comparable import Comparable, comparable_columns
from fairaudit.messages import say
from fairaudit.plan.roles import outcome_of
from fairaudit.sections.quantity import Quantity
from ui.check.bands import strata_key, take_strata
from ui.check.known_before import following, outcomes_of
from ui.state import AuditState
from ui.text import literal
from ui.values import known_values
from ui.widgets import start_choice

OFFERED = 5
"""So many columns are offered at most; all of them stand under "Similar cases"."""
LOOKED_AT = 24
"""So many columns are looked at, from the first of the table on."""
_DONE = "check_comparable_left"


def offers(state: AuditState) -> bool:
    """Say whether the page asks what makes cases comparable: nothing is chosen, and the person has not declined."""
    # In a database, looking at every column may take long.
    return not (state.table.is_connected or state.check.strata or _about(state) in st.session_state.get(_DONE, ()))


def show_comparable(state: AuditState, names: Names, quantity: Quantity) -> str | None:
    """Draw the columns that may make cases comparable, with how much decisions vary across them; return the chosen."""
    found = state.remember(
        "comparable", (state.decision, state.check.where, state.check.protected), lambda: _find(state)
    )
    if not found:
        return None
    by_name = {one.column: one for one in found[:OFFERED]}
    args: dict[str, Argument] = {"protected": names.protected, "others": names.others, "verb": names.verb}
    said = [say(Message("check-comparable-differ" if one.groups_differ else "check-comparable-values",
                        args | _span(one, quantity)))
            for one in by_name.values()]  # fmt: skip
    st.markdown(f"**{literal(say(Message('check-comparable-question')))}**")
    chosen = st.radio(
        literal(say(Message("check-comparable-question"))),
        [*by_name],
        index=0,
        format_func=_called,
        captions=[literal(text) for text in said],
        label_visibility="collapsed",
        key=start_choice(f"check_comparable_{state.selected}", next(iter(by_name)), [*by_name]),
    )
    st.caption(literal(say(Message("check-comparable-rule"))))
    return chosen


def _called(column: str) -> str:
    return literal(column, limit=60)


def _span(one: Comparable, quantity: Quantity) -> dict[str, Argument]:
    ends = (one.high, one.low) if quantity.is_turned else (one.low, one.high)
    return dict(zip(("low", "high"), map(quantity.figure, ends), strict=True))


def show_compare(state: AuditState, column: str) -> None:
    """Draw the button that compares inside a column, and the one that does not."""
    with st.container(horizontal=True, vertical_alignment="center", key="check_comparable_ways"):
        st.button(
            literal(say(Message("check-comparable-go", {"column": Phrase(column)}))),
            type="primary",
            key="check_comparable_go",
            on_click=_compare,
            args=(state, column),
        )
        said = literal(say(Message("check-comparable-leave")))
        st.button(said, key="check_comparable_leave", on_click=_leave, args=(state,))


def show_compare_otherwise(state: AuditState) -> None:
    """Draw the button that asks again what makes cases comparable, where that was answered."""
    if not offers(state) and not state.table.is_connected:
        said = literal(say(Message("check-comparable-again")))
        st.button(said, key="check_comparable_again", on_click=_ask_again, args=(state,))


def _about(state: AuditState) -> tuple[str | None, str | None]:
    return state.check.protected, state.check.where


def _compare(state: AuditState, column: str) -> None:
    st.session_state[strata_key(state)] = [column]
    take_strata(state, (column,))


def _leave(state: AuditState) -> None:
    st.session_state[_DONE] = (*st.session_state.get(_DONE, ()), _about(state))


def _ask_again(state: AuditState) -> None:
    st.session_state[_DONE] = tuple(one for one in st.session_state.get(_DONE, ()) if one != _about(state))
    st.session_state[strata_key(state)] = []
    take_strata(state, ())


def _find(state: AuditState) -> list[Comparable]:
    table, check = state.table, state.check
    columns, cuts = [], {}
    for column in _candidates(state):
        if table.columns[column].kind == "number":
            values, more = known_values(state, column)
            if more or len(values) > FEW_WHOLE_NUMBERS:
                try:
                    cuts[column] = proposed_cuts(table, column, where=check.where)
                except FairauditError:
                    continue
                if not cuts[column]:
                    continue
        columns.append(column)
    protected = table.condition(check.protected)
    if protected is None:
        return []
    outcome = outcome_of(table, state.decision).condition if state.decision.kind.has_good_outcome else None
    return comparable_columns(
        table,
        columns,
        decision=state.decision.column,
        favorable=outcome,
        protected=protected,
        where=table.condition(check.where),
        cuts=cuts,
    )


def _candidates(state: AuditState) -> list[str]:
    """Return columns that are not what the question is about, have not as many values as rows, and came before."""
    check = state.check
    conditions = [state.table.condition(text) for text in (check.protected, check.where) if text]
    about = {name for condition in conditions if condition is not None for name in condition.columns}
    used = {*outcomes_of(state)} | about | {*state.protected_columns}
    looked_at, fitting = 0, []
    for column in state.table.columns.values():
        if column.name in used or column.kind not in ("text", "boolean", "number") or looked_at >= LOOKED_AT:
            continue
        values, more = known_values(state, column.name)
        few = not more and 2 <= len(values) <= FEW_WHOLE_NUMBERS
        looked_at += 1
        if few or column.kind == "number":
            fitting.append(column.name)
    follow = following(state, fitting)
    return [name for name in fitting if name not in follow]
