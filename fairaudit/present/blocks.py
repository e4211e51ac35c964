"""The parts of a report: frozen, in order, without any layout; and their tables for paper and as CSV cells."""

from __future__ import annotations

import csv
import datetime
import io
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, Literal, SupportsFloat, get_args

import pandas as pd

from fairaudit.data.formulas import neutralised
from fairaudit.disclosure.fields import Field, Kind
from fairaudit.measure.limits import digits_of_rows
from fairaudit.measure.other_side import flipped_value
from fairaudit.messages import called
from fairaudit.messages.catalogue import translated
from fairaudit.present import numbers
from fairaudit.present.numbers import NOT_SHOWN

if TYPE_CHECKING:
    from altair.typing import ChartType

INTERVAL_OF: Final[dict[Kind, Kind]] = {
    "share": "share_interval",
    "points": "points_interval",
    "size": "size_interval",
    "number": "number_interval",
    "amount": "amount_interval",
    "difference": "difference_interval",
}
_INTERVALS: Final[dict[str, numbers.IntervalKind]] = {
    "share_interval": "share",
    "points_interval": "points",
    "size_interval": "number",
    "number_interval": "number",
    "difference_interval": "difference",
}
SUBTRACTED: Final = " minus "
"""What stands between two groups whose figures are subtracted."""
NUMBER_KINDS = tuple(kind for kind in get_args(Kind) if kind not in ("text", "code", "group", "groups"))


@dataclass(frozen=True)
class Heading:
    """A heading; `level` 1 is a chapter of the report, 2 a section in it, 3 the smallest. One may start a page."""

    level: int
    text: str
    starts_page: bool = False


@dataclass(frozen=True)
class Paragraph:
    """A paragraph. `strong` is set in bold before `text`; a `lead` paragraph is set larger."""

    text: str
    lead: bool = False
    strong: str = ""


@dataclass(frozen=True)
class Note:
    """A remark or a warning, set apart from the running text."""

    text: str
    kind: Literal["info", "warning"] = "info"


@dataclass(frozen=True)
class Items:
    """A list of short texts, one bullet each."""

    items: tuple[str, ...]
    title: str | None = None


@dataclass(frozen=True)
class KeyValues:
    """Facts, one a line: a label and its value. Values shown as code are named in `code` by their label."""

    title: str | None
    rows: tuple[tuple[str, str], ...]
    code: tuple[str, ...] = ()


@dataclass(frozen=True)
class TableBlock:
    """A table of values. `key` names it in exports and is unique in a document; `note` is a line under it.

    One `is_turned` is read on the side of people without the favourable result, of whom sentences speak; its values,
    and with them all exports, stay those of the favourable result. `names` are groups as exports have them, each with
    what people read.
    """

    key: str
    title: str
    columns: tuple[Field, ...]
    rows: tuple[tuple[Any, ...], ...]
    note: str | None = None
    is_turned: bool = False
    names: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Chart:
    """A chart, its caption, its text alternative and, by key, the table with the same numbers.

    Those of the table are of the favourable result, also where `is_turned` says that those of the picture are not.
    """

    key: str
    title: str
    alt: str
    chart: ChartType
    table_key: str | None = None
    is_turned: bool = False


@dataclass(frozen=True)
class Code:
    """Text set in a fixed-width face, line by line: a condition, a query, a plan."""

    text: str
    title: str | None = None


@dataclass(frozen=True)
class Strip:
    """An answer in one line: what was asked, what came out, and a small picture beside it."""

    title: str
    strong: str
    text: str
    picture: Chart | None = None


@dataclass(frozen=True)
class ShortSection:
    """A short section under a heading of its own."""

    title: str
    blocks: tuple[Paragraph | Items, ...]


@dataclass(frozen=True)
class Pair:
    """Two short sections beside each other."""

    left: ShortSection
    right: ShortSection


Block = Heading | Paragraph | Note | Items | KeyValues | TableBlock | Chart | Code | Strip | ShortSection | Pair


@dataclass(frozen=True)
class Attachment:
    """A file of text that goes along inside a document: its name, its content, and what it is."""

    name: str
    content: bytes
    about: str


