"""Types of Arrow that the database does not take, and what they become."""

from __future__ import annotations

import pyarrow as pa


def bridged_type(kind: pa.DataType) -> pa.DataType:
    """Return the type that a column is handed to the database in.

    Examples
    --------
    >>> bridged_type(pa.float16())
    DataType(float)
    """
    if pa.types.is_float16(kind):
        return pa.float32()
    if pa.types.is_decimal256(kind):
        return pa.float64()
    return kind


def bridged(column: pa.Array | pa.ChunkedArray) -> pa.Array | pa.ChunkedArray:
    """Return a column in the type that the database takes."""
    wanted = bridged_type(column.type)
    return column if wanted == column.type else column.cast(wanted)
