"""The answer of a check: the question above it, the figures and their chart, and where to go from there."""

from __future__ import annotations

from dataclasses import replace
from types import ModuleType
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from fairaudit.audit.result import CheckFinding
from fairaudit.findings import Phrase
from fairaudit.measure.bands import stratum_filter
from fairaudit.measure.results import ControlledBounds, Stratified
from fairaudit.measure.within import strata_apart
from fairaudit.messages import say
from fairaudit.plan.fields import form_of
from fairaudit.plan.questions import CheckPlan
from fairaudit.present import naming, numbers
from fairaudit.present.cases import say_undecided, unknown_sentence
from fairaudit.present.gap_texts import texts_of
from fairaudit.present.verdicts import figures
from fairaudit.sections.check import tables
from fairaudit.sections.check.levels import levels_tables
from fairaudit.sections.check.reading import levels_of
from fairaudit.sections.check.saying import on_said_side, said_of
from fairaudit.sections.detectable import say_more_rows
from ui.check.comparable import show_compare_otherwise
from ui.check.population import joined, narrow, undo
from ui.check.questions import ask_another, asked_of_check, choose_question, show_asked
from ui.data.predictions import decision_noun
from ui.frame import next_step
from ui.look import beside
from ui.manual import offer_manual
from ui.remedies.registry import remedy_pages
from ui.result import show_brief_figures, show_table
from ui.state import AuditState, get_state
from ui.steps import CHOOSER
from ui.text import labels, literal, shortened, stated
from ui.widgets import IN_REPORT, ask, start

# One press that asks about a stratum alone that the average hides.


def show_one_stratum(finding: CheckFinding, strata: Stratified) -> None:
    """Offer the first of its strata that the average of all hides, or the way back from it."""
    state = get_state()
    if apart := strata_apart(strata):
        added = stratum_filter(apart[0].values, finding.plan.strata_cuts)
        st.button(
            f"Check only {literal(shortened(apart[0].name))}",
            key="check_only_stratum",
            on_click=narrow,
            args=(state, added),
            help=literal(f"Adds {added} to the filter of this question. It can be undone.", limit=300),
        )
    elif len(strata.strata) == 1 and _was_narrowed(
        state, stratum_filter(strata.strata[0].values, finding.plan.strata_cuts)
    ):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(stated("groups-filter-now", filter=Phrase(state.check.where or ""), limit=400))
            st.button("Undo", key="check_only_stratum_undo", on_click=undo, args=(state,))


def _was_narrowed(state: AuditState, added: str) -> bool:
    """Say whether the last change of the filter added this condition."""
    before = state.entry.undo
    return bool(before) and state.check.where == joined(before[-1] or None, added)


# The line above the answer to a question, and the way to change it.


def show_context(state: AuditState) -> None:
    """Draw which of several questions is asked, who is compared, among which cases, and what leads to another one."""
    with st.container(horizontal=True, vertical_alignment="center", key="result_about"):
        choose_question(state)
        if (asked := asked_of_check(state)) is not None:
            show_asked(asked)
        next_step("pages/2_Groups.py", "Change")
        offer_manual()


# The verdict of a check: the sentence first, then the numbers, the chart and the table.

CONFIDENCES = (0.90, 0.95, 0.99)


def show_settings(state: AuditState) -> None:
    """Draw the tolerance in one line with its reason, and what few people change about the selected question."""
    if 100 * state.check.tolerance > state.most_points:
        state.most_points = 100.0
    left, right = beside("check_settings", (3, 2), small=True)
    tolerance = form_of(CheckPlan, "tolerance")
    first, most = tolerance.shown(state.check.tolerance), state.most_points
    points = ask_of_check(state, "tolerance", left, first=first, max_value=most)
    with right, st.expander("Confidence, dependent rows", key="check_confidence_fold"):
        confidence = choose_confidence(state)
        columns = [name for name in state.present_table.columns if name != state.present_decision.column]
        label = labels(columns)
        cluster = ask_of_check(
            state,
            "cluster",
            options=[None, *columns],
            format_func=lambda name: "none" if name is None else label(name),
        )
    state.change_check(tolerance=tolerance.taken(points), confidence=confidence, cluster=cluster)


