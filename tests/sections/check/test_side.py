"""The exact figures of an answer speak of the same people as its headline."""

from __future__ import annotations

from dataclasses import replace

import pytest
from findings_by_hand import finding

from fairaudit.sections.check.side import on_said_side


def test_figures_are_turned_where_the_headline_speaks_of_people_without_the_favourable_result():
    one = finding(480, 1000, 350, 1000)
    assert on_said_side(one) is one.result
    turned = replace(one, names=replace(one.names, of_unfavorable=True))
    result = on_said_side(turned)
    assert (result.protected.positives, result.protected.ratio, result.reference.ratio) == (520, 0.52, 0.65)
    assert result.difference == pytest.approx(-one.result.difference)
    assert result.difference == pytest.approx(result.protected.ratio - result.reference.ratio)
    for turned_side, side in ((result.protected, one.result.protected), (result.reference, one.result.reference)):
        assert turned_side.interval == pytest.approx((1 - side.interval.high, 1 - side.interval.low))
    low, high = one.result.difference_interval
    assert result.difference_interval == pytest.approx((-high, -low))
    assert result.verdict == one.result.verdict
