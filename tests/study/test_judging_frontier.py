from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairaudit.errors import InputError
from fairaudit.study.judging import non_dominated

VALUE = st.one_of(st.integers(0, 4).map(float), st.floats(0, 1), st.just(np.nan), st.just(np.inf), st.just(-np.inf))


@given(st.lists(st.tuples(VALUE, VALUE), max_size=25))
def test_points_are_kept_as_by_comparing_all_pairs(points):
    def beaten(x, y):
        return any(a >= x and b <= y and (a > x or b < y) for a, b in points)

    expected = [not (np.isnan(x) or np.isnan(y) or beaten(x, y)) for x, y in points]
    assert non_dominated(points).tolist() == expected


def test_points_must_be_pairs():
    with pytest.raises(InputError, match="pairs of numbers"):
        non_dominated([(1, 2, 3)])
