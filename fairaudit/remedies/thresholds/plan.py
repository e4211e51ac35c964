"""A threshold for each group: the part of a plan that asks for them."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, FiniteFloat, model_validator

from fairaudit.outcomes import SHARES, OutcomeKind
from fairaudit.plan.fields import InForm
from fairaudit.plan.models import Learner, model_choices
from fairaudit.remedies.part import NoGroupWorseOff, RemedyPart


class ThresholdsPlan(RemedyPart):
    """A threshold for each group on one score."""

    does = "In each group, people get a yes from another score upwards."

    method: Literal["thresholds"] = Field(default="thresholds", description="The kind of remedy.")
    model: Annotated[
        Learner | Literal["score"],
        InForm(
            label="Score",
            help="A model that learns from past decisions, or a score in your data. Name its column on the page Data.",
            choices=model_choices("score", "logistic_regression", "svm", "mlp", "random_forest", "gradient_boosting"),
        ),
    ] = Field(default="logistic_regression", description='The model whose score it is; "score" for the data\'s own.')
    fairness_weight: Annotated[
        Annotated[float, Field(ge=0, allow_inf_nan=False)],
        InForm(
            label="Weight of equal errors",
            help="How much gaps in errors count beside accuracy. A larger weight gives smaller gaps.",
            widget="steps",
        ),
    ] = Field(default=1.0, description="What the gaps are multiplied with before they are taken off the accuracy.")
    search: Literal["exact", "pso", "chosen"] = Field(
        default="exact",
        description=(
            "How thresholds are found on the 20 % tuning part: the exact optimum, particle swarm, or chosen by a "
            "person."
        ),
    )
    thresholds: tuple[tuple[str, FiniteFloat], ...] = Field(
        default=(),
        description="Those that a person chose, as pairs of a group's name and its threshold; empty otherwise.",
    )
    no_group_worse_off: NoGroupWorseOff = Field(
        default=False,
        description=(
            "Whether no group may do worse than before, on the tuning rows; thresholds are searched among those of "
            "which that is true."
        ),
    )

    @model_validator(mode="after")
    def _chosen(self) -> ThresholdsPlan:
        if (self.search == "chosen") != bool(self.thresholds):
            raise ValueError("give 'thresholds' where 'search' is 'chosen', and only there")
        names = [group for group, _ in self.thresholds]
        if len(set(names)) < len(names):
            raise ValueError("has two entries for one group in 'thresholds'")
        if self.no_group_worse_off and self.search == "chosen":
            raise ValueError(
                "holds thresholds that a person chose, which are taken as they are: 'no_group_worse_off' needs "
                "'search' = 'exact' or 'pso'; leave it out, and read whether a group is worse off in the result"
            )
        return self

    def plain_model(self, outcome: OutcomeKind = SHARES) -> Learner | None:
        """Return the model whose score thresholds are put on; None where the data hold the score."""
        return None if self.model == "score" else self.model

    def is_learned(self) -> bool:
        """Say whether the plan does not say who is predicted what."""
        return self.search != "chosen"
