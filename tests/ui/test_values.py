"""Values that a person can choose are written as people write them."""

from __future__ import annotations

import pytest

from ui.data.cuts import runs
from ui.text import labels
from ui.values import value_label


@pytest.mark.parametrize(
    ("value", "label"),
    [(3810.0, "3,810"), (3060, "3,060"), (0.25, "0.25"), (-1200.5, "-1,200.5"), (True, "True"), ("3060", "3060")],
)
def test_thousands_are_grouped_and_empty_decimals_left_out(value, label):
    assert value_label(value) == label


def test_options_are_named_by_their_own_text_and_no_two_alike():
    label = labels([3810.0, "3,810"], text=value_label)
    assert [label(3810.0), label("3,810"), label(99_000)] == ["3,810", "3,810 (2)", "99,000"]


def test_the_ends_of_a_column_are_written_in_full():
    assert runs((1500.0, 1_234_567.0)) == "The column runs from 1,500 to 1,234,567."
