"""The names and kinds of columns, wherever they come from."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import TypeGuard, get_args

import pandas as pd

from fairaudit.columns import Column, Kind
from fairaudit.errors import ConditionError, FairauditError, InputError, near_names, nearest, quote

# Amounts of money that stand in a table as texts, with a sign or a code such as € or EUR.

MARK = (
    "([A-Z]{0,3}[$£€¥₹₺₴₽]|EUR|[Ee]uros?|USD|GBP|CHF|SFr\\.?|Fr\\.|SEK|NOK|DKK|ISK|[Kk]r\\.?|PLN|zł|CZK|Kč|HUF|Ft|RON|lei|BGN"
    "|лв\\.?|TRY|UAH|JPY|CAD|AUD|NZD|INR)"
)
"""The pattern of a sign or a code of money."""
_SIGN = "[+\u2212-]?"
# Swiss and Dutch amounts may end in a stroke: 1'850.- and 1.850,-
_AMOUNT = "[0-9]([0-9.,'\u2019 \u00a0\u202f]*[0-9])?([.,][-\u2013\u2014])?"
_GAP = "[ \u00a0\u202f]?"
_END = "[\\s\u00a0\u202f]*"
MONEY = f"{_END}{_SIGN}({MARK}{_GAP}{_SIGN}{_AMOUNT}|{_AMOUNT}{_GAP}{MARK}){_END}"
"""The pattern of such an amount, as Python and the embedded database both read it."""

_MONEY = re.compile(MONEY)


def is_money(value: object) -> TypeGuard[str]:
    """Say whether a value is an amount with a sign or a code of money before or after it.

    Examples
    --------
    >>> [text for text in ("EUR 1.850,00", "€ 2,310", "1 850 kr", "1'850.- CHF", "1850", "Euro") if is_money(text)]
    ['EUR 1.850,00', '€ 2,310', '1 850 kr', "1'850.- CHF"]
    """
    return isinstance(value, str) and _MONEY.fullmatch(value) is not None


def are_money(values: Iterable[object]) -> bool:
    """Say whether more than half of the texts among some values, blank ones aside, are such amounts.

    Examples
    --------
    >>> are_money(["EUR 1.850,00", "€ 2,310", "?", " ", None]), are_money(["1850", "€ 5"]), are_money([])
    (True, False, False)
    """
    texts = [value for value in values if isinstance(value, str) and value.strip()]
    return 2 * sum(map(is_money, texts)) > len(texts)


# What a word processor makes of straight quotes.
CURLY_QUOTES = "\u2018\u2019\u201a\u201b\u201c\u201d\u201e\u201f"

_INFERRED: dict[str, Kind | None] = {
    "string": "text",
    "boolean": "boolean",
    "integer": "number",
    "floating": "number",
    "mixed-integer-float": "number",
    "decimal": "number",
    "date": "date",
    "datetime": "timestamp",
    "datetime64": "timestamp",
    "empty": None,
}


class ColumnNames:
    """The columns that a condition may name.

    Parameters
    ----------
    columns : Table, pandas.DataFrame, mapping or iterable of str
        A mapping holds a :class:`Column` or a kind for each name. The kinds of an iterable are unknown.

    Raises
    ------
    InputError
        If `columns` is none of these, or a kind is not known.
    """

    def __init__(self, columns: object):
        self._values: Callable[[str], Iterable[object]] | None = None
        self._labelled: dict[str, Column] = {}
        if isinstance(columns, pd.DataFrame):
            self._kinds: dict[str, Kind | pd.DataFrame | None] = {
                name: columns for name in columns.columns if isinstance(name, str)
            }
        else:
            inner = getattr(columns, "columns", columns)
            self._values = getattr(columns, "common_values", None)
            if isinstance(inner, Mapping):
                self._labelled = {
                    name: each for name, each in inner.items() if isinstance(each, Column) and each.labels
                }
                self._kinds = {name: _declared(kind) for name, kind in inner.items()}
            elif isinstance(inner, Iterable) and not isinstance(inner, (str, bytes)):
                self._kinds = {str(name): None for name in inner}
            else:
                raise InputError(
                    f"'columns' must be a table, a DataFrame or column names, got {type(columns).__name__}."
                )
        self._folded: dict[str, list[str]] = {}
        for name in self._kinds:
            self._folded.setdefault(name.casefold(), []).append(name)

    def __iter__(self):
        return iter(self._kinds)

    def find(self, name: str) -> str | None:
        """Return the column that a name stands for: the very name, else the only one that differs in case."""
        if name in self._kinds:
            return name
        near = self._folded.get(name.casefold(), [])
        return near[0] if len(near) == 1 else None

    def kind(self, name: str) -> Kind | None:
        """Return the kind of a column, None when it is not known."""
        known = self._kinds[name]
        return frame_kind(known, name) if isinstance(known, pd.DataFrame) else known

    def labelled(self, name: str) -> Column | None:
        """Return a column whose codes have labels; None for any other."""
        return self._labelled.get(name)

    def holds_money(self, name: str) -> bool:
        """Say whether a column is known to hold amounts with a sign or a code of money, as texts."""
        try:
            return self._values is not None and are_money(self._values(name))
        except FairauditError:
            # A database does not answer: then nothing is known.
            return False

    def missing(
        self, name: str, text: str, position: int, *, operator: str | None, compared: str | None
    ) -> ConditionError:
        """Return the error for a name that is not a column, with the likeliest remedy.

        `operator` is what stands before it, None where that is none, and `compared` the column before that.
        """
        same = self._folded.get(name.casefold(), [])
        if len(same) > 1:
            spelled = " or ".join(quote(other) for other in same)
            return ConditionError(
                f"{quote(name)} could be more than one column",
                text=text,
                position=position,
                hint=f"Write it exactly: {spelled}.",
            )
        hint = near_names(name, self._kinds)
        longer = self._longer_name(text, position)
        if longer is not None:
            hint = f'Put the column name between double quotes: "{longer}".'
        elif operator is not None:
            remedy = self._as_value(name, operator, compared)
            hint = f"{hint} {remedy}" if nearest(name, self._kinds) else remedy
        return ConditionError(f"There is no column {quote(name)}", text=text, position=position, hint=hint)

    def _as_value(self, name: str, operator: str, compared: str | None) -> str:
        """Return how a word is written that was meant as a value."""
        if compared is not None and self.kind(compared) == "number":
            return f"{quote(compared)} holds numbers: write the value in digits, such as 30."
        bare = name.strip(CURLY_QUOTES)
        straight = "straight single quotes" if bare != name else "single quotes"
        if operator == "is":
            return f"If {quote(bare)} is a value, write = and put it between {straight}: = {value_text(bare)}."
        return f"If {quote(bare)} is a value, put it between {straight}: {value_text(bare)}."

    def _longer_name(self, text: str, position: int) -> str | None:
        rest = text[position:].casefold()
        fits = [name for name in self._kinds if re.search(r"\W", name) and rest.startswith(name.casefold())]
        return max(fits, key=len, default=None)


class AnyNames(ColumnNames):
    """Takes each name for a column of unknown kind, where a condition is read before there are data."""

    def __init__(self):
        super().__init__(())

    def find(self, name: str) -> str:
        """Return the name itself."""
        return name

    def kind(self, name: str) -> None:
        """Return None: no kind is known."""
        return None


def value_text(value: str) -> str:
    """Return a text between single quotes, as a condition spells it."""
    return "'" + value.replace("'", "''") + "'"


def frame_kind(frame: pd.DataFrame, name: str) -> Kind | None:
    """Return the kind of a DataFrame's column, None when all of it is missing."""
    if list(frame.columns).count(name) > 1:
        raise InputError(f"The column {quote(name)} is there more than once.", hint="Give each column its own name.")
    series = frame[name]
    types = pd.api.types
    dtype = series.cat.categories.dtype if isinstance(series.dtype, pd.CategoricalDtype) else series.dtype
    if types.is_bool_dtype(dtype):
        return "boolean"
    if types.is_numeric_dtype(dtype):
        return "number"
    if types.is_datetime64_any_dtype(dtype):
        return "timestamp"
    if isinstance(dtype, pd.StringDtype):
        return "text"
    return _INFERRED.get(types.infer_dtype(series, skipna=True), "text")


def _declared(kind: Column | Kind | None) -> Kind | None:
    kind = kind.kind if isinstance(kind, Column) else kind
    if kind is not None and kind not in get_args(Kind):
        raise InputError(f"The kind of a column must be one of {', '.join(get_args(Kind))}, got {kind!r}.")
    return kind
