"""Questions to an engine in threads: none is left running that nobody waits for."""

from __future__ import annotations

import threading

import pytest

from fairaudit.errors import ConnectError, StoppedError
from ui.runtime import questions
from ui.runtime.questions import DatabaseQuestion

PATIENCE_S = 20


class Engine:
    """Work that goes on until it is let or cancelled."""

    def __init__(self) -> None:
        self.cancelled, self.over = threading.Event(), threading.Event()

    def work(self) -> str:
        assert self.over.wait(PATIENCE_S)
        return "counts"

    def cancel(self) -> None:
        self.cancelled.set()
        self.over.set()


@pytest.fixture
def engine() -> Engine:
    return Engine()


def test_answer_comes_as_it_is_and_so_does_what_goes_wrong(engine):
    question = DatabaseQuestion(engine.work, engine.cancel)
    assert not question.wait(0)
    engine.over.set()
    assert question.wait(PATIENCE_S) and question.result() == "counts"

    def refuse():
        raise ConnectError("The database cannot be reached.")

    question = DatabaseQuestion(refuse, engine.cancel)
    assert question.wait(PATIENCE_S)
    with pytest.raises(ConnectError, match="cannot be reached"):
        question.result()
    assert not engine.cancelled.is_set()


def test_stopping_cancels_in_the_engine_and_gives_no_answer(engine):
    question = DatabaseQuestion(engine.work, engine.cancel)
    question.stop()
    assert engine.cancelled.wait(PATIENCE_S) and question.wait(PATIENCE_S)
    with pytest.raises(StoppedError):
        question.result()


def test_question_that_is_left_is_cancelled_before_the_next_one_is_asked(engine):
    first = DatabaseQuestion(engine.work, engine.cancel)
    second = DatabaseQuestion(lambda: engine.cancelled.is_set(), lambda: None, after=first)
    assert second.wait(PATIENCE_S) and second.result() is True
    assert first.stopped


def test_question_that_is_left_is_cancelled_after_a_while(engine, monkeypatch):
    monkeypatch.setattr(questions, "LEFT_S", 0.01)
    question = DatabaseQuestion(engine.work, engine.cancel)
    question.join()
    question.leave()
    assert engine.cancelled.wait(PATIENCE_S) and question.wait(PATIENCE_S)


@pytest.fixture
def late(monkeypatch) -> list:
    """What is to happen to questions that were left, which the test does in place of a clock."""
    rings = []

    class Alarm:
        def __init__(self, seconds: float, ring) -> None:
            rings.append(ring)

        def start(self) -> None:
            pass

    monkeypatch.setattr(questions, "Timer", Alarm)
    return rings


def test_question_that_is_taken_up_again_is_not_cancelled(engine, late):
    question = DatabaseQuestion(engine.work, engine.cancel)
    question.join()
    question.leave()
    question.join()
    late[0]()
    assert not question.stopped
    engine.over.set()
    assert question.wait(PATIENCE_S) and question.result() == "counts"
    assert not engine.cancelled.is_set()


def test_question_that_was_stopped_cancels_no_other_one_of_its_table_later(engine, late):
    cancelled = []
    first = DatabaseQuestion(engine.work, lambda: cancelled.append("first"))
    first.join()
    first.leave()
    # The engine does not take notice, and the next question is being answered by now.
    second = DatabaseQuestion(lambda: "next", lambda: None, after=first)
    assert second.wait(PATIENCE_S) and cancelled == ["first"]
    late[0]()
    first.stop()
    assert cancelled == ["first"]
    engine.over.set()
    assert first.wait(PATIENCE_S)


def test_error_that_is_kept_holds_nothing_of_where_it_was_raised(engine):
    def refuse():
        secret = ["of the address"]
        raise ConnectError(f"The database cannot be reached, {len(secret)}.")

    question = DatabaseQuestion(refuse, engine.cancel)
    assert question.wait(PATIENCE_S)
    assert question._error.__traceback__ is None
