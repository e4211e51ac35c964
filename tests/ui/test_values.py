"""Values that a person can choose are written as people write them."""

from __future__ import annotations

import numpy as np
import pytest

from ui.text import labels
from ui.values import runs, value_label


@pytest.mark.parametrize(
    ("value", "label"),
    [
        (38_100.0, "38,100"),
        (10_000, "10,000"),
        (9_999.5, "9999.5"),
        (2020, "2020"),
        (-12_000.5, "-12,000.5"),
        (0.25, "0.25"),
        (np.int64(5_000), "5000"),
        (np.int64(50_000), "50,000"),
        (np.float32(2020), "2020"),
        (True, "True"),
        (np.True_, "True"),
        ("30600", "30600"),
    ],
)
def test_thousands_are_grouped_where_no_year_or_code_can_be_meant_and_empty_decimals_left_out(value, label):
    assert value_label(value) == label


def test_options_are_named_by_their_own_text_and_no_two_alike():
    label = labels([38100.0, "38,100"], text=value_label)
    assert [label(38100.0), label("38,100"), label(99_000)] == ["38,100", "38,100 (2)", "99,000"]


def test_the_ends_of_a_column_are_written_in_full():
    assert runs((1500.0, 1_234_567.0)) == "The column runs from 1500 to 1,234,567."
