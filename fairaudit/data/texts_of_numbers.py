"""Columns of texts that are numbers but for a few words: whether they are to be read as numbers is to be asked."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from fairaudit.columns import DecimalMark
from fairaudit.data.code_columns import MOST_CODES
from fairaudit.data.kinds import TWO_WAYS, WRITTEN_NUMBER, marks_of_texts, number_of_text
from fairaudit.data.table import Table
from fairaudit.data.unknown_values import may_be_not_known, unknown_meaning

MOST_WORDS: Final = 5
"""A column with more different words among its numbers is one of texts."""
MOST_LOOKED_AT: Final = 100_000
"""A column with more different texts is not looked through."""
_EXAMPLES: Final = 3
_TWO_WAYS: Final = re.compile(TWO_WAYS)


@dataclass(frozen=True)
class TextsOfNumbers:
    """A column of texts that would become numbers.

    Parameters
    ----------
    column : str
        Its name.
    words : tuple of str
        Its texts that are no numbers, which would be missing.
    n : int
        Rows with one of these.
    cells : tuple of str
        Some of its numbers, as they are written.
    marks : tuple of str
        The decimal marks that all its numbers may have: one, or both where that is open.
    """

    column: str
    words: tuple[str, ...]
    n: int
    cells: tuple[str, ...]
    marks: tuple[DecimalMark, ...]

    @property
    def is_mark_said(self) -> bool:
        """Whether the decimal mark must be said for the column to be read so."""
        return any(map(_TWO_WAYS.search, self.cells))

    def read(self, mark: DecimalMark) -> tuple[float, ...]:
        """Return the cells as numbers with a decimal mark."""
        return tuple(number_of_text(cell, mark) for cell in self.cells)


def texts_of_numbers(table: Table, names: Iterable[str]) -> Iterator[TextsOfNumbers]:
    """Yield the columns of texts, of some, that are numbers in most rows, and few different words in the others.

    Only cells of a text file or a workbook can be read again; few different numbers may be codes, such as 0, 1, 2, 3+.
    """
    if not (table.source.sheets or table.source.format in ("csv", "tsv")):
        return
    for name in names:
        if table.columns[name].kind != "text" or table.columns[name].labels or name in table.source.options.as_text:
            continue
        found = table.values(name, limit=MOST_LOOKED_AT + 1).dropna(subset="value")
        rows = {str(value): int(n) for value, n in zip(found["value"], found["n"], strict=True)}
        if MOST_CODES < len(rows) <= MOST_LOOKED_AT and (texts := _of_column(name, rows)) is not None:
            yield texts


def words_among_numbers(table: Table, column: str) -> list[str]:
    """Return the texts that keep a column from being one of numbers, where all may say that a number is not known."""
    others = [
        value
        for value in table.common_values(column)
        if isinstance(value, str) and not re.fullmatch(WRITTEN_NUMBER, value.strip())
    ]
    return others if all(unknown_meaning(each) or may_be_not_known(each) for each in others) else []


def _of_column(name: str, rows: dict[str, int]) -> TextsOfNumbers | None:
    fitting = {text: marks_of_texts([text]) for text in rows}
    words = tuple(text for text, marks in fitting.items() if not marks)
    numbers = [text for text, marks in fitting.items() if marks]
    n = sum(rows[text] for text in words)
    if not 0 < len(words) <= MOST_WORDS or 2 * n >= sum(rows.values()) or len(numbers) <= MOST_CODES:
        return None
    both: tuple[DecimalMark, ...] = (",", ".")
    marks = tuple(mark for mark in both if all(mark in fitting[text] for text in numbers))
    # Cells in which the mark matters tell most.
    cells = tuple(sorted(numbers, key=lambda text: _TWO_WAYS.search(text) is None)[:_EXAMPLES])
    if len(marks) == 2 and not any(map(_TWO_WAYS.search, numbers)):
        marks = (".",)
    return TextsOfNumbers(name, words, n, cells, marks) if marks else None
