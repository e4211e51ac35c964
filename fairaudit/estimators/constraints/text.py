"""Reading constraints from text, with the position of what is wrong.

::

    constraints  = constraint { (";" | line end) constraint }
    constraint   = metric "by" groups ( "<=" | ">=" ) number [ "%" ]
    metric       = name [ "(" number "," number ")" ]
    groups       = column { "," column }
                 | "[" condition [ "as" name ] { "," condition [ "as" name ] } "]"
    column       = word | text in double quotes
    condition    = name = text in double quotes, with a backslash before a double quote, as in JSON
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from fairaudit.errors import InputError, SpecError, quote, sure
from fairaudit.estimators.constraints.groups import Columns, Conditions
from fairaudit.estimators.constraints.metrics import FLOORS, METRICS, PAIRS, find_metric

Made = TypeVar("Made")
"""What a constraint is made into."""

MAX_CHARACTERS = 10_000
EXAMPLE = "Write such as: fpr by race <= 0.03"

_SPACE = re.compile(r"\s*")
_WORD = re.compile(r"[^\s,;\"\[\]<>=≤()]+")
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")
_DECIMAL_COMMA = re.compile(r"\d+,\d+")
_PERCENT = re.compile(r"[^\S\n]*%")
_SEPARATOR = re.compile(r"[^\S\n]*(?:;|\n|$)\s*")


def read_constraints(text: str, make: Callable[..., Made]) -> tuple[Made, ...]:
    """Read constraints from text, each made of a metric, groups, a number, and whether that is a floor."""
    if not isinstance(text, str):
        raise InputError(f"A constraint must be a text, got {type(text).__name__}.", hint=EXAMPLE)
    if len(text) > MAX_CHARACTERS:
        raise InputError(f"Constraints may have at most {MAX_CHARACTERS:,} characters, got {len(text):,}.")
    reader = _Reader(text)
    found: list[Made] = []
    reader.skip_empty()
    while not reader.at_end:
        found += reader.constraint(make)
        reader.separator()
    if not found:
        raise SpecError("There is no constraint", text=text, position=0, hint=EXAMPLE)
    return tuple(found)


@dataclass
class _Reader:
    """A place in a text, and how to read what comes next."""

    text: str
    place: int = 0

    @property
    def at_end(self) -> bool:
        return self.place >= len(self.text)

    def fail(self, message: str, *, hint: str = EXAMPLE, at: int | None = None) -> SpecError:
        place = self.place if at is None else at
        # The position follows the message.
        return SpecError(message.removesuffix("."), text=self.text, position=place, hint=hint)

    def skip(self) -> None:
        self.place = sure(_SPACE.match(self.text, self.place)).end()

    def take(self, pattern: re.Pattern[str] | str) -> str | None:
        """Return what matches here, and go behind it; None where nothing does."""
        self.skip()
        found = re.compile(pattern).match(self.text, self.place)
        if found is None:
            return None
        self.place = found.end()
        return found.group()

    def separator(self) -> None:
        found = _SEPARATOR.match(self.text, self.place)
        if found is None:
            raise self.fail(
                f"Expected the end of the constraint, found {self._here()}.",
                hint="Separate constraints by semicolons or line ends.",
            )
        self.place = found.end()
        self.skip_empty()

    def skip_empty(self) -> None:
        """Go to where the next constraint starts, over separators with nothing between them."""
        while self.take(";"):
            pass

    def constraint(self, make: Callable[..., Made]) -> tuple[Made, ...]:
        names = self.metric()
        if not self.take(r"(?i:by)(?!\w)"):
            raise self.fail(f"Expected 'by' and the groups, found {self._here()}.")
        self.skip()
        groups_at = self.place
        groups = self.read(self.conditions if self.text.startswith("[", self.place) else self.columns, groups_at)
        sign = self.take(r"<=|≤|>=|≥")
        if sign is None:
            raise self.fail(
                f"Expected '<=' and the largest difference, or '>=' and what each group has, found {self._here()}.",
                hint=f"{EXAMPLE}, or: tpr by race >= 0.8",
            )
        self.skip()
        limit_at = self.place
        if comma := _DECIMAL_COMMA.match(self.text, self.place):
            point = comma.group().replace(",", ".")
            raise self.fail(f"A number has a decimal point, found {quote(comma.group())}.", hint=f"Write {point}.")
        limit = self.number()
        if percent := _PERCENT.match(self.text, self.place):
            self.place = percent.end()
            limit = float(f"{limit / 100:.12g}")
        return self.read(lambda: tuple(make(name, groups, limit, is_floor=sign in ">=≥") for name in names), limit_at)

    def read(self, work: Callable[[], Any], at: int) -> Any:
        """Do something, and say where in the text it failed."""
        try:
            return work()
        except SpecError:
            raise
        except InputError as error:
            raise self.fail(error.message, hint=error.hint or EXAMPLE, at=at) from None

    def metric(self) -> tuple[str, ...]:
        self.skip()
        start = self.place
        word = self.take(_WORD)
        if word is None:
            raise self.fail(f"Expected the name of a metric, found {self._here()}.", hint=self._metrics())
        name = word.lower()
        if name in PAIRS:
            return PAIRS[name]
        if name == "aec":
            costs = []
            for mark in ("(", ","):
                if not self.take(re.escape(mark)):
                    raise self.fail(f"Expected '{mark}', found {self._here()}.", hint="Write aec(1, 5).")
                costs.append(self.number())
            if not self.take(r"\)"):
                raise self.fail(f"Expected ')', found {self._here()}.", hint="Write aec(1, 5).")
            return (self.read(lambda: find_metric(f"aec({costs[0]!r}, {costs[1]!r})"), start).name,)
        if name not in METRICS and name not in FLOORS:
            raise self.fail(f"There is no metric {quote(word)}.", hint=self._metrics(), at=start)
        return (name,)

    def number(self) -> float:
        found = self.take(_NUMBER)
        if found is None:
            raise self.fail(f"Expected a number, found {self._here()}.")
        return float(found)

    def columns(self) -> Columns:
        names = [self.column()]
        while self.take(","):
            names.append(self.column())
        return Columns(tuple(names))

    def column(self) -> str:
        self.skip()
        if self.text.startswith('"', self.place):
            return self.string()
        found = self.take(_WORD)
        if found is None:
            raise self.fail(
                f"Expected the name of a column, found {self._here()}.",
                hint='Write names with spaces or signs in double quotes, such as "marital status".',
            )
        return found

    def conditions(self) -> Conditions:
        self.take(r"\[")
        named = []
        while True:
            text = self.string()
            named.append((self.string() if self.take(r"(?i:as)(?!\w)") else text, text))
            if self.take("]"):
                return Conditions(tuple(named))
            if not self.take(","):
                raise self.fail(f"Expected ',' or ']', found {self._here()}.")

    def string(self) -> str:
        self.skip()
        if not self.text.startswith('"', self.place):
            raise self.fail(
                f"Expected a text in double quotes, found {self._here()}.",
                hint='Write conditions such as ["age < 25", "age >= 60"].',
            )
        try:
            value, self.place = json.JSONDecoder().raw_decode(self.text, self.place)
        except json.JSONDecodeError as error:
            if error.msg.startswith("Unterminated"):
                raise self.fail(
                    "The text that starts here has no double quote at its end.", hint='Close it with ".'
                ) from None
            raise self.fail(
                f"A text in double quotes cannot go on with {quote(self.text[error.pos : error.pos + 2])}.",
                hint='Inside, write \\" for a double quote, \\\\ for a backslash and \\n for a line end.',
                at=min(error.pos, len(self.text)),
            ) from None
        return value

    def _here(self) -> str:
        self.skip()
        return "the end" if self.at_end else quote(self.text[self.place : self.place + 20].splitlines()[0])

    @staticmethod
    def _metrics() -> str:
        return f"There are: {', '.join([*METRICS, 'aec(1, 5)', *PAIRS])}; with '>=': {', '.join(FLOORS)}."
