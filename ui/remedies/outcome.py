"""What a remedy did, as its page shows it: the sentence, before and after, and what to keep in mind."""

from __future__ import annotations

from collections.abc import Iterable

import streamlit as st

from fairaudit.present.blocks import Table
from fairaudit.remedies.shared import amount_charts, amount_words, charts, words
from fairaudit.remedies.shared.amount_tables import amount_remedy_tables, printed_changes
from fairaudit.remedies.shared.caveats import remedy_caveats
from fairaudit.remedies.shared.chart_texts import before_after_alt, chart_parts
from fairaudit.remedies.shared.decided_words import more_chip
from fairaudit.remedies.shared.headlines import gain_chip, short_headline, simple_chip
from fairaudit.remedies.shared.held_out_words import gap_rows
from fairaudit.remedies.shared.tables import remedy_tables
from fairaudit.remedies.shared.within_words import within_chip, within_sentence
from fairaudit.remedies.shared.words import begins_with_simple
from fairaudit.remedies.shared.worse_off_words import PRINTED as WORSE_OFF
from fairaudit.remedies.shared.worse_off_words import (
    asked_sentence,
    harms_no_group,
    worse_off_chip,
    worse_off_sentences,
)
from fairaudit.remedies.shared.yardstick_words import PRINTED
from fairaudit.report.chapters.amount_remedies import CHANGES as AMOUNT_CHANGES
from fairaudit.study.cautions import was_stopped
from ui.charts import show_chart
from ui.entries import Fitted
from ui.look import show_chip
from ui.outcomes import page_of_outcome
from ui.remedies.names import numbered_name
from ui.state import get_state
from ui.tables import show_table
from ui.text import literal, shortened

CHANGES = ("figure", "before", "after", "change", "change_interval", "reading")
GAP_CHANGES = ("figure", "groups", *CHANGES[1:])
SHOWN = {
    "quality": CHANGES,
    "worse_off": WORSE_OFF,
    "strata": (),
    "yardsticks": PRINTED,
    "gaps": GAP_CHANGES,
    "population": (),
    "groups": (),
}
"""The tables that every remedy has, and their columns on a page (empty: all)."""
DONE = "What was done, and how it compares"
CHART_ROWS = {"gap": "On the rows that the filter keeps.", "rates": "On all held-out rows."}


def show_outcome(fitted: Fitted) -> None:
    """Draw what a remedy changed: the answer, before and after as charts and tables, and what to keep in mind."""
    show_answer(fitted)
    show_change(fitted)


def show_answer(fitted: Fitted) -> None:
    """Draw what a remedy changed: a chip, one sentence in large type, and how sure that is."""
    finding = fitted.candidate.finding
    with st.container(border=True, key="remedies_verdict"):
        with st.container(horizontal=True, vertical_alignment="center"):
            show_chip(gain_chip(finding, fitted.facts))
            worse_off = worse_off_chip(finding, fitted.facts) if fitted.outcome.has_good_outcome else None
            more = more_chip(finding, fitted.facts) if fitted.outcome.has_good_outcome else None
            simple = None if begins_with_simple(finding) else simple_chip(finding)
            for chip in (worse_off, more, within_chip(finding, fitted.facts), simple):
                if chip is not None:
                    show_chip(chip)
            st.caption(literal(numbered_name(get_state(), finding.plan), limit=200))
        answer, beside = page_of_outcome(fitted.outcome).brief(fitted)
        st.header(literal(answer, limit=900), anchor=False)
        if beside:
            st.markdown(literal(beside, limit=900))
        # Where no group is worse off the chip says so; by how much each is better off stands with the charts.
        if worse_off is not None:
            unharmed = harms_no_group(finding, fitted.facts)
            said = asked_sentence(finding) if unharmed else worse_off_sentences(finding, fitted.facts)
            if said:
                st.markdown(literal(said, limit=1800))
        if said := within_sentence(finding, fitted.facts):
            st.markdown(literal(said, limit=1800))
        st.markdown(literal(page_of_outcome(fitted.outcome).certainty(fitted), limit=1800))
    if was_stopped(finding):
        st.warning(
            "Stopped before its end: these are the figures of the best so far. A report lets it run to its end, so its "
            "figures may differ."
        )


def show_change(fitted: Fitted) -> None:
    """Draw before and after in full: as charts, in words and as tables, what was done, and what to keep in mind."""
    page_of_outcome(fitted.outcome).outcome(fitted)


def brief_of(fitted: Fitted) -> str:
    """Return what a remedy changed, as short as its kind of decision has it."""
    return " ".join(page_of_outcome(fitted.outcome).brief(fitted)).rstrip()


