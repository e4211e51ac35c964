"""Background work: it runs on, can be stopped with its best so far, and never holds up the work of others."""

from __future__ import annotations

import gc
import itertools
import logging
import threading

import pytest
import streamlit as st

from fairaudit.errors import InputError, StoppedError
from fairaudit.events import STOP, Finished, Progress, Started
from ui.progress import duration_text
from ui.runtime.jobs import Job, Jobs
from ui.runtime.turns import Turns

PATIENCE_S = 20


class Work:
    """Work whose steps are let through by the test, one by one."""

    def __init__(self, steps: int = 3):
        self.steps = steps
        self.gate = threading.Semaphore(0)
        self.reached = threading.Semaphore(0)
        self.closed = False

    def __call__(self):
        try:
            yield Started("counting", self.steps)
            for done in range(self.steps):
                self.reached.release()
                self.gate.acquire(timeout=PATIENCE_S)
                if (yield Progress("counting", done + 1, self.steps)) is STOP:
                    yield Finished(f"best after {done + 1}")
                    return
            yield Finished("all")
        finally:
            self.closed = True

    def let(self, n: int = 1) -> None:
        for _ in range(n):
            self.gate.release()

    def arrive(self) -> None:
        assert self.reached.acquire(timeout=PATIENCE_S)


def quick(result: object = "done"):
    yield Started("quick work", 1)
    yield Finished(result)


def ended(job: Job) -> Job:
    assert job.wait(PATIENCE_S), f"{job.key} is still {job.status}"
    return job


@pytest.fixture
def jobs() -> Jobs:
    return Jobs(Turns(1))


def test_job_gives_its_result_and_shows_its_progress(jobs):
    work = Work(2)
    job = jobs.start("a", "Counting", work)
    work.arrive()
    assert job.status == "running" and job.stage.what == "counting" and job.stage.fraction == 0
    work.let()
    work.arrive()
    assert job.stage.fraction == 0.5 and job.elapsed_s > 0 and not job.ended
    work.let()
    assert ended(job).result == "all" and job.status == "finished" and job.error is None


def test_stop_keeps_the_best_so_far(jobs):
    work = Work(5)
    job = jobs.start("a", "Counting", work)
    work.arrive()
    job.stop()
    assert job.stopping
    work.let()
    assert ended(job).result == "best after 1"
    assert job.status == "stopped" and not job.stopping and work.closed


def test_stop_is_sent_until_a_step_takes_it(jobs):
    reached, gate = threading.Event(), threading.Event()

    def deaf():
        yield Started("a step that cannot end early", 3)
        reached.set()
        gate.wait(PATIENCE_S)
        yield Progress("one", 1, 3)
        taken = yield Progress("two", 2, 3)
        yield Finished(taken)

    job = jobs.start("a", "Counting", deaf)
    assert reached.wait(PATIENCE_S)
    job.stop()
    gate.set()
    assert ended(job).result is STOP


def test_stop_with_nothing_to_show_is_shown_in_words(jobs):
    def nothing():
        yield Started("work", 1)
        raise StoppedError("Stopped before the first step.")

    job = ended(jobs.start("a", "Counting", nothing))
    assert job.status == "failed" and job.error.message == "Stopped before the first step." and job.result is None


def test_cancel_closes_the_work_and_leaves_no_result(jobs):
    work = Work(5)
    job = jobs.start("a", "Counting", work)
    work.arrive()
    job.cancel()
    work.let()
    assert ended(job).status == "cancelled" and job.result is None and work.closed


def test_jobs_of_a_session_run_one_after_another(jobs):
    first, second = Work(1), Work(1)
    a = jobs.start("a", "First", first)
    b = jobs.start("b", "Second", second)
    first.arrive()
    assert (a.status, b.status) == ("running", "waiting") and jobs.active == (a, b)
    first.let()
    second.arrive()
    assert ended(a).status == "finished" and b.status == "running"
    second.let()
    assert ended(b).result == "all"


def test_a_key_is_under_way_once(jobs):
    work = Work(1)
    job = jobs.start("a", "Counting", work)
    assert jobs.start("a", "Counting", Work(1)) is job
    work.let()
    ended(job)
    assert jobs.start("a", "Counting", quick) is not job


def test_a_job_that_waits_and_is_stopped_never_begins(jobs):
    work, begun = Work(1), []
    jobs.start("a", "First", work)
    work.arrive()
    other = jobs.start("b", "Second", lambda: begun.append(1) or quick())
    other.stop()
    work.let()
    assert ended(other).status == "cancelled" and not begun


