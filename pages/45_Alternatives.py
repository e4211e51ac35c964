"""Whether another model serves as well as the one in use, with a smaller gap."""

from __future__ import annotations

import streamlit as st

from fairaudit.findings import Message
from fairaudit.messages import say
from ui import alternatives
from ui.frame import next_step, open_page, show_mismatch, show_question
from ui.remedies.learning_panel import open_study
from ui.steps import no_groups
from ui.text import stated
from ui.widgets import tick_in_report

TITLE = "Alternatives"

state = open_page(TITLE)
show_mismatch(state)
# Until there is an answer, what is searched is all that stands here; then it is a setting like others.
answered = not no_groups(state) and alternatives.is_answered(state)
if not answered:
    show_question(TITLE, say(Message("alternatives-question")))
answer = st.container(key="alternatives_answer")
more = st.expander(stated("alternatives-more"), key="alternatives_more") if answered else st.container()
with more:
    search, figures, settings = (st.container() for _ in range(3))
with settings:
    if answered:
        st.subheader(stated("alternatives-more-settings"), anchor=False)
    study = open_study(state)
    asked = alternatives.show_settings(state, has_similar=study.inside is not None)
found = state.searched.get(state.search_key(asked))
with answer:
    if found is None:
        alternatives.show_under_way(state, asked)
    else:
        alternatives.show_context(found)
        alternatives.show_answer(found)
if found is not None:
    with search:
        alternatives.show_search(found)
    with figures:
        alternatives.show_figures(found)
with st.bottom, st.container(horizontal=True, vertical_alignment="center", key="alternatives_ways"):
    if found is None:
        alternatives.offer_search(state, asked)
    else:
        next_step("pages/4_Report.py", "Go to the report", first=True)
        next_step("pages/20_Remedies.py", "Try a remedy")
with settings:
    tick_in_report("alternatives_in_report", state.left_out, "alternatives")
if answered != (found is not None):
    # The form stands in the wrong place: above an answer, or below none.
    st.rerun()
