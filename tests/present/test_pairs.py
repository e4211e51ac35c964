"""Rows of two points: the number beside a point has room within the plot, whatever it is."""

from __future__ import annotations

import pytest

from fairaudit.present.charts.pairs import PairRow, pairs_chart

WIDTHS = {True: 280, False: 360}
"""Of the plot in pixels, on a narrow screen and beside the names and readings of rows."""


def pair(own, other, text):
    own_text, other_text = (text.format(value) for value in (own, other))
    return PairRow(
        "All cases", own, other, own_text, other_text, own_text, other_text, "9", "9", "Clear gap", True, False
    )


@pytest.mark.parametrize("narrow", [True, False])
@pytest.mark.parametrize(
    ("pairs", "is_share"),
    [
        ([pair(39_524.5, 42_416.9, "{:,.1f}")], False),
        ([pair(68_194.34, 67_001.2, "{:,.2f}"), pair(31_306.93, 31_306.93, "{:,.2f}")], False),
        ([pair(0.004, 0.41, "{:.1%}"), pair(0.999, 1.0, "{:.1%}")], True),
    ],
)
def test_numbers_stand_within_the_plot_and_not_on_names_of_rows(pairs, is_share, narrow):
    chart = pairs_chart(
        pairs, ("women", "men"), description="", quantity="share" if is_share else "amount", narrow=narrow
    ).to_dict()
    [[low, high]] = {tuple(layer["encoding"]["x"]["scale"]["domain"]) for layer in chart["layer"]
                     if "scale" in layer["encoding"]["x"]}  # fmt: skip
    pixel = WIDTHS[narrow] / (high - low)
    for one in pairs:
        left, right = sorted([(one.own, one.own_text), (one.other, one.other_text)])
        assert (left[0] - low) * pixel > 11 + 7 * len(left[1])
        assert (high - right[0]) * pixel > 11 + 7 * len(right[1])
