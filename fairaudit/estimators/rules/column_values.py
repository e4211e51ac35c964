"""The values of one column as rules compare them: just as conditions do."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from fairaudit.columns import Kind
from fairaudit.conditions.evaluation import Data, column_data
from fairaudit.conditions.names import frame_kind
from fairaudit.errors import InputError, quote


def read_column(frame: pd.DataFrame, column: str) -> tuple[Data, Kind | None]:
    """Return the values of a column and what they are."""
    series = frame[column]
    if pd.api.types.is_complex_dtype(series.dtype):
        raise InputError(f"Column {quote(column)} holds complex numbers, which have no order.")
    kind = frame_kind(frame, column) if series.notna().any() else None
    data = column_data(series, kind)
    if kind == "number" and data.values.dtype.kind == "f" and np.isinf(data.values[data.known]).any():
        raise InputError(f"Column {quote(column)} has an infinite number.", hint="Replace or remove it.")
    if kind == "text":
        held = pd.api.types.infer_dtype(data.values[data.known], skipna=False)
        if held != "string":
            raise InputError(
                f"Column {quote(column)} holds values of the kind {held!r}, which rules cannot compare.",
                hint="Turn them into texts or numbers.",
            )
    return data, kind


def comparable(values: NDArray[Any], points: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return values and points as one type, as conditions compare them."""
    kinds = {values.dtype.kind, points.dtype.kind}
    if kinds <= set("iuf") and "f" in kinds:
        return values.astype(np.float64), points.astype(np.float64)
    if values.dtype.kind == "u":
        return np.minimum(values, np.iinfo(np.int64).max).astype(np.int64), points
    return values, points
