"""Remedies of a saved audit whose decision is an amount: they are made together with the report."""

from __future__ import annotations

import streamlit as st

from fairaudit.plan_amounts import goes_with
from fairaudit.report.numbers import count_text
from ui import compare_views, remedies
from ui.state import AuditState
from ui.text import literal

INSTEAD = (
    "Trees of amounts run from a plan, on the command line or when it is opened as a saved audit and its report is "
    "made on the page Report, and from Python with OptimalTreeRegressor."
)
"""What to do about trees of amounts, where a page cannot find them."""


def show_amount_remedies(state: AuditState) -> None:
    """Draw the list of plain models and trees that a saved audit of amounts keeps, and what can be done with each.

    Parameters
    ----------
    state : AuditState
        The audit, whose decision is an amount.
    """
    # Imported on first use: names of remedies need what makes them.
    from fairaudit.study.amount_trying import amount_remedy_name

    plans = [entry.plan for entry in state.remedies if goes_with(entry.plan, amount=True)]
    if not plans or state.models is None:
        return
    st.subheader("Remedies", anchor=False)
    n = "One remedy is" if len(plans) == 1 else f"{count_text(len(plans))} remedies are"
    st.caption(f"{n} made and judged on held-out rows when the report is made.")
    for position, plan in enumerate(plans):
        with st.container(border=True, key=f"report_amount_card_{position}"):
            st.markdown(f"**{literal(amount_remedy_name(plan), limit=compare_views.LONGEST + 10)}**")
            with st.container(horizontal=True, vertical_alignment="center"):
                remedies.tick_report(state, plan, "In the report", key=f"report_amount_in_{position}")
                st.button("Remove", key=f"report_amount_remove_{position}", on_click=state.leave, args=(plan,))
