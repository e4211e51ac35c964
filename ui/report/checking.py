"""Checking a report that somebody hands over: its files, and with its data the audit made again."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from fairaudit import AuditPlan, Table
from fairaudit.findings import Message
from fairaudit.messages import say
from fairaudit.plan.data import as_planned
from fairaudit.report.verification import iter_verify
from fairaudit.report.verified import Verification, say_verification, verification_tables
from ui.data.loading import read_content
from ui.look import beside
from ui.progress import follow
from ui.report.making import in_turn
from ui.result import show_caution, show_said, show_table
from ui.runtime import memory
from ui.state import AuditState
from ui.text import literal


def bring(state: AuditState) -> None:
    """Ask for the files of a report, and for its data; check them as soon as they are there."""
    left, right = beside("verify_files", small=True)
    files = left.file_uploader(say(Message("verify-page-files")), type="zip", key="verify_files")
    data = right.file_uploader(say(Message("verify-page-data")), key="verify_data")
    if files is None:
        return
    found, certificate = state.verified, None
    if found is not None and found.signatures:
        certificate = st.file_uploader(say(Message("verify-page-certificate")), type=["pem", "crt"], key="verify_trust")
    trusted = () if certificate is None else (certificate.getvalue(),)
    of = (files.file_id, "" if certificate is None else certificate.file_id)
    asks = data is not None and st.button(say(Message("verify-page-again")), type="primary", key="verify_again")
    if asks and data is not None:
        memory.ask_for(memory.REPORT + files.size, "A report")
        with in_turn():
            opens = partial(_read, data)
            state.verified = follow(iter_verify(files.getvalue(), opens, certificates=trusted), label="Now:")
        state.verified_file = of
        st.rerun()
    if state.verified_file != of:
        memory.ask_for(files.size, "This file")
        state.verified = follow(iter_verify(files.getvalue(), certificates=trusted), label="Now:")
        state.verified_file = of
        st.rerun()


def _read(data: UploadedFile, plan: AuditPlan) -> Table:
    """Read the data of a report as its plan says."""
    name = plan.data.name or Path(data.name).stem
    return as_planned(plan.data, lambda options: read_content(data.getvalue(), name=name, options=options))


def show(found: Verification) -> None:
    """Draw verdict and answer, and what makes the reader careful."""
    said = say_verification(found)
    show_said(said)
    if found.mismatch is not None:
        st.markdown(literal(found.mismatch, limit=900))
    show_caution(said)


def show_more(found: Verification) -> None:
    """Draw each file, the signatures, and the values that differ."""
    for table in verification_tables(found):
        show_table(table, download=False)
