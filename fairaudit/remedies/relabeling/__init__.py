"""Relabel the rows that a model learns from, and retrain."""

from fairaudit.remedies.relabeling.algorithms import Relabeling, risk_adjustment, risk_flipping

__all__ = ["Relabeling", "risk_adjustment", "risk_flipping"]
