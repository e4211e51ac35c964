"""The part of a plan that asks for a model without any remedy."""

from __future__ import annotations

from typing import Final, Literal, get_args

from fairaudit.plan.learners import AmountLearner, Learner
from fairaudit.plan.parts import Part


class PlainPlan(Part):
    """A model without any remedy, to compare with. It learns from the 60 % training part.

    Parameters
    ----------
    method : {"plain"}
        The kind of remedy.
    name : str, optional
        What it is called in this audit.
    model : str
        What learns. Where the decision is an amount, "linear_regression" or "median", which predicts the same for
        everybody.
    """

    method: Literal["plain"] = "plain"
    name: str | None = None
    model: Learner | AmountLearner = "logistic_regression"


AMOUNT_MODELS: Final = get_args(AmountLearner)


def check_for_amounts(plan: PlainPlan) -> None:
    """Refuse a model that needs a decision with a good outcome."""
    if plan.model not in AMOUNT_MODELS:
        raise ValueError(
            f'holds a plain model "{plan.model}", which needs a decision with a good outcome; where the '
            'decision is an amount, give model = "linear_regression" or "median"'
        )


def check_for_outcomes(plan: PlainPlan) -> None:
    """Refuse a model that needs a decision that is an amount."""
    if plan.model in AMOUNT_MODELS:
        raise ValueError(f'holds a plain model "{plan.model}", which needs amount = true under [decision]')
