"""What a model that meets constraints is called: its settings in words."""

from __future__ import annotations

from fairaudit.estimators.constraints import FairnessSpec
from fairaudit.estimators.model_words import MODEL_WORDS
from fairaudit.remedies.constrain.plan import ConstrainPlan


def constrain_name(plan: ConstrainPlan) -> str:
    """Return the name of such a model.

    Examples
    --------
    >>> groups = '["age < 25" as "young", "age >= 25" as "old"]'
    >>> constrain_name(ConstrainPlan(constraints=(f"sp by {groups} <= 0.1",), scale=2))
    'Constrained logistic regression, allowed gaps times 2 (sp by young, old <= 0.1)'
    """
    picked = "" if plan.scale == 1 else f", allowed gaps times {plan.scale:.3g}"
    asked = "; ".join(_asked(FairnessSpec.parse(text)) for text in plan.constraints)
    return f"Constrained {MODEL_WORDS[plan.model]}{picked} ({asked})"


def _asked(spec: FairnessSpec) -> str:
    """Return a constraint as it is written, with the names of groups in place of their conditions."""
    if spec.columns is not None:
        return str(spec)
    return f"{spec.measure.name} by {', '.join(spec.group_names)} {spec.limit}"
