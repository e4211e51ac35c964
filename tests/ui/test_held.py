"""Audits that outlast their connection: their browser alone finds them, for a while, until others need the room."""

from __future__ import annotations

import pytest

from fairaudit.errors import InputError, LimitError
from fairaudit.settings import HOLD_MINUTES
from ui.runtime import held_sessions, memory
from ui.runtime.doors import BROWSER_COOKIE, browser_secret
from ui.runtime.held_sessions import MOST, Works
from ui.runtime.jobs import Jobs
from ui.runtime.turns import Turns


class Audit:
    """Something that is held."""

    def __init__(self, name: str = "") -> None:
        self.name = name
        self.is_empty = not name
        self.awaits_audit = False
        self.jobs = Jobs(Turns(1))

    def forget(self) -> None:
        self.__init__()


@pytest.fixture
def shown() -> set[str]:
    """The sessions that a page shows."""
    return set()


@pytest.fixture
def works(shown) -> Works:
    return Works(shown.__contains__)


@pytest.fixture
def clock(monkeypatch) -> list[float]:
    now = [1_000.0]
    monkeypatch.setattr(held_sessions.time, "monotonic", lambda: now[0])
    return now


def come(works: Works, shown: set[str], browser: str, session: str, name: str) -> Audit:
    audit = Audit(name)
    works.begin(audit, browser=browser, session=session)
    shown.add(session)
    return audit


def test_browser_that_is_loaded_anew_finds_its_audit_and_no_other_one_does(works, shown):
    audit = come(works, shown, "secret", "first", "loans")
    assert works.take_up(browser="secret", session="second") is None, "another tab begins anew"
    shown.remove("first")
    assert works.take_up(browser="another", session="third") is None
    assert works.take_up(browser="", session="third") is None
    assert works.take_up(browser="secret", session="second") is audit
    assert works.is_of(audit, "second") and not works.is_of(audit, "first")
    shown.add("second")
    assert works.take_up(browser="secret", session="fourth") is None, "nobody else has what a page shows"


def test_audit_whose_page_goes_later_than_the_next_one_comes_is_found_then(works, shown):
    audit = come(works, shown, "secret", "first", "loans")
    assert works.shows("secret") and not works.finds("secret")
    assert not works.shows("another") and not works.shows("")
    shown.remove("first")
    assert works.finds("secret") and not works.finds("another") and not works.finds("")
    own = Audit()
    assert works.of_page(own, browser="secret", session="second") is own, "it began anew, as its person wished"
    own.awaits_audit = True
    assert works.of_page(own, browser="secret", session="second") is audit
    shown.add("second")
    assert works.of_page(own, browser="secret", session="third") is own, "another page cannot have it too"


def test_audit_knows_whether_a_page_shows_it(works, shown):
    audit = come(works, shown, "secret", "first", "loans")
    said = []
    audit.jobs.note_away = said.append
    works.forget_left()
    shown.clear()
    works.forget_left()
    assert said == [False, True]


def test_what_its_person_forgets_counts_as_forgotten(works, shown):
    audit = come(works, shown, "secret", "first", "loans")
    works.forget(audit)
    assert audit.is_empty and works.forget_left() == 1 and works.forget_left() == 0


def test_the_audit_that_was_shown_last_is_found_first(works, shown):
    early, late = (come(works, shown, "secret", name, name) for name in ("early", "late"))
    shown.clear()
    assert works.take_up(browser="secret", session="a") is late
    shown.add("a")
    assert works.take_up(browser="secret", session="b") is early


def test_audit_is_forgotten_when_its_time_is_over(works, shown, clock, monkeypatch):
    monkeypatch.setenv(HOLD_MINUTES.variable, "2")
    audit = come(works, shown, "secret", "first", "loans")
    clock[0] += 1_000
    assert works.forget_left() == 0, "it is shown"
    shown.clear()
    assert works.forget_left() == 0
    clock[0] += 119
    assert works.forget_left() == 0 and audit.name == "loans"
    shown.add("first")
    works.forget_left()
    shown.clear()
    works.forget_left()
    clock[0] += 119
    assert works.forget_left() == 0, "its time began anew"
    clock[0] += 1
    assert works.forget_left() == 1 and audit.name == "" and not works.holds(audit)
    assert works.take_up(browser="secret", session="second") is None


def test_nothing_is_held_without_a_secret_and_empty_audits_are_not(works, shown):
    without = come(works, shown, "", "first", "loans")
    empty = come(works, shown, "secret", "second", "")
    shown.clear()
    works.forget_left()
    assert not works.holds(without) and not works.holds(empty)
    assert works.is_of(without, "first")


def test_many_closed_tabs_leave_the_last_ones(works, shown):
    audits = [come(works, shown, "secret", f"{i}", f"{i}") for i in range(MOST + 2)]
    other = come(works, shown, "another", "other", "other")
    shown.clear()
    assert works.forget_left() == 2
    assert [audit.name for audit in audits] == ["", "", *map(str, range(2, MOST + 2))] and other.name


def test_audits_that_no_page_shows_make_room_before_anything_is_refused(works, shown, clock, monkeypatch):
    first, second, third = (come(works, shown, name, name, name) for name in ("first", "second", "third"))
    for session in ("second", "first"):
        shown.remove(session)
        works.forget_left()
        clock[0] += 1
    monkeypatch.setattr(memory, "WORKS", works)
    monkeypatch.setattr(memory, "left", lambda: 100 * sum(audit.is_empty for audit in (first, second)))
    memory.ask_for(100, "The table")
    assert second.is_empty and not first.is_empty, "the one that was left first"
    with pytest.raises(LimitError):
        memory.ask_for(300, "The table")
    assert first.is_empty and not third.is_empty, "what a page shows stays"


@pytest.mark.parametrize("said, minutes", [("", held_sessions.USUAL_MINUTES), ("0", 0), ("2.5", 2.5)])
def test_administrator_says_for_how_long(said, minutes, monkeypatch):
    monkeypatch.setenv(HOLD_MINUTES.variable, said)
    assert held_sessions.hold_minutes() == minutes


@pytest.mark.parametrize("said", ["ten", "-1", "1e3", "1.2.3"])
def test_time_that_is_none_is_refused(said, monkeypatch):
    monkeypatch.setenv(HOLD_MINUTES.variable, said)
    with pytest.raises(InputError, match=HOLD_MINUTES.variable):
        held_sessions.hold_minutes()


def test_secrets_of_another_form_are_none():
    assert browser_secret({BROWSER_COOKIE: "a" * 43}) == "a" * 43
    assert {browser_secret({BROWSER_COOKIE: text}) for text in ("", "a" * 42, "a" * 44, "é" * 43, "a" * 42 + "\n")} == {
        ""
    }
