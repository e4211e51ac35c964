"""One question to an engine, answered in a thread that calls nothing of Streamlit."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable
from threading import Timer
from typing import Any

from fairaudit.errors import FairauditError, StoppedError

LEFT_S = 5.0
"""How long a question goes on that nobody waits for."""

_NUMBERS = itertools.count(1)


class Question:
    """A question that is being answered, for as long as someone waits for it.

    Parameters
    ----------
    work : callable
        Asks the engine and returns the answer.
    cancel : callable
        Stops in the engine what `work` asks.
    after : Question, optional
        An earlier one, which is stopped first.
    """

    def __init__(self, work: Callable[[], Any], cancel: Callable[[], None], *, after: Question | None = None):
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
            self._answer = self._work()
        except FairauditError as error:
            # It may be kept for as long as the session: without what was computed where it was raised.
            self._error = error.with_traceback(None)
        except BaseException as error:  # noqa: BLE001 - raised again where the answer is waited for
            self._error = error
        finally:
            self._work = self._after = None
            self._over.set()
