"""What retraining is called: its settings in words."""

from __future__ import annotations

from fairaudit.estimators.model_words import MODEL_WORDS
from fairaudit.remedies.relabel.plan import RelabelPlan

ALGORITHM_WORDS = {"risk_adjustment": "decisions made anew", "risk_flipping": "changed decisions"}
"""The two ways to change decisions, as the end of "learned from"."""


def relabel_name(plan: RelabelPlan) -> str:
    """Return the name of such a remedy."""
    models = f"{MODEL_WORDS[plan.risk_model]}, then {MODEL_WORDS[plan.final_model]}"
    return f"Retrain on {ALGORITHM_WORDS[plan.algorithm]} ({models})"
