"""Means on the page Data: whether an amount beside counts is the mean of a row's people, or what each of them has."""

from __future__ import annotations

import streamlit as st

from fairaudit.columns import Means, mean_columns
from fairaudit.data.counted_rows import count_cases
from fairaudit.findings import Count, Message, Phrase
from fairaudit.plan.outcomes import OutcomePlan
from ui.asking import Press, Question, show_answer
from ui.frame import errors_shown
from ui.state import AuditState
from ui.text import columns_named
from ui.values import open_means


def ask_about_means(state: AuditState) -> Question | None:
    """Ask what numbers beside counts are; None where nothing is open."""
    found = open_means(state)
    if not found:
        return None
    return Question(
        _named("data-ask-means", mean_columns(found)),
        Message("data-lead-means"),
        (
            Press(Message("data-means-use"), "data_means_use", lambda: _take(state, found)),
            Press(Message("data-means-leave"), "data_means_leave", lambda: _take(state, ())),
        ),
    )


def show_means(state: AuditState) -> None:
    """Say what was answered, with the press that takes it back; of counts by group, that of the counts does."""
    means = state.reading.means
    if means is None or not isinstance(state.reading.counts, str):
        return
    back = Press(Message("data-undo"), "data_means_undo", lambda: _take(state, None))
    show_answer(_named("data-means", mean_columns(means)) if means else Message("data-no-means"), back)


def _take(state: AuditState, means: Means | None) -> None:
    """Count the cases of the table anew, with these columns of means, with none, or asked about."""
    counts = state.reading.counts
    if counts is None:
        return
    with errors_shown(go_on=True):
        table = count_cases(state.present_table.without_counts, counts, means)
        state.put_table(table, source=state.source, content=state.content)
        if means and state.decision is None:
            state.decision = OutcomePlan(column=mean_columns(means)[0], amount=True)
        st.rerun()


def _named(key: str, names: tuple[str, ...]) -> Message:
    return Message(key, {"columns": Phrase(columns_named(names)), "n": Count(len(names))})
