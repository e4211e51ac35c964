"""Bring a table, see how it was read, and say what the decision and the good outcome are."""

from __future__ import annotations

import streamlit as st

from fairaudit.data.apart import warm_up
from ui.data import connecting, counts, not_known, reading, roles
from ui.data.loading import (
    bring_upload,
    folder_files,
    list_samples,
    open_folder_file,
    open_sample,
    show_room,
)
from ui.data.moved import show_dropped, show_moved
from ui.data.quality import show_quality
from ui.data.two_readings import show_two_readings
from ui.frame import errors_shown, keep_way, next_step, open_page, show_mismatch
from ui.look import beside
from ui.tables import show_rows
from ui.text import literal
from ui.widgets import end_page, start_choice

state = open_page(
    "Data",
    "Bring the table of decisions, one row for each case. Then say what was decided, and which outcome is good. Leave "
    "out names and addresses: they are not needed.",
)

offer = connecting.offered()
ways = ["Upload a file", "Open a sample"]
more = {"From a database": bool(offer), "From this server": bool(folder_files())}
ways += [more_way for more_way, is_there in more.items() if is_there]
first = "From a database" if state.table is not None and state.table.is_connected and offer else ways[0]
way = st.segmented_control("Where are the data?", ways, required=True, key=start_choice("data_way", first, ways))
if way == ways[0]:
    warm_up()
    show_room()
    upload = st.file_uploader(
        "CSV, TSV, Excel or Parquet",
        key="data_upload",
        help="Up to 500 MB; text files may be gzip-compressed. The file stays in the memory of this session and is "
        "forgotten with it.",
    )
    if upload is not None and upload.file_id != state.opened_upload:
        bring_upload(state, upload)
    if upload is not None and state.refused is not None:
        reading.show_refused(state, upload)
elif way == ways[1]:
    samples = {s.key: s for s in list_samples()}
    key = st.selectbox("Sample", list(samples), format_func=lambda k: samples[k].title, key="data_sample")
    st.caption(literal(samples[key].purpose))
    if st.button("Open this sample", key="data_open_sample"):
        with errors_shown(go_on=True):
            open_sample(state, key)
            st.rerun()
elif way == "From a database":
    connecting.show_connect(state, offer)
else:
    files = {f.name: f for f in folder_files()}
    name = st.selectbox(
        "File", list(files), format_func=lambda n: f"{n} ({files[n].size_bytes / 1e6:,.1f} MB)", key="data_file"
    )
    if st.button("Open this file", key="data_open_file"):
        with errors_shown(go_on=True):
            open_folder_file(state, name)
            st.rerun()

if state.asked_file is not None:
    show_two_readings(state)
    end_page()
if state.table is None:
    if state.opened_plan is not None:
        st.info(
            f"The open audit waits for its data. Bring {literal(connecting.awaited_words(state.opened_plan))} above."
        )
    else:
        bring = "Connect to a table above" if way == "From a database" else "Bring a file above"
        st.info(f"There is no data yet. {bring}, or open a sample.")
    end_page()
table = state.table
st.header(literal(table.name, limit=80))
show_mismatch(state)
show_dropped(state)
show_moved(state)
way_on = st.container()  # Above the rows, where it is seen without scrolling.
sizes = f"{table.n_rows:,} rows, {len(table.columns):,} columns."
if table.is_connected:
    st.markdown(f"{sizes} This is {literal(connecting.where_words(table), limit=200)}. {connecting.STAY}")
else:
    st.markdown(f"{sizes} The first rows:")
show_rows(state.remember("head", 100, lambda: table.head(100)), alt="The first 100 rows of the table")
# In a part of their own, so that one more moves nothing below: a press there would lose the focus of the keyboard.
with st.container():
    for note in (*reading.plan_notes(state), *reading.name_notes(state), *table.notes):
        st.caption(f":material/info: {literal(note, limit=400)}")
reading.ask_what_rows_are(state)
not_known.show_not_known(state, not_known.totals_of(state), kinds=("group",), key="data_totals")
(connecting.show_connection if table.is_connected else reading.show_reading)(state)

decided, sound = beside("data_questions")
with decided:
    st.header("What was decided")
    roles.show_roles(state)
with sound:
    st.header("Is the table sound?")
    show_quality(state)

with way_on:
    if counts.counts_cases(state):
        st.info(f"To go on, {counts.way_on(state)}.")
    elif state.decision is None:
        begun = state.begun.get("decision") is not None
        what = "say which of its values are good for the person" if begun else "choose the decision column"
        st.info(f"To go on, {what}, below.")
    else:
        next_step("pages/2_Groups.py", "Next: who is compared", first=True)
keep_way(state)
