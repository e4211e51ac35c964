"""A threshold for each group, so that error rates are alike: where the group is known when the model decides."""

from fairaudit.estimators.thresholds.classifier import GroupThresholdClassifier
from fairaudit.estimators.thresholds.curves import OperatingPoints, ThresholdOutcome
from fairaudit.estimators.thresholds.exact import ThresholdProblem
from fairaudit.estimators.thresholds.swarm import iter_swarm

__all__ = ["GroupThresholdClassifier", "OperatingPoints", "ThresholdOutcome", "ThresholdProblem", "iter_swarm"]