@dataclass(frozen=True)
class Document:
    """A whole report.

    Parameters
    ----------
    title : str
        What was audited.
    subtitle : str
        The first part of the small line above the title.
    language : str
        Language code of the text, such as ``en``.
    blocks : tuple of Block
        The content, in order.
    author : str, optional
        Who made the report.
    byline : tuple of str
        What stands beside it: organisation, author and date, as far as they are given.
    footer : str
        The left part of the line at the foot of each page.
    is_brief : bool
        Whether it is the few pages that a committee reads, which are set larger.
    dated : date, optional
        The day that the plan states, for what a reader of the file shows of it.
    attached : tuple of Attachment
        The files inside it.
    known_by : tuple of (str, str)
        Digests of what it was made from, by what they are of; empty where one is not shown.
    """

    title: str
    subtitle: str
    language: str
    blocks: tuple[Block, ...]
    author: str | None = None
    byline: tuple[str, ...] = ()
    footer: str = "fairaudit report"
    is_brief: bool = False
    dated: datetime.date | None = None
    attached: tuple[Attachment, ...] = ()
    known_by: tuple[tuple[str, str], ...] = ()


def in_language(block: Block) -> Block:
    """Return a block with its labels in the language that is spoken here; what is said or of the data stays."""
    match block:
        case Heading() | Note():
            return replace(block, text=translated(block.text))
        case Paragraph():
            return replace(block, strong=translated(block.strong))
        case Items():
            items = tuple(map(translated, block.items))
            return replace(block, items=items, title=block.title and translated(block.title))
        case KeyValues():
            rows = tuple((translated(name), value) for name, value in block.rows)
            code = tuple(map(translated, block.code))
            return replace(block, title=block.title and translated(block.title), rows=rows, code=code)
        case TableBlock():
            columns = tuple(replace(each, label=translated(each.label)) for each in block.columns)
            return replace(
                block, title=translated(block.title), columns=columns, note=block.note and translated(block.note)
            )
        case Chart() | Strip() | ShortSection():
            return replace(block, title=translated(block.title))
        case Code():
            return replace(block, title=block.title and translated(block.title))
        case Pair():
            return block
    raise TypeError(f"{type(block).__name__} is no block")


def row_texts(table: TableBlock) -> list[list[str]]:
    """Show the rows of a table as people read them, with one decimal more where figures otherwise do not subtract.

    Examples
    --------
    >>> columns = (Field("a", "A", "share"), Field("b", "B", "share"), Field("d", "D", "points"))
    >>> table = TableBlock("t", "T", columns, ((0.44519, 0.30354, 0.14165), (0.5, 0.25, 0.25)))
    >>> [row[2] for row in row_texts(table)]
    ['+14.2', '+25.0']
    >>> columns = (*columns[:2], replace(columns[2], of=("a", "b")))
    >>> [[text.split(numbers.NO_BREAK)[0] for text in row] for row in row_texts(replace(table, columns=columns))]
    [['44.52', '30.35', '+14.16'], ['50.00', '25.00', '+25.00']]
    """
    table = as_read(table)
    position = {column.name: i for i, column in enumerate(table.columns)}
    columns = list(table.columns)
    for i, column in enumerate(table.columns):
        if column.of is not None and all(name in position for name in column.of):
            _let_subtract(columns, table.rows, position[column.of[0]], position[column.of[1]], i)
    return [[cell_text(v, c.kind, digits=c.digits, beside=c.beside) for v, c in zip(row, columns, strict=True)]
            for row in table.rows]  # fmt: skip


def as_read(table: TableBlock) -> TableBlock:
    """Return a table with its values on the side on which people read them.

    Examples
    --------
    >>> columns = (Field("a", "A", "share", turns=True), Field("d", "D", "points_interval", turns=True))
    >>> row_texts(TableBlock("t", "T", columns, ((0.25, (0.1, 0.2)),), is_turned=True))[0][1]
    '−20.0 to −10.0'
    """
    if not (table.is_turned or table.names):
        return table
    names = dict(table.names)

    def read(value: Any, column: Field) -> object:
        if column.kind == "group":
            return names.get(value, value)
        if column.kind == "groups" and not isinstance(value, str):
            return tuple(names.get(each, each) for each in value)
        return flipped_value(value, column.kind) if table.is_turned and column.turns else value

    rows = tuple(
        tuple(read(value, column) for value, column in zip(row, table.columns, strict=True)) for row in table.rows
    )
    return replace(table, rows=rows, is_turned=False, names=())


