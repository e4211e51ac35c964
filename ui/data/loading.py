"""A table or a saved audit is put into the session; what becomes of filters and groups of the table before."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from fairaudit import AuditPlan, Table, read_table
from fairaudit.data import ReadOptions
from fairaudit.data.engines.named import find_connection
from fairaudit.data.limits import Limits, most_memory, size_text
from fairaudit.data.readers import FolderFile, list_folder, open_from_folder
from fairaudit.data.subprocess_reader import read_apart
from fairaudit.errors import FairauditError, LimitError, TwoReadingsError, require
from fairaudit.files import SAMPLE_FOLDER
from fairaudit.findings import Argument, Count, Message, Phrase, Word
from fairaudit.messages import say
from fairaudit.plan.data import SAMPLE_PREFIX, as_planned, compare_data, fits, record_data
from fairaudit.settings import DATA_DIR
from ui.data import connecting
from ui.entries import AskedFile, CarriedCondition
from ui.frame import show_error
from ui.runtime import activity, memory
from ui.state import AuditState
from ui.text import literal, stated

# Ways to bring data into a session: a file, a sample, the server's folder, a saved audit.


@dataclass(frozen=True)
class SampleFile:
    """A sample data set with its ready audit."""

    key: str
    title: str
    purpose: str


@st.cache_data
def list_samples() -> tuple[SampleFile, ...]:
    """Return the samples that lie beside the app, in the order of their names."""
    samples = []
    for path in sorted(SAMPLE_FOLDER.glob("*.toml")):
        plan = AuditPlan.load(path)
        samples.append(SampleFile(path.stem, plan.data.name or path.stem, plan.report.purpose or ""))
    return tuple(samples)


@activity.noted("table")
def open_sample(state: AuditState, key: str) -> None:
    """Load a sample and its audit."""
    plan = AuditPlan.load(SAMPLE_FOLDER / f"{key}.toml")
    path = SAMPLE_FOLDER / plan.data.source
    memory.ask_for(4 * path.stat().st_size, "This sample")
    with st.spinner("Opening the sample …"):
        table = read_table(path, name=plan.data.name, options=plan.data.options)
        state.put_table(table, source=plan.data.source, content=path.read_bytes())
        state.open_plan(plan)


@activity.noted("table")
def open_upload(state: AuditState, name: str, content: bytes, options: ReadOptions | None = None) -> None:
    """Load an uploaded file; the present data stay if it cannot be read, or not before the person has said how."""
    called = Path(name).stem.removesuffix(".csv")
    with st.status(f"Reading {len(content) / 1e6:.1f} MB …") as status:
        table = None if options else _as_planned(state, content, called)
        planned = table is not None
        if table is None:
            try:
                table = read_content(content, name=called, options=options)
            except TwoReadingsError as error:
                state.asked_file = AskedFile(name, content, options or ReadOptions(), error.columns)
                status.update(label="There is a question.", state="complete")
                return
        state.put_table(table, source=name, content=content, planned=planned)
        status.update(label="The table is here.", state="complete")


def read_content(content: bytes, *, name: str, options: ReadOptions | None = None) -> Table:
    """Read a table, where there is memory for it."""
    # The content goes to the reader, and comes back as rows.
    memory.ask_for(len(content), "This file")
    return read_apart(
        content,
        name=name,
        options=options,
        memory=min(most_memory(), memory.left()),
        accept=lambda n_bytes: memory.ask_for(n_bytes, "This table"),
    )


def bring_upload(state: AuditState, upload: UploadedFile, options: ReadOptions | None = None) -> None:
    """Load what the person has just uploaded and draw the page anew; a refusal is kept for :func:`show_refusal`."""
    state.opened_upload, state.asked_file = upload.file_id, None
    try:
        open_upload(state, upload.name, upload.getvalue(), options)
    except FairauditError as error:
        state.refused = error
    else:
        state.refused = None
    st.rerun()


def show_room() -> None:
    """Say so where memory is short: the browser only shows that an upload was refused, not why."""
    room = memory.largest_upload()
    if room < Limits().max_bytes:
        sizes = {"room": Phrase(size_text(room)), "why": Phrase(memory.state_text())}
        said = f"{say(Message('data-room', sizes))} {memory.HINT}"
        st.caption(f":material/info: {literal(said, limit=400)}")


def show_refusal(state: AuditState) -> None:
    """Say why the file that was uploaded last is not used, and what is used instead."""
    show_error(require(state.refused))
    if state.table is not None:
        st.caption(stated("page-in-use", what=Phrase(state.table.name), limit=120))


def _as_planned(state: AuditState, content: bytes, called: str) -> Table | None:
    """Return the data of the audit that was opened last, read as it says; None if these are not they."""
    plan = state.known_plan
    # Without a fingerprint, the file that is awaited is known by its columns, and any other file is another.
    if plan is None or (plan.data.fingerprint is None and not state.data_awaited):
        return None
    try:
        name = plan.data.name or called
        table = as_planned(plan.data, lambda options: read_content(content, name=name, options=options))
        if plan.data.fingerprint is None:
            compare_data(plan, table)
            state.known_plan = plan = record_data(plan, table)
    except LimitError:
        # Read in any other way it takes as much.
        raise
    except FairauditError:
        return None
    return table if fits(require(plan.data.fingerprint), table.fingerprint) else None


def folder_files() -> tuple[FolderFile, ...]:
    """Return the files that an administrator offers, none where no folder is named."""
    folder = DATA_DIR.text
    return list_folder(folder) if folder else ()


@activity.noted("table")
def open_folder_file(state: AuditState, name: str, options: ReadOptions | None = None) -> None:
    """Open a file of the administrator's folder in place."""
    with st.spinner("Opening the file …"):
        try:
            table = open_from_folder(require(DATA_DIR.text), name, options)
        except TwoReadingsError as error:
            state.asked_file = AskedFile(name, None, options or ReadOptions(), error.columns)
            return
        state.put_table(table, source=name)


