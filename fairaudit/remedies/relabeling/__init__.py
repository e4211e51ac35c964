"""Relabel the rows that a model learns from, and retrain."""

from fairaudit.remedies.relabeling.algorithms import Relabeling, risk_adjustment, risk_flipping
from fairaudit.remedies.relabeling.classifier import RelabeledClassifier
from fairaudit.remedies.relabeling.group_columns import add_group_columns

__all__ = ["RelabeledClassifier", "Relabeling", "add_group_columns", "risk_adjustment", "risk_flipping"]
