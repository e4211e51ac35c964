"""Models in words, for sentences and names."""

from __future__ import annotations

MODEL_WORDS = {
    "logistic_regression": "logistic regression",
    "mlp": "neural network",
    "svm": "support vector machine",
    "random_forest": "random forest",
    "gradient_boosting": "boosted trees",
    "score": "the score in the data",
}
"""The models in words."""
