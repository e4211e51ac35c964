"""Long work in the background: it goes on while the person looks at other pages, shows its progress, can be stopped.

A :class:`Job` drains a generator of :mod:`fairaudit.events` in a thread. The thread calls nothing of Streamlit and
touches nothing of the audit; a page reads the job while it is drawn (:func:`ui.progress.show_job`). A session has its
:class:`Jobs`, which run one after another. All sessions of a server share its :data:`ui.runtime.turns.TURNS`, so that
each of them moves on and pages stay quick.
"""

from __future__ import annotations

import itertools
import logging
import threading
import time
import weakref
from collections import deque
from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Any, Literal

from fairaudit.errors import FairauditError, require
from fairaudit.events import STOP, Command, Event, Finished, Incumbent, Progress, Started
from ui.runtime import activity, memory
from ui.runtime.activity import Ending, Work
from ui.runtime.processes import STILL, Broken, StillAtWork
from ui.runtime.turns import TURNS, Line, Turn, Turns

Status = Literal["waiting", "running", "finished", "stopped", "failed", "cancelled"]
Events = Generator[Event | StillAtWork, Command | None, None]

_ENDINGS: dict[Status, Ending] = {
    "finished": "done",
    "stopped": "stopped",
    "failed": "failed",
    "cancelled": "cancelled",
}
_LOG = logging.getLogger(__name__)
_NUMBERS = itertools.count(1)
_ESTIMATED_AFTER_S = 3.0
"""How long a stage must have taken before what is left of it can be estimated."""

_NEW_WEIGHT = 0.15
"""What one more step counts in that estimate: steps take unlike long, and each alone would let it swing."""


@dataclass(frozen=True)
class Stage:
    """How far a job has come in its present stage, which began at `since`, in seconds of ``time.monotonic``."""

    what: str = ""
    done: int = 0
    total: int = 1
    since: float = 0.0

    @property
    def fraction(self) -> float:
        """The part that is done, from 0 to 1."""
        return min(self.done / max(self.total, 1), 1.0)


