"""Rows in the order in which people read their names: E9 before E13."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, TypeVar

from fairaudit.measure.grouping import is_missing
from fairaudit.measure.results import GroupRow, StratumRow

Row = TypeVar("Row", bound=GroupRow | StratumRow)


def in_natural_order(rows: Sequence[Row]) -> tuple[Row, ...]:
    """Return groups or strata that stand in the order of texts in that of the numbers in their names.

    Rows in another order, such as those of bands, keep it.
    """
    plain = [tuple((is_missing(value), "" if is_missing(value) else value) for _, value in row.values) for row in rows]
    try:
        if plain != sorted(plain):
            return tuple(rows)
    except TypeError:
        return tuple(rows)
    named = [tuple((missing, _natural(value)) for missing, value in key) for key in plain]
    return tuple(rows[i] for i in sorted(range(len(rows)), key=named.__getitem__))


def _natural(value: Any) -> Any:
    """Return what a value is sorted by: each number in a text by its size, whatever else by itself."""
    if not isinstance(value, str):
        return value
    parts = re.split("([0-9]+)", value)
    return [(len(part.lstrip("0")), part.lstrip("0")) if i % 2 else part for i, part in enumerate(parts)]
