"""What the columns stand for: the decision, and which of its values are the good outcome."""

from __future__ import annotations

import datetime
import math
import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import SupportsFloat, TypeGuard

import numpy as np
import pandas as pd

from fairaudit import conditions
from fairaudit.columns import Column
from fairaudit.conditions.correcting import spelling
from fairaudit.data.engine import quoted
from fairaudit.data.table import Table
from fairaudit.defaults import USUAL_CONFIDENCE, USUAL_TOLERANCE
from fairaudit.disclosure.fields import setting
from fairaudit.errors import InputError, near_names, quote

Value = str | bool | int | float | datetime.date

# Values are listed in a hint only where they are few: many values may be names of people.
_FEW = 50
_LOOKED_AT = 2_000


@dataclass(frozen=True)
class Outcome:
    """A column and what counts as the good outcome in it.

    Parameters
    ----------
    column : str
        The column.
    condition : Condition
        True where the outcome is good, false where it is not, unknown where the column is missing.
    meaning : str
        The good outcome in words, for sentences.
    other_meaning : str
        Every other outcome in words.
    """

    column: str
    condition: conditions.Condition
    meaning: str
    other_meaning: str


@dataclass(frozen=True)
class AskedOf:
    """What a result is about, for its sentences.

    Parameters
    ----------
    decision : str
        The column of the decision.
    outcome : Outcome or None
        Its good outcome; None for an amount.
    by : tuple of str
        The columns that make groups.
    prediction : Condition or None
        True where the good outcome is predicted.
    tolerance : float
        The largest gap of a rate that counts as alike.
    confidence : float
        Of the intervals.
    """

    decision: str
    outcome: Outcome | None = None
    by: tuple[str, ...] = ()
    prediction: conditions.Condition | None = None
    tolerance: float = setting("The largest gap that counts as alike.", default=USUAL_TOLERANCE)
    confidence: float = setting("Of the intervals.", default=USUAL_CONFIDENCE)


def make_outcome(table: Table, column: str, favorable: object, *, may_lack: bool = False) -> Outcome:
    """Say which values of a column are the good outcome, checked against those that occur unless it `may_lack` them.

    Examples
    --------
    >>> table = Table.from_pandas(pd.DataFrame({"income": [">50K", "<=50K"]}))
    >>> make_outcome(table, "income", ">50K").meaning
    'income is >50K'
    """
    kind = table.column(column)
    if isinstance(favorable, conditions.Condition):
        condition = table.condition(favorable)
        others = [name for name in condition.columns if name != column]
        if others or not condition.columns:
            found = quote(others[0]) if others else "no column"
            raise InputError(
                f"The favourable result must be a condition on column {quote(column)} only, but it names {found}.",
                hint="Put conditions on other columns into the filter.",
            )
        return _in_own_words(column, condition)
    values: list[object] = list(favorable) if _is_collection(favorable) else [favorable]
    if not values:
        raise InputError(f"Name at least one good value of column {quote(column)}.")
    chosen = [_occurring(table, kind, value, may_lack=may_lack) for value in values]
    condition = conditions.Condition.one_of(column, chosen, table.columns)
    return _in_own_words(column, condition)


def values_held(table: Table, column: str, values: Iterable[Value]) -> list[Value]:
    """Return values as a column holds them, read as the good outcome is; one that does not occur stays as it is.

    Examples
    --------
    >>> values_held(Table.from_pandas(pd.DataFrame({"grade": [1, 2, 2]})), "grade", ["1.0", 2, 7])
    [1, 2, 7]
    """
    kind, held = table.column(column), []
    for value in values:
        try:
            held.append(_occurring(table, kind, value))
        except InputError:
            held.append(value)
    return held


def _in_own_words(column: str, condition: conditions.Condition) -> Outcome:
    return Outcome(column, condition, condition.in_words(), (~condition).in_words())


def _is_collection(value: object) -> TypeGuard[Collection[object]]:
    return isinstance(value, (Collection, np.ndarray, pd.Series)) and not isinstance(value, (str, bytes))


def _occurring(table: Table, column: Column, value: object, *, may_lack: bool = False) -> Value:
    if value is None or value is pd.NA or value is pd.NaT or (isinstance(value, float) and math.isnan(value)):
        raise InputError(
            f"A missing value cannot be the favourable result of column {quote(column.name)}.",
            hint="Rows without a value have no known outcome; filter them, or give a condition.",
        )
    options = _readings(column, value.item() if isinstance(value, np.generic) else value)
    for option in options:
        if table.occurs(conditions.Condition.equals(column.name, option, table.columns)):
            return option
    if may_lack:
        return options[0]
    raise InputError(
        f"Column {quote(column.name)} has no value {quote(value)}.", hint=_near_values(table, column, str(value))
    )


