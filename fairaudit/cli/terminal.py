"""Writing to a terminal or pipe: any text is safe to show, and a closed pipe ends nothing."""

from __future__ import annotations

import contextlib
import os
import sys
import unicodedata
from collections.abc import Sequence
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from fairaudit.present.blocks import TableBlock

REPLACEMENT = "\N{REPLACEMENT CHARACTER}"


def prepare_streams() -> None:
    """Let stdout and stderr hold any text: UTF-8 into files and pipes, escapes where a terminal cannot show it."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding=None if stream.isatty() else "utf-8", errors="backslashreplace")


def one_line(text: object) -> str:
    """Return `text` without line breaks and control characters, so that data cannot steer a terminal.

    Examples
    --------
    >>> one_line("income")
    'income'
    """
    whole = readable(str(text))
    return "".join(c if c.isprintable() or unicodedata.category(c) == "Zs" else REPLACEMENT for c in whole)


def readable(text: str) -> str:
    r"""Return a text from the command line with its bytes read as UTF-8, whatever the locale made of them.

    Examples
    --------
    >>> readable("Pr\udcc3\udcbcfung")
    'Prüfung'
    """
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def emit(text: str) -> None:
    """Write lines to stdout; if the reader has gone, let the rest of the output vanish."""
    try:
        sys.stdout.write(text + "\n")
        sys.stdout.flush()
    except BrokenPipeError:
        # Python flushes stdout again at exit: give it a place that takes everything.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def aligned(rows: Sequence[tuple[str, ...]]) -> list[str]:
    """Return rows of cells as lines with aligned columns: the first and last to the left, the others to the right.

    Long cells are cut, but for the last of a row, which nothing comes after.
    """
    shown = [[*map(_cell, row[:-1]), one_line(row[-1])] for row in rows]
    widths = [max(len(row[i]) for row in shown) for i in range(len(shown[0]))]
    last = len(widths) - 1
    return [
        "  "
        + "  ".join(
            c.ljust(w) if i in (0, last) else c.rjust(w) for i, (c, w) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in shown
    ]


def _cell(text: str, limit: int = 40) -> str:
    text = one_line(text)
    return text if len(text) <= limit else text[: limit - 1] + "…"


class ProgressLine:
    """One line on stderr that shows the current step and goes away; silent where stderr is no terminal.

    Parameters
    ----------
    stream : text stream, optional
        Where to write; without it stderr.
    """

    def __init__(self, stream: TextIO | None = None):
        self.stream = sys.stderr if stream is None else stream
        self.active = self.stream.isatty()

    def show(self, text: str) -> None:
        """Replace the line by `text`."""
        self._write(f"\r\x1b[2K{one_line(text)[:78]}…")

    def clear(self) -> None:
        """Remove the line."""
        self._write("\r\x1b[2K")

    def _write(self, text: str) -> None:
        if self.active:
            with contextlib.suppress(OSError):
                self.stream.write(text)
                self.stream.flush()


def table_lines(table: TableBlock) -> list[str]:
    """Return a table as aligned lines under the names of its columns, without columns that are empty."""
    # Here, because this module is read by every command, and blocks by few.
    from fairaudit.present.blocks import row_texts

    texts = row_texts(table)
    filled = [any(row[place] for row in texts) for place in range(len(table.columns))]
    rows = [["", *(column.label for column in table.columns[1:])], *map(list, texts)]
    return aligned([tuple(cell for cell, used in zip(row, filled, strict=True) if used) for row in rows])
