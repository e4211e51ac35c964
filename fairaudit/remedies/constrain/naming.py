"""What a model that meets constraints is called: its settings in words."""

from __future__ import annotations

from fairaudit.estimators.constraints import FairnessSpec
from fairaudit.estimators.model_words import MODEL_WORDS
from fairaudit.remedies.constrain.asking_words import limit_words, metric_label
from fairaudit.remedies.constrain.plan import ConstrainPlan


def constrain_name(plan: ConstrainPlan) -> str:
    """Return the name of such a model.

    Examples
    --------
    >>> groups = '["age < 25" as "young", "age >= 25" as "old"]'
    >>> constrain_name(ConstrainPlan(constraints=(f"sp by {groups} <= 0.1",), scale=2))
    'Train to your limits, times 2 (logistic regression; share of positive predictions by young, old: 10 points)'
    """
    picked = "" if plan.scale == 1 else f", times {plan.scale:.3g}"
    asked = "; ".join(_asked(FairnessSpec.parse(text)) for text in plan.constraints)
    return f"Train to your limits{picked} ({MODEL_WORDS[plan.model]}; {asked})"


def _asked(spec: FairnessSpec) -> str:
    """Return a constraint in few words: the rate, the groups, and how far they may be apart or what each must have."""
    label = metric_label(spec)
    label = f"{label[:1].lower()}{label[1:]}"
    return label if spec.floor is not None else f"{label}: {limit_words(spec)}"
