"""What the rates of a prediction are called."""

from __future__ import annotations

RATES = {
    "base_rate": "Share truly positive",
    "selection_rate": "Share predicted positive",
    "accuracy": "Accuracy",
    "tpr": "True positive rate",
    "fpr": "False positive rate",
    "tnr": "True negative rate",
    "fnr": "False negative rate",
    "ppv": "Right among predicted positive",
    "npv": "Right among predicted not positive",
    "fdr": "Wrong among predicted positive",
    "for_": "Wrong among predicted not positive",
}
