"""Which remedy fits: three questions, and a way to each."""

from __future__ import annotations

import streamlit as st

from fairaudit.plan.names import verb_of
from ui.frame import need, open_page
from ui.remedies import choosing
from ui.remedies.learning_panel import warn_of_strata
from ui.text import stated

state = open_page(stated("choose-question"), stated("choose-lead"))
need(state, decision=True, protected=True)
warn_of_strata(state)
if state.present_decision.levels:
    st.caption(stated("levels-yes-no", verb=verb_of(state.present_decision)))
choice = st.container(key="remedies_choice")
with st.expander(stated("choose-fit"), key="remedies_fit", on_change="rerun"):
    wanted = choosing.ask(state)
with choice:
    choosing.show_choice(state, wanted)
