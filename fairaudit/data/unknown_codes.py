"""Values that often stand for "unknown": question marks, 999, -1, "decline to state" and their like."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fairaudit.data.engine import literal, quoted
from fairaudit.data.table import Table
from fairaudit.data.unknown_words import unknown_meaning, unknown_words_sql

HIGH_CODES = (99, 777, 888, 999, 7_777, 8_888, 9_999, 88_888, 99_999, 999_999, 9_999_999)
LOW_CODES = (-1, -9, -99, -999, -9_999)

_WIDE = 25
FAR = 2
"""How many times a high code must be above nearly all other values."""


@dataclass(frozen=True)
class OddCode:
    """A value that often stands for "unknown".

    Parameters
    ----------
    text : str
        The value, as it would be written in a file.
    n : int
        Rows that have it.
    """

    text: str
    n: int


def number_codes(table: Table, columns: Sequence[str]) -> dict[str, tuple[OddCode, ...]]:
    """Find codes in columns of numbers: 99, 999 ... far above the rest, or -1, -9 ... where all else is positive."""
    every = ", ".join(str(code) for code in (*HIGH_CODES, *LOW_CODES))
    found: dict[str, tuple[OddCode, ...]] = {}
    for start in range(0, len(columns), _WIDE):
        chunk = columns[start : start + _WIDE]
        parts = []
        for column in chunk:
            name = quoted(column)
            parts += [
                f"min({name}) FILTER ({name} NOT IN ({every}))",
                f"approx_quantile({name}::DOUBLE, 0.99) FILTER ({name} NOT IN ({every}))",
                f"histogram(try_cast({name} AS BIGINT)) FILTER ({name} IN ({every}))",
            ]
        values = iter(table.aggregate(parts))
        for column in chunk:
            least, high, counts = next(values), next(values), next(values)
            if least is None or not counts:
                continue
            codes = [code for code in HIGH_CODES if code in counts and code >= FAR * max(high, 1)]
            codes += [code for code in LOW_CODES if code in counts and least >= 0]
            if codes:
                found[column] = tuple(OddCode(str(code), counts[code]) for code in codes)
    return found


def text_codes(table: Table, columns: Sequence[str]) -> dict[str, tuple[OddCode, ...]]:
    """Find codes and words in text columns: ``?``, ``unknown``, ``Decline to state``, ``pending`` and their like."""
    found: dict[str, tuple[OddCode, ...]] = {}
    for start in range(0, len(columns), _WIDE):
        chunk = columns[start : start + _WIDE]
        names = [quoted(column) for column in chunk]
        parts = [f"histogram({name}) FILTER ({unknown_words_sql(name, literal)})" for name in names]
        for column, counts in zip(chunk, table.aggregate(parts), strict=True):
            if odd := tuple(OddCode(text, n) for text, n in sorted((counts or {}).items()) if unknown_meaning(text)):
                found[column] = odd
    return found
