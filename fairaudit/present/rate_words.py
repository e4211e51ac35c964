"""The rates of a prediction in words: a label, and what it is a share of."""

from __future__ import annotations

_WORDS = {
    "base_rate": ("Share truly positive", "The share that is truly positive."),
    "selection_rate": ("Share predicted positive", "The share that was predicted positive."),
    "accuracy": ("Accuracy", "The share that was predicted right."),
    "tpr": ("True positive rate", "Of those who are truly positive, the share that was predicted positive."),
    "fpr": ("False positive rate", "Of those who are truly not positive, the share that was predicted positive."),
    "tnr": ("True negative rate", "Of those who are truly not positive, the share that was predicted so."),
    "fnr": ("False negative rate", "Of those who are truly positive, the share that was predicted not positive."),
    "ppv": ("Right among predicted positive", "Of those predicted positive, the share that truly is."),
    "npv": ("Right among predicted not positive", "Of those predicted not positive, the share that truly is not."),
    "fdr": ("Wrong among predicted positive", "Of those predicted positive, the share that is truly not."),
    "for_": ("Wrong among predicted not positive", "Of those predicted not positive, the share that truly is."),
}
RATES = {name: label for name, (label, _) in _WORDS.items()}
MEANINGS = {name: meaning for name, (_, meaning) in _WORDS.items()}
