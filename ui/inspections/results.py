"""Hit rates as the page shows them: the answer and when it misleads on the left, the chart on the right."""

from __future__ import annotations

import streamlit as st

from fairaudit.audit.inspection_results import InspectionFinding
from fairaudit.present import inspection_words as words
from fairaudit.present.charts import inspections as charts
from fairaudit.report import inspection_tables as tables
from ui.charts import show_chart
from ui.look import beside, show_chip
from ui.tables import show_table
from ui.text import literal


def show_hit_rates(finding: InspectionFinding) -> None:
    """Draw the answer, its chart and its warnings."""
    left, right = beside("searches_answer")
    with left, st.container(border=True, key="searches_verdict"):
        show_chip(words.outcome_chip(finding))
        st.header(literal(words.outcome_headline(finding), limit=900), anchor=False)
        st.markdown(literal(words.outcome_details(finding), limit=1500))
        if finding.outcome.rates_disagree:
            st.markdown(literal(words.DISAGREE, limit=600))
        with st.expander("When hit rates mislead"):
            st.markdown(literal(words.MISLEADS, limit=1500))
    with right, st.container(border=True, key="searches_chart"):
        show_chart(
            charts.hit_rates_chart(finding),
            title="Of those looked at, share in which something was found",
            description=charts.hit_rates_alt(finding),
            note=charts.hit_rates_note(finding),
        )
        with st.expander("The same as a table"):
            show_table(tables.hit_rates_table(finding, 1), columns=tables.HIT_RATES)
    for warning in finding.outcome.warnings:
        st.warning(literal(warning, limit=600))


def show_differences(finding: InspectionFinding) -> None:
    """Draw the differences of all groups, and those inside the strata."""
    names = tables.GAPS if finding.outcome.strata else tables.GAPS[:5]
    show_table(tables.hit_gaps_table(finding, 1), columns=names)
    if finding.outcome.strata:
        table = tables.hit_strata_table(finding, 1)
        with st.expander(literal(table.title, limit=120)):
            show_table(table)
    for text in words.NOT_SAID:
        st.markdown(f"- {literal(text, limit=600)}")
