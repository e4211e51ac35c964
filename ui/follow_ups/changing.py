"""The form and the answer of the page "Did it change?"."""

from __future__ import annotations

from pathlib import Path
from zlib import crc32

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from fairaudit import Table
from fairaudit.audit.follow_up_results import ChangeFinding
from fairaudit.audit.follow_ups import run_change
from fairaudit.data import ReadOptions
from fairaudit.data.readers import FORMATS
from fairaudit.errors import TwoReadingsError
from fairaudit.measure.profiles import recorded_otherwise
from fairaudit.plan.data import read_alike
from fairaudit.plan.follow_ups import ChangePlan
from fairaudit.present import period_words
from fairaudit.present.charts import follow_ups as charts
from fairaudit.present.chips import change_chip
from fairaudit.report import follow_up_tables as tables
from ui.charts import show_chart
from ui.data import loading
from ui.data.days import say_days_as_text
from ui.data.two_readings import ask_two_readings
from ui.entries import AskedFile
from ui.frame import errors_shown
from ui.look import beside, show_chip
from ui.state import AuditState
from ui.tables import show_table
from ui.text import labels, literal
from ui.widgets import drafted, start, start_choice

CUT, TABLE = "A column of dates or numbers", "A second table"


def asked_before(state: AuditState) -> ChangePlan | None:
    """Return what was asked last for the selected question."""
    key = (state.check.where, state.check.protected)
    return next((plan for plan in state.changes if (plan.where, plan.protected) == key), None)


def choose(state: AuditState) -> ChangePlan | None:
    """Draw the form and return the question; None while the periods are not said."""
    before = asked_before(state)
    about = f"{crc32(f'{state.data_key} {state.check.where} {state.check.protected}'.encode()):x}"
    first = TABLE if state.mismatch is not None or (before is not None and before.second is not None) else CUT
    how = st.radio("What makes the periods?", (CUT, TABLE), key=start(f"change_how_{about}", first), horizontal=True)
    periods = _cuts(state, before, about) if how == CUT else _second(state, before, about)
    if periods is None:
        return None
    strata, cluster, good = (), None, state.decision.kind.has_good_outcome
    if len(periods.get("cuts", ())) < 2:
        others = [name for name in state.table.columns if name not in (state.decision.column, periods.get("column"))]
        strata = st.multiselect(
            "Split the change by the mix of",
            others,
            format_func=labels(others),
            placeholder="Such as grade, office (optional)",
            key=start_choice(f"change_strata_{about}", list(before.strata) if before else [], others),
            help="Says how much of the change comes from who was there, and how much from what was decided about them.",
        )
        cluster = state.check.cluster if good else None
        if cluster is not None:
            st.caption(literal(f"Allows for rows that depend on each other by {cluster}, as your question does."))
    return ChangePlan(
        where=state.check.where,
        protected=state.check.protected,
        protected_name=state.check.protected_name,
        strata=tuple(strata),
        tolerance=state.check.tolerance,
        amount_tolerance=None if good else state.check.amount_tolerance,
        cluster=cluster,
        confidence=state.check.confidence,
        **periods,
    )


def _cuts(state: AuditState, before: ChangePlan | None, about: str) -> dict | None:
    columns = [name for name, column in state.table.columns.items() if column.is_ordered]
    if not columns:
        why = "No column of dates or numbers says when a period begins."
        if not say_days_as_text(state, why):
            st.info(f"{why} Bring the other period as a second table.")
        return None
    left, right = st.columns(2)
    kept = before.column if before is not None else None
    column = left.selectbox(
        "Column",
        columns,
        index=None,
        format_func=labels(columns),
        placeholder="Choose a column",
        key=start_choice(f"change_column_{about}", kept, columns),
    )
    text = right.text_input(
        "Cut at",
        **drafted(f"change_cuts_{about}", ", ".join(map(str, before.cuts)) if before is not None else ""),
        placeholder="such as: 2024-01-01",
        help="Where a later period begins. Several, with commas between them, make more periods.",
    )
    cuts = tuple(part.strip() for part in text.split(",") if part.strip())
    if column is None or not cuts:
        said = "Choose a column, and say where the later period begins."
        if any(state.table.columns[name].kind != "number" for name in columns) or not say_days_as_text(state, said):
            st.info(said)
        return None
    if state.table.columns[column].kind == "number":
        try:
            cuts = tuple(float(cut) for cut in cuts)
        except ValueError:
            st.info("A column of numbers is cut at numbers, such as 2024.")
            return None
    return {"column": column, "cuts": cuts}