def open_again(state: AuditState, source: str, content: bytes | None, options: ReadOptions) -> None:
    """Open an upload or, without content, a file of the administrator's folder with other options."""
    if content is None:
        open_folder_file(state, source, options)
    else:
        open_upload(state, source, content, options)


def read_again(state: AuditState, options: ReadOptions) -> None:
    """Read the table again with other options, wherever it is."""
    table = state.present_table
    if table.is_connected:
        facts = require(table.connection)
        named = find_connection(require(facts.connection))
        connecting.open_connected(state, named, table=facts.table, query=facts.query, options=options)
    else:
        open_again(state, state.source, state.content, options)


def open_plan(state: AuditState, text: str) -> AuditPlan:
    """Take a saved audit, and its data where they are here: the file that was uploaded before, or a sample of the app.

    Both are read as the audit says.
    """
    plan = AuditPlan.from_toml(text)
    state.open_plan(plan)
    source = plan.data.source
    name = f"{source.removeprefix(SAMPLE_PREFIX)}.csv" if source.startswith(SAMPLE_PREFIX) else source
    sample = SAMPLE_FOLDER / Path(name).name
    if state.table is None:
        if sample.suffix == ".csv" and sample.is_file():
            _put_if_planned(state, sample.read_bytes(), source)
    elif state.content is not None and state.data_awaited:
        _put_if_planned(state, state.content, state.source)
    return plan


def _put_if_planned(state: AuditState, content: bytes, source: str) -> None:
    table = _as_planned(state, content, Path(source).stem.removesuffix(".csv"))
    if table is not None:
        state.put_table(table, source=source, content=content, planned=True)


# What became of filters and protected groups when another table was brought, and the press that takes it back.


