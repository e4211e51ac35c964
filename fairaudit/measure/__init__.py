"""Measures: counts -> rates -> gaps, with intervals and tests."""

from fairaudit.measure.comparison import compare_counts, compare_many
from fairaudit.measure.gaps import group_gaps
from fairaudit.measure.indices import DtdiResult, didi, dtdi, dtdi_details
from fairaudit.measure.rates import average_error_cost, group_metrics, metrics_from_counts

__all__ = [
    "DtdiResult",
    "average_error_cost",
    "compare_counts",
    "compare_many",
    "didi",
    "dtdi",
    "dtdi_details",
    "group_gaps",
    "group_metrics",
    "metrics_from_counts",
]
