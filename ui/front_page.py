"""The front page: bring a table, look at an example with its picture, or go on with a saved audit."""

from __future__ import annotations

import streamlit as st

from fairaudit.app_files import SAMPLE_FOLDER
from fairaudit.audit.result import CheckFinding
from fairaudit.audit.shares import run_check
from fairaudit.data import read_table
from fairaudit.data.apart import warm_up
from fairaudit.messages import say
from fairaudit.plan import AuditPlan
from fairaudit.sections.check import say_check
from fairaudit.sections.check.charts import check_chart, check_chart_text
from ui.charts import show_chart
from ui.data import connecting
from ui.data.loading import bring_upload, folder_files, list_samples, open_plan, open_sample, show_room
from ui.data.reading import plan_notes, show_refused
from ui.frame import errors_shown, keep_way, next_step, open_page, show_mismatch
from ui.look import beside
from ui.state import AuditState
from ui.text import literal

EXAMPLE = "berkeley_1973"
OTHERS = "Other examples"


def show_front_page() -> None:
    """Draw it."""
    state = open_page(
        "fairaudit",
        "Are like cases treated alike? Bring a table of decisions. Leave with an answer, and a report that others can "
        "check. Nothing leaves this machine.",
    )
    own, example, saved = beside("home", (1, 1, 1))
    with own, st.container(border=True, key="home_own"):
        _offer_upload(state)
    with example, st.container(border=True, key="home_example"):
        _show_example(state)
    with saved, st.container(border=True, key="home_saved"):
        _offer_saved(state)
    answers, limits = beside("home_words")
    with answers:
        st.subheader("What it answers", anchor=False)
        st.markdown(
            "- Do protected people reach the good outcome as often as the rest, among comparable cases?\n"
            "- How sure is that, with this many people? Who is worst off?\n"
            "- Where there is a prediction: who bears its errors?\n"
            "- What would a remedy change, and at what price?\n"
            "- Can someone else repeat it and get the same numbers?"
        )
    with limits:
        st.subheader("What it does not claim", anchor=False)
        st.markdown(
            "- Why there is a gap, or whether a single decision was right.\n"
            "- Anything that the table does not hold.\n"
            "- That a remedy is right or lawful, or that it will hold for other people. It is not legal advice."
        )
    keep_way(state)


def _offer_upload(state: AuditState) -> None:
    st.subheader("Bring a table", anchor=False)
    st.markdown("One row for each case. It stays on this machine.")
    warm_up()
    show_room()
    upload = st.file_uploader("CSV, TSV, Excel or Parquet", key="home_upload")
    if upload is not None:
        if upload.file_id != state.opened_upload:
            bring_upload(state, upload)
        if state.refused is None:
            st.switch_page("pages/1_Data.py")
        show_refused(state, upload)
    in_database, in_folder = bool(connecting.offered()), bool(folder_files())
    if in_database:
        st.caption("Or a table in a database that the administrator of this server named. Its rows stay there.")
    if in_database or in_folder:
        places = [place for place, is_there in (("a database", in_database), ("this server", in_folder)) if is_there]
        next_step("pages/1_Data.py", f"Bring a table from {' or '.join(places)}")


def _show_example(state: AuditState) -> None:
    samples = {sample.key: sample for sample in list_samples()}
    shown, finding = samples[EXAMPLE], example_finding()
    st.subheader("Look at an example", anchor=False)
    st.markdown(f"**{literal(shown.title)}.** {literal(say(say_check(finding).headline))}.")
    show_chart(check_chart(finding, narrow=True), description=check_chart_text(finding))
    _offer_sample(state, EXAMPLE)
    with st.expander(OTHERS):
        for key, sample in samples.items():
            if key != EXAMPLE:
                st.markdown(f"**{literal(sample.title)}**  \n{literal(sample.purpose, limit=240)}")
                _offer_sample(state, key)


def _offer_sample(state: AuditState, key: str) -> None:
    if st.button("Open it", key=f"home_sample_{key}"):
        with errors_shown():
            open_sample(state, key)
        st.switch_page("pages/3_Check.py")


@st.cache_data
def example_finding() -> CheckFinding:
    """Return the answer of the example's first question, from its table."""
    plan = AuditPlan.load(SAMPLE_FOLDER / f"{EXAMPLE}.toml")
    table = read_table(SAMPLE_FOLDER / plan.data.source, name=plan.data.name, options=plan.data.options)
    return run_check(table, plan, plan.checks[0])


def _offer_saved(state: AuditState) -> None:
    st.subheader("Go on with a saved audit", anchor=False)
    st.markdown("Open the small file that *Save this audit* gave you.")
    saved = st.file_uploader("Saved audit (.toml)", type=["toml"], key="home_plan")
    if saved is None:
        return
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
