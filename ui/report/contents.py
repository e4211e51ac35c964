"""What goes into the report: questions and remedies, what it says about itself, and whether small counts are hidden."""

from __future__ import annotations

import datetime
from contextlib import suppress
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from fairaudit.catalog import SECTIONS
from fairaudit.errors import FairauditError
from fairaudit.findings import Count, Message, Phrase
from fairaudit.messages import say
from fairaudit.plan.audit_plan import AuditPlan, SmallCellsPlan, goes_with
from fairaudit.remedies.plans import RemedyPlan
from fairaudit.report.first_pages import say_asked
from fairaudit.report.published import listed_plan
from fairaudit.sections.check import say_check
from fairaudit.sections.remedy import say_remedy
from ui.check.errors import asked_words, chips_beside
from ui.check.questions import ask_another, choose, finding_of
from ui.frame import errors_shown, next_step
from ui.look import beside, show_chip, show_chips
from ui.remedies import trying
from ui.remedies.outcome import answer_of
from ui.remedies.registry import page_of, remedy_pages
from ui.remedies.trying import in_bold, numbered_name
from ui.result import verdict_chip
from ui.state import AuditState, CheckEntry
from ui.steps import COMPARE
from ui.text import literal, shortened, stated
from ui.widgets import kept, start, tick_in_report

# What a report says about itself, whom it is for, and whether small counts are hidden in it.

_DATED = "report_date_offered"
"""Where the session keeps that the day was written into the report once: who empties the field wants no date."""

WHOM = {
    "committee": ("report-page-for-committee", "report-page-gets-committee"),
    "checkers": ("report-page-for-checkers", "report-page-gets-checkers"),
    "everyone": ("report-page-for-everyone", "report-page-gets-everyone"),
}
"""Whom a report may be for, by what each is called and what each gets."""

_WHOM = "report_whom"


def show_whom(state: AuditState) -> None:
    """Ask whom the report is for, and what the audit is called; for everyone affected, small counts are hidden."""

    def take() -> None:
        if st.session_state.get(_WHOM) == "everyone":
            state.small_cells = state.small_cells.model_copy(update={"mask": True})
            st.session_state["report_mask"] = True

    chosen = st.segmented_control(
        say(Message("report-page-whom")),
        list(WHOM),
        format_func=lambda whom: say(Message(WHOM[whom][0])),
        default=None if _WHOM in st.session_state else "committee",
        key=_WHOM,
        on_change=take,
    )
    st.caption(stated(WHOM[chosen or "committee"][1]))
    st.text_input(
        say(Message("report-page-asked")),
        placeholder=shortened(_proposal(state), 200),
        **_written(state, "title"),
    )


def _proposal(state: AuditState) -> str:
    """Return what the report says was asked while the person does not say it."""
    plan = state.plan(fingerprint=False)
    if plan is None or plan.opens_with is None:
        return ""
    if plan.opens_with == "checks":
        entry = next(entry for entry in state.checks if entry.in_report and entry.plan.protected)
        with suppress(FairauditError):
            return say_asked(finding_of(state, entry))
    return question_name(plan.opens_with)


def is_for_checkers() -> bool:
    """Say whether the report is for people who check it, who read the annexes first."""
    return st.session_state.get(_WHOM) == "checkers"


THIRDS = (1, 1, 1)


def show_options(state: AuditState) -> None:
    """Draw what the report says about itself and whether small counts are hidden."""
    report = state.report
    # A row each, so that they keep this order where they stand below each other.
    left, right = beside("report_title", small=True)
    left.text_input("Why this audit was made", **_written(state, "purpose"))
    right.text_input("Organisation", **_written(state, "organisation"))
    left, middle, right = beside("report_date", THIRDS, small=True)
    left.text_input("Author", **_written(state, "author"))
    _ask_date(state, middle, right)
    left, middle, right = beside("report_counts", THIRDS, small=True)
    quality = left.checkbox("What stands out in the data", key=start("report_quality", report.quality))
    definitions = left.checkbox("What the words mean", key=start("report_definitions", report.definitions))
    state.report = state.report.model_copy(update={"quality": quality, "definitions": definitions})
    mask = middle.checkbox(
        "Hide small counts",
        key=start("report_mask", state.small_cells.mask),
        help="Counts of few people can point to a person. The pages still show you everything.",
    )
    if mask:
        _ask_published(state, middle)
    minimum = right.number_input(
        "Hide counts under",
        min_value=2,
        max_value=1000,
        step=1,
        # A field that is emptied is no wish to hide less, which the smallest value would be.
        value=None,
        disabled=not mask,
        key=start("report_minimum", state.small_cells.minimum),
    )
    before = state.small_cells.minimum
    least = before if minimum is None else int(minimum)
    named = tuple(state.published) or state.small_cells.beside
    state.small_cells = SmallCellsPlan(mask=mask, minimum=least, beside=named if mask else ())
    if mask and minimum is None:
        right.caption(say(Message("report-page-minimum", {"n": Count(before)})))


