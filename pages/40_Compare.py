"""Which remedies of this audit meet the limit, and what they cost, on the same test cases."""

from __future__ import annotations

import streamlit as st

from fairaudit.findings import Message
from fairaudit.messages import say
from ui.frame import open_page, show_question
from ui.remedies import comparison, trying
from ui.remedies.learning_panel import open_study
from ui.steps import no_groups
from ui.text import literal, stated

COMPUTED = ("compare-computed-limit", "compare-computed-certified", "compare-computed-own", "compare-computed-picked")
TITLE = "Compare remedies"

state = open_page(TITLE)
# A page with an answer begins with it; what models learn from is a setting then.
answered = not no_groups(state) and comparison.is_answered(state)
if not answered:
    show_question(TITLE, stated("compare-question"))
answer = st.container(key="compare_answer")
if answered:
    more = st.expander(stated("compare-more"), key="compare_more", on_change="rerun")
    figures, trade, report, settings, computed = (more.container() for _ in range(5))
    settings.subheader(stated("compare-more-settings"), anchor=False)
    report.subheader(stated("compare-more-report"), anchor=False)
else:
    more = st.expander(stated("compare-more-kept"), key="compare_kept", on_change="rerun")
    report, settings = more.container(), more.container()
with settings:
    study = open_study(state, any_decision=True)
views = comparison.COMPARE_VIEWS[state.present_decision.kind]
with answer:
    trying.show_all_fits(state)
    findings = views.findings(state, study)
    if answered:
        comparison.show_context(state, findings)
    if findings.remedies:
        comparison.show_answer(state, findings)
    else:
        st.info(comparison.none_made(state))
with st.bottom:
    comparison.show_next(state, study, is_answered=answered)
if answered:
    with figures:
        views.figures(state, study, findings)
    with trade:
        st.subheader(stated("compare-more-trade"), anchor=False)
        comparison.show_trade(findings, views.comparison(state, study, findings))
    with computed:
        st.subheader(stated("compare-more-computed"), anchor=False)
        st.markdown(literal(say(tuple(map(Message, COMPUTED))), limit=900))
with report:
    views.offer_models(state, study)
    if answered:
        comparison.offer_missing(state, study)
    comparison.show_entries(state, study)
