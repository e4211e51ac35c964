"""DataFrames to a database, and answers of a database to DataFrames, each kind always with the same dtype."""

from __future__ import annotations

from collections.abc import Sequence

import duckdb
import numpy as np
import pandas as pd
import pyarrow as pa

from fairaudit.columns import DAY_KINDS, Column, Kind, Source
from fairaudit.data.engine import connect, reading
from fairaudit.data.limits import Limits
from fairaudit.data.load import load_typed
from fairaudit.data.names import clean_names
from fairaudit.errors import DataError, InputError, quote

# Types of Arrow that the database does not take, and what they become.


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


def load_frame(
    frame: object,
) -> tuple[duckdb.DuckDBPyConnection, tuple[Column, ...], Source, tuple[str, ...], int]:
    """Copy a frame of any library that narwhals reads into a database of its own; the last is how many rows it has."""
    given, arrays = columns_of(frame)
    if not given:
        raise DataError("The frame has no columns.", hint="Give a frame with at least one column.")
    names, notes = clean_names(given, Limits())
    held = pa.table(arrays, names=[f"c{position}" for position in range(len(arrays))])
    connection = connect()
    with reading("The frame", "Use columns of numbers, texts, booleans or dates."):
        connection.register("frame_rows", held)
        columns, more = load_typed(connection, "frame_rows", names, in_place=False)
        connection.unregister("frame_rows")
    return connection, columns, Source("memory", size_bytes=held.nbytes), (*notes, *more), held.num_rows


def columns_of(frame: object) -> tuple[list[str], list[pa.Array | pa.ChunkedArray]]:
    """Return the names and columns of a frame of pandas, polars, Arrow, DuckDB or another that narwhals reads.

    Examples
    --------
    >>> names, columns = columns_of(pa.table({"age": [20, 31]}))
    >>> names, len(columns[0])
    (['age'], 2)
    """
    if isinstance(frame, pd.DataFrame):
        names = [str(column) for column in frame.columns]
        return names, [to_arrow(frame.iloc[:, position]) for position in range(frame.shape[1])]
    import narwhals as nw

    read = nw.from_native(frame, pass_through=True)
    if isinstance(read, nw.LazyFrame):
        read = read.collect(backend="pyarrow")
    if not isinstance(read, nw.DataFrame):
        raise InputError(
            f"'data' must be a Table, the path of a file or a frame, got {type(frame).__name__}.",
            hint="Frames are those of pandas, polars, Arrow, DuckDB and others that narwhals reads.",
        )
    held = read.to_arrow()
    return held.column_names, [arrow_column(column) for column in held.columns]


def arrow_column(column: pa.ChunkedArray) -> pa.Array | pa.ChunkedArray:
    """Return a column in a type that the database takes; what it has no type for becomes text."""
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    texts = (pa.types.is_duration, pa.types.is_time, pa.types.is_interval, pa.types.is_nested)
    if isinstance(column.type, pa.ExtensionType) or any(is_kind(column.type) for is_kind in texts):
        return pa.array([None if value is None else str(value) for value in column.to_pylist()])
    return bridged(column)


def to_frame(answer: pa.Table, names: Sequence[str], kinds: Sequence[Kind]) -> pd.DataFrame:
    """Turn an answer into a DataFrame."""
    if not names:
        return pd.DataFrame(index=pd.RangeIndex(answer.num_rows))
    columns = [_series(column, kind, name) for column, kind, name in zip(answer.columns, kinds, names, strict=True)]
    frame = pd.DataFrame(dict(enumerate(columns)), index=pd.RangeIndex(answer.num_rows))
    frame.columns = list(names)
    return frame


def _series(column: pa.ChunkedArray, kind: Kind, name: str) -> pd.Series:
    if kind == "text":
        return pd.Series(pd.array(column.to_pandas(), dtype="str"))
    if kind == "boolean":
        return pd.Series(_masked(column, pa.bool_(), "boolean"))
    if kind in DAY_KINDS:
        try:
            return column.cast(pa.timestamp("us")).to_pandas().astype("datetime64[us]")
        except pa.ArrowInvalid:
            raise DataError(
                f"Column {quote(name)} holds a date that is further away than 290,000 years.",
                hint="Correct or remove such dates, or leave the column out.",
            ) from None
    if pa.types.is_integer(column.type):
        if column.null_count:
            return pd.Series(_masked(column, pa.int64(), "Int64"))
        return pd.Series(column.cast(pa.int64()).to_numpy())
    return pd.Series(column.cast(pa.float64()).to_numpy().astype(np.float64))


def _masked(column: pa.ChunkedArray, target: pa.DataType, dtype: str) -> pd.api.extensions.ExtensionArray:
    known = column.cast(target)
    missing = known.is_null().to_numpy()
    filled = known.fill_null(pa.scalar(0).cast(target)).to_numpy()
    array_type = pd.arrays.BooleanArray if dtype == "boolean" else pd.arrays.IntegerArray
    return array_type(np.array(filled), np.array(missing))


def to_arrow(series: pd.Series) -> pa.Array | pa.ChunkedArray:
    """Return a column in a type that the database takes; what it has no type for becomes text."""
    if isinstance(series.dtype, pd.CategoricalDtype):
        series = series.astype("object")
    try:
        array = pa.Array.from_pandas(series)
    except (pa.ArrowException, TypeError, ValueError, OverflowError):
        return _texts(series)
    kinds = (pa.types.is_duration, pa.types.is_time, pa.types.is_interval)
    plain = not isinstance(array, pa.ExtensionArray) and not any(is_kind(array.type) for is_kind in kinds)
    return bridged(array) if plain else _texts(series)


def _texts(series: pd.Series) -> pa.Array:
    return pa.array([None if missing else str(value) for value, missing in zip(series, series.isna(), strict=True)])
