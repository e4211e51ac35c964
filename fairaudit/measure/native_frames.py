"""Frames of other libraries, such as polars or pyarrow, as frames of pandas: with the names of their columns."""

from __future__ import annotations

from typing import Any

import pandas as pd


def as_pandas(values: Any) -> Any:
    """Return a frame or series that narwhals reads as one of pandas; anything else as it is.

    Examples
    --------
    >>> import pyarrow as pa
    >>> as_pandas(pa.table({"age": [20, 31]})).columns.tolist(), as_pandas([1, 2])
    (['age'], [1, 2])
    """
    if isinstance(values, pd.DataFrame | pd.Series):
        return values
    import narwhals as nw

    read = nw.from_native(values, pass_through=True, allow_series=True)
    if isinstance(read, nw.LazyFrame):
        read = read.collect()
    return read.to_pandas() if isinstance(read, nw.DataFrame | nw.Series) else values


def has_column_names(values: Any) -> bool:
    """Say whether a table is a frame, whose columns have names."""
    if isinstance(values, pd.DataFrame):
        return True
    import narwhals as nw

    return isinstance(nw.from_native(values, pass_through=True), nw.DataFrame | nw.LazyFrame)
