"""The shape of a remedy's page: a form while there is no result; then the result, with the form folded below it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from fairaudit.findings import Count, Message, Phrase
from fairaudit.messages import say
from fairaudit.study.divided import DividedRows
from ui.check.questions import cases
from ui.frame import open_page
from ui.look import settings_and_result
from ui.manual import offer_manual
from ui.remedies.learning_panel import open_study
from ui.remedies.remedy_page import RemedyPage
from ui.state import AuditState
from ui.text import literal


@dataclass(frozen=True)
class Places:
    """Where a remedy's page draws its parts.

    Parameters
    ----------
    settings, result : DeltaGenerator
        Beside each other while there is no result; the settings are folded below one.
    more : DeltaGenerator
        What is out of sight until it is asked for; empty while there is no result.
    """

    settings: DeltaGenerator
    result: DeltaGenerator
    more: DeltaGenerator


def has_result(state: AuditState, method: str) -> bool:
    """Whether a remedy of this kind was made, so that its page begins with what it did."""
    fitted = (one for one in state.fitted.values() if one.outcome is state.decision.kind)
    return state.decision is not None and any(one.candidate.finding.plan.method == method for one in fitted)


def open_remedy(
    page: RemedyPage, question: str, *, any_decision: bool = False, widths: Sequence[float] = (1, 2.6)
) -> tuple[AuditState, DividedRows, Places]:
    """Draw the top of a remedy's page, and return the rows that it learns from and the places of its parts.

    The first call of the page; what it asks, and when not to use it, is the `question`.
    """
    state = open_page(page.title)
    if not has_result(state, page.method):
        with st.container(horizontal=True, vertical_alignment="center", key="page_top"):
            st.title(page.title, help=page.called or None, anchor=False)
            offer_manual()
        st.caption(question)
        study = open_study(state, any_decision=any_decision)
        settings, result = settings_and_result(widths)
        return state, study, Places(settings, result, st.container())
    about = st.container(horizontal=True, vertical_alignment="center", key="result_about")
    result = st.container(key="remedy_answer")
    folded = st.expander(
        literal(say(Message("remedy-change"))), expanded=_is_old(state, page.method), key="remedies_change",
        on_change="rerun",
    )  # fmt: skip
    more = st.expander(literal(say(Message("remedy-more"))), key="remedies_more", on_change="rerun")
    study = open_study(state, any_decision=any_decision, panel=folded.container())
    with about:
        st.markdown(literal(_about(state, page, study), limit=300), width="content")
        offer_manual()
    return state, study, Places(folded.container(key="settings"), result, more)


def _is_old(state: AuditState, method: str) -> bool:
    """Whether all results of a kind are out of date, so that what makes a new one stands open."""
    found = [one for one in state.fitted.values() if one.candidate.finding.plan.method == method]
    return not any(state.is_current(one) for one in found)


def _about(state: AuditState, page: RemedyPage, study: DividedRows) -> str:
    # Of those who are compared: rates of all groups are of all test cases, and stand under More.
    compared = int(study.population[study.split.held_out].sum())
    # The answer names both groups: among which cases is said where not among all.
    args = {"name": Phrase(page.title), "n": Count(compared)}
    if not state.models.where:
        return say(Message("remedy-context", args))
    return say(Message("remedy-context-where", args | {"cases": cases(state, state.models.where)}))
