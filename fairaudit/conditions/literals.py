"""Numbers and dates, read from text and written back."""

from __future__ import annotations

import datetime
import math
import re
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd

from fairaudit.errors import InputError

# What a condition may hold: its words, its functions and its bounds.

MAX_LENGTH = 50_000
MAX_DEPTH = 20
MAX_ITEMS = 1_000
MAX_ARITHMETIC = 50

FUNCTIONS = ("lower", "upper", "trim", "length", "abs", "round", "coalesce", "extract")
EXTRACT_PARTS = ("year", "month", "day")

KEYWORDS = frozenset(
    ["and", "or", "not", "in", "between", "like", "ilike", "is", "null", "true", "false", "date", "timestamp", "from"]
)

RESERVED = frozenset(
    [
        *("select", "from", "where", "union", "with", "exists", "distinct", "any", "all", "over", "case", "when"),
        *("cast", "try_cast", "interval", "array", "struct", "glob", "similar", "escape", "collate"),
        *("insert", "update", "delete", "drop", "create", "set", "copy", "attach", "pragma"),
    ]
)

EXAMPLE = "Write for example: race <> 'White' AND age >= 25."


_DATE = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
_TIMESTAMP = re.compile(r"(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2}(:\d{2}(\.\d{1,6})?)?)", re.ASCII)
_WHOLE = re.compile(r"\d+", re.ASCII)
_LARGEST = 2**63 - 1


def read_number(text: str) -> int | float | None:
    """Read a number without a sign, None when it is none or too large."""
    if _WHOLE.fullmatch(text) and len(text) <= 19 and int(text) <= _LARGEST:
        return int(text)
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def read_date(text: str) -> datetime.date | None:
    """Read a date such as ``2014-01-31``, None when it is none."""
    if not _DATE.fullmatch(text.strip()):
        return None
    try:
        return datetime.date.fromisoformat(text.strip())
    except ValueError:
        return None


def read_timestamp(text: str) -> datetime.datetime | None:
    """Read a time stamp such as ``2014-01-31 10:30:00``, or a date as its midnight; None when it is neither."""
    day = read_date(text)
    if day is not None:
        return datetime.datetime(day.year, day.month, day.day)
    match = _TIMESTAMP.fullmatch(text.strip())
    try:
        return datetime.datetime.fromisoformat(f"{match[1]}T{match[2]}") if match else None
    except ValueError:
        return None


def write_timestamp(value: datetime.datetime) -> str:
    """Write a time stamp so that it reads back the same."""
    return value.isoformat(sep=" ")


def plain_value(value: Any) -> bool | int | float | str | datetime.date | None:
    """Return a cell of a table as a plain value, None when it is missing."""
    if value is None or value is pd.NA or value is pd.NaT or value != value:
        return None
    if isinstance(value, np.generic):
        value = pd.Timestamp(value) if isinstance(value, np.datetime64) else value.item()
    if isinstance(value, Decimal):
        value = int(value) if value == value.to_integral_value() else float(value)
    if isinstance(value, pd.Timestamp):
        value = value.tz_convert("UTC").tz_localize(None) if value.tzinfo else value
        value = value.to_pydatetime(warn=False)
    if not isinstance(value, (bool, int, float, str, datetime.date)) or value in (math.inf, -math.inf):
        raise InputError(f"A value must be a finite number, text, truth value or date, got {type(value).__name__}.")
    return value
