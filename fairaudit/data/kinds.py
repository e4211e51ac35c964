"""Find what the cells of a text table are, from all rows, and say so in SQL.

A column is boolean when every cell is ``true`` or ``false``; a number when every cell is a plain decimal number
without leading zeros, or writes 1.234,50 or 1,234.50 (which mark is which is only known where both are used);
a date or timestamp when every cell is written the ISO way, or day before month with dots, or in the order that was
said; else text. Zero and one are numbers. Missing cells do not count.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from fairaudit.columns import DayOrder, Kind
from fairaudit.data.engine import literal
from fairaudit.errors import InputError, quote

BLANKS = " \t\u00a0\r\n"

_DIGITS = "(0|[1-9][0-9]*)"
_EXPONENT = "([eE][+-]?[0-9]{1,3})?"
NUMBER = rf"[+-]?({_DIGITS}(\.[0-9]*)?|\.[0-9]+){_EXPONENT}"
_COMMA_NUMBER = f"[+-]?({_DIGITS}(,[0-9]*)?|,[0-9]+){_EXPONENT}"
_THOUSANDS = rf"[+-]?({_DIGITS}(,[0-9]+)?|[1-9][0-9]{{0,2}}(\.[0-9]{{3}})+,[0-9]+)"
_THOUSANDS_POINT = rf"[+-]?({_DIGITS}(\.[0-9]+)?|[1-9][0-9]{{0,2}}(,[0-9]{{3}})+\.[0-9]+)"
_INTEGER = "[+-]?(0|[1-9][0-9]{0,17})"
# Longer than any number that is kept exactly: an identifier, which must not be rounded.
_LONG = "[+-]?[0-9]{19,}"
_DATE = "[0-9]{4}-[0-9]{2}-[0-9]{2}"
_TIMESTAMP = rf"{_DATE}([T ][0-9]{{2}}:[0-9]{{2}}(:[0-9]{{2}}(\.[0-9]{{1,9}})?)?(Z|[+-][0-9]{{2}}(:?[0-9]{{2}})?)?)?"

_CLOCK = "([T ][0-9]{1,2}:[0-9]{2}(:[0-9]{2})?)?"

Form = Literal[
    "integer", "number", "comma", "thousands", "thousands_point", "boolean", "date", "timestamp",
    "dotted", "dotted_time", "day_first", "day_first_time", "month_first", "month_first_time", "text",
]  # fmt: skip

_KINDS: dict[Form, Kind] = {
    "integer": "number",
    "number": "number",
    "comma": "number",
    "thousands": "number",
    "thousands_point": "number",
    "boolean": "boolean",
    "date": "date",
    "timestamp": "timestamp",
    "dotted": "date",
    "dotted_time": "timestamp",
    "day_first": "date",
    "day_first_time": "timestamp",
    "month_first": "date",
    "month_first_time": "timestamp",
    "text": "text",
}

DAYS: dict[DayOrder | None, tuple[Form, ...]] = {
    None: ("dotted", "dotted_time"),
    "year first": (),
    "day first": ("day_first", "day_first_time"),
    "month first": ("month_first", "month_first_time"),
}
"""The forms of days, besides those that begin with the year, by the option that says how they are written.

With dots the day always comes first, so that needs no option; with strokes nobody can know.
"""
_STROKES = {"dotted": "[.]", "day_first": "[./-]", "month_first": "[./-]"}
_ORDERS = {"dotted": "%d.%m.%Y", "day_first": "%d.%m.%Y", "month_first": "%m.%d.%Y"}

# In the order of preference: the first form that every cell has is the column's.
FORMS: tuple[Form, ...] = (
    "integer", "number", "comma", "thousands", "thousands_point", "boolean", "date", "timestamp",
)  # fmt: skip
WITH_COMMA: frozenset[Form] = frozenset({"comma", "thousands"})
WITH_POINT: frozenset[Form] = frozenset({"number", "thousands_point"})
"""Forms of numbers by their decimal mark."""
_NUMBERS = {
    "number": NUMBER, "comma": _COMMA_NUMBER, "thousands": _THOUSANDS, "thousands_point": _THOUSANDS_POINT,
}  # fmt: skip
_POINTS = {
    "number": "{0}",
    "comma": "replace({0}, ',', '.')",
    "thousands": "translate({0}, ',.', '.')",
    "thousands_point": "replace({0}, ',', '')",
}
"""SQL that writes a number with a point alone."""


@dataclass(frozen=True)
class CellRules:
    """How a text cell becomes a value.

    Parameters
    ----------
    blanks : str
        Characters that are removed around cells, empty for none.
    missing : tuple of str
        Texts that mean "missing" besides the empty text.
    forms : tuple of str
        The forms that are looked for.
    """

    blanks: str
    missing: tuple[str, ...]
    forms: tuple[Form, ...] = FORMS


def trimmed(expression: str, blanks: str = BLANKS) -> str:
    """Return SQL that removes blanks around a text."""
    if not blanks:
        return expression
    # Removing plain blanks only is four times as fast as removing a set of characters.
    return f"trim({expression})" if blanks == " " else f"trim({expression}, {literal(blanks)})"


def cell(expression: str, rules: CellRules) -> str:
    """Return SQL for a cell's text, NULL where it is missing."""
    text = trimmed(expression, rules.blanks)
    if not rules.missing:
        return f"nullif({text}, '')"
    texts = ", ".join(literal(value) for value in ("", *rules.missing))
    return f"CASE WHEN {text} IN ({texts}) THEN NULL ELSE {text} END"


