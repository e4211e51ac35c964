"""What a column is, how a file was read, and what was found on the way."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final, Literal, TypeVar

from fairaudit.disclosure.fields import AS_ABOVE, described, figure, setting
from fairaudit.errors import InputError, quote

Kind = Literal["number", "text", "boolean", "date", "timestamp"]

DAY_KINDS: Final[frozenset[Kind]] = frozenset({"date", "timestamp"})
"""Kinds of days, with or without a time, that are compared with each other."""
ORDERED_KINDS: Final[frozenset[Kind]] = DAY_KINDS | {"number"}
"""Kinds whose values have a smallest and a largest, and can be cut."""
HELD: Final[dict[Kind, str]] = {
    "number": "numbers", "text": "text", "boolean": "true and false", "date": "dates", "timestamp": "time stamps",
}  # fmt: skip
"""What a column of each kind holds, for messages."""

Format = Literal["csv", "tsv", "xlsx", "parquet", "sav", "por", "dta", "sas7bdat", "xpt", "memory", "database"]

Held = TypeVar("Held")

CodeLabels = tuple[tuple[str, str], ...]
"""Codes of a column as texts, each with what it stands for."""
Labels = tuple[tuple[str, CodeLabels], ...]
"""Columns with the labels of their codes."""
LabelsByCode = Mapping[str, str] | Mapping[int, str] | Mapping[str | int, str]
"""The labels of a column as a person gives them: codes are texts or whole numbers."""


@dataclass(frozen=True)
class Column:
    """One column of a table.

    Parameters
    ----------
    name : str
        The name, unique in its table.
    kind : {"number", "text", "boolean", "date", "timestamp"}
        What its values are; there is one kind for all numbers.
    labels : tuple of pairs
        The codes that its texts were read from, each with its label.
    is_mean : bool
        Whether it holds means of several people, so that it says of nobody what they have.
    """

    name: str
    kind: Kind
    labels: CodeLabels = ()
    is_mean: bool = False

    def labelled(self, value: Held) -> Held | str:
        """Return the label of a code, and any other value as it is; of a column with labels, a number becomes text.

        Examples
        --------
        >>> sex = Column("sex", "text", (("1", "man"), ("2", "woman")))
        >>> [sex.labelled(value) for value in (2, "2", "02", "woman", 9)]
        ['woman', 'woman', '02', 'woman', '9']
        """
        if not self.labels or not isinstance(value, str | int | float):
            return value
        labels, text = dict(self.labels), code_text(value)
        if text in labels or isinstance(value, str):
            return labels.get(text, value)
        # A code such as 02 is met by the number 2, where no other code is.
        alike = [label for code, label in self.labels if number_text(code) == text]
        return alike[0] if len(alike) == 1 else text

    @property
    def is_day(self) -> bool:
        """Whether the values are days, with or without a time."""
        return self.kind in DAY_KINDS

    @property
    def is_ordered(self) -> bool:
        """Whether the values have a smallest and a largest."""
        return self.kind in ORDERED_KINDS


@dataclass(frozen=True)
class SurveyDesign:
    """How a sample was drawn, by columns: how many people each row speaks for, and from where it was taken."""

    weights: str = setting("The column of sampling weights.")
    strata: str | None = setting("The column of the strata that were sampled separately.", default=None)
    clusters: str | None = setting(
        "The column of what was drawn first, such as schools; within strata where there are such.", default=None
    )
    n_without: int = figure("Rows without a weight above 0, which are left out.", default=0, compare=False)

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that are named."""
        return tuple(each for each in (self.weights, self.strata, self.clusters) if each is not None)


@dataclass(frozen=True)
class WideCounts:
    """Numbers of cases in two columns, any two of: those with the favourable result, the others, and all."""

    favorable: str | None = setting("The column of cases with the favourable result.", default=None)
    all: str | None = setting("The column of all cases.", default=None)
    others: str | None = setting("The column of cases without the favourable result.", default=None)

    def __post_init__(self) -> None:
        if len(self.roles) != 2:
            raise InputError(
                f"'counts' in two columns needs two of {', '.join(vars(self))}, got {', '.join(self.roles) or 'none'}.",
                hint="Name the column of cases with the favourable result, and that of all cases.",
            )
        if len(set(self.columns)) < 2:
            raise InputError(f"'counts' names column {quote(self.columns[0])} twice.", hint="Name two columns.")

    @property
    def roles(self) -> dict[str, str]:
        """The two columns by what they count."""
        return {role: column for role, column in vars(self).items() if column is not None}

    @property
    def columns(self) -> tuple[str, ...]:
        """The two columns."""
        return tuple(self.roles.values())

    def __str__(self) -> str:
        return " and ".join(f"{quote(column)} ({role})" for role, column in self.roles.items())


