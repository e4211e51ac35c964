"""A rounded figure never reads as if it were on another side of the limit that it is set beside."""

from __future__ import annotations

import dataclasses

import pandas as pd
import pytest
from findings_by_hand import finding
from hypothesis import given
from hypothesis import strategies as st

from fairaudit.disclosure.fields import Field
from fairaudit.findings import Message
from fairaudit.measure import check_groups
from fairaudit.measure.limits import digits_beside
from fairaudit.messages import say
from fairaudit.present.blocks import TableBlock, cell_text, row_texts
from fairaudit.present.numbers import NO_BREAK, beside_text, points_text, share_text
from fairaudit.present.numbers import gap_text as points_of_gap
from fairaudit.present.verdicts import figures
from fairaudit.remedies.constrain.words import gap_text
from fairaudit.sections.check.chapter import number_blocks
from fairaudit.sections.check.tables import ShareFigures, comparison_table

NEAR = (35, 100, 44, 100)
"""An impact ratio of 0.7955, which two decimals make 0.80."""
JUST_OUTSIDE = (4498, 10000, 5000, 10000)
"""A gap of 5.02 points."""


@pytest.mark.parametrize(
    ("counts", "value", "note"),
    [
        (NEAR, "0.795", "card-ratio-below"),
        ((44, 100, 35, 100), "1.26", "card-ratio-above"),
        ((1253, 2000, 1000, 2000), "1.253", "card-ratio-above"),
        ((40, 100, 50, 100), "0.80", "card-ratio-within"),
        ((30, 100, 50, 100), "0.60", "card-ratio-below"),
        ((79, 200, 100, 200), "0.79", "card-ratio-below"),
    ],
)
def test_impact_ratio_near_a_limit_has_the_digits_that_show_its_side(counts, value, note):
    ratio = figures(finding(*counts).result)[1]
    assert (ratio.value, ratio.note) == (value, say(Message(note)))


def test_report_chapter_distinguishes_gap_and_ratio_from_their_limits():
    blocks = number_blocks(finding(*JUST_OUTSIDE), 1, level=1)
    assert "−5.02 points" in values_of(blocks)
    assert "0.795" in values_of(number_blocks(finding(*NEAR), 1, level=1))


def values_of(blocks) -> list[str]:
    """The figures of the gap in numbers."""
    return [value for block in blocks for _, value in getattr(block, "rows", ()) if isinstance(value, str)]


def test_a_card_distinguishes_a_gap_just_outside_the_tolerance_from_it():
    one = finding(*JUST_OUTSIDE)
    assert not one.result.within_tolerance
    assert figures(one.result)[0].value == "−5.02" and points_of_gap(one.result) == "−5.02 points"


def _compared():
    rows = [("a", 4498, 10000), ("b", 5000, 10000)]
    frame = pd.DataFrame([(name, int(i < good)) for name, good, n in rows for i in range(n)], columns=["kind", "ok"])
    return check_groups(frame, decision="ok", favorable=1, by="kind")


def test_tables_of_groups_distinguish_gaps_from_the_tolerance_unless_a_count_is_hidden():
    comparison = _compared()

    def gaps(compared):
        table = comparison_table(compared, 1, 1, ShareFigures())
        place = [column.name for column in table.columns].index("gap")
        column = table.columns[place]
        return [cell_text(row[place], column.kind, digits=column.digits, beside=column.beside) for row in table.rows]

    assert gaps(comparison) == ["−5.02", "+5.02"]
    first, *rest = comparison.rows
    side = dataclasses.replace(first.comparison.protected, undecided=None)
    hidden = dataclasses.replace(first, comparison=dataclasses.replace(first.comparison, protected=side))
    assert gaps(dataclasses.replace(comparison, rows=(hidden, *rest))) == ["−5.0", "+5.0"]


def test_gaps_beside_shares_are_rounded_and_stay_on_their_side_of_the_tolerance():
    gap = Field("gap", "gap", "points", beside=0.05, of=("a", "b"))
    columns = (Field("a", "a", "share"), Field("b", "b", "share"), gap)
    rows = ((0.44519, 0.30354, 0.14165), (0.55004, 0.5, 0.05004), (0.55, 0.5, 0.05))
    shown = row_texts(TableBlock("t", "t", columns, rows))
    assert [row[2] for row in shown] == ["+14.16", "+5.004", "+5.00"]


@given(st.floats(-2, 2), st.sampled_from([0.8, 1.25, 0.05, 0.0225, 1 / 3]), st.integers(0, 3), st.booleans())
def test_what_is_shown_is_on_the_side_of_the_limit_that_the_number_is_on(value, limit, digits, finer):
    text = beside_text(value, [limit], digits=digits, finer=finer).replace("−", "-").replace(",", "")
    if text.startswith("just"):
        assert ("below" in text) == (value < limit)
    elif not text.startswith("about"):
        shown = float(text)
        assert (shown < limit) == (value < limit) or abs(value - limit) < 1e-8
        assert len(text.partition(".")[2]) <= max(4 if finer else digits, digits)


def test_units_are_distinguished_in_percent_and_points():
    assert share_text(0.79996, beside=0.8) == f"79.996{NO_BREAK}%"
    assert points_text(0.05000000000001, beside=0.05) == "+5.0 points"
    assert points_text(0.05000000006, signed=False, beside=0.05) == "just above 5.0 points"
    assert digits_beside(0.7955, [0.8], digits=2) == 3


def test_sentences_of_constraints_distinguish_gaps_from_what_is_allowed():
    assert gap_text(0.0504, "demographic_parity", beside=0.05) == "+5.04 points"
    assert gap_text(-0.0503, "aec(1,2)", beside=0.05) == "−0.0503" and gap_text(0.0804, "aec", beside=0.05) == "+0.080"
