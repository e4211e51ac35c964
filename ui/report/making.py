"""Making the report's files, looking at them and handing them over."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from functools import partial
from typing import Any, Literal

import streamlit as st

from fairaudit.audit.running import iter_run
from fairaudit.audit.trying import Candidate
from fairaudit.disclosure.gate import exported, hidden_beside
from fairaudit.findings import Count, Message, Phrase
from fairaudit.messages import say
from fairaudit.present import blocks
from fairaudit.remedies.plans import RemedyPlan
from fairaudit.report import chart_process
from fairaudit.report.annexes import REPEAT
from fairaudit.report.published import published_audits
from ui.manual import offer_manual
from ui.progress import follow
from ui.remedies import trying
from ui.remedies.learning_panel import study_of
from ui.report import contents
from ui.report.files import iter_files
from ui.result import show_chart, show_table
from ui.runtime import activity, memory, processes
from ui.runtime.jobs import failure_of
from ui.runtime.turns import REPORTS
from ui.state import AuditState
from ui.steps import is_reported
from ui.text import literal, stated

# A report's blocks drawn on a page.

_PREVIEW_ROWS = 12


def show_document(document: blocks.Document) -> None:
    """Draw a whole report below a page's own headings."""
    st.markdown(f"**{literal(document.title)}**")
    if document.byline:
        st.caption(literal(" · ".join(document.byline)))
    for block in document.blocks:
        show_block(block)


def show_block(block: blocks.Block) -> None:
    """Draw one block; all its text is shown as text."""
    match block:
        case blocks.Heading(level=level, text=text):
            st.markdown(f"{'#' * min(level + 2, 6)} {literal(text)}")
        case blocks.Paragraph(text=text, strong=strong):
            start = f"**{literal(strong, limit=2000)}** " if strong else ""
            st.markdown(start + literal(text, limit=4000))
        case blocks.Note(text=text, kind=kind):
            (st.warning if kind == "warning" else st.info)(literal(text, limit=2000))
        case blocks.Items(items=items, title=title):
            head = f"**{literal(title)}**\n\n" if title else ""
            st.markdown(head + "\n".join(f"- {literal(item, limit=2000)}" for item in items))
        case blocks.KeyValues(title=title, rows=rows):
            head = f"**{literal(title)}**\n\n" if title else ""
            st.markdown(head + "\n".join(f"- {literal(label)}: {literal(value, limit=600)}" for label, value in rows))
        case blocks.TableBlock():
            show_table(block, download=False, most=_PREVIEW_ROWS)
        case blocks.Strip(title=title, strong=strong, text=text, picture=picture):
            st.markdown(f"**{literal(title)}**  \n**{literal(strong)}** {literal(text, limit=2000)}")
            if picture is not None:
                show_block(picture)
        case blocks.ShortSection(title=title, blocks=inside):
            st.markdown(f"### {literal(title)}")
            for each in inside:
                show_block(each)
        case blocks.Pair(left=left, right=right):
            for part in (left, right):
                show_block(part)
        case blocks.Chart(title=title, alt=alt, chart=chart):
            show_chart(chart, description=alt, note=title)
        case blocks.Code(text=text, title=title):
            if title:
                st.caption(literal(title))
            st.code(text, language=None, wrap_lines=True)


# Making the report's files and handing them over.
#
# Remedies that are not fitted yet are fitted first, in the background as on their own pages; then the report is made
# from what is fitted, and fits nothing.

_ASKED = "report_asked_for"
"""Where the session keeps which report was asked for, until it is made."""

STEPS = 4
"""Of making a report: the record of the data, the numbers, what is hidden, the files."""

MIME_TYPES = {
    "pdf": "application/pdf", "zip": "application/zip", "json": "application/json", "toml": "application/toml",
}  # fmt: skip


def unfitted(state: AuditState) -> list[RemedyPlan]:
    """Return the remedies of the report that must be fitted, or judged on more divisions, before it can be made."""
    return [plan for plan in state.present_plan(fingerprint=False).remedies if trying.lacks_fit(state, plan)]


def known(state: AuditState) -> dict[str, Candidate]:
    """Return the remedies that a report need not fit again, by their ``plan_key``."""
    ended = {key: trying.to_end(state, one.candidate.finding.plan) for key, one in state.fitted.items()}
    return {key: one.candidate for key, one in ended.items() if one is not None}


