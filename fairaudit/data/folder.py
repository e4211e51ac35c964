"""A folder that an administrator offers: list its tables, open one in place, never leave it."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from fairaudit.columns import Format, ReadOptions
from fairaudit.data.formats import ENDINGS
from fairaudit.data.readers import read_table
from fairaudit.data.table import Table
from fairaudit.errors import DataError, InputError, near_names, quote

FOLDER_VARIABLE = "FAIRAUDIT_DATA_DIR"
"""The environment variable that names the folder."""


@dataclass(frozen=True)
class FolderFile:
    """A file that can be opened.

    Parameters
    ----------
    name : str
        Its name in the folder.
    size_bytes : int
        Its size.
    format : {"csv", "tsv", "xlsx", "parquet"}
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
