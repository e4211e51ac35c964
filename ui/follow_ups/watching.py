"""The form and the answer of the page "Watch"."""

from __future__ import annotations

from zlib import crc32

import streamlit as st

from fairaudit.measure.periods import period_columns
from fairaudit.messages import say
from fairaudit.sections.watch.answering import run_watch
from fairaudit.sections.watch.charts import watch_chart, watch_chart_text, watch_chart_title
from fairaudit.sections.watch.finding import WatchFinding
from fairaudit.sections.watch.plan import WatchPlan
from fairaudit.sections.watch.saying import how_watched, say_watch, verdict_of, watch_tables
from ui.result import show_caution, show_listed, show_picture, show_said, show_table
from ui.state import AuditState, with_question
from ui.text import stated
from ui.widgets import ask


def asked_before(state: AuditState) -> WatchPlan | None:
    """Return what was asked last for the selected question."""
    key = (state.check.where, state.check.protected)
    return next((plan for plan in state.watches if (plan.where, plan.protected) == key), None)


def about(state: AuditState) -> str:
    """Return what tells the widgets of one question from those of another one."""
    return f"{crc32(f'{state.data_key} {state.check.where} {state.check.protected}'.encode()):x}"


def proposed(state: AuditState) -> str | None:
    """Return the column of batches that was chosen or, where nobody has chosen, the only one that holds days."""
    if (before := asked_before(state)) is not None:
        return before.batches
    columns = state.present_table.columns
    days = [name for name in _columns(state) if columns[name].kind != "number"]
    return days[0] if len(days) == 1 else None


def choose(state: AuditState) -> WatchPlan | None:
    """Draw the form and return the question; None while no column says what a batch is."""
    columns = _columns(state)
    if not columns:
        st.info(stated("watch-no-column"))
        return None
    key, first = f"watch_batches_{about(state)}", proposed(state)
    batches = ask(WatchPlan, "batches", key=key, first=first, options=columns)
    if batches is None:
        st.info(stated("watch-choose-column"))
        return None
    check = state.check
    return WatchPlan(
        batches=batches,
        where=check.where,
        protected=check.protected,
        protected_name=check.protected_name,
        others_name=check.others_name,
        tolerance=check.tolerance,
        confidence=check.confidence,
    )


def _columns(state: AuditState) -> tuple[str, ...]:
    return period_columns(state.present_table, state.present_decision.column)


def answer(state: AuditState, plan: WatchPlan) -> WatchFinding:
    """Return the answer, computed once for these settings, and keep the question for the report."""
    whole = state.present_plan(fingerprint=False)
    finding = state.remember("watch", (plan, whole.decision), lambda: run_watch(state.present_table, whole, plan))
    state.watches = with_question(state.watches, plan)
    return finding


def show_answer(finding: WatchFinding) -> None:
    """Draw the answer and its picture, with what makes the reader careful."""
    said = say_watch(finding)
    show_said(said)
    if verdict_of(finding) != "nothing_to_compare":
        show_picture(finding, watch_chart, watch_chart_title, watch_chart_text)
    show_caution(said)


def show_figures(finding: WatchFinding) -> None:
    """Draw what was known after each batch."""
    st.subheader(stated("watch-more-figures"), anchor=False)
    for table in watch_tables(finding, 1):
        show_table(table)


def show_computed(finding: WatchFinding) -> None:
    """Draw what the evidence and the range are, and how the next batches are watched."""
    st.subheader(stated("watch-more-computed"), anchor=False)
    show_listed(map(say, how_watched(finding)))
    st.markdown(stated("watch-next"))
