"""The ways to bring a table: a file, a sample, a database, the folder of this server."""

from __future__ import annotations

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from fairaudit.data.subprocess_reader import warm_up
from ui.data import connecting, reading
from ui.data.loading import bring_upload, folder_files, list_samples, open_folder_file, open_sample, show_room
from ui.frame import errors_shown
from ui.state import AuditState
from ui.text import literal
from ui.widgets import start_choice

UPLOAD, SAMPLE, DATABASE, SERVER = "Upload a file", "Open a sample", "From a database", "From this server"


def bring_table(state: AuditState) -> None:
    """Draw the ways to bring a table."""
    offer = connecting.offered()
    ways = [UPLOAD, SAMPLE, *([DATABASE] if offer else []), *([SERVER] if folder_files() else [])]
    first = DATABASE if state.table is not None and state.table.is_connected and offer else UPLOAD
    way = st.segmented_control("Where are the data?", ways, required=True, key=start_choice("data_way", first, ways))
    if way == UPLOAD:
        _bring_file(state)
    elif way == SAMPLE:
        _choose_sample(state)
    elif way == DATABASE:
        connecting.show_connect(state, offer)
    else:
        _choose_file(state)


def show_refused(state: AuditState) -> None:
    """Say why the file that was brought last is not used, and offer to read it in another way."""
    upload: UploadedFile | None = st.session_state.get("data_upload")
    if upload is not None and state.refused is not None and upload.file_id == state.opened_upload:
        reading.show_refused(state, upload)


def _bring_file(state: AuditState) -> None:
    warm_up()
    show_room()
    upload = st.file_uploader(
        "CSV, TSV, Excel or Parquet",
        key="data_upload",
        help="Up to 500 MB; text files may be gzip-compressed. The file stays in the memory of this session.",
    )
    if upload is not None and upload.file_id != state.opened_upload:
        bring_upload(state, upload)


def _choose_sample(state: AuditState) -> None:
    samples = {sample.key: sample for sample in list_samples()}
    key = st.selectbox("Sample", list(samples), format_func=lambda k: samples[k].title, key="data_sample")
    st.caption(literal(samples[key].purpose))
    if st.button("Open this sample", key="data_open_sample"):
        with errors_shown(go_on=True):
            open_sample(state, key)
            st.rerun()


def _choose_file(state: AuditState) -> None:
    files = {file.name: file for file in folder_files()}
    name = st.selectbox(
        "File", list(files), format_func=lambda n: f"{n} ({files[n].size_bytes / 1e6:,.1f} MB)", key="data_file"
    )
    if st.button("Open this file", key="data_open_file"):
        with errors_shown(go_on=True):
            open_folder_file(state, name)
            st.rerun()
