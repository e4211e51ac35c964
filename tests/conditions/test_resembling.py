"""Which texts may be one word with a typing error, and which pairs of real values are never taken for that."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairaudit.conditions.correcting import _errors, resembles


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("Portugese", "Portuguese"), ("Morocan", "Moroccan"), ("ASSUALT", "Assault"), ("Afganisten", "Afghanistan"),
        ("CRIMINAL TRESSPASS", "CRIMINAL TRESPASS"), ("Khazakstani", "Kazakhstani"), ("Widoved", "Widowed"),
        ("self-emploied", "self-employed"), ("Etiopian", "Ethiopian"), ("Überwisen", "überwiesen"),
    ],
)  # fmt: skip
def test_typing_errors_resemble_their_word(wrong, right):
    assert resembles(wrong, right) and resembles(right, wrong)


COLUMNS = (
    "Iran Iraq Austria Australia Slovakia Slovenia Niger Nigeria Mali Malta Malawi Gambia Zambia India Indonesia "
    "Sweden Switzerland Oman Romania Latvia Lithuania Libya Lebanon Guinea Guyana Mauritius Mauritania",
    "Slovak Slovene Austrian Australian Slovakian Slovenian Nigerian Algerian",
    "Male Female White Black Asian Hispanic Single Divorced Widowed Separated",
    "married unmarried employed unemployed skilled unskilled paid unpaid legal illegal",
    "northeast northwest southeast southwest",
    "A1 A2 B10 B11 2024-01-01 2024-01-02 Grade-I Grade-II Grade-III HS-grad 10th 11th 1st-4th 5th-6th",
)


@pytest.mark.parametrize("values", COLUMNS)
def test_different_values_of_a_column_do_not_resemble_each_other(values):
    assert [pair for pair in combinations(values.split(), 2) if resembles(*pair)] == []


@given(st.text("abc", max_size=5), st.text("abc", max_size=5))
def test_one_error_is_what_one_change_makes(one, two):
    cuts = [(one[:i], one[i:]) for i in range(len(one) + 1)]
    once = {start + end[1:] for start, end in cuts} | {start + end[1:2] + end[:1] + end[2:] for start, end in cuts}
    once |= {start + letter + rest for start, end in cuts for letter in "abc" for rest in (end, end[1:])}
    n = _errors(one, two)
    assert (n == 0) == (one == two) and (n <= 1) == (two in once | {one})
