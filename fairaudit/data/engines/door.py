"""The one way to an engine: ask a statement, stop it, and turn what goes wrong into a sentence."""

from __future__ import annotations

import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Generic, Literal, Protocol, TypeVar

from fairaudit.columns import Column, Kind
from fairaudit.data.writing import Dialect, ReadColumn
from fairaudit.disclosure.fields import Remark
from fairaudit.disclosure.said import remark
from fairaudit.errors import ConnectError, FairauditError, StoppedError, quote
from fairaudit.findings import Message, Phrase

# What is found when something is opened: the columns that can be used, how they are read, and what is left out.


@dataclass(frozen=True)
class Description:
    """What is found when something is opened.

    Parameters
    ----------
    columns : tuple of Column
        Names and kinds of the columns that can be used.
    read : tuple of ReadColumn
        How each of them is read.
    notes : tuple of str
        What is left out or changed, in plain sentences.
    """

    columns: tuple[Column, ...]
    read: tuple[ReadColumn, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True)
class FoundColumn:
    """A column as an engine describes it.

    Parameters
    ----------
    name : str
        Its name.
    read : tuple of str and Kind, optional
        The expression that reads it and what that holds; None where it cannot be used.
    type_name : str
        The engine's word for its type, stated where it cannot be used.
    note : str, optional
        A sentence on how it is read, or on why it is left out.
    """

    name: str
    read: tuple[str, Kind] | None
    type_name: str
    note: str | None = None


def describe(found: Sequence[FoundColumn]) -> Description:
    """Return the columns that can be used."""
    names = [column.name for column in found]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise ConnectError(
            f"What is read has two columns named {quote(twice)}.",
            hint="Give each a name of its own: SELECT a AS first, ...",
        )
    used = [(column.name, *column.read) for column in found if column.read is not None]
    if not used:
        raise ConnectError(
            "What is read has no column of numbers, texts, dates or truth values.",
            hint="Choose another table or columns.",
        )
    return Description(
        columns=tuple(Column(name, kind) for name, _, kind in used),
        read=tuple(ReadColumn(name, sql) for name, sql, _ in used),
        notes=tuple(note for column in found if (note := _note(column)) is not None),
    )


def _note(column: FoundColumn) -> str | None:
    if column.note is not None or column.read is not None:
        return column.note and Remark(column.note, "setting")
    args = {"column": Phrase(quote(column.name)), "type": Phrase(column.type_name)}
    return remark(Message("read-type", args), "setting")


DEFAULT_TIMEOUT = 120
"""Seconds that a question may take."""

CONNECT_TIMEOUT = 10
"""Seconds to wait for a server."""

_AGAIN_S = 0.5
_GRACE_S = 5.0

T = TypeVar("T")
Connection = TypeVar("Connection")


