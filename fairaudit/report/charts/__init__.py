"""Charts of the results, each with a text alternative (``…_alt``); their numbers are in :mod:`fairaudit.report.tables`.

Only the gap by value and the tolerance have a table here (``…_table``): they are on the pages, not in a report.
"""

from __future__ import annotations

from fairaudit.report.charts.gap_texts import (
    ToleranceZone,
    comparison_alt,
    gap_alt,
    groups_alt,
    strata_alt,
    strata_table,
    tolerance_alt,
    tolerance_table,
    tolerance_zones,
)
from fairaudit.report.charts.gaps import comparison_chart, gap_chart, groups_chart, strata_chart, tolerance_chart
from fairaudit.report.charts.score_texts import (
    METRICS,
    calibration_alt,
    distribution_alt,
    label_words,
    rates_alt,
    roc_alt,
)
from fairaudit.report.charts.scores import calibration_chart, distribution_chart, rates_chart, roc_chart

__all__ = [
    "METRICS",
    "ToleranceZone",
    "calibration_alt",
    "calibration_chart",
    "comparison_alt",
    "comparison_chart",
    "distribution_alt",
    "distribution_chart",
    "gap_alt",
    "gap_chart",
    "groups_alt",
    "groups_chart",
    "label_words",
    "rates_alt",
    "rates_chart",
    "roc_alt",
    "roc_chart",
    "strata_alt",
    "strata_chart",
    "strata_table",
    "tolerance_alt",
    "tolerance_chart",
    "tolerance_table",
    "tolerance_zones",
]
