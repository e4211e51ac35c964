"""Relabel the rows that a model learns from, and retrain."""

from fairaudit.estimators.relabeling.algorithms import Relabeling, add_group_columns, risk_adjustment, risk_flipping
from fairaudit.estimators.relabeling.classifier import RelabeledClassifier

__all__ = ["RelabeledClassifier", "Relabeling", "add_group_columns", "risk_adjustment", "risk_flipping"]
