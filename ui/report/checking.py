"""Checking a report that somebody hands over: its files, and with its data the audit made again."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from fairaudit import AuditPlan, Table
from fairaudit.disclosure.fields import Field
from fairaudit.findings import Message, Word
from fairaudit.messages import say
from fairaudit.plan.data import as_planned
from fairaudit.present.blocks import TableBlock
from fairaudit.report.verification import Verification, iter_verify
from ui.data.loading import read_content
from ui.look import beside
from ui.progress import follow
from ui.report.making import in_turn
from ui.result import show_caution, show_said, show_table
from ui.runtime import memory
from ui.state import AuditState
from ui.text import literal

MOST_CELL = 80


def bring(state: AuditState) -> None:
    """Ask for the files of a report, and for its data; check them as soon as they are there."""
    left, right = beside("verify_files", small=True)
    files = left.file_uploader(say(Message("verify-page-files")), type="zip", key="verify_files")
    data = right.file_uploader(say(Message("verify-page-data")), key="verify_data")
    if files is None:
        return
    asks = data is not None and st.button(say(Message("verify-page-again")), type="primary", key="verify_again")
    if asks and data is not None:
        memory.ask_for(memory.REPORT + files.size, "A report")
        with in_turn():
            opens = partial(_read, data)
            state.verified = follow(iter_verify(files.getvalue(), opens), label="Now:")
        state.verified_file = files.file_id
        st.rerun()
    if state.verified_file != files.file_id:
        memory.ask_for(files.size, "This file")
        state.verified = follow(iter_verify(files.getvalue()), label="Now:")
        state.verified_file = files.file_id
        st.rerun()


def _read(data: UploadedFile, plan: AuditPlan) -> Table:
    """Read the data of a report as its plan says."""
    name = plan.data.name or Path(data.name).stem
    return as_planned(plan.data, lambda options: read_content(data.getvalue(), name=name, options=options))


def show(found: Verification) -> None:
    """Draw verdict and answer, and what makes the reader careful."""
    said = found.say()
    show_said(said)
    if found.mismatch is not None:
        st.markdown(literal(found.mismatch, limit=900))
    show_caution(said)


def show_more(found: Verification) -> None:
    """Draw each file, and the values that differ."""
    show_table(files_table(found), download=False)
    if found.differences:
        show_table(values_table(found), download=False)


def files_table(found: Verification) -> TableBlock:
    """Return the files of a report, each with whether it is as listed and as made again."""
    columns = tuple(
        Field(name, say(Message(f"verify-column-{name}")), "text", "") for name in ("file", "state", "again")
    )
    rows = tuple((each.name, _state(each.state), _state(each.again or "none")) for each in found.files)
    return TableBlock("verify_files", say(Message("verify-page-files-table")), columns, rows)


def values_table(found: Verification) -> TableBlock:
    """Return the values that differ, as reported and as made again."""
    columns = tuple(
        Field(name, say(Message(f"verify-column-{name}")), "text", "") for name in ("value", "reported", "now")
    )
    rows = tuple(
        (each.path, repr(each.reported)[:MOST_CELL], repr(each.again)[:MOST_CELL]) for each in found.differences
    )
    return TableBlock("verify_values", say(Message("verify-page-values")), columns, rows)


def _state(state: str) -> str:
    return say(Message("verify-state", {"state": Word(state)}))
