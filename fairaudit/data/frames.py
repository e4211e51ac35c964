"""Answers of the database as pandas columns, each kind always with the same dtype."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
import pyarrow as pa

from fairaudit.data.columns import Kind


def to_frame(answer: pa.Table, names: Sequence[str], kinds: Sequence[Kind]) -> pd.DataFrame:
    """Turn an answer into a DataFrame.

    Parameters
    ----------
    answer : pyarrow.Table
        As many columns as there are names.
    names : sequence of str
        The names to show.
    kinds : sequence of str
        The kind of each column.

    Returns
    -------
    pandas.DataFrame
        Text as ``str``; numbers as ``int64``, as ``Int64`` where whole numbers are missing, else ``float64``;
        booleans as ``boolean``; dates and timestamps as ``datetime64[us]``.
    """
    columns = [_series(column, kind) for column, kind in zip(answer.columns, kinds, strict=True)]
    frame = pd.DataFrame(dict(enumerate(columns)), index=pd.RangeIndex(answer.num_rows))
    frame.columns = pd.Index(list(names), dtype="object" if not names else None)
    return frame


def _series(column: pa.ChunkedArray, kind: Kind) -> pd.Series:
    if kind == "text":
        return pd.Series(pd.array(column.to_pandas(), dtype="str"))
    if kind == "boolean":
        return pd.Series(_masked(column, pa.bool_(), "boolean"))
    if kind in ("date", "timestamp"):
        return column.cast(pa.timestamp("us")).to_pandas().astype("datetime64[us]")
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
