"""Questions to a database: the page waits, says so, and lets a person stop them in the engine."""

from __future__ import annotations

import itertools
import threading
import time
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Timer
from typing import Any, TypeVar

import streamlit as st
from streamlit.delta_generator_singletons import get_dg_singleton_instance
from streamlit.runtime.scriptrunner import get_script_run_ctx

from fairaudit.columns import Column, Kind
from fairaudit.data.writing import SqlWriter
from fairaudit.errors import ConnectError, FairauditError, StoppedError, require
from fairaudit.findings import Count, Message
from fairaudit.messages import say
from ui.text import show_error
from ui.widgets import end_page

# One question to an engine, answered in a thread that calls nothing of Streamlit.

LEFT_S = 5.0
"""How long a question goes on that nobody waits for."""

_NUMBERS = itertools.count(1)


class DatabaseQuestion:
    """A question that is being answered, for as long as someone waits for it; one `after` which it comes is stopped.

    `work` asks the engine and returns the answer, `cancel` stops that in the engine.
    """

    def __init__(self, work: Callable[[], Any], cancel: Callable[[], None], *, after: DatabaseQuestion | None = None):
        self.number = next(_NUMBERS)
        self.stopped = False
        self._work: Callable[[], Any] | None = work
        self._cancel = cancel
        self._after = after
        self._waiting = 0
        self._lock = threading.Lock()
        self._over = threading.Event()
        self._answer: Any = None
        self._error: BaseException | None = None
        threading.Thread(target=self._run, name="fairaudit-question", daemon=True).start()

    def join(self) -> None:
        """Begin to wait for it."""
        with self._lock:
            self._waiting += 1

    def leave(self) -> None:
        """Wait no longer. If nobody else does for a while, it is stopped; a page that is drawn anew may take it up."""
        with self._lock:
            self._waiting -= 1
        if not self._over.is_set():
            timer = Timer(LEFT_S, self._end_if_left)
            timer.daemon = True
            timer.start()

    def wait(self, timeout: float) -> bool:
        """Wait for the answer, at most `timeout` seconds, and return whether it came."""
        return self._over.wait(timeout)

    def result(self) -> Any:
        """Return the answer, or raise what went wrong; once it has come."""
        if self.stopped:
            raise StoppedError("The question was stopped.")
        if self._error is not None:
            raise self._error
        return self._answer

    def stop(self) -> None:
        """Stop it in the engine, without waiting for that; once is enough."""
        if self.stopped:
            return
        self.stopped = True
        threading.Thread(target=self.end, name="fairaudit-question-stop", daemon=True).start()

    def end(self) -> None:
        """Stop it in the engine unless it is over, and return when that is asked for."""
        self.stopped = True
        with self._lock:
            if not self._over.is_set():
                self._cancel()

    def _end_if_left(self) -> None:
        # Of one that was stopped before, another question of the same table may have taken the place.
        if not self._waiting and not self.stopped:
            self.end()

    def _run(self) -> None:
        try:
            if self._after is not None:
                self._after.end()
            self._answer = require(self._work)()
        except FairauditError as error:
            # It may be kept for as long as the session: without what was computed where it was raised.
            self._error = error.with_traceback(None)
        except BaseException as error:  # noqa: BLE001 - raised again where the answer is waited for
            self._error = error
        finally:
            self._work = self._after = None
            self._over.set()


# Questions to a database: the page waits, says so, and lets a person stop them in the engine.
#
# Streamlit's script would stand still while an engine counts. So a connected table's questions are asked in a thread; a
# wait of more than :data:`PATIENCE_S` is shown with a button that stops it, and what goes wrong is said in a sentence,
# after which the page ends. All this lies between the table and its engine (:class:`PageAnswers`), so that it holds for
# every question of every page. Tables in memory are asked directly.

PATIENCE_S = 2.0
"""A wait that is longer is shown."""

LOOK_S = 0.2
"""How often the page looks whether the answer has come."""

BREATH_S = 0.5
"""Questions that follow within this time are one wait for the person."""

T = TypeVar("T")


@dataclass(eq=False)
class _Run:
    """One drawing of a page.

    ``ended`` says why nothing is asked any more, ``raised`` whether what goes wrong is raised, ``since`` and ``until``
    when the present wait of the person began and the last answer came.
    """

    context: Any = None
    ended: FairauditError | None = None
    raised: bool = False
    since: float = 0.0
    until: float = 0.0


