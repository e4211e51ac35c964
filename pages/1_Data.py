"""Bring a table, see how it was read, and say what the decision and the good outcome are."""

from __future__ import annotations

import streamlit as st

from ui import reading, roles
from ui.frame import errors_shown, next_step, open_page, show_mismatch
from ui.loading import bring_upload, folder_files, list_samples, open_folder_file, open_sample, show_refusal
from ui.quality import show_quality
from ui.tables import show_rows
from ui.text import literal

state = open_page(
    "Data",
    "Bring the table of decisions, one row for each case, and say what a good outcome is, or that it is an amount. "
    "Leave out names and addresses: they are not needed.",
)

ways = ["Upload a file", "Open a sample"] + (["From this server"] if folder_files() else [])
way = st.segmented_control("Where are the data?", ways, default=ways[0], required=True, key="data_way")
if way == ways[0]:
    upload = st.file_uploader(
        "CSV, TSV, Excel or Parquet; text files may be gzip-compressed",
        key="data_upload",
        help="Up to 500 MB. The file stays in the memory of this session and is forgotten with it.",
    )
    if upload is not None and upload.file_id != state.opened_upload:
        bring_upload(state, upload)
    if upload is not None and state.refused is not None:
        show_refusal(state)
elif way == ways[1]:
    samples = {s.key: s for s in list_samples()}
    key = st.selectbox("Sample", list(samples), format_func=lambda k: samples[k].title, key="data_sample")
    st.caption(literal(samples[key].purpose))
    if st.button("Open this sample", key="data_open_sample"):
        with errors_shown(go_on=True):
            open_sample(state, key)
            st.rerun()
else:
    files = {f.name: f for f in folder_files()}
    name = st.selectbox(
        "File", list(files), format_func=lambda n: f"{n} ({files[n].size_bytes / 1e6:,.1f} MB)", key="data_file"
    )
    if st.button("Open this file", key="data_open_file"):
        with errors_shown(go_on=True):
            open_folder_file(state, name)
            st.rerun()

if state.table is None:
    st.info("There is no data yet. Bring a file above, or open a sample.")
    st.stop()
table = state.table
st.header(literal(table.name, limit=80))
show_mismatch(state)
if state.dropped:
    st.warning("These choices did not fit the table and were left out. " + literal(" ".join(state.dropped), limit=900))
st.markdown(f"{table.n_rows:,} rows, {len(table.columns):,} columns. The first rows:")
show_rows(table.head(100), alt="The first 100 rows of the table")
for note in (*reading.name_notes(state), *table.notes):
    st.caption(f":material/info: {literal(note, limit=400)}")
reading.show_reading(state)

st.header("What was decided")
roles.show_roles(state)

st.header("Is the table sound?")
show_quality(state)

if state.decision is None:
    st.info("To go on, choose the decision column and its good outcome above.")
else:
    next_step("pages/2_Groups.py", "Next: who is compared")