class Door(ABC, Generic[Connection]):
    """A read-only way to one database; each question has a connection of its own, so nothing is kept open.

    An engine's own door says how a connection is opened, asked, stopped and closed. Questions are asked inside
    :meth:`session`, so that each can be stopped and has a time limit.

    Parameters
    ----------
    timeout : float
        Seconds that a question may take.
    """

    dialect: ClassVar[Dialect]
    title: ClassVar[str]
    keeps_time: ClassVar[bool] = False
    """Whether the engine itself stops a question that takes too long; then it is given some seconds more to do so."""

    def __init__(self, timeout: float):
        self.timeout = timeout
        self.rules: Literal[1, 2] | None = 2
        self._ended = False
        self._lock = threading.Lock()
        self._questions: set[_Question[Connection]] = set()

    @abstractmethod
    def describe(self, origin: str) -> Description:
        """Return the columns of a table or query and how they are read."""

    @abstractmethod
    def tables(self) -> tuple[str, ...]:
        """Return the tables and views that may be read, see :func:`fairaudit.data.engines.guard.split_name`."""

    @abstractmethod
    def open(self) -> Connection:
        """Return a new connection, or a name for one; where the engine can bar writing, this or `prepare` does."""

    def prepare(self, connection: Connection) -> None:  # most connections are ready as they are opened
        """Set a connection up, which may wait for the engine and be interrupted."""

    @abstractmethod
    def answer(self, connection: Connection, query: str) -> list[tuple]:
        """Answer a statement."""

    @abstractmethod
    def interrupt(self, connection: Connection) -> None:
        """Stop what a connection is doing, from another thread; called again until it has ended."""

    def break_off(self, connection: Connection) -> None:  # most engines run in this process
        """Make a connection fail whose engine does not react to being interrupted."""

    @abstractmethod
    def close(self, connection: Connection) -> None:
        """Give a connection back."""

    @abstractmethod
    def translate(self, error: Exception) -> FairauditError | None:
        """Return the sentence for an error of the driver; None for any other error."""

    def ask(self, query: str) -> list[tuple]:
        """Answer one statement."""
        return self.guarded(self._ask, query)

    def guarded(self, work: Callable[..., T], *arguments: object) -> T:
        """Do some work on the engine; an error of its driver becomes a sentence, without a trace of the driver's."""
        try:
            return work(*arguments)
        except Exception as error:
            # Each driver has errors of its own, some of no common class; what `translate` does not know goes on.
            failure = error if isinstance(error, FairauditError) else self.translate(error)
            if failure is None:
                raise
        # Raised out here, the driver's error is not its context: that may hold the address and the user.
        failure.__context__ = None
        raise failure

    def cancel(self) -> None:
        """Stop every question that is being answered, or about to be."""
        with self._lock:
            questions = list(self._questions)
        for question in questions:
            self._stop(question, _cancelled())

    def end(self) -> None:
        """Stop what is being answered, and answer nothing more."""
        self._ended = True
        self.cancel()

    @contextmanager
    def session(self) -> Iterator[Connection]:
        """Open a connection for one question, which can be cancelled and may take so long."""
        question: _Question[Connection] = _Question()
        connection = None
        with self._lock:
            self._questions.add(question)
        try:
            if self._ended:
                raise _cancelled()
            with self._time_limit(question):
                connection = self.open()
                question.begin(connection)
                self.prepare(connection)
                yield connection
        except Exception:
            # Drivers break a question off with errors of no common class. Where it was broken off here, that is the
            # reason; every other error goes on as it is.
            if question.failure is not None:
                raise question.failure from None
            raise
        finally:
            question.end()
            with self._lock:
                self._questions.discard(question)
            if connection is not None:
                self.close(connection)

    def too_long(self) -> ConnectError:
        """Return the error for a question that took too long."""
        return ConnectError(
            f"The question took longer than {self.timeout:g} seconds and was stopped in {self.title}.",
            hint="Ask for fewer rows with a filter, or have the administrator allow more time or add an index.",
        )

    def no_answer(self) -> ConnectError:
        """Return the error for an engine that did not stop a question by itself."""
        return ConnectError(
            f"{self.title} neither answered within {self.timeout:g} seconds nor stopped the question. "
            "The connection was given up.",
            hint="Try again later, or tell the administrator of the database.",
        )

    def _ask(self, query: str) -> list[tuple]:
        with self.session() as connection:
            return self.answer(connection, query)

    @contextmanager
    def _time_limit(self, question: _Question[Connection]) -> Iterator[None]:
        seconds, failure = self.timeout, self.too_long
        if self.keeps_time:
            seconds, failure = seconds + _GRACE_S, self.no_answer
        timer = threading.Timer(seconds, lambda: self._stop(question, failure()))
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()

    def _stop(self, question: _Question[Connection], failure: FairauditError) -> None:
        """Let a question fail; once is not enough, as an engine forgets what is stopped before it has begun."""
        question.failure = question.failure or failure
        threading.Thread(target=self._insist, args=(question,), daemon=True).start()

    def _insist(self, question: _Question[Connection]) -> None:
        since = time.monotonic()
        while not question.ended.is_set():
            if question.connection is not None:
                self._try(self.interrupt, question.connection)
                if time.monotonic() - since > _GRACE_S:
                    self._try(question.break_off, self.break_off)
            question.ended.wait(_AGAIN_S)

    def _try(self, stop: Callable[[T], None], what: T) -> None:
        """Try to stop something that may have answered meanwhile, or whose engine may be gone."""
        try:
            stop(what)
        except Exception as error:
            # The drivers' own errors are passed over, and those of a connection that is gone; all else goes on.
            if not isinstance(error, OSError) and self.translate(error) is None:
                raise


def _cancelled() -> StoppedError:
    return StoppedError("The question was cancelled.")