def _readings(column: Column, value: object) -> list[Value]:
    """Return the values of the column's kind that may be meant."""
    value = column.labelled(value)
    match column.kind:
        case "number":
            return [_number(column, value)]
        case "boolean":
            return [_boolean(column, value)]
        case "date" | "timestamp":
            return [_date(column, value)]
    if isinstance(value, float) and value.is_integer():
        return [str(value), str(int(value))]
    if isinstance(value, bool):
        return [str(value), str(value).lower(), str(value).upper()]
    return [str(value)]


def _number(column: Column, value: object) -> int | float:
    if not isinstance(value, (str, SupportsFloat)):
        raise _wrong_kind(column, value, "a number")
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        raise _wrong_kind(column, value, "a number") from None
    if not math.isfinite(number):
        raise _wrong_kind(column, value, "a number")
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    return int(number) if number.is_integer() and abs(number) < 2**53 else number


def _boolean(column: Column, value: object) -> bool:
    known = {"true": True, "1": True, "1.0": True, "false": False, "0": False, "0.0": False}
    text = str(value).strip().casefold()
    if text not in known:
        raise _wrong_kind(column, value, "true or false")
    return known[text]


def _date(column: Column, value: object) -> datetime.date:
    try:
        moment = pd.Timestamp(value)
    except (TypeError, ValueError):
        raise _wrong_kind(column, value, "a date such as 2024-01-31") from None
    return moment.date() if column.kind == "date" else moment.to_pydatetime()


def _wrong_kind(column: Column, value: object, wanted: str) -> InputError:
    return InputError(
        f"Column {quote(column.name)} holds {column.kind} values, got {quote(value)}.", hint=f"Give {wanted}."
    )


def _near_values(table: Table, column: Column, text: str) -> str:
    found = table.values(column.name, limit=_LOOKED_AT)["value"].dropna()
    texts = [_shown(value, column) for value in found.tolist()]
    same = [value for value in texts if spelling(value) == spelling(text)]
    if same:
        return f"Did you mean {' or '.join(quote(value) for value in same[:3])}? Letter case and blanks count."
    if len(texts) <= _FEW:
        return near_names(text, texts)
    return "Choose a value that occurs in the column, or give a condition on it."


def _shown(value: object, column: Column) -> str:
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, pd.Timestamp):
        return str(value.date()) if column.kind == "date" else value.isoformat(sep=" ")
    return str(value)


# Columns that number the rows, or the people whom several rows are about.

LEAST_DISTINCT = 0.9
"""Texts that differ in at least this share of the rows that have one name the rows, and so do whole numbers that are
called so, or that run on from row to row."""

LEAST_DISTINCT_NAMED = 0.25
"""Of columns called so, the fewest values for a row: people who are in up to four rows each are named, too."""

RUNNING = 3
"""Whole numbers that lie in a range of at most so many for a row and nearly all differ were given out one by one: drawn
at random from such a range, a seventh would repeat others, and amounts repeat more."""

_FEWEST_RUNNING = 200
_NAME_OF_ROWS = re.compile(
    r"(?:^|[\W_])(?:id|ids|uid|nr|no|num|number|key|code|ref|reference|row|index|uuid|guid|case|ssn)$|"
    r"(?:account|applicant|application|case|client|customer|employee|file|loan|member|patient|person|pupil|record|"
    r"student|user)(?:id|nr|no|number|code|key)$|[a-z](?:Id|ID|Nr|No|Key)$|^(?:id|nr|uuid|guid)(?=[\W_])|"
    r"^(?:pidp?|hidp?|idno|pers?(?:id|nr)|hh(?:id|nr)|resp(?:id|nr)|seqn|serial)$|"
    r"(?:nummer|kennung|kennziffer|aktenzeichen|matricule|identifiant|identificador|identificativo|expediente)$",
    re.ASCII,
)
"""How columns are called that name the rows, in either case after another word: case_id, File number, personId."""

_OF_MANY = re.compile(r"(?:code|key|index|ref|reference|hausnummer)$", re.ASCII)
"""How columns are called whose values many may share, as a postcode's, unless nearly all differ."""


def is_identifier(column: Column, known: int, distinct: int, *, fractions: int, half_span: float | None) -> bool:
    """Say whether a column has a value of its own for nearly every row, or for every person, as no amount has.

    Of its rows, `known` have a value, with `distinct` different ones; of numbers, `fractions` are not whole, and
    `half_span` is half of the largest less half of the smallest.

    Examples
    --------
    >>> numbered, amount = Column("id_student", "number"), Column("income", "number")
    >>> [is_identifier(one, 21_562, 20_316, fractions=0, half_span=1e6) for one in (numbered, amount)]
    [True, False]
    >>> is_identifier(amount, 21_562, 20_316, fractions=0, half_span=10_500)
    True
    """
    if column.kind == "boolean" or fractions or not known:
        return False
    called_so = bool(_NAME_OF_ROWS.search(column.name) or _NAME_OF_ROWS.search(column.name.lower()))
    if called_so and distinct >= LEAST_DISTINCT_NAMED * known and not _OF_MANY.search(column.name.lower()):
        return True
    if distinct < LEAST_DISTINCT * known:
        return False
    return column.kind != "number" or called_so or _runs_on(known, half_span)


