"""Who answers a table's questions: its own database, or the engine that it stays in. From any thread."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Protocol, Self

import duckdb
import pandas as pd
import pyarrow as pa

from fairaudit.columns import Column, Kind
from fairaudit.data.engine import RELATION, asking, quoted, unused_name
from fairaudit.data.fingerprint import FileStamp, fingerprint
from fairaudit.data.frames import to_frame
from fairaudit.data.writing import ReadColumn, SqlWriter


class Answering(Protocol):
    """What a table needs of the engine that holds its rows.

    Attributes
    ----------
    writer : SqlWriter
        How questions are written for it.
    """

    writer: SqlWriter

    def frame(self, query: str, names: Sequence[str], kinds: Sequence[Kind]) -> pd.DataFrame:
        """Answer a query as a DataFrame, see :meth:`Answers.frame`."""

    def row(self, expressions: Sequence[str]) -> tuple[Any, ...]:
        """Answer aggregate expressions over all rows, see :meth:`Answers.row`; their SQL gives the types."""

    def fingerprint(self, columns: Iterable[Column]) -> str:
        """Compute the fingerprint of the rows, 64 hexadecimal digits; of counted ones, as they were brought."""

    def with_writer(self, writer: SqlWriter) -> Self:
        """Return answers over the same rows to questions that are written in another way."""


class Answers:
    """A database with the relation ``data``; each question gets a cursor of its own.

    Parameters
    ----------
    connection : duckdb.DuckDBPyConnection
        Held as long as this object.
    stamp : FileStamp, optional
        Of the file that is read in place; no answer is given once it has changed.
    writer : SqlWriter, optional
        How questions are written.
    """

    def __init__(
        self, connection: duckdb.DuckDBPyConnection, stamp: FileStamp | None = None, writer: SqlWriter | None = None
    ):
        self.writer = writer or SqlWriter()
        self._connection = connection
        self._stamp = stamp
        self._lock = threading.Lock()

    def with_writer(self, writer: SqlWriter) -> Answers:
        """Return answers over the same rows to questions that are written in another way."""
        answers = Answers(self._connection, self._stamp, writer)
        answers._lock = self._lock
        return answers

    def keep_first_of_equal(self, names: Sequence[str]) -> int:
        """Keep the first of rows that are equal in all columns, in their order, and return how many rows there are."""
        return self._keep_first(names, names)

    def keep_first_of_each(self, column: str, names: Sequence[str]) -> int:
        """Keep the first row of each value of a column, and all without one, and return how many rows there are."""
        return self._keep_first(names, [column], more=f" OR {quoted(column)} IS NULL")

    def _keep_first(self, names: Sequence[str], same: Sequence[str], more: str = "") -> int:
        place = unused_name("place", names)
        columns = ", ".join(map(quoted, names))
        placed = f"SELECT *, row_number() OVER () AS {place} FROM {RELATION}"
        alike = ", ".join(map(quoted, same))
        first = f"QUALIFY row_number() OVER (PARTITION BY {alike} ORDER BY {place}) = 1{more}"
        with self._lock, asking():
            self._connection.execute(f"CREATE TABLE kept AS SELECT {columns} FROM ({placed}) {first} ORDER BY {place}")
            self._connection.execute(f"DROP TABLE {RELATION}")
            self._connection.execute(f"ALTER TABLE kept RENAME TO {RELATION}")
            (n_rows,) = self._connection.execute(f"SELECT count(*) FROM {RELATION}").fetchall()[0]
        return int(n_rows)

    def reread(self, columns: Sequence[ReadColumn], kept: str | None) -> int:
        """Read columns in another way and keep the rows that meet a condition; return how many rows there are."""
        select = ", ".join(f"{each.sql} AS {quoted(each.name)}" for each in columns)
        where = f" WHERE {kept}" if kept else ""
        with self._lock, asking():
            views = self._connection.execute("SELECT view_name FROM duckdb_views() WHERE NOT internal").fetchall()
            # Rows that stay in a file are read anew for each question.
            what = "VIEW" if (RELATION,) in views else "TABLE"
            before = unused_name("as_it_was", [name for (name,) in views])
            self._connection.execute(f"ALTER {what} {RELATION} RENAME TO {before}")
            self._connection.execute(f"CREATE {what} {RELATION} AS SELECT {select} FROM {before}{where}")
            if what == "TABLE":
                self._connection.execute(f"DROP TABLE {before}")
            (n_rows,) = self._connection.execute(f"SELECT count(*) FROM {RELATION}").fetchall()[0]
        return int(n_rows)

    def respell(self, name: str, spellings: str) -> None:
        """Write a column of texts in another way: a query gives each ``spelling``, and what it becomes, ``read_as``."""
        change = f"SET {quoted(name)} = other.read_as FROM ({spellings}) AS other"
        with self._lock, asking():
            self._connection.execute(f"UPDATE {RELATION} {change} WHERE {RELATION}.{quoted(name)} = other.spelling")

    def frame(self, query: str, names: Sequence[str], kinds: Sequence[Kind]) -> pd.DataFrame:
        """Answer a query as a DataFrame."""
        with self._unchanged(), asking(), self._cursor() as cursor:
            answer = cursor.sql(query).to_arrow_table()
        return to_frame(answer, names, kinds)

    def row(self, expressions: Sequence[str]) -> tuple[Any, ...]:
        """Answer aggregate expressions over all rows."""
        with self._unchanged(), asking(), self._cursor() as cursor:
            return cursor.execute(f"SELECT {', '.join(expressions)} FROM {self.writer.relation}").fetchall()[0]

    def fingerprint(self, columns: Iterable[Column]) -> str:
        """Compute the fingerprint of the rows."""
        with self._unchanged(), asking(), self._cursor() as cursor:
            return fingerprint(cursor, columns)

    @property
    def n_bytes(self) -> int:
        """The memory that the rows take."""
        with self._cursor() as cursor:
            return int(cursor.execute("SELECT sum(memory_usage_bytes) FROM duckdb_memory()").fetchall()[0][0])

    @contextmanager
    def batches(self) -> Iterator[pa.RecordBatchReader]:
        """Hand all rows out, a batch at a time."""
        with self._unchanged(), asking(), self._cursor() as cursor:
            yield cursor.sql(f"SELECT * FROM {self.writer.relation}").to_arrow_reader()

    @contextmanager
    def _unchanged(self) -> Iterator[None]:
        # Before, as the file may be another one by now, and after, as it may have become one while it was read.
        if self._stamp is not None:
            self._stamp.check()
        yield
        if self._stamp is not None:
            self._stamp.check()

    def _cursor(self) -> duckdb.DuckDBPyConnection:
        with self._lock:
            return self._connection.cursor()
