"""Dates of PostgreSQL that Python has none for: without end, before the first year, beyond four digits."""

from __future__ import annotations

import datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import psycopg
    from psycopg.abc import Buffer

_FIRST, _LAST = datetime.datetime(1, 1, 1), datetime.datetime(9999, 12, 31)


def take_any_date(connection: psycopg.Connection) -> None:
    """Let a connection give the first or last day that Python knows for what lies beyond.

    The server compares and counts with the dates themselves.
    """
    from psycopg import DataError
    from psycopg.types.datetime import DateLoader, TimestampLoader

    class AnyDate(DateLoader):
        def load(self, data: Buffer) -> datetime.date:
            try:
                return super().load(data)
            except DataError:
                return _end(bytes(data)).date()

    class AnyTimestamp(TimestampLoader):
        def load(self, data: Buffer) -> datetime.datetime:
            try:
                return super().load(data)
            except DataError:
                return _end(bytes(data))

    connection.adapters.register_loader("date", AnyDate)
    connection.adapters.register_loader("timestamp", AnyTimestamp)


def _end(text: bytes) -> datetime.datetime:
    return _FIRST if text.startswith(b"-") or text.endswith(b"BC") else _LAST
