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
from collections.abc import Callable, Generator, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, TypeVar

from fairaudit.errors import FairauditError
from fairaudit.events import Command, Finished
from fairaudit.processes import IdleClock, start_serving
from fairaudit.report import chart_process

Said = TypeVar("Said")
Work = Callable[[], Generator[Said, Command | None, None]]

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

_FORK, _END, _ASK = b"f", b"e", b"a"
"""What the process that waits is asked for: to copy itself, to end a copy, and to say how one has ended."""

_BYTES = 8
"""Of a number, as it is sent."""

_PR_SET_PDEATHSIG = 1


class StillAtWork:
    """Yielded now and then while the next event is awaited, so that whoever asks can look at something else."""


STILL = StillAtWork()


class Broken(Exception):
    """An error of ours, in this process or one apart: the name of its class, and where it was raised."""

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


class _Ended(Exception):
    """A process apart has ended, or who asked for its work."""


@dataclass(frozen=True)
class _Drawing:
    """A process apart asks for a chart."""

    specification: dict[str, Any]


@contextmanager
def working_apart(*, idle: float = IDLE_S) -> Iterator[None]:
    """Let work be done in processes of its own while the ``with`` lasts, where the system can do so.

    The process that waits is ended after `idle` seconds without work.
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


def apart(work: Work[Said]) -> Generator[Said | StillAtWork, Command | None, None]:
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
        _send(link, work)
        while True:
            while not link.poll(LOOK_S):
                # A command that comes now is sent again after the next event.
                yield STILL
            event = _received(link)
            if isinstance(event, _Drawing):
                _send(link, _drawn(event))
                continue
            if isinstance(event, BaseException):
                raise event
            command = yield event
            if isinstance(event, Finished):
                return
            _send(link, command)


def _send(link: Connection, what: Any) -> None:
    try:
        link.send(what)
    except ConnectionError:
        raise _Ended from None


def _received(link: Connection) -> Any:
    try:
        return link.recv()
    except (EOFError, ConnectionError):
        raise _Ended from None


def _drawn(asked: _Drawing) -> str | FairauditError:
    try:
        return chart_process.svg_of(asked.specification)
    except FairauditError as error:
        return error


class _Source:
    """The process that waits, and copies itself for each work: started when it is needed."""

    def __init__(self, idle: float):
        # What is collected as garbage may end its work while this thread holds it.
        self._lock = threading.RLock()
        self._process: subprocess.Popen[bytes] | None = None
        self._control: socket.socket | None = None
        self._workers: set[int] = set()
        self._clock = IdleClock(idle, self._end_idle)

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
        except _Ended:
            raise self._why_ended(number) from None
        finally:
            with self._lock:
                self._workers.discard(number)
                self._say(_END, number)
                self._clock.restart()

    def start(self) -> None:
        """Start the process that waits, if there is none and nobody is about to."""
        if self._lock.acquire(blocking=False):
            try:
                self._begin()
                self._clock.restart()
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
        """Return the line to a new copy and its number; None where there is none."""
        try:
            control = self._begin()
            here, there = socket.socketpair()
        except OSError:
            return None
        with there:
            try:
                socket.send_fds(control, [_FORK], [there.fileno()])
                said = control.recv(_BYTES)
            except OSError:
                said = b""
        number = int.from_bytes(said, "big")
        if not number:
            here.close()
            if not said:
                self._end()
            return None
        self._workers.add(number)
        return Connection(here.detach()), number

    def _why_ended(self, number: int) -> Exception:
        """Return the error for a copy that has ended: the system ends what takes too much memory by force."""
        with self._lock:
            self._say(_ASK, number)
            try:
                said = b"" if self._control is None else self._control.recv(_BYTES)
            except OSError:
                said = b""
        code = os.waitstatus_to_exitcode(int.from_bytes(said, "big")) if said else -signal.SIGKILL
        return MemoryError() if code == -signal.SIGKILL else Broken(f"exit code {code}", "")

    def _begin(self) -> socket.socket:
        if self._process is not None and self._process.poll() is not None:
            self._end()
        if self._control is None:
            self._control, there = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            with there:
                self._process = _waiting_process(there)
        return self._control

    def _say(self, what: bytes, number: int) -> None:
        if self._control is not None:
            # A process that has ended has ended its copies, too.
            with contextlib.suppress(OSError):
                self._control.sendall(what + number.to_bytes(_BYTES, "big"))

    def _end_idle(self) -> None:
        with self._lock:
            if not self._workers and self._clock.is_due:
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
    # Threads of its own would not be in its copies. Ctrl-C is for the server alone.
    threads = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    root = Path(__file__).parents[2]
    return start_serving(
        "ui.runtime.processes", root, env=threads, stdin=control.fileno(), stdout=subprocess.DEVNULL, process_group=0
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
            said, lines, *_ = socket.recv_fds(control, 1 + _BYTES, 1)
            if not said:
                break
            if said != _FORK:
                status = _end(int.from_bytes(said[1:], "big"), copies)
                if said[:1] == _ASK:
                    control.sendall(status.to_bytes(_BYTES, "big"))
                continue
            try:
                number = os.fork()
            except OSError:
                # The system has no room for one more: the others go on.
                number = 0
            else:
                if not number:
                    _follow(parent)
                    control.close()
                    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
                    _work(Connection(lines[0]))
                copies.add(number)
            os.close(lines[0])
            control.sendall(number.to_bytes(_BYTES, "big"))
    for number in copies.copy():
        _end(number, copies)


def _follow(parent: int) -> None:
    """Let this process end as soon as that one does."""
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(0)


def _end(number: int, copies: set[int]) -> int:
    """End a copy, and return how it ended; one that has ended already is known until somebody asks how."""
    if number not in copies:
        return signal.SIGKILL
    copies.discard(number)
    os.kill(number, signal.SIGKILL)
    return os.waitpid(number, 0)[1]


def _work(link: Connection) -> None:
    """Do in a copy what comes on its line, and end it."""
    os.nice(KINDNESS)
    chart_process.draw_by(lambda specification: _asked(link, specification))
    try:
        with closing(_received(link)()) as events:
            command, event = None, None
            while not isinstance(event, Finished):
                event = events.send(command)
                _send(link, event)
                command = _received(link) if not isinstance(event, Finished) else None
    except _Ended:
        # Who asked has gone.
        pass
    except BaseException as error:  # noqa: BLE001 - whatever went wrong, who asked is to hear that it did
        _tell(link, error)
    finally:
        os._exit(0)


def _tell(link: Connection, error: BaseException) -> None:
    with contextlib.suppress(_Ended):
        try:
            _send(link, error if isinstance(error, FairauditError | MemoryError) else Broken.of(error))
        except Exception:  # noqa: BLE001 - sending runs what the error holds to pickle itself, which may raise anything
            _send(link, Broken.of(error))


def _asked(link: Connection, specification: dict[str, Any]) -> str:
    """Have a chart drawn by the process that asked for the work."""
    _send(link, _Drawing(specification))
    answer = _received(link)
    if isinstance(answer, FairauditError):
        raise answer
    return answer
