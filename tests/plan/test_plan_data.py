"""What was said of a table holds for the one that is compared with it, as far as that one has its columns."""

from __future__ import annotations

from dataclasses import replace

import pytest

from fairaudit import read_table
from fairaudit.columns import ReadOptions, WideCounts, column_values, labels_of
from fairaudit.errors import InputError, TwoReadingsError
from fairaudit.plan.data import read_alike

SAID = ReadOptions(
    not_known=column_values({"sex": ["9"], "gone": ["9"]}),
    left_out=column_values({"area": ["Total"], "gone": ["Total"]}),
    real_values=column_values({"area": ["All"], "gone": ["All"]}),
    labels=labels_of({"sex": {"1": "man", "2": "woman"}, "gone": {"1": "yes"}}),
    derived=column_values({"race": ["white", "black"], "other": ["white", "gone"]}),
    numbers=("grade", "lost"),
    codes=("white", "away"),
    as_text=("code", "gone"),
)
ROWS = "sex,area,white,black,grade,code\n1,All,1,0,1,007\n2,b,0,1,2,008\n9,b,1,1,3,009\n1,Total,1,0,1,001\n"


def read_second(text: str, said: ReadOptions):
    return read_alike(said, lambda options: read_table(text.encode(), options=options))


def test_only_what_names_columns_that_are_not_there_is_dropped():
    table = read_second(ROWS, SAID)
    read = table.source.options
    assert table.n_rows == 3
    assert [table.count(f"sex {is_value}") for is_value in ("= 'man'", "= 'woman'", "IS NULL")] == [1, 1, 1]
    assert table.columns["race"].kind == "text" and table.columns["code"].kind == "text"
    assert "other" not in table.columns and (read.numbers, read.codes) == (("grade",), ("white",))
    assert read.left_out == (("area", ("Total",)),) and read.real_values == (("area", ("All",)),)


def test_what_was_said_is_kept_where_all_columns_are_there():
    said = replace(ReadOptions(), left_out=column_values({"area": ["Total"]}))
    assert read_second(ROWS, said).source.options.left_out == said.left_out


@pytest.mark.parametrize("counts", ["n", WideCounts("hired", all="n")])
def test_counts_of_cases_are_never_dropped(counts):
    said = ReadOptions(counts=counts, not_known=SAID.not_known)
    text = "sex,ok,hired,{}\n1,yes,2,40\n2,yes,3,30\n1,no,4,20\n2,no,5,60\n"
    assert read_second(text.format("n"), said).source.options.counts == counts
    with pytest.raises(InputError, match="'n'"):
        read_second(text.format("number"), said)


def test_a_question_about_numbers_is_asked_with_what_was_said_of_the_columns_that_are_there():
    asked = []

    def read(options):
        asked.append(options)
        return read_table(b"sex;pay\n1;1.234\n2;2.345\n9;3.456\n", options=options)

    with pytest.raises(TwoReadingsError):
        read_alike(ReadOptions(not_known=SAID.not_known), read)
    assert asked[-1].not_known == (("sex", ("9",)),)


def test_what_rows_are_is_said_once_for_both_tables():
    said = ReadOptions(rows_are_cases=True, unweighted=True)
    read = read_second("sex,ok,pweight\n1,yes,2.5\n2,no,1.5\n", said).source.options
    assert read.rows_are_cases and read.unweighted
