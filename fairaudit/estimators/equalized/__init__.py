"""A score that is spread alike in all groups: where the group is not known when the model decides."""

from fairaudit.estimators.equalized.classifier import EqualizedDistributionClassifier, iter_sweep, sweep
from fairaudit.estimators.equalized.loss import DistributionLoss

__all__ = ["DistributionLoss", "EqualizedDistributionClassifier", "iter_sweep", "sweep"]
