"""The verdict of a check: the sentence first, then the numbers, the chart and the table."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from fairaudit.audit.result import AmountFinding, CheckFinding
from fairaudit.messages import say
from fairaudit.present import brief, numbers, words
from fairaudit.present.card import figures, people_figure
from fairaudit.report import tables
from fairaudit.sections.check.saying import on_said_side, said_of
from fairaudit.sections.detectable import say_more_rows
from ui.decisions import decision_noun
from ui.figures import show_brief_figures
from ui.look import beside
from ui.state import AuditState
from ui.tables import show_table
from ui.text import labels, literal
from ui.widgets import start

CONFIDENCES = (0.90, 0.95, 0.99)
QUESTION = "Tolerance"


def show_settings(state: AuditState) -> None:
    """Draw the tolerance in one line with its reason, and what few people change about the selected question."""
    if 100 * state.check.tolerance > state.most_points:
        state.most_points = 100.0
    left, right = beside("check_settings", (3, 2), small=True)
    points = left.slider(
        QUESTION,
        min_value=0.0,
        max_value=state.most_points,
        step=0.5,
        format="%g points",
        key=start(f"check_tolerance_{state.selected}", 100 * state.check.tolerance),
        help="The largest gap that you accept as equal treatment. Best set before you see the numbers.",
    )
    with right, st.expander("Confidence, dependent rows", key="check_confidence_fold"):
        confidence = choose_confidence(state)
        cluster = choose_cluster(state)
    state.change_check(tolerance=round(points / 100, 6), confidence=confidence, cluster=cluster)


def choose_cluster(state: AuditState) -> str | None:
    """Draw which column holds rows that depend on each other and return what is chosen."""
    columns = [name for name in state.table.columns if name != state.decision.column]
    label = labels(columns)
    return st.selectbox(
        "Rows that depend on each other",
        [None, *columns],
        format_func=lambda name: "none" if name is None else label(name),
        key=start(f"check_cluster_{state.selected}", state.check.cluster),
        help="Such as the officer who decided many of them. Ranges then allow for that.",
    )


def choose_confidence(state: AuditState) -> float:
    """Draw the confidence of the selected question and return what is chosen."""
    return st.select_slider(
        "Confidence",
        sorted({*CONFIDENCES, state.check.confidence}),
        format_func=numbers.confidence_text,
        key=start(f"check_confidence_{state.selected}", state.check.confidence),
        help="Higher confidence gives wider ranges.",
    )


def show_answer(state: AuditState, finding: CheckFinding) -> None:
    """Draw the exact figures of the answer, and what makes it doubtful."""
    people, turned = people_figure(finding.result, lacking=_lacking(state)), on_said_side(finding)
    shown = [
        people if one.label == people.label else one
        for one in figures(turned.result, is_turned=finding.names.of_unfavorable)
    ]
    show_brief_figures(shown, tolerance=numbers.tolerance_text(finding.result.tolerance))
    table = tables.groups_table(turned, 1, tables.share_figures(finding, is_turned=finding.names.of_unfavorable))
    verb = said_of(finding)
    columns = tuple(replace(each, label=verb) if each.name == "positives" else each for each in table.columns)
    show_table(replace(table, columns=columns))
    show_more_rows(finding)
    left_out = (words.unknown_sentence(finding), say(words.say_undecided(finding, _lacking(state))))
    for warning in (*left_out, *finding.result.warnings):
        if warning:
            st.warning(literal(warning, limit=900))


def _lacking(state: AuditState) -> str:
    """Return what rows lack that are left out of the check: a decision, or an outcome."""
    return brief.a(decision_noun(state))


def show_more_rows(finding: CheckFinding | AmountFinding) -> None:
    """Draw, where the answer is not clear, which gaps these rows let one see and how many it would take."""
    if more_rows := say(say_more_rows(finding)):
        st.caption(literal(more_rows, limit=600))
