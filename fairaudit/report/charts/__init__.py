"""Charts of the results, each with a text alternative (``…_alt``); their numbers are in :mod:`fairaudit.report.tables`.

Only the gap by value and the tolerance have a table here (``…_table``): they are on the pages, not in a report.
"""

from __future__ import annotations

from fairaudit.report.charts.amounts import (
    group_means_alt,
    group_means_chart,
    mean_strata_alt,
    mean_strata_chart,
    means_alt,
    means_chart,
    means_note,
)
from fairaudit.report.charts.constraint_details import (
    constraint_frontier_chart,
    constraint_gaps_chart,
    constraint_path_chart,
)
from fairaudit.report.charts.constraint_texts import (
    constraint_frontier_alt,
    constraint_gaps_alt,
    constraint_gaps_note,
    constraint_path_alt,
)
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
from fairaudit.report.charts.remedies import before_after_chart, flipped_points_chart, frontier_chart, gaps_chart
from fairaudit.report.charts.remedy_details import (
    equalized_distribution_chart,
    equalized_sweep_chart,
    threshold_roc_chart,
    weight_sweep_chart,
)
from fairaudit.report.charts.remedy_texts import (
    before_after_alt,
    equalized_distribution_alt,
    equalized_sweep_alt,
    flipped_points_alt,
    frontier_alt,
    gaps_alt,
    threshold_roc_alt,
    weight_sweep_alt,
)
from fairaudit.report.charts.rules_coverage import rules_coverage_alt, rules_coverage_chart, rules_coverage_note
from fairaudit.report.charts.rules_details import rules_frontier_chart, rules_gaps_chart, rules_path_chart
from fairaudit.report.charts.rules_texts import rules_frontier_alt, rules_gaps_alt, rules_gaps_note, rules_path_alt
from fairaudit.report.charts.score_texts import (
    METRICS,
    calibration_alt,
    distribution_alt,
    label_words,
    rates_alt,
    roc_alt,
)
from fairaudit.report.charts.scores import calibration_chart, distribution_chart, rates_chart, roc_chart
from fairaudit.report.charts.trees_details import (
    similar_people_chart,
    tree_bounds_chart,
    tree_depths_chart,
    tree_settings_chart,
)
from fairaudit.report.charts.trees_drawn import tree_chart
from fairaudit.report.charts.trees_texts import (
    similar_people_alt,
    tree_alt,
    tree_bounds_alt,
    tree_depths_alt,
    tree_settings_alt,
)

__all__ = [
    "METRICS",
    "ToleranceZone",
    "before_after_alt",
    "before_after_chart",
    "calibration_alt",
    "calibration_chart",
    "comparison_alt",
    "comparison_chart",
    "constraint_frontier_alt",
    "constraint_frontier_chart",
    "constraint_gaps_alt",
    "constraint_gaps_chart",
    "constraint_gaps_note",
    "constraint_path_alt",
    "constraint_path_chart",
    "distribution_alt",
    "distribution_chart",
    "equalized_distribution_alt",
    "equalized_distribution_chart",
    "equalized_sweep_alt",
    "equalized_sweep_chart",
    "flipped_points_alt",
    "flipped_points_chart",
    "frontier_alt",
    "frontier_chart",
    "gap_alt",
    "gap_chart",
    "gaps_alt",
    "gaps_chart",
    "group_means_alt",
    "group_means_chart",
    "groups_alt",
    "groups_chart",
    "label_words",
    "mean_strata_alt",
    "mean_strata_chart",
    "means_alt",
    "means_chart",
    "means_note",
    "rates_alt",
    "rates_chart",
    "roc_alt",
    "roc_chart",
    "rules_coverage_alt",
    "rules_coverage_chart",
    "rules_coverage_note",
    "rules_frontier_alt",
    "rules_frontier_chart",
    "rules_gaps_alt",
    "rules_gaps_chart",
    "rules_gaps_note",
    "rules_path_alt",
    "rules_path_chart",
    "similar_people_alt",
    "similar_people_chart",
    "strata_alt",
    "strata_chart",
    "strata_table",
    "threshold_roc_alt",
    "threshold_roc_chart",
    "tolerance_alt",
    "tolerance_chart",
    "tolerance_table",
    "tolerance_zones",
    "tree_alt",
    "tree_bounds_alt",
    "tree_bounds_chart",
    "tree_chart",
    "tree_depths_alt",
    "tree_depths_chart",
    "tree_settings_alt",
    "tree_settings_chart",
    "weight_sweep_alt",
    "weight_sweep_chart",
]
