"""The questions of this audit: which one an answer is of, how it is asked, and how another one is begun."""

from __future__ import annotations

from typing import Any

import streamlit as st

from fairaudit.errors import FairauditError, require
from fairaudit.findings import Argument, Count, Group, Message, Phrase
from fairaudit.messages import say
from fairaudit.plan.names import names_of_models, protected_of
from fairaudit.sections.check.answering import answer_check
from ui.entries import CheckEntry
from ui.manual import offer_manual
from ui.state import AuditState
from ui.text import condition_words, literal
from ui.widgets import start

# The questions of this audit: their answers, and how another one is begun.

_ON_GROUPS = "groups_"
CHOSEN = "check_selected"
"""The choice of the question that is worked on."""


def finding_of(state: AuditState, entry: CheckEntry) -> Any:
    """Return the answer to a question on the present data, computed once: about shares or about amounts."""
    plan = state.present_plan(fingerprint=False)
    key = (entry.plan, plan.decision, plan.names, plan.seed)
    return state.remember("check", key, lambda: answer_check(state.present_table, plan, entry.plan))


def question_words(state: AuditState, position: int) -> str:
    """Return what a question is called: its title or its protected group, both as they are said elsewhere."""
    asked = state.checks[position].plan
    if not asked.protected:
        return asked.title or "new"
    return asked.title or asked.protected_name or condition_words(state.present_table, asked.protected)


def ask_another(state: AuditState) -> None:
    """Start a new question of the same cases and go to the page where it is put, or to one that was started.

    What makes cases comparable is asked anew: that of one group need not be that of another.
    """
    started = next((place for place, entry in enumerate(state.checks) if not entry.plan.protected), None)
    if started is None:
        new: dict[str, object] = {"protected": "", "title": None, "protected_name": None, "others_name": None}
        new |= {"strata": (), "strata_cuts": {}, "similar_by": ()}
        state.checks.append(CheckEntry(state.check.model_copy(update=new)))
        started = len(state.checks) - 1
    choose(state, started)
    st.switch_page("pages/2_Groups.py")


def choose(state: AuditState, place: int) -> None:
    """Work on another question, whatever the choice on the page says."""
    state.selected = place
    # What is written on Groups is of the question before.
    for key in [key for key in st.session_state if key == CHOSEN or str(key).startswith(_ON_GROUPS)]:
        del st.session_state[key]


def back_to_asked(state: AuditState) -> None:
    """Work on the last question that was put, where one was begun and left without a group."""
    asked = [place for place, entry in enumerate(state.checks) if entry.plan.protected]
    if asked and not state.check.protected:
        choose(state, asked[-1])


# The line above an answer: which of several questions it answers, who is compared, and among which cases.


def choose_question(state: AuditState) -> None:
    """Draw which of several questions is worked on, and let another one be chosen.

    A browser hands back what a question was called when it was last drawn; it is sent anew, as names may change.
    """
    if len(state.checks) < 2:
        return
    total = len(state.checks)

    def called(place: int) -> str:
        asked = Phrase(question_words(state, place))
        return say(Message("asked-question", {"n": Count(place + 1), "total": Count(total), "asked": asked}))

    st.session_state[CHOSEN] = state.selected
    st.selectbox(
        "Question",
        range(total),
        format_func=called,
        key=start(CHOSEN, state.selected),
        on_change=_choose_drawn,
        args=(state,),
        label_visibility="collapsed",
        width=340,
    )


def _choose_drawn(state: AuditState) -> None:
    """Work on the question that was chosen; a name that no question has any more chooses none."""
    place = st.session_state[CHOSEN]
    if place in range(len(state.checks)):
        choose(state, place)


def show_asked(asked: Message) -> None:
    """Draw what an answer is of."""
    st.markdown(literal(say(asked), limit=300), width="content")


def show_about(asked: Message) -> None:
    """Draw the line above an answer: what it is of, and the way to the manual."""
    with st.container(horizontal=True, vertical_alignment="center", key="result_about"):
        show_asked(asked)
        offer_manual()


def asked_of_check(state: AuditState) -> Message | None:
    """Return who is compared in the question that is worked on, and among which cases."""
    check = state.check
    try:
        protected = state.present_table.condition(check.protected or None)
    except FairauditError:
        return None
    if protected is None:
        return None
    groups = {"protected": protected_of(state.names, check, protected), "others": Group(check.others_name)}
    return Message("asked-line", {"groups": Message("asked-groups", groups), "cases": cases(state, check.where)})


def asked_of_models(state: AuditState) -> dict[str, Argument]:
    """Return who is compared where models are judged, and among which cases: parts of a line that names more."""
    plan, models = state.present_plan(fingerprint=False), state.present_models
    names = names_of_models(plan, models, require(state.present_table.condition(models.protected)))
    groups = {"protected": names.protected, "others": names.others}
    return {"groups": Message("asked-groups", groups), "cases": cases(state, models.where)}


def cases(state: AuditState, where: str | None) -> Message:
    """Return which cases a filter leaves."""
    if not where:
        return Message("asked-cases-all")
    return Message("asked-cases-where", {"where": Phrase(condition_words(state.present_table, where))})
