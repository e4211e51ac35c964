"""Assess whether like cases are treated alike, mitigate gaps, and report so that others can check.

``fairaudit.run`` is the function that makes a whole audit. A module of that name exists too: importing it here first
and binding the function afterwards keeps both ``from fairaudit import run`` and ``from fairaudit.run import iter_run``
right. The remedies are imported when they are first asked for: scikit-learn takes a second, which a check need not wait
for.
"""

from fairaudit.conditions import Condition
from fairaudit.data import Table, read_table
from fairaudit.late import late_names
from fairaudit.measure import (
    check_controlled_fairness,
    check_strata,
    didi,
    dtdi,
    group_gaps,
    group_metrics,
)
from fairaudit.plan import AuditPlan
from fairaudit.run import run
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
    "connect_table",
    "didi",
    "dtdi",
    "group_gaps",
    "group_metrics",
    "read_table",
    "run",
]

__getattr__ = late_names(
    __name__,
    dict.fromkeys(
        (
            "ConstrainedClassifier",
            "EqualizedDistributionClassifier",
            "FairnessSpec",
            "GroupThresholdClassifier",
            "RelabeledClassifier",
        ),
        "fairaudit.remedies",
    )
    | {"RuleSetClassifier": "fairaudit.rules", "connect_table": "fairaudit.data.engines.connect"}
    | dict.fromkeys(("LookaheadTreeClassifier", "OptimalTreeClassifier", "OptimalTreeRegressor"), "fairaudit.trees"),
)
