"""Groups and strata stand in the order in which people read their names."""

from __future__ import annotations

import made_up
import pytest

from fairaudit.measure.grouping import value_text
from fairaudit.present.charts.gaps import strata_chart
from fairaudit.present.naming import in_natural_order
from fairaudit.sections.check.tables import ShareFigures, strata_table


def rows(*names):
    found = made_up.strata([str(name) for name in names]).strata
    return [type(row)((("grade", name),), row.comparison, row.unknown) for row, name in zip(found, names, strict=True)]


@pytest.mark.parametrize(
    ("given", "ordered"),
    [
        (("E10", "E13", "E9", "S8", None), ["E9", "E10", "E13", "S8", "missing"]),
        (("10: top", "1: low", "2: middle"), ["1: low", "2: middle", "10: top"]),
        ((2.0, 10.0), ["2", "10"]),
        # Bands: their order is that of their ends, not that of texts.
        (("below 30", "30 to 45", "from 45"), ["below 30", "30 to 45", "from 45"]),
        (("E009", "E9"), ["E009", "E9"]),
        (("high", "low", "middle", None), ["low", "middle", "high", "missing"]),
        (("high_income", "low_income", "middle_income"), ["low_income", "middle_income", "high_income"]),
        (("Junior", "Lead", "Senior"), ["Junior", "Senior", "Lead"]),
        # Not all are words of one order: low is a place here.
        (("high", "low", "south"), ["high", "low", "south"]),
    ],
)
def test_numbers_in_names_are_ordered_by_size_and_another_order_is_kept(given, ordered):
    assert [value_text(row.values[0][1]) for row in in_natural_order(rows(*given))] == ordered


def test_table_and_chart_of_strata_have_that_order():
    strata = made_up.strata(["E10", "E13", "E9"])
    assert [row[0] for row in strata_table(strata, 1, ShareFigures()).rows] == ["E9", "E10", "E13"]
    drawn = strata_chart(strata).to_json()
    assert drawn.index('"E9"') < drawn.index('"E10"') < drawn.index('"E13"')