def ask_of_check(state: AuditState, name: str, place: DeltaGenerator | ModuleType = st, **given: Any) -> Any:
    """Draw a field of the selected question, which starts from what is asked; `given` is what only the page knows."""
    first = {"key": f"check_{name}_{state.selected}", "first": getattr(state.check, name)}
    return ask(CheckPlan, name, place, **first | given)


def choose_confidence(state: AuditState) -> float:
    """Draw the confidence of the selected question and return what is chosen."""
    options = sorted({*CONFIDENCES, state.check.confidence})
    return ask_of_check(state, "confidence", options=options, format_func=numbers.confidence_text)


def show_answer(state: AuditState, finding: CheckFinding, columns: tuple[str, ...]) -> None:
    """Draw the exact figures of the answer, and what makes it doubtful; `columns` are those of both groups, or all."""
    lacking, turned, number = _lacking(state), on_said_side(finding), state.selected + 1
    texts, is_turned = texts_of(finding.result), finding.names.of_unfavorable
    shown = figures(turned.result, finding.names, is_turned=is_turned, lacking=lacking)
    show_brief_figures(shown, tolerance=texts.limit)
    written = tables.figures_of(finding, is_turned=is_turned)
    table = tables.groups_table(turned, number, written)
    verb = said_of(finding)
    labelled = table.columns
    if not isinstance(finding.result, ControlledBounds):
        labelled = tuple(replace(each, label=verb) if each.name == "positives" else each for each in labelled)
    show_table(replace(table, columns=labelled), columns=columns)
    for gap_table in written.gap_tables(finding, number):
        show_table(gap_table)
    if note := texts.note:
        st.caption(literal(note, limit=600))
    show_more_rows(finding)
    if finding.plan.limit(finding.decision.kind) is None:
        st.caption(stated("check-tolerance-proposed"))
    left_out = (unknown_sentence(finding), say(say_undecided(finding, lacking)))
    for warning in (*left_out, *finding.result.warnings):
        if warning:
            st.warning(literal(warning, limit=900))


def show_levels(finding: CheckFinding, number: int) -> None:
    """Draw who got which level, in all tables, and of what the figures below are; nothing without levels."""
    if (levels := levels_of(finding)) is None:
        return
    for table in levels_tables(levels, finding.names, number):
        show_table(table)
    st.caption(stated("levels-yes-no", verb=finding.names.verb))


def _lacking(state: AuditState) -> str:
    """Return what rows lack that are left out of the check: a decision, or an outcome."""
    return naming.a(decision_noun(state))


def show_more_rows(finding: CheckFinding) -> None:
    """Draw, where the answer is not clear, which gaps these rows let one see and how many it would take."""
    if levels_of(finding) is None and (more_rows := say(say_more_rows(finding))):
        st.caption(literal(more_rows, limit=600))


# Where to go from an answer: one button that leads on, and links beside it.


def show_ways_on(state: AuditState, finding: CheckFinding) -> None:
    """Draw the button that leads on from the answer of the selected question, and two links."""
    with st.container(horizontal=True, vertical_alignment="center", key="check_ways"):
        next_step("pages/4_Report.py", "Go to the report", first=True)
        if state.present_table.partial_counts is not None:
            return
        # What goes deeper can count closed cases alone.
        if goes_deeper := not state.check.counts_open:
            next_step("pages/7_Explain.py", "What explains it")
        if goes_deeper and remedy_pages(state.present_decision.kind) and not finding.result.has_one_decision:
            next_step(CHOOSER, "Try a remedy")
        show_compare_otherwise(state)


def show_other_ways(state: AuditState) -> None:
    """Draw what else can be done with the selected question."""
    is_exact = state.present_table.partial_counts is None
    with st.container(horizontal=True, vertical_alignment="center", key="check_other_ways"):
        if is_exact and (state.prediction or state.score) and state.present_decision.kind.has_good_outcome:
            next_step("pages/5_Errors.py", "Errors of the prediction")
        if is_exact and state.present_decision.kind.has_good_outcome:
            next_step("pages/8_Change.py", "Change over time")
        if st.button("Ask another question", key="check_another", help="Keeps this one and starts a new comparison."):
            ask_another(state)
        ticked = start(f"check_in_report_{state.selected}", state.entry.in_report)
        state.entry.in_report = st.checkbox(IN_REPORT, key=ticked)
