"""The models that a plan may name."""

from __future__ import annotations

from typing import Literal

Learner = Literal["logistic_regression", "mlp", "svm", "random_forest", "gradient_boosting"]
"""Models by name, see :func:`fairaudit.estimators.make_model`."""

ProbabilisticLearner = Literal["logistic_regression", "mlp", "random_forest", "gradient_boosting"]
"""Those that give a probability."""

AmountLearner = Literal["linear_regression", "median"]
"""Models of an amount by name, see :mod:`fairaudit.remedies.plain.fit`."""
