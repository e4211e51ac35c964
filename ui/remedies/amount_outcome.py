"""What a remedy did where the decision is an amount: the sentence, before and after, and what to keep in mind."""

from __future__ import annotations

import streamlit as st

from fairaudit.present.blocks import Table
from fairaudit.remedies.shared import amount_words as words
from fairaudit.remedies.shared.amount_charts import (
    amount_errors_alt,
    amount_errors_chart,
    amount_errors_note,
    amount_means_alt,
    amount_means_chart,
)
from fairaudit.remedies.shared.amount_tables import amount_remedy_tables, printed_changes
from fairaudit.remedies.shared.held_out_words import gap_rows
from fairaudit.study.amounts.findings import AmountRemedyFinding, AmountStudyFacts
from ui.charts import show_chart
from ui.remedies.outcome import show_caveats, show_headline, show_same
from ui.state import Fitted
from ui.text import literal

CHANGES = ("words", "before", "after", "change", "change_interval", "reading")


def show_amount_outcome(fitted: Fitted) -> None:
    """Draw what a tree of amounts changed: the sentence, before and after as charts and tables, and caveats."""
    finding, facts = fitted.candidate.finding, fitted.facts
    show_headline(finding, words.headline(finding, facts))
    rows = gap_rows(finding.after.n, finding.after.predicted) or "the same held-out rows"
    show_chart(
        amount_means_chart(finding, facts),
        description=amount_means_alt(finding, facts),
        note=f"Points: mean predictions, before ({literal(finding.before.name, limit=160)}) and after. Thin lines: "
        f"intervals. Cross: the mean of the amounts themselves. All on {rows}.",
    )
    st.markdown(f"**Who is over- or underestimated.** {literal(words.errors_sentence(finding, facts), limit=1200)}")
    show_chart(
        amount_errors_chart(finding, facts),
        description=amount_errors_alt(finding, facts),
        note="Predicted minus actual amounts, on average. To the right of the line a group is predicted more than its "
        "people have, to the left less." + amount_errors_note(finding),
    )
    st.markdown(f"**What was done.** {literal(words.done_sentence(finding, facts), limit=1500)}")
    tables = amount_tables_of(finding, facts)
    show_same(((printed_changes(finding, tables["changes"]), CHANGES), (tables["groups"], ())))
    show_caveats((*finding.warnings, *words.study_caveats(facts, several=False)))


def amount_tables_of(finding: AmountRemedyFinding, facts: AmountStudyFacts) -> dict[str, Table]:
    """Return the tables of one remedy by what they hold: "changes", "groups", "indices", "leaves" and so on."""
    return {table.key.removeprefix("remedy_1_"): table for table in amount_remedy_tables(finding, facts, 1)}
