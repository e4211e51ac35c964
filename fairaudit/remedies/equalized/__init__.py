"""A score that is spread alike in all groups: where the group is not known when the model decides."""

from fairaudit.remedies.equalized.classifier import EqualizedDistributionClassifier
from fairaudit.remedies.equalized.loss import DistributionLoss, soft_histogram

__all__ = ["DistributionLoss", "EqualizedDistributionClassifier", "soft_histogram"]
