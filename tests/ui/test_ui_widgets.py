"""Widgets start from the audit's state and then belong to the person."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ui import widgets


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