def misfit(expression: str, form: Form) -> str:
    """Return SQL that is true where a known cell does not have `form`."""
    if form == "integer":
        return f"NOT regexp_full_match({expression}, '{_INTEGER}')"
    if form in _NUMBERS:
        return (
            f"NOT regexp_full_match({expression}, '{_NUMBERS[form]}')"
            f" OR (strlen({expression}) > 18 AND regexp_full_match({expression}, '{_LONG}'))"
            f" OR NOT isfinite(TRY_CAST({_POINTS[form].format(expression)} AS DOUBLE))"
        )
    if form == "boolean":
        return f"lower({expression}) NOT IN ('true', 'false')"
    if (order := form.removesuffix("_time")) in _ORDERS:
        clock = _CLOCK if form != order else ""
        stroke = _STROKES[order]
        day = f"[0-9]{{1,2}}{stroke}[0-9]{{1,2}}{stroke}[0-9]{{4}}{clock}"
        wrong = f"{expression} IS NOT NULL AND {converted(expression, form)} IS NULL"
        return f"NOT regexp_full_match({expression}, '{day}') OR ({wrong})"
    pattern, target = (_DATE, "DATE") if form == "date" else (_TIMESTAMP, "TIMESTAMP")
    wrong = f"{expression} IS NOT NULL AND TRY_CAST({expression} AS {target}) IS NULL"
    return f"NOT regexp_full_match({expression}, '{pattern}') OR ({wrong})"


def converted(expression: str, form: Form) -> str:
    """Return SQL that turns a cell of `form` into its value."""
    match form:
        case "integer":
            return f"CAST({expression} AS BIGINT)"
        case "number" | "comma" | "thousands" | "thousands_point":
            return f"CAST({_POINTS[form].format(expression)} AS DOUBLE)"
        case "boolean":
            return f"lower({expression}) = 'true'"
        case "date":
            return f"CAST({expression} AS DATE)"
        case "timestamp":
            # Through a moment in time: a plain cast would drop the offset of 10:00+02:00. The result is in UTC.
            return f"CAST(CAST({expression} AS TIMESTAMPTZ) AS TIMESTAMP)"
        case "dotted" | "day_first" | "month_first":
            return f"CAST(try_strptime({_with_dots(expression)}, '{_ORDERS[form]}') AS DATE)"
        case "dotted_time" | "day_first_time" | "month_first_time":
            order = _ORDERS[form.removesuffix("_time")]
            return f"try_strptime({_with_dots(expression)}, ['{order} %H:%M:%S', '{order} %H:%M', '{order}'])"
    return expression


def _with_dots(expression: str) -> str:
    return f"translate({expression}, '/-T', '.. ')"


def kind_of(form: Form) -> Kind:
    """Return the kind of a column whose cells have `form`.

    Examples
    --------
    >>> kind_of("integer")
    'number'
    """
    return _KINDS[form]


def day_forms(order: DayOrder | None) -> tuple[Form, ...]:
    """Return the forms of days that are looked for, where a person says in which order they are written."""
    if order not in DAYS:
        known = ", ".join(repr(each) for each in DAYS if each)
        raise InputError(f"'dates' must be one of {known}, got {quote(order)}.")
    return DAYS[order]


def first_fit(forms: Sequence[Form], misfits: Sequence[int]) -> Form:
    """Return the first form without a misfit.

    Examples
    --------
    >>> first_fit(("integer", "number"), (3, 0))
    'number'
    """
    return next((form for form, n in zip(forms, misfits, strict=True) if n == 0), "text")