def show_unfitted(state: AuditState) -> None:
    """Say how many remedies are made for the report, and offer to leave them out."""
    plans = unfitted(state)
    if not plans or _ASKED in st.session_state:
        return
    lacking = {"n": Count(len(plans))}
    # What is fitted already is not fitted again.
    is_fitted = all(trying.to_end(state, plan) is not None for plan in plans)
    said = Message("report-page-splits", lacking | {"splits": Count(state.present_models.divisions - 1)})
    with st.container(horizontal=True, vertical_alignment="center", key="report_lacking"):
        st.caption(literal(say(said if is_fitted else Message("report-page-lacking", lacking))))
        if st.button(say(Message("report-page-leave-out", lacking)), key="report_leave_out"):
            _leave_out(state, plans)
            st.rerun()


def _leave_out(state: AuditState, plans: list[RemedyPlan]) -> None:
    """Take remedies out of the report, and stop what is made of them."""
    for plan in plans:
        entry = state.keep(plan)
        entry.in_report, entry.by_hand = False, True
        if (job := state.find_fit(plan)) is not None:
            job.stop()


def ask(state: AuditState) -> None:
    """Ask for the report as the audit stands, and begin to fit the remedies that it lacks."""
    if plans := unfitted(state):
        study = study_of(state)
        for plan in plans:
            trying.start_fit(state, study, plan, keep=False, divisions=True)
    st.session_state[_ASKED] = state.report_key


def go_on(state: AuditState) -> bool:
    """Draw the fits that are under way, and make the report that was asked for once they have ended.

    Say whether one was made.
    """
    # An empty place, so that fits that have ended leave the page at once, and not when the report is made.
    place = st.empty()
    if state.jobs.all:
        with place.container():
            trying.show_all_fits(state)
    asked = st.session_state.get(_ASKED)
    if asked is None:
        return False
    if asked != state.report_key:
        del st.session_state[_ASKED]
        st.info(say(Message("report-page-changed-asked")))
        return False
    lacking = unfitted(state)
    under_way = [plan for plan in lacking if state.find_fit(plan)]
    if under_way:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.caption(say(Message("report-page-after")))
            without = say(Message("report-page-without", {"n": Count(len(lacking))}))
            if st.button(without, key="report_make_without"):
                _leave_out(state, lacking)
                st.session_state[_ASKED] = state.report_key
                st.rerun()
    elif lacking:
        st.warning(say(Message("report-page-stopped")))
    else:
        try:
            make(state)
        except Exception:
            # Whatever it was goes on; only a person asks for the report again. Not caught is that another page was
            # opened meanwhile, which Streamlit says with a BaseException: the report is then asked for still.
            del st.session_state[_ASKED]
            raise
        del st.session_state[_ASKED]
        return True
    return False


def make(state: AuditState) -> None:
    """Make the report when it is its turn."""
    with in_turn():
        _make(state)


@contextmanager
def in_turn() -> Iterator[None]:
    """Wait until no other report is made; the page says how many are before it."""
    place = st.empty()

    def say_place() -> bool:
        # Where the person has gone to another page, drawing ends this one, and with it the wait.
        if turn.line is not None and turn.line.n_working:
            place.caption(stated("report-page-waits", line=Phrase(str(turn.line))))
        return False

    with REPORTS.turn() as turn:
        turn.take(say_place)
        place.empty()
        yield


@activity.noted("report")
def _make(state: AuditState) -> None:
    """Run the audit as it stands and make all its files; remedies that are fitted are not fitted again."""
    memory.ask_for(memory.REPORT, "A report")
    chart_process.warm_up()
    processes.warm_up()
    with _step(1, "Reading the data"):
        plan = state.present_plan()
    with _step(2, "Computing the numbers"):
        # A saved question about a second table waits in the session until that table is brought.
        here = tuple(asked for asked in plan.changes if asked.second is None or asked.second in state.seconds)
        plan = plan.model_copy(update={"changes": here})
        published = published_audits(state.published.values(), state.present_table) if plan.small_cells.beside else ()
        before = hidden_beside(plan, published)
        events = iter_run(plan, table=state.table, known=known(state), seconds=state.seconds, published=before)
        result = follow(events, label="Now:")
    with _step(3, "Hiding small counts" if plan.small_cells.mask else "Checking what may leave"):
        result = exported(result)
    with _step(4, "Writing the files"):
        try:
            with closing(processes.apart(partial(iter_files, result, state.report_key))) as written:
                state.made = follow(written, label="Now:")
        except (MemoryError, processes.Broken) as error:
            raise failure_of("Making the report", error) from None


