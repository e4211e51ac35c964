from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairaudit.errors import InputError
from fairaudit.measure import gap_by_value
from fairaudit.measure.bands import quantile_bins

QUESTION = {"decision": "got", "favorable": 1, "protected": "kind = 'a'"}


def frame(values, n=None):
    n = len(values)
    return pd.DataFrame({"kind": ["a", "b"] * (n // 2), "got": [1, 0, 0, 1] * (n // 4), "level": values})


def total(rows):
    return sum(row.comparison.protected.n + row.comparison.reference.n + row.unknown for row in rows)


def test_few_values_are_shown_as_they_are():
    rows = gap_by_value(frame([1, 1, 2, 2]), **QUESTION, column="level")
    assert [(row.name, row.difference) for row in rows] == [("1", 1.0), ("2", -1.0)]


def test_many_numbers_become_ranges_of_about_equal_size():
    rows = gap_by_value(frame(np.arange(800) / 4), **QUESTION, column="level")
    assert [row.name for row in rows][:2] == ["0 to 24.75", "25 to 49.75"]
    assert [row.comparison.protected.n for row in rows] == [50] * 8


def test_missing_values_come_last():
    rows = gap_by_value(frame([*range(20), None, None, None, None]), **QUESTION, column="level", n_bins=4)
    assert [row.name for row in rows] == ["0 to 4", "5 to 9", "10 to 14", "15 to 19", "missing"]
    assert total(rows) == 24


def test_rare_texts_are_put_together():
    values = [f"v{i:02d}" for i in range(30) for _ in range(4)] + [f"w{i}" for i in range(20)]
    rows = gap_by_value(frame(values), **QUESTION, column="level")
    assert len(rows) == 31
    assert rows[-1].name == "20 other values"
    assert rows[0].name == "v00"
    assert total(rows) == len(values)


def test_dates_become_ranges():
    days = pd.date_range("2024-01-01", periods=40)
    rows = gap_by_value(frame(days), **QUESTION, column="level", n_bins=2)
    assert [row.name for row in rows] == ["2024-01-01 to 2024-01-20", "2024-01-21 to 2024-02-09"]


def test_a_value_without_one_group_has_an_undefined_gap():
    rows = gap_by_value(frame([1, 2, 1, 2]), **QUESTION, column="level")
    assert np.isnan([row.difference for row in rows]).all()


def test_a_column_of_missing_values_is_one_row():
    rows = gap_by_value(
        frame([None] * 4).assign(level=pd.Series([None] * 4, dtype="float64")), **QUESTION, column="level"
    )
    assert [row.name for row in rows] == ["missing"]


@given(st.lists(st.integers(1, 50), min_size=1, max_size=40), st.integers(2, 12))
def test_bins_ascend_without_a_hole(sizes, n_bins):
    bins = quantile_bins(sizes, n_bins)
    assert bins[0] == 0
    assert set(np.diff(bins)) <= {0, 1}
    assert bins[-1] < n_bins


@pytest.mark.parametrize("n_bins", [1, 2.5, True])
def test_bins_out_of_range_are_refused(n_bins):
    with pytest.raises(InputError, match="'n_bins' must be an int of at least 2"):
        gap_by_value(frame([1, 2, 3, 4]), **QUESTION, column="level", n_bins=n_bins)
