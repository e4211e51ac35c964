"""What searches found as the page shows it: the answer and its picture, and under More all figures."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from fairaudit.audit.result import InspectionFinding
from fairaudit.findings import Message, Phrase
from fairaudit.messages import say
from fairaudit.report import follow_up_tables as tables
from fairaudit.sections.searches import read_searches, say_searches
from fairaudit.sections.searches.charts import searches_chart, searches_chart_text, searches_chart_title
from fairaudit.sections.searches.saying import MISLEADS, NOT_SAID, notes
from ui.asked import cases, show_asked
from ui.charts import show_wide_and_narrow
from ui.manual import offer_manual
from ui.result import show_caution, show_said
from ui.state import AuditState
from ui.tables import show_table
from ui.text import literal

TABS = (
    "searches-more-figures",
    "searches-more-model",
    "searches-more-light",
    "searches-more-settings",
    "searches-more-computed",
)


def tabs() -> Sequence[DeltaGenerator]:
    """Return the parts of More."""
    return st.tabs([literal(say(Message(key))) for key in TABS])


def show_context(state: AuditState, finding: InspectionFinding) -> None:
    """Draw which groups are compared, who was looked at, and the way to the manual."""
    group = Phrase(finding.group_words)
    asked = Message("searches-context", {"group": group, "cases": cases(state, finding.plan.where)})
    with st.container(horizontal=True, vertical_alignment="center", key="result_about"):
        show_asked(asked)
        offer_manual()


def show_answer(finding: InspectionFinding) -> None:
    """Draw the answer and its chart, with what makes the reader careful."""
    said = say_searches(finding)
    show_said(said)
    if read_searches(finding).verdict != "nothing_to_compare":
        show_wide_and_narrow(
            searches_chart(finding),
            searches_chart(finding, narrow=True),
            title=searches_chart_title(finding),
            description=searches_chart_text(finding),
        )
    show_caution(said)


def show_figures(finding: InspectionFinding) -> None:
    """Draw what was found in each group, the differences of all, and those inside the strata."""
    show_table(tables.hit_rates_table(finding, 1), columns=tables.HIT_RATES)
    names = tables.GAPS if finding.outcome.strata else tables.GAPS[:5]
    show_table(tables.hit_gaps_table(finding, 1), columns=names)
    if finding.outcome.strata:
        table = tables.hit_strata_table(finding, 1)
        with st.expander(literal(table.title, limit=120)):
            show_table(table)
    for warning in finding.outcome.warnings:
        st.warning(literal(warning, limit=600))


def show_computed() -> None:
    """Draw when finds mislead, and what none of this says."""
    for text in notes((*MISLEADS, *NOT_SAID)):
        st.markdown(f"- {literal(text, limit=600)}")