@dataclass(frozen=True)
class ByGroup:
    """A column for each of some groups, such as one of women and one of men: numbers of cases, or means."""

    pairs: tuple[tuple[str, str], ...] = setting("Each group with its column.")

    def __post_init__(self) -> None:
        if len(self.pairs) < 2:
            raise InputError(
                f"Columns by group need two groups or more, got {', '.join(self.groups) or 'none'}.",
                hint="Name a column for each group.",
            )
        twice = next((each for each in self.columns if self.columns.count(each) > 1), None)
        if twice is not None:
            raise InputError(f"Two groups have one column, {quote(twice)}.", hint="Name a column for each group.")

    @property
    def groups(self) -> tuple[str, ...]:
        """The groups."""
        return tuple(group for group, _ in self.pairs)

    @property
    def columns(self) -> tuple[str, ...]:
        """Their columns."""
        return tuple(column for _, column in self.pairs)

    def __str__(self) -> str:
        return " and ".join(f"{quote(column)} ({group})" for group, column in self.pairs)


Counts = str | WideCounts | ByGroup
"""What numbers of cases stand in: one column, two of which a decision is made, or one for each group."""

Means = tuple[str | ByGroup, ...]
"""Columns whose number is the mean of the people of a row, or such columns by group."""


def mean_columns(means: Means | None) -> tuple[str, ...]:
    """Return the columns that hold means of several people."""
    return tuple(name for each in means or () for name in ((each,) if isinstance(each, str) else each.columns))


def count_columns(counts: Counts | None) -> tuple[str, ...]:
    """Return the columns that hold numbers of cases."""
    if counts is None:
        return ()
    return (counts,) if isinstance(counts, str) else counts.columns


HiddenCells = tuple[tuple[str, tuple[int, int]], ...]
"""Texts that stand in the place of a number of cases, each with the smallest and the largest that it may stand for."""
NO_CELL = "an empty cell"


def hidden_cells(said: Mapping[str, Iterable[int]] | HiddenCells | None) -> HiddenCells:
    """Return what hidden cells may stand for, as options of reading hold it.

    Examples
    --------
    >>> hidden_cells({"<5": (1, 4)})
    (('<5', (1, 4)),)
    """
    if said is not None and not isinstance(said, Mapping | tuple | list):
        raise InputError("'hidden' must hold two whole numbers for each text.", hint='Such as hidden={"<5": (1, 4)}.')
    pairs = said.items() if isinstance(said, Mapping) else said or ()
    return tuple((str(text).strip(), _hidden_range(str(text).strip(), ends)) for text, ends in pairs)


def _hidden_range(text: str, ends: Iterable[int]) -> tuple[int, int]:
    found = tuple(ends) if isinstance(ends, tuple | list) else ()
    if len(found) != 2 or not all(map(_is_whole, found)) or not 0 <= found[0] <= found[1]:
        shown = quote(text) if text else NO_CELL
        raise InputError(
            f"'hidden' must give two whole numbers from 0 for each text, the smaller first, got {ends} for {shown}.",
            hint='Such as hidden={"<5": (1, 4)}.',
        )
    return int(found[0]), int(found[1])


def _is_whole(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and float(value).is_integer()


@dataclass(frozen=True)
class PartialReading:
    """How numbers of cases that are rounded or hidden are to be read.

    Parameters
    ----------
    rounded_to : int
        The number to whose multiples all others were rounded; 1 where none was.
    hidden : tuple of (str, (int, int))
        By text, the smallest and largest number that it may stand for.
    """

    rounded_to: int = 1
    hidden: HiddenCells = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "hidden", hidden_cells(self.hidden))
        if isinstance(self.rounded_to, bool) or not isinstance(self.rounded_to, int) or self.rounded_to < 1:
            raise InputError(
                f"'rounded_to' must be a whole number of at least 1, got {self.rounded_to!r}.",
                hint="Such as rounded_to=5; 1 says that numbers are exact.",
            )

    @property
    def is_exact(self) -> bool:
        """Whether each cell stands for the number that it shows."""
        return self.rounded_to == 1 and not self.hidden


