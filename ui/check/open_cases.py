"""Cases that still wait for a decision: how they count is asked before times are compared."""

from __future__ import annotations

import datetime
from collections.abc import Mapping

import streamlit as st

from fairaudit.errors import FairauditError, require
from fairaudit.findings import Argument, Count, Message, Phrase, Word
from fairaudit.measure.grouping import value_text
from fairaudit.measure.open_cases import OpenCases, closed_condition, find_open_cases, open_condition
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
    check = state.check
    if check.counts_open or state.present_table.source.options.all_closed:
        return None
    found = open_cases(state)
    # Where cases without a time are left out, those with the time so far still mislead.
    return None if found is None or (check.open_left_out and not found.stays_timed) else _ask(state, found)


def show_open_cases(state: AuditState) -> None:
    """Draw how open cases count, where some are, to say it otherwise."""
    if (found := open_cases(state)) is not None:
        with st.expander(stated("check-open-again"), key="check_open_fold"):
            show_presses(_ask(state, found), is_first=False)


def _ask(state: AuditState, found: OpenCases) -> Question:
    seen = "day" if found.column is None else "empty" if found.values == (None,) else "state"
    said: dict[str, Argument] = {
        "amount": Phrase(state.present_decision.column),
        "timed": Word("yes" if found.stays_timed else "no"),
        "seen": Word(seen),
        "column": Phrase(found.column or ""),
        "value": Phrase(" or ".join(map(value_text, found.values))),
    }
    key = f"check_open_{state.selected}"
    presses = [
        Press(Message("check-open-count"), f"{key}_count", lambda: _count(state, found, key)),
        Press(Message("check-open-leave-out"), f"{key}_leave_out", lambda: _leave_out(state, found, key)),
    ]
    if found.stays_timed:
        presses.append(Press(Message("check-open-all-closed"), f"{key}_closed", lambda: _take(state, all_closed=True)))
    return Question(
        Message("check-open-question", {"n": Count(found.n)}),
        Message("check-open-lead", said),
        presses,
        lambda: _draw_fields(state, found, key),
    )


def _draw_fields(state: AuditState, found: OpenCases, key: str) -> None:
    """Draw which values say that a case is open, and since when those wait that have no time."""
    if found.column is not None and found.others:
        _choose_values(state, found, key)
    if not found.is_timed:
        _ask_since(state, found, key)


def _choose_values(state: AuditState, found: OpenCases, key: str) -> None:
    options = [*found.values, *found.others]
    key = f"{key}_values"
    if not set(st.session_state.get(key, ())) <= set(options):
        del st.session_state[key]
    st.multiselect(
        stated("check-open-values", column=Phrase(found.column or "")),
        options,
        format_func=labels(options, text=value_text),
        key=start_choice(key, list(found.values), options),
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


def _chosen(found: OpenCases, key: str) -> list[object]:
    """Return the values of the column that say that a case is open, as the person has chosen them."""
    return list(st.session_state.get(f"{key}_values", found.values))


def _count(state: AuditState, found: OpenCases, key: str) -> None:
    """Have open cases count with their time so far; where no value is chosen, no case is open."""
    chosen = _chosen(found, key)
    if found.column is not None and not chosen:
        _take(state, all_closed=True)
        return
    since = None if found.is_timed else st.session_state[f"{key}_since"]
    is_day = since is not None and state.present_table.columns[since].is_day
    until = st.session_state[f"{key}_until"] if is_day else None
    # An amount in the column of the decision itself is no time so far of those that have none there.
    opened = None if found.column is None else open_condition(state.present_table, found.column, chosen)
    _take(state, {"open_when": opened, "open_since": since, "open_until": until and until.isoformat()})


def _leave_out(state: AuditState, found: OpenCases, key: str) -> None:
    """Leave open cases out: those with the time so far by the filter."""
    said: dict[str, object] = {"open_left_out": True}
    if found.stays_timed and found.column is not None and (chosen := _chosen(found, key)):
        rest = [each for each in (*found.values, *found.others) if each not in chosen]
        closed = closed_condition(state.present_table, found.column, chosen, rest)
        where = state.present_table.condition(state.check.where)
        said["where"] = closed if where is None else str(where & require(state.present_table.condition(closed)))
    _take(state, said)


def _take(state: AuditState, said: Mapping[str, object] | None = None, *, all_closed: bool = False) -> None:
    state.present_table.say_all_closed(all_closed)
    state.change_check(**{**ABOUT_OPEN, **(said or {})})
    st.rerun()
