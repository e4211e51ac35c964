"""Every error that fairaudit raises.

::

    FairauditError (Exception)
    ├── InputError (ValueError)              an argument breaks a rule
    │   ├── MissingColumnError (KeyError)    a named column is not in the table
    │   ├── ManyValuesError                  columns have more different values than can be compared
    │   ├── ConditionError                   a condition cannot be read or is not allowed
    │   └── SpecError                        a fairness constraint cannot be read
    ├── DataError (ValueError)               a file or table cannot be used
    │   ├── UnsupportedFormatError           the content is of a kind that is not read
    │   ├── NoRowsError                      a file has names of columns and no rows
    │   ├── TwoReadingsError                 numbers can be read in two ways that differ
    │   ├── LimitError                       a size limit is exceeded
    │   └── ConnectError                     a database or cluster cannot be reached, asked or understood
    ├── GroupError (ValueError)              a group is too small or empty for the question
    ├── PlanError (ValueError)               a saved plan breaks its schema
    │   └── FingerprintError                 the data are not the data of the plan
    ├── ReportError (RuntimeError)           a report cannot be made
    │   └── DisclosureError                  something would leave that the gate does not know
    ├── SolverError (RuntimeError)           SCIP gave up, or the model has no finite optimum
    │   └── NoSolutionError                  a search ended without a solution
    └── StoppedError (RuntimeError)          work was stopped before there was a result

A message names the input, the rule, the value and, on a line that starts with ``Hint:``, the remedy.
No message holds the content of a row.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal, TypeVar

T = TypeVar("T")


class FairauditError(Exception):
    """Base of every error that a caller may show to a person.

    Parameters
    ----------
    message : str
        One clear sentence: the input, the rule and the value.
    hint : str, optional
        What to do about it.
    """

    def __init__(self, message: str, *, hint: str | None = None):
        self.message = message
        self.hint = hint
        super().__init__(message if hint is None else f"{message}\nHint: {hint}")

    def __str__(self) -> str:
        return self.message if self.hint is None else f"{self.message}\nHint: {self.hint}"

    def __reduce__(self) -> tuple[object, ...]:
        # Each class is made from something else, so an error that comes from another process is put together anew.
        return _again, (type(self), self.args, self.__dict__)


def _again(kind: type[FairauditError], args: tuple[object, ...], fields: dict[str, object]) -> FairauditError:
    error = kind.__new__(kind, *args)
    error.__dict__.update(fields)
    return error


class InputError(FairauditError, ValueError):
    """An argument breaks a rule."""


class MissingColumnError(InputError, KeyError):
    """A named column is not in the table.

    Parameters
    ----------
    column : str
        The name that was asked for.
    available : iterable of str
        The names that are there; the nearest are listed in the hint.
    """

    def __init__(self, column: str, available: Iterable[str]):
        self.column = column
        self.available = tuple(available)
        super().__init__(f"There is no column {quote(column)}.", hint=near_names(column, self.available))


class ManyValuesError(InputError):
    """Columns have more different values than can be compared."""


class _TextError(InputError):
    """A text that a person wrote is wrong at some place.

    Parameters
    ----------
    message : str
        What is wrong.
    text : str
        The whole text as it was given.
    position : int, optional
        Where in `text` the trouble starts, counted from 0.
    hint : str, optional
        What to do about it.

    Attributes
    ----------
    plain : str
        The message without its place in the text.
    """

    def __init__(self, message: str, *, text: str, position: int | None = None, hint: str | None = None):
        self.text, self.plain = text, message
        self.position = position
        where = "" if position is None else f" (at character {position + 1})"
        super().__init__(f"{message}{where}", hint=hint)


class ConditionError(_TextError):
    """A condition cannot be read or is not allowed: has `text` and `position`."""


class SpecError(_TextError):
    """A fairness constraint cannot be read: has `text` and `position`."""


class DataError(FairauditError, ValueError):
    """A file or table cannot be used."""


class UnsupportedFormatError(DataError):
    """The content of a file is of a kind that is not read."""


class NoRowsError(DataError):
    """A file has names of columns and no rows.

    Parameters
    ----------
    columns : iterable of str
        The names.
    """

    def __init__(self, columns: Iterable[str]):
        self.columns = tuple(columns)
        n = len(self.columns)
        super().__init__(
            f"The file has {n:,} column {'name' if n == 1 else 'names'} but no rows.",
            hint="Choose a file with at least one row, or say that the first line is data.",
        )


@dataclass(frozen=True)
class TwoReadings:
    """A column whose numbers can be read in two ways.

    Parameters
    ----------
    column : str
        Its name.
    cells : tuple of str
        Some of its cells, as they are written.
    as_point, as_comma : float
        The first of them, where the point or the comma is the decimal mark.
    likely : {".", ","}, optional
        The decimal mark of other columns.
    shown_by : str, optional
        One of those.
    """

    column: str
    cells: tuple[str, ...]
    as_point: float
    as_comma: float
    likely: Literal[".", ","] | None = None
    shown_by: str | None = None


class TwoReadingsError(DataError):
    """Numbers can be read in two ways that differ, so that a person has to say which is meant.

    Parameters
    ----------
    columns : tuple of TwoReadings
        The columns.
    """

    def __init__(self, columns: tuple[TwoReadings, ...]):
        self.columns = columns
        first = columns[0]
        between, mark = (".", "point") if first.as_comma > first.as_point else (",", "comma")
        named = ", ".join(quote(each.column, limit=40) for each in columns[:8])
        more = f" and {len(columns) - 8} more" if len(columns) > 8 else ""
        written = f"1{between}234"
        big, small = ("decimal-comma", "decimal-point") if between == "." else ("decimal-point", "decimal-comma")
        shown = ""
        if first.shown_by is not None:
            likely = "comma" if first.likely == "," else "point"
            shown = f" (in {quote(first.shown_by, limit=40)} the decimal mark is a {likely})"
        name = quote(first.column, limit=40).replace("'", '"')
        super().__init__(
            f"{'Columns' if len(columns) > 1 else 'Column'} {named}{more} can be read in two ways: {written} as 1234, "
            f"with the {mark} between thousands, or as 1.234, with the {mark} as decimal mark{shown}.",
            hint=f"Say which, for each such column: --{big} {name} for thousands, --{small} {name} for decimals, "
            f"--as-text {name} if it is no number. In Python ReadOptions({big.replace('-', '_')}=({name},)), in a plan "
            f"{big.replace('-', '_')} = [{name}] under [data.reading], and so with the others.",
        )


@dataclass(frozen=True)
class OpenValues:
    """Values of a column of which a person has to say what they mean.

    Parameters
    ----------
    column : str
        Its name.
    values : tuple of str
        The values.
    meaning : {"total", "group", "decision", "undecided", "outcome", "amount", "value"}
        That the rows with them add up others, that nobody decided them, that a course ended in this way, or what they
        may say that is not known.
    proposed : {"not_known", "left_out", "real_values"}
        The likely answer: the option of reading that says so.
    """

    column: str
    values: tuple[str, ...]
    meaning: Literal["total", "group", "decision", "undecided", "outcome", "amount", "value"]
    proposed: Literal["not_known", "left_out", "real_values"]

    @property
    def out(self) -> Literal["not_known", "left_out"]:
        """The option that says that these are no values."""
        return "left_out" if self.meaning == "total" else "not_known"


_MAY: Final = {
    "total": "be totals of other rows",
    "undecided": "say that nobody decided the case",
    "outcome": "be how a course ended, or say that it has no result",
}
_SAY: Final = {"left_out": "--leave-out", "not_known": "--not-known", "real_values": "--real-value"}


class OpenValuesError(InputError):
    """Values may be a total, or say that something is not known, so that a person has to say what they mean.

    Parameters
    ----------
    questions : tuple of OpenValues
        The values, by column and by what they may mean.
    """

    def __init__(self, questions: tuple[OpenValues, ...]):
        self.questions = questions
        first = questions[0]
        values = " and ".join(quote(value, limit=40) if value else "no value" for value in first.values[:_MOST_ASKED])
        what = f"say that the {first.meaning} is not known"
        if first.meaning in _MAY:
            what = _MAY[first.meaning]
        ways = [f'{_SAY[each.proposed]} "{each.column}={value}"' for each in questions for value in each.values]
        other = _SAY["real_values" if first.proposed != "real_values" else first.out]
        more = f" and {len(ways) - _MOST_WAYS} more" if len(ways) > _MOST_WAYS else ""
        not_known = {"undecided": "undecided", "outcome": "without a result"}.get(first.meaning, "not known")
        kept = {"real_values": "a value like others", "left_out": "left out", "not_known": not_known}
        super().__init__(
            f"Values in column {quote(first.column, limit=40)} may {what}: {values}.",
            hint=f"Say what they are. Likely ({kept[first.proposed]}): {' '.join(ways[:_MOST_WAYS])}{more}. Otherwise "
            f"{other} instead. In Python the same as not_known, left_out or real_values of ReadOptions and "
            "Table.from_pandas, in a plan under [data].",
        )


class OpenCodesError(InputError):
    """Numbers of some columns may be codes, and are used as an order, so that a person has to say what they are.

    Parameters
    ----------
    columns : tuple of str
        The columns.
    proposed : {"codes", "numbers"}
        What they are likely: the option of reading that says so.
    """

    def __init__(self, columns: tuple[str, ...], proposed: Literal["codes", "numbers"]):
        self.columns, self.proposed = columns, proposed
        named = " and ".join(quote(name, limit=40) for name in columns[:_MOST_ASKED])
        named += f" and {len(columns) - _MOST_ASKED} more" if len(columns) > _MOST_ASKED else ""
        ways = " ".join(f'--{proposed} "{name}"' for name in columns)
        other = "numbers" if proposed == "codes" else "codes"
        super().__init__(
            f"Whole numbers in {'column' if len(columns) == 1 else 'columns'} {named} may be codes, of which none is "
            "more than another.",
            hint=f"Say what they are. Likely: {ways}. Otherwise --{other} instead, or --labels with what each code "
            "stands for. In Python the same as codes, numbers or labels of ReadOptions and Table.from_pandas, in a "
            "plan under [data.reading] and [data.labels].",
        )


_MOST_ASKED: Final = 5
_MOST_WAYS: Final = 8


class LimitError(DataError):
    """A size limit is exceeded."""


def too_little_memory() -> LimitError:
    """Return the error for work that ended with a `MemoryError`."""
    return LimitError(
        "This needs more memory than there is.", hint="Use fewer rows or columns, or a machine with more memory."
    )


class ConnectError(DataError):
    """A database or cluster cannot be reached, asked or understood.

    Its text never holds a password, a user, an address or the words of the driver.
    """


class GroupError(FairauditError, ValueError):
    """A group is too small or empty for the question.

    Parameters
    ----------
    message : str
        What is wrong, with counts.
    uncounted : str, optional
        The same without a count, for audits that hide small ones.
    hint : str, optional
        What to do about it.
    keeps : str, optional
        A filter that leaves out the rows in the way, where there is one.
    """

    def __init__(
        self,
        message: str,
        *,
        uncounted: str = "No row can be used for the question.",
        hint: str | None = None,
        keeps: str | None = None,
    ):
        self.uncounted, self.keeps = uncounted, keeps
        super().__init__(message, hint=hint)


class PlanError(FairauditError, ValueError):
    """A saved plan breaks its schema."""


class FingerprintError(PlanError):
    """The data are not the data that the plan was made for."""


class ReportError(FairauditError, RuntimeError):
    """A report cannot be made."""


class DisclosureError(ReportError):
    """Something would leave that the gate does not know, or that never leaves."""


class SolverError(FairauditError, RuntimeError):
    """SCIP gave up, or the model has no finite optimum."""


class NoSolutionError(SolverError):
    """A search ended without a solution."""


class StoppedError(FairauditError, RuntimeError):
    """Long work was stopped before it had anything to show."""


def require(value: T | None) -> T:
    """Return what is there by a rule that types do not say; None is a fault of the program, not of its input.

    Examples
    --------
    >>> require("found")
    'found'
    """
    if value is None:
        raise TypeError("None stands where there must be a value")
    return value


def expect(kind: type[T], value: object) -> T:
    """Return a value that is of this class by a rule that types do not say; another is a fault of the program.

    Examples
    --------
    >>> expect(str, "found")
    'found'
    """
    if not isinstance(value, kind):
        raise TypeError(f"{type(value).__name__} stands where there must be {kind.__name__}")
    return value


def quote(name: object, *, limit: int = 80) -> str:
    """Quote a name for a message, shortened to `limit` characters.

    Examples
    --------
    >>> quote("income")
    "'income'"
    """
    return f"'{in_brief(name, limit=limit)}'"


def in_brief(name: object, *, limit: int = 80) -> str:
    """Return a text for a message that has quotes of its own, such as a condition, shortened to `limit` characters.

    Examples
    --------
    >>> in_brief("sex = 'F' and age >= 25", limit=10)
    "sex = 'F'…"
    """
    text = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in str(name))
    return text if len(text) <= limit else text[: limit - 1] + "…"


def nearest(name: str, available: Iterable[str]) -> list[str]:
    """Return at most three names that are spelled nearly as a missing one, the nearest first.

    Examples
    --------
    >>> nearest("incme", ["income", "age"]), nearest("height", ["income", "age"])
    (['income'], [])
    """
    folded = {str(n).casefold(): n for n in available}
    return [folded[n] for n in difflib.get_close_matches(str(name).casefold(), folded, n=3, cutoff=0.6)]


def near_names(name: str, available: Iterable[str], *, most: int = 8) -> str:
    """Return a hint that lists the names nearest to a missing one, or the first of all where none is near.

    Examples
    --------
    >>> near_names("incme", ["income", "age"])
    "Did you mean 'income'?"
    """
    names = list(available)
    near = nearest(name, names)
    if near:
        return f"Did you mean {' or '.join(map(quote, near))}?"
    shown = ", ".join(quote(n, limit=40) for n in names[:most])
    return f"There are: {shown}{' …' if len(names) > most else ''}."