def code_text(value: object) -> str:
    """Return how a code stands in a table of labels: a whole number without a decimal point.

    Examples
    --------
    >>> code_text(2.0), code_text(2.5), code_text("02"), code_text(True)
    ('2', '2.5', '02', 'true')
    """
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


def number_text(text: str) -> str | None:
    """Return the text of the number that a text is; None where it is none.

    Examples
    --------
    >>> number_text("02"), number_text("2.0"), number_text("A2")
    ('2', '2', None)
    """
    try:
        number = float(text)
    except ValueError:
        return None
    return code_text(number) if math.isfinite(number) else None


def labels_of(labels: Mapping[str, LabelsByCode]) -> Labels:
    """Return labels as options of reading hold them; refuse two codes with one label.

    Examples
    --------
    >>> labels_of({"sex": {1: "man", 2: "woman"}})
    (('sex', (('1', 'man'), ('2', 'woman'))),)
    """
    if not isinstance(labels, Mapping) or not all(isinstance(codes, Mapping) for codes in labels.values()):
        raise InputError(
            "'labels' must hold the labels of each column by code.",
            hint="Such as labels={'sex': {'1': 'man', '2': 'woman'}}.",
        )
    found = ((str(name), checked_codes(str(name), codes.items())) for name, codes in labels.items())
    return tuple((name, codes) for name, codes in found if codes)


def checked_codes(column: str, codes: Iterable[tuple[object, object]]) -> CodeLabels:
    """Return the codes of a column with their labels; refuse a code with two labels, and a label of two codes."""
    found: dict[str, str] = {}
    for code, label in codes:
        key, text = code_text(code).strip(), str(label).strip()
        if not key or not text:
            raise InputError(
                f"Each code of column {quote(column)} must have a label, got {quote(key)} and {quote(text)}.",
                hint="Leave the code out: it stays as it is.",
            )
        if found.get(key, text) != text:
            raise InputError(
                f"Code {quote(key)} of column {quote(column)} has two labels, {quote(found[key])} and {quote(text)}.",
                hint="Keep one of them.",
            )
        found[key] = text
    by_label: dict[str, str] = {}
    for code, label in found.items():
        if label in by_label:
            raise _named_alike(column, by_label[label], code, label)
        by_label[label] = code
    for label, code in by_label.items():
        if label != code and label in found:
            raise label_is_code(column, code, label)
    return tuple(found.items())


def _named_alike(column: str, first: str, second: str, label: str) -> InputError:
    return InputError(
        f"Codes {quote(first)} and {quote(second)} of column {quote(column)} have one label, {quote(label)}.",
        hint="Give each a label of its own.",
    )


def label_is_code(column: str, code: str, label: str) -> InputError:
    """Return the error for a label that is another code of its column."""
    return InputError(
        f"The label of code {quote(code)} of column {quote(column)} is {quote(label)}, which is another code of it.",
        hint="Give it a label in words.",
    )


DayOrder = Literal["year first", "day first", "month first"]
DecimalMark = Literal[".", ","]
ColumnValues = tuple[tuple[str, tuple[str, ...]], ...]
"""Some values of some columns, as their texts."""


def column_values(said: Mapping[str, Iterable[object]] | ColumnValues) -> ColumnValues:
    """Return values by column as a tuple of pairs, each column and each of its values once.

    Examples
    --------
    >>> column_values({"age": [8888, "NA", "8888"]})
    (('age', ('8888', 'NA')),)
    """
    pairs = said.items() if isinstance(said, Mapping) else said
    joined: dict[str, dict[str, None]] = {}
    for column, values in pairs:
        texts = (values,) if isinstance(values, str) else values
        joined.setdefault(column, {}).update(dict.fromkeys(map(str, texts)))
    return tuple((column, tuple(texts)) for column, texts in joined.items() if texts)


