"""Long work in processes of their own: each ends with its work, so its memory goes back whole, and pages stay quick.

One process has imported what fits and reports are made with, and waits. For each piece of work it makes a copy of
itself, which costs some milliseconds, is sent the work, says how far it has come, and sends the result. Where the
system cannot do so, and outside :func:`working_apart`, work is done by the thread that asks for it.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import importlib
import logging
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from fairaudit.errors import FairauditError
from fairaudit.events import Command, Event, Finished
from fairaudit.report import drawing_apart

Work = Callable[[], Generator[Event, Command | None, None]]

_LOG = logging.getLogger(__name__)

IDLE_S = 60.0
"""Seconds without work after which the process that waits is ended, until the next work."""

LOOK_S = 0.5
"""How often whoever waits for the next event may look at something else."""

KINDNESS = 5
"""How far work stands behind pages where there are not enough processors for both."""

AHEAD = (
    "fairaudit.report",
    "fairaudit.report.pdf",
    "pyscipopt",
    "sklearn.ensemble",
    "sklearn.linear_model",
    "sklearn.neural_network",
    "ui.remedies.fitting",
    "ui.report.files",
)
"""What the process that waits has imported."""

_FORK = b"fork"
_PR_SET_PDEATHSIG = 1
_NUMBER = 8
"""Bytes of the number of a process, as it is sent."""


class StillAtWork:
    """Yielded now and then while the next event is awaited, so that whoever asks can look at something else."""


STILL = StillAtWork()


class Broken(Exception):
    """An error of ours, in this process or one apart.

    Parameters
    ----------
    kind : str
        The name of its class.
    where : str
        The file and line.
    """

    def __init__(self, kind: str, where: str):
        super().__init__(kind, where)
        self.kind, self.where = kind, where

    @classmethod
    def of(cls, error: BaseException) -> Broken:
        """Return what is known of an error but its words, which may be about the data."""
        if isinstance(error, Broken):
            return error
        place = error.__traceback__
        while place is not None and place.tb_next is not None:
            place = place.tb_next
        where = "" if place is None else f"{os.path.basename(place.tb_frame.f_code.co_filename)}:{place.tb_lineno}"
        return cls(type(error).__name__, where)


@dataclass(frozen=True)
class _Drawing:
    """A process apart asks for a chart."""

    specification: dict[str, Any]


@contextmanager
def working_apart(*, idle: float = IDLE_S) -> Iterator[None]:
    """Let work be done in processes of its own while the ``with`` lasts, where the system can do so.

    Parameters
    ----------
    idle : float
        Seconds without work after which the process that waits is ended.
    """
    global _source
    # Elsewhere a copy of a process cannot be relied on, or cannot be made.
    before, _source = _source, _Source(idle) if sys.platform == "linux" else None
    try:
        yield
    finally:
        ended, _source = _source, before
        if ended is not None:
            ended.close()


def warm_up() -> None:
    """Have the process ready that waits, so that the first work does not wait for it to start."""
    if _source is not None:
        _source.start()


def workers() -> tuple[int, ...]:
    """Return the numbers of the processes that work, and of the one that waits."""
    return () if _source is None else _source.processes()


def apart(work: Work) -> Generator[Event | StillAtWork, Command | None, None]:
    """Yield the events of a work that is done in a process of its own, and :data:`STILL` in between.

    `work` and its result are sent from one process to the other, so it must be a function of a module, or a
    ``partial`` of one, and nothing that holds a database. Closing the generator ends the process at once.

    Raises
    ------
    FairauditError
        What the work raises.
    MemoryError
        If it finds no memory, or is ended by the system.
    Broken
        If it fails otherwise.
    """
    with contextlib.nullcontext() if _source is None else _source.link() as link:
        if link is None:
            yield from work()
            return
        try:
            link.send(work)
            while True:
                while not link.poll(LOOK_S):
                    # A command that comes now is sent again after the next event.
                    yield STILL
                event = link.recv()
                if isinstance(event, _Drawing):
                    link.send(_drawn(event))
                    continue
                if isinstance(event, BaseException):
                    raise event
                command = yield event
                if isinstance(event, Finished):
                    return
                link.send(command)
        except (EOFError, ConnectionError):
            raise MemoryError from None


def result_in(
    events: Generator[Event | StillAtWork, Command | None, None],
) -> Generator[Event | StillAtWork, Command | None, Any]:
    """Pass on events and commands up to the end, and return the result."""
    command = None
    with closing(events):
        while True:
            event = events.send(command)
            if isinstance(event, Finished):
                return event.result
            command = yield event


def _drawn(asked: _Drawing) -> str | FairauditError:
    try:
        return drawing_apart.svg_of(asked.specification)
    except FairauditError as error:
        return error


class _Source:
    """The process that waits, and copies itself for each work: started when it is needed."""

    def __init__(self, idle: float):
        self._idle = idle
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._control: socket.socket | None = None
        self._workers: set[int] = set()
        self._used = 0.0
        self._clock: threading.Timer | None = None

    @contextmanager
    def link(self) -> Iterator[Connection | None]:
        """Give the line to a new process, which is ended at the end of the ``with``; None where none can be made."""
        with self._lock:
            # The first may have ended while it waited.
            link, number = self._copy() or self._copy() or (None, 0)
        if link is None:
            _LOG.warning("No process can be made for long work, so the server does it itself.")
            yield None
            return
        try:
            with link:
                yield link
        finally:
            with self._lock:
                self._workers.discard(number)
                self._say(number.to_bytes(_NUMBER, "big"))
                self._wait_idle()

    def start(self) -> None:
        """Start the process that waits, if there is none and nobody is about to."""
        if self._lock.acquire(blocking=False):
            try:
                self._begin()
                self._wait_idle()
            finally:
                self._lock.release()

    def processes(self) -> tuple[int, ...]:
        """Return the numbers of the processes there are."""
        process = self._process
        return () if process is None else (process.pid, *self._workers.copy())

    def close(self) -> None:
        """End all of them."""
        with self._lock:
            self._end()

    def _copy(self) -> tuple[Connection, int] | None:
        """Return the line to a new copy and its number; None where the process that waits has ended."""
        control = self._begin()
        here, there = socket.socketpair()
        with there:
            try:
                socket.send_fds(control, [_FORK], [there.fileno()])
                said = control.recv(_NUMBER)
            except OSError:
                said = b""
        if not said:
            here.close()
            self._end()
            return None
        number = int.from_bytes(said, "big")
        self._workers.add(number)
        return Connection(here.detach()), number

    def _begin(self) -> socket.socket:
        if self._process is not None and self._process.poll() is not None:
            self._end()
        if self._control is None:
            self._control, there = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            with there:
                self._process = _waiting_process(there)
        return self._control

    def _say(self, words: bytes) -> None:
        if self._control is not None:
            # A process that has ended has ended its copies, too.
            with contextlib.suppress(OSError):
                self._control.sendall(words)

    def _wait_idle(self) -> None:
        self._used = time.monotonic()
        if self._clock is not None:
            self._clock.cancel()
        self._clock = threading.Timer(self._idle, self._end_idle)
        self._clock.daemon = True
        self._clock.start()

    def _end_idle(self) -> None:
        with self._lock:
            if not self._workers and time.monotonic() - self._used >= self._idle:
                self._end()

    def _end(self) -> None:
        if self._control is not None:
            self._control.close()
        if self._process is not None:
            self._process.kill()
            self._process.wait()
        self._control = self._process = None
        self._workers.clear()


_source: _Source | None = None


def _waiting_process(control: socket.socket) -> subprocess.Popen[bytes]:
    root = str(Path(__file__).parents[1])
    path = os.pathsep.join([root, *filter(None, [os.environ.get("PYTHONPATH")])])
    # Threads of its own would not be in its copies.
    threads = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    # What a library prints meanwhile may hold cells of the data, so nobody hears it. Ctrl-C is for the server alone.
    return subprocess.Popen(
        [sys.executable, "-P", "-c", "from ui.work_apart import serve; serve()"],
        stdin=control.fileno(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=os.environ | threads | {"PYTHONPATH": path},
        process_group=0,
    )


def serve() -> None:
    """Make a copy of this process for each line that comes on the standard input, until that ends."""
    with contextlib.suppress(OSError):
        # Where memory ends, the system ends work before the server.
        Path("/proc/self/oom_score_adj").write_text("500", encoding="ascii")
    for name in AHEAD:
        importlib.import_module(name)
    # What is there already is shared with the copies as long as nobody writes to it.
    gc.collect()
    gc.freeze()
    copies: set[int] = set()
    parent = os.getpid()
    with socket.socket(fileno=os.dup(0)) as control:
        while True:
            said, lines, *_ = socket.recv_fds(control, _NUMBER, 1)
            if not said:
                break
            if said != _FORK:
                _kill(int.from_bytes(said, "big"), copies)
                continue
            number = os.fork()
            if not number:
                _follow(parent)
                control.close()
                os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
                _work(Connection(lines[0]))
            os.close(lines[0])
            copies.add(number)
            control.sendall(number.to_bytes(_NUMBER, "big"))
    for number in copies.copy():
        _kill(number, copies)


def _follow(parent: int) -> None:
    """Let this process end as soon as that one does."""
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(0)


def _kill(number: int, copies: set[int]) -> None:
    """End a copy; one that has ended already still has its number, as nobody has asked how."""
    if number in copies:
        copies.discard(number)
        os.kill(number, signal.SIGKILL)
        os.waitpid(number, 0)


def _work(link: Connection) -> None:
    """Do in a copy what comes on its line, and end it."""
    os.nice(KINDNESS)
    drawing_apart.draw_by(lambda specification: _asked(link, specification))
    try:
        with closing(link.recv()()) as events:
            command = None
            while True:
                event = events.send(command)
                link.send(event)
                command = link.recv()
    except (EOFError, StopIteration):
        # Who asked has gone, or has the result.
        pass
    except BaseException as error:  # noqa: BLE001 - whatever went wrong, who asked is to hear that it did
        link.send(error if isinstance(error, FairauditError | MemoryError) else Broken.of(error))
    finally:
        os._exit(0)


def _asked(link: Connection, specification: dict[str, Any]) -> str:
    """Have a chart drawn by the process that asked for the work."""
    link.send(_Drawing(specification))
    answer = link.recv()
    if isinstance(answer, FairauditError):
        raise answer
    return answer
