"""A condition on a pandas DataFrame, with the same answers as DuckDB gives.

Each value is a pair of arrays, the data and whether they are known; each condition a pair "true" and "known".
Numbers of whole type are compared exactly, all other numbers and all arithmetic are double precision.
"""

from __future__ import annotations

import operator
import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from functools import cache, reduce

import numpy as np
import pandas as pd

from fairaudit.columns import Kind
from fairaudit.conditions import tree
from fairaudit.errors import InputError, quote

# Text functions as DuckDB has them: letter by letter, blanks only, patterns without an escape sign.

BLANKS = "".join(chr(i) for i in range(0x10000) if unicodedata.category(chr(i)) == "Zs")
# Letters for private use, the last ones there are: no text that is exchanged holds them.
_MARKS = 0x10F000


def to_lower(text: str) -> str:
    """Turn each letter that has one into its single small letter.

    Examples
    --------
    >>> to_lower("ÉCOLE")
    'école'
    """
    return text.lower() if text.isascii() else "".join(map(_lower, text))


def to_upper(text: str) -> str:
    """Turn each letter that has one into its single capital letter.

    Examples
    --------
    >>> to_upper("straße")
    'STRAẞE'
    """
    return text.upper() if text.isascii() else "".join(map(_upper, text))


def trim(text: str) -> str:
    """Remove blanks, but no tabs or line ends, from both ends."""
    return text.strip(BLANKS)


@cache
def capital_exceptions(name: str) -> tuple[str, str, str]:
    """Return the letters that the full rules of Unicode change otherwise than :func:`to_lower` or :func:`to_upper`.

    Examples
    --------
    >>> capital_exceptions("lower")
    ('İΣ', 'iσ', 'iσ')
    """
    if name == "lower":
        # At the end of a word, the full rules make another small sigma.
        return "İΣ", "iσ", "iσ"
    letters = [c for c in map(chr, range(0x30000)) if len(c.upper()) > 1]
    marks = "".join(chr(_MARKS + place) for place in range(len(letters)))
    return "".join(letters), marks, "".join(map(to_upper, letters))


def like_matcher(pattern: str, *, ignore_case: bool = False) -> Callable[[str], bool]:
    """Return the test for a LIKE pattern; its time grows with the text times the pattern, whatever the pattern.

    Examples
    --------
    >>> like_matcher("A%c_")("Abcd")
    True
    """
    pieces = (to_lower(pattern) if ignore_case else pattern).split("%")
    parts = [re.compile("".join("." if c == "_" else re.escape(c) for c in piece), re.DOTALL) for piece in pieces]

    def matches(text: str) -> bool:
        text = to_lower(text) if ignore_case else text
        if len(parts) == 1:
            return parts[0].fullmatch(text) is not None
        start = parts[0].match(text)
        if start is None:
            return False
        at = start.end()
        for part in parts[1:-1]:
            found = part.search(text, at)
            if found is None:
                return False
            at = found.end()
        tail = len(text) - len(pieces[-1])
        return tail >= at and parts[-1].fullmatch(text, tail) is not None

    return matches


@cache
def _lower(letter: str) -> str:
    made = letter.lower()
    return "i" if letter == "İ" else made if len(made) == 1 else letter


@cache
def _upper(letter: str) -> str:
    if letter == "ß":
        return "ẞ"
    return next((made for made in (letter.upper(), letter.title()) if len(made) == 1), letter)