SAID_OF_VALUES: Final = ("not_known", "left_out", "real_values")
"""The options that say what values of a column mean."""


@described
@dataclass(frozen=True)
class ReadOptions:
    """How a file is to be read; None means "find out".

    After reading, a table's ``source.options`` holds what was found and used.
    """

    delimiter: str | None = setting("One character between the cells of a text file.", default=None)
    encoding: str | None = setting("A Python codec name such as `utf-8`, `latin-1`, `utf-16`.", default=None)
    decimal: DecimalMark | None = setting(
        "The decimal mark of a text file, or of the texts of a workbook. None finds out, column by column.",
        default=None,
    )
    decimal_point: tuple[str, ...] = setting(
        "Columns whose decimal mark is the point or the comma, whatever `decimal` says; the other mark then "
        "stands between thousands. A column in which 1.234 may be either is not read before one is said.",
        default=(),
    )
    decimal_comma: tuple[str, ...] = setting(AS_ABOVE, default=())
    as_text: tuple[str, ...] = setting("Columns that are kept as texts, whatever they look like.", default=())
    numbers: tuple[str, ...] = setting(
        "Columns of few whole numbers that are numbers and no codes: more of them is more. Labels that the file has "
        "for them are not used.",
        default=(),
    )
    codes: tuple[str, ...] = setting(
        "Columns of few whole numbers that are codes without labels: they become text, so that none is more than "
        "another.",
        default=(),
    )
    labels: Labels = setting(
        "By column, what its codes stand for: the column becomes text. A code without a label stays as it is.",
        default=(),
    )
    dates: DayOrder | None = setting(
        "How the days of a text file, or in the texts of a workbook, are written, besides 2024-12-31, which is "
        "always read: 31/12/2024 (day first) or 12/31/2024 (month first), with points, strokes or hyphens. None "
        "finds out: 31.12.2024 alone is read.",
        default=None,
    )
    quote: str | None = setting("The quote character of a text file, empty for none.", default=None)
    header: bool | None = setting("Whether the first line holds the names.", default=None)
    sheet: str | None = setting("The sheet of a workbook.", default=None)
    trim: bool = setting("Remove blanks around the cells of a text file.", default=True)
    missing: tuple[str, ...] = setting(
        'Cell texts that mean "missing" besides the empty cell, such as `?`.', default=()
    )
    distinct: bool = setting("Of rows that are equal in every cell, keep the first alone.", default=False)
    one_row_per: str | None = setting(
        "The column that names cases of which some have several rows, such as one for each charge: of each case the "
        "first row is kept, and of rows without a value all.",
        default=None,
    )
    same_spelling: tuple[str, ...] = setting(
        "Columns of texts in which values that differ by letter case, or by how many blanks stand around or in "
        "them, are read as one value: the most frequent spelling, of several the first in sorted order.",
        default=(),
    )
    names_row: int | None = setting(
        "The line of a text file, or the row of a sheet, in which the names stand, counted from 1 as a "
        "spreadsheet does. What stands above is left out.",
        default=None,
    )
    name_rows: int | None = setting(
        "How many rows the names stand in: those of a column are put together. None finds merged cells of a sheet.",
        default=None,
    )
    rows_out: tuple[int, ...] = setting(
        "Lines of a text file, or rows of a sheet, that are left out, such as titles, notes and totals; from 1.",
        default=(),
    )
    filled_down: tuple[str, ...] = setting(
        "Columns whose empty cells have the value above them, as where cells are merged.", default=()
    )
    left_empty: tuple[str, ...] = setting("Columns with merged cells in which empty cells stay empty.", default=())
    rules: Literal[1, 2] | None = setting(
        "The rules that files are read by: 1 are those up to version 0.7, when only plain numbers were numbers. "
        "None is what a plan with a decimal mark says that names no rules: 2, but the mark may be what version "
        "0.7 found.",
        default=2,
    )
    rows_are_cases: bool = setting(
        "Each row is one case, whatever a column of whole numbers looks like; see find_count_column.", default=False
    )
    counts: Counts | None = setting(
        "The column that says how many cases each row stands for; two of `favorable`, `others` and `all`; or one for "
        "each group. Each row is counted as often, and of several columns a decision or the groups are made.",
        default=None,
    )
    means: Means | None = setting(
        "Columns whose number is the mean of the people that a row stands for; where counts are by group, those of "
        "each group. None where nobody has said whether there are such.",
        default=None,
    )
    rounded_to: int | None = setting(
        "The number to whose multiples the numbers of cases were rounded; 1 says that they are exact. None finds out "
        "whether they seem to be, and asks.",
        default=None,
    )
    hidden: HiddenCells = setting(
        "Texts that stand in the place of a number of cases, such as `<5`, each with the smallest and the largest "
        "number that it may stand for.",
        default=(),
    )
    weights: str | None = setting(
        "The column of sampling weights: how many people each row of a survey speaks for.", default=None
    )
    design_strata: str | None = setting("The column of the strata that a survey was drawn from.", default=None)
    design_clusters: str | None = setting(
        "The column of what a survey drew first, such as schools or districts.", default=None
    )
    unweighted: bool = setting(
        "Each row counts once, whatever a column of weights looks like; see weight_columns.", default=False
    )
    counts_confirmed: bool = setting(
        "Two columns of counts hold what is said of them, whatever their names and sums look like; see doubted_counts.",
        default=False,
    )
    all_closed: bool = setting(
        "No case waits any more, so that each time is final, whatever a column looks like; see find_open_cases.",
        default=False,
    )

    not_known: ColumnValues = setting(
        "Values of a column that say that something is not known: they are read as missing.", default=()
    )
    left_out: ColumnValues = setting(
        "Values of a column whose rows are left out, such as totals of other rows.", default=()
    )
    real_values: ColumnValues = setting(
        "Values of a column that look like a total, or like something that is not known, and are values like others.",
        default=(),
    )

    derived: ColumnValues = setting(
        "New columns, each with those that it is made of, such as boxes of which a person may tick several.",
        default=(),
    )

    def __post_init__(self) -> None:
        """Take values by column also as a mapping."""
        for name in (*SAID_OF_VALUES, "derived"):
            object.__setattr__(self, name, column_values(getattr(self, name)))
        object.__setattr__(self, "hidden", hidden_cells(self.hidden))
        self._check_said_once()
        self._check_means()
        self._check_counts()
        self._check_columns_said_once()
        if self.weights is None and (self.design_strata is not None or self.design_clusters is not None):
            raise InputError(
                "'design_strata' and 'design_clusters' say how a weighted sample was drawn, got no 'weights'.",
                hint="Name the column of weights, too; one of ones where all rows weigh alike.",
            )
        if self.weights is not None and self.unweighted:
            raise InputError(
                f"'unweighted' says that each row counts once, and 'weights' names column {quote(self.weights)}.",
                hint="Keep one of both.",
            )

    def _check_said_once(self) -> None:
        """Refuse a value of which two things are said."""
        said: dict[tuple[str, str], str] = {}
        for name in SAID_OF_VALUES:
            for column, values in getattr(self, name):
                for value in values:
                    if first := said.get((column, value)):
                        raise InputError(
                            f"Value {quote(value)} of column {quote(column)} stands in {first!r} and in {name!r}; "
                            "one is possible.",
                            hint="Keep one of both.",
                        )
                    said[column, value] = name

    def _check_means(self) -> None:
        """Refuse means that do not go with the counts: they need numbers of people in the same shape."""
        for each in self.means or ():
            if isinstance(each, ByGroup):
                groups = self.counts.groups if isinstance(self.counts, ByGroup) else ()
                if set(each.groups) != set(groups):
                    raise InputError(
                        f"'means' has columns for {', '.join(each.groups)}, and 'counts' for "
                        f"{', '.join(groups) or 'no group'}.",
                        hint="Name columns of the same groups in both.",
                    )
            elif not isinstance(self.counts, str):
                raise InputError(
                    f"'means' names column {quote(each)}, which needs one column of 'counts': how many people each "
                    "mean is of.",
                    hint="Name that column, too, or leave the means out.",
                )
        named = (*count_columns(self.counts), *mean_columns(self.means))
        twice = next((name for name in mean_columns(self.means) if named.count(name) > 1), None)
        if twice is not None:
            raise InputError(f"'counts' and 'means' name column {quote(twice)} twice.", hint="Name it once.")

    def _check_counts(self) -> None:
        """Refuse what is said of numbers of cases where none are named, or where rows have weights, too."""
        said = self.said_of_counts
        if said is None:
            return
        if self.counts is None:
            raise InputError(
                "'rounded_to' and 'hidden' say how numbers of cases are printed, got no 'counts'.",
                hint="Name the column that counts cases, too.",
            )
        if not said.is_exact and self.means:
            raise InputError(
                f"Means of several people need exact counts, got rounded or hidden ones in {self.counts}.",
                hint="Keep one of both.",
            )
        if self.weights is not None and not said.is_exact:
            raise InputError(
                f"Sampling weights need exact counts, got rounded or hidden ones beside column {quote(self.weights)}.",
                hint="Keep one of both.",
            )

    @property
    def said_of_counts(self) -> PartialReading | None:
        """What is said of rounded and hidden numbers of cases; None where nothing is."""
        if self.rounded_to is None and not self.hidden:
            return None
        return PartialReading(1 if self.rounded_to is None else self.rounded_to, self.hidden)

    def _check_columns_said_once(self) -> None:
        """Refuse a column of whose numbers, or empty cells, two things are said."""
        for options in (("labels", "numbers", "codes"), ("filled_down", "left_empty")):
            said: dict[str, str] = {}
            for option in options:
                names = [name for name, _ in self.labels] if option == "labels" else getattr(self, option)
                for column in dict.fromkeys(names):
                    if first := said.get(column):
                        raise InputError(
                            f"Column {quote(column)} stands in {first!r} and in {option!r}; one is possible.",
                            hint="Keep one of both.",
                        )
                    said[column] = option

    @property
    def design(self) -> SurveyDesign | None:
        """The design of the survey; None where no weights are named."""
        if self.weights is None:
            return None
        return SurveyDesign(self.weights, self.design_strata, self.design_clusters)

    @property
    def before_counting(self) -> ReadOptions:
        """The same without what rows stand for, which is said of a table once they are read."""
        return replace(
            self,
            rows_are_cases=False, counts=None, means=None, rounded_to=None, hidden=(), counts_confirmed=False,
            weights=None, design_strata=None, design_clusters=None, unweighted=False, all_closed=False,
        )  # fmt: skip