class Job:
    """One piece of long work, from :meth:`Jobs.start`. A page reads its attributes; only the thread writes them.

    Attributes
    ----------
    key : str
        What the job is for; a session runs one job a key.
    what : str
        The work, in words with a capital: "Retraining".
    kind : str or None
        The kind of work, for the log; None where it is not noted there.
    person : str
        Who is signed on where it was started; empty where nobody says so.
    about : object
        Anything that says what the job is for, such as the plan of a remedy.
    n_bytes : int
        How much memory it takes, about.
    status : str
        "waiting", "running", "finished", "stopped" (a person ended it early), "failed" or "cancelled".
    stage : Stage
        What is going on now, and how much of it is done.
    found : tuple of Incumbent
        What a search has found so far, in its order.
    result : object
        What the work was for; None unless it finished, or was stopped with the best so far.
    error : FairauditError or None
        Why it failed: a sentence that can be shown.
    taken : bool
        Whether the session has taken notice of the end, see :meth:`Jobs.take_ended`.
    """

    def __init__(
        self,
        key: str,
        what: str,
        make: Callable[[], Events],
        about: Any = None,
        n_bytes: int = 0,
        kind: Work | None = None,
    ):
        self.key = key
        self.kind = kind
        self.person = "" if kind is None else activity.person_here()
        self.what = what
        self.about = about
        self.n_bytes = n_bytes
        self.number = next(_NUMBERS)
        self.status: Status = "waiting"
        self.stage = Stage()
        self.found: tuple[Incumbent, ...] = ()
        self.result: Any = None
        self.error: FairauditError | None = None
        self.taken = False
        self._make: Callable[[], Events] | None = make
        self._began: float | None = None
        self._due: float | None = None
        self._ended_at: float | None = None
        self._turn: Turn | None = None
        self._stop = threading.Event()
        self._cancel = threading.Event()
        self._over = threading.Event()

    @property
    def ended(self) -> bool:
        """Whether nothing more will happen."""
        return self._over.is_set()

    @property
    def stopping(self) -> bool:
        """Whether a person asked for the end, which has not come yet."""
        return self._stop.is_set() and not self.ended

    @property
    def line(self) -> Line | None:
        """Where it stands among the fits of all sessions while it waits for its turn; None while it does not."""
        turn = self._turn
        return None if turn is None else turn.line

    @property
    def elapsed_s(self) -> float:
        """Seconds since the work began, up to its end; 0 while it waits."""
        if self._began is None:
            return 0.0
        return (self._ended_at or time.monotonic()) - self._began

    @property
    def left_s(self) -> float | None:
        """Seconds until the present stage is done, at its speed so far; None while that is not known."""
        due = self._due
        return None if self.status != "running" or due is None else max(due - time.monotonic(), 0.0)

    def stop(self) -> None:
        """Ask for the end, with the best so far. A job that has not begun is cancelled."""
        self._stop.set()

    def cancel(self) -> None:
        """Give everything up: there will be no result."""
        self._cancel.set()

    def wait(self, timeout: float | None = None) -> bool:
        """Wait for the end, at most `timeout` seconds, and return whether it came."""
        return self._over.wait(timeout)

    def run(self, turns: Turns, is_away: Callable[[], bool]) -> None:
        """Do the work in the thread that calls this, in turn with the jobs of other sessions."""
        status: Status = "cancelled"
        try:
            with turns.turn(is_away) as self._turn:
                if self._turn.take(lambda: self._cancel.is_set() or self._stop.is_set()):
                    status = self._begin(self._turn)
        except Exception as error:  # noqa: BLE001 - whatever went wrong, the person is to hear that it did
            self.error, status = failure_of(self.what, error), "failed"
        finally:
            self._make = self._turn = None
            self._ended_at = time.monotonic()
            self.status = status
            if self.kind is not None:
                activity.note(self.kind, self.person, self.elapsed_s, _ENDINGS[status])
            self._over.set()

    def _begin(self, turn: Turn) -> Status:
        self._began = time.monotonic()
        self.stage = Stage(since=self._began)
        self.status = "running"
        memory.ask_for(self.n_bytes, self.what)
        events = require(self._make)()
        command, has_stopped = None, False
        try:
            while True:
                event = events.send(command)
                has_stopped = has_stopped or command is STOP
                if isinstance(event, Finished) and not self._cancel.is_set():
                    self.result = event.result
                    return "stopped" if has_stopped else "finished"
                self._note(event)
                memory.refuse_more(self.what)
                command = None
                if event is STILL:
                    if self._cancel.is_set():
                        return "cancelled"
                    turn.let_go()
                    continue
                if not turn.hold(self._cancel.is_set):
                    return "cancelled"
                # A step that cannot end early passes over STOP, so it is sent until one does.
                command = STOP if self._stop.is_set() else None
        finally:
            events.close()

    def _note(self, event: Event | StillAtWork) -> None:
        match event:
            case Started(what=what, total=total):
                self.stage, self._due = Stage(what, 0, total, time.monotonic()), None
            case Progress(done=done, total=total):
                self.stage = Stage(event.briefly, done, total, self.stage.since)
                self._estimate(self.stage)
            case Incumbent():
                self.found = (*self.found, event)

    def _estimate(self, stage: Stage) -> None:
        """Note when the stage is due: in between it comes nearer, and one slow or quick step moves it a little."""
        now = time.monotonic()
        spent = now - stage.since
        if stage.done < 1 or spent < _ESTIMATED_AFTER_S:
            return
        due = now + spent * max(stage.total - stage.done, 0) / stage.done
        self._due = due if self._due is None else self._due + _NEW_WEIGHT * (due - self._due)


