"""XLSX workbooks: looked at as an archive first, then one sheet as text cells."""

from __future__ import annotations

import datetime
import io
import lzma
import re
import zipfile
import zlib
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import replace
from decimal import Decimal
from functools import cache
from itertools import pairwise

import pyarrow as pa
from python_calamine import CalamineError, CalamineSheet, CalamineWorkbook

from fairaudit.columns import FirstRows, ReadOptions, Source
from fairaudit.data.answers import Answers
from fairaudit.data.dialect import check_name_rows, has_header, headless, lines_above_names, lines_left_out
from fairaudit.data.engine import connect, reading
from fairaudit.data.formats import check_growth, refused
from fairaudit.data.kinds import BLANKS, TWO_WAYS, CellRules, cell_rules, marks_of_texts
from fairaudit.data.limits import Limits
from fairaudit.data.load import ArrowRows, load_cells, one_column, written_notes
from fairaudit.data.names import (
    MOST_SHOWN,
    check_filled,
    check_width,
    clean_names,
    joined_names,
    shown_cells,
)
from fairaudit.data.sheet_marks import marks_of_sheet
from fairaudit.data.table import Table
from fairaudit.disclosure.said import remark
from fairaudit.errors import (
    DataError,
    InputError,
    LimitError,
    NoRowsError,
    UnsupportedFormatError,
    near_names,
    quote,
    require,
)
from fairaudit.findings import Argument, Count, Message, Phrase
from fairaudit.messages import say

_STEP = 1 << 20
_DOCUMENTS = {"word/": "a Word document", "ppt/": "a PowerPoint presentation"}
_OPEN_DOCUMENTS = {
    b"application/vnd.oasis.opendocument.text": "an OpenDocument text (ODT)",
    b"application/vnd.oasis.opendocument.spreadsheet": "an OpenDocument workbook (ODS)",
    b"application/vnd.oasis.opendocument.presentation": "an OpenDocument presentation (ODP)",
}
_LONGEST_TYPE = 100
_LOOKED_AT = 200
_MOST_NAMES = 5
_MOST_BELOW = 20
_MOST_NAMED = 3
_MARK = re.compile(TWO_WAYS)
_Row = tuple[int, Sequence[object]]
_Range = tuple[tuple[int, int], tuple[int, int]]
_DAMAGED = "Open it in a spreadsheet program and save it as XLSX again, or as CSV."
# A row or cell, with its position where it says one; and a cell whose value may be the number of a shared text.
_PLACE = re.compile(rb"<(?:\w+:)?(row|c)(?=[\s/>])(?:[^<>]*?\sr\s*=\s*[\"']\s*([A-Za-z]{0,4})(\d{1,9}))?")
_SHARED = re.compile(rb"<(?:\w+:)?v(?:\s[^<>]*)?>\s*\d")
# The attributes of a cell, or the number of a shared text.
_CELL = re.compile(rb"<(?:\w+:)?(?:c(?=[\s/>])([^<>]*)>|v(?:\s[^<>]*)?>\s*(\d{1,9}))")
_IS_SHARED = re.compile(rb"\st\s*=\s*[\"']s[\"']")
_TEXT_END = re.compile(rb"</(?:\w+:)?si\s*>")


def read_workbook(data: bytes, *, name: str, options: ReadOptions, limits: Limits, source: Source) -> Table:
    """Read one sheet of an XLSX workbook."""
    _check_archive(data, limits)
    try:
        with CalamineWorkbook.from_filelike(io.BytesIO(data)) as book:
            sheets = tuple(book.sheet_names)
            sheet_name, sheet = _choose(book, sheets, options)
            rows = sheet.to_python(skip_empty_area=True)
            merged = tuple(sheet.merged_cell_ranges or ())
            corner = sheet.start or (0, 0)
    except CalamineError:
        raise DataError("The workbook is damaged and cannot be read.", hint=_DAMAGED) from None
    except BaseException as error:
        # The reader is written in Rust; a panic in it derives from BaseException and has no importable name.
        if type(error).__name__ != "PanicException":
            raise
        raise DataError("The workbook is damaged and cannot be read.", hint=_DAMAGED) from None
    sheet_rows = _SheetRows(rows, corner, merged, options)
    last = corner[1] + sheet_rows.width
    sheet_rows.notes = (*sheet_rows.notes, *marks_of_sheet(data, sheet_name, width=last).notes)
    return _as_table(sheet_rows, sheet_name, sheets, name=name, options=options, limits=limits, source=source)


