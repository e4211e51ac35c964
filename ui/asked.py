"""The line above an answer: which of several questions it answers, who is compared, and among which cases."""

from __future__ import annotations

import streamlit as st

from fairaudit.errors import FairauditError
from fairaudit.findings import Argument, Count, Group, Message, Phrase
from fairaudit.messages import say
from fairaudit.plan.naming import names_of_models, protected_of
from ui.check.questions import CHOSEN, choose, question_words
from ui.conditions import condition_words
from ui.state import AuditState
from ui.text import literal
from ui.widgets import start


def choose_question(state: AuditState) -> None:
    """Draw which of several questions is worked on, and let another one be chosen."""
    if len(state.checks) < 2:
        return
    total = len(state.checks)

    def called(place: int) -> str:
        args = {"n": Count(place + 1), "total": Count(total), "asked": Phrase(question_words(state, place))}
        return say(Message("asked-question", args))

    st.selectbox(
        "Question",
        range(total),
        format_func=called,
        key=start(CHOSEN, state.selected),
        on_change=lambda: choose(state, st.session_state[CHOSEN]),
        label_visibility="collapsed",
        width=340,
    )


def show_asked(asked: Message) -> None:
    """Draw what an answer is of."""
    st.markdown(literal(say(asked), limit=300), width="content")


def asked_of_check(state: AuditState) -> Message | None:
    """Return who is compared in the question that is worked on, and among which cases."""
    check = state.check
    try:
        protected = state.table.condition(check.protected or None)
    except FairauditError:
        return None
    if protected is None:
        return None
    groups = {"protected": protected_of(state.names, check, protected), "others": Group(check.others_name)}
    return Message("asked-line", {"groups": Message("asked-groups", groups), "cases": cases(state, check.where)})


def asked_of_models(state: AuditState) -> dict[str, Argument]:
    """Return who is compared where models are judged, and among which cases: parts of a line that names more."""
    plan, models = state.plan(fingerprint=False), state.models
    names = names_of_models(plan, models, state.table.condition(models.protected))
    groups = {"protected": names.protected, "others": names.others}
    return {"groups": Message("asked-groups", groups), "cases": cases(state, models.where)}


def cases(state: AuditState, where: str | None) -> Message:
    """Return which cases a filter leaves."""
    if not where:
        return Message("asked-cases-all")
    return Message("asked-cases-where", {"where": Phrase(condition_words(state.table, where))})
