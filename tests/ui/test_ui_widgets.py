"""Widgets start from the audit's state and then belong to the person."""

from __future__ import annotations

import gc

import pytest
from hypothesis import given
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from ui import widgets
from ui.widgets import empty_session


@pytest.fixture
def session(monkeypatch) -> dict:
    """A session's widget values."""
    values: dict = {}
    monkeypatch.setattr(widgets.st, "session_state", values)
    return values


def test_start_gives_the_first_value_once(session):
    assert widgets.start("a_key", 1) == "a_key"
    assert widgets.start("a_key", 2) == "a_key"
    assert session == {"a_key": 1}


def test_start_choice_drops_what_is_not_an_option(session):
    widgets.start_choice("one", "z", ["a", "b"])
    widgets.start_choice("some", ("z", "b"), ["a", "b"])
    assert session == {"one": None, "some": ["b"]}


def test_start_choice_leaves_the_persons_choice(session):
    session["one"] = "a"
    widgets.start_choice("one", "b", ["a", "b"])
    assert session["one"] == "a"


def test_start_choice_drops_an_earlier_choice_that_is_gone(session):
    session["one"] = "old"
    widgets.start_choice("one", "b", ["a", "b"])
    assert session["one"] == "b"


@given(st.lists(st.integers(0, 9)), st.lists(st.integers(0, 9), unique=True))
def test_start_choice_never_starts_outside_the_options(value, options):
    with pytest.MonkeyPatch.context() as patch:
        session: dict = {}
        patch.setattr(widgets.st, "session_state", session)
        widgets.start_choice("some", value, options)
        assert set(session["some"]) <= set(options)
        assert session["some"] == [v for v in value if v in options]


def _page_that_may_end_early():
    import streamlit as page

    from ui.widgets import end_page, start

    page.text_input("Above", key=start("above", "first"))
    if page.checkbox("End here", key="end"):
        page.caption("The end.")
        end_page()
    page.text_input("Below", key=start("below", "first"))
    page.selectbox("Of its own", ["a", "b"], key="own")


def test_what_is_below_an_early_end_starts_again_in_the_browser_and_on_the_page():
    page = AppTest.from_function(_page_that_may_end_early).run()
    page.text_input(key="below").input("second")
    page.selectbox(key="own").select("b").run()
    assert page.text_input(key="below").value == "second"
    page.checkbox(key="end").check().run()
    assert page.caption[0].value == "The end." and [field.key for field in page.text_input] == ["above"]
    page.checkbox(key="end").uncheck().run()
    field = page.text_input(key="below")
    # What the page computes with, and what the browser is to draw.
    assert (field.value, field.proto.set_value, field.proto.value) == ("first", True, "first")
    assert page.selectbox(key="own").value == "a"


def test_what_is_above_an_early_end_stays_as_the_person_left_it():
    page = AppTest.from_function(_page_that_may_end_early).run()
    page.text_input(key="above").input("second").run()
    page.checkbox(key="end").check().run()
    page.checkbox(key="end").uncheck().run()
    assert page.text_input(key="above").value == "second"


_ALWAYS_STOPPED = """
import streamlit as page

from ui.widgets import begin_page

begin_page()
page.stop()
"""

_CHOICE = """
import streamlit as page

from ui.widgets import start

page.selectbox("Form", ["a", "b"], key=start("form", "b"))
"""


def test_who_is_back_before_another_page_is_drawn_sees_what_the_page_computes_with(tmp_path):
    (tmp_path / "pages").mkdir()
    (tmp_path / "main.py").write_text(_CHOICE)
    (tmp_path / "pages" / "other.py").write_text(_ALWAYS_STOPPED)
    page = AppTest.from_file(str(tmp_path / "main.py")).run()
    field = page.run().selectbox(key="form")
    assert (field.value, field.proto.set_value) == ("b", False), "the browser has it already"
    page.switch_page("pages/other.py").run()
    field = page.switch_page("main.py").run().selectbox(key="form")
    # The browser would draw the first of the options.
    assert (field.value, field.proto.set_value) == ("b", True)


def test_emptied_session_holds_nothing_that_its_widgets_acted_on():
    class Acted:
        def act(self) -> None:
            """Be called by a button."""

    def page(acted):
        import streamlit as st

        st.button("Act", on_click=acted.act)
        st.text_input("Write", key="written")

    acted = Acted()
    app = AppTest.from_function(page, args=(acted,)).run()
    app.text_input("written").set_value("a note").run()
    holds = [ref for ref in gc.get_referrers(acted) if getattr(ref, "__func__", None) is Acted.act]
    assert holds, "the callback is held"
    del holds
    empty_session(app.session_state._state)
    assert not any(getattr(ref, "__func__", None) is Acted.act for ref in gc.get_referrers(acted))
    assert "written" not in app.session_state
