"""What is open of a table, in the order in which it is asked: the page Data, its headline and its count follow it."""

from __future__ import annotations

import streamlit as st

from fairaudit.columns import mean_columns
from fairaudit.data.counted_rows import counts_said, means_said
from fairaudit.data.said_values import notes_of
from fairaudit.messages import say
from ui.asking import Question, ask_first
from ui.data import (
    averages,
    boxes,
    codes,
    counting,
    open_values,
    quality,
    roles,
    rows_of_file,
    texts,
    weighing,
)
from ui.result import show_said
from ui.state import AuditState
from ui.text import OPEN_CODES


def open_questions(state: AuditState) -> tuple[Question, ...]:
    """Return all that is open: first what a row is, then what values mean, then what is decided and of whom."""
    written = texts.texts_in(state)
    # What is no number among numbers would be missing: that is asked once.
    named = {each.column for each in written}
    values = [each for each in open_values.open_in(state) if each.column not in named]
    found = (
        rows_of_file.ask_merged(state),
        counting.ask_what_rows_are(state),
        averages.ask_about_means(state),
        weighing.ask_about_weights(state),
        *texts.ask_texts(state, written),
        *open_values.questions(state, values, key="data_open"),
        *codes.ask_codes(state),
        roles.ask_decision(state),
        quality.ask_what_is_a_case(state),
        quality.ask_what_is_compared(state),
        boxes.ask_what_is_ticked(state),
        *codes.ask_order(state, st.session_state.get(OPEN_CODES, ())),
    )
    return tuple(each for each in found if each is not None)


def show_questions(state: AuditState) -> tuple[Question, ...]:
    """Draw the first open question, or what the table says where none is open, and what was answered before."""
    found = open_questions(state)
    if found:
        ask_first(found)
    else:
        show_said(roles.say_table(state))
    rows_of_file.show_filled(state)
    counting.show_what_rows_are(state)
    averages.show_means(state)
    weighing.show_weighted(state)
    quality.show_what_is_a_case(state)
    quality.show_what_is_compared(state)
    open_values.show_answers(state)
    texts.show_kept_texts(state)
    boxes.show_what_was_made(state)
    return found


def notes_beside(state: AuditState) -> tuple[str, ...]:
    """Return the notes of the table but those that a question or an answer above says."""
    said = [counts_said(state.present_table), rows_of_file.merged_said(state)]
    if isinstance(state.reading.counts, str) and state.reading.means:
        said.append(means_said(mean_columns(state.reading.means)))
    above = {*notes_of(state.reading), *(say(each) for each in said if each is not None)}
    return tuple(note for note in state.present_table.notes if note not in above)
