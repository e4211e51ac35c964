"""Read files that others send in a process apart: whatever a file makes of its reader, the caller goes on."""

from __future__ import annotations

import atexit
import contextlib
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, cast

import pyarrow as pa
from pydantic import ConfigDict, TypeAdapter

from fairaudit import errors
from fairaudit.columns import Column, FirstRows, ReadOptions, Source
from fairaudit.data.answers import Answers
from fairaudit.data.engine import RELATION, connect, reading
from fairaudit.data.limits import Limits, most_memory, size_text
from fairaudit.data.prepare import with_what_rows_are
from fairaudit.data.table import Table
from fairaudit.errors import DataError, FairauditError, LimitError, TwoReadings, TwoReadingsError
from fairaudit.processes import start_serving

MOST_SECONDS = 180.0
"""Seconds after which a reader is ended."""

AT_ONCE = 2
"""Readers that work at the same time; who comes later waits."""

_SAVE = "Open it in the program that made it, save the table as plain CSV, and try again."

_WAIT = "Try again when others have finished, or bring fewer rows or columns."


@dataclass(frozen=True)
class Request:
    """What a reader process is asked for; the content follows.

    Parameters
    ----------
    name : str
        What to call the table.
    options : ReadOptions
        What is known of the file.
    limits : Limits
        How much is read at most.
    memory : int
        Bytes that the reader may take.
    size : int
        Bytes of the content, which follow.
    """

    name: str
    options: ReadOptions
    limits: Limits
    memory: int
    size: int


@dataclass(frozen=True)
class Reply:
    """What a reader process says of a file, before it sends the rows; or why there are none.

    Parameters
    ----------
    error : str or None
        The class of the error.
    message, hint : str or None
        Its words.
    columns, n_rows, source, notes : optional
        As a table has them.
    n_bytes : int
        How much memory the rows take.
    first_rows : FirstRows
        The file as it is written.
    two_readings : tuple of TwoReadings
        Columns of which a person has to say how they are read.
    """

    error: str | None = None
    message: str = ""
    hint: str | None = None
    columns: tuple[Column, ...] = ()
    n_rows: int = 0
    source: Source = field(default_factory=lambda: Source("memory"))
    notes: tuple[str, ...] = ()
    n_bytes: int = 0
    first_rows: FirstRows = field(default_factory=FirstRows)
    two_readings: tuple[TwoReadings, ...] = ()


REQUESTS: TypeAdapter[Request] = TypeAdapter(Request)
# Else short texts of a file would stay in a cache of the parser, where nobody can forget them. It is one of a tuple, as
# a dataclass by itself takes no such setting.
REPLIES: TypeAdapter[tuple[Reply]] = TypeAdapter(tuple[Reply], config=ConfigDict(cache_strings="none"))


def read_apart(
    content: bytes,
    *,
    name: str,
    options: ReadOptions | None = None,
    limits: Limits | None = None,
    memory: int | None = None,
    accept: Callable[[int], None] | None = None,
    seconds: float = MOST_SECONDS,
) -> Table:
    """Read a table from bytes as :func:`fairaudit.read_table` does, in a process that may take only so much.

    Parameters
    ----------
    content : bytes
        The file.
    name : str
        What to call the table.
    options : ReadOptions, optional
        What is given is not looked for.
    limits : Limits, optional
        How much is read at most.
    memory : int, optional
        Bytes that the reader may take: by default as `most_memory` says.
    accept : callable, optional
        Called with the bytes of memory that the table takes, before it is taken; may raise.
    seconds : float
        How long it may take.

    Returns
    -------
    Table
        Held by this process; the reader is gone.

    Raises
    ------
    LimitError
        If reading takes more memory or time than it may.
    FairauditError
        As :func:`fairaudit.read_table`.
    """
    memory = most_memory() if memory is None else memory
    options = options or ReadOptions()
    request = Request(name, options.before_counting, limits or Limits(), memory, len(content))
    with _turns, _reader(seconds) as reader:
        try:
            _send(reader, request, content)
            (reply,) = REPLIES.validate_json(_part(reader.output))
            if reply.error is not None:
                raise _error(reply)
            if accept is not None:
                accept(reply.n_bytes)
            table = _table(reader.output, reply, name)
        except (OSError, ValueError, EOFError) as error:
            if isinstance(error, FairauditError) and not reader.is_late:
                raise
            raise _ended(request.memory, seconds if reader.is_late else None) from None
    return with_what_rows_are(table, options)


def warm_up() -> None:
    """Have a reader ready, so that the next file does not wait for one to start."""
    with _lock:
        if _spare and _spare[0].process.poll() is None:
            return
        _spare[:] = [_ReaderProcess()]


