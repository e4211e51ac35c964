"""Cases that still wait for a decision: how they count is asked before times are compared."""

from __future__ import annotations

import datetime

import streamlit as st

from fairaudit.errors import FairauditError
from fairaudit.findings import Argument, Count, Message, Phrase, Word
from fairaudit.measure.waiting import OpenCases, find_open_cases
from fairaudit.messages import say
from fairaudit.plan.questions import ABOUT_OPEN
from ui.state import AuditState
from ui.text import labels, literal, stated
from ui.widgets import start, start_choice

_COUNT, _LEAVE_OUT = "count", "leave out"


def open_cases(state: AuditState) -> OpenCases | None:
    """Return what says that cases of the selected question are open; None where nothing does."""
    decision = state.present_decision
    if decision.kind.has_good_outcome:
        return None

    def find() -> OpenCases | None:
        try:
            return find_open_cases(state.present_table, decision.column, where=state.check.where)
        except FairauditError:
            # What is wrong with the filter is said where the question is answered.
            return None

    return state.remember("open_cases", (decision.column, state.check.where), find)


def are_to_be_asked_about(state: AuditState) -> bool:
    """Say whether cases seem to be open, and nobody has said how they count."""
    check = state.check
    return not (check.counts_open or check.open_left_out) and open_cases(state) is not None


def ask_how_they_count(state: AuditState) -> None:
    """Draw what says that cases are open, and how they may count; a press takes the answer."""
    found = open_cases(state)
    if found is None:
        return
    check, key = state.check, f"check_open_{state.selected}"
    with st.container(border=True, key="check_open_cases"):
        said: dict[str, Argument] = {
            "n": Count(found.n),
            "amount": Phrase(state.present_decision.column),
            "seen": Word("day" if found.column is None else "state"),
            "column": Phrase(found.column or ""),
            "value": Phrase(" or ".join(found.values)),
        }
        st.markdown(f"**{literal(say(Message('check-open-question', said)), limit=400)}**")
        options = [_COUNT, _LEAVE_OUT]
        first = _LEAVE_OUT if check.open_left_out else _COUNT
        how = st.radio(
            stated("check-open-how"),
            options,
            format_func=lambda each: stated("check-open-count" if each == _COUNT else "check-open-leave-out"),
            label_visibility="collapsed",
            key=start_choice(f"{key}_how", first, options),
        )
        since, until = _ask_since(state, found, key) if how == _COUNT else (None, None)
        st.button(
            stated("check-open-go"),
            type="primary",
            key=f"{key}_go",
            on_click=_take,
            args=(state, found, how, since, until),
        )


def _ask_since(state: AuditState, found: OpenCases, key: str) -> tuple[str | None, datetime.date | None]:
    """Draw the column of the day on which waiting began, or of the time so far, and the last day observed."""
    table, check = state.present_table, state.check
    columns = [name for name, each in table.columns.items() if each.is_day or each.kind == "number"]
    left, right = st.columns(2)
    since = left.selectbox(
        stated("check-open-since"),
        columns,
        format_func=labels(columns),
        key=start_choice(f"{key}_since", check.open_since or found.since, columns),
    )
    if since is None or not table.columns[since].is_day:
        return since, None
    first = found.until if check.open_until is None else datetime.date.fromisoformat(check.open_until)
    until = right.date_input(
        stated("check-open-until"), key=start(f"{key}_until", first), help=say(Message("check-open-until-help"))
    )
    return since, until if isinstance(until, datetime.date) else None


def _take(state: AuditState, found: OpenCases, how: str, since: str | None, until: datetime.date | None) -> None:
    """Have open cases count with their time so far, or leave them out."""
    answer: dict[str, object] = {**ABOUT_OPEN}
    if how == _LEAVE_OUT:
        answer["open_left_out"] = True
    else:
        # An amount in the column of the decision itself is no time so far of those that have none there.
        answer |= {"open_when": found.open_when, "open_since": since}
        answer["open_until"] = None if until is None else until.isoformat()
    state.change_check(**answer)
