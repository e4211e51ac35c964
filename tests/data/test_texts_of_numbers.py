"""Texts that are numbers but for a few words: found, read as numbers once that is said, and left alone else."""

from __future__ import annotations

import pytest

from fairaudit.columns import ReadOptions, column_values
from fairaudit.data import read_table
from fairaudit.data.texts_of_numbers import texts_of_numbers

N = 200


def table_of(cells, **said):
    text = "\n".join(["sex;pay", *(f"{'FM'[i % 2]};{cell}" for i, cell in enumerate(cells))])
    return read_table(text.encode(), options=ReadOptions(delimiter=";", **said))


def found_in(table):
    return tuple(texts_of_numbers(table, table.columns))


@pytest.mark.parametrize(
    ("written", "word", "marks"),
    [
        ("£{:,.2f}", "n/a", (".",)),
        ("{:,}", "tbc", (",", ".")),
        ("{:.1f} %", "keine", (".",)),
        ("{:d}", "(unknown)", (".",)),
    ],
)
def test_numbers_as_people_write_them_become_numbers_once_the_words_among_them_are_said(written, word, marks):
    numbers = [1000 + 7 * i for i in range(N)]
    cells = [word if i % 20 == 7 else written.format(number) for i, number in enumerate(numbers)]
    table = table_of(cells)
    [found] = found_in(table)
    assert (found.column, found.words, found.n, found.marks) == ("pay", (word,), N // 20, marks)
    assert len(found.cells) == 3 and all(cell in cells for cell in found.cells)
    mark = {"decimal_point": ("pay",)} if found.is_mark_said else {}
    read = table_of(cells, not_known=column_values({"pay": found.words}), **mark)
    assert read.columns["pay"].kind == "number" and not found_in(read)
    known = [number for i, number in enumerate(numbers) if i % 20 != 7]
    assert sorted(value for value in read.common_values("pay") if value is not None) == known
    # What is shown before the answer is what the answer gives.
    assert set(found.read(".")) <= set(known)


def test_three_cells_are_shown_as_both_marks_read_them():
    [found] = found_in(table_of([f"{1000 + i:,}" if i else "tbc" for i in range(N)]))
    assert found.cells == ("1,001", "1,002", "1,003")
    assert found.read(".") == (1001, 1002, 1003) and found.read(",") == (1.001, 1.002, 1.003)


@pytest.mark.parametrize(
    "cells",
    [
        ["0", "1", "2", "3+"] * 50,
        [f"{i} a" for i in range(N)],
        [str(i) if i % 3 == 0 else f"word {i % 4}" for i in range(N)],
        [f"{1 + i:,}" if i % 2 else f"word {i % 12}" for i in range(N)],
    ],
)
def test_codes_words_and_what_is_mostly_no_number_stay_texts(cells):
    assert not found_in(table_of(cells))


def test_a_column_that_is_kept_as_text_is_asked_about_no_more():
    cells = [str(i) if i else "tbc" for i in range(N)]
    assert found_in(table_of(cells)) and not found_in(table_of(cells, as_text=("pay",)))
