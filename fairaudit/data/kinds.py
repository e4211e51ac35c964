"""Find what the cells of a text table are, from all rows, and say so in SQL.

A column is boolean when every cell is ``true`` or ``false``; a number when every cell is a plain decimal number
without leading zeros, or one as people write it: 1.234,50, 1,234.50, 1 234,50, 1'234.50, (5), 5-, £5, 8 %;
a date or timestamp when every cell is written the ISO way, or day before month with dots, or in the order that the
options name; else text. Zero and one are numbers. Missing cells do not count.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from fairaudit.columns import ColumnValues, DayOrder, DecimalMark, Kind, ReadOptions
from fairaudit.conditions.names import MARK
from fairaudit.data.engine import literal
from fairaudit.errors import InputError, quote

BLANKS = " \t\u00a0\r\n"

_DIGITS = "(0|[1-9][0-9]*)"
_EXPONENT = "([eE][+-]?[0-9]{1,3})?"
NUMBER = rf"[+-]?({_DIGITS}(\.[0-9]*)?|\.[0-9]+){_EXPONENT}"
_COMMA_NUMBER = f"[+-]?({_DIGITS}(,[0-9]*)?|,[0-9]+){_EXPONENT}"
# Besides points and commas, these stand between thousands: blanks of several widths and apostrophes.
_GAP = " \u00a0\u202f\u2009"
_BETWEEN = f"{_GAP}'\u2019"
_MINUS = "\u2212\\-"
_STROKE = "[-\u2013\u2014]{1,2}"
_INTEGER = "[+-]?(0|[1-9][0-9]{0,17})"
# Longer than any number that is kept exactly: an identifier, which must not be rounded.
_LONG = "[+-]?[0-9]{19,}"
_DATE = "[0-9]{4}-[0-9]{2}-[0-9]{2}"
_TIMESTAMP = rf"{_DATE}([T ][0-9]{{2}}:[0-9]{{2}}(:[0-9]{{2}}(\.[0-9]{{1,9}})?)?(Z|[+-][0-9]{{2}}(:?[0-9]{{2}})?)?)?"

_CLOCK = "([T ][0-9]{1,2}:[0-9]{2}(:[0-9]{2})?)?"

Form = Literal[
    "integer", "number", "comma", "grouped_point", "grouped_comma", "marked_point", "marked_comma",
    "thousands_point", "thousands_comma", "boolean", "date", "timestamp",
    "dotted", "dotted_time", "day_first", "day_first_time", "month_first", "month_first_time", "text",
]  # fmt: skip

_KINDS: dict[Form, Kind] = {
    "integer": "number",
    "number": "number",
    "comma": "number",
    "grouped_point": "number",
    "grouped_comma": "number",
    "marked_point": "number",
    "marked_comma": "number",
    "thousands_point": "number",
    "thousands_comma": "number",
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

With dots the day always comes first, so that needs no option; with slashes nobody can know.
"""
_SEPARATORS = {"dotted": "[.]", "day_first": "[./-]", "month_first": "[./-]"}
_ORDERS = {"dotted": "%d.%m.%Y", "day_first": "%d.%m.%Y", "month_first": "%m.%d.%Y"}

# In the order of preference: the first form that every cell has is the column's.
FORMS: tuple[Form, ...] = ("integer", "number", "comma", "boolean", "date", "timestamp")
WRITTEN: tuple[Form, ...] = ("grouped_point", "grouped_comma", "marked_point", "marked_comma")
"""Forms of numbers with marks between thousands, and of those also with a sign of money or percent."""
MARKED: frozenset[Form] = frozenset({"marked_point", "marked_comma"})
_FORMS_OF_RULES_1: tuple[Form, ...] = ("thousands_comma", "thousands_point")
"""Forms of numbers with marks between thousands and a fraction, which were all that was read up to version 0.7."""
WITH_POINT: frozenset[Form] = frozenset({"number", "grouped_point", "marked_point", "thousands_point"})
WITH_COMMA: frozenset[Form] = frozenset({"comma", "grouped_comma", "marked_comma", "thousands_comma"})
"""Forms of numbers by their decimal mark."""
MIRRORED: dict[Form, Form] = {
    "number": "grouped_comma", "grouped_point": "grouped_comma", "marked_point": "marked_comma",
    "comma": "grouped_point", "grouped_comma": "grouped_point", "marked_comma": "marked_point",
}  # fmt: skip
"""By form of numbers, the form in which point and comma swap roles."""
TWO_WAYS = "[0-9][.,][0-9]"
"""The pattern of a mark that may be the decimal mark, or stand between thousands."""
GROUPS = f"[0-9][.{_BETWEEN}][0-9]{{3}}"
"""The pattern of a mark between thousands where the decimal mark is a comma."""


