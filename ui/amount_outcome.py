"""What a remedy did where the decision is an amount: the sentence, before and after, and what to keep in mind."""

from __future__ import annotations

import streamlit as st

from fairaudit.report import amount_remedy_words as words
from fairaudit.report.blocks import Table
from fairaudit.report.charts.amount_remedies import (
    amount_errors_alt,
    amount_errors_chart,
    amount_errors_note,
    amount_means_alt,
    amount_means_chart,
)
from fairaudit.report.tables_amount_remedies import amount_remedy_tables, printed_changes
from fairaudit.study.amount_findings import AmountRemedyFinding, AmountStudyFacts
from ui.charts import show_chart
from ui.state import Fitted
from ui.tables import show_table
from ui.text import literal

CHANGES = ("words", "before", "after", "change", "change_interval", "reading")
STOPPED = (
    "Stopped before its end: these are the figures of the best so far. A report fits it to its end, so its figures may "
    "differ."
)


def show_amount_outcome(fitted: Fitted) -> None:
    """Draw what a tree of amounts changed: the sentence, before and after as charts and tables, and caveats.

    Parameters
    ----------
    fitted : Fitted
        From :func:`ui.remedies.choose_fitted`.
    """
    finding, facts = fitted.candidate.finding, fitted.facts
    what, how_sure = words.headline(finding, facts)
    with st.container(border=True, key="remedies_verdict"):
        st.caption(literal(finding.name, limit=200))
        st.header(literal(what, limit=900), anchor=False)
        st.markdown(literal(how_sure, limit=900))
    if finding.details is not None and finding.details.stopped:
        st.warning(STOPPED)
    show_chart(
        amount_means_chart(finding, facts),
        description=amount_means_alt(finding, facts),
        note=f"Points: mean predictions, before ({literal(finding.before.name, limit=160)}) and after. Thin lines: "
        "intervals. Cross: the mean of the amounts themselves. All on the same held-out rows.",
    )
    st.markdown(f"**Who is over- or underestimated.** {literal(words.errors_sentence(finding, facts), limit=1200)}")
    show_chart(
        amount_errors_chart(finding, facts),
        description=amount_errors_alt(finding, facts),
        note="Predicted minus actual amounts, on average. To the right of the line a group is predicted more than its "
        "people have, to the left less." + amount_errors_note(finding),
    )
    st.markdown(f"**What was done.** {literal(words.done_sentence(finding, facts), limit=1500)}")
    with st.expander("The same as tables"):
        tables = amount_tables_of(finding, facts)
        changes = printed_changes(finding, tables["changes"])
        for table, columns in ((changes, CHANGES), (tables["groups"], ())):
            st.markdown(f"**{literal(table.title)}**")
            show_table(table, columns=columns)
    with st.expander("What to keep in mind"):
        caveats = (*finding.warnings, *words.study_caveats(facts, several=False))
        st.markdown("\n".join(f"- {literal(text, limit=900)}" for text in caveats))


def amount_tables_of(finding: AmountRemedyFinding, facts: AmountStudyFacts) -> dict[str, Table]:
    """Return the tables of one remedy by what they hold: "changes", "groups", "indices", "leaves" and so on."""
    return {table.key.removeprefix("remedy_1_"): table for table in amount_remedy_tables(finding, facts, 1)}
