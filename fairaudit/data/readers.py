"""Read a table from a path, bytes or a file, its kind known by the content."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO

from fairaudit.columns import Format, LabelsByCode, ReadOptions, Source, labels_of
from fairaudit.data.engine import is_plain
from fairaudit.data.formats import ENDINGS, Content, gunzip, refused, sniff
from fairaudit.data.limits import Limits, size_text
from fairaudit.data.parquet import read_parquet_bytes, read_parquet_file
from fairaudit.data.prepare import prepare
from fairaudit.data.statistical_files import CALLED, STATISTICAL, read_statistical
from fairaudit.data.table import Table
from fairaudit.data.text import NotInPlaceError, read_text, read_text_file
from fairaudit.data.workbook import read_workbook
from fairaudit.errors import DataError, InputError, LimitError, UnsupportedFormatError, near_names, quote

_HEAD = 1_000_000
_CONTENTS: dict[Format, tuple[Content, ...]] = {
    "csv": ("text", "gzip"),
    "tsv": ("text", "gzip"),
    "xlsx": ("zip",),
    "parquet": ("parquet",),
    **{kind: (kind,) for kind in STATISTICAL},
}
FORMATS = tuple(_CONTENTS)
_CALLED: dict[str, str] = {
    "text": "text",
    "gzip": "gzip-compressed",
    "zip": "a workbook or archive",
    "parquet": "a Parquet file",
    **CALLED,
}


def read_table(
    source: str | Path | bytes | BinaryIO,
    *,
    name: str | None = None,
    format: Format | None = None,
    options: ReadOptions | None = None,
    limits: Limits | None = None,
    labels: Mapping[str, LabelsByCode] | None = None,
) -> Table:
    r"""Read a table: CSV, TSV (both also gzip-compressed), XLSX, Parquet, SPSS, Stata or SAS.

    The content says what the file is, never its name. A Parquet file on disk, and a CSV file above
    500 MB, is read in place at each question; everything else is held in memory. How the file was read stands in
    ``table.source``, what was changed or is worth knowing in ``table.notes``.

    Parameters
    ----------
    source : str, pathlib.Path, bytes or binary file
        Where the content is.
    name : str, optional
        What to call the table; by default the file's name without its ending.
    format : {"csv", "tsv", "xlsx", "parquet", "sav", "por", "dta", "sas7bdat", "xpt"}, optional
        The kind that is expected; other content is refused.
    options : ReadOptions, optional
        What is given is not looked for.
    limits : Limits, optional
        How much is read at most.
    labels : mapping of str to mapping, optional
        By column, what its codes stand for: ``{"sex": {1: "man", 2: "woman"}}``. The column becomes text.

    Returns
    -------
    Table
        With every column typed from all its rows.

    Raises
    ------
    InputError
        If an argument or option breaks its rule.
    UnsupportedFormatError
        If the content is of another kind; nothing of it is run or unpickled.
    LimitError
        If it is too large, wide or deep.
    TwoReadingsError
        If a column of numbers can be read in two ways that differ, such as 1.234, before `options` say which is meant.
    DataError
        If it is empty, damaged, or has a bad line; with its number.

    Examples
    --------
    >>> table = read_table(b"sex,hired\nF,1\nM,0\nM,1\n")
    >>> table.count("sex = 'M' AND hired = 1")
    1
    """
    options, limits = options or ReadOptions(), limits or Limits()
    if labels is not None:
        options = replace(options, labels=labels_of(labels))
    if format is not None and format not in FORMATS:
        raise InputError(f"'format' must be one of {', '.join(FORMATS)}, got {quote(format)}.")
    if format == "tsv" and options.delimiter is None:
        options = replace(options, delimiter="\t")
    try:
        if isinstance(source, (str, Path)):
            table = _from_path(Path(source), name, format, options.before_counting, limits)
        else:
            data = _content_of(source, limits)
            called = name or _name_of(getattr(source, "name", None))
            table = _from_bytes(data, called, format, options.before_counting, limits)
        return prepare(table, options)
    except MemoryError as error:
        raise LimitError("The file does not fit in memory.", hint="Keep fewer rows or columns.") from error


def _from_path(path: Path, name: str | None, format: Format | None, options: ReadOptions, limits: Limits) -> Table:
    name = name or _name_of(path.name)
    size, content = _size_and_content(path)
    _check_format(content, format)
    source = Source("csv", size_bytes=size)
    try:
        plain = is_plain(path.resolve())
        if content == "parquet" and plain:
            return read_parquet_file(path, name=name, options=options, limits=limits, source=source)
        if content == "text" and size > limits.in_place_bytes and plain:
            try:
                return read_text_file(path, name=name, options=options, limits=limits, source=source)
            except NotInPlaceError:
                if size > limits.max_bytes:
                    raise
        if size > limits.max_bytes and not plain:
            raise LimitError(
                "A large file is read in place, which the signs '*', '?' and '[' in its path do not allow.",
                hint="Rename the file or its folder.",
            )
        _check_size(size, limits)
        return _from_bytes(path.read_bytes(), name, format, options, limits)
    except OSError as error:
        raise _unreadable(path, error.strerror) from None


def _size_and_content(path: Path) -> tuple[int, Content]:
    """Return the size of a file and the kind of its content."""
    try:
        is_folder, is_file = path.is_dir(), path.is_file()
        if is_file:
            size = path.stat().st_size
            with path.open("rb") as stream:
                head = stream.read(_HEAD)
    except (OSError, ValueError) as error:
        raise _unreadable(path, getattr(error, "strerror", None)) from None
    if is_folder:
        raise DataError(f"{quote(path.name or str(path))} is a folder, not a file.", hint="Name a file in it.")
    if not is_file and path.exists():
        raise DataError(
            f"{quote(str(path))} is a pipe or a device, which cannot be read twice.",
            hint="Save the table as a file, and name that.",
        )
    if not is_file:
        raise DataError(f"There is no file {quote(path.name)}.", hint="Check the path.")
    return size, sniff(head)


def _unreadable(path: Path, reason: str | None) -> DataError:
    return DataError(f"The file {quote(path.name)} cannot be read: {reason or 'the path is not valid'}.")


def _from_bytes(data: bytes, name: str, format: Format | None, options: ReadOptions, limits: Limits) -> Table:
    _check_size(len(data), limits)
    content = sniff(data)
    _check_format(content, format)
    source = Source("csv", size_bytes=len(data), compressed=content == "gzip")
    if content == "parquet":
        return read_parquet_bytes(data, name=name, options=options, limits=limits, source=source)
    if content in STATISTICAL:
        return read_statistical(data, content, name=name, options=options, limits=limits, source=source)
    if content == "zip":
        return read_workbook(data, name=name, options=options, limits=limits, source=source)
    if content == "gzip":
        data = gunzip(data, limits)
        if sniff(data) != "text":
            raise refused("a gzip archive of something that is not text", "Decompress it first, then open it.")
    return read_text(data, name=name, options=options, limits=limits, source=source)


def _content_of(source: object, limits: Limits) -> bytes:
    if isinstance(source, (bytes, bytearray, memoryview)):
        return bytes(source)
    read = getattr(source, "read", None)
    if read is None:
        raise InputError(f"'source' must be a path, bytes or a binary file, got {type(source).__name__}.")
    data = read(limits.max_bytes + 1)
    if not isinstance(data, bytes):
        raise InputError("'source' must be a binary file, got a text file.", hint="Open it with mode 'rb'.")
    return data


def _check_format(content: Content, format: Format | None) -> None:
    if format is not None and content not in _CONTENTS[format]:
        raise UnsupportedFormatError(
            f"The file was said to be {format}, but its content is {_CALLED[content]}.",
            hint="Leave the format out to have it found.",
        )


def _check_size(size: int, limits: Limits) -> None:
    if size > limits.max_bytes:
        raise LimitError(
            f"The file has more than {size_text(limits.max_bytes)}.",
            hint="Save it as Parquet or uncompressed CSV in the data folder, where it is read in place.",
        )


def _name_of(file_name: object) -> str:
    if not isinstance(file_name, str) or not file_name:
        return "table"
    stem = Path(file_name).name
    for ending in (".gz", *ENDINGS):
        if stem.lower().endswith(ending) and len(stem) > len(ending):
            stem = stem[: -len(ending)]
    return stem


# A folder that an administrator offers: list its tables, open one in place, never leave it.


@dataclass(frozen=True)
class FolderFile:
    """A file that can be opened.

    Parameters
    ----------
    name : str
        Its name in the folder.
    size_bytes : int
        Its size.
    format : {"csv", "tsv", "xlsx", "parquet", "sav", "por", "dta", "sas7bdat", "xpt"}
        Its kind by its name; its content decides when it is opened.
    """

    name: str
    size_bytes: int
    format: Format


def leads_out(path: str) -> bool:
    """Say whether a path leads out of the folder that it is looked for in."""
    drive, rest = os.path.splitdrive(os.path.normpath(path))
    return bool(drive) or os.path.isabs(rest) or rest.split(os.sep)[0] == os.pardir


def list_folder(folder: str | Path) -> tuple[FolderFile, ...]:
    """List the tables in a folder, not in folders below it."""
    root = _root(folder)
    files = []
    try:
        for path in sorted(root.iterdir(), key=lambda p: p.name.casefold()):
            kind = _kind(path.name)
            # A name in other signs than those of UTF-8 cannot be shown.
            if (
                kind
                and _is_shown(path.name)
                and not path.name.startswith(".")
                and path.is_file()
                and path.resolve().is_relative_to(root)
            ):
                files.append(FolderFile(path.name, path.stat().st_size, kind))
    except OSError as error:
        raise DataError(f"The data folder cannot be read: {error.strerror}.") from None
    return tuple(files)


def open_from_folder(folder: str | Path, name: str, options: ReadOptions | None = None) -> Table:
    """Open a table of a folder, Parquet and large CSV files in place."""
    names = [file.name for file in list_folder(folder)]
    if name not in names:
        raise InputError(f"The data folder has no table {quote(name)}.", hint=near_names(name, names))
    return read_table(_root(folder) / name, options=options)


def _root(folder: str | Path) -> Path:
    root = Path(folder).expanduser().resolve()
    if not root.is_dir():
        raise DataError("The data folder is not there.", hint="Ask the administrator to check its setting.")
    return root


def _is_shown(name: str) -> bool:
    """Say whether a name is one of UTF-8."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def _kind(name: str) -> Format | None:
    lower = name.lower()
    return next((kind for ending, kind in ENDINGS.items() if lower.endswith(ending)), None)
