"""The one way to an engine: ask a statement, stop it, and turn what goes wrong into a sentence."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, ClassVar

from fairaudit.data.columns import Column
from fairaudit.data.writing import Dialect, ReadColumn
from fairaudit.errors import ConnectError, FairauditError, StoppedError, quote

DEFAULT_TIMEOUT = 120
"""Seconds that a question may take."""

CONNECT_TIMEOUT = 10
"""Seconds to wait for a server."""


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


class Door(ABC):
    """A read-only way to one database; each question has a connection of its own, so nothing is kept open.

    Parameters
    ----------
    timeout : float
        Seconds that a question may take.
    """

    dialect: ClassVar[Dialect]
    title: ClassVar[str]

    def __init__(self, timeout: float):
        self.timeout = timeout
        self._lock = threading.Lock()
        self._running: dict[int, Any] = {}
        self._stopped: set[int] = set()

    @abstractmethod
    def describe(self, origin: str) -> Description:
        """Return the columns of a table or query and how they are read."""

    @abstractmethod
    def tables(self) -> tuple[str, ...]:
        """Return the tables and views that may be read, spelled as :func:`split_name` reads them."""

    @abstractmethod
    def run(self, query: str) -> list[tuple]:
        """Answer a statement on a new connection, inside :meth:`running`."""

    @abstractmethod
    def translate(self, error: Exception) -> FairauditError | None:
        """Return the sentence for an error of the driver; None for any other error."""

    @abstractmethod
    def interrupt(self, connection: Any) -> None:
        """Stop what a connection is doing, from another thread."""

    def ask(self, query: str) -> list[tuple]:
        """Answer one statement.

        Parameters
        ----------
        query : str
            SQL built from quoted names, literals and checked conditions.

        Returns
        -------
        list of tuple
            The rows of the answer.

        Raises
        ------
        ConnectError
            If the engine cannot be reached or refuses; in one sentence without a secret.
        StoppedError
            If :meth:`cancel` was called meanwhile.
        """
        return self.guarded(self.run, query)

    def guarded(self, work, *arguments: Any) -> Any:
        """Do some work on the engine; an error of its driver becomes a sentence, without a trace of the driver's."""
        try:
            return work(*arguments)
        except Exception as error:
            failure = error if isinstance(error, FairauditError) else self.translate(error)
            if failure is None:
                raise
        # Raised out here, the driver's error is not its context: that may hold the address and the user.
        failure.__context__ = None
        raise failure

    def cancel(self) -> None:
        """Stop every question that is being answered."""
        with self._lock:
            running = dict(self._running)
            self._stopped.update(running)
        for connection in running.values():
            self.interrupt(connection)

    @contextmanager
    def running(self, connection: Any) -> Iterator[None]:
        """Let a connection be found by :meth:`cancel` while it answers.

        Raises
        ------
        StoppedError
            If it was cancelled, whatever the driver says.
        """
        key = id(connection)
        with self._lock:
            self._running[key] = connection
        try:
            yield
        except Exception:
            if key in self._stopped:
                raise StoppedError("The question was cancelled.") from None
            raise
        finally:
            with self._lock:
                self._running.pop(key, None)
                self._stopped.discard(key)

    @contextmanager
    def deadline(self, connection: Any) -> Iterator[None]:
        """Interrupt a connection whose engine has no time limit of its own.

        Raises
        ------
        ConnectError
            If the time was up.
        """
        late = threading.Event()

        def stop() -> None:
            late.set()
            self.interrupt(connection)

        timer = threading.Timer(self.timeout, stop)
        timer.daemon = True
        timer.start()
        try:
            yield
        except Exception:
            if late.is_set():
                raise self.too_long() from None
            raise
        finally:
            timer.cancel()

    def too_long(self) -> ConnectError:
        """Return the error for a question that took too long."""
        return ConnectError(
            f"The question took longer than {self.timeout:g} seconds and was stopped in {self.title}.",
            hint="Ask for fewer rows with a filter, or have the administrator allow more time or add an index.",
        )


def gone(kind: str, name: str | None = None) -> ConnectError:
    """Return the error for a table or column that is not there.

    Parameters
    ----------
    kind : {"table", "column"}
        What is missing.
    name : str, optional
        Its name, where it is known.

    Returns
    -------
    ConnectError
        To be raised.
    """
    what = f"The {kind}{f' {quote(name)}' if name else ''}"
    if kind == "column":
        return ConnectError(
            "A column that is asked for is not there any more; it was renamed or removed.", hint="Open the table again."
        )
    return ConnectError(
        f"{what} is not there, or was removed since it was opened.",
        hint="Look at the list of tables and open it again.",
    )


def left_out(name: str, type_name: str) -> str:
    """Return the note for a column that cannot be used."""
    return f"Column {quote(name)} holds {type_name} values, which are not read; it is left out."


def check_columns(names: Sequence[str], used: Sequence[Column], what: str) -> None:
    """Refuse what cannot be a table.

    Parameters
    ----------
    names : sequence of str
        All columns that were found.
    used : sequence of Column
        Those that can be used.
    what : str
        "The table" or "The query".

    Raises
    ------
    ConnectError
        If a name is there twice or no column can be used.
    """
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise ConnectError(
            f"{what} has two columns named {quote(twice)}.", hint="Give each a name of its own: SELECT a AS first, ..."
        )
    if not used:
        raise ConnectError(
            f"{what} has no column of numbers, texts, dates or truth values.", hint="Choose another table or columns."
        )


def split_name(name: str) -> tuple[str, ...]:
    """Split the name of a table at its dots, except between double quotes.

    Parameters
    ----------
    name : str
        ``table``, ``schema.table``, or with double quotes where a name holds a dot.

    Returns
    -------
    tuple of str
        The bare names, at most three.

    Raises
    ------
    ConnectError
        If it cannot be read.

    Examples
    --------
    >>> split_name('staff."pay 2.0"')
    ('staff', 'pay 2.0')
    """
    parts, part, quoted, position = [], "", False, 0
    while position < len(name):
        here = name[position]
        if here == '"':
            if quoted and name[position + 1 : position + 2] == '"':
                part, position = part + '"', position + 1
            else:
                quoted = not quoted
        elif here == "." and not quoted:
            parts, part = [*parts, part], ""
        else:
            part += here
        position += 1
    parts.append(part)
    if quoted or len(parts) > 3 or not all(parts) or "\0" in name:
        raise ConnectError(
            f"{quote(name)} is not the name of a table.", hint='Write table or schema.table, or "name with a .".'
        )
    return tuple(parts)


def join_name(parts: Sequence[str]) -> str:
    """Return names as :func:`split_name` reads them.

    Parameters
    ----------
    parts : sequence of str
        Bare names.

    Returns
    -------
    str
        With double quotes only where a name holds a dot or a double quote.

    Examples
    --------
    >>> join_name(["staff", "pay 2.0"])
    'staff."pay 2.0"'
    """
    return ".".join('"' + p.replace('"', '""') + '"' if "." in p or '"' in p else p for p in parts)
