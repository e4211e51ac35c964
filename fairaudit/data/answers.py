"""Questions to a table's own database, from any thread."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence

import duckdb
import pandas as pd

from fairaudit.data.columns import Column, Kind
from fairaudit.data.engine import RELATION, asking
from fairaudit.data.fingerprint import fingerprint
from fairaudit.data.frames import to_frame


class Answers:
    """A database with the relation ``data``; each question gets a cursor of its own.

    Parameters
    ----------
    connection : duckdb.DuckDBPyConnection
        Held as long as this object.
    """

    def __init__(self, connection: duckdb.DuckDBPyConnection):
        self._connection = connection
        self._lock = threading.Lock()

    def frame(self, query: str, names: Sequence[str], kinds: Sequence[Kind]) -> pd.DataFrame:
        """Answer a query as a DataFrame.

        Parameters
        ----------
        query : str
            SQL built from quoted names, literals and checked conditions.
        names : sequence of str
            What to call the columns.
        kinds : sequence of str
            What they hold.

        Returns
        -------
        pandas.DataFrame
            See :func:`fairaudit.data.frames.to_frame`.
        """
        with asking(), self._cursor() as cursor:
            answer = cursor.sql(query).to_arrow_table()
        return to_frame(answer, names, kinds)

    def row(self, expressions: Sequence[str]) -> tuple[object, ...]:
        """Answer aggregate expressions over all rows.

        Parameters
        ----------
        expressions : sequence of str
            SQL built from quoted names and literals.

        Returns
        -------
        tuple
            One value for each.
        """
        with asking(), self._cursor() as cursor:
            return cursor.execute(f"SELECT {', '.join(expressions)} FROM {RELATION}").fetchall()[0]

    def fingerprint(self, columns: Iterable[Column]) -> str:
        """Compute the fingerprint of the rows.

        Parameters
        ----------
        columns : iterable of Column
            The columns in order.

        Returns
        -------
        str
            64 hexadecimal digits.
        """
        with asking(), self._cursor() as cursor:
            return fingerprint(cursor, columns)

    def _cursor(self) -> duckdb.DuckDBPyConnection:
        with self._lock:
            return self._connection.cursor()