@dataclass(frozen=True)
class FirstRows:
    """The first rows of a file as they stand in it, for a person who says which of them hold what.

    Parameters
    ----------
    rows : tuple of (int, tuple of str)
        The line of a text file, or the row of a sheet, counted from 1, and its cells.
    merged : tuple of str
        Columns with cells that are merged downward.
    n_merged : int
        How many cells in the rows are empty, as another one that they are merged with has the value.
    """

    rows: tuple[tuple[int, tuple[str, ...]], ...] = ()
    merged: tuple[str, ...] = ()
    n_merged: int = 0


@dataclass(frozen=True)
class Source:
    """Where a table came from and how it was read."""

    format: Format = setting('The kind of the content, as read from it; "database" where the rows stay in an engine.')
    size_bytes: int = figure("Size of the file as it was given.", default=0)
    compressed: bool = setting("Whether it was gzip-compressed.", default=False)
    in_place: bool = setting(
        "Whether rows are read from the file at each question instead of being held in memory.", default=False
    )
    options: ReadOptions = setting("What was found and used.", default_factory=ReadOptions)
    sheets: tuple[str, ...] = setting("The sheets of a workbook.", default=())
    decimal: DecimalMark | None = setting(
        "The decimal mark of its numbers, where it is one in all columns.", default=None
    )
    names_row: int | None = setting("The first row of the names, and how many there are.", default=None)
    name_rows: int | None = setting(AS_ABOVE, default=None)


@dataclass(frozen=True)
class ConnectionFacts:
    """Where the rows of a connected table stay; holds no address, no user and no password."""

    engine: str = setting('Such as "PostgreSQL".')
    connection: str | None = setting("The name that an administrator gave to the connection.", default=None)
    table: str | None = setting("The table or view.", default=None)
    query: str | None = setting("The query, where it is not a table.", default=None)
