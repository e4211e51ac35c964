"""Ways to mitigate gaps: other labels, a threshold for each group, scores that are spread alike, constraints.

Names are imported when they are first asked for: scikit-learn takes a second, which those who only read results need
not wait for.
"""

from fairaudit.late import late_names

__all__ = [
    "MODELS",
    "ConstrainedClassifier",
    "EqualizedDistributionClassifier",
    "FairnessSpec",
    "GroupThresholdClassifier",
    "RelabeledClassifier",
    "TablePreparation",
    "make_model",
]

__getattr__ = late_names(
    __name__,
    {
        "ConstrainedClassifier": "fairaudit.estimators.constraints.classifier",
        "EqualizedDistributionClassifier": "fairaudit.estimators.equalized",
        "FairnessSpec": "fairaudit.estimators.constraints",
        "GroupThresholdClassifier": "fairaudit.estimators.thresholds",
        "MODELS": "fairaudit.estimators.models",
        "RelabeledClassifier": "fairaudit.estimators.relabeling",
        "TablePreparation": "fairaudit.estimators.base",
        "make_model": "fairaudit.estimators.models",
    },
)
