"""Relabel the rows that a model learns from, and retrain."""

from fairaudit.estimators.relabeling.algorithms import Relabeling, risk_adjustment, risk_flipping
from fairaudit.estimators.relabeling.classifier import RelabeledClassifier
from fairaudit.estimators.relabeling.group_columns import add_group_columns

__all__ = ["RelabeledClassifier", "Relabeling", "add_group_columns", "risk_adjustment", "risk_flipping"]
