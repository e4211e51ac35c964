"""Retraining on changed decisions: the part of a plan that asks for it."""

from __future__ import annotations

from typing import Annotated, Literal, get_args

from pydantic import Field

from fairaudit.plan.fields import Choice, InForm
from fairaudit.plan.models import MODEL_WORDS, ProbabilisticLearner
from fairaudit.remedies.part import NoGroupWorseOff, RemedyPart

LEARNERS = tuple(Choice(name, MODEL_WORDS[name]) for name in get_args(ProbabilisticLearner))
"""The models that it can be made of."""


class RelabelPlan(RemedyPart):
    """Retraining on relabelled rows."""

    does = "Some past decisions about the protected group are changed, and a new model learns from them."

    method: Literal["relabel"] = Field(default="relabel", description="The kind of remedy.")
    algorithm: Annotated[
        Literal["risk_adjustment", "risk_flipping"],
        InForm(
            label="Which past decisions change",
            choices=(
                Choice(
                    "risk_flipping",
                    "Change as few past decisions as possible",
                    "In the protected group, the closest decisions are reversed.",
                ),
                Choice(
                    "risk_adjustment",
                    "Decide anew, with shifted scores",
                    "A model decides all past cases anew. In the protected group its scores are shifted.",
                ),
            ),
        ),
    ] = Field(default="risk_flipping", description="How rows are relabelled.")
    risk_model: Annotated[
        ProbabilisticLearner,
        InForm(label="First model", help="Scores the cases: which decisions are closest.", choices=LEARNERS),
    ] = Field(
        default="logistic_regression", description="The model whose scores say which; it learns from 40 % of the rows."
    )
    final_model: Annotated[
        ProbabilisticLearner,
        InForm(
            label="Second model",
            help="Learns from the changed decisions. A neural network can follow them best.",
            choices=LEARNERS,
        ),
    ] = Field(default="mlp", description="The model that decides; it learns from the relabelled other 40 %.")
    threshold: Annotated[
        Annotated[float, Field(gt=0, lt=1)],
        InForm(label="Yes from this probability on", widget="slider", least=0.05, most=0.95, step=0.05),
    ] = Field(default=0.5, description='The least risk score with label 1, for "risk_adjustment".')
    reweigh: bool = Field(
        default=True,
        description=(
            "Weighs protected rows while a perceptron is the final model that may see who is protected, so that its "
            "decisions become alike and not only the labels; without it the fit is plain."
        ),
    )
    no_group_worse_off: NoGroupWorseOff = Field(
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
