"""The choice among remedies: three questions, and what their answers leave."""

from __future__ import annotations

import streamlit as st

from fairaudit.errors import require
from fairaudit.findings import Count, Phrase
from fairaudit.study.columns import protected_columns
from ui.entries import Wanted
from ui.frame import next_step
from ui.look import beside
from ui.remedies.registry import RemedyPage, remedy_pages
from ui.state import AuditState
from ui.text import literal, stated
from ui.widgets import start

YES, NO, OPEN = "Yes", "No", "Not sure"
GROUP_KEY = "remedies_group"
"""The key of the choice whether remedies may decide by group."""
_MEANS = {YES: True, NO: False, OPEN: None}


def ask(state: AuditState) -> Wanted:
    """Draw the three questions and what their answers leave out, and return what is wanted."""
    group, score, read = beside("choosing", (1, 1, 1), small=True)
    asked = state.wanted
    with group:
        may_use_group = _answer(
            "May it decide by group?", GROUP_KEY, asked.may_use_group, "In many places the law forbids it."
        )
    with score:
        needs_score = _answer("Is a score needed?", "remedies_score", asked.needs_score, "To rank people, or to cut.")
    with read:
        must_be_read = _answer("Must people read it?", "remedies_read", asked.must_be_read, "Aloud, such as in court.")
    state.wanted = Wanted(may_use_group, needs_score, must_be_read)
    state.want_group(may_use_group)
    for page in remedy_pages(state.present_decision.kind):
        for reason in against(page, state.wanted, by_group=decides_by_group(state, page)):
            st.caption(stated(reason, name=Phrase(page.title)))
    return state.wanted


def _answer(question: str, key: str, present: bool | None, help: str) -> bool | None:
    first = next(name for name, value in _MEANS.items() if value is present)
    given = st.segmented_control(question, [YES, NO, OPEN], required=True, key=start(key, first), help=help)
    return _MEANS[require(given)]


def decides_by_group(state: AuditState, page: RemedyPage) -> bool:
    """Whether a remedy needs the group to decide, with the columns that models learn from now."""
    if page.uses_group or not page.uses_group_features or state.models is None:
        return page.uses_group
    return bool(
        protected_columns(state.present_table, state.present_plan(fingerprint=False)) & set(state.models.features)
    )


def against(page: RemedyPage, wanted: Wanted, *, by_group: bool | None = None) -> list[str]:
    """Return the keys of what speaks against a remedy, given what is wanted, and whether it decides by group."""
    reasons = []
    if (page.uses_group if by_group is None else by_group) and wanted.may_use_group is False:
        reasons.append("choose-out-group")
    if wanted.needs_score and not page.gives_score:
        reasons.append("choose-out-score")
    if wanted.must_be_read and not page.can_be_read:
        reasons.append("choose-out-read")
    return reasons


def show_choice(state: AuditState, wanted: Wanted) -> None:
    """Draw the remedies that fit, those that decide by group last.

    Where the decision is what truly happened, one that learns from changed decisions comes last, with a caution.
    """
    is_truth = state.present_plan(fingerprint=False).decision_is_outcome
    pages = sorted(
        remedy_pages(state.present_decision.kind),
        key=lambda page: (is_truth and page.changes_decisions, decides_by_group(state, page)),
    )
    fitting = [page for page in pages if not against(page, wanted, by_group=decides_by_group(state, page))]
    if not fitting:
        st.info(stated("choose-none"))
    elif wanted != Wanted():
        st.subheader(stated("choose-fitting", n=Count(len(fitting))), anchor=False)
    for begin in range(0, len(fitting), 2):
        row = fitting[begin : begin + 2]
        for column, page in zip(beside(f"remedies_{begin}", small=True), row, strict=False):
            with column, st.container(border=True, key=f"remedies_card_{page.key}"):
                next_step(page.path, page.title)
                st.markdown(literal(page.purpose))
                if decides_by_group(state, page):
                    st.caption(stated("choose-by-group"))
                if is_truth and page.changes_decisions:
                    st.warning(stated("choose-changes-facts"))
