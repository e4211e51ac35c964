"""Whether a report is as it was written, and whether its data give it again."""

from __future__ import annotations

import streamlit as st

from ui.frame import errors_shown, open_page, show_question
from ui.report import checking
from ui.text import stated

TITLE = "Check a report"

state = open_page(TITLE)
if state.verified is None:
    show_question(TITLE, stated("verify-page-lead"))
answer = st.container(key="verify_answer")
with errors_shown(go_on=True):
    checking.bring(state)
if state.verified is not None:
    with answer:
        checking.show(state.verified)
    with st.expander(stated("verify-page-more"), key="verify_more"):
        checking.show_more(state.verified)