class _Queue:
    """The jobs that wait, and whether a thread is at work on them."""

    def __init__(self, turns: Turns) -> None:
        self.lock = threading.Lock()
        self.turns = turns
        self.jobs: dict[str, Job] = {}
        self.waiting: deque[Job] = deque()
        self.working = False
        self.is_away = False

    def work(self) -> None:
        while True:
            with self.lock:
                if not self.waiting:
                    self.working = False
                    return
                job = self.waiting.popleft()
            job.run(self.turns, lambda: self.is_away)

    def cancel(self) -> None:
        with self.lock:
            for job in self.jobs.values():
                job.cancel()
            self.jobs = {}


class Jobs:
    """The jobs of one session: they run one after another, in the order in which they were started.

    When the session is forgotten, its jobs are cancelled. Their `turns` are shared with other sessions.
    """

    def __init__(self, turns: Turns = TURNS):
        self._queue = _Queue(turns)
        # The thread knows the queue, not this object, which can thus be forgotten while the thread is at work.
        weakref.finalize(self, self._queue.cancel).atexit = False

    def start(
        self,
        key: str,
        what: str,
        make: Callable[[], Events],
        *,
        about: Any = None,
        n_bytes: int = 0,
        kind: Work | None = None,
    ) -> Job:
        """Put a job in the queue and return it; where one with this key is under way, return that.

        `make` returns a generator of events. It is called in the thread, so it must not use Streamlit, DuckDB or the
        audit's state: read the rows before and hand them over. `n_bytes` is how much memory it takes, about: where that
        is not there when its turn comes, the job fails with a sentence.
        """
        queue = self._queue
        with queue.lock:
            present = queue.jobs.get(key)
            if present is not None and not present.ended:
                return present
            job = queue.jobs[key] = Job(key, what, make, about, n_bytes, kind)
            queue.waiting.append(job)
            if not queue.working:
                queue.working = True
                threading.Thread(target=queue.work, name="fairaudit-job", daemon=True).start()
        return job

    def get(self, key: str) -> Job | None:
        """Return the job that was started last with this key, if it is remembered."""
        return self._queue.jobs.get(key)

    @property
    def all(self) -> tuple[Job, ...]:
        """All jobs that are remembered, in the order of their starts."""
        with self._queue.lock:
            return tuple(sorted(self._queue.jobs.values(), key=lambda job: job.number))

    @property
    def active(self) -> tuple[Job, ...]:
        """Jobs that run or wait, the running one first."""
        return tuple(job for job in self.all if not job.ended)

    def place(self, job: Job) -> int:
        """Return which one of those that wait a job is, also behind others of this session; 0 once it has begun."""
        active = self.active
        if job not in active or job.status != "waiting":
            return 0
        line = active[0].line
        return max(active.index(job) + (0 if line is None else line.n_before + 1), 1)

    def note_away(self, is_away: bool) -> None:
        """Note whether no page shows the session: its jobs let those of others go first."""
        self._queue.is_away = is_away

    def take_ended(self) -> tuple[Job, ...]:
        """Return the jobs that have ended since the last call. Those that failed are remembered, the others not."""
        ended = tuple(job for job in self.all if job.ended and not job.taken)
        for job in ended:
            job.taken = True
            if job.error is None:
                self.forget(job.key)
        return ended

    def forget(self, key: str) -> None:
        """Forget a job that has ended, such as one whose failure the person has read."""
        with self._queue.lock:
            job = self._queue.jobs.get(key)
            if job is not None and job.ended:
                del self._queue.jobs[key]

    def cancel_all(self) -> None:
        """Cancel every job and forget them all."""
        self._queue.cancel()


def failure_of(what: str, error: Exception) -> FairauditError:
    """Return what a person reads about work that failed; of an error of ours, the log gets its kind and place.

    Nothing of the data is in it.
    """
    if isinstance(error, FairauditError):
        return error
    if isinstance(error, MemoryError):
        return memory.spent(what)
    broken = Broken.of(error)
    _LOG.error("%s failed: %s%s", what, broken.kind, broken.where and f" at {broken.where}")
    return FairauditError(
        f"{what} failed inside fairaudit ({broken.kind}). Your data and choices are as they were.",
        hint="Try other settings or fewer columns. The log of the server says where it failed.",
    )
