"""Cases that still wait for a decision: how they count is asked before times are compared."""

from __future__ import annotations

import datetime
from collections.abc import Mapping

import streamlit as st

from fairaudit.errors import FairauditError
from fairaudit.findings import Argument, Count, Message, Phrase, Word
from fairaudit.measure.waiting import OpenCases, find_open_cases
from fairaudit.messages import say
from fairaudit.plan.questions import ABOUT_OPEN
from ui.asking import Press, Question, show_presses
from ui.look import beside
from ui.state import AuditState
from ui.text import labels, stated
from ui.widgets import start, start_choice


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


def ask_open_cases(state: AuditState) -> Question | None:
    """Ask how open cases count, where cases seem to be open and nobody has said that; None else."""
    found = None if state.check.counts_open or state.check.open_left_out else open_cases(state)
    return None if found is None else _ask(state, found)


def show_open_cases(state: AuditState) -> None:
    """Draw how open cases count, where some are, to say it otherwise."""
    if (found := open_cases(state)) is not None:
        with st.expander(stated("check-open-again"), key="check_open_fold"):
            show_presses(_ask(state, found), is_first=False)


def _ask(state: AuditState, found: OpenCases) -> Question:
    said: dict[str, Argument] = {
        "amount": Phrase(state.present_decision.column),
        "seen": Word("day" if found.column is None else "state"),
        "column": Phrase(found.column or ""),
        "value": Phrase(" or ".join(found.values)),
    }
    key = f"check_open_{state.selected}"
    return Question(
        Message("check-open-question", {"n": Count(found.n)}),
        Message("check-open-lead", said),
        (
            Press(Message("check-open-count"), f"{key}_count", lambda: _count(state, found, key)),
            Press(Message("check-open-leave-out"), f"{key}_leave_out", lambda: _take(state, {"open_left_out": True})),
        ),
        lambda: _ask_since(state, found, key),
    )


def _ask_since(state: AuditState, found: OpenCases, key: str) -> None:
    """Draw the column of the day on which waiting began, or of the time so far, and the last day observed."""
    table, check = state.present_table, state.check
    columns = [name for name, each in table.columns.items() if each.is_day or each.kind == "number"]
    left, right = beside(f"{key}_since_until", small=True)
    since = left.selectbox(
        stated("check-open-since"),
        columns,
        format_func=labels(columns),
        key=start_choice(f"{key}_since", check.open_since or found.since, columns),
    )
    if since is not None and table.columns[since].is_day:
        first = found.until if check.open_until is None else datetime.date.fromisoformat(check.open_until)
        right.date_input(
            stated("check-open-until"), key=start(f"{key}_until", first), help=say(Message("check-open-until-help"))
        )


def _count(state: AuditState, found: OpenCases, key: str) -> None:
    """Have open cases count with their time so far."""
    since = st.session_state[f"{key}_since"]
    is_day = since is not None and state.present_table.columns[since].is_day
    until = st.session_state[f"{key}_until"] if is_day else None
    # An amount in the column of the decision itself is no time so far of those that have none there.
    said = {"open_when": found.open_when, "open_since": since, "open_until": until and until.isoformat()}
    _take(state, said)


def _take(state: AuditState, said: Mapping[str, object]) -> None:
    state.change_check(**{**ABOUT_OPEN, **said})
    st.rerun()
