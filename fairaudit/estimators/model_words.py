"""Models in words, for sentences and names."""

from __future__ import annotations

MODEL_WORDS = {
    "logistic_regression": "logistic regression",
    "mlp": "multi-layer perceptron",
    "svm": "linear support vector machine",
    "random_forest": "random forest",
    "gradient_boosting": "gradient boosting",
    "score": "the score in the data",
}
"""The models in words."""
