"""The frame around every page: title, question, sidebar, and how an error is shown."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from fairaudit import Condition
from fairaudit.errors import FairauditError, StoppedError, require
from fairaudit.findings import Count, Message, Phrase
from fairaudit.messages import say
from fairaudit.present import naming
from fairaudit.present.numbers import count_text
from ui.check.questions import back_to_asked
from ui.data.connecting import awaited_words
from ui.data.predictions import decision_noun, settle_outcome, settle_positive
from ui.leaving import ask_before_leaving, send_before_leaving
from ui.look import put_look
from ui.manual import offer_manual, page_name, present_name
from ui.progress import show_running
from ui.runtime.doors import browser_here
from ui.runtime.freed_memory import is_written_over
from ui.runtime.held_sessions import WORKS, hold_minutes
from ui.state import KEY, AuditState, get_state
from ui.steps import DEEPER, STEPS
from ui.text import literal, show_error, stated
from ui.values import asks_what_rows_are
from ui.widgets import begin_page, empty_session, end_page, present_page

# A file of our own: Streamlit's icons by name are fetched from another machine.
ICON = Path(__file__).with_name("icon.svg")
SIDEBAR_PIXELS = 280
_DRAWN_WAY = "fairaudit_drawn_way"
_FORGOT = "fairaudit_forgot"
_GROUPS = "Groups"
"""The page where a question that was begun is put."""


def open_page(title: str, question: str = "", *, method: str = "") -> AuditState:
    """Draw the top of a page, with what it answers and when not to use it, and the sidebar.

    The help beside the title names the `method`, for those who know it by that. Without a `question`, the page begins
    with its answer.
    """
    # First of all: the browser forgets its widgets even where the person is gone again before the page is drawn.
    begin_page()
    st.set_page_config(
        page_title=f"{title} - fairaudit", page_icon=str(ICON), layout="wide", initial_sidebar_state=SIDEBAR_PIXELS
    )
    state = get_state()
    state.asking.begin()
    settle_positive(state)
    settle_outcome(state)
    if present_name() != _GROUPS:
        back_to_asked(state)
    state.begin_pressed(present_page())
    ended = state.take_results()
    put_look()
    if question:
        show_question(title, question, method=method)
    with st.sidebar:
        _links(state)
        if state.jobs.active:
            show_running(state.jobs)
        elif ended:
            status = "stopped" if isinstance(ended[-1].error, StoppedError) else ended[-1].status
            st.caption(f"{literal(ended[-1].what)}: {status}.")
        with state.asking.raised(), st.container(gap="xsmall", key="facts"):
            _facts(state)
        if _FORGOT in st.session_state:
            _hear_once_more()
        # At the end: even what shows nothing takes room.
        send_before_leaving()
    return state


def show_question(title: str, question: str, *, method: str = "") -> None:
    """Draw what a page answers, for as long as it has no answer to begin with."""
    with st.container(horizontal=True, vertical_alignment="center", key="page_top"):
        st.title(title, help=method or None)
        offer_manual()
    st.caption(question)


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


def need(
    state: AuditState,
    *,
    decision: bool = False,
    protected: bool = False,
    cases: bool = True,
    takes_partial_counts: bool = False,
) -> None:
    """End the page with a way forward where something that it needs is missing."""
    if state.table is None:
        _send("page-needs-data", "pages/1_Data.py", "Go to Data")
    if cases and asks_what_rows_are(state):
        _send("page-needs-rows", "pages/1_Data.py", "Go to Data")
    if state.present_table.partial_counts is not None and not takes_partial_counts:
        _send("page-needs-exact", "pages/3_Check.py", "Go to the check")
    if decision and state.decision is None:
        _send("page-needs-decision", "pages/1_Data.py", "Go to Data")
    if protected and not state.check.protected:
        _send("page-needs-protected", "pages/2_Groups.py", "Go to Groups")


def need_good_outcome(state: AuditState) -> None:
    """End the page, with ways to what can be done, where the decision is an amount."""
    if state.decision is None or state.decision.kind.has_good_outcome:
        return
    st.info(stated("amount-not-here", column=Phrase(naming.shorten(state.decision.column, 80))))
    next_step("pages/3_Check.py", "Back to the check")
    next_step("pages/1_Data.py", "Go to Data")
    end_page()


def show_mismatch(state: AuditState) -> None:
    """Say so where the data are not those of the saved audit that was opened, and which those are."""
    awaited = state.opened_plan
    if awaited is None or state.mismatch is None:
        return
    record, columns = awaited.data, tuple(state.present_table.columns)
    if record.columns is None or record.columns == columns:
        st.warning(literal(state.mismatch, limit=900))
        next_step("pages/8_Change.py", "Change over time")
        return
    said = [Message("front-other-table", {"awaited": Phrase(awaited_words(awaited))})]
    if record.n_rows is not None:
        sizes = {"rows": Count(record.n_rows), "columns": Count(len(record.columns))}
        said.append(Message("front-other-table-size", sizes))
    st.warning(literal(say(said), limit=900))


def next_step(page: str, label: str, *, first: bool = False) -> None:
    """Draw the link to the step that comes next; the `first` of a page looks like a button, and there is one."""
    if not first:
        st.page_link(page, label=label, icon=":material/arrow_forward:")
        return
    with st.container(key="first_step", width="content"):
        st.page_link(page, label=label)


def _send(key: str, page: str, label: str) -> None:
    st.info(say(Message(key)))
    next_step(page, label)
    end_page()


def keep_way(state: AuditState) -> None:
    """Draw the page again where it has opened or ticked steps of the sidebar, which was drawn before; at its end."""
    if st.session_state.get(_DRAWN_WAY) != _way(state):
        st.rerun()


def _way(state: AuditState) -> tuple[tuple[bool, str], ...]:
    steps = tuple((step.is_done(state), step.waits_for(state)) for step in STEPS)
    return (*steps, *((False, page.waits_for(state)) for page in DEEPER))


def _links(state: AuditState) -> None:
    """Draw the numbered steps, each with its tick, and what goes deeper, folded while another page is shown."""
    st.session_state[_DRAWN_WAY] = _way(state)
    st.page_link("app.py", label="**fairaudit**")
    with st.container(gap="xxsmall", key="way"):
        for number, step in enumerate(STEPS, start=1):
            tick = " :material/check:" if step.is_done(state) else ""
            _link(step.path, f"{number} {step.label}{tick}", step.waits_for(state))
    with st.expander(say(Message("side-deeper")), expanded=_is_deeper(), key="deeper", type="compact"):
        for page in DEEPER:
            _link(page.path, page.label, page.waits_for(state))
            for below in page.below(state):
                with st.container(key=f"below_{below.page}"):
                    st.page_link(below.path, label=below.label, icon=":material/subdirectory_arrow_right:")


def _is_deeper() -> bool:
    """Whether the page that is shown is none of the numbered steps."""
    shown = present_name()
    return shown not in (None, "app", *(page_name(Path(step.path)) for step in STEPS))


def _link(path: str, label: str, waits_for: str) -> None:
    if waits_for:
        st.caption(label)
    else:
        st.page_link(path, label=label)


def _facts(state: AuditState) -> None:
    if state.table is None:
        st.caption(say(Message("side-no-table")))
        if state.awaits_audit and state.is_empty:
            _await_audit(browser_here())
        return
    rows = say(Message("side-rows", {"n": Count(state.table.n_rows)}))
    st.caption(f"{literal(state.table.name, limit=60)}  \n{literal(rows)}")
    if state.decision is not None or state.asked_without_decision:
        st.download_button(
            say(Message("side-save")),
            data=lambda: saved_audit(state),
            file_name="audit.toml",
            mime="application/toml",
            on_click="ignore",
            type="tertiary",
            help=say(Message("side-save-help")),
        )
        if left_out := left_out_words(state):
            st.caption(left_out)
    _say_how_long(state)


@st.fragment(run_every=1)
def _hear_once_more() -> None:
    """Let the browser send one more message: until then the server has its last one, with what was written there."""
    st.session_state[_FORGOT] -= 1
    if not st.session_state[_FORGOT]:
        del st.session_state[_FORGOT]
        st.rerun()


@st.fragment(run_every=2)
def _await_audit(browser: str) -> None:
    """Say where the audit of this browser is, and draw the page anew as soon as it can be taken up."""
    if WORKS.finds(browser):
        st.rerun()
    st.caption("Another page of this browser shows an audit. It comes here when that page is closed.")


def _say_how_long(state: AuditState) -> None:
    """Say, where asked, for how long the audit is there, and let the browser ask before it goes unsaved."""
    with st.popover(say(Message("side-kept")), type="tertiary"):
        st.markdown(
            say(Message("side-kept-there")) if state.present_table.is_connected else say(Message("side-kept-here"))
        )
        if WORKS.holds(state):
            minutes = Count(round(hold_minutes()))
            st.markdown(stated("side-held", minutes=minutes))
            st.markdown(say(Message("side-forget-says")))
            if is_written_over():
                st.markdown(say(Message("side-forget-memory")))
            if st.button(say(Message("side-forget")), key="frame_forget"):
                forget_everything(state)
                # On the page where it was brought, an upload would be read again.
                st.switch_page("app.py")
        else:
            st.markdown(say(Message("side-not-held")))
    ask_before_leaving(state.is_unsaved)


def forget_everything(state: AuditState) -> None:
    """Forget the audit of this session, what it has uploaded, and what was written and chosen on its pages."""
    WORKS.forget(state)
    context = get_script_run_ctx()
    if context is not None:
        context.uploaded_file_mgr.remove_session_files(context.session_id)
        empty_session(context.session_state)
        st.session_state[_FORGOT] = 2
    st.session_state[KEY] = state


def saved_audit(state: AuditState) -> str:
    """Return the audit for a download."""
    state.saved = state.present_plan(fingerprint=False).digest
    return require(state.recorded_plan()).to_toml()


def left_out_words(state: AuditState) -> str:
    """Return what the saved audit would not hold, and why; empty where it holds all."""
    plan = state.present_plan(fingerprint=False)
    questions = [entry for entry in state.checks if entry.plan.protected]
    n_questions = len(questions) + len(state.errors) - len(plan.checks) - len(plan.errors)
    n_remedies = len(state.remedies) - len(plan.remedies)
    lacking = ((n_questions, "question", "questions"), (n_remedies, "remedy", "remedies"))
    parts = [f"{count_text(n)} {one if n == 1 else many}" for n, one, many in lacking if n]
    if not parts:
        return ""
    return say(Message("side-save-lacks", {"what": Phrase(" and ".join(parts))}))


def undecided_text(state: AuditState) -> str:
    """Return how many rows of both groups a check leaves out, as they have no decision; empty where there are none."""
    n = sum(group_sizes(state)[3:])
    if not n or state.present_table.partial_counts is not None:
        return ""
    return stated("groups-undecided", n=Count(n), noun=Phrase(decision_noun(state)))


def group_sizes(state: AuditState) -> tuple[int, int, int, int, int]:
    """Return the rows that are protected, in the rest, and in neither, and those of either side without a decision."""
    check, column = state.check, None if state.decision is None else state.decision.column
    if state.present_table.partial_counts is not None:
        # Rows of the table, which hold all decisions.
        column = None

    def count() -> tuple[int, int, int, int, int]:
        table = state.present_table
        by = {"protected": require(table.condition(check.protected))}
        if column is not None:
            by["undecided"] = Condition.equals(column, None, table.columns)
        frame = table.counts(by, where=check.where or None)
        known, undecided = frame["protected"], False if column is None else frame["undecided"]
        sides = [known.fillna(False).astype(bool), ~known.fillna(True).astype(bool)]
        parts = [*sides, known.isna(), *(side & undecided for side in sides)]
        protected, rest, neither, *undecided_of = (int(frame.loc[rows, "n"].sum()) for rows in parts)
        return protected, rest, neither, undecided_of[0], undecided_of[1]

    return state.remember("sizes", (check.where, check.protected, column), count)
