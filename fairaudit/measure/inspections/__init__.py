"""Searches and inspections, a decision to look and what was found: hit rates, thresholds, light against darkness."""

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

__all__ = [
    "HitRate",
    "HitRateGap",
    "OutcomeTest",
    "Placebo",
    "ThresholdChecks",
    "ThresholdTest",
    "VeilGap",
    "VeilOfDarkness",
]
