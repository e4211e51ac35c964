"""What must hold: a metric, the groups that it is compared between, and how far they may be apart."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from fairaudit.conditions import Condition
from fairaudit.errors import InputError, SpecError, quote, require
from fairaudit.estimators.constraints.metrics import (
    ERRORS_OF,
    FLOORS,
    METRICS,
    OF_ERRORS,
    PAIRS,
    Columns,
    Conditions,
    GroupsOf,
    Metric,
    find_metric,
    metrics_hint,
    named_like,
    read_groups,
    shown,
)
from fairaudit.measure.comparison import is_number
from fairaudit.measure.vocabulary import FORMER

# Reading constraints from text, with the position of what is wrong.
#
# ::
#
#     constraints  = constraint { (";" | line end) constraint }
#     constraint   = metric "by" groups ( "<=" | ">=" ) number [ "%" ]
#     metric       = name [ "(" number "," number ")" ]
#     groups       = column { "," column }
#                  | "[" condition [ "as" name ] { "," condition [ "as" name ] } "]"
#     column       = word | text in double quotes
#     condition    = name = text in double quotes, with a backslash before a double quote, as in JSON

Made = TypeVar("Made")
"""What a constraint is made into."""

T = TypeVar("T")

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
    reader = _TextReader(text)
    found: list[Made] = []
    reader.skip_empty()
    while not reader.at_end:
        found += reader.constraint(make)
        reader.separator()
    if not found:
        raise SpecError("There is no constraint", text=text, position=0, hint=EXAMPLE)
    return tuple(found)


@dataclass
class _TextReader:
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
        self.place = require(_SPACE.match(self.text, self.place)).end()

    def take(self, pattern: re.Pattern[str] | str) -> str | None:
        """Return the match at this place and move past it; None where nothing matches."""
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

    def read(self, work: Callable[[], T], at: int) -> T:
        """Run `work`; an error names this place in the text."""
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
        if name in OF_ERRORS:
            numbers = []
            for mark in ("(", ","):
                if not self.take(re.escape(mark)):
                    raise self.fail(f"Expected '{mark}', found {self._here()}.", hint=f"Write {name}(1, 5).")
                numbers.append(self.number())
            if not self.take(r"\)"):
                raise self.fail(f"Expected ')', found {self._here()}.", hint=f"Write {name}(1, 5).")
            return (self.read(lambda: find_metric(f"{name}({numbers[0]!r}, {numbers[1]!r})"), start).name,)
        if name in METRICS or name in FLOORS or name in FORMER or name == "equal_opportunity":
            return (name,)
        raise self.fail(f"There is no metric {quote(word)}.", hint=self._metrics(word), at=start)

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
    def _metrics(word: str = "") -> str:
        known = [*METRICS, "aec(1, 5)", "errors(1, 5)", "equal_opportunity", *PAIRS]
        known[-1] += f"; with '>=': {', '.join(FLOORS)}"
        return metrics_hint(word, known)


SMALLEST_FLOOR = 1e-9
"""A floor that asks for nothing."""


@dataclass(frozen=True)
class FairnessSpec:
    """A constraint: any two groups differ by at most so much in a metric, or each group has at least so much of it.

    Parameters
    ----------
    metric : str or Metric
        "demographic_parity", "error_rate", "fpr", "fnr" (or "equal_opportunity"), ``"for_"``, "fdr", "aec(c_fp, c_fn)",
        "errors(of_fpr, of_fnr)", or a :class:`~fairaudit.estimators.constraints.Metric` of your own. With a floor:
        "selection_rate", "tpr", "tnr", "ppv", "npv" or "accuracy".
    groups : str, sequence of str, or mapping of str to str
        A column; several columns, which are crossed; or conditions, as a mapping from the name of a group to its
        condition or as a sequence of conditions. In a sequence, a text with a comparison is taken for a condition.
    max_difference : float
        How far any two groups may be apart: above 0 and at most 1. A larger one only makes sense for costs. With a
        floor, how far each group may be below 1, which follows from it.
    floor : float, optional
        What each group must have at least: above 0 and below 1.

    Raises
    ------
    InputError
        If an argument breaks a rule.

    See Also
    --------
    equalized_odds, predictive_parity : Pairs of constraints.

    Examples
    --------
    >>> str(FairnessSpec("fpr", "race", 0.03))
    'fpr by race <= 0.03'
    >>> str(FairnessSpec("tpr", "race", floor=0.8))
    'tpr by race >= 0.8'
    >>> FairnessSpec.parse('demographic_parity by ["age < 25", "age >= 60"] <= 0.1').group_names
    ('age < 25', 'age >= 60')
    """

    metric: str | Metric
    groups: Any
    max_difference: float | None = None
    floor: float | None = None

    def __post_init__(self) -> None:
        measure = find_metric(self.metric, is_floor=self.floor is not None)
        if _is_known(measure):
            object.__setattr__(self, "metric", measure.name)
        object.__setattr__(self, "groups", read_groups(self.groups))
        if self.floor is not None:
            floor = _read_floor(self.floor, measure)
            object.__setattr__(self, "floor", floor)
            object.__setattr__(self, "max_difference", round(1 - floor, 12))
            return
        if measure.name in FLOORS and measure.name not in METRICS:
            errors = next((name for name, right in ERRORS_OF.items() if right == measure.name), "demographic_parity")
            raise InputError(
                f"{quote(measure.name)} takes a floor, as in {measure.name} by ... >= 0.8, and no largest difference.",
                hint=f"For a distance between groups write '{errors}': it is as far apart as '{measure.name}'.",
            )
        object.__setattr__(self, "max_difference", _read_difference(self.max_difference, measure))

    @property
    def measure(self) -> Metric:
        """The metric itself."""
        return find_metric(self.metric)

    @property
    def columns(self) -> tuple[str, ...] | None:
        """The columns whose values make the groups; None where conditions do."""
        return self.groups.names if isinstance(self.groups, Columns) else None

    @property
    def conditions(self) -> tuple[tuple[str, str], ...] | None:
        """The names and conditions of the groups; None where columns make them."""
        return self.groups.named if isinstance(self.groups, Conditions) else None

    @property
    def group_names(self) -> tuple[str, ...] | None:
        """What the groups are called; None where that is only known with the rows."""
        return tuple(name for name, _ in self.groups.named) if isinstance(self.groups, Conditions) else None

    def needed_columns(self, columns: object) -> tuple[str, ...]:
        """Return the columns that the groups of a row depend on.

        Parameters
        ----------
        columns : Table, mapping, pandas.DataFrame or iterable of str
            Those that there are, see :meth:`fairaudit.Condition.parse`.

        Returns
        -------
        tuple of str
            In the order of first use.

        Raises
        ------
        ConditionError
            If a condition cannot be read.
        """
        if isinstance(self.groups, Columns):
            return self.groups.names
        found = [Condition.parse(text, columns).columns for _, text in self.groups.named]
        return tuple(dict.fromkeys(name for names in found for name in names))

    @classmethod
    def parse(cls, text: str) -> FairnessSpec:
        """Read one constraint from text, such as ``fpr by race <= 0.03``.

        Parameters
        ----------
        text : str
            See :func:`~fairaudit.estimators.constraints.parse_specs`.

        Returns
        -------
        FairnessSpec
            The constraint; printing it gives a text that reads back as the same.

        Raises
        ------
        SpecError
            If it cannot be read, with the position; or if it stands for two constraints.
        """
        found = parse_specs(text)
        if len(found) > 1:
            raise SpecError(
                f"One constraint is expected here, and the text stands for {len(found)}: "
                f"{'; '.join(str(spec) for spec in found[:4])}",
                text=text,
                position=0,
                hint="Take one of them, or call parse_specs.",
            )
        return found[0]

    def __str__(self) -> str:
        return f"{self.measure.name} by {self.groups} {self.limit}"

    @property
    def limit(self) -> str:
        """The sign and the number at its end, as in a text."""
        return f"<= {self.max_difference!r}" if self.floor is None else f">= {self.floor!r}"

    def scaled(self, scale: float) -> FairnessSpec:
        """Return the constraint with another distance; for a floor, another distance to 1.

        Parameters
        ----------
        scale : float
            Times the distance that it allows.

        Returns
        -------
        FairnessSpec
            Shares may be at most 1 apart.
        """
        limit = require(self.max_difference) * scale
        if self.floor is not None:
            # A floor of 0 asks for nothing, and is none.
            return FairnessSpec(self.metric, self.groups, floor=max(round(1 - limit, 12), SMALLEST_FLOOR))
        # Shares are never further apart than 1; a cost has a unit of its own.
        return FairnessSpec(self.metric, self.groups, min(limit, 1.0) if self.measure.name in METRICS else limit)


def parse_specs(text: str) -> tuple[FairnessSpec, ...]:
    """Read constraints from text.

    Examples
    --------
    >>> [str(spec) for spec in parse_specs("equalized_odds by sex <= 5%")]
    ['fpr by sex <= 0.05', 'fnr by sex <= 0.05']
    """
    return read_constraints(text, _made)


def _made(metric: str, groups: GroupsOf, limit: float, *, is_floor: bool) -> FairnessSpec:
    return FairnessSpec(metric, groups, floor=limit) if is_floor else FairnessSpec(metric, groups, limit)


def equalized_odds(groups: GroupsOf, max_difference: float) -> tuple[FairnessSpec, FairnessSpec]:
    """Return the two constraints of equalized odds: false positive and false negative rates are alike."""
    first, second = (FairnessSpec(name, groups, max_difference) for name in PAIRS["equalized_odds"])
    return first, second


def predictive_parity(groups: GroupsOf, max_difference: float) -> tuple[FairnessSpec, FairnessSpec]:
    """Return the two constraints of predictive parity: false omission and false discovery rates are alike."""
    first, second = (FairnessSpec(name, groups, max_difference) for name in PAIRS["predictive_parity"])
    return first, second


Specs = FairnessSpec | str | Sequence["Specs"]
"""Constraints as objects or texts, in any nesting."""


def read_specs(specs: Specs) -> tuple[FairnessSpec, ...]:
    """Return constraints that are given as objects, as texts, or as a mixture in any nesting."""

    def read(one: Specs) -> Iterable[FairnessSpec]:
        if isinstance(one, FairnessSpec):
            return (one,)
        if isinstance(one, str):
            return parse_specs(one)
        if isinstance(one, Sequence):
            return tuple(spec for part in one for spec in read(part))
        raise InputError(
            f"'specs' must hold constraints or their texts, got {type(one).__name__}.",
            hint="Write FairnessSpec('fpr', 'sex', 0.03), or 'fpr by sex <= 0.03'.",
        )

    found = tuple(dict.fromkeys(read(specs)))
    if not found:
        raise InputError("'specs' must hold at least one constraint, got none.", hint="Write 'fpr by sex <= 0.03'.")
    return found


def _is_known(measure: Metric) -> bool:
    """Return whether a metric is one of this package, which its name stands for."""
    known = named_like(measure)
    if measure.name in PAIRS or (known is not None and known.coefficients != measure.coefficients):
        raise InputError(
            f"The name {quote(measure.name)} is taken by a metric that there is already.",
            hint="Give your metric a name of its own.",
        )
    return known is not None


def _read_floor(value: object, measure: Metric) -> float:
    name = measure.name
    if name in ERRORS_OF:
        right = ERRORS_OF[name]
        raise InputError(
            f"{quote(name)} counts errors, so a floor under it would ask for more of them.",
            hint=f"For at most 10 % of it in each group write '{right} by ... >= 0.9': '{right}' is 1 minus '{name}'.",
        )
    if FLOORS.get(name) is not measure:
        raise InputError(f"{quote(name)} takes no floor.", hint=f"A floor may be set under: {', '.join(FLOORS)}.")
    if not is_number(value) or not 0 < value < 1:
        raise InputError(
            f"A floor must be a number above 0 and below 1, got {shown(value)}.",
            hint="Write 0.8 for at least 80 % in each group; no model has a rate of 100 % for sure.",
        )
    return float(value)


def _read_difference(value: object, measure: Metric) -> float:
    if not is_number(value):
        raise InputError(f"'max_difference' must be a number above 0, got {shown(value)}.", hint="Write such as 0.03.")
    if value <= 0:
        raise InputError(
            f"'max_difference' must be above 0, got {shown(value)}.",
            hint="Groups are hardly ever exactly alike. Write a small number, such as 0.01 for one point.",
        )
    if value > 1 and measure.name in METRICS:
        raise InputError(
            f"'max_difference' must be at most 1 for '{measure.name}', which is a share, got {shown(value)}.",
            hint="Write 0.03 for three points.",
        )
    return float(value)
