"""The choice among remedies: three questions, and what their answers leave."""

from __future__ import annotations

import streamlit as st

from fairaudit.findings import Message
from fairaudit.messages import say
from ui.entries import Wanted
from ui.frame import next_step
from ui.look import beside
from ui.remedies.registry import remedy_pages
from ui.remedies.remedy_page import RemedyPage
from ui.state import AuditState
from ui.steps import COMPARE
from ui.text import literal
from ui.widgets import start

YES, NO, OPEN = "Yes", "No", "Not sure"
NEEDS_PERMISSION = "it needs permission to use the group"
_MEANS = {YES: True, NO: False, OPEN: None}


def ask(state: AuditState) -> Wanted:
    """Draw the three questions and return what is wanted."""
    group, score, read = beside("choosing", (1, 1, 1), small=True)
    with group:
        may_use_group = _answer("May the decision use the group?", "remedies_group", state.wanted.may_use_group)
        st.caption("In many places the law forbids it. Not sure counts as No.")
    with score:
        needs_score = _answer("Is a score needed?", "remedies_score", state.wanted.needs_score)
        st.caption("A number for each person, to rank by or to cut later. Yes or no alone needs none.")
    with read:
        must_be_read = _answer("Must people read it?", "remedies_read", state.wanted.must_be_read)
        st.caption("Aloud, to the person concerned, or to a court.")
    state.wanted = Wanted(may_use_group, needs_score, must_be_read)
    return state.wanted


def _answer(question: str, key: str, present: bool | None) -> bool | None:
    first = next(name for name, value in _MEANS.items() if value is present)
    return _MEANS[st.segmented_control(question, [YES, NO, OPEN], required=True, key=start(key, first))]


def against(page: RemedyPage, wanted: Wanted) -> list[str]:
    """Return what speaks against a remedy, given what is wanted."""
    reasons = []
    if page.uses_group and not wanted.may_use_group:
        reasons.append("it decides by group" if wanted.may_use_group is False else NEEDS_PERMISSION)
    if wanted.needs_score and not page.gives_score:
        reasons.append("it gives no score")
    if wanted.must_be_read and not page.can_be_read:
        reasons.append("people cannot read how it decides")
    return reasons


def holds_truth(state: AuditState) -> str:
    """Return that the decision column holds what happened, in a sentence; empty where it does not."""
    if not state.plan(fingerprint=False).decision_is_outcome:
        return ""
    return f"{state.decision.column} is what happened, not what somebody decided."


def show_choice(state: AuditState, wanted: Wanted) -> None:
    """Draw the remedies that fit, those that decide by group last, and below them why the others do not.

    Where the decision is what truly happened, one that learns from changed decisions comes last, with a caution.
    """
    truth = holds_truth(state)
    pages = sorted(
        remedy_pages(state.decision.kind), key=lambda page: (truth and page.changes_decisions, page.uses_group)
    )
    fitting = [page for page in pages if not against(page, wanted)]
    if fitting:
        several = "One remedy fits" if len(fitting) == 1 else f"{len(fitting)} remedies fit"
        said = wanted != Wanted()
        st.subheader(f"{several} what you said" if said else "Remedies that do not decide by group", anchor=False)
    else:
        st.info("No remedy is all of that. Give up one of the three, and see what is left.")
    for begin in range(0, len(fitting), 2):
        row = fitting[begin : begin + 2]
        for column, page in zip(beside(f"remedies_{begin}", small=True), row, strict=False):
            with column, st.container(border=True, key=f"remedies_card_{page.key}"):
                st.markdown(f"**{literal(say(Message(f'remedy-name-{page.method}')))}**")
                st.markdown(literal(say(Message(f"remedy-short-{page.method}"))))
                if truth and page.changes_decisions:
                    st.warning(
                        literal(f"Better not here: {truth} It would learn from facts that were changed.", limit=600)
                    )
                next_step(page.path, page.label)
    with st.expander(literal(say(Message("choose-more"))), key="remedies_more", on_change="rerun"):
        for page in fitting:
            st.markdown(f"**{page.title}**  \n{page.purpose}")
            if state.decision.kind.has_good_outcome:
                st.caption(literal(page.mends, limit=200))
        for page in pages:
            if reasons := against(page, wanted):
                with st.container(horizontal=True, vertical_alignment="center", key=f"remedies_other_{page.key}"):
                    st.caption(f"Left out: {page.title[0].lower()}{page.title[1:]}, since {' and '.join(reasons)}.")
                    next_step(page.path, page.label)
    next_step(COMPARE, "Compare")