def brief_of_shares(fitted: Fitted) -> tuple[str, str]:
    """Return what a remedy changed in shares, and for how many people it agrees with the outcomes."""
    return short_headline(fitted.candidate.finding, fitted.facts)


def brief_of_amounts(fitted: Fitted) -> tuple[str, str]:
    """Return what a remedy changed in amounts, and nothing beside it."""
    return amount_words.headline(fitted.candidate.finding, fitted.facts)[0], ""


def certainty_of_shares(fitted: Fitted) -> str:
    """Return how sure what a remedy changed in shares is."""
    return words.certainty_sentences(fitted.candidate.finding)


def certainty_of_amounts(fitted: Fitted) -> str:
    """Return how sure what a remedy changed in amounts is."""
    return amount_words.headline(fitted.candidate.finding, fitted.facts)[1]


def tables_of(fitted: Fitted) -> dict[str, Table]:
    """Return the tables of one remedy by what they hold: "groups", "gaps", and those of its kind, such as "flipped"."""
    tables = page_of_outcome(fitted.outcome).tables(fitted)
    return {table.key.removeprefix("remedy_1_"): table for table in tables}


def tables_of_shares(fitted: Fitted) -> list[Table]:
    """Return the tables of a remedy where shares are compared."""
    return remedy_tables(fitted.candidate.finding, 1)


def tables_of_amounts(fitted: Fitted) -> list[Table]:
    """Return the tables of a remedy where means of amounts are compared."""
    return amount_remedy_tables(fitted.candidate.finding, fitted.facts, 1)


def show_shares(fitted: Fitted) -> None:
    """Draw shares and errors before and after."""
    finding, facts = fitted.candidate.finding, fitted.facts
    name = facts.plan.protected_name
    for part in chart_parts(finding):
        show_chart(
            charts.before_after_chart(finding, protected_name=name, part=part),
            description=before_after_alt(finding, protected_name=name, part=part),
            note=CHART_ROWS.get(part),
        )
    # Who looks at a chart of before and after takes the decisions for what was before.
    st.caption(literal(f"{words.before_sentence(finding, facts)} Positive means: {facts.positive_meaning}.", limit=900))
    st.markdown(literal(words.headline(finding)[0], limit=1800))
    unharmed = worse_off_sentences(finding, facts) if harms_no_group(finding, facts) else ""
    with st.expander(DONE):
        st.markdown(literal(words.done_sentence(finding), limit=1200))
        for said in (words.simple_sentences(finding), unharmed):
            if said:
                st.markdown(literal(said, limit=1800))
    tables = tables_of(fitted)
    _show_same([(tables[kind], SHOWN[kind]) for kind in SHOWN if kind in tables])
    _show_caveats(remedy_caveats(finding, facts))


def show_amounts(fitted: Fitted) -> None:
    """Draw mean predictions before and after, and who is over- or underestimated."""
    finding, facts = fitted.candidate.finding, fitted.facts
    rows = gap_rows(finding.after.n, finding.after.predicted) or "the same held-out rows"
    show_chart(
        amount_charts.amount_means_chart(finding, facts),
        description=amount_charts.amount_means_alt(finding, facts),
        note=f"Points: mean predictions, before ({shortened(finding.before.name, 160)}) and after. Thin lines: "
        f"intervals. Cross: the mean of the amounts themselves. All on {rows}.",
    )
    errors = amount_words.errors_sentence(finding, facts)
    st.markdown(f"**Who is over- or underestimated.** {literal(errors, limit=1200)}")
    show_chart(
        amount_charts.amount_errors_chart(finding, facts),
        description=amount_charts.amount_errors_alt(finding, facts),
        note="Predicted minus actual amounts, on average. To the right of the line a group is predicted more than its "
        "people have, to the left less." + amount_charts.amount_errors_note(finding),
    )
    with st.expander(DONE):
        st.markdown(literal(amount_words.done_sentence(finding, facts), limit=1500))
    tables = tables_of(fitted)
    strata = [(tables["strata"], ())] if "strata" in tables else []
    _show_same([(printed_changes(finding, tables["changes"]), AMOUNT_CHANGES), (tables["groups"], ()), *strata])
    _show_caveats((*finding.warnings, *amount_words.study_caveats(facts, several=False)))


def _show_same(tables: Iterable[tuple[Table, tuple[str, ...]]]) -> None:
    """Draw what the charts show as tables, each with the columns that are drawn (none: all)."""
    with st.expander("The same as tables"):
        for table, columns in tables:
            st.markdown(f"**{literal(table.title)}**")
            show_table(table, columns=columns)


def _show_caveats(texts: Iterable[str]) -> None:
    with st.expander("What to keep in mind"):
        st.markdown("\n".join(f"- {literal(text, limit=900)}" for text in texts))
