"""Relabel the rows that a model learns from, and retrain."""

from fairaudit.remedies.relabeling.algorithms import Relabeling, risk_adjustment, risk_flipping
from fairaudit.remedies.relabeling.classifier import RelabeledClassifier

__all__ = ["RelabeledClassifier", "Relabeling", "risk_adjustment", "risk_flipping"]