class AskingDatabase:
    """The questions of one session to a database, one at a time.

    When a person does something, Streamlit draws the page anew, in another thread, and ends the script that was waiting
    as soon as that draws something. The question goes on meanwhile: asked again, its answer is waited for; where
    another one is asked, or none, it is stopped in the engine.
    """

    def __init__(self) -> None:
        self._run = _Run()
        self._present: tuple[Hashable, DatabaseQuestion] | None = None
        self._stop_next = False

    def begin(self) -> None:
        """Take notice that a page is drawn anew; the first thing of every page."""
        stopped = StoppedError("The question was stopped.", hint="Ask again, or change what is asked.")
        self._run = _Run(get_script_run_ctx(), stopped if self._stop_next else None)
        self._stop_next = False

    def stop(self) -> None:
        """Stop the question that is being answered, in the engine, and ask none while the page is drawn next."""
        self._stop_next = True
        if self._present is not None:
            self._present[1].stop()

    @contextmanager
    def raised(self) -> Iterator[None]:
        """Raise what goes wrong with a question inside, instead of ending the page with it."""
        run = self._run
        before, run.raised = run.raised, True
        try:
            yield
        finally:
            run.raised = before

    def ask(self, key: Hashable, work: Callable[[], T], cancel: Callable[[], None]) -> T:
        """Return what `work` gives, which is done in a thread while the page waits.

        Where there is no answer, the page ends with a sentence; inside :meth:`raised` the error is raised. `key` is the
        same for the same question. `work` must not use Streamlit; `cancel` stops it in the engine, from any thread.
        """
        context, run = get_script_run_ctx(), self._run
        if context is None:
            # A download or a job: nobody watches this thread.
            return work()
        if context is not run.context and not context.fragment_ids_this_run:
            # The page is being drawn anew, so this script is at its end.
            st.stop()
        try:
            return self._answer(run, key, work, cancel)
        except (ConnectError, StoppedError) as error:
            if run.raised:
                raise
            failure = error
        _outside(_show_failure, failure)
        end_page()

    def _answer(self, run: _Run, key: Hashable, work: Callable[[], T], cancel: Callable[[], None]) -> T:
        if run.ended is not None:
            raise run.ended
        question = self._take_up(key) or self._start(key, work, cancel)
        began = time.monotonic()
        question.join()
        try:
            self._wait(run, question, began)
        finally:
            # Also where Streamlit ends the script here, as the person went on or left.
            question.leave()
        if self._present is not None and self._present[1] is question:
            self._present = None
        run.until = time.monotonic()
        try:
            return question.result()
        except (ConnectError, StoppedError) as error:
            if run.until - began > PATIENCE_S:
                # The next question of this page would take as long to fail.
                run.ended = error
            raise

    def _take_up(self, key: Hashable) -> DatabaseQuestion | None:
        present = self._present
        return present[1] if present is not None and present[0] == key and not present[1].stopped else None

    def _start(self, key: Hashable, work: Callable[[], T], cancel: Callable[[], None]) -> DatabaseQuestion:
        before = self._present
        question = DatabaseQuestion(work, cancel, after=None if before is None else before[1])
        self._present = (key, question)
        return question

    def _wait(self, run: _Run, question: DatabaseQuestion, began: float) -> None:
        if began - run.until > BREATH_S:
            run.since = began
        waiting = None
        while not question.wait(LOOK_S):
            waited = time.monotonic() - run.since
            if waited >= PATIENCE_S:
                if waiting is None:
                    waiting = _outside(Waiting, self, question)
                waiting.show(waited)
        if waiting is not None:
            waiting.end()


class PageAnswers:
    """An engine's answers to the pages of one session."""

    def __init__(self, answers: Any, asking: AskingDatabase) -> None:
        self._answers = answers
        self._asking = asking
        self.writer: SqlWriter = answers.writer

    def frame(self, query: str, names: Sequence[str], kinds: Sequence[Kind]) -> Any:
        """Answer a query as a DataFrame, see :meth:`fairaudit.data.answers.Answers.frame`."""
        return self._ask((query, *names), lambda: self._answers.frame(query, names, kinds))

    def row(self, expressions: Sequence[str]) -> tuple[object, ...]:
        """Answer aggregate expressions over all rows."""
        return self._ask(tuple(expressions), lambda: self._answers.row(expressions))

    def fingerprint(self, columns: Sequence[Column]) -> str:
        """Compute the fingerprint."""
        columns = tuple(columns)
        return self._ask(("fingerprint", *columns), lambda: self._answers.fingerprint(columns))

    def with_writer(self, writer: SqlWriter) -> PageAnswers:
        """Return answers over the same rows to questions that are written in another way."""
        return PageAnswers(self._answers.with_writer(writer), self._asking)

    def cancel(self) -> None:
        """Stop what is being answered, in the engine."""
        self._answers.cancel()

    def close(self) -> None:
        """Give back what the engine holds."""
        self._answers.close()

    def _ask(self, key: Hashable, work: Callable[[], T]) -> T:
        return self._asking.ask((id(self), key), work, self._answers.cancel)


class Waiting:
    """What a page shows while it waits: drawn below all else, outside of columns, tabs and folded parts."""

    def __init__(self, asking: AskingDatabase, question: DatabaseQuestion) -> None:
        self._place = st.empty()
        with self._place.container(horizontal=True, vertical_alignment="center", border=True):
            self._line = st.empty()
            st.button("Stop the question", key=f"question_stop_{question.number}", on_click=asking.stop)

    def show(self, waited_s: float) -> None:
        """Say how long the page has waited. Drawing also lets Streamlit end the script where the person has gone on."""
        self._line.markdown(say(Message("page-asking", {"seconds": Count(int(waited_s))})))

    def end(self) -> None:
        """Take it off the page."""
        self._place.empty()


def _outside(draw: Callable[..., T], *arguments: Any) -> T:
    """Draw at the end of the page, not inside the part that is being drawn; a fragment may draw in itself only."""
    context = get_script_run_ctx()
    if context is not None and context.fragment_ids_this_run:
        return draw(*arguments)
    with get_dg_singleton_instance().main_dg:
        return draw(*arguments)


def _show_failure(error: FairauditError) -> None:
    if isinstance(error, StoppedError):
        st.info(say(Message("page-question-stopped")))
    else:
        show_error(error)
        st.caption(
            "Your choices are kept. To open the table again, go to Data and press Connect. If the database still does "
            "not answer, tell the administrator of this server."
        )
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button("Ask again", key="question_again")
        st.page_link("pages/1_Data.py", label="Go to Data", icon=":material/arrow_forward:")
