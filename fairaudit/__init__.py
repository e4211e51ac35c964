"""Assess whether like cases are treated alike, mitigate gaps, and report so that others can check.

Every name is imported when it is first asked for: the libraries behind them take seconds.
"""

from typing import TYPE_CHECKING

from fairaudit.late import late_names
from fairaudit.showing import face_of_result as face_of_result
from fairaudit.version import __version__ as __version__

if TYPE_CHECKING:
    from fairaudit.audit.running import run
    from fairaudit.columns import ReadOptions
    from fairaudit.conditions import Condition
    from fairaudit.data import Table, read_table
    from fairaudit.data.engines.connect import connect_table
    from fairaudit.errors import FairauditError
    from fairaudit.estimators.constraints import FairnessSpec
    from fairaudit.estimators.constraints.classifier import ConstrainedClassifier
    from fairaudit.estimators.equalized import EqualizedDistributionClassifier
    from fairaudit.estimators.relabeling import RelabeledClassifier
    from fairaudit.estimators.rules.classifier import RuleSetClassifier
    from fairaudit.estimators.thresholds import GroupThresholdClassifier
    from fairaudit.estimators.trees.lookahead_tree import LookaheadTreeClassifier
    from fairaudit.estimators.trees.optimal_tree import OptimalTreeClassifier, OptimalTreeRegressor
    from fairaudit.measure import (
        check_controlled_fairness,
        check_errors,
        check_group_means,
        check_groups,
        check_mean_strata,
        check_means,
        check_scores,
        check_strata,
        didi,
        dtdi,
        group_gaps,
        group_metrics,
    )
    from fairaudit.measure.detectable import detectable_gap
    from fairaudit.measure.explain import explain_gap, find_proxies
    from fairaudit.measure.inspections.outcome import outcome_test
    from fairaudit.measure.inspections.threshold import threshold_test
    from fairaudit.measure.inspections.veil import veil_of_darkness
    from fairaudit.measure.level_errors import check_level_errors
    from fairaudit.measure.levels import check_levels
    from fairaudit.measure.partial_counts import check_partial_counts
    from fairaudit.measure.periods import compare_periods
    from fairaudit.measure.rankings import check_rankings
    from fairaudit.measure.watching import watch_gap
    from fairaudit.plan.audit_plan import AuditPlan
    from fairaudit.presets.asked import fill_form, list_forms
    from fairaudit.report.composing import write_report
    from fairaudit.report.json_schema import schema
    from fairaudit.report.verification import verify
    from fairaudit.sections.alternatives.answering import find_alternatives
    from fairaudit.subgroups.finding import find_subgroups

__all__ = [
    "AuditPlan",
    "Condition",
    "ConstrainedClassifier",
    "EqualizedDistributionClassifier",
    "FairauditError",
    "FairnessSpec",
    "GroupThresholdClassifier",
    "LookaheadTreeClassifier",
    "OptimalTreeClassifier",
    "OptimalTreeRegressor",
    "ReadOptions",
    "RelabeledClassifier",
    "RuleSetClassifier",
    "Table",
    "check_controlled_fairness",
    "check_errors",
    "check_group_means",
    "check_groups",
    "check_level_errors",
    "check_levels",
    "check_mean_strata",
    "check_means",
    "check_partial_counts",
    "check_rankings",
    "check_scores",
    "check_strata",
    "compare_periods",
    "connect_table",
    "detectable_gap",
    "didi",
    "dtdi",
    "explain_gap",
    "fill_form",
    "find_alternatives",
    "find_proxies",
    "find_subgroups",
    "group_gaps",
    "group_metrics",
    "list_forms",
    "outcome_test",
    "read_table",
    "run",
    "schema",
    "threshold_test",
    "veil_of_darkness",
    "verify",
    "watch_gap",
    "write_report",
]

__getattr__ = late_names(
    __name__,
    {
        "AuditPlan": "fairaudit.plan.audit_plan",
        "Condition": "fairaudit.conditions",
        "ConstrainedClassifier": "fairaudit.estimators.constraints.classifier",
        "EqualizedDistributionClassifier": "fairaudit.estimators.equalized",
        "FairauditError": "fairaudit.errors",
        "FairnessSpec": "fairaudit.estimators.constraints",
        "GroupThresholdClassifier": "fairaudit.estimators.thresholds",
        "LookaheadTreeClassifier": "fairaudit.estimators.trees.lookahead_tree",
        "OptimalTreeClassifier": "fairaudit.estimators.trees.optimal_tree",
        "OptimalTreeRegressor": "fairaudit.estimators.trees.optimal_tree",
        "ReadOptions": "fairaudit.columns",
        "RelabeledClassifier": "fairaudit.estimators.relabeling",
        "RuleSetClassifier": "fairaudit.estimators.rules.classifier",
        "Table": "fairaudit.data",
        "check_controlled_fairness": "fairaudit.measure",
        "check_errors": "fairaudit.measure",
        "check_group_means": "fairaudit.measure",
        "check_groups": "fairaudit.measure",
        "check_mean_strata": "fairaudit.measure",
        "check_level_errors": "fairaudit.measure.level_errors",
        "check_levels": "fairaudit.measure.levels",
        "check_means": "fairaudit.measure",
        "check_partial_counts": "fairaudit.measure.partial_counts",
        "check_rankings": "fairaudit.measure.rankings",
        "check_scores": "fairaudit.measure",
        "check_strata": "fairaudit.measure",
        "compare_periods": "fairaudit.measure.periods",
        "connect_table": "fairaudit.data.engines.connect",
        "detectable_gap": "fairaudit.measure.detectable",
        "didi": "fairaudit.measure",
        "dtdi": "fairaudit.measure",
        "explain_gap": "fairaudit.measure.explain",
        "find_proxies": "fairaudit.measure.explain",
        "fill_form": "fairaudit.presets.asked",
        "find_alternatives": "fairaudit.sections.alternatives.answering",
        "find_subgroups": "fairaudit.subgroups.finding",
        "group_gaps": "fairaudit.measure",
        "group_metrics": "fairaudit.measure",
        "list_forms": "fairaudit.presets.asked",
        "outcome_test": "fairaudit.measure.inspections.outcome",
        "read_table": "fairaudit.data",
        "run": "fairaudit.audit.running",
        "schema": "fairaudit.report.json_schema",
        "threshold_test": "fairaudit.measure.inspections.threshold",
        "veil_of_darkness": "fairaudit.measure.inspections.veil",
        "verify": "fairaudit.report.verification",
        "watch_gap": "fairaudit.measure.watching",
        "write_report": "fairaudit.report.composing",
    },
)
