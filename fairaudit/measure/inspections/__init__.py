"""Searches and inspections, a decision to look and what was found: hit rates, thresholds, light against darkness."""

from fairaudit.measure.inspections.outcome import outcome_test
from fairaudit.measure.inspections.results import (
    HitRate,
    HitRateGap,
    OutcomeTest,
    Placebo,
    ThresholdChecks,
    ThresholdTest,
    VeilGap,
    VeilOfDarkness,
)
from fairaudit.measure.inspections.threshold import threshold_test
from fairaudit.measure.inspections.veil import veil_of_darkness

__all__ = [
    "HitRate",
    "HitRateGap",
    "OutcomeTest",
    "Placebo",
    "ThresholdChecks",
    "ThresholdTest",
    "VeilGap",
    "VeilOfDarkness",
    "outcome_test",
    "threshold_test",
    "veil_of_darkness",
]
