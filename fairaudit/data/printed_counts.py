"""Numbers of cases as offices print them: rounded, with thousands marks, or hidden behind a text.

Each printed cell stands for an interval of whole numbers: 45, rounded to 5, for 43 to 47, and "<5" for 1 to 4.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import pandas as pd

from fairaudit.columns import NO_CELL, Column, HiddenCells, PartialReading, hidden_cells
from fairaudit.data.writing import SqlWriter
from fairaudit.errors import InputError, LimitError, quote

_WHOLE = re.compile(r"\d{1,3}(?:[,.' \u00a0\u202f]\d{3})+|\d+(?:\.0+)?")
_OPEN = re.compile(r"[1-9]\d{0,2}\.000")
"""A number with three zeros as a fraction, or thousands: it is open which."""
_DOTTED = re.compile(r"[1-9]\d{0,2}(?:\.\d{3})+")
_BELOW = re.compile(r"(?:<|less than|fewer than|under|below)\s*(\d+)", re.IGNORECASE)
_UP_TO = re.compile(r"(?:<=|≤|up to)\s*(\d+)|(\d+)\s+or\s+(?:fewer|less)", re.IGNORECASE)
_FROM_TO = re.compile(r"(\d+)\s*(?:-|–|to)\s*(\d+)", re.IGNORECASE)
MARKS = frozenset({"*", "**", "c", "[c]", "(c)", "x", "[x]", "s", "[s]", "...", "…", "..", "†", "#", "~"})
"""What offices print in place of a small number, without saying below which."""
PRINTED = re.compile(
    "|".join((_WHOLE.pattern, _BELOW.pattern, _UP_TO.pattern, _FROM_TO.pattern, *map(re.escape, sorted(MARKS)))),
    re.IGNORECASE,
)
"""A number of cases, or what stands in the place of a hidden one."""
USUAL_THRESHOLD = 5
ROUNDED_TO = (10, 5)
FEWEST_ROUNDED = 12
"""Of fewer numbers, all may be multiples of 5 or 10 by chance."""
MOST_PRINTED = 100_000
"""A column of more different texts is no column of printed counts."""
MOST_NAMED = 10
"""Cells that a message names."""


class Printed(Protocol):
    """What a table needs so that its numbers of cases can be read as they are printed."""

    @property
    def writer(self) -> SqlWriter:
        """How questions are written."""

    def column(self, name: str) -> Column:
        """Return a column by name."""

    def aggregate(self, expressions: Sequence[str]) -> tuple[Any, ...]:
        """Answer aggregate expressions over all rows; their SQL gives the types."""

    def different_values(self, column: str, limit: int) -> list[Any]:
        """Return the different values of a column, at most so many; None is missing."""


@dataclass(frozen=True)
class CountRange:
    """The whole numbers that a cell may stand for, both ends included."""

    low: int
    high: int


def cell_range(reading: PartialReading, value: object, *, dots_mark_thousands: bool = False) -> CountRange | None:
    """Return the numbers that a cell may stand for; None where it says no number and nothing was said of it.

    Whether 5.000 is five thousand, other cells of the column say; without them it says no number.

    Examples
    --------
    >>> reading = PartialReading(5, (("<5", (1, 4)),))
    >>> cell_range(reading, "45"), cell_range(reading, "<5")
    (CountRange(low=43, high=47), CountRange(low=1, high=4))
    """
    text, hidden = cell_text(value), dict(reading.hidden)
    if text in hidden:
        return CountRange(*hidden[text])
    if (number := _number(text, dots_mark_thousands)) is None:
        return None
    # Halves may have gone up or down.
    return CountRange(max(number - reading.rounded_to // 2, 0), number + reading.rounded_to // 2)


def cell_text(value: object) -> str:
    """Return what is printed in a cell; empty where nothing is."""
    if value is None or value is pd.NA or value is pd.NaT or (isinstance(value, float) and math.isnan(value)):
        return ""
    return str(value).strip()


def _number(text: str, dots_mark_thousands: bool) -> int | None:
    if not _WHOLE.fullmatch(text) or (_OPEN.fullmatch(text) and not dots_mark_thousands):
        return None
    is_fraction = re.fullmatch(r"\d+\.0+", text) and not _OPEN.fullmatch(text)
    return int(re.sub(r"\D", "", text.split(".")[0] if is_fraction else text))


def dots_mark_thousands(texts: Iterable[str]) -> bool:
    """Say whether a cell of a column has a dot that can only mark thousands, as in 9.500."""
    return any(_DOTTED.fullmatch(text) and not re.fullmatch(r"\d+\.000", text) for text in texts)


def printed_cells(table: Printed, column: str) -> list[str]:
    """Return the different cells of a column as they are printed."""
    found = table.different_values(column, MOST_PRINTED + 1)
    if len(found) > MOST_PRINTED:
        raise LimitError(
            f"Column {quote(column)} has more than {MOST_PRINTED:,} different cells, too many to be printed counts.",
            hint="Name another column of counts.",
        )
    return sorted(dict.fromkeys(map(cell_text, found)))


@dataclass(frozen=True)
class _Numbers:
    """What the numbers of a column are: how many differ, whether 0 is one, and of what all are multiples."""

    n: int
    has_zero: bool
    bases: tuple[int, ...]


def propose_reading(table: Printed, columns: Sequence[str]) -> PartialReading | None:
    """Return how cells of counts seem to be rounded and hidden, to be asked about; None where all are plain numbers.

    A text without a threshold of its own is proposed to hide what the lowest other threshold hides, else 1 to 4. Where
    a zero is printed, none is hidden.
    """
    cells = {name: printed_cells(table, name) for name in columns if table.column(name).kind == "text"}
    numbers = [_in_texts(cells[name]) if name in cells else _in_column(table, name) for name in columns]
    least = int(any(each.has_zero for each in numbers))
    hidden: dict[str, tuple[int, int]] = {}
    unsaid = []
    for text in dict.fromkeys(text for texts in cells.values() for text in texts):
        if below := _BELOW.fullmatch(text):
            hidden[text] = (min(least, int(below[1]) - 1), int(below[1]) - 1)
        elif up_to := _UP_TO.fullmatch(text):
            hidden[text] = (min(least, int(up_to[1] or up_to[2])), int(up_to[1] or up_to[2]))
        elif (ends := _FROM_TO.fullmatch(text)) and int(ends[1]) <= int(ends[2]):
            hidden[text] = (int(ends[1]), int(ends[2]))
        elif text.casefold() in MARKS:
            unsaid.append(text)
    highest = max((high for _, high in hidden.values()), default=USUAL_THRESHOLD - 1)
    hidden |= dict.fromkeys(unsaid, (least, highest))
    rounded = 1
    if sum(each.n for each in numbers) >= FEWEST_ROUNDED:
        rounded = next((base for base in ROUNDED_TO if all(base in each.bases for each in numbers)), 1)
    return PartialReading(rounded, hidden_cells(hidden)) if hidden or rounded > 1 else None


def unsaid_reading(
    table: Printed, columns: Sequence[str], rounded_to: int | None, hidden: HiddenCells
) -> PartialReading | None:
    """Return how counts seem to be read, of which less was said; None where nothing is open."""
    proposed = propose_reading(table, columns)
    if proposed is None:
        return None
    more = [(text, ends) for text, ends in proposed.hidden if text not in dict(hidden)]
    if not more and (rounded_to is not None or proposed.rounded_to == 1):
        return None
    return PartialReading(proposed.rounded_to if rounded_to is None else rounded_to, (*hidden, *more))


def _in_texts(texts: list[str]) -> _Numbers:
    marks = dots_mark_thousands(texts)
    found = {number for text in texts if (number := _number(text, marks)) is not None}
    bases = tuple(base for base in ROUNDED_TO if all(number % base == 0 for number in found))
    return _Numbers(len(found - {0}), 0 in found, bases)


def _in_column(table: Printed, column: str) -> _Numbers:
    """Ask the engine, as a column of numbers may hold millions of them."""
    if table.column(column).kind != "number":
        return _Numbers(0, False, ())
    name = table.writer.quoted(column)
    parts = [f"count(DISTINCT nullif({name}, 0))", f"sum(CASE WHEN {name} = 0 THEN 1 ELSE 0 END)"]
    parts += [f"sum(CASE WHEN {name} <> {base} * floor({name} / {base}.0) THEN 1 ELSE 0 END)" for base in ROUNDED_TO]
    n, zeros, *others = (int(value or 0) for value in table.aggregate(parts))
    return _Numbers(n, zeros > 0, tuple(base for base, other in zip(ROUNDED_TO, others, strict=True) if not other))


def check_cells(table: Printed, columns: Sequence[str], reading: PartialReading) -> None:
    """Refuse cells of counts that say no number and of which nothing is said."""
    for name in columns:
        texts = printed_cells(table, name)
        marks = dots_mark_thousands(texts)
        for text in texts:
            read_cell(reading, name, text, dots_mark_thousands=marks)


def read_cell(reading: PartialReading, column: str, value: object, *, dots_mark_thousands: bool = False) -> CountRange:
    """Return the numbers that a cell may stand for; refuse one that says no number and of which nothing was said."""
    found = cell_range(reading, value, dots_mark_thousands=dots_mark_thousands)
    if found is not None:
        return found
    text = cell_text(value)
    if _OPEN.fullmatch(text):
        thousands = text.replace(".", "")
        said = Ways.of(PartialReading(1, ((text, (int(thousands), int(thousands))),)))
        raise InputError(
            f"Column {quote(column)} has {quote(text)}, which may be {text.split('.')[0]} or {thousands}, as no other "
            "cell of it says what a dot is.",
            hint=f"Say it: {said.written}, or {said.in_python} in Python, or {said.in_plan} under [data] of a plan; or "
            "write it without the dot.",
        )
    said = Ways.of(PartialReading(1, ((text, (1, USUAL_THRESHOLD - 1)),)))
    raise InputError(
        f"Column {quote(column)} must hold whole numbers, or texts of which is said what they hide, got "
        f"{quote(text) if text else NO_CELL}.",
        hint=f"Say it: {said.written}, or {said.in_python} in Python, or {said.in_plan} under [data] of a plan; or "
        "leave these rows out.",
    )


def refuse_unsaid(columns: Sequence[str], proposed: PartialReading) -> None:
    """Refuse numbers of cases that seem rounded or hidden before anybody has said how they are to be read."""
    named, said = " and ".join(map(quote, columns)), Ways.of(proposed)
    if proposed.hidden:
        texts = ", ".join(quote(text) for text, _ in proposed.hidden[:MOST_NAMED])
        raise InputError(
            f"Numbers of cases are rounded or hidden in {named}: {texts}.",
            hint=f"If this is what they stand for, say so: {said.written}, or {said.in_python} in Python, or "
            f"{said.in_plan} under [data] of a plan. A check then gives bounds.",
        )
    raise InputError(
        f"All numbers of cases in {named} are multiples of {proposed.rounded_to}, so they may be rounded.",
        hint=f"If they are, say so: {said.written}, or {said.in_python} in Python, or {said.in_plan} under [data] of a "
        "plan. If they are exact: --rounded-to 1, or rounded_to=1, or rounded_to = 1.",
    )


@dataclass(frozen=True)
class Ways:
    """How it is said on the command line, in Python and in a plan how numbers of cases are to be read."""

    written: str
    in_python: str
    in_plan: str

    @classmethod
    def of(cls, reading: PartialReading) -> Ways:
        """Write it down."""
        written = [f'--hidden "{text}={low}-{high}"' for text, (low, high) in reading.hidden]
        in_python = [f"hidden={dict(reading.hidden)}"] if reading.hidden else []
        cells = ", ".join(f'"{text}" = [{low}, {high}]' for text, (low, high) in reading.hidden)
        in_plan = [f"hidden = {{{cells}}}"] if reading.hidden else []
        if reading.rounded_to > 1:
            written.insert(0, f"--rounded-to {reading.rounded_to}")
            in_python.insert(0, f"rounded_to={reading.rounded_to}")
            in_plan.insert(0, f"rounded_to = {reading.rounded_to}")
        return cls(" ".join(written), ", ".join(in_python), ", ".join(in_plan))
