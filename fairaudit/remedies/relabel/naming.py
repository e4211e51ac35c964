"""What retraining on relabelled rows is called: its settings in words."""

from __future__ import annotations

from fairaudit.estimators.model_words import MODEL_WORDS
from fairaudit.remedies.relabel.plan import RelabelPlan

ALGORITHM_WORDS = {"risk_adjustment": "predicted decisions, some changed", "risk_flipping": "changed decisions"}
METHODS = {"risk_adjustment": "risk adjustment", "risk_flipping": "risk-based flipping"}
"""What the two ways to change decisions are called where they were proposed."""


def relabel_name(plan: RelabelPlan) -> str:
    """Return the name of such a remedy."""
    models = f"{MODEL_WORDS[plan.risk_model]}, then {MODEL_WORDS[plan.final_model]}"
    return f"Retrained on {ALGORITHM_WORDS[plan.algorithm]} ({models})"
