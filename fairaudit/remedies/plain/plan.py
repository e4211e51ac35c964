"""The part of a plan that asks for a model without any remedy."""

from __future__ import annotations

from typing import Literal

from fairaudit.plan.learners import AmountLearner, Learner
from fairaudit.plan.parts import Part


class PlainPlan(Part):
    """A model without any remedy, to compare with. It learns from the 60 % training part.

    Where the decision is an amount, `model` is "linear_regression" or "median", which predicts the same for everybody.
    """

    method: Literal["plain"] = "plain"
    name: str | None = None
    model: Learner | AmountLearner = "logistic_regression"
