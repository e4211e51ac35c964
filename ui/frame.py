"""The frame around every page: title, question, sidebar, and how an error is shown."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import streamlit as st

from fairaudit import Condition
from fairaudit.errors import ConnectError, FairauditError, StoppedError
from fairaudit.plan.roles import meaning_of
from fairaudit.present.numbers import count_text
from ui.errors import show_error
from ui.progress import show_running
from ui.remedies.registry import remedy_pages
from ui.state import AuditState, get_state
from ui.text import literal
from ui.widgets import begin_page, end_page, present_page

# A file of our own: Streamlit's icons by name are fetched from another machine.
ICON = Path(__file__).with_name("icon.svg")
# Streamlit's own toolbar would export cells that a spreadsheet runs as formulas, and counts that are to be hidden.
NO_ELEMENT_TOOLBARS = "[data-testid='stElementToolbar'] {display: none;}"
# A table that is wider than a narrow window scrolls; squeezed besides, sentences at its end would make rows tall.
ROOM_IN_TABLES = """
@media (max-width: 640px) {
    [data-testid='stTableStyledTable'] {width: max-content; min-width: 100%;}
    [data-testid='stTable'] td > [data-testid='stMarkdownContainer'] {max-width: 14rem;}
    [data-testid='stTable'] td:first-child > [data-testid='stMarkdownContainer'] {max-width: 9rem;}
    [data-testid='stTable'] th > [data-testid='stMarkdownContainer'] {max-width: 7rem;}
}
"""
SECTIONS = {
    "Audit": {
        "pages/1_Data.py": "Data",
        "pages/2_Groups.py": "Groups",
        "pages/3_Check.py": "Check",
        "pages/4_Errors.py": "Errors",
        "pages/14_Explain.py": "What explains it?",
        "pages/15_Change.py": "Did it change?",
    },
    "Mitigate": {page.path: page.label for page in remedy_pages()} | {"pages/11_Compare.py": "Compare"},
    "Conclude": {"pages/13_Presets.py": "Legal forms", "pages/12_Report.py": "Report"},
}


def open_page(title: str, question: str) -> AuditState:
    """Draw the top of a page, with what it answers and when not to use it, and the sidebar."""
    # First of all: the browser forgets its widgets even where the person is gone again before the page is drawn.
    begin_page()
    st.set_page_config(page_title=f"{title} - fairaudit", page_icon=str(ICON), layout="centered")
    state = get_state()
    state.asking.begin()
    state.begin_pressed(present_page())
    ended = state.take_results()
    st.html(f"<style>{NO_ELEMENT_TOOLBARS}{ROOM_IN_TABLES}</style>")
    st.title(title)
    st.caption(question)
    with st.sidebar:
        _links()
        if state.jobs.active:
            show_running(state.jobs)
        elif ended:
            status = "stopped" if isinstance(ended[-1].error, StoppedError) else ended[-1].status
            st.caption(f"{literal(ended[-1].what)}: {status}.")
        st.divider()
        with state.asking.raised():
            _facts(state)
    return state


@contextmanager
def errors_shown(*, go_on: bool = False, way: tuple[str, str] | None = None) -> Iterator[None]:
    """Show a fairaudit error as a sentence, and the `way` (page, words) to its cause; end the page unless `go_on`."""
    try:
        yield
    except FairauditError as error:
        show_error(error)
        if way is not None:
            next_step(*way)
        if not go_on:
            end_page()


def need(state: AuditState, *, decision: bool = False, protected: bool = False) -> None:
    """End the page with a way forward where something that it needs is missing."""
    if state.table is None:
        _send("There is no data yet. Bring a table, or open a sample.", "pages/1_Data.py", "Go to Data")
    if decision and state.decision is None:
        _send("Say which column holds the decision and what a good outcome is.", "pages/1_Data.py", "Go to Data")
    if protected and not state.check.protected:
        _send("Say who is protected.", "pages/2_Groups.py", "Go to Groups")


def need_good_outcome(state: AuditState) -> None:
    """End the page, with ways to what can be done, where the decision is an amount."""
    if state.decision is None or state.decision.kind.has_good_outcome:
        return
    st.info(
        f"This page needs a decision with a good outcome, and {literal(state.decision.column, limit=80)} is an amount: "
        "what groups get is compared on the page Check, and the page Trees finds a tree that predicts amounts. To "
        "use this page, say on the page Data from which amount on the outcome is good."
    )
    next_step("pages/3_Check.py", "Back to the check")
    next_step("pages/1_Data.py", "Go to Data")
    end_page()


def show_mismatch(state: AuditState) -> None:
    """Say so where the data are not those of the saved audit that was opened."""
    if state.mismatch is not None:
        st.warning(literal(state.mismatch, limit=900))
        next_step("pages/15_Change.py", "Did it change?")


def next_step(page: str, label: str) -> None:
    """Draw the link to the step that comes next."""
    st.page_link(page, label=label, icon=":material/arrow_forward:")


def _send(sentence: str, page: str, label: str) -> None:
    st.info(sentence)
    next_step(page, label)
    end_page()


def _links() -> None:
    st.page_link("app.py", label="**fairaudit**")
    for section, pages in SECTIONS.items():
        st.caption(section.upper())
        for page, label in pages.items():
            st.page_link(page, label=label)


def _facts(state: AuditState) -> None:
    if state.table is None:
        st.markdown("**No data yet**")
        return
    st.markdown(f"**{literal(state.table.name, limit=60)}**  \n{count_text(state.table.n_rows)} rows")
    if state.decision is not None:
        with _quiet():
            st.markdown(f"**{state.decision.kind.label}**  \n{literal(_outcome_words(state), limit=120)}")
    with _quiet():
        _population_facts(state)
    if state.decision is not None:
        st.download_button(
            "Save this audit",
            data=lambda: saved_audit(state),
            file_name="audit.toml",
            mime="application/toml",
            on_click="ignore",
            width="stretch",
            help="A small file with your choices, not your data. Open it on the front page to go on later. "
            "It holds the questions and remedies that are ticked for the report.",
        )
    stay = "The rows stay in their database" if state.table.is_connected else "Your data stay on this machine"
    forgotten = "your choices" if state.table.is_connected else "them"
    st.caption(f"{stay}. Reloading the browser page forgets {forgotten}, so save the audit first.")


def saved_audit(state: AuditState) -> str:
    """Return the audit for a download; without a record of the data where their database does not answer."""
    try:
        return state.plan().to_toml()
    except (ConnectError, StoppedError):
        return state.plan(fingerprint=False).to_toml()


def _population_facts(state: AuditState) -> None:
    n_rows = state.table.n_rows
    where = state.check.where
    if where:
        n_rows = state.remember("count", where, lambda: state.table.count(where))
        st.markdown(f"**Population**  \n{literal(where, limit=120)}, {count_text(n_rows)} rows")
    else:
        st.markdown("**Population**  \nall rows")
    if state.check.protected:
        sizes = group_sizes(state)
        undecided = undecided_text(state)
        st.markdown(
            f"**Compared**  \n{literal(state.check.protected, limit=120)} ({count_text(sizes[0])}) "
            f"against the rest ({count_text(sizes[1])}){undecided and '. ' + undecided}"
        )


def undecided_text(state: AuditState) -> str:
    """Return how many rows of both groups a check leaves out, as they have no decision; empty where there are none."""
    n = group_sizes(state)[3]
    if not n:
        return ""
    has, is_ = ("has", "is") if n == 1 else ("have", "are")
    return f"{count_text(n)} of these rows {has} no {state.decision.kind.noun} and {is_} left out of the check"


def group_sizes(state: AuditState) -> tuple[int, int, int, int]:
    """Return how many rows of the population are protected, in the rest, in neither, and of both without a decision."""
    check, column = state.check, None if state.decision is None else state.decision.column

    def count() -> tuple[int, int, int, int]:
        table = state.table
        by = {"protected": table.condition(check.protected)}
        if column is not None:
            by["undecided"] = Condition.equals(column, None, table.columns)
        frame = table.counts(by, where=check.where or None)
        known = frame["protected"]
        undecided = known.notna() & (False if column is None else frame["undecided"])
        return tuple(
            int(frame.loc[rows, "n"].sum())
            for rows in (known.fillna(False), ~known.fillna(True), known.isna(), undecided)
        )

    return state.remember("sizes", (check.where, check.protected, column), count)


def _outcome_words(state: AuditState) -> str:
    return state.remember("meaning", state.decision, lambda: meaning_of(state.table, state.decision))


@contextmanager
def _quiet() -> Iterator[None]:
    """Leave a fact out of the sidebar while its condition is not right; the page itself says why."""
    try:
        yield
    except (ConnectError, StoppedError) as error:
        st.caption(f"Not counted: {literal(error.message, limit=160)}")
    except FairauditError as error:
        st.caption(f"Not right yet: {literal(error.message, limit=120)}")