def show_former(state: AuditState) -> None:
    """Say in one line what did not fit the table, with the audit before to be saved, and which filters stay."""
    dropped, moved = _dropped(state), list(enumerate(_unchanged_moves(state)))
    left_out = [(place, each) for place, each in moved if each.why]
    if dropped or left_out or state.replaced is not None:
        with st.container(horizontal=True, vertical_alignment="center", key="data_former"):
            if n := len(dropped) + len(left_out):
                st.markdown(say(Message("data-former", {"n": Count(n)})), width="content")
                with st.popover(say(Message("data-former-which")), type="tertiary"):
                    if dropped:
                        st.markdown(literal(" ".join(dropped), limit=900))
                    for place, each in left_out:
                        _show_moved(state, each, place)
            if state.replaced is not None:
                _offer_replaced(state)
    for place, each in moved:
        if not each.why:
            _show_moved(state, each, place)


def _dropped(state: AuditState) -> tuple[str, ...]:
    """Return which choices did not fit the table, until the decision and the group are chosen anew."""
    now = (state.decision, state.prediction, state.score, state.protected_columns, state.check.protected)
    before = st.session_state.setdefault(f"data_dropped_{state.data_key}", now)
    chosen = now != before and state.decision is not None and bool(state.check.protected)
    return () if state.data_awaited or chosen else tuple(state.dropped)


def _offer_replaced(state: AuditState) -> None:
    """Draw the press that saves the audit before, which was not saved."""
    replaced = require(state.replaced)
    name = replaced.data.source or replaced.data.name or ""
    named: dict[str, Argument] = {"name": Phrase(name), "named": Word("yes" if name else "no")}
    st.download_button(
        say(Message("data-former-save")),
        data=replaced.to_toml(),
        file_name="audit_before.toml",
        mime="application/toml",
        on_click=_forget_replaced,
        args=(state,),
        key="data_replaced_save",
        help=stated("data-former-save-help", **named, limit=300),
    )


def _show_moved(state: AuditState, moved: CarriedCondition, place: int) -> None:
    """Draw what became of a condition, and the press that takes it back."""
    with st.container(horizontal=True, vertical_alignment="center", key=f"data_moved_{place}"):
        st.markdown(literal(_sentence(state, moved), limit=900))
        if _can_revert(state, moved):
            label = "Put it back" if moved.why else "Look at every row"
            st.button(label, key=f"data_moved_back_{place}", on_click=_revert, args=(state, moved))


def _forget_replaced(state: AuditState) -> None:
    state.replaced = None


def _sentence(state: AuditState, moved: CarriedCondition) -> str:
    what = {"condition": Phrase(moved.words)}
    if moved.part == "protected":
        return f"{say(Message('data-moved-group', what))} {moved.why}"
    if moved.why:
        return f"{say(Message('data-moved-filter', what))} {moved.why} {say(Message('data-moved-all'))}"
    try:
        n_left = state.remember("count", moved.condition, lambda: state.present_table.count(moved.condition))
    except FairauditError:
        return say(Message("data-moved-used", what))
    return say(Message("data-moved-kept", {**what, "n": Count(n_left), "total": Count(state.present_table.n_rows)}))


def _unchanged_moves(state: AuditState) -> list[CarriedCondition]:
    """Return what became of the conditions, as long as nobody has changed them since."""
    return list(dict.fromkeys(moved for entry in state.checks for moved in entry.moved if moved.is_so(entry.plan)))


def _can_revert(state: AuditState, moved: CarriedCondition) -> bool:
    """Say whether a condition could be used on the table that is there: it lacks no column."""
    try:
        state.present_table.condition(moved.condition)
    except FairauditError:
        return False
    return True


def _revert(state: AuditState, moved: CarriedCondition) -> None:
    """Put a condition back that was left out, or leave out a filter that was kept."""
    for entry in state.checks:
        if moved not in entry.moved or not moved.is_so(entry.plan):
            continue
        before = entry.plan
        change: dict[str, str | None] = {moved.part: moved.condition if moved.why else None}
        entry.plan = before.model_copy(update=change)
        if moved.part == "protected":
            continue
        entry.undo.append(before.where or "")
        state.errors = [e.model_copy(update=change) if e.where == before.where else e for e in state.errors]
        asked = (before.protected, before.where)
        if state.models is not None and (state.models.protected, state.models.where) == asked:
            state.models = state.models.model_copy(update=change)
