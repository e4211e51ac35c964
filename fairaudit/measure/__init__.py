"""Measures: counts -> rates -> gaps, with intervals and tests."""

from fairaudit.measure.comparison import compare_counts, compare_many
from fairaudit.measure.controlled import check_controlled_fairness
from fairaudit.measure.errors_by_group import check_errors
from fairaudit.measure.groups import check_groups, gap_by_value
from fairaudit.measure.indices import DtdiResult, didi, dtdi, dtdi_details
from fairaudit.measure.mean_strata import StratifiedMeans, check_mean_strata
from fairaudit.measure.means import check_group_means, check_means
from fairaudit.measure.rates import average_error_cost, group_gaps, group_metrics, metrics_from_counts
from fairaudit.measure.results import (
    Comparison,
    ControlledFairness,
    ControlledMeans,
    ErrorComparison,
    GroupComparison,
    GroupMean,
    GroupRatio,
    GroupRow,
    Interval,
    MeanComparison,
    ScoreComparison,
    StratifiedFairness,
    StratumRow,
)
from fairaudit.measure.scores import check_scores
from fairaudit.measure.similar import SimilarAmounts, check_similar
from fairaudit.measure.strata import check_strata

__all__ = [
    "Comparison",
    "ControlledFairness",
    "ControlledMeans",
    "DtdiResult",
    "ErrorComparison",
    "GroupComparison",
    "GroupMean",
    "GroupRatio",
    "GroupRow",
    "Interval",
    "MeanComparison",
    "ScoreComparison",
    "SimilarAmounts",
    "StratifiedFairness",
    "StratifiedMeans",
    "StratumRow",
    "average_error_cost",
    "check_controlled_fairness",
    "check_errors",
    "check_group_means",
    "check_groups",
    "check_mean_strata",
    "check_means",
    "check_scores",
    "check_similar",
    "check_strata",
    "compare_counts",
    "compare_many",
    "didi",
    "dtdi",
    "dtdi_details",
    "gap_by_value",
    "group_gaps",
    "group_metrics",
    "metrics_from_counts",
]