def _as_table(
    sheet: _SheetRows,
    sheet_name: str,
    sheets: tuple[str, ...],
    *,
    name: str,
    options: ReadOptions,
    limits: Limits,
    source: Source,
) -> Table:
    """Return the rows of a sheet as a table."""
    if not sheet.names and not sheet.body:
        raise DataError(f"Sheet {quote(sheet_name)} is empty.", hint="Choose another sheet.")
    check_width(sheet.width, limits)
    names, notes = clean_names(sheet.names or [""] * sheet.width, limits)
    if not sheet.body:
        raise NoRowsError(names)
    filled, empty = (
        [names.index(name) for name in check_filled(said, names, option)]
        for option, said in (("filled_down", options.filled_down), ("left_empty", options.left_empty))
    )
    sheet.fill_down(filled, empty)
    rules = cell_rules(options, blanks=BLANKS, rare_comma=True)
    texts, rules = _written_alike(sheet.body, names, rules)
    arrays = [pa.array(column, pa.string()) for column in texts]
    held = pa.table(arrays, names=[f"c{place}" for place in range(sheet.width)])
    connection = connect()
    with reading("The workbook", _DAMAGED):
        loaded = load_cells(connection, ArrowRows(held), names, rules, limits)
    found = replace(options, sheet=sheet_name, header=bool(sheet.names))
    table = Table(
        Answers(connection),
        columns=loaded.columns,
        n_rows=loaded.n_rows,
        name=name,
        source=replace(
            source, format="xlsx", options=found, sheets=sheets, names_row=sheet.names_row, name_rows=sheet.name_rows
        ),
        notes=(*_sheet_notes(sheet_name, sheets, options), *sheet.notes, *(notes if sheet.names else (headless(),)),
               *loaded.notes, *written_notes(names, loaded), *one_column(sheet.width)),
    )  # fmt: skip
    table.first_rows = FirstRows(sheet.first, tuple(names[place] for place in sheet.merged_down), sheet.n_merged)
    return table


