"""Random literals for the columns of random tables."""

from __future__ import annotations

import pandas as pd
from hypothesis import strategies as st
from strategies import DAY, KINDS, MOMENT, REAL, TEXT, WHOLE

from fairaudit.conditions.tree import plain_value
from fairaudit.estimators.rules.literals import Literal

ORDERED = ("at_most", "above", "below", "at_least")
WITH_VALUE = ("equals", "not_equals", *ORDERED)
_VALUES = {
    "number": st.one_of(WHOLE, REAL.filter(lambda value: abs(value) < float("inf"))),
    "text": TEXT,
    "boolean": st.booleans(),
    "date": DAY,
    "timestamp": MOMENT,
}


@st.composite
def literals(draw: st.DrawFn, frame: pd.DataFrame, columns: tuple[str, ...] = tuple(KINDS)) -> Literal:
    """A literal on a column of `KINDS`, mostly with a value that is in the frame."""
    column = draw(st.sampled_from(columns))
    kind = KINDS[column]
    cells = [value for value in frame[column].dropna() if value not in (float("inf"), float("-inf"))]
    value = _VALUES[kind]
    if cells:
        value = st.one_of(st.sampled_from([plain_value(cell) for cell in cells]), value)
    asks = draw(
        st.sampled_from(
            ["missing", "not_missing", "among", "not_among", *(WITH_VALUE if kind != "boolean" else WITH_VALUE[:2])]
        )
    )
    if asks in ("missing", "not_missing"):
        return Literal(column, asks)
    if asks in ("among", "not_among"):
        return Literal(column, asks, tuple(draw(st.lists(value, min_size=1, max_size=3))))
    return Literal(column, asks, draw(value))
