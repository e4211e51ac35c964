"""Ways to mitigate gaps: retrain on other labels, a threshold for each group, scores that are spread alike.

Names are imported when they are first asked for: scikit-learn takes a second, which those who only read results need
not wait for.
"""

import importlib
from typing import Any

HOMES = {
    "EqualizedDistributionClassifier": "equalized",
    "GroupThresholdClassifier": "thresholds",
    "MODELS": "models",
    "MODEL_WORDS": "models",
    "RelabeledClassifier": "relabeling",
    "TablePreparation": "preparation",
    "make_model": "models",
}
"""The module of each name."""

__all__ = [
    "MODELS",
    "MODEL_WORDS",
    "EqualizedDistributionClassifier",
    "GroupThresholdClassifier",
    "RelabeledClassifier",
    "TablePreparation",
    "make_model",
]


def __getattr__(name: str) -> Any:
    if name not in HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{HOMES[name]}"), name)
