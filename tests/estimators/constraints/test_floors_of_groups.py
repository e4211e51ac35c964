"""Floors so that no group is worse off: what they say of predictions, in numbers worked out by hand."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from fairaudit.estimators.constraints import ConstrainedRows, parse_specs
from fairaudit.estimators.constraints.polishing import NoGroupWorseOff

Y = np.array([1, 1, 1, 0, 0, 1, 1, 0, 0, 0])
FRAME = pd.DataFrame({"sex": list("fffffmmmmm")})
BEFORE = np.array([1, 1, 0, 1, 0, 1, 0, 0, 1, 0])
"""Of f: 3 of 5 predicted positive, 2 of 3 positives found, 1 of 2 negatives wrong; of m 2 of 5, 1 of 2, 1 of 3."""


@pytest.mark.parametrize("positive_is_good", [True, False])
@pytest.mark.parametrize("text", ["demographic_parity", "fnr", "fpr", "error_rate", "equalized_odds"])
def test_what_is_missing_to_a_floor_is_by_how_much_a_group_is_worse_off(text, positive_is_good):
    rows = ConstrainedRows.of(parse_specs(f"{text} by sex <= 0.1"), Y, FRAME)
    wish = NoGroupWorseOff.of(rows, BEFORE, positive_is_good=positive_is_good)
    rng = np.random.default_rng(3)
    for h in (BEFORE, np.zeros(10, dtype=int), np.ones(10, dtype=int), *rng.integers(0, 2, (20, 10))):
        assert wish.floors().missing(h) == pytest.approx(np.maximum(-wish.gains(h), 0))


def test_the_floors_of_shares_are_those_worked_out_by_hand():
    rows = ConstrainedRows.of(parse_specs("demographic_parity by sex <= 0.1"), Y, FRAME)
    good = NoGroupWorseOff.of(rows, BEFORE, positive_is_good=True).floors()
    assert good.weights == pytest.approx(np.repeat(np.eye(2), 5, axis=1) / 5)
    assert good.least == pytest.approx([3 / 5, 2 / 5])
    bad = NoGroupWorseOff.of(rows, BEFORE, positive_is_good=False).floors()
    # The share of positive predictions, which are bad, may be at most what it was.
    assert bad.weights == pytest.approx(-good.weights) and bad.least == pytest.approx(-good.least)
    assert good.raised(np.array([0.1, 0.0])).least == pytest.approx([7 / 10, 2 / 5])


def test_a_group_without_a_rate_before_has_no_floor():
    rows = ConstrainedRows.of(parse_specs("fnr by sex <= 0.1"), np.r_[Y[:5], np.zeros(5, dtype=int)], FRAME)
    floors = NoGroupWorseOff.of(rows, BEFORE, positive_is_good=True).floors()
    assert floors.least[1] == -np.inf
    assert floors.missing(np.zeros(10)) == pytest.approx([2 / 3, 0])