def readers() -> tuple[int, ...]:
    """Return the numbers of the processes that read, or wait for something to read."""
    return tuple(_alive)


class _ReaderProcess:
    """A process that reads one file and ends."""

    def __init__(self) -> None:
        root = Path(__file__).parents[2]
        self.process = start_serving(
            "fairaudit.data.subprocess_entry", root, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self.input, self.output = cast(IO[bytes], self.process.stdin), cast(IO[bytes], self.process.stdout)
        self.is_late = False
        _alive.add(self.process.pid)

    def end(self, *, late: bool = False) -> None:
        self.is_late = self.is_late or late
        self.process.kill()

    def close(self) -> None:
        self.end()
        for pipe in (self.input, self.output):
            # A reader that has ended leaves what was not yet sent to it.
            with contextlib.suppress(OSError):
                pipe.close()
        self.process.wait()
        _alive.discard(self.process.pid)


_lock = threading.Lock()
_alive: set[int] = set()
_spare: list[_ReaderProcess] = []
_turns = threading.BoundedSemaphore(AT_ONCE)


@contextmanager
def _reader(seconds: float) -> Iterator[_ReaderProcess]:
    with _lock:
        reader = _spare.pop() if _spare else _ReaderProcess()
    if reader.process.poll() is not None:
        # It has ended while it waited, which is nothing to do with the file.
        reader.close()
        reader = _ReaderProcess()
    clock = threading.Timer(seconds, reader.end, kwargs={"late": True})
    clock.start()
    try:
        yield reader
    finally:
        clock.cancel()
        reader.close()
        warm_up()


@atexit.register
def _close_spare() -> None:
    while _spare:
        _spare.pop().close()


def _send(reader: _ReaderProcess, request: Request, content: bytes) -> None:
    asked = REQUESTS.dump_json(request)
    reader.input.write(len(asked).to_bytes(8, "big") + asked)
    reader.input.write(content)
    reader.input.close()


def _part(stream: IO[bytes]) -> bytes:
    size = int.from_bytes(stream.read(8), "big")
    part = stream.read(size)
    if not part or len(part) < size:
        raise EOFError
    return part


def _error(reply: Reply) -> FairauditError:
    if reply.two_readings:
        return TwoReadingsError(reply.two_readings)
    kind = getattr(errors, reply.error or "", None)
    if not (isinstance(kind, type) and issubclass(kind, FairauditError)):
        kind = DataError
    return kind(reply.message, hint=reply.hint)


def _table(stream: IO[bytes], reply: Reply, name: str) -> Table:
    connection = connect()
    with pa.ipc.open_stream(stream) as rows, reading("The file", _SAVE):
        connection.register("sent_rows", rows)
        connection.execute(f"CREATE TABLE {RELATION} AS SELECT * FROM sent_rows")
        connection.unregister("sent_rows")
    held = connection.execute(f"SELECT count(*) FROM {RELATION}").fetchall()[0][0]
    # A stream that is cut between two batches ends like a whole one.
    if held != reply.n_rows:
        raise EOFError
    table = Table(
        Answers(connection),
        columns=reply.columns,
        n_rows=reply.n_rows,
        name=name,
        source=reply.source,
        notes=reply.notes,
    )
    table.first_rows = reply.first_rows
    return table


def _ended(memory: int, seconds: float | None) -> LimitError:
    if seconds is not None:
        return LimitError(f"Reading the file took longer than {seconds:,.0f} seconds.", hint=_SAVE)
    return LimitError(
        f"The file needs more memory than the {size_text(memory)} that reading one may take, or it breaks its reader.",
        hint=_SAVE if memory >= most_memory() else _WAIT,
    )


def error_reply(error: Exception, memory: int) -> Reply:
    """Return the reply of a reader process that says what went wrong."""
    if isinstance(error, MemoryError) or isinstance(error.__cause__, MemoryError):
        error = _ended(memory, None)
    if isinstance(error, TwoReadingsError):
        return Reply(error=type(error).__name__, two_readings=error.columns)
    if isinstance(error, FairauditError):
        return Reply(error=type(error).__name__, message=error.message, hint=error.hint)
    return Reply(error="DataError", message="The file cannot be read; it is damaged or unusual.", hint=_SAVE)


def table_reply(table: Table, n_bytes: int) -> Reply:
    """Return the reply that comes before the rows of a table, which take so many bytes."""
    return Reply(
        columns=tuple(table.columns.values()),
        n_rows=table.n_rows,
        first_rows=table.first_rows,
        source=table.source,
        notes=table.notes,
        n_bytes=n_bytes,
    )
