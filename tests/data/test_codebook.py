"""A codebook: a second file that says what codes stand for."""

from __future__ import annotations

import io

import pandas as pd
import pytest

from fairaudit.data.codebook import labels_for, read_codebook
from fairaudit.errors import InputError

SEX = ("sex", (("1", "man"), ("2", "woman")))


@pytest.mark.parametrize(
    "content",
    [
        b"column,value,label\nsex,1,man\nsex,2,woman\n",
        b"sex,1,man\nsex,2,woman\n",
        b"Variable;Code;Meaning\nsex;1;man\n;2;woman\n",
        b"name\tvalue\tlabel\nsex\t1\tman\nsex\t2\twoman\nsex\t3\t\n",
    ],
)
def test_three_columns_name_the_column_with_and_without_a_row_of_names(content):
    assert read_codebook(content) == (SEX,)


@pytest.mark.parametrize("content", [b"value,label\n1,man\n2,woman\n", b"1,man\n2,woman\n"])
def test_two_columns_are_about_the_column_that_is_named(content):
    assert read_codebook(content, column="sex") == (SEX,)
    with pytest.raises(InputError, match="which column"):
        read_codebook(content)


def test_codes_stay_as_they_are_written_and_sheets_are_read():
    assert read_codebook(b"value,label\n01,north\n02,south\n", column="a") == (
        ("a", (("01", "north"), ("02", "south"))),
    )
    stream = io.BytesIO()
    pd.DataFrame({"column": ["sex", None], "value": [1, 2], "label": ["man", "woman"]}).to_excel(stream, index=False)
    assert read_codebook(stream.getvalue()) == (SEX,)


@pytest.mark.parametrize(
    ("content", "named"),
    [
        (b"column,value,label\nsex,1,man\nsex,2,man\n", ["'1'", "'2'", "'sex'", "'man'"]),
        (b"column,value,label\nsex,1,man\nsex,1,woman\n", ["'1'", "'sex'", "'man'", "'woman'"]),
        (b"a,b,c,d\n1,2,3,4\n", ["4"]),
    ],
)
def test_a_codebook_that_cannot_be_right_is_refused_by_name(content, named):
    with pytest.raises(InputError) as refused:
        read_codebook(content)
    assert all(each in refused.value.message for each in named)


def test_a_codebook_of_other_columns_is_refused_and_more_columns_are_named():
    with pytest.raises(InputError, match="'sex'"):
        labels_for((SEX,), ["gender", "age"])
    assert labels_for((SEX, ("race", (("1", "x"),))), ["Sex", "age"]) == ((("Sex", SEX[1]),), ("race",))
