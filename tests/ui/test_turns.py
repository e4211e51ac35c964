"""Fits of all sessions: so many at once, in turn, and whoever waits reads where they stand and can leave."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator

import pytest

from fairaudit.errors import InputError
from fairaudit.events import Finished, Progress, Started
from fairaudit.settings import FITS_AT_ONCE
from ui.runtime import turns as module
from ui.runtime.jobs import Job, Jobs
from ui.runtime.processes import STILL
from ui.runtime.turns import Line, Turns, fits_at_once

PATIENCE_S = 20


class Fits:
    """Fits whose ends the test lets come, and which of them have begun."""

    def __init__(self) -> None:
        self.begun: list[str] = []
        self.gates: dict[str, threading.Event] = {}

    def make(self, name: str) -> Callable[[], Iterator]:
        gate = self.gates[name] = threading.Event()

        def events() -> Iterator:
            self.begun.append(name)
            gate.wait(PATIENCE_S)
            yield Finished(name)

        return events

    def start(self, jobs: Jobs, name: str) -> Job:
        return jobs.start(name, name, self.make(name))

    def end(self, job: Job) -> None:
        self.gates[job.key].set()
        assert job.wait(PATIENCE_S)


def until(is_so: Callable[[], bool]) -> None:
    """Wait until something is so."""
    end = time.monotonic() + PATIENCE_S
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.01)


def test_who_waits_reads_the_place_which_moves_up():
    turns, fits = Turns(2), Fits()
    sessions = [Jobs(turns) for _ in range(4)]
    jobs = []
    for number, session in enumerate(sessions):
        jobs.append(fits.start(session, str(number)))
        until(lambda: len(turns.working) + len(turns.waiting) == number + 1)  # noqa: B023 - called at once
    a, b, c, d = jobs
    assert (a.status, b.status, c.status, d.status) == ("running", "running", "waiting", "waiting")
    assert a.line is None and c.line == Line(2, 0) and str(c.line) == "Number 1 in the line, 2 at work."
    assert d.line == Line(2, 1) and str(d.line) == "Number 2 in the line, 2 at work."
    fits.end(b)
    until(lambda: c.status == "running")
    assert d.line == Line(2, 0) and c.line is None
    for job in (a, c, d):
        fits.end(job)
    assert not turns.working and not turns.waiting


def test_one_session_does_not_take_all_turns_while_others_wait():
    turns, fits = Turns(1), Fits()
    many, one = Jobs(turns), Jobs(turns)
    first, second = fits.start(many, "many 1"), fits.start(many, "many 2")
    until(lambda: fits.begun == ["many 1"])
    other = fits.start(one, "one")
    until(lambda: other.line is not None)
    fits.end(first)
    until(lambda: len(fits.begun) == 2)
    assert fits.begun == ["many 1", "one"] and second.status == "waiting"
    fits.end(other)
    fits.end(second)


@pytest.mark.parametrize("leave", [Job.stop, Job.cancel], ids=["stopped", "cancelled"])
def test_who_waits_can_leave_and_those_behind_move_up(leave):
    turns, fits = Turns(1), Fits()
    sessions = [Jobs(turns) for _ in range(3)]
    first = fits.start(sessions[0], "first")
    until(lambda: first.status == "running")
    leaving = fits.start(sessions[1], "leaving")
    until(lambda: leaving.line is not None)
    staying = fits.start(sessions[2], "staying")
    until(lambda: staying.line == Line(1, 1))
    leave(leaving)
    assert leaving.wait(PATIENCE_S) and leaving.status == "cancelled" and staying.line == Line(1, 0)
    fits.end(first)
    fits.end(staying)
    assert fits.begun == ["first", "staying"]


def test_place_ends_with_the_session():
    turns, fits = Turns(1), Fits()
    staying, leaving = Jobs(turns), Jobs(turns)
    first = fits.start(staying, "first")
    until(lambda: first.status == "running")
    fits.start(leaving, "leaving")
    until(lambda: len(turns.waiting) == 1)
    leaving.cancel_all()
    until(lambda: not turns.waiting)
    fits.end(first)
    assert fits.begun == ["first"]


def test_long_fit_lets_those_who_wait_go_before_its_next_step():
    turns, order = Turns(1, most_s=0.0), []

    def counting(name: str) -> Callable[[], Iterator]:
        def events() -> Iterator:
            yield Started(name, 5)
            for done in range(5):
                order.append(name)
                # Not before the other one is there, too.
                until(lambda: len(turns.working) + len(turns.waiting) == 2 or len(order) > 5)
                yield Progress(name, done, 5)
            yield Finished(name)

        return events

    sessions = {name: Jobs(turns) for name in "ab"}
    jobs = [session.start(name, name, counting(name)) for name, session in sessions.items()]
    for job in jobs:
        assert job.wait(PATIENCE_S)
    assert sorted(order) == ["a"] * 5 + ["b"] * 5 and {"a", "b"} == set(order[:3])


def test_fit_that_lets_others_go_first_says_where_it_stands_and_goes_on():
    turns, fits = Turns(1, most_s=0.0), Fits()
    may_go_on = threading.Event()

    def long() -> Iterator:
        yield Started("long", 2)
        may_go_on.wait(PATIENCE_S)
        yield Progress("long", 1, 2)
        yield Finished("long")

    sessions = [Jobs(turns), Jobs(turns)]
    job = sessions[0].start("long", "Long", long)
    until(lambda: job.status == "running")
    other = fits.start(sessions[1], "other")
    until(lambda: other.line is not None)
    may_go_on.set()
    until(lambda: job.line == Line(1, 0))
    assert job.status == "running"
    fits.end(other)
    assert job.wait(PATIENCE_S) and job.result == "long"


def test_those_whom_a_page_awaits_go_before_those_whose_browser_is_gone():
    turns, fits = Turns(1), Fits()
    sessions = [Jobs(turns) for _ in range(4)]
    first = fits.start(sessions[0], "first")
    until(lambda: first.status == "running")
    jobs = []
    for number, name in enumerate(("gone", "also gone", "there"), start=1):
        jobs.append(fits.start(sessions[number], name))
        until(lambda: jobs[-1].line is not None)
    gone, also, there = jobs
    assert (gone.line, also.line, there.line) == (Line(1, 0), Line(1, 1), Line(1, 2))
    for session in sessions[1:3]:
        session.note_away(True)
    assert (there.line, gone.line, also.line) == (Line(1, 0), Line(1, 1), Line(1, 2))
    sessions[2].note_away(False)
    assert (also.line, there.line, gone.line) == (Line(1, 0), Line(1, 1), Line(1, 2)), "it has come back"
    for job in (first, also, there, gone):
        fits.end(job)
    assert fits.begun == ["first", "also gone", "there", "gone"]


def test_fit_whose_browser_is_gone_gives_its_turn_back_at_once_and_goes_on_when_nobody_waits():
    turns, fits = Turns(1, most_s=1e9), Fits()
    may_go_on, at = threading.Event(), []

    def long() -> Iterator:
        yield Started("long", 2)
        while not may_go_on.wait(0.01):
            at.append("still")
            yield STILL
        yield Progress("long", 1, 2)
        yield Finished("long")

    sessions = [Jobs(turns), Jobs(turns)]
    job = sessions[0].start("long", "Long", long)
    until(lambda: bool(at))
    other = fits.start(sessions[1], "other")
    until(lambda: other.line == Line(1, 0))
    sessions[0].note_away(True)
    until(lambda: other.status == "running")
    # Its step ends, and the next one waits.
    may_go_on.set()
    until(lambda: job.line == Line(1, 0))
    fits.end(other)
    assert job.wait(PATIENCE_S) and job.result == "long"


def test_each_fit_of_a_session_has_its_number_in_the_line():
    turns, fits = Turns(1), Fits()
    other, own = Jobs(turns), Jobs(turns)
    first = fits.start(other, "first")
    until(lambda: first.status == "running")
    jobs = [fits.start(own, name) for name in "abc"]
    until(lambda: jobs[0].line is not None)
    assert [own.place(job) for job in jobs] == [1, 2, 3] and other.place(first) == 0
    fits.end(first)
    until(lambda: jobs[0].status == "running")
    assert [own.place(job) for job in jobs] == [0, 1, 2]
    for job in jobs:
        fits.end(job)


def test_turn_is_given_back_where_work_fails():
    turns = Turns(1)

    def wrong() -> Iterator:
        raise ZeroDivisionError
        yield

    jobs = Jobs(turns)
    assert jobs.start("a", "A", wrong).wait(PATIENCE_S)
    assert not turns.working


def test_number_at_once_is_that_of_the_administrator_or_leaves_a_processor_for_pages(monkeypatch):
    monkeypatch.setattr(module, "_n_processors", lambda: 8)
    monkeypatch.delenv(FITS_AT_ONCE.variable, raising=False)
    assert fits_at_once() == 7
    monkeypatch.setattr(module, "_n_processors", lambda: 1)
    assert fits_at_once() == 1
    monkeypatch.setenv(FITS_AT_ONCE.variable, " 3 ")
    assert fits_at_once() == 3


@pytest.mark.parametrize("said", ["0", "-1", "two", "1.5", "\u00b2"])
def test_number_at_once_that_is_none_is_refused(monkeypatch, said):
    monkeypatch.setenv(FITS_AT_ONCE.variable, said)
    with pytest.raises(InputError, match="at least 1"):
        fits_at_once()
