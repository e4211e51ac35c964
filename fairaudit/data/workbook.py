"""XLSX workbooks: looked at as an archive first, then one sheet as text cells."""

from __future__ import annotations

import datetime
import io
import lzma
import re
import zipfile
import zlib
from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import pyarrow as pa
from python_calamine import CalamineError, CalamineSheet, CalamineWorkbook

from fairaudit.columns import ReadOptions, Source
from fairaudit.data.answers import Answers
from fairaudit.data.compression import check_growth
from fairaudit.data.dialect import HEADLESS, has_header, lines_above_names, lines_left_out
from fairaudit.data.engine import connect, reading
from fairaudit.data.formats import refused
from fairaudit.data.kinds import BLANKS, FORMS, WITH_COMMA, CellRules, day_forms
from fairaudit.data.limits import Limits
from fairaudit.data.load import ArrowRows, load_cells
from fairaudit.data.names import check_width, clean_names
from fairaudit.data.reader_notes import no_rows, one_column, written_notes
from fairaudit.data.table import Table
from fairaudit.disclosure.fields import Remark
from fairaudit.errors import DataError, InputError, LimitError, UnsupportedFormatError, near_names, quote

_STEP = 1 << 20
_DOCUMENTS = {"word/": "a Word document", "ppt/": "a PowerPoint presentation"}
_OPEN_DOCUMENTS = {
    b"application/vnd.oasis.opendocument.text": "an OpenDocument text (ODT)",
    b"application/vnd.oasis.opendocument.spreadsheet": "an OpenDocument workbook (ODS)",
    b"application/vnd.oasis.opendocument.presentation": "an OpenDocument presentation (ODP)",
}
_LONGEST_TYPE = 100
_DAMAGED = "Open it in a spreadsheet program and save it as XLSX again, or as CSV."
# A row or cell, with its position where it says one; and a cell whose value may be the number of a shared text.
_PLACE = re.compile(rb"<(?:\w+:)?(row|c)(?=[\s/>])(?:[^<>]*?\sr\s*=\s*[\"']\s*([A-Za-z]{0,4})(\d{1,9}))?")
_SHARED = re.compile(rb"<(?:\w+:)?v(?:\s[^<>]*)?>\s*\d")
_TEXT_END = re.compile(rb"</(?:\w+:)?si\s*>")


def read_workbook(data: bytes, *, name: str, options: ReadOptions, limits: Limits, source: Source) -> Table:
    """Read one sheet of an XLSX workbook."""
    _check_archive(data, limits)
    try:
        with CalamineWorkbook.from_filelike(io.BytesIO(data)) as book:
            sheets = tuple(book.sheet_names)
            sheet_name, sheet = _choose(book, sheets, options)
            rows = sheet.to_python(skip_empty_area=True)
    except CalamineError:
        raise DataError("The workbook is damaged and cannot be read.", hint=_DAMAGED) from None
    except BaseException as error:
        # The reader is written in Rust; a panic in it derives from BaseException and has no importable name.
        if type(error).__name__ != "PanicException":
            raise
        raise DataError("The workbook is damaged and cannot be read.", hint=_DAMAGED) from None
    cells, n_empty = _filled([[_text(value) for value in row] for row in rows])
    n_above = lines_above_names(cells[:200], options)
    above, cells = cells[:n_above], cells[n_above:]
    if not cells:
        raise DataError(f"Sheet {quote(sheet_name)} is empty.", hint="Choose another sheet.")
    header = has_header(cells[:200]) if options.header is None else options.header
    n_columns = max(len(row) for row in cells)
    check_width(n_columns, limits)
    names, notes = clean_names(cells[0] if header else [""] * n_columns, limits)
    body = cells[1:] if header else cells
    if not body:
        raise no_rows(n_columns)
    arrays = [pa.array([row[position] for row in body], pa.string()) for position in range(n_columns)]
    held = pa.table(arrays, names=[f"c{position}" for position in range(n_columns)])
    connection = connect()
    forms = (*(form for form in FORMS if form not in WITH_COMMA), *day_forms(options.dates))
    rules = CellRules(BLANKS if options.trim else "", options.missing, forms)
    with reading("The workbook", _DAMAGED):
        loaded = load_cells(connection, ArrowRows(held), names, rules, limits)
    found = replace(options, sheet=sheet_name, header=header)
    return Table(
        Answers(connection),
        columns=loaded.columns,
        n_rows=loaded.n_rows,
        name=name,
        source=replace(source, format="xlsx", options=found, sheets=sheets),
        notes=(*_sheet_notes(sheet_name, sheets, options), *lines_left_out(above), *(notes if header else (HEADLESS,)),
               *_empty_rows(n_empty),
               *loaded.notes, *written_notes(names, loaded), *one_column(n_columns)),
    )  # fmt: skip


def _filled(cells: list[list[str]]) -> tuple[list[list[str]], int]:
    # As in a text table, an empty row is nothing, but in a single column it is a missing cell.
    while cells and not any(cells[-1]):
        cells.pop()
    kept = [row for row in cells if len(row) == 1 or any(row)]
    return kept, len(cells) - len(kept)


def _empty_rows(n: int) -> tuple[str, ...]:
    if not n:
        return ()
    return ("1 empty row was left out." if n == 1 else f"{n:,} empty rows were left out.",)


def _sheet_notes(name: str, sheets: Sequence[str], options: ReadOptions) -> tuple[str, ...]:
    if len(sheets) < 2 or options.sheet is not None:
        return ()
    return (Remark(f"The workbook has {len(sheets):,} sheets; sheet {quote(name, limit=40)} is read.", "setting"),)


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
    # Each cell gets its own copy of a shared text.
    if longest > 1_000 and shared * longest > 4 * limits.max_decompressed:
        raise LimitError("The workbook's texts are too large when unpacked.", hint="Save the table as CSV.")


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
