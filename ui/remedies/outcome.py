"""What a remedy did, as its page shows it: the sentence, before and after, and what to keep in mind."""

from __future__ import annotations

from collections.abc import Iterable

import streamlit as st

from fairaudit.present.blocks import Table
from fairaudit.remedies.shared import charts as charts
from fairaudit.remedies.shared import words as remedy_words
from fairaudit.remedies.shared.caveats import remedy_caveats
from fairaudit.remedies.shared.chart_texts import before_after_alt
from fairaudit.remedies.shared.tables import remedy_tables
from fairaudit.study.amounts.findings import AmountRemedyFinding
from fairaudit.study.findings import RemedyFinding
from ui.charts import show_chart
from ui.state import Fitted
from ui.tables import show_table
from ui.text import literal

CHANGES = ("figure", "before", "after", "change", "change_interval", "reading")
SHOWN = {
    "quality": CHANGES,
    "gaps": CHANGES,
    "population": (),
    "groups": (),
}
"""The tables that every remedy has, and their columns on a page (empty: all)."""


def show_outcome(fitted: Fitted) -> None:
    """Draw what a remedy changed: the sentence, before and after as a chart and as tables, and what to keep in mind."""
    finding, facts = fitted.candidate.finding, fitted.facts
    show_headline(finding, remedy_words.headline(finding))
    name = facts.plan.protected_name
    show_chart(
        charts.before_after_chart(finding, protected_name=name),
        description=before_after_alt(finding, protected_name=name),
        note=f"{remedy_words.before_sentence(finding, facts)} Positive means: {facts.positive_meaning}.",
    )
    st.markdown(f"**What was done.** {literal(remedy_words.done_sentence(finding), limit=1200)}")
    tables = tables_of(finding)
    show_same([(tables[kind], SHOWN[kind]) for kind in SHOWN if kind in tables])
    show_caveats(remedy_caveats(finding, facts))


def show_headline(finding: RemedyFinding | AmountRemedyFinding, headline: tuple[str, str]) -> None:
    """Draw what a remedy changed and how sure that is, and that it was stopped where it was."""
    what, how_sure = headline
    with st.container(border=True, key="remedies_verdict"):
        st.caption(literal(finding.name, limit=200))
        st.header(literal(what, limit=900), anchor=False)
        st.markdown(literal(how_sure, limit=900))
    if getattr(finding.details, "stopped", False):
        st.warning(
            "Stopped before its end: these are the figures of the best so far. A report fits it to its end, so its "
            "figures may differ."
        )


def show_same(tables: Iterable[tuple[Table, tuple[str, ...]]]) -> None:
    """Draw what the charts show as tables, each with the columns that are drawn (none: all)."""
    with st.expander("The same as tables"):
        for table, columns in tables:
            st.markdown(f"**{literal(table.title)}**")
            show_table(table, columns=columns)


def show_caveats(texts: Iterable[str]) -> None:
    """Draw what to keep in mind."""
    with st.expander("What to keep in mind"):
        st.markdown("\n".join(f"- {literal(text, limit=900)}" for text in texts))


def tables_of(finding: RemedyFinding) -> dict[str, Table]:
    """Return the tables of one remedy by what they hold: "quality", "gaps", and those of its kind: "flipped" ..."""
    return {table.key.removeprefix("remedy_1_"): table for table in remedy_tables(finding, 1)}