def test_cancel_all_forgets_and_the_session_goes_on(jobs):
    work = Work(5)
    running, waiting = jobs.start("a", "First", work), jobs.start("b", "Second", quick)
    work.arrive()
    jobs.cancel_all()
    assert jobs.all == () and jobs.get("a") is None
    work.let()
    assert ended(running).result is None and ended(waiting).result is None
    assert ended(jobs.start("a", "Again", quick)).result == "done"


def test_error_of_the_core_is_kept_as_it_is(jobs):
    def wrong():
        yield Started("work", 1)
        raise InputError("'x' must be above 0, got 0.", hint="Give more.")

    job = ended(jobs.start("a", "Counting", wrong))
    assert isinstance(job.error, InputError) and job.error.hint == "Give more."


@pytest.mark.parametrize("when", ["at once", "on the way"])
def test_other_errors_are_shown_and_logged_without_data(jobs, caplog, when):
    def wrong():
        if when == "on the way":
            yield Started("work", 1)
        raise ZeroDivisionError("Jane Doe")

    with caplog.at_level(logging.ERROR):
        job = ended(jobs.start("a", "Counting", wrong))
    assert job.status == "failed" and "ZeroDivisionError" in job.error.message
    assert "ZeroDivisionError at test_jobs.py" in caplog.text
    assert "Jane" not in caplog.text + str(job.error)


def test_work_without_an_end_is_an_error(jobs):
    def endless():
        yield Started("work", 1)

    assert ended(jobs.start("a", "Counting", endless)).status == "failed"


def test_ends_are_taken_once_and_failures_are_remembered(jobs):
    def wrong():
        raise InputError("No.")
        yield

    good, bad = ended(jobs.start("a", "A", quick)), ended(jobs.start("b", "B", wrong))
    assert jobs.take_ended() == (good, bad)
    assert jobs.take_ended() == () and jobs.get("a") is None and jobs.get("b") is bad
    jobs.forget("b")
    assert jobs.all == ()


def test_jobs_of_a_forgotten_session_are_cancelled():
    jobs = Jobs(Turns(1))
    work = Work(5)
    job = jobs.start("a", "Counting", work)
    work.arrive()
    del jobs
    gc.collect()
    work.let()
    assert ended(job).status == "cancelled" and work.closed


def test_drawing_how_far_work_has_come_does_not_hold_it_up_to_collect_garbage():
    assert st.get_option("runner.postScriptGC") is False


def test_time_left_is_shown_once_it_can_be(jobs, monkeypatch):
    work = Work(4)
    job = jobs.start("a", "Counting", work)
    work.arrive()
    assert job.left_s is None
    began = job.stage.since
    monkeypatch.setattr("ui.runtime.jobs.time.monotonic", lambda: began + 5.0)
    work.let()
    work.arrive()
    assert job.left_s == pytest.approx(15.0)
    monkeypatch.setattr("ui.runtime.jobs.time.monotonic", lambda: began + 9.0)
    assert job.left_s == pytest.approx(11.0), "while a step lasts, its end comes nearer"
    work.let(3)
    ended(job)


def test_time_left_does_not_swing_where_steps_take_unlike_long(jobs, monkeypatch):
    n, now = 40, [0.0]
    work = Work(n)
    monkeypatch.setattr("ui.runtime.jobs.time.monotonic", lambda: now[0])
    job = jobs.start("a", "Counting", work)
    shown = []
    for step in range(n):
        work.arrive()
        # Ten quick steps, a slow one: as where five models of two kinds are fitted.
        for _ in range(60 if step % 10 == 9 else 6):
            now[0] += 1.0
            if job.left_s is not None:
                shown.append(job.left_s)
        work.let()
    ended(job)
    # At its speed so far, what is left would rise by 923 seconds in all, and by 203 within two minutes.
    assert sum(max(late - early, 0.0) for early, late in itertools.pairwise(shown)) < 200
    assert max(max(shown[place : place + 120]) - each for place, each in enumerate(shown)) < 90


@pytest.mark.parametrize(
    "seconds, words", [(0.0, "1 s"), (59.4, "59 s"), (60, "1 min 0 s"), (3599, "59 min 59 s"), (7260, "2 h 1 min")]
)
def test_durations_in_words(seconds, words):
    assert duration_text(seconds) == words
