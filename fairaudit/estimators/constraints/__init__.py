"""Declarative constraints: say how far groups may be apart in a metric, and train any classifier to meet it."""

from fairaudit.estimators.constraints.constrained_rows import TOP, ConstrainedRows, Constraint
from fairaudit.estimators.constraints.metrics import FLOORS, METRICS, PAIRS, Metric, aec
from fairaudit.estimators.constraints.spec import (
    FairnessSpec,
    equalized_odds,
    parse_specs,
    predictive_parity,
    read_specs,
)

__all__ = [
    "FLOORS",
    "METRICS",
    "PAIRS",
    "TOP",
    "ConstrainedRows",
    "Constraint",
    "FairnessSpec",
    "Metric",
    "aec",
    "equalized_odds",
    "parse_specs",
    "predictive_parity",
    "read_specs",
]
