"""Assess whether like cases are treated alike, mitigate gaps, and report so that others can check.

Every name is imported when it is first asked for: the libraries behind them take seconds.
"""

from fairaudit.late import late_names
from fairaudit.version import __version__ as __version__

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
        "LookaheadTreeClassifier": "fairaudit.estimators.trees",
        "OptimalTreeClassifier": "fairaudit.estimators.trees",
        "OptimalTreeRegressor": "fairaudit.estimators.trees",
        "RelabeledClassifier": "fairaudit.estimators.relabeling",
        "RuleSetClassifier": "fairaudit.estimators.rules",
        "Table": "fairaudit.data",
        "check_controlled_fairness": "fairaudit.measure",
        "check_strata": "fairaudit.measure",
        "compare_periods": "fairaudit.measure.periods",
        "connect_table": "fairaudit.data.engines.connect",
        "detectable_gap": "fairaudit.measure.detectable",
        "didi": "fairaudit.measure",
        "dtdi": "fairaudit.measure",
        "explain_gap": "fairaudit.measure.explain",
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