class _Question(Generic[Connection]):
    """A question that is being answered, or about to be."""

    def __init__(self) -> None:
        self.connection: Connection | None = None
        self.failure: FairauditError | None = None
        self.ended = threading.Event()
        self._lock = threading.Lock()

    def begin(self, connection: Connection) -> None:
        """Take the connection that answers it; fail if it was stopped before."""
        self.connection = connection
        if self.failure is not None:
            raise self.failure

    def end(self) -> None:
        """Note that it is answered or has failed; its connection may be closed now."""
        with self._lock:
            self.ended.set()

    def break_off(self, how: Callable[[Connection], None]) -> None:
        """Break its connection off, unless that may be closed and its socket another's."""
        with self._lock:
            if self.connection is not None and not self.ended.is_set():
                how(self.connection)


def gone(kind: Literal["table", "column"]) -> ConnectError:
    """Return the error for a table or column that is not there."""
    if kind == "column":
        return ConnectError(
            "A column that is asked for is not there any more; it was renamed or removed.", hint="Open the table again."
        )
    return ConnectError(
        "The table is not there, or was removed since it was opened.",
        hint="Look at the list of tables and open it again.",
    )


# The way to a named connection: its secrets are looked up for each question, and none is kept in between.


class NamedDoor:
    """What a table asks through whose connection an administrator named.

    Parameters
    ----------
    open_door : callable
        Opens the way with the secrets of now; it holds them only while a question is answered.
    """

    def __init__(self, open_door: Callable[[], Door]):
        self._open_door = open_door
        self._lock = threading.Lock()
        self._passages: set[_Passage] = set()

    def ask(self, query: str) -> list[tuple]:
        """Answer one statement, see :meth:`fairaudit.data.engines.door.Door.ask`."""
        passage = _Passage()
        with self._lock:
            self._passages.add(passage)
        try:
            return passage.through(self._open_door()).ask(query)
        finally:
            with self._lock:
                self._passages.discard(passage)

    def cancel(self) -> None:
        """Stop every question that is being answered, or about to be."""
        with self._lock:
            passages = list(self._passages)
        for passage in passages:
            passage.end()


class _Passage:
    """One question's way, which can be ended before it is open."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._door: Door | None = None
        self._ended = False

    def through(self, door: Door) -> Door:
        with self._lock:
            self._door = door
            if self._ended:
                door.end()
        return door

    def end(self) -> None:
        with self._lock:
            self._ended = True
            if self._door is not None:
                self._door.end()


# Ways to a database that is one file.


class Rows(Protocol):
    """What a statement found."""

    def fetchall(self) -> list[tuple]:
        """Return all rows."""


class FileConnection(Protocol):
    """A connection to a database that is one file."""

    def execute(self, query: str, /) -> Rows:
        """Ask a statement."""

    def interrupt(self) -> None:
        """Stop what is being answered."""

    def close(self) -> None:
        """Close the connection."""


OfFile = TypeVar("OfFile", bound=FileConnection)


class FileDoor(Door[OfFile]):
    """A way to a file, through a driver whose connections execute, interrupt and close.

    Parameters
    ----------
    path : str
        The file.
    timeout : float
        Seconds that a question may take.

    Raises
    ------
    ConnectError
        If there is no such file.
    """

    def __init__(self, path: str, timeout: float):
        super().__init__(timeout)
        self._path = Path(path).resolve()
        if not path or not self._path.is_file():
            raise ConnectError(
                f"There is no {self.title} file {quote(self._path.name)}.",
                hint=f"Write {self.dialect}:///folder/file.",
            )
        self._opened = self._number()

    def prepare(self, connection: OfFile) -> None:
        """Refuse a file that was put in the place of the one that was opened first."""
        # A database may change while it is open; another file has other rows.
        if self._number() != self._opened:
            raise ConnectError(
                f"The {self.title} file {quote(self._path.name)} was replaced since it was opened.",
                hint="Open the table again.",
            )

    def answer(self, connection: OfFile, query: str) -> list[tuple]:
        """Answer a statement."""
        return connection.execute(query).fetchall()

    def interrupt(self, connection: OfFile) -> None:
        """Stop what a connection is doing."""
        connection.interrupt()

    def close(self, connection: OfFile) -> None:
        """Close a connection."""
        connection.close()

    def _number(self) -> tuple[int, int] | None:
        """Return where the file lies on its disk; None where it is gone."""
        try:
            facts = self._path.stat()
        except OSError:
            return None
        return facts.st_dev, facts.st_ino
