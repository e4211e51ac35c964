"""The questions and remedies of this audit: which go into the report, which to work on."""

from __future__ import annotations

import streamlit as st

from fairaudit.errors import FairauditError
from fairaudit.findings import Count, Message, Phrase, Word
from fairaudit.follow_ups.registry import FOLLOW_UPS
from fairaudit.messages import say
from fairaudit.plan import AuditPlan
from fairaudit.plan.goes_with import goes_with
from fairaudit.remedies.registry import RemedyPlan
from fairaudit.sections.check import say_check
from fairaudit.sections.remedy import say_remedy
from ui.check.errors import asked_words, chips_beside
from ui.check.questions import ask_another, choose, finding_of
from ui.frame import next_step
from ui.look import beside, show_chip, show_chips
from ui.remedies import trying
from ui.remedies.names import in_bold, numbered_name
from ui.remedies.outcome import answer_of
from ui.remedies.registry import page_of, remedy_pages
from ui.result import verdict_chip
from ui.state import AuditState, CheckEntry
from ui.text import literal
from ui.widgets import start

MORE = {
    "errors": "Errors",
    "subgroups": "Worst groups",
    "explanations": "What explains the gap",
    "changes": "Change over time",
    "inspections": "Searches and inspections",
}
"""What the report may hold beside questions and remedies, by the state's field that lists it."""


def show_findings(state: AuditState) -> None:
    """Draw the list of questions with their verdicts, and what can be done with each."""
    for position, entry in enumerate(state.checks):
        if entry.plan.protected and state.decision is not None:
            with st.container(border=True, key=f"report_card_{position}"):
                _card(state, position, entry)
    with st.container(horizontal=True, vertical_alignment="center", key="report_more"):
        for name, label in MORE.items():
            decided = state.decision is not None
            goes = name == "inspections" or (decided and (name != "errors" or state.decision.kind.has_good_outcome))
            if getattr(state, name) and goes:
                in_report = f"{name}_in_report"
                if name == "errors" and len(state.errors) > 1:
                    label += f": {literal('; '.join(map(asked_words, state.errors)), limit=300)}"
                ticked = st.checkbox(label, key=start(f"report_{name}", getattr(state, in_report)))
                setattr(state, in_report, ticked)
                if name == "explanations" and ticked and (column := _lacks_reason(state)):
                    _ask_reason(column)
        if st.button("Ask another question", key="report_another"):
            ask_another(state)
    _ask_what_opens(state)


def _ask_what_opens(state: AuditState) -> None:
    """Ask which of several kinds of questions the report is about."""
    plan = state.plan(fingerprint=False)
    if plan is None or len(plan.asking_parts) < 2:
        return
    chosen = st.selectbox(
        say(Message("report-page-opens")),
        plan.asking_parts,
        format_func=lambda part: say(Message("report-page-opens-with", {"part": Word(part)})),
        # Anew whenever other parts can be chosen.
        key=start(f"report_opens_{'_'.join(plan.asking_parts)}", plan.opens_with),
        width=320,
    )
    state.report = state.report.model_copy(update={"opens_with": chosen})


def _lacks_reason(state: AuditState) -> str | None:
    """Return a column of which it is missing why it may count, without which its answer is not in the report."""
    return next((name for asked in state.explanations for name in asked.lacks_reason), None)


def _ask_reason(column: str) -> None:
    st.caption(literal(say(Message("explain-reason-missing", {"column": Phrase(column)})), limit=300))
    next_step("pages/7_Explain.py", say(Message("explain-reason-go")))


