"""The tables of the report name groups as the measures, the charts and the pages do."""

from __future__ import annotations

import math

import made_up
import pytest

from fairaudit.report.tables import comparison_table, strata_table


@pytest.mark.parametrize(
    "value, text", [("NaT", "NaT"), ("<NA>", "<NA>"), (None, "missing"), (math.nan, "missing"), (3.0, "3")]
)
def test_values_of_a_group_read_as_in_its_name(value, text):
    (group,) = made_up.many_groups([value]).rows
    (stratum,) = made_up.strata([value]).strata
    assert comparison_table(made_up.many_groups([value]), 1, 1).rows[0][0] == text == group.name
    assert strata_table(made_up.strata([value]), 1).rows[0][0] == text == stratum.name
