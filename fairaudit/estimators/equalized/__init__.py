"""A score that is spread alike in all groups: where the group is not known when the model decides."""

from fairaudit.estimators.equalized.classifier import EqualizedDistributionClassifier
from fairaudit.estimators.equalized.loss import DistributionLoss
from fairaudit.estimators.equalized.sweep import iter_sweep, sweep

__all__ = ["DistributionLoss", "EqualizedDistributionClassifier", "iter_sweep", "sweep"]