def _card(state: AuditState, position: int, entry: CheckEntry) -> None:
    try:
        finding = finding_of(state, entry)
        said = say_check(finding)
        show_chips((verdict_chip(said), *chips_beside(state, finding)))
        st.markdown(f"**{literal(say(said.headline), limit=900)}.**  \n{literal(say(said.lead), limit=1200)}")
    except FairauditError as error:
        st.markdown(literal(error.message, limit=900))
    with st.container(horizontal=True, vertical_alignment="center"):
        entry.in_report = st.checkbox(
            "In the report", key=start(f"report_in_{position}_{len(state.checks)}", entry.in_report)
        )
        if st.button("Change", key=f"report_change_{position}"):
            choose(state, position)
            st.switch_page("pages/2_Groups.py")
        if st.button("Remove", key=f"report_remove_{position}"):
            _remove(state, position)
            st.rerun()


def _remove(state: AuditState, position: int) -> None:
    del state.checks[position]
    if not state.checks:
        state.checks.append(CheckEntry())
    # The question that is worked on stays so, at its new place.
    place = state.selected - (position < state.selected)
    state.selected = min(place, len(state.checks) - 1)


def is_empty(plan: AuditPlan) -> bool:
    """Whether nothing was asked that a report could answer."""
    names = ("checks", "errors", "remedies", "presets", *(kind.name for kind in FOLLOW_UPS))
    return not any(getattr(plan, name) for name in names)


def say_what_is_hidden(state: AuditState) -> None:
    """Say what the report will lack where small counts are hidden; nothing where they are not."""
    if not state.small_cells.mask:
        return
    plan = state.plan(fingerprint=False)
    if plan is None:
        return
    if unseen := [kind.name for kind in FOLLOW_UPS if getattr(plan, kind.name)]:
        with st.container(horizontal=True, vertical_alignment="center", key="report_unseen"):
            names = {"names": Phrase("; ".join(MORE[name] for name in unseen))}
            st.caption(literal(say(Message("report-unseen", names))))
            leave = say(Message("report-page-leave-out", {"n": Count(len(unseen))}))
            st.button(leave, key="report_leave_unseen", on_click=_leave_out, args=(state, unseen))


def _leave_out(state: AuditState, names: list[str]) -> None:
    for name in names:
        setattr(state, f"{name}_in_report", False)
        st.session_state[f"report_{name}"] = False


def show_remedies(state: AuditState) -> None:
    """Draw the list of remedies that the audit keeps, what each changed, and what can be done with it."""
    kept = [entry.plan for entry in state.remedies if goes_with(entry.plan, state.decision.kind)]
    if not kept:
        return
    st.subheader("Remedies tried", anchor=False)
    if state.models is None:
        st.warning(say(Message("report-page-no-columns")))
        first = remedy_pages(state.decision.kind)[0]
        next_step(first.path, "Choose columns")
        return
    if any(page_of(entry.plan.method).is_search and not entry.in_report for entry in state.remedies):
        st.caption(say(Message("report-page-last")))
    places = beside("report_remedies")
    for position, plan in enumerate(kept):
        with places[position % 2], st.container(border=True, key=f"report_remedy_card_{position}"):
            _remedy_card(state, position, plan, numbered_name(state, plan))
    next_step("pages/17_Compare.py", "Compare remedies")


def _remedy_card(state: AuditState, position: int, plan: RemedyPlan, name: str) -> None:
    fitted = trying.to_end(state, plan)
    said = _not_fitted(state, plan) if fitted is None else answer_of(fitted)
    st.markdown(f"{in_bold(name)}  \n{literal(said, limit=900)}")
    with st.container(horizontal=True, vertical_alignment="center"):
        if fitted is not None:
            show_chip(verdict_chip(say_remedy(fitted.candidate.finding, fitted.facts)))
        trying.tick_report(state, plan, "In the report", key=f"report_remedy_in_{position}")
        trying.offer_look(state, plan, key=f"report_remedy_open_{position}")
        st.button("Remove", key=f"report_remedy_remove_{position}", on_click=state.leave, args=(plan,))


def _not_fitted(state: AuditState, plan: RemedyPlan) -> str:
    if state.find_fitted(plan) is None:
        return say(Message("report-page-not-made"))
    if state.find_current(plan) is None:
        return say(Message("report-page-old"))
    return say(Message("report-page-unended"))
