"""What a report says about itself, whom it is for, and whether small counts are hidden in it."""

from __future__ import annotations

import datetime
from contextlib import suppress
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from fairaudit.errors import FairauditError
from fairaudit.findings import Count, Message, Word
from fairaudit.messages import say
from fairaudit.plan import SmallCellsPlan
from fairaudit.report.first_pages import say_asked
from ui.check.questions import finding_of
from ui.look import beside
from ui.state import AuditState
from ui.text import literal, shortened
from ui.widgets import kept, start

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
    st.caption(literal(say(Message(WHOM[chosen or "committee"][1]))))
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
    return say(Message("report-page-opens-with", {"part": Word(plan.opens_with)}))


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
        middle.caption(say(Message("report-publish-one")))
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
    state.small_cells = SmallCellsPlan(mask=mask, minimum=before if minimum is None else int(minimum))
    if mask and minimum is None:
        right.caption(say(Message("report-page-minimum", {"n": Count(before)})))


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