class _SheetRows:
    """The rows of a sheet: what stands above the names, the names, the rows of the table, what stands below.

    Attributes
    ----------
    names : list of str
        One for each column; empty where no row holds the names.
    body : list of lists
        The cells of the table as the workbook types them.
    names_row, name_rows : int or None
        Where the names stand, counted from 1.
    notes : tuple of str
        What was left out, or put together.
    """

    def __init__(
        self, rows: Sequence[Sequence[object]], corner: tuple[int, int], merged: Sequence[_Range], options: ReadOptions
    ):
        check_name_rows(options)
        self._column = corner[1]
        self._merged = () if options.rules == 1 else merged
        numbered = [(number, row) for number, row in enumerate(rows, start=corner[0] + 1)]
        self.first = tuple(
            (number, shown_cells(list(map(_text, row)))) for number, row in numbered[:MOST_SHOWN] if not _is_empty(row)
        )
        left_out = _check_rows(options.rows_out, numbered)
        numbered = [(number, row) for number, row in numbered if number not in left_out]
        while numbered and _is_empty(numbered[-1][1]):
            numbered.pop()
        # As in a text table, an empty row is nothing, but in a single column it is a missing cell.
        kept = [(number, row) for number, row in numbered if len(row) == 1 or not _is_empty(row)]
        self.width = max((len(row) for _, row in kept), default=0)
        texts = [[_text(value) for value in row] for _, row in kept[:_LOOKED_AT]]
        n_above = lines_above_names(texts, options)
        if options.names_row is not None:
            n_above = _place_of(options.names_row, [number for number, _ in kept])
        above, kept = kept[:n_above], kept[n_above:]
        said = options.names_row or options.name_rows
        header = bool(said) or (has_header(texts[n_above:]) if options.header is None else options.header)
        n_names = (options.name_rows or self._n_names(kept)) if header and kept else 0
        self.names = self._joined(kept[:n_names]) if n_names else []
        self.names_row: int | None = kept[0][0] if n_names else None
        self.name_rows: int | None = n_names or None
        self._last_names_row = kept[n_names - 1][0] if n_names else None
        n_empty = len(numbered) - len(kept) - len(above)
        body = kept[n_names:]
        below = 0 if options.rules == 1 else _n_below(body)
        body_rows = body[: len(body) - below]
        self.body = [row for _, row in body_rows]
        inside = {number - 1 for number, _ in body_rows}
        self.merged_down = sorted(
            {
                left - self._column
                for (top, left), (bottom, _) in self._merged
                if top in inside and bottom > top and 0 <= left - self._column < self.width
            }
        )
        shown = [[_text(value) for value in row] for _, row in above]
        self.n_merged = self._n_merged(body)
        self.notes: tuple[str, ...] = (
            *lines_left_out(shown),
            *self._names_note(),
            *_empty_rows(n_empty),
            *_below_note([row for _, row in body[len(body) - below :]]),
        )

    def fill_down(self, places: Sequence[int], left_empty: Sequence[int] = ()) -> None:
        """Put the value above them into the empty cells of some columns; of others it is said that they stay empty."""
        rows = [list(row) for row in self.body]
        for place in places:
            for above, row in pairwise(rows):
                row[place] = above[place] if row[place] == "" else row[place]
        self.body = [*rows]
        is_said = bool(self.merged_down) and set(self.merged_down) <= {*places, *left_empty}
        if self.n_merged and not is_said:
            self.notes = (*self.notes, say(Message("read-merged", {"n": Count(self.n_merged)})))

    def _n_names(self, kept: Sequence[_Row]) -> int:
        """Return how many rows hold names: those below merged cells, where they are like nothing below them."""
        n = 1
        while n < min(_MOST_NAMES, len(kept) - 1) and self._goes_on(kept[n - 1][0]) and _is_names(kept[n:]):
            n += 1
        return n

    def _goes_on(self, number: int) -> bool:
        """Say whether a cell of a row is merged with one below, or with one beside it: both have a name below."""
        row = number - 1
        return any(top <= row < bottom or (bottom == row and left < right)
                   for (top, left), (bottom, right) in self._merged)  # fmt: skip

    def _joined(self, rows: Sequence[_Row]) -> list[str]:
        if len(rows) == 1:
            return list(map(_text, rows[0][1]))
        first, last = rows[0][0] - 1, rows[-1][0] - 1
        texts = {number - 1: list(map(_text, row)) for number, row in rows}
        merged = [each for each in self._merged if first <= each[0][0] <= last]
        for (top, left), (bottom, right) in merged:
            # A range may lie in an empty row, which is left out, and reach beyond the cells that hold something.
            start, stop = left - self._column, min(right - self._column + 1, self.width)
            if top not in texts or not 0 <= start < stop:
                continue
            value = texts[top][start]
            for row in range(top, min(bottom, last) + 1):
                if row in texts:
                    texts[row][start:stop] = [value] * (stop - start)
        return joined_names(list(texts.values()), is_filled=bool(merged))

    def _names_note(self) -> tuple[str, ...]:
        if not self.name_rows or self.name_rows < 2:
            return ()
        rows = {"first": Count(require(self.names_row)), "last": Count(require(self._last_names_row))}
        return (remark(Message("read-names-rows", rows), "setting"),)

    def _n_merged(self, body: Sequence[_Row]) -> int:
        """Return how many cells of the rows are empty, as they are merged with one that has the value."""
        rows = {number - 1 for number, _ in body}
        inside = [each for each in self._merged if each[0][0] in rows]
        return sum((bottom - top + 1) * (right - left + 1) - 1 for (top, left), (bottom, right) in inside)