def _let_subtract(columns: list[Field], rows: tuple[tuple[Any, ...], ...], own: int, other: int, gap: int) -> None:
    """Give three columns of a table one decimal more where in some row they do not subtract with as many as usual."""
    scale, digits = 100 if columns[gap].kind == "points" else 1, _places(columns[gap].kind, columns[gap].digits)
    beside = columns[gap].beside
    known = [row for row in rows if numbers.are_known(row[own], row[other], row[gap])]
    scaled = [(scale * row[own], scale * row[other], scale * row[gap]) for row in known]
    places = digits_of_rows(scaled, [] if beside is None else [scale * beside], digits=digits)
    for i in (own, other, gap):
        columns[i] = replace(columns[i], digits=places)


def cell_text(value: Any, kind: Kind = "text", *, digits: int | None = None, beside: float | None = None) -> str:
    """Show one value of a table as people read it.

    Examples
    --------
    >>> cell_text(-0.123, "points"), cell_text(13827, "count"), cell_text(0.0001, "p")
    ('−12.3', '13,827', '< 0.001')
    >>> cell_text("the rest"), cell_text("the rest", "group"), cell_text(("women", "the rest"), "groups")
    ('the rest', 'everyone else', 'women minus everyone else')
    >>> cell_text((-0.145, -0.101), "points_interval")
    '−14.5 to −10.1'
    """
    if kind in NUMBER_KINDS and not isinstance(value, str):
        return _number_text(value, kind, digits, beside)
    if value is None or (not isinstance(value, (str, tuple, list)) and bool(pd.isna(value))):
        return ""
    if isinstance(value, bool):
        return translated("yes" if value else "no")
    if kind == "groups" and not isinstance(value, str):
        return SUBTRACTED.join(map(called, value))
    return called(value) if kind == "group" else str(value)


def _number_text(value: Any, kind: str, digits: int | None, beside: float | None) -> str:
    places = _places(kind, digits)
    kind = kind.replace("amount", "number")
    if kind.endswith("_interval"):
        low, high = (None, None) if value is None else value
        if isinstance(low, str):
            return translated(low)
        scale = 100 if kind == "size_interval" else 1
        first, last = (None if (plain := _plain(end)) is None else scale * plain for end in (low, high))
        return numbers.interval_text((first, last), _INTERVALS[kind], digits=places, beside=beside)
    number = _plain(value)
    if kind == "count":
        return numbers.count_text(number)
    if kind == "share":
        return numbers.share_text(number, digits=places, beside=beside)
    if kind == "difference":
        return numbers.signed_text(number, digits=places)
    if kind == "points":
        return numbers.points_number(number, digits=places, beside=beside)
    if kind == "p":
        return numbers.p_number(number)
    scale = 100 if kind == "size" else 1
    limits = () if beside is None else (-scale * beside, scale * beside)
    return numbers.beside_text(None if number is None else scale * number, limits, digits=places)


def _places(kind: str, digits: int | None) -> int:
    return (2 if kind.startswith(("number", "amount", "difference")) else 1) if digits is None else digits


def _plain(value: SupportsFloat | None) -> float | None:
    if value is None:
        return None
    return math.nan if pd.isna(value) else float(value)


# Tables for paper.


def pick(table: TableBlock, names: Iterable[str]) -> TableBlock:
    """Return a table with only the named columns, in their given order."""
    position = {column.name: i for i, column in enumerate(table.columns)}
    kept = [position[name] for name in names if name in position]
    rows = tuple(tuple(row[i] for i in kept) for row in table.rows)
    return replace(table, columns=tuple(table.columns[i] for i in kept), rows=rows)


def records(table: TableBlock) -> list[dict[str, Any]]:
    """Return the rows of a table by the names of its columns."""
    names = [column.name for column in table.columns]
    return [dict(zip(names, row, strict=True)) for row in table.rows]


