"""The form and the answer of the page "Change over time"."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any
from zlib import crc32

import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.runtime.uploaded_file_manager import UploadedFile

from fairaudit import Table
from fairaudit.audit.result import ChangeFinding
from fairaudit.data import ReadOptions
from fairaudit.data.readers import FORMATS
from fairaudit.errors import TwoReadingsError
from fairaudit.findings import Message, Phrase
from fairaudit.measure.periods import period_columns
from fairaudit.messages import say
from fairaudit.plan.data import read_alike
from fairaudit.plan.fields import form_of
from fairaudit.plan.questions import ChangePlan
from fairaudit.sections.change import not_said, read_change, recording_sentences, say_change, say_recording, tables
from fairaudit.sections.change.answering import run_change
from fairaudit.sections.change.charts import change_chart, change_chart_text, change_chart_title
from ui.data import loading
from ui.data.quality import say_days_as_text
from ui.data.reading import ask_two_readings
from ui.entries import AskedFile
from ui.frame import errors_shown
from ui.result import show_caution, show_listed, show_picture, show_said, show_table, show_warnings
from ui.state import AuditState, with_question
from ui.text import literal, stated
from ui.values import known_values, value_label, values_left
from ui.widgets import ask, drafted, draw_field, start, was_answered

_FIRST_YEAR, _LAST_YEAR = 1900, 2100
CUT, TABLE = "A column of dates, months or numbers", "A second table"


def asked_before(state: AuditState) -> ChangePlan | None:
    """Return what was asked last for the selected question."""
    key = (state.check.where, state.check.protected)
    return next((plan for plan in state.changes if (plan.where, plan.protected) == key), None)


def about(state: AuditState) -> str:
    """Return what tells the widgets of one question from those of another one."""
    return f"{crc32(f'{state.data_key} {state.check.where} {state.check.protected}'.encode()):x}"


def is_answered(state: AuditState) -> bool:
    """Whether there was an answer when the page was drawn last, so that the form is a setting below it."""
    return was_answered("change", about(state), asked_before(state) is not None)


def choose(state: AuditState, mix: DeltaGenerator) -> ChangePlan | None:
    """Draw the form, what the change is split by in `mix`, and return the question; None while periods are not said."""
    before, mark = asked_before(state), about(state)
    first = TABLE if state.mismatch is not None or (before is not None and before.second is not None) else CUT
    how = st.radio("What makes the periods?", (CUT, TABLE), key=start(f"change_how_{mark}", first), horizontal=True)
    periods = _cuts(state, before, mark) if how == CUT else _second(state, before, mark)
    if periods is None:
        return None
    strata: Sequence[str] = ()
    cluster, good = None, state.present_decision.kind.has_good_outcome
    if len(periods.get("cuts", ())) < 2:
        others = [
            name
            for name in state.present_table.columns
            if name not in (state.present_decision.column, periods.get("column"))
        ]
        strata = ask(
            ChangePlan,
            "strata",
            mix,
            key=f"change_strata_{mark}",
            first=before.strata if before else (),
            options=others,
            help=stated("change-more-mix-why"),
        )
        cluster = state.check.cluster if good else None
        if cluster is not None:
            st.caption(stated("change-clustered", column=Phrase(cluster)))
    return ChangePlan(
        where=state.check.where,
        protected=state.check.protected,
        protected_name=state.check.protected_name,
        others_name=state.check.others_name,
        strata=tuple(strata),
        tolerance=state.check.tolerance,
        amount_tolerance=None if good else state.check.amount_tolerance,
        cluster=cluster,
        confidence=state.check.confidence,
        **periods,
    )


def _cuts(state: AuditState, before: ChangePlan | None, mark: str) -> dict | None:
    columns = period_columns(state.present_table, state.present_decision.column)
    if not columns:
        why = "No column of dates, months or numbers says when a period begins."
        if not say_days_as_text(state, why):
            st.info(f"{why} {say(Message('change-bring-other'))}")
        return None
    left, right = st.columns(2)
    proposed, cut = _only_period(state, columns) if before is None else (before.column, "")
    column = ask(ChangePlan, "column", left, key=f"change_column_{mark}", first=proposed, options=columns)
    written = drafted(f"change_cuts_{mark}", ", ".join(map(str, before.cuts)) if before is not None else cut)
    text = draw_field(ChangePlan, "cuts", right, **written)
    cuts = tuple(part.strip() for part in text.split(",") if part.strip())
    if column is None or not cuts:
        said = "Choose a column, and say where the later period begins."
        if any(state.present_table.columns[name].kind != "number" for name in columns):
            st.info(said)
        elif not say_days_as_text(state, said):
            st.info("No column holds dates or months. One of numbers, such as a year, can be cut.")
        return None
    if state.present_table.columns[column].kind == "number":
        try:
            cuts = tuple(float(cut) for cut in cuts)
        except ValueError:
            st.info("A column of numbers is cut at numbers, such as 2024.")
            return None
    return {"column": column, "cuts": cuts}


def _only_period(state: AuditState, columns: Sequence[str]) -> tuple[str | None, str]:
    """Return the one column that holds days or years, and where it is cut if it has two of them; else nothing."""
    found: dict[str, list[Any]] = {}
    for name in columns:
        values, more = known_values(state, name)
        if state.present_table.columns[name].kind != "number":
            found[name] = []
        elif not more and all(value == int(value) and _FIRST_YEAR <= value < _LAST_YEAR for value in values):
            found[name] = values_left(state, name, values)
    if len(found) != 1:
        return None, ""
    [(name, values)] = found.items()
    return (None, "") if len(values) == 1 else (name, value_label(max(values)) if len(values) == 2 else "")


def _second(state: AuditState, before: ChangePlan | None, mark: str) -> dict | None:
    kept = before.second_is if before is not None else "later"
    # A saved audit that was opened with new data is compared with those that it was saved with.
    first = "earlier" if state.mismatch is not None else kept
    second_is = ask(ChangePlan, "second_is", key=f"change_second_is_{mark}", first=first, horizontal=True)
    upload = st.file_uploader(form_of(ChangePlan, "second").label, type=[*FORMATS, "gz"], key="change_upload")
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
        st.info(stated("change-bring-saved", table=Phrase(before.second), limit=400))
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
            said = state.reading
            table = read_alike(said, read) if options is None else read(options).with_design(said.design)
        except TwoReadingsError as error:
            state.asked_second, state.seconds = AskedFile(upload.name, content, asked, error.columns), {}
            return
        state.asked_second, state.seconds = None, {upload.name: table}


def answer(state: AuditState, plan: ChangePlan) -> ChangeFinding:
    """Return the answer, computed once for these settings, and keep the question for the report."""
    whole = state.present_plan(fingerprint=False)
    second = state.seconds.get(plan.second) if plan.second is not None else None
    finding = state.remember(
        "change", (plan, whole.decision), lambda: run_change(state.present_table, whole, plan, second=second)
    )
    state.changes = with_question(state.changes, plan)
    return finding


def show_answer(state: AuditState, finding: ChangeFinding) -> None:
    """Draw the answer and its chart, with what makes the reader careful."""
    said, verdict = say_change(finding), read_change(finding)
    show_said(said)
    if verdict.verdict not in ("not_shown", "nothing_to_compare"):
        show_picture(finding, change_chart, change_chart_title, change_chart_text)
    if verdict.recorded == "otherwise":
        st.warning(literal(say(said.caution), limit=600))
    else:
        show_caution(said)


def show_figures(finding: ChangeFinding) -> None:
    """Draw the figures of each period and of the change, with their ranges, and what makes them doubtful."""
    st.subheader(stated("change-more-figures"), anchor=False)
    periods = tables.periods_table(finding, 1)
    # Of two periods, there is no test of each against the others.
    columns = periods.columns if finding.line is not None else periods.columns[:-1]
    show_table(periods, columns=tuple(column.name for column in columns))
    if finding.result is not None and not finding.result.strata:
        show_table(tables.change_table(finding, 1))
    show_warnings(finding.compared.warnings)


def show_recording(finding: ChangeFinding) -> None:
    """Draw in what the periods are recorded otherwise."""
    recording = say_recording(finding)
    if recording is None:
        return
    st.subheader(stated("change-more-recording"), anchor=False)
    st.markdown(literal(say(recording)))
    show_listed(recording_sentences(finding))


def show_computed() -> None:
    """Draw what an answer does not say, and the way to how it is computed."""
    st.subheader(stated("change-more-computed"), anchor=False)
    show_listed(not_said())
