"""Bring a table, see how it was read, and say what was decided and what in it is good for people."""

from __future__ import annotations

import streamlit as st

from fairaudit.data.engines.table import ConnectedTable
from fairaudit.errors import expect
from fairaudit.findings import Count, Message, Phrase
from fairaudit.messages import say
from ui.data import codes, connecting, counting, measuring, quality, questions, reading, roles, weighing
from ui.data.loading import show_former
from ui.data.reading import show_two_readings
from ui.frame import keep_way, next_step, open_page, show_mismatch
from ui.manual import offer_manual
from ui.result import show_rows
from ui.state import get_state
from ui.text import literal, stated
from ui.values import asks_what_rows_are
from ui.widgets import end_page


def is_read() -> bool:
    """Say whether there is a table, and no question how a file is to be read."""
    now = get_state()
    return now.table is not None and now.asked_file is None


state = open_page("Data", "" if is_read() else say(Message("data-question")))
if not is_read():
    reading.bring_table(state)
    reading.show_refused(state)
    if state.asked_file is not None:
        show_two_readings(state)
    elif state.opened_plan is not None:
        awaited = Phrase(connecting.awaited_words(state.opened_plan))
        st.info(stated("data-awaited", awaited=awaited, limit=400))
    end_page()

table = state.present_table
with st.container(horizontal=True, vertical_alignment="center", key="result_about"):
    size = say(Message("data-sizes", {"rows": Count(table.n_rows), "columns": Count(len(table.columns))}))
    st.markdown(f"{literal(table.name, limit=80)} · {size}", width="content")
    with st.popover(say(Message("data-another")), type="tertiary"):
        reading.bring_table(state)
    offer_manual()
reading.show_refused(state)
show_mismatch(state)
show_former(state)
asked = questions.show_questions(state)
state.is_asking = bool(asked)
if not asks_what_rows_are(state):
    roles.show_decision(state)
# In a part of its own, so that the panel below stays the same one when the sentence goes.
with st.container():
    roles.say_predicted(state)
if table.is_connected:
    where = connecting.where_words(expect(ConnectedTable, table))
    st.caption(f"This is {literal(where, limit=200)}. {connecting.STAY}")
show_rows(state.remember("head", 100, lambda: table.as_printed.head(100)), alt="The first 100 rows of the table")
# In a part of their own, so that one more moves nothing below: a press there would lose the focus of the keyboard.
with st.container():
    for note in (*reading.plan_notes(state), *reading.name_notes(state), *questions.notes_beside(state)):
        st.caption(f":material/info: {literal(note, limit=400)}")
measuring.show_measure(state)
with st.expander(
    quality.more_label(state),
    expanded=roles.is_asked(state),
    key="data_more",
    on_change="rerun",
):
    roles.show_more_roles(state)
    codes.show_codes(state)
    if table.is_connected or any(column.kind == "number" for column in table.columns.values()):
        with st.expander(say(Message("data-rows-count")), expanded=table.design is not None, key="data_rows_count"):
            counting.offer_counting(state)
            weighing.show_weights(state)
    (connecting.show_connection if table.is_connected else reading.show_reading)(state)
    st.header("Is the table sound?")
    with st.container(key="data_sound"):
        quality.show_quality(state)
if not asked:
    with st.bottom:
        decided = None if state.decision is None else table.columns.get(state.decision.column)
        if decided is not None and decided.is_mean:
            # Nothing but forms on pay takes means.
            next_step("pages/50_Legal_forms.py", say(Message("data-next-form")), first=True)
        else:
            next_step("pages/2_Groups.py", say(Message("data-next")), first=True)
keep_way(state)
