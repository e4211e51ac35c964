"""Charts of the results, each with a text alternative (``…_alt``) and a table (``…_table``) of the same numbers."""

from __future__ import annotations

from fairaudit.report.charts.gap_texts import (
    ToleranceZone,
    comparison_alt,
    comparison_table,
    gap_alt,
    groups_alt,
    groups_table,
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
    calibration_table,
    distribution_alt,
    distribution_table,
    label_words,
    rates_alt,
    rates_table,
    roc_alt,
    roc_table,
)
from fairaudit.report.charts.scores import calibration_chart, distribution_chart, rates_chart, roc_chart

__all__ = [
    "METRICS",
    "ToleranceZone",
    "calibration_alt",
    "calibration_chart",
    "calibration_table",
    "comparison_alt",
    "comparison_chart",
    "comparison_table",
    "distribution_alt",
    "distribution_chart",
    "distribution_table",
    "gap_alt",
    "gap_chart",
    "groups_alt",
    "groups_chart",
    "groups_table",
    "label_words",
    "rates_alt",
    "rates_chart",
    "rates_table",
    "roc_alt",
    "roc_chart",
    "roc_table",
    "strata_alt",
    "strata_chart",
    "strata_table",
    "tolerance_alt",
    "tolerance_chart",
    "tolerance_table",
    "tolerance_zones",
]
