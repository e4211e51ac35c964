"""How much is read, so that no file can take the machine down."""

from __future__ import annotations

import os
from dataclasses import dataclass

MEGABYTE = 1_000_000
MOST_MEMORY = 8_000 * MEGABYTE


@dataclass(frozen=True)
class Limits:
    """The most that is read from one file.

    Parameters
    ----------
    max_bytes : int
        Size of a file that is held in memory; files that are read in place have no such limit.
    max_decompressed : int
        Size of a compressed file after decompression.
    max_ratio : int
        How many times larger than the file its content may be, once the content is over 50 MB.
    max_columns : int
        Columns of a table.
    max_cell : int
        Bytes of one cell.
    max_name : int
        Characters of a column name.
    max_cells : int
        Cells (rows times columns) of a workbook's sheet, empty ones included.
    in_place_bytes : int
        A CSV file on disk that is larger than this is read in place. By default none that could be held: the reader of
        files in place judges odd quotes and empty lines in other ways.
    """

    max_bytes: int = 500 * MEGABYTE
    max_decompressed: int = 2_000 * MEGABYTE
    max_ratio: int = 250
    max_columns: int = 2_000
    max_cell: int = 1 * MEGABYTE
    max_name: int = 5_000
    max_cells: int = 20 * MEGABYTE
    in_place_bytes: int = 500 * MEGABYTE


def most_memory() -> int:
    """Return the bytes that one reader, or a database file, may take: 8 GB, or half of what the machine has."""
    try:
        whole = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return MOST_MEMORY
    return min(MOST_MEMORY, whole // 2)


def size_text(n_bytes: int) -> str:
    """Return a size in words for people.

    Examples
    --------
    >>> size_text(500_000_000)
    '500 MB'
    >>> size_text(1_230)
    '1.2 kB'
    """
    value = float(n_bytes)
    for unit in ("bytes", "kB", "MB", "GB"):
        if value < 1000 or unit == "GB":
            break
        value /= 1000
    digits = f"{value:.0f}" if value >= 100 or value == int(value) else f"{value:.1f}"
    return f"{digits} {unit}"