def _runs_on(known: int, half_span: float | None) -> bool:
    if half_span is None:
        return False
    n_possible = 2 * half_span + 1
    return n_possible == known or (known >= _FEWEST_RUNNING and n_possible <= RUNNING * known)


MOST_PERIODS = 20
"""A column with more values does not tell the rows of one person apart, as a year does."""
MOST_ROWS_OF_CASES = 2_000_000
_FEW_ROWS = 50
_UNIQUE_SHARE = 0.99
# By chance, no two of so many repetitions would have the same period once in 20,000 tables.
_REPEATED = 10


@dataclass(frozen=True)
class Key:
    """A column that numbers rows or people.

    Parameters
    ----------
    column : str
        The column.
    n : int
        Its different values.
    n_known : int
        Rows that have one.
    period : str or None
        A column with which each row has values of its own, such as the year; None where no one column does that.
    """

    column: str
    n: int
    n_known: int
    period: str | None = None

    @property
    def is_repeated(self) -> bool:
        """Whether several rows have the same value."""
        return self.n < _UNIQUE_SHARE * self.n_known


def keys_of(table: Table, columns: Sequence[str], periods: Sequence[str] = ()) -> dict[str, Key]:
    """Return which of these columns number rows or people, looking at rows that are not in a database.

    A column of whole numbers or texts does that if it is an identifier, see :func:`is_identifier`, or if one of the
    `periods` tells all rows of one value apart, as the year does.
    """
    names = [name for name in columns if table.columns[name].kind in ("number", "text")]
    if table.is_connected or not names:
        return {}
    parts = []
    for name in names:
        sql = quoted(name)
        is_number = table.columns[name].kind == "number"
        parts += [f"count({sql})", f"count(DISTINCT {sql})"]
        parts += [f"count(*) FILTER ({sql} <> trunc({sql}))" if is_number else "0"]
        parts += [f"max({sql}) / 2 - min({sql}) / 2" if is_number else "NULL"]
    figures, found = iter(table.aggregate(parts)), {}
    for name in names:
        known, distinct, fractions, half = (next(figures) for _ in range(4))
        if known < _FEW_ROWS or fractions:
            continue
        key = Key(name, distinct, known)
        if key.is_repeated:
            key = replace(key, period=_period(table, key, periods))
        column = table.columns[name]
        if key.period is not None or is_identifier(column, known, distinct, fractions=fractions, half_span=half):
            found[name] = key
    return found


def case_of_rows(table: Table, decision: str) -> Key | None:
    """Return a column that names cases of which some have several rows, and each case one decision.

    A stop with a row for each violation is one case, which its rows count several times. None where a column such as
    the year tells the rows of one value apart: then they may be asked about one by one.
    """
    if table.is_connected or table.n_rows > MOST_ROWS_OF_CASES:
        return None
    names = [name for name in table.columns if name != decision]
    parts = [f"approx_count_distinct({quoted(name)})" for name in names]
    few = [name for name, n in zip(names, table.aggregate(parts), strict=True) if 2 <= n <= MOST_PERIODS]
    for key in keys_of(table, [name for name in names if name not in few], few).values():
        mine, said = quoted(key.column), quoted(decision)
        if not key.is_repeated or key.n_known - key.n < _REPEATED or not numbers_rows(table, key):
            continue
        [pairs] = table.aggregate([f"count(DISTINCT ({mine}, {said})) FILTER ({mine} IS NOT NULL)"])
        if pairs == key.n:
            return key
    return None


def numbers_rows(table: Table, key: Key) -> bool:
    """Say whether a key has no period, or one that only numbers the rows of a value from 1 on."""
    if key.period is None:
        return True
    if table.column(key.period).kind != "number":
        return False
    period = quoted(key.period)
    least, most, first = table.aggregate(
        [f"min({period})", f"max({period})", f"count(*) FILTER ({period} = 1 AND {quoted(key.column)} IS NOT NULL)"]
    )
    return least == 1 and most <= MOST_PERIODS and first == key.n


def _period(table: Table, key: Key, periods: Sequence[str]) -> str | None:
    """Return the first column of few values of which no row has one that another row of the same key has."""
    others = [name for name in periods if name != key.column]
    if not others:
        return None
    mine = quoted(key.column)
    parts = []
    for name in map(quoted, others):
        parts += [f"count(DISTINCT {name})", f"count(DISTINCT ({mine}, {name})) FILTER ({mine} IS NOT NULL)"]
    figures = iter(table.aggregate(parts))
    for name in others:
        n_periods, pairs = next(figures), next(figures)
        is_few = 2 <= n_periods <= MOST_PERIODS
        if is_few and pairs == key.n_known and key.n_known - key.n >= _REPEATED * n_periods:
            return name
    return None