def _ask_published(state: AuditState, place: DeltaGenerator) -> None:
    """Ask for reports on the same data that were published before, which small counts are hidden beside."""
    brought = place.file_uploader(
        say(Message("report-page-published")),
        type="zip",
        accept_multiple_files=True,
        key="report_published",
        help=say(Message("report-page-published-help")),
    )
    if brought:
        with errors_shown(go_on=True):
            state.published = {listed_plan(each.getvalue()): each.getvalue() for each in brought}
    if not state.published and not state.small_cells.beside:
        place.caption(say(Message("report-publish-one")))
        return
    names = Phrase(", ".join(digest[:8] for digest in tuple(state.published) or state.small_cells.beside))
    place.caption(stated("report-hidden-beside", audits=names))
    if not brought and place.button(say(Message("report-page-unpublished")), key="report_unpublished"):
        state.published = {}
        state.small_cells = state.small_cells.model_copy(update={"beside": ()})
        st.rerun()


def _ask_date(state: AuditState, field: DeltaGenerator, button: DeltaGenerator) -> None:
    """Ask for the date of the report, at first that of today; the plan keeps it, so that others get the same bytes."""
    today = datetime.date.today()
    said = f"{today.day} {today:%B %Y}"
    if _DATED not in st.session_state:
        st.session_state[_DATED] = True
        if state.report.date is None:
            _take_date(state, said)
    field.text_input(
        "Date",
        **_written(state, "date"),
        help="Printed as you write it.",
    )
    # In line with the field beside it.
    button.space("small")
    if state.report.date != said:
        button.button(f"Today, {literal(said)}", key="report_today", on_click=_take_date, args=(state, said))


def _take_date(state: AuditState, said: str) -> None:
    state.report = state.report.model_copy(update={"date": said})
    st.session_state["report_date"] = said


def _written(state: AuditState, field: str) -> dict[str, Any]:
    """Return the arguments that tie a widget to a text of the report."""

    def take(text: str) -> None:
        state.report = state.report.model_copy(update={field: text.strip() or None})

    return kept(start(f"report_{field}", getattr(state.report, field) or ""), take)


# The questions and remedies of this audit: which go into the report, which to work on.


def question_name(kind: str) -> str:
    """Return what a kind of question is called."""
    return say(Message(f"question-name-{kind}"))


def show_findings(state: AuditState) -> None:
    """Draw the list of questions with their verdicts, and what can be done with each."""
    for position, entry in enumerate(state.checks):
        if entry.plan.protected and state.decision is not None:
            with st.container(border=True, key=f"report_card_{position}"):
                _card(state, position, entry)
    with st.container(horizontal=True, vertical_alignment="center", key="report_more"):
        for name, asked in state.follow_ups.items():
            decided, label = state.decision is not None, question_name(name)
            goes = name == "inspections" or (
                decided and (name != "errors" or state.present_decision.kind.has_good_outcome)
            )
            if asked and goes:
                if name == "errors" and len(state.errors) > 1:
                    label += f": {literal('; '.join(map(asked_words, state.errors)), limit=300)}"
                tick_in_report(f"report_{name}", state.left_out, name, label=label)
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
        format_func=question_name,
        # Anew whenever other parts can be chosen.
        key=start(f"report_opens_{'_'.join(plan.asking_parts)}", plan.opens_with),
        width=320,
    )
    state.report = state.report.model_copy(update={"opens_with": chosen})


def show_missing(state: AuditState) -> None:
    """List what keeps an answer out of the report, with the way to it: columns without a reason why they may count."""
    asked = () if "explanations" in state.left_out or state.decision is None else state.explanations
    columns = dict.fromkeys(column for each in asked for column in each.lacks_reason)
    if not columns:
        return
    with st.container(key="report_missing"):
        for column in columns:
            st.warning(stated("explain-reason-missing", column=Phrase(column), limit=300))
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
    names = ("remedies", *(section.kind for section in SECTIONS))
    return not any(getattr(plan, name) for name in names)


def say_what_is_hidden(state: AuditState) -> None:
    """Say what the report will lack where small counts are hidden; nothing where they are not."""
    if not state.small_cells.mask:
        return
    plan = state.plan(fingerprint=False)
    if plan is None:
        return
    if unseen := [each.kind for each in SECTIONS if each.is_hidden_whole and getattr(plan, each.kind)]:
        with st.container(horizontal=True, vertical_alignment="center", key="report_unseen"):
            st.caption(stated("report-unseen", names=Phrase("; ".join(map(question_name, unseen)))))
            leave = say(Message("report-page-leave-out", {"n": Count(len(unseen))}))
            st.button(leave, key="report_leave_unseen", on_click=_leave_out, args=(state, unseen))


def _leave_out(state: AuditState, names: list[str]) -> None:
    for name in names:
        state.left_out.add(name)
        st.session_state[f"report_{name}"] = False


def show_remedies(state: AuditState) -> None:
    """Draw the list of remedies that the audit keeps, what each changed, and what can be done with it."""
    kept = [entry.plan for entry in state.remedies if goes_with(entry.plan, state.present_decision.kind)]
    if not kept:
        return
    st.subheader("Remedies tried", anchor=False)
    if state.models is None:
        st.warning(say(Message("report-page-no-columns")))
        first = remedy_pages(state.present_decision.kind)[0]
        next_step(first.path, "Choose columns")
        return
    if any(page_of(entry.plan.method).is_search and not entry.in_report for entry in state.remedies):
        st.caption(say(Message("report-page-last")))
    places = beside("report_remedies")
    for position, plan in enumerate(kept):
        with places[position % 2], st.container(border=True, key=f"report_remedy_card_{position}"):
            _remedy_card(state, position, plan, numbered_name(state, plan))
    next_step(COMPARE, "Compare remedies")


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
