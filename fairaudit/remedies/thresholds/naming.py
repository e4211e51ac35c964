"""What thresholds by group are called: their settings in words."""

from __future__ import annotations

from fairaudit.estimators.model_words import MODEL_WORDS
from fairaudit.remedies.thresholds.plan import ThresholdsPlan

SEARCH_WORDS = {"exact": "", "pso": ", a search by chance", "chosen": ", chosen by hand"}


def thresholds_name(plan: ThresholdsPlan) -> str:
    """Return the name of such a remedy."""
    weight = "" if plan.search == "chosen" else f", fairness weight {plan.fairness_weight:g}"
    return f"A threshold for each group ({MODEL_WORDS[plan.model]}{weight}{SEARCH_WORDS[plan.search]})"