def _grouped(point: str, comma: str) -> str:
    """Return the pattern of a number with marks between thousands, from the patterns of its two marks."""
    end = f"{point}([0-9]+|{_STROKE})"
    lakhs = "|[1-9][0-9]?(,[0-9]{2})+,[0-9]{3}" if comma == "," else ""
    groups = f"([1-9][0-9]{{0,2}}(({comma}[0-9]{{3}})+|([{_BETWEEN}][0-9]{{3}})+){lakhs})"
    # As in accounts, (1,000) and 1,000- are less than nothing; 5- may be a mark at school.
    long = f"({groups}({end})?|{_DIGITS}{end}|{point}[0-9]+)"
    return rf"([+{_MINUS}]?[{_GAP}]?({_DIGITS}|{long})|{long}[{_MINUS}]|\({long}\))"


_NUMBERS = {
    "number": NUMBER, "comma": _COMMA_NUMBER,
    "grouped_point": _grouped(r"\.", ","), "grouped_comma": _grouped(",", r"\."),
    "thousands_point": rf"[+-]?({_DIGITS}(\.[0-9]+)?|[1-9][0-9]{{0,2}}(,[0-9]{{3}})+\.[0-9]+)",
    "thousands_comma": rf"[+-]?({_DIGITS}(,[0-9]+)?|[1-9][0-9]{{0,2}}(\.[0-9]{{3}})+,[0-9]+)",
}  # fmt: skip
WRITTEN_NUMBER = f"({'|'.join(_NUMBERS[form] for form in ('number', 'grouped_point', 'grouped_comma'))})"
"""The pattern of a number with or without marks between thousands, as Python and the embedded database both read it."""
_SIGN = f"({MARK}|%)"
_SIGN_BEFORE, _SIGN_AFTER = f"^([+{_MINUS}(]*){_SIGN}[{_GAP}]?", f"[{_GAP}]?{_SIGN}([){_MINUS}]*)$"
_NEGATIVE = f"^[^0-9]*[{_MINUS}(]|[0-9][{_MINUS}]$"


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
    decimal : {".", ","}, optional
        The decimal mark of all columns, where a person said it.
    decimal_point, decimal_comma, as_text : tuple of str
        Columns of which a person said so.
    rare_comma : bool
        Whether a decimal comma is rare: a number with one, without marks between thousands, then is a text, such as
        several codes in one cell.
    not_known, left_out : tuple of (str, tuple of str)
        Texts that mean "missing" in one column, and those whose rows are left out.
    """

    blanks: str
    missing: tuple[str, ...]
    forms: tuple[Form, ...] = (*FORMS, *WRITTEN)
    decimal: DecimalMark | None = None
    decimal_point: tuple[str, ...] = ()
    decimal_comma: tuple[str, ...] = ()
    as_text: tuple[str, ...] = ()
    rare_comma: bool = False
    not_known: ColumnValues = ()
    left_out: ColumnValues = ()

    def mark_of(self, column: str) -> DecimalMark | None:
        """Return the decimal mark of a column, where a person said it."""
        if column in self.decimal_point:
            return "."
        return "," if column in self.decimal_comma else self.decimal

    def of_column(self, column: str) -> CellRules:
        """Return the rules with what means "missing" in a column."""
        own = dict(self.not_known).get(column)
        return self if own is None else replace(self, missing=(*self.missing, *own))

    def forms_of(self, column: str) -> frozenset[Form]:
        """Return the forms that a column may have."""
        if column in self.as_text:
            return frozenset()
        mark = self.mark_of(column)
        allowed = frozenset(self.forms)
        if mark is None:
            return allowed - {"comma"} if self.rare_comma else allowed
        return allowed - (WITH_COMMA if mark == "." else WITH_POINT)


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
    if form in MARKED:
        return misfit(_unmarked(expression), _grouped_of(form))
    if form in _NUMBERS:
        return (
            f"NOT regexp_full_match({expression}, {literal(_NUMBERS[form])})"
            f" OR (strlen({expression}) > 18 AND regexp_full_match({expression}, '{_LONG}'))"
            f" OR NOT isfinite(TRY_CAST({_plain(expression, form)} AS DOUBLE))"
        )
    if form == "boolean":
        return f"lower({expression}) NOT IN ('true', 'false')"
    if (order := form.removesuffix("_time")) in _ORDERS:
        clock = _CLOCK if form != order else ""
        separator = _SEPARATORS[order]
        day = f"[0-9]{{1,2}}{separator}[0-9]{{1,2}}{separator}[0-9]{{4}}{clock}"
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
        case "number" | "comma" | "thousands_point" | "thousands_comma":
            return f"CAST({_plain(expression, form)} AS DOUBLE)"
        case "grouped_point" | "grouped_comma":
            value = f"CAST({_plain(expression, form)} AS DOUBLE)"
            return f"(CASE WHEN regexp_matches({expression}, {literal(_NEGATIVE)}) THEN 0 - {value} ELSE {value} END)"
        case "marked_point" | "marked_comma":
            return converted(_unmarked(expression), _grouped_of(form))
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


def sign_sql(expression: str) -> str:
    """Return SQL for the sign of money or percent that a number stands with, empty for none."""
    return (
        f"translate(regexp_extract({expression}, {literal(f'{_SIGN_BEFORE}|{_SIGN_AFTER}')}), '{_GAP}+\u2212-()', '')"
    )


def _plain(expression: str, form: Form) -> str:
    """Return SQL that writes a number with a point alone."""
    match form:
        case "comma":
            return f"replace({expression}, ',', '.')"
        case "thousands_point":
            return f"replace({expression}, ',', '')"
        case "thousands_comma":
            return f"translate({expression}, ',.', '.')"
        case "grouped_point":
            return f"regexp_replace({expression}, '[^0-9.]', '', 'g')"
        case "grouped_comma":
            return f"replace(regexp_replace({expression}, '[^0-9,]', '', 'g'), ',', '.')"
    return expression


def _unmarked(expression: str) -> str:
    """Return SQL that takes the signs of money and percent from a number."""
    rest = f"regexp_replace({expression}, {literal(_SIGN_BEFORE)}, '\\1')"
    # The sign of a number stands after that of money, too: £-5.
    return f"regexp_replace({rest}, {literal(_SIGN_AFTER)}, '\\3')"


def _grouped_of(form: Form) -> Form:
    return "grouped_point" if form == "marked_point" else "grouped_comma"


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
    """Return the forms of days that are looked for under an option; refuse one that is not known."""
    if order not in DAYS:
        known = ", ".join(repr(each) for each in DAYS if each)
        raise InputError(f"'dates' must be one of {known}, got {quote(order)}.")
    return DAYS[order]


def mark_of_form(form: Form) -> DecimalMark | None:
    """Return the decimal mark of numbers of a form; None where it has none.

    Examples
    --------
    >>> mark_of_form("grouped_comma")
    ','
    """
    return "." if form in WITH_POINT else "," if form in WITH_COMMA else None


def decimal_mark(forms: Sequence[Form]) -> DecimalMark | None:
    """Return the decimal mark of all numbers; None where columns have different ones.

    Examples
    --------
    >>> decimal_mark(["number", "text"]), decimal_mark(["number", "comma"])
    ('.', None)
    """
    marks = {mark_of_form(form) for form in forms} - {None}
    return None if len(marks) > 1 else next(iter(marks), ".")


def marks_of_texts(texts: Iterable[str]) -> frozenset[DecimalMark]:
    """Return the decimal marks that all numbers may have which stand as texts; none where some are no numbers.

    Examples
    --------
    >>> sorted(marks_of_texts(["1.157", "983"])), marks_of_texts(["1.157", "£ 2.5"]), marks_of_texts(["1.157", "x"])
    ([',', '.'], frozenset({'.'}), frozenset())
    """
    bare = [re.sub(_SIGN_AFTER, r"\3", re.sub(_SIGN_BEFORE, r"\1", text)) for text in texts]
    patterns = (re.compile(_NUMBERS["grouped_point"]), re.compile(_NUMBERS["grouped_comma"]))
    point, comma = (all(map(pattern.fullmatch, bare)) for pattern in patterns)
    fitting: dict[DecimalMark, bool] = {".": point, ",": comma}
    return frozenset(mark for mark, fits in fitting.items() if fits)


def number_of_text(text: str, mark: DecimalMark) -> float:
    """Return a text that is a number with a decimal mark as that number.

    Examples
    --------
    >>> number_of_text("£1.157", ","), number_of_text("1.157", "."), number_of_text("(2,5)", ",")
    (1157.0, 1.157, -2.5)
    """
    number = float(re.sub(f"[^0-9{mark}]", "", text).replace(",", "."))
    return -number if re.search(_NEGATIVE, text) else number


def cell_rules(options: ReadOptions, *, blanks: str, rare_comma: bool) -> CellRules:
    """Return how cells become values under the options given; `blanks` are removed around them, if any are."""
    days = day_forms(options.dates)
    rules = CellRules(
        blanks if options.trim else "",
        options.missing,
        (*FORMS, *days, *WRITTEN),
        options.decimal,
        options.decimal_point,
        options.decimal_comma,
        options.as_text,
        rare_comma,
        options.not_known,
        options.left_out,
    )
    if options.rules == 1:
        mark = options.decimal or ("." if rare_comma else None)
        forms = (*FORMS[:3], *_FORMS_OF_RULES_1, *FORMS[3:], *days)
        return replace(rules, forms=tuple(form for form in forms if mark is None or mark_of_form(form) in (None, mark)))
    return rules


def first_fit(forms: Sequence[Form], misfits: Sequence[int]) -> Form:
    """Return the first form without a misfit.

    Examples
    --------
    >>> first_fit(("integer", "number"), (3, 0))
    'number'
    """
    return next((form for form, n in zip(forms, misfits, strict=True) if n == 0), "text")