_COMPARISONS = {
    "=": operator.eq,
    "<>": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_ARITHMETIC = {"+": np.add, "-": np.subtract, "*": np.multiply, "/": np.divide, "%": np.fmod}
_DTYPES = {"number": "float64", "boolean": "bool", "date": "datetime64[us]", "timestamp": "datetime64[us]"}
_TEXTS = {"lower": to_lower, "upper": to_upper, "trim": trim, "length": len}


@dataclass(frozen=True)
class Data:
    """Values and which of them are known; what stands at unknown places has no meaning."""

    values: np.ndarray
    known: np.ndarray


def evaluate(node: tree.Node, frame: pd.DataFrame) -> Data:
    """Return where a condition is true, and where it is known."""
    with np.errstate(all="ignore"):
        return _Rows(frame).condition(node)


class _Rows:
    def __init__(self, frame: pd.DataFrame):
        self.frame = frame
        self.n = len(frame)
        self.read: dict[tuple[str, Kind | None], Data] = {}

    def condition(self, node: tree.Node) -> Data:
        match node:
            case tree.And() | tree.Or():
                join = _both if isinstance(node, tree.And) else _either
                return reduce(join, map(self.condition, node.parts))
            case tree.Not():
                return _opposite(self.condition(node.part))
            case tree.Compare():
                return self.compare(node.operator, node.left, node.right)
            case tree.InList():
                found = self.in_list(node)
            case tree.Between():
                low = self.compare(">=", node.value, node.low)
                found = _both(low, self.compare("<=", node.value, node.high))
            case tree.Like():
                matches = like_matcher(node.pattern, ignore_case=node.ignore_case)
                value = self.value(node.value)
                found = Data(_each_text(value, matches, bool) & value.known, value.known)
            case tree.IsNull():
                return Data(self.value(node.value).known == node.negated, np.ones(self.n, dtype=bool))
            case tree.Truth():
                value = self.value(node.value)
                return Data(value.values.astype(bool) & value.known, value.known)
        return _opposite(found) if node.negated else found

    def compare(self, sign: str, left: tree.Value, right: tree.Value) -> Data:
        a, b = self.value(left), self.value(right)
        known = a.known & b.known
        true = np.zeros(self.n, dtype=bool)
        true[known] = _COMPARISONS[sign](*_unified(a.values[known], b.values[known])).astype(bool)
        return Data(true, known)

    def in_list(self, node: tree.InList) -> Data:
        value = self.value(node.value)
        true = np.zeros(self.n, dtype=bool)
        items = np.concatenate([_array(item.value, 1) for item in node.items])
        values, items = _unified(value.values[value.known], items)
        true[value.known] = pd.Series(values).isin(items.tolist() if items.dtype == object else items).to_numpy()
        return Data(true, value.known)

    def value(self, value: tree.Value) -> Data:
        match value:
            case tree.ColumnName():
                return self.column(value)
            case tree.Constant():
                return Data(_array(value.value, self.n), np.ones(self.n, dtype=bool))
            case tree.Negative():
                inner = self.value(value.value)
                return Data(-_doubles(inner), inner.known)
            case tree.Arithmetic():
                return self.arithmetic(value)
            case tree.Call():
                return self.call(value)

    def arithmetic(self, value: tree.Arithmetic) -> Data:
        left, right = self.value(value.left), self.value(value.right)
        divisor = _doubles(right)
        made = _ARITHMETIC[value.operator](_doubles(left), divisor)
        known = left.known & right.known & ~np.isnan(made)
        if value.operator in "/%":
            known &= divisor != 0
        return Data(made, known)

    def call(self, call: tree.Call) -> Data:
        first = self.value(call.arguments[0])
        match call.name:
            case "abs":
                return Data(np.abs(_doubles(first)), first.known)
            case "round":
                return Data(_rounded(_doubles(first), tree.decimals_of(call)), first.known)
            case "coalesce":
                return reduce(_first_known, map(self.value, call.arguments))
            case "year" | "month" | "day":
                return Data(_date_part(first, call.name), first.known)
            case _:
                kind = int if call.name == "length" else object
                return Data(_each_text(first, _TEXTS[call.name], kind), first.known)

    def column(self, column: tree.ColumnName) -> Data:
        key = (column.name, column.kind)
        if key not in self.read:
            self.read[key] = column_data(self.frame[column.name], column.kind)
        return self.read[key]


def column_data(series: pd.Series, kind: Kind | None) -> Data:
    """Return the values of a column as conditions compare them."""
    known = series.notna().to_numpy(dtype=bool)
    if not known.any():
        return Data(np.zeros(len(series), dtype=_DTYPES.get(kind or "", object)), known)
    if isinstance(series.dtype, pd.CategoricalDtype):
        each, codes = column_data(series.cat.categories.to_series(name=series.name), kind), series.cat.codes.to_numpy()
        return Data(each.values[codes], each.known[codes] & known)
    try:
        match kind:
            case "number":
                return _numbers(series, known)
            case "boolean":
                return Data(np.asarray(series.where(known, False), dtype=bool), known)
            case "date" | "timestamp":
                return Data(_dates(series), known)
            case _:
                return Data(series.to_numpy(dtype=object, na_value=""), known)
    except (TypeError, ValueError, OverflowError):
        raise InputError(f"The values of column {quote(series.name)} cannot be read as {kind}.") from None


def _numbers(series: pd.Series, known: np.ndarray) -> Data:
    whole = series.dtype if pd.api.types.is_integer_dtype(series.dtype) else None
    if whole is not None:
        unsigned = pd.api.types.is_unsigned_integer_dtype(whole)
        return Data(series.where(known, 0).to_numpy(dtype="uint64" if unsigned else "int64"), known)
    if series.dtype == object and pd.api.types.infer_dtype(series, skipna=True) == "integer":
        return Data(np.array(series.where(known, 0), dtype="int64"), known)
    values = series.to_numpy(dtype="float64", na_value=np.nan)
    return Data(values, known & ~np.isnan(values))


def _dates(series: pd.Series) -> np.ndarray:
    if isinstance(series.dtype, pd.DatetimeTZDtype):
        series = series.dt.tz_convert("UTC").dt.tz_localize(None)
    if not isinstance(series.dtype, np.dtype) or series.dtype == object:
        # Each different date is converted once; the code of a missing one, -1, takes the last.
        codes, dates = pd.factorize(series.to_numpy(dtype=object))
        return np.array([*dates, None], dtype="datetime64[us]")[codes]
    return series.to_numpy(dtype="datetime64[us]")


def _array(value: bool | int | float | str | date, n: int) -> np.ndarray:
    kinds: dict[str, type[object] | str] = {"text": object, "date": "datetime64[us]", "timestamp": "datetime64[us]"}
    return np.full(n, value, dtype=kinds.get(tree.literal_kind(value)))


def _unified(a: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    if "f" in (a.dtype.kind, b.dtype.kind) and "O" not in (a.dtype.kind, b.dtype.kind):
        return a.astype("float64"), b.astype("float64")
    return a, b


def _doubles(data: Data) -> np.ndarray:
    return data.values.astype("float64")


def _first_known(first: Data, second: Data) -> Data:
    if not (first.known.any() and second.known.any()):
        return first if first.known.any() else second
    a, b = _unified(first.values, second.values)
    return Data(np.where(first.known, a, b), first.known | second.known)


def _rounded(values: np.ndarray, decimals: int) -> np.ndarray:
    """Round halves away from zero, in the order of operations that DuckDB has."""
    scale = 10.0 ** abs(decimals)
    scaled = values * scale if decimals > 0 else values / scale
    whole = np.trunc(scaled)
    whole = np.where(np.abs(scaled - whole) >= 0.5, whole + np.sign(scaled), whole)
    made = whole / scale if decimals > 0 else whole * scale
    return np.where(np.isfinite(made), made, values)


def _date_part(data: Data, part: str) -> np.ndarray:
    days = np.where(data.known, data.values.astype("datetime64[us]"), np.datetime64(0, "us")).astype("datetime64[D]")
    months = days.astype("datetime64[M]")
    if part == "year":
        return days.astype("datetime64[Y]").astype("int64") + 1970
    if part == "month":
        return months.astype("int64") % 12 + 1
    return (days - months.astype("datetime64[D]")).astype("int64") + 1


def _each_text(data: Data, function, kind: type) -> np.ndarray:
    """Apply a function of one text, once for each different text."""
    codes, texts = pd.factorize(data.values[data.known])
    answers: np.ndarray = np.empty(len(texts), dtype=kind)
    for i, text in enumerate(texts):
        answers[i] = function(str(text))
    made: np.ndarray = np.zeros(len(data.known), dtype=kind)
    made[data.known] = answers[codes]
    return made


def _both(a: Data, b: Data) -> Data:
    true = a.values & b.values
    false = (a.known & ~a.values) | (b.known & ~b.values)
    return Data(true, true | false)


def _either(a: Data, b: Data) -> Data:
    true = a.values | b.values
    return Data(true, true | (a.known & b.known))


def _opposite(data: Data) -> Data:
    return Data(data.known & ~data.values, data.known)
