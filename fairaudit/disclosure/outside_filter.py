"""The rows outside the filter of a gap, for groups that are counted on all rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import pandas as pd

from fairaudit.conditions import Condition
from fairaudit.errors import FairauditError
from fairaudit.measure.grouping import MISSING
from fairaudit.measure.mean_results import ControlledMeans
from fairaudit.measure.results import ControlledFairness

Side = Literal["protected", "reference"]


def sides_of_groups(
    names: Sequence[str], columns: Sequence[str], compared: ControlledFairness | ControlledMeans
) -> dict[Side, list[str]] | None:
    """Return which groups make up the protected group, and which the rest; others are of no held-out row."""
    if not columns:
        sides: dict[Side, str] = {"protected": compared.protected.name, "reference": compared.reference.name}
        return {side: [name] for side, name in sides.items() if name in names}
    try:
        Condition.parse(compared.protected_condition, columns)
    except FairauditError:
        return {}
    rows = [[None if text == MISSING else text for text in name.split(", ")] for name in names]
    truth = _truth(compared.protected_condition, rows, columns)
    if truth is None:
        return None
    found: dict[Side, list[str]] = {"protected": [], "reference": []}
    for name, met in zip(names, truth, strict=True):
        if not pd.isna(met):
            found["protected" if met else "reference"].append(name)
    return found


def _truth(condition: str, rows: list[list[str | None]], columns: Sequence[str]) -> pd.Series | None:
    """Return who meets a condition, with the values as texts or, where that does not fit, as numbers."""
    if any(len(row) != len(columns) for row in rows):
        return None
    frame = pd.DataFrame(rows, columns=list(columns))
    for values in (frame, frame.apply(pd.to_numeric, errors="coerce").where(frame.notna())):
        if values.notna().equals(frame.notna()):
            try:
                return Condition.parse(condition, values).truth(values)
            except FairauditError:
                continue
    return None
