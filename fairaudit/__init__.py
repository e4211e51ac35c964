"""Assess whether like cases are treated alike, mitigate gaps, and report so that others can check.

Every name is imported when it is first asked for: the libraries behind them take seconds.
"""

from typing import TYPE_CHECKING

from fairaudit.findings.result import Result, show_results_by
from fairaudit.late import late_names
from fairaudit.version import __version__ as __version__

if TYPE_CHECKING:
    from fairaudit.audit.running import run
    from fairaudit.conditions import Condition
    from fairaudit.data import Table, read_table
    from fairaudit.data.engines.connect import connect_table
    from fairaudit.estimators.constraints import FairnessSpec
    from fairaudit.estimators.constraints.classifier import ConstrainedClassifier
    from fairaudit.estimators.equalized import EqualizedDistributionClassifier
    from fairaudit.estimators.relabeling import RelabeledClassifier
    from fairaudit.estimators.rules.classifier import RuleSetClassifier
    from fairaudit.estimators.thresholds import GroupThresholdClassifier
    from fairaudit.estimators.trees.lookahead_tree import LookaheadTreeClassifier
    from fairaudit.estimators.trees.optimal_tree import OptimalTreeClassifier, OptimalTreeRegressor
    from fairaudit.measure import check_controlled_fairness, check_strata, didi, dtdi, group_gaps, group_metrics
    from fairaudit.measure.detectable import detectable_gap
    from fairaudit.measure.explain import explain_gap
    from fairaudit.measure.inspections.outcome import outcome_test
    from fairaudit.measure.inspections.threshold import threshold_test
    from fairaudit.measure.inspections.veil import veil_of_darkness
    from fairaudit.measure.periods import compare_periods
    from fairaudit.plan.audit_plan import AuditPlan
    from fairaudit.sections.alternatives.answering import find_alternatives
    from fairaudit.subgroups.finding import find_subgroups

__all__ = [
    "AuditPlan",
    "Condition",
    "ConstrainedClassifier",
    "EqualizedDistributionClassifier",
    "FairnessSpec",
    "GroupThresholdClassifier",
    "LookaheadTreeClassifier",
    "OptimalTreeClassifier",
    "OptimalTreeRegressor",
    "RelabeledClassifier",
    "RuleSetClassifier",
    "Table",
    "check_controlled_fairness",
    "check_strata",
    "compare_periods",
    "connect_table",
    "detectable_gap",
    "didi",
    "dtdi",
    "explain_gap",
    "find_alternatives",
    "find_subgroups",
    "group_gaps",
    "group_metrics",
    "outcome_test",
    "read_table",
    "run",
    "threshold_test",
    "veil_of_darkness",
]

__getattr__ = late_names(
    __name__,
    {
        "AuditPlan": "fairaudit.plan.audit_plan",
        "Condition": "fairaudit.conditions",
        "ConstrainedClassifier": "fairaudit.estimators.constraints.classifier",
        "EqualizedDistributionClassifier": "fairaudit.estimators.equalized",
        "FairnessSpec": "fairaudit.estimators.constraints",
        "GroupThresholdClassifier": "fairaudit.estimators.thresholds",
        "LookaheadTreeClassifier": "fairaudit.estimators.trees.lookahead_tree",
        "OptimalTreeClassifier": "fairaudit.estimators.trees.optimal_tree",
        "OptimalTreeRegressor": "fairaudit.estimators.trees.optimal_tree",
        "RelabeledClassifier": "fairaudit.estimators.relabeling",
        "RuleSetClassifier": "fairaudit.estimators.rules.classifier",
        "Table": "fairaudit.data",
        "check_controlled_fairness": "fairaudit.measure",
        "check_strata": "fairaudit.measure",
        "compare_periods": "fairaudit.measure.periods",
        "connect_table": "fairaudit.data.engines.connect",
        "detectable_gap": "fairaudit.measure.detectable",
        "didi": "fairaudit.measure",
        "dtdi": "fairaudit.measure",
        "explain_gap": "fairaudit.measure.explain",
        "find_alternatives": "fairaudit.sections.alternatives.answering",
        "find_subgroups": "fairaudit.subgroups.finding",
        "group_gaps": "fairaudit.measure",
        "group_metrics": "fairaudit.measure",
        "outcome_test": "fairaudit.measure.inspections.outcome",
        "read_table": "fairaudit.data",
        "run": "fairaudit.audit.running",
        "threshold_test": "fairaudit.measure.inspections.threshold",
        "veil_of_darkness": "fairaudit.measure.inspections.veil",
    },
)


def _face_of(result: Result) -> object:
    from fairaudit.faces import face_of

    return face_of(result)


show_results_by(_face_of)
