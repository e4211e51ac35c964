"""Ways to mitigate gaps: other labels, a threshold for each group, scores that are spread alike, constraints.

Names are imported when they are first asked for: scikit-learn takes a second, which those who only read results need
not wait for.
"""

from fairaudit.late import late_names

__all__ = [
    "MODELS",
    "MODEL_WORDS",
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
        "ConstrainedClassifier": "fairaudit.remedies.constraints.classifier",
        "EqualizedDistributionClassifier": "fairaudit.remedies.equalized",
        "FairnessSpec": "fairaudit.remedies.constraints",
        "GroupThresholdClassifier": "fairaudit.remedies.thresholds",
        "MODELS": "fairaudit.remedies.models",
        "MODEL_WORDS": "fairaudit.remedies.models",
        "RelabeledClassifier": "fairaudit.remedies.relabeling",
        "TablePreparation": "fairaudit.remedies.preparation",
        "make_model": "fairaudit.remedies.models",
    },
)
