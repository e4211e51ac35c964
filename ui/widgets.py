"""Widgets that start from the audit's state, and those that a field of a plan asks for.

Streamlit forgets a widget's value when the person leaves the page, and resets a widget whose default changes. So no
widget here has a changing default: its first value is put under its key, and the page writes what the widget returns
to the state.

A widget of one page is not that of another page, even where both have one key: the value of the one must be handed to
the other. Neither is it the same one when the person has been away: who leaves a page and is back before the other one
is drawn finds empty widgets in the browser, while the server still has their values.

A widget that has been away starts again from the audit's state. Where a page ends early, that takes :func:`end_page`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any, Final, NoReturn, TypeVar

import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.state.safe_session_state import SafeSessionState
from streamlit.runtime.state.session_state import SessionState

from fairaudit.errors import FairauditError
from fairaudit.plan.fields import FieldShape, form_of
from fairaudit.plan.parts import Part
from ui.text import labels, show_error

IN_REPORT = "Put this in the report"
IN_WORK = "Comparing …"
FEWEST_OF_A_LIST: Final = 4
"""So many choices make a list that opens; fewer stand side by side."""
_VISIT, _HANDED, _WRITTEN = "fairaudit_visit", "fairaudit_widget_visits", "fairaudit_written"
_ANSWERED = "fairaudit_answered"
Asked = TypeVar("Asked", bound=Part)
Found = TypeVar("Found")


def begin_page() -> int | None:
    """Note that a page is drawn, and return the number of the visit; None where no browser is there."""
    context = get_script_run_ctx()
    if context is None:
        return None
    page, visit = st.session_state.get(_VISIT, (None, 0))
    if page != context.page_script_hash:
        visit += 1
        st.session_state[_VISIT] = (context.page_script_hash, visit)
    return visit


def present_page() -> str | None:
    """Return the mark that Streamlit gives the page being drawn; None where no browser is there."""
    return st.session_state.get(_VISIT, (None, 0))[0]


def start(key: str, value: Any) -> str:
    """Give the widget with this key a first value, unless it has one, and return the key."""
    visit = begin_page()
    if key not in st.session_state:
        st.session_state[key] = value
    if visit is not None:
        handed = st.session_state.setdefault(_HANDED, {})
        if handed.get(key, visit) != visit:
            st.session_state[key] = st.session_state[key]
        handed[key] = visit
    return key


def tick_in_report(key: str, left_out: set[str], kind: str, *, label: str = IN_REPORT) -> None:
    """Draw the tick that puts the questions of a kind into the report, or leaves them out of it."""
    ticked = st.checkbox(label, key=start(key, kind not in left_out))
    (left_out.discard if ticked else left_out.add)(kind)


def start_choice(key: str, value: Any, options: list | tuple) -> str:
    """Like :func:`start`, for a choice among `options`: a value that is not among them is dropped."""
    if isinstance(value, (list, tuple)):
        return start(key, [v for v in value if v in options])
    if key in st.session_state and st.session_state[key] not in options:
        del st.session_state[key]
    return start(key, value if value in options else None)


def ask(
    part: type[Part],
    name: str,
    place: DeltaGenerator | ModuleType = st,
    *,
    key: str,
    first: Any,
    options: Sequence[Any] | None = None,
    **given: Any,
) -> Any:
    """Draw the widget of a field of a plan, which starts from `first`; see :func:`draw_field`."""
    known = options if options is not None else [choice.value for choice in form_of(part, name).choices]
    key = start_choice(key, first, list(known)) if known or options is not None else start(key, first)
    return draw_field(part, name, place, options=options, key=key, **given)


def draw_field(
    part: type[Part],
    name: str,
    place: DeltaGenerator | ModuleType = st,
    *,
    label: str | None = None,
    options: Sequence[Any] | None = None,
    **given: Any,
) -> Any:
    """Draw the widget of a field of a plan as the field says.

    `options` are what it is chosen among where only the table knows them, such as columns; `given` are the widget's
    arguments that only the page knows, its key first.
    """
    form, shape = form_of(part, name), FieldShape.of(part.model_fields[name])
    label = label or form.label
    said: dict[str, Any] = {"help": form.help}
    if options is not None:
        if form.widget == "steps":
            return place.select_slider(label, options, **said | {"format_func": lambda value: f"{value:g}"} | given)
        named = {choice.value: choice.label for choice in form.choices}
        said |= {"format_func": named.__getitem__ if named else labels(options), "placeholder": form.empty}
        if shape.is_list:
            return place.multiselect(label, options, **said | given)
        return place.selectbox(label, options, index=0 if form.empty is None else None, **said | given)
    if form.choices:
        named = {choice.value: choice.label for choice in form.choices}
        said["format_func"] = named.__getitem__
        if form.widget == "list" or len(named) >= FEWEST_OF_A_LIST:
            return place.selectbox(label, [*named], **said | given)
        if captions := [choice.caption for choice in form.choices if choice.caption]:
            said["captions"] = captions
        return place.radio(label, [*named], **said | given)
    if shape.kind is bool or form.ticked is not None:
        return place.checkbox(label, **said | given)
    if shape.kind is str or shape.is_list:
        return place.text_input(label, **said | {"placeholder": form.empty} | given)
    number = int if shape.kind is int else float
    least, most = (
        None if limit is None else number(form.scaled(limit))
        for limit in (
            shape.least if form.least is None else form.least,
            shape.most if form.most is None else form.most,
        )
    )
    step = None if form.step is None else number(form.step)
    said |= {"min_value": least, "max_value": most, "step": step}
    if form.widget == "slider":
        return place.slider(label, **said | {"format": form.format} | given)
    if form.empty is not None:
        said |= {"value": None, "placeholder": form.empty}
    return place.number_input(label, **said | {"format": form.format} | given)


def was_answered(page: str, about: str, first: bool) -> bool:
    """Whether a page had an answer about this when it was drawn last, so that its form is a setting below that."""
    return st.session_state.get(_ANSWERED, {}).get((page, about), first)


def keep_shape(page: str, about: str, *, answered: bool, was: bool) -> None:
    """Draw a page anew where its form stands in the wrong place: above an answer, or below none."""
    st.session_state.setdefault(_ANSWERED, {})[page, about] = answered
    if was != answered:
        st.rerun()


def found_or_end(
    page: str, about: str, plan: Asked | None, find: Callable[[Asked], Found], where: DeltaGenerator, *, was: bool
) -> Found:
    """Return the answer to what is asked; without one the page ends with what is wrong, or with the form alone."""
    finding, error = None, None
    if plan is not None:
        try:
            with where, st.spinner(IN_WORK):
                finding = find(plan)
        except FairauditError as caught:
            error = caught
    keep_shape(page, about, answered=finding is not None, was=was)
    if error is not None:
        show_error(error)
    if finding is None:
        end_page()
    return finding


def settled(key: str) -> int | None:
    """Return the `index` of a choice that can be changed once it is made, but not emptied, as the key Escape would."""
    return None if st.session_state.get(key) is None else 0


def kept(key: str, take: Callable[[Any], object]) -> dict[str, Any]:
    """Return the arguments of a widget that hand what is written to `take`, also where the person leaves at once.

    Who writes and then presses a link of the sidebar is gone before the page is drawn, and would find the text lost.
    """
    return {"key": key, "on_change": lambda: take(st.session_state[key])}


def drafted(key: str, value: str) -> dict[str, Any]:
    """Like :func:`start`, for a text that a page takes as it is drawn: what was written just before leaving is kept.

    It stands in the field when the person is back, and the page takes it then.
    """
    written = st.session_state.setdefault(_WRITTEN, {})
    return kept(start(key, written.pop(key, value)), lambda text: written.update({key: text}))


def end_page() -> NoReturn:
    """End the page, or the part that is drawn, here; widgets that it has not come to start again when they come back.

    The browser forgets a widget that is not drawn any more. Streamlit does the same only after a page that runs to its
    end: `st.stop` alone would keep the value. A widget that comes back would then be drawn empty while the page
    computes with the old value, and the person's next click would take what is drawn for what they want.
    """
    context = get_script_run_ctx()
    if context is not None:
        context.session_state.on_script_finished(context.shared.widget_ids_this_run.snapshot())
    st.stop()


def empty_session(session: SessionState | SafeSessionState) -> None:
    """Take out all that Streamlit holds for a session, also what its widgets call, and with that what that acts on."""
    while isinstance(session, SafeSessionState):
        session = session._state
    session.clear()
    session._new_widget_state.widget_metadata.clear()
