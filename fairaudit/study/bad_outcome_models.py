"""Read a model of the bad outcome as one of the good outcome, by which all models are judged."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.metaestimators import available_if

from fairaudit.study.rows import Study


class TurnedClassifier(ClassifierMixin, BaseEstimator):
    """A fitted classifier of the bad outcome, read as one of the good outcome.

    Parameters
    ----------
    classifier : estimator
        Fitted; its classes are 0 and 1, and 1 is the bad outcome.
    """

    def __init__(self, classifier: Any):
        self.classifier = classifier
        self.classes_ = np.array([0, 1])

    def predict(self, X: Any) -> NDArray[np.int64]:
        """Return 1 for each row that is predicted to have the good outcome, as ndarray, shape (n,)."""
        return 1 - np.asarray(self.classifier.predict(X))

    @available_if(lambda self: hasattr(self.classifier, "predict_proba"))
    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Return the probabilities of the bad and the good outcome, as ndarray, shape (n, 2)."""
        return np.asarray(self.classifier.predict_proba(X))[:, ::-1]


def turned(study: Study, prediction: Any) -> NDArray[np.int64]:
    """Turn predictions of the outcome that ``models.positive`` names into those of the good outcome, or back."""
    h = np.asarray(prediction, dtype=np.int64)
    return h if study.models.positive == "favorable" else 1 - h


def read_as_good(study: Study, model: Any) -> Any:
    """Return a model of the outcome that ``models.positive`` names as one of the good outcome."""
    return model if study.models.positive == "favorable" else TurnedClassifier(model)


def unturned(model: Any) -> Any:
    """Return the model that is read the other way round, or the model itself where it is read as it is."""
    return model.classifier if isinstance(model, TurnedClassifier) else model
