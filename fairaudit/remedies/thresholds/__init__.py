"""A threshold for each group, so that error rates are alike: where the group is known when the model decides."""

from fairaudit.remedies.thresholds.operating_points import OperatingPoints, ThresholdOutcome, ThresholdProblem

__all__ = ["OperatingPoints", "ThresholdOutcome", "ThresholdProblem"]