def _step(number: int, what: str) -> AbstractContextManager[None]:
    """Say what the making of a report is at, which of its steps that is, and since when."""
    return st.spinner(f"Step {number} of {STEPS}: {what} …", show_time=True)


def show_state(state: AuditState) -> Callable[[], None]:
    """Draw whether a report is ready to make, being made, made, or out of date; return what draws it anew."""
    with st.container(key="result_said"):
        with st.container(horizontal=True, vertical_alignment="center", key="page_top"):
            title = st.empty()
            offer_manual()
        st.markdown(stated("report-page-lead"))

    def show_title() -> None:
        title.title(stated(_state_of(state)), anchor=False)

    show_title()
    if _state_of(state) == "report-page-outdated":
        st.warning(say(Message("report-page-changed")))
    return show_title


def _state_of(state: AuditState) -> str:
    if is_asked(state):
        return "report-page-making"
    if state.made is None:
        return "report-page-ready"
    return "report-page-made" if is_reported(state) else "report-page-outdated"


def is_asked(state: AuditState) -> bool:
    """Say whether a report of the audit as it stands was asked for, and is not made yet."""
    return bool(st.session_state.get(_ASKED) == state.report_key)


def offer_to_make(state: AuditState) -> bool:
    """Draw the button that makes the report, and say whether it was pressed; it steps back once there is one.

    While one is made there is nothing to press.
    """
    if is_asked(state):
        st.button(say(Message("report-page-making")), key="report_being_made", disabled=True)
        return False
    sort: Literal["primary", "secondary"] = "secondary" if is_reported(state) else "primary"
    return st.button("Make the report", type=sort, key="report_make")


def offer_files(state: AuditState) -> None:
    """Draw what to take away for people: the report and its annexes, first what those read first whom it is for."""
    if state.made is None:
        return
    made, annexes_first = state.made, contents.is_for_checkers()
    leads = is_reported(state)
    _hand_out(
        "Report (PDF)", made.contents["report.pdf"], "fairaudit-report.pdf", "pdf", leads=leads and not annexes_first
    )
    _hand_out(
        "Annexes (PDF)", made.contents["annexes.pdf"], "fairaudit-annexes.pdf", "annexes", leads=leads and annexes_first
    )


def _hand_out(label: str, content: Any, name: str, key: str, *, leads: bool = False) -> None:
    """Draw a button with a file of the report."""
    st.download_button(
        label,
        data=content,
        file_name=name,
        mime=MIME_TYPES[name.rpartition(".")[2]],
        key=f"report_download_{key}",
        icon=":material/download:",
        type="primary" if leads else "secondary",
        on_click="ignore",
    )


def show_first_page(state: AuditState) -> None:
    """Draw page 1 of the report that was made last."""
    if state.made is not None:
        with st.container(border=True, key="report_page_1"):
            st.image(state.made.first_page, alt=say(Message("report-page-first")))


def show_more_files(state: AuditState) -> None:
    """Draw the other files of the report that was made last, how to repeat it, and its text."""
    made = state.made
    if made is None:
        return
    st.subheader(stated("report-page-files"), anchor=False)
    with st.container(horizontal=True):
        _hand_out("Tables (CSV, zip)", made.contents["tables.zip"], "fairaudit-tables.zip", "zip")
        _hand_out("JSON", made.contents["result.json"], "fairaudit-result.json", "json")
        _hand_out("Saved audit (TOML)", partial(_taken, state, made.contents["plan.toml"]), "plan.toml", "toml")
        _hand_out(say(Message("report-page-all")), lambda: made.zip, "fairaudit-report.zip", "all")
    st.caption(say(Message("report-page-all-help")))
    st.caption(
        say(Message("report-page-repeat-database" if state.present_table.is_connected else "report-page-repeat"))
    )
    st.code(REPEAT, language=None, wrap_lines=True)
    st.subheader(stated("report-page-text"), anchor=False)
    show_document(made.document)


def _taken(state: AuditState, content: str | bytes) -> str | bytes:
    """Hand the saved audit out; where the report is of the audit as it stands, that is saved now."""
    if state.made is not None and state.made.digest == state.report_key:
        state.saved = state.present_plan(fingerprint=False).digest
    return content
