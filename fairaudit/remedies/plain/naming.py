"""What a model without any remedy is called: its settings in words."""

from __future__ import annotations

from typing import Final

from fairaudit.estimators.model_words import MODEL_WORDS
from fairaudit.present.numbers import number_text
from fairaudit.remedies.plain.plan import PlainPlan

AMOUNT_MODEL_WORDS: Final = {
    "linear_regression": "linear regression",
    "median": "the median for everybody",
}
"""The plain models of amounts in words."""


def plain_name(plan: PlainPlan) -> str:
    """Return the name of such a model.

    Examples
    --------
    >>> plain_name(PlainPlan())
    'Plain logistic regression'
    >>> plain_name(PlainPlan(threshold=0.43))
    'Plain logistic regression, threshold 0.430 for everybody'
    """
    at = "" if plan.threshold is None else f", threshold {number_text(plan.threshold, digits=3)} for everybody"
    return f"Plain {MODEL_WORDS[plan.model]}{at}"


def plain_words(learner: str) -> str:
    """Return what a plain model is called where remedies are compared with it.

    Examples
    --------
    >>> plain_words("logistic_regression")
    'plain logistic regression'
    """
    return f"plain {(MODEL_WORDS | AMOUNT_MODEL_WORDS)[learner]}"


def amount_plain_name(plan: PlainPlan) -> str:
    """Return the name of such a model where the decision is an amount.

    Examples
    --------
    >>> amount_plain_name(PlainPlan(model="median"))
    'Plain model: the median for everybody'
    """
    return f"Plain model: {AMOUNT_MODEL_WORDS[plan.model]}"
