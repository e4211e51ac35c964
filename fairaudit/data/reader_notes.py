"""Sentences that all readers share."""

from __future__ import annotations

from fairaudit.errors import DataError


def no_rows(n_columns: int) -> DataError:
    """Return the error for a table without rows."""
    columns = "1 column name" if n_columns == 1 else f"{n_columns:,} column names"
    return DataError(
        f"The file has {columns} but no rows.",
        hint="Choose a file with at least one row, or say that the first line is data.",
    )


def one_column(n_columns: int) -> tuple[str, ...]:
    """Return a note where a table has a single column."""
    if n_columns > 1:
        return ()
    return ("There is only one column. If its cells look like several, choose another delimiter.",)