def _second(state: AuditState, before: ChangePlan | None, about: str) -> dict | None:
    kept = before.second_is if before is not None else "later"
    # A saved audit that was opened with new data is compared with those that it was saved with.
    first = "earlier" if state.mismatch is not None else kept
    second_is = st.radio(
        "The second table is", ("later", "earlier"), key=start(f"change_second_is_{about}", first), horizontal=True
    )
    upload = st.file_uploader("The second table", type=[*FORMATS, "gz"], key="change_upload")
    if upload is not None and upload.file_id != state.opened_second:
        state.asked_second = None
        _open_second(state, upload, None)
    if upload is not None and state.asked_second is not None:
        options = ask_two_readings(state.asked_second)
        if options is None:
            return None
        _open_second(state, upload, options)
        st.rerun()
    if state.seconds:
        [(name, table)] = state.seconds.items()
        st.caption(literal(f"Compared with {name}: {table.n_rows:,} rows.", limit=200))
        return {"second": name, "second_fingerprint": table.fingerprint, "second_is": second_is}
    if before is not None and before.second is not None:
        st.info(f"The saved audit compares with {literal(before.second, limit=120)}. Bring that table, or another.")
    else:
        st.info("Bring the table of the other period.")
    return None


def _open_second(state: AuditState, upload: UploadedFile, options: ReadOptions | None) -> None:
    """Read the second table as the first, or as was answered; a file that asks is kept."""
    content, name, asked = upload.getvalue(), Path(upload.name).stem, ReadOptions()

    def read(options: ReadOptions) -> Table:
        nonlocal asked
        asked = options
        return loading.read_content(content, name=name, options=options)

    state.opened_second = upload.file_id
    with errors_shown(), st.spinner("Reading the table …"):
        try:
            table = read_alike(state.reading, read) if options is None else read(options)
        except TwoReadingsError as error:
            state.asked_second, state.seconds = AskedFile(upload.name, content, asked, error.columns), {}
            return
        state.asked_second, state.seconds = None, {upload.name: table}


def answer(state: AuditState, plan: ChangePlan) -> ChangeFinding:
    """Return the answer, computed once for these settings, and keep the question for the report."""
    whole = state.plan(fingerprint=False)
    second = state.seconds.get(plan.second) if plan.second is not None else None
    finding = state.remember(
        "change", (plan, whole.decision), lambda: run_change(state.table, whole, plan, second=second)
    )
    key = (plan.where, plan.protected)
    state.changes = [*(p for p in state.changes if (p.where, p.protected) != key), plan]
    return finding


def show(finding: ChangeFinding) -> None:
    """Draw whether the periods were recorded alike, then the answer, its chart and its tables."""
    found = finding.result if finding.line is None else finding.line
    recording = literal(period_words.recording_sentence(finding), limit=600)
    (st.warning if recorded_otherwise(found.profile) else st.info)(recording)
    first, spread = period_words.change_parts(finding)
    left, right = beside("change_answer")
    with left, st.container(border=True, key="change_verdict"):
        show_chip(change_chip(finding))
        st.header(literal(first, limit=900), anchor=False)
        st.markdown(literal(" ".join(p for p in (spread, period_words.parts_sentence(finding)) if p), limit=900))
    with right, st.container(border=True, key="change_chart"):
        show_chart(
            charts.periods_chart(finding),
            title="The gap of each period",
            description=period_words.change_sentence(finding),
            note="Points: the gap, protected minus the rest. Lines: intervals.",
        )
        with st.expander("The same as a table"):
            show_table(tables.periods_table(finding, 1))
            if finding.result is not None:
                show_table(tables.change_table(finding, 1))
    for warning in found.warnings:
        st.warning(literal(warning, limit=600))


def show_limits(finding: ChangeFinding) -> None:
    """Draw how the periods were recorded, and what the answer does not say."""
    found = finding.result if finding.line is None else finding.line
    if found.profile:
        with st.expander(f"How the periods were recorded ({len(found.profile)})"):
            for sentence in period_words.profile_sentences(finding):
                st.markdown(f"- {literal(sentence, limit=600)}")
    with st.expander("What this does not say"):
        for text in period_words.NOT_SAID:
            st.markdown(f"- {literal(text, limit=600)}")
