"""Relabel the rows that a model learns from, and retrain."""

from fairaudit.estimators.relabeling import (
    RelabeledClassifier,
    Relabeling,
    add_group_columns,
    risk_adjustment,
    risk_flipping,
)

__all__ = ["RelabeledClassifier", "Relabeling", "add_group_columns", "risk_adjustment", "risk_flipping"]
