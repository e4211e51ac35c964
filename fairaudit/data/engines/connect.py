"""Open a table where it is: a database or cluster that counts, so that only counts come back."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, TypeGuard

from fairaudit.columns import (
    SAID_OF_VALUES,
    ByGroup,
    ConnectionFacts,
    LabelsByCode,
    ReadOptions,
    WideCounts,
    hidden_cells,
    labels_of,
)
from fairaudit.data.counted_rows import SaidMeans, as_counts, as_means
from fairaudit.data.engines.answers import EngineAnswers
from fairaudit.data.engines.door import DEFAULT_TIMEOUT, Door
from fairaudit.data.engines.guard import checked_query, is_system_table, split_name
from fairaudit.data.engines.table import ConnectedTable
from fairaudit.data.prepare import with_what_rows_are
from fairaudit.data.said_values import notes_of, said_writer
from fairaudit.data.writing import SqlWriter
from fairaudit.errors import ConnectError, InputError, quote

if TYPE_CHECKING:
    from pyspark.sql import SparkSession
    from sqlalchemy import URL

ENGINES = ("postgresql", "sqlite", "duckdb")
"""First words of the addresses that are known."""


def connect_table(
    url: object,
    *,
    table: str | None = None,
    query: str | None = None,
    name: str | None = None,
    timeout: float | None = None,
    options: ReadOptions | None = None,
    counts: str | WideCounts | ByGroup | Mapping[str, str] | None = None,
    means: SaidMeans | None = None,
    rounded_to: int | None = None,
    hidden: Mapping[str, tuple[int, int]] | None = None,
    labels: Mapping[str, LabelsByCode] | None = None,
    numbers: Iterable[str] = (),
    codes: Iterable[str] = (),
) -> ConnectedTable:
    """Open a table where it is: rows stay there, and each question is one statement that the engine answers.

    Parameters
    ----------
    url : str, sqlalchemy.URL or pyspark.sql.SparkSession
        An address as SQLAlchemy writes it: ``postgresql://user:password@host/database``, ``sqlite:///path`` or
        ``duckdb:///path``; or a Spark session.
    table : str, optional
        The table or view, ``table`` or ``schema.table``.
    query : str, optional
        Instead of a table: one SELECT that only reads, checked before it is sent.
    name : str, optional
        What to call the table; without it its own name.
    timeout : float, optional
        Seconds that a question may take, 120 without it.
    options : ReadOptions, optional
        What is said of values: `not_known`, `left_out` and `real_values`, `labels` of codes, `numbers` and `codes`; the
        engine says the rest.
    counts : str or mapping, optional
        The column that says how many cases each row stands for, or several, see :meth:`fairaudit.Table.from_pandas`.
    means : str, mapping or sequence of them, optional
        Columns that hold means of the people of a row, see there.
    rounded_to, hidden : int and mapping of str to pair of int, optional
        How counts are rounded, and what texts in their place may stand for, see there, too.
    labels : mapping of str to mapping, optional
        By column, what its codes stand for: ``{"sex": {1: "man", 2: "woman"}}``. The column becomes text.
    numbers, codes : iterable of str, optional
        Columns of few whole numbers of which more is more; and those whose numbers are codes, which become text.

    Returns
    -------
    ConnectedTable
        A :class:`fairaudit.Table` whose questions the engine answers, read-only.

    Raises
    ------
    InputError
        If not exactly one of `table` and `query` is given, or the address is of a kind that is not known.
    ConnectError
        If the engine cannot be reached or refuses, the table is not there, or the query is not one plain SELECT.

    Notes
    -----
    The embedded database is asked the same way, so the answers are the same; see
    :mod:`fairaudit.conditions.engines` for what each engine needs to that end. No message holds a password.
    """
    options = options or ReadOptions()
    if labels is not None:
        options = replace(options, labels=labels_of(labels))
    if any(each is not None for each in (counts, means, rounded_to, hidden)):
        options = replace(
            options,
            counts=options.counts if counts is None else as_counts(counts),
            means=options.means if means is None else as_means(means),
            rounded_to=options.rounded_to if rounded_to is None else rounded_to,
            hidden=options.hidden if hidden is None else hidden_cells(hidden),
        )
    options = replace(options, numbers=(*options.numbers, *numbers), codes=(*options.codes, *codes))
    opened = open_table(url, table=table, query=query, name=name, timeout=timeout, options=options)
    return with_what_rows_are(opened, options)


def open_table(
    source: object,
    *,
    table: str | None,
    query: str | None,
    name: str | None = None,
    timeout: float | None = None,
    connection: str | None = None,
    met: Callable[[Door], None] | None = None,
    options: ReadOptions | None = None,
) -> ConnectedTable:
    """Open a table as :func:`connect_table` does, under the name of a connection."""
    if (table is None) == (query is None):
        raise InputError("Give exactly one of 'table' and 'query'.", hint="Name a table, or write one SELECT.")
    seconds = _seconds(timeout)
    door = open_door(source, timeout=seconds)
    said = options or ReadOptions()
    options = ReadOptions(rules=said.rules, **{each: getattr(said, each) for each in SAID_OF_VALUES})
    door.rules = options.rules
    if met is not None:
        met(door)
    origin = _origin(door, table, query)
    found = door.describe(f"{origin} AS t")
    writer = said_writer(SqlWriter(door.dialect, f"{origin} AS t", found.read), found.columns, said)
    [[n_rows]] = door.ask(f"SELECT count(*) FROM {writer.source([])}")
    if not n_rows:
        raise ConnectError(
            f"The {'table' if query is None else 'query'} has no rows.", hint="Choose one with at least one row."
        )
    answers = EngineAnswers(door, writer, int(n_rows))
    facts = ConnectionFacts(door.title, connection, table, query)
    called = name or (split_name(table)[-1] if table is not None else "query")
    opened = ConnectedTable(
        answers,
        facts,
        columns=found.columns,
        n_rows=int(n_rows),
        name=called,
        notes=(*found.notes, *notes_of(options)),
        options=options,
    )
    opened = opened.with_numbers(said.numbers) if said.numbers else opened
    opened = opened.with_codes(said.codes) if said.codes else opened
    opened = opened.with_labels(said.labels) if said.labels else opened
    return opened.with_derived(said.derived) if said.derived else opened


def open_door(source: str | URL | SparkSession, *, timeout: float = DEFAULT_TIMEOUT) -> Door:
    """Return the way to the engine that an address names; nothing is asked yet."""
    if _is_session(source):
        from fairaudit.data.engines.spark import SparkDoor

        return SparkDoor(source, timeout)
    url = _url(source)
    match url.get_backend_name():
        case "postgresql" | "postgres":
            from fairaudit.data.engines.postgres import PostgresDoor

            return PostgresDoor(url, timeout)
        case "sqlite":
            from fairaudit.data.engines.sqlite import SqliteDoor

            return SqliteDoor(url.database or "", timeout)
        case "duckdb":
            from fairaudit.data.engines.duckdb_file import DuckdbDoor

            return DuckdbDoor(url.database or "", timeout)
    raise InputError(
        f"The address must start with one of {', '.join(f'{engine}:' for engine in ENGINES)}.",
        hint="Other engines are not known well enough to give the same answers.",
    )


def _is_session(source: object) -> TypeGuard[SparkSession]:
    return hasattr(source, "sparkContext") or hasattr(source, "sql")


def _url(source: object) -> URL:
    from sqlalchemy import URL, make_url
    from sqlalchemy.exc import ArgumentError

    if isinstance(source, URL):
        return source
    if not isinstance(source, str):
        raise InputError(
            f"'source' must be the address of a database or a Spark session, got {type(source).__name__}.",
            hint="Write for example postgresql://host/database.",
        )
    found = None
    with suppress(ArgumentError, ValueError):
        found = make_url(source)
    if found is None:
        # The text is not shown: it may hold a password.
        raise InputError(
            "The address of the database cannot be read.", hint="Write for example postgresql://host/database."
        )
    return found


def _origin(door: Door, table: str | None, query: str | None) -> str:
    if table is None:
        return f"({checked_query(query or '', door.dialect)})"
    parts = split_name(table)
    if is_system_table(parts, door.dialect):
        raise ConnectError(f"In {quote(table)}, the database describes itself.", hint="Choose a table of decisions.")
    return ".".join(map(SqlWriter(door.dialect).quoted, parts))


def _seconds(timeout: float | None) -> float:
    if timeout is None:
        return DEFAULT_TIMEOUT
    if not isinstance(timeout, (int, float)) or isinstance(timeout, bool) or not 0 < timeout <= 86_400:
        raise InputError(f"'timeout' must be a number of seconds above 0 and at most 86,400, got {timeout!r}.")
    return float(timeout)
