"""The front page: what fairaudit does, sample data, and opening a saved audit."""

from __future__ import annotations

import streamlit as st

from ui.data import connecting
from ui.data.loading import list_samples, open_plan, open_sample
from ui.data.reading import plan_notes
from ui.frame import errors_shown, next_step, open_page, show_mismatch
from ui.text import literal


def show_front_page() -> None:
    """Draw it."""
    state = open_page(
        "fairaudit",
        "Check whether like cases are treated alike: bring a table of decisions, say who is protected, "
        "read how often each group reaches the good outcome, or how much it gets, and try what could make a gap "
        "smaller.",
    )

    answers, limits = st.columns(2, gap="large")
    with answers:
        st.subheader("What it answers")
        st.markdown(
            "- Do protected people reach the good outcome as often as the rest, among comparable cases?\n"
            "- How sure is that, with this many people?\n"
            "- Where there is a prediction: who bears its errors?\n"
            "- What would a remedy change, and at what price? Six can be tried, on rows held out for it.\n"
            "- Can someone else repeat it and get the same numbers?"
        )
    with limits:
        st.subheader("What it does not claim")
        st.markdown(
            "- It does not say *why* a gap exists.\n"
            "- It does not say whether a single decision was right.\n"
            "- It cannot see what the table does not hold.\n"
            "- It does not say that a remedy is right or lawful, or that it will hold for other people.\n"
            "- It is not legal advice."
        )

    st.header("Start")
    st.markdown("**With your own data.** CSV, TSV, Excel or Parquet, up to 500 MB. It stays on this machine.")
    if connecting.offered():
        st.markdown("Or a table in a database that the administrator of this server named. Its rows stay there.")
    next_step("pages/1_Data.py", "Bring a table")

    st.markdown("**With a sample.** One click opens it with a ready audit.")
    for sample in list_samples():
        with st.container(
            border=True, horizontal=True, vertical_alignment="center", wrap=False, key=f"home_card_{sample.key}"
        ):
            st.markdown(f"**{literal(sample.title)}**  \n{literal(sample.purpose, limit=240)}", width="stretch")
            if st.button("Open", key=f"home_sample_{sample.key}"):
                with errors_shown():
                    open_sample(state, sample.key)
                st.switch_page("pages/3_Check.py")

    st.markdown("**With a saved audit.** Open the small file that *Save this audit* gave you.")
    saved = st.file_uploader("Saved audit (.toml)", type=["toml"], key="home_plan")
    if saved is not None:
        with errors_shown():
            text = saved.getvalue().decode("utf-8", errors="replace")
            if saved.file_id != state.opened_file:
                open_plan(state, text)
                state.opened_file = saved.file_id
                connecting.connect_as_planned(state)
        show_mismatch(state)
        if state.table is None or (state.mismatch is not None and not connecting.is_planned(state)):
            awaited = connecting.awaited_words(state.opened_plan)
            st.success(f"The audit is open. Now bring its data: {literal(awaited)}.")
            connecting.show_planned(state)
            next_step("pages/1_Data.py", "Bring the data")
        else:
            st.success("The audit is open.")
            for note in plan_notes(state):
                st.caption(f":material/info: {literal(note, limit=400)}")
            next_step("pages/3_Check.py", "See the answer")
