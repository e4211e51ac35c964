"""Ways to mitigate gaps: retrain on other labels, a threshold for each group, scores that are spread alike."""

from fairaudit.remedies.equalized import EqualizedDistributionClassifier
from fairaudit.remedies.models import MODEL_WORDS, MODELS, make_model
from fairaudit.remedies.preparation import TablePreparation
from fairaudit.remedies.relabeling import RelabeledClassifier
from fairaudit.remedies.thresholds import GroupThresholdClassifier

__all__ = [
    "MODELS",
    "MODEL_WORDS",
    "EqualizedDistributionClassifier",
    "GroupThresholdClassifier",
    "RelabeledClassifier",
    "TablePreparation",
    "make_model",
]
