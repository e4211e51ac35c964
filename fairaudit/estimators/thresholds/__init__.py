"""A threshold for each group, so that error rates are alike: where the group is known when the model decides."""

from fairaudit.estimators.thresholds.classifier import GroupThresholdClassifier
from fairaudit.estimators.thresholds.search import OperatingPoints, ThresholdOutcome, ThresholdProblem, iter_swarm

__all__ = ["GroupThresholdClassifier", "OperatingPoints", "ThresholdOutcome", "ThresholdProblem", "iter_swarm"]