def _is_names(rows: Sequence[_Row]) -> bool:
    """Say whether the first of some rows is like nothing below it: texts alone, none of which comes again."""
    names, below = rows[0][1], [row for _, row in rows[1:_LOOKED_AT]]
    if not all(isinstance(value, str) for value in names):
        return False
    return not any(value and any(row[place] == value for row in below) for place, value in enumerate(names))


def _check_rows(rows_out: Sequence[int], numbered: Sequence[_Row]) -> frozenset[int]:
    """Refuse rows that are not there."""
    last = numbered[-1][0] if numbered else 0
    for row in rows_out:
        if not 1 <= row <= last:
            raise InputError(
                f"'rows_out' must name rows of the sheet, got {row:,}.", hint="Rows are counted as in the sheet."
            )
    return frozenset(rows_out)


def _place_of(row: int, numbers: Sequence[int]) -> int:
    if row not in numbers:
        raise InputError(
            f"'names_row' must be a row with names, got {row:,}, which is empty.",
            hint="Rows are counted as in the sheet.",
        )
    return numbers.index(row)


def _n_below(body: Sequence[_Row]) -> int:
    """Return how many rows at the end are below an empty row and like none above it, such as a total and a source."""
    gaps = [place for place in range(1, len(body)) if body[place][0] - body[place - 1][0] > 1]
    n = len(body) - gaps[0] if len(gaps) == 1 else 0
    above, below = [row for _, row in body[: len(body) - n]], [row for _, row in body[len(body) - n :]]
    if not 0 < n <= min(_MOST_BELOW, len(above) // 2):
        return 0
    columns = list(zip(*above, strict=True))
    full = [all(value != "" for value in column) for column in columns]
    numbers = [all(_is_number(value) for value in column if value != "") for column in columns]
    return n if all(_is_unlike(row, full, numbers) for row in below) else 0


def _is_unlike(row: Sequence[object], full: Sequence[bool], numbers: Sequence[bool]) -> bool:
    """Say whether a row has a text where all others have numbers, or few cells and none where all others have one."""
    if any(is_number and isinstance(value, str) and value for value, is_number in zip(row, numbers, strict=True)):
        return True
    few = 2 * sum(1 for value in row if value != "") < len(row)
    return few and any(is_full and value == "" for value, is_full in zip(row, full, strict=True))


def _written_alike(
    body: Sequence[Sequence[object]], names: Sequence[str], rules: CellRules
) -> tuple[list[list[str]], CellRules]:
    """Return the columns as texts, their numbers written as the texts beside them, and the rules to read them by."""
    columns, plain = [], []
    for name, values in zip(names, zip(*body, strict=True), strict=True):
        texts = list(map(_text, values))
        # Only in a text can a mark be read in two ways.
        written = [value.strip(rules.blanks) for value in values if isinstance(value, str) and _MARK.search(value)]
        written = [value for value in written if value not in rules.missing]
        if not written:
            plain.append(name)
        elif any(map(_is_number, values)):
            mark = rules.mark_of(name)
            marks = marks_of_texts(written) if mark is None else {mark}
            texts = [_as_written(value, marks) if _is_number(value) else _text(value) for value in values]
        columns.append(texts)
    said = [name for name in plain if name not in rules.as_text]
    comma = tuple(name for name in rules.decimal_comma if name not in plain)
    return columns, replace(rules, decimal_point=(*rules.decimal_point, *said), decimal_comma=comma)


def _is_empty(row: Sequence[object]) -> bool:
    return all(value == "" for value in row)


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _as_written(value: float, marks: Collection[str]) -> str:
    """Return a number as the texts of its column are written; where that is not known, nothing is read but asked."""
    text = f"{Decimal(repr(value)):f}" if not float(value).is_integer() else _text(value)
    if len(marks) > 1:
        return text.partition(".")[0]
    return text.replace(".", ",") if "," in marks else text


def _empty_rows(n: int) -> tuple[str, ...]:
    return (say(Message("read-empty-rows", {"n": Count(n)})),) if n else ()


def _below_note(rows: Sequence[Sequence[object]]) -> tuple[str, ...]:
    if not rows:
        return ()
    first = [quote(text, limit=40) for row in rows[:_MOST_NAMED] if (text := next(filter(None, map(_text, row)), ""))]
    return (say(Message("read-below", {"n": Count(len(rows)), "rows": Phrase(", ".join(first))})),)


def _sheet_notes(name: str, sheets: Sequence[str], options: ReadOptions) -> tuple[str, ...]:
    if len(sheets) < 2 or options.sheet is not None:
        return ()
    args: dict[str, Argument] = {"n": Count(len(sheets)), "sheet": Phrase(quote(name, limit=40))}
    return (remark(Message("read-sheet", args), "setting"),)


def _choose(book: CalamineWorkbook, sheets: Sequence[str], options: ReadOptions) -> tuple[str, CalamineSheet]:
    if options.sheet is not None:
        if options.sheet not in sheets:
            raise InputError(
                f"The workbook has no sheet {quote(options.sheet)}.", hint=near_names(options.sheet, sheets)
            )
        return options.sheet, book.get_sheet_by_name(options.sheet)
    if not sheets:
        raise DataError("The workbook has no sheet.", hint=_DAMAGED)
    for name in sheets:
        sheet = book.get_sheet_by_name(name)
        if sheet.height > 0:
            return name, sheet
    return sheets[0], book.get_sheet_by_name(sheets[0])


def _text(value: object) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
    if isinstance(value, datetime.datetime):
        midnight = value.time() == datetime.time()
        return value.date().isoformat() if midnight else value.isoformat(sep=" ")
    return str(value)


def _check_archive(data: bytes, limits: Limits) -> None:
    """Refuse what is no plain workbook; unpack it once in small steps, so that its sizes are known and not claimed."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = archive.infolist()
            _check_members(archive, {member.filename.lower() for member in members})
            check_growth(sum(member.file_size for member in members), len(data), limits)
            if any(member.flag_bits & 1 for member in members):
                raise refused("an encrypted archive", "Save the workbook without a password.")
            _check_content(archive, members, len(data), limits)
    except DataError:
        raise
    # OSError comes from bzip2 as well; RuntimeError from a method, version or encryption that zipfile does not know.
    except (zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, OSError, ValueError, RuntimeError):
        raise DataError("The workbook is damaged or cut short.", hint=_DAMAGED) from None


def _check_members(archive: zipfile.ZipFile, names: set[str]) -> None:
    if any(name.endswith("vbaproject.bin") for name in names) or any("/macrosheets/" in name for name in names):
        raise refused("a workbook with macros", "Save it as a plain XLSX workbook without macros, or as CSV.")
    if "xl/workbook.bin" in names:
        raise refused("a binary workbook (XLSB)", "Save it as XLSX or CSV.")
    if not any(name.startswith("xl/") for name in names):
        if any(name.endswith((".pkl", "data.pkl", ".npy")) for name in names):
            raise refused("an archive of Python objects, which could run a program when opened")
        _refuse_document(archive, names)
        raise refused("a zip archive that is no XLSX workbook")


def _refuse_document(archive: zipfile.ZipFile, names: set[str]) -> None:
    """Say which office program a document is of, where it is one."""
    what = next((what for folder, what in _DOCUMENTS.items() if any(name.startswith(folder) for name in names)), None)
    if what is None and "mimetype" in archive.namelist():
        with archive.open("mimetype") as stream:
            what = _OPEN_DOCUMENTS.get(stream.read(_LONGEST_TYPE))
    if what is not None:
        raise UnsupportedFormatError(
            f"The file is {what}.",
            hint="Put the table that it holds in a spreadsheet program, and save it from there as XLSX or CSV.",
        )


def _check_content(archive: zipfile.ZipFile, members: Sequence[zipfile.ZipInfo], size: int, limits: Limits) -> None:
    total = longest = shared = 0
    for member in members:
        extent = _Extent(limits)
        tail = b""
        run = 0
        with archive.open(member) as stream:
            while block := stream.read(_STEP):
                total += len(block)
                check_growth(total, size, limits)
                run, longest = _longest_text(block, run, longest)
                # A tag that goes on in the next block is looked at there. What is no XML may have none.
                block = tail + block
                end = max(block.rfind(b"<"), len(block) - _STEP)
                # A sheet may have any name, so every member is looked at.
                extent.add(block[:end])
                shared += len(_SHARED.findall(block[:end]))
                tail = block[end:]
    # Each cell gets its own copy of a shared text. They are only counted one by one where they may be too many.
    most = 2 * limits.max_bytes
    if shared * longest > most and _n_copied(archive, members) > most:
        raise LimitError("The workbook's texts are too large when unpacked.", hint="Save the table as CSV.")


def _n_copied(archive: zipfile.ZipFile, members: Sequence[zipfile.ZipInfo]) -> int:
    """Return the bytes of all copies of shared texts."""
    lengths: list[list[int]] = []
    uses: Counter[int] = Counter()
    for member in members:
        found: list[int] = []
        run, is_shared, tail = 0, False, b""
        with archive.open(member) as stream:
            while block := stream.read(_STEP):
                start = 0
                for end in _TEXT_END.finditer(block):
                    found.append(run + end.start() - start)
                    run, start = 0, end.end()
                run += len(block) - start
                block = tail + block
                end_of_tags = max(block.rfind(b"<"), len(block) - _STEP)
                for attributes, number in _CELL.findall(block[:end_of_tags]):
                    if not number:
                        # Where a sign of a tag stands in an attribute, nothing is known.
                        is_shared = _IS_SHARED.search(attributes) is not None or attributes.count(b'"') % 2 == 1
                    elif is_shared:
                        uses[int(number)] += 1
                tail = block[end_of_tags:]
        lengths.append(found)
    return max(sum(n * texts[place] for place, n in uses.items() if place < len(texts)) for texts in lengths)


def _longest_text(block: bytes, run: int, longest: int) -> tuple[int, int]:
    start = 0
    for found in _TEXT_END.finditer(block):
        longest = max(longest, run + found.start() - start)
        run, start = 0, found.end()
    return run + len(block) - start, longest


class _Extent:
    """The rectangle that a sheet's cells span, which the reader allocates whole."""

    def __init__(self, limits: Limits):
        self._limits = limits
        self._is_sheet = False
        self._rows = 0
        self._columns = 0
        self._row = 0
        self._column = 0

    def add(self, block: bytes) -> None:
        """Take the rows and cells of a block of XML, refuse the sheet if they span too much."""
        self._is_sheet = self._is_sheet or b"sheetData" in block
        for tag, letters, digits in _PLACE.findall(block):
            # Without a position, a row or cell follows the one before it.
            if tag == b"row":
                self._row, self._column = int(digits) if digits else self._row + 1, 0
            elif digits:
                self._row, self._column = int(digits), _column(letters)
            else:
                self._column += 1
            self._rows, self._columns = max(self._rows, self._row), max(self._columns, self._column)
        if not self._is_sheet:
            return
        check_width(self._columns, self._limits)
        if self._rows * self._columns > self._limits.max_cells:
            raise LimitError(
                f"A sheet spans {self._rows:,} rows and {self._columns:,} columns; "
                f"at most {self._limits.max_cells:,} cells of a workbook are read.",
                hint="Delete far-away cells, or save the table as CSV or Parquet.",
            )


@cache
def _column(letters: bytes) -> int:
    column = 0
    for letter in letters.upper():
        column = column * 26 + letter - 64
    return column
