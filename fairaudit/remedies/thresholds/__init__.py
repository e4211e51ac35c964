"""A threshold for each group, so that error rates are alike: where the group is known when the model decides."""

from fairaudit.remedies.thresholds.classifier import GroupThresholdClassifier
from fairaudit.remedies.thresholds.curves import OperatingPoints, ThresholdOutcome
from fairaudit.remedies.thresholds.operating_points import ThresholdProblem
from fairaudit.remedies.thresholds.swarm import iter_swarm

__all__ = ["GroupThresholdClassifier", "OperatingPoints", "ThresholdOutcome", "ThresholdProblem", "iter_swarm"]
