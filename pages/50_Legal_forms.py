"""The table that a rule prescribes, filled from the data."""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from fairaudit.errors import FairauditError
from ui.frame import errors_shown, need, next_step, open_page, show_error, show_mismatch, show_question
from ui.presets import entries as preset_entries
from ui.presets import views as preset_views
from ui.steps import no_cases
from ui.text import stated
from ui.widgets import end_page, keep_shape

TITLE = "Legal forms"

state = open_page(TITLE)
# A page with an answer begins with it; which form, and of which columns, are settings then.
answered = not no_cases(state) and preset_views.is_answered(state)
if not answered:
    show_question(TITLE, stated("form-question"))
need(state)
show_mismatch(state)
answer = st.container(key="form_answer")
settings: DeltaGenerator
more: DeltaGenerator
if answered:
    settings = st.expander(stated("form-change"), key=preset_views.SETTINGS, on_change="rerun")
    more = st.expander(stated("form-more"), key="form_more", on_change="rerun")
else:
    settings, more = st.container(), st.container()
finding, plan, error = None, None, None
with settings:
    with errors_shown():
        file = preset_views.choose_form(state)
    if file is None:
        keep_shape("forms", state.data_key, answered=False, was=answered)
        end_page()
    try:
        part = preset_views.show_columns(state, file)
        plan = None if part is None else preset_views.plan_of(state, file.preset, part)
        if part is not None and plan is not None:
            with answer, st.spinner("Counting …"):
                finding = preset_entries.filled(state, plan, part)
    except FairauditError as caught:
        error = caught
keep_shape("forms", state.data_key, answered=finding is not None, was=answered)
if error is not None:
    with settings:
        show_error(error)
        if plan is not None:
            next_step("pages/2_Groups.py", "Change the filter")
if finding is None:
    with more:
        preset_views.show_rule(file.preset)
    end_page()

with answer:
    preset_views.show_context(state, finding)
    preset_views.show_answer(finding)
with st.bottom:
    preset_views.show_ways_on(state, finding)
with more:
    preset_views.show_tables(finding)
    preset_views.show_computed(finding)
    preset_views.show_audit(state, finding)
    preset_views.show_rule(finding.preset)
