"""The front page: bring a table, look at an example with its picture, or go on with a saved audit."""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from fairaudit.audit.result import CheckFinding
from fairaudit.data import read_table
from fairaudit.data.subprocess_reader import warm_up
from fairaudit.errors import require
from fairaudit.files import SAMPLE_FOLDER
from fairaudit.findings import Message, Phrase
from fairaudit.messages import say
from fairaudit.plan.audit_plan import AuditPlan
from fairaudit.sections.check import say_check
from fairaudit.sections.check.answering import answer_check
from fairaudit.sections.check.charts import check_chart, check_chart_text, check_chart_title
from ui.data import connecting
from ui.data.loading import bring_upload, folder_files, list_samples, open_plan, open_sample, show_room
from ui.data.reading import plan_notes, show_refused_upload
from ui.frame import errors_shown, keep_way, next_step, open_page, show_mismatch
from ui.look import beside
from ui.manual import offer_manual
from ui.result import show_picture
from ui.state import AuditState
from ui.text import literal, stated

EXAMPLE = "berkeley_1973"
_EXCEPTIONS = ("check-lead-exception", "check-lead-exceptions")


def show_front_page() -> None:
    """Draw it."""
    state = open_page("fairaudit")
    with st.container(horizontal=True, vertical_alignment="center", key="page_top"):
        st.caption(say(Message("front-stays")))
        offer_manual()
    with st.container(key="result_said"):
        st.title(say(Message("front-question")), anchor=False)
        st.markdown(say(Message("front-promise")))
    own, example = beside("home", (2, 3))
    with own:
        with st.container(border=True, key="home_own"):
            _offer_upload(state)
        with st.expander(say(Message("front-saved")), key="home_saved"):
            offered = st.container()
        _offer_saved(state, offered)
    with example, st.container(border=True, key="home_example"):
        _show_example(state)
    keep_way(state)


def _offer_upload(state: AuditState) -> None:
    st.subheader(say(Message("front-bring")), anchor=False)
    warm_up()
    show_room()
    upload = st.file_uploader(say(Message("front-upload")), key="home_upload")
    if upload is not None:
        if upload.file_id != state.opened_upload:
            bring_upload(state, upload)
        if state.refused is None:
            st.switch_page("pages/1_Data.py")
        show_refused_upload(state, upload)
    st.markdown(
        f"**{say(Message('front-should-say'))}**\n"
        f"- {say(Message('front-should-decided'))}\n"
        f"- {say(Message('front-should-who'))}\n"
        f"- {say(Message('front-should-before'))}"
    )
    st.caption(say(Message("front-formats")))
    in_database, in_folder = bool(connecting.offered()), bool(folder_files())
    if in_database:
        next_step("pages/1_Data.py", say(Message("front-from-database")))
    if in_folder:
        next_step("pages/1_Data.py", say(Message("front-from-server")))


def _show_example(state: AuditState) -> None:
    samples = {sample.key: sample for sample in list_samples()}
    shown, finding = samples[EXAMPLE], example_finding()
    st.caption(stated("front-example", title=Phrase(shown.title)))
    said = say_check(finding)
    st.subheader(literal(say(said.headline)), anchor=False)
    # A headline on the average stands beside what it does not hold for, which the picture shows.
    if exceptions := [each for each in said.lead if each.key in _EXCEPTIONS]:
        st.markdown(literal(say(exceptions), limit=300))
    show_picture(finding, check_chart, check_chart_title, check_chart_text)
    _offer_sample(state, EXAMPLE, say(Message("front-open")))
    with st.expander(say(Message("front-others")), key="home_others"):
        for key, sample in samples.items():
            if key != EXAMPLE:
                st.markdown(f"**{literal(sample.title)}**  \n{literal(sample.purpose, limit=240)}")
                _offer_sample(state, key, say(Message("front-open-other")))


def _offer_sample(state: AuditState, key: str, label: str) -> None:
    if st.button(label, key=f"home_sample_{key}"):
        with errors_shown():
            open_sample(state, key)
        st.switch_page("pages/3_Check.py")


@st.cache_data
def example_finding() -> CheckFinding:
    """Return the answer of the example's first question, from its table."""
    plan = AuditPlan.load(SAMPLE_FOLDER / f"{EXAMPLE}.toml")
    table = read_table(SAMPLE_FOLDER / plan.data.source, name=plan.data.name, options=plan.data.options)
    return answer_check(table, plan, plan.checks[0])


def _offer_saved(state: AuditState, place: DeltaGenerator) -> None:
    """Draw where a saved audit is brought, and below that, what comes of it."""
    saved = place.file_uploader(say(Message("front-saved-file")), type=["toml"], key="home_plan")
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
        awaited = connecting.awaited_words(require(state.opened_plan))
        st.success(stated("front-opened", awaited=Phrase(awaited), limit=400))
        connecting.show_planned(state)
        next_step("pages/1_Data.py", "Bring the data")
    else:
        st.success("The audit is open.")
        for note in plan_notes(state):
            st.caption(f":material/info: {literal(note, limit=400)}")
        next_step("pages/3_Check.py", "See the answer")