def moved_table(table: TableBlock, fields: Mapping[str, str]) -> TableBlock:
    """Return a table for paper: what is before and after in two columns becomes one, "56.7 % to 64.4 %"."""
    table = as_read(table)
    position = {column.name: i for i, column in enumerate(table.columns)}
    pairs = {f"{field}_{end}".lstrip("_"): field for field in fields for end in ("before", "after")}
    columns: list[Field] = []
    cells: list[list[object]] = [[] for _ in table.rows]
    for name, i in position.items():
        if name not in pairs:
            columns.append(table.columns[i])
            texts = [row[i] for row in table.rows]
        elif name.endswith("before"):
            other = position[f"{name.removesuffix('before')}after"]
            columns.append(
                replace(table.columns[i], name=pairs[name] or "moved", label=fields[pairs[name]], kind="text")
            )
            texts = [numbers.range_text(_text(table, row, i), _text(table, row, other)) for row in table.rows]
        else:
            continue
        for row, text in zip(cells, texts, strict=True):
            row.append(text)
    return replace(table, columns=tuple(columns), rows=tuple(tuple(row) for row in cells))


def _text(table: TableBlock, row: tuple[object, ...], column: int) -> str:
    spec = table.columns[column]
    return cell_text(row[column], spec.kind, digits=spec.digits, beside=spec.beside)


# Cells of CSV: numbers in full, and no text that a spreadsheet would run.

UNITS = {
    "text": "text",
    "code": "text",
    "group": "text",
    "groups": "text",
    "count": "rows",
    "share": "fraction from 0 to 1",
    "points": "difference of two shares, a fraction from -1 to 1 (0.01 is one point)",
    "size": "difference of two shares, a fraction from 0 to 1 (0.01 is one point)",
    "number": "number",
    "amount": "in the unit of the decision",
    "difference": "difference of two amounts, in the unit of the decision",
    "p": "probability from 0 to 1",
}
APOSTROPHE = "an apostrophe stands before a text that a spreadsheet would run as a formula"


def csv_bytes(header: tuple[str, ...], rows: Iterable[Sequence[object]]) -> bytes:
    """Return lines as CSV: UTF-8 with a byte order mark, commas, quoted texts, CRLF."""
    stream = io.StringIO(newline="")
    writer = csv.writer(stream, quoting=csv.QUOTE_NONNUMERIC)
    writer.writerow([neutralised(name) for name in header])
    for row in rows:
        writer.writerow([_cell(value) for value in row])
    return b"\xef\xbb\xbf" + stream.getvalue().encode("utf-8", errors="replace")


def flat_header(table: TableBlock) -> tuple[str, ...]:
    """Return the field names of a table; an interval has two, ``name_low`` and ``name_high``."""
    return tuple(name for column in table.columns for name, _, _ in fields(column))


def flat_rows(table: TableBlock) -> list[tuple[object, ...]]:
    """Return the rows of a table with both ends of each interval in cells of their own."""
    flat = []
    for row in table.rows:
        cells: list[object] = []
        for column, value in zip(table.columns, row, strict=True):
            if column.kind.endswith("_interval"):
                cells += [NOT_SHOWN if end is None else end for end in value]
            elif column.kind == "groups" and not isinstance(value, str):
                cells.append(SUBTRACTED.join(value))
            else:
                cells.append(value)
        flat.append(tuple(cells))
    return flat


def fields(column: Field) -> tuple[tuple[str, str, str], ...]:
    """Return the fields that a column becomes: name, meaning and unit of each."""
    if column.kind.endswith("_interval"):
        unit = UNITS[column.kind.removesuffix("_interval")]
        ends = (("low", "Lower"), ("high", "Upper"))
        return tuple((f"{column.name}_{end}", f"{word} end: {column.meaning}", unit) for end, word in ends)
    unit = UNITS[column.kind]
    return ((column.name, column.meaning, f"{unit}; {APOSTROPHE}" if unit == "text" else unit),)


def _cell(value: object) -> object:
    if value is None:
        return ""
    if hasattr(value, "item"):
        value = value.item()
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return value
    if isinstance(value, float):
        if math.isnan(value):
            return ""
        return int(value) if value.is_integer() and abs(value) < 2**53 else value
    return neutralised(str(value))
