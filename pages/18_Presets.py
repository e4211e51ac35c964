"""The table that a rule prescribes, filled from the data."""

from __future__ import annotations

import streamlit as st

from ui.frame import errors_shown, need, open_page, show_mismatch
from ui.look import settings_and_result
from ui.presets import entries as preset_entries
from ui.presets import views as preset_views
from ui.widgets import end_page

state = open_page(
    "Legal forms",
    "Fills in the tables that a rule on hiring, lending or pay asks for: rates, ratios, gaps, who is left out. It "
    "compares groups as a whole. Check asks whether like cases are treated alike.",
)
need(state)
show_mismatch(state)

with errors_shown():
    file = preset_views.choose_form(state)

settings, result = settings_and_result()
with settings, errors_shown():
    part = preset_views.show_columns(state, file)
with result:
    if part is None:
        end_page()
    plan = preset_views.plan_of(state, file.preset, part)
    if plan is None:
        end_page()
    with errors_shown(way=("pages/2_Groups.py", "Change the filter")), st.spinner("Counting …"):
        finding = preset_entries.filled(state, plan, part)
    preset_views.show_answer(state, finding)
    preset_views.show_actions(state, finding)
    preset_views.show_tables(finding)
