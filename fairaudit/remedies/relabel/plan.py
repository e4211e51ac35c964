"""The part of a plan that asks for retraining on relabelled rows."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from fairaudit.plan.learners import ProbabilisticLearner
from fairaudit.plan.parts import Part


class RelabelPlan(Part):
    """Retraining on relabelled rows: `risk_model` learns from 40 %, `final_model` from the relabelled other 40 %.

    With `reweigh`, protected rows are weighed while a perceptron is the final model that may see who is protected, so
    that its decisions become alike and not only the labels; without it the fit is plain.
    """

    method: Literal["relabel"] = "relabel"
    name: str | None = None
    algorithm: Literal["risk_adjustment", "risk_flipping"] = "risk_flipping"
    risk_model: ProbabilisticLearner = "logistic_regression"
    final_model: ProbabilisticLearner = "mlp"
    threshold: Annotated[float, Field(gt=0, lt=1)] = 0.5
    reweigh: bool = True
