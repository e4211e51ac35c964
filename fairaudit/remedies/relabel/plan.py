"""Retraining on changed decisions: the part of a plan that asks for it."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from fairaudit.plan.models import ProbabilisticLearner
from fairaudit.remedies.part import RemedyPart


class RelabelPlan(RemedyPart):
    """Retraining on relabelled rows."""

    does = "Some past decisions about the protected group are changed, and a new model learns from them."

    method: Literal["relabel"] = Field(default="relabel", description="The kind of remedy.")
    name: str | None = Field(default=None, description="What it is called in this audit.")
    algorithm: Literal["risk_adjustment", "risk_flipping"] = Field(
        default="risk_flipping", description="How rows are relabelled."
    )
    risk_model: ProbabilisticLearner = Field(
        default="logistic_regression", description="The model whose scores say which; it learns from 40 % of the rows."
    )
    final_model: ProbabilisticLearner = Field(
        default="mlp", description="The model that decides; it learns from the relabelled other 40 %."
    )
    threshold: Annotated[float, Field(gt=0, lt=1)] = Field(
        default=0.5, description='The least risk score with label 1, for "risk_adjustment".'
    )
    reweigh: bool = Field(
        default=True,
        description=(
            "Weighs protected rows while a perceptron is the final model that may see who is protected, so that its "
            "decisions become alike and not only the labels; without it the fit is plain."
        ),
    )
    no_group_worse_off: bool = Field(
        default=False,
        description=(
            "Whether no group may do worse than before, on the tuning rows; the final model's threshold is moved "
            "until that holds."
        ),
    )

    @property
    def changes_model(self) -> bool:
        """Whether the model without the remedy is of another kind than the one that decides."""
        return self.final_model != self.risk_model

    def is_learned(self) -> bool:
        """Say whether the plan does not say who is predicted what."""
        return True
