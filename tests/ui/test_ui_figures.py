from __future__ import annotations

import math

import pytest

from ui.result import distance_text


@pytest.mark.parametrize(
    ("best", "bound", "shown"),
    [
        (0.3, 0.25, "20.0"),
        (1582.0, 970.0, "63.1"),
        (0.0, 0.0, "0 %"),
        (0.3, 0.0, "none yet"),
        (9.0, math.nan, "none yet"),
        (math.nan, 0.1, "none yet"),
    ],
)
def test_distance_is_a_share_of_the_lowest_possible(best, bound, shown):
    assert distance_text(best, bound).startswith(shown)
